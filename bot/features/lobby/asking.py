"""Requests to join a table with admission on request: people ask, and the host lets them in or declines."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from bot.errors import DISCORD_ERRORS, UserError
from bot.features.handlers import TableRequest, at_table
from bot.features.lobby.starting import came
from bot.features.lobby.table_message import holder_of, require_host, show_done
from bot.interactions.controls import Control
from bot.interactions.parts import SUCCESS, Layout, calling, text_layout
from bot.interactions.responses import together
from bot.store.join_requests import JoinRequest
from bot.tables.company import reachable
from bot.tables.people import mention
from bot.tables.table import Table
from engine.texts import Text

ASKED = Text("You’ve asked for a seat. You’ll see the host’s answer here.")
DONE = Text("The host has answered.")


async def ask(request: TableRequest) -> None:
    """Ask the host for a seat, by a message with the answers as buttons."""
    table, services, user_id = request.table, request.services, request.user_id
    await services.joining.ask(table, holder_of(request.response.interaction))
    host_id = table.row.host_id
    # a block between the two suppresses only the ping, so the message does not reveal it
    pinged = await reachable(services.store, table, [host_id], services.clock.now(), by=user_id)
    try:
        compose = partial(_request_layout, table, user_id)
        message_id = await services.channels.send(table.row.channel_id, compose, mentions=calling(pinged))
    except DISCORD_ERRORS as error:
        await services.joining.withdraw(table, user_id)
        raise UserError(Text("Discord is not accepting your request at the moment. Nobody was asked.")) from error
    request.response.already_done = ASKED
    await services.joining.note_message(table, user_id, message_id)
    await request.response.say(ASKED)


@at_table("letin")
async def let_in(request: TableRequest, user_id: int) -> None:
    """*Let in*: the person takes the next free seat."""
    require_host(request)
    table, services = request.table, request.services
    join_request = await services.joining.let_in(table, user_id)
    text = Text("{user} is at the table now.", user=mention(join_request.user_id))
    bring = [services.channels.add_members(table.row.channel_id, join_request.user_id)] if table.row.own_thread else []
    await together(came(request, text), _show_answer(request, join_request, text), *bring)


@at_table("decline")
async def decline(request: TableRequest, user_id: int) -> None:
    """*Decline*: the person gets no seat, and cannot ask again at this table."""
    require_host(request)
    join_request = await request.services.joining.decline(request.table, user_id)
    answer = Text("-# The host has answered {user}’s request.", user=mention(join_request.user_id))
    await show_done(request, DONE, _show_answer(request, join_request, answer))


async def _show_answer(request: TableRequest, join_request: JoinRequest, text: Text) -> None:
    if join_request.message_id is not None:
        compose, channels = partial(text_layout, text, request.table.say), request.services.channels
        await channels.refresh(request.table.row.channel_id, join_request.message_id, compose)


def _request_layout(table: Table, user_id: int) -> Layout:
    """Asks the host whether a person may join."""
    question = Text(
        "{host}: {user} is asking to join your **{title}** table.",
        host=mention(table.row.host_id),
        user=mention(user_id),
        title=table.title,
    )
    return text_layout(question, table.say, *_answers(table, user_id))


def _answers(table: Table, user_id: int) -> Sequence[Control]:
    return [
        let_in.button(table, Text("Let in"), SUCCESS, user_id),
        decline.button(table, Text("Decline"), user_id=user_id),
    ]
