"""The lobby message of a table: posting, updating and replacing it, with the host check of its buttons."""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from functools import partial
from typing import Any

import discord

from bot.errors import DISCORD_ERRORS, UserError, reason
from bot.features.handlers import Answer, TableRequest
from bot.features.lobby.lobby_layouts import closed_lobby_layout, lobby_layout
from bot.features.services import Services
from bot.interactions.channels import Compose
from bot.interactions.parts import SILENT, invitation, text_layout
from bot.interactions.responses import Response, together
from bot.store.jobs import NOBODY, JobKind
from bot.store.matches import SeatHolder, Status
from bot.tables.absent import absent_people, absent_text
from bot.tables.people import mention, presentable
from bot.tables.table import Table
from engine.texts import Text

_log = logging.getLogger(__name__)

BEGUN = Text("The game has begun.")
CALLED_OFF = Text("The game was called off before it began.")
EXPIRED = Text("Nothing happened at this table for a day, so it’s closed.")
EVERYBODY_LEFT = Text("Everyone has left; the channel is free again.")
AGAIN = Text("-# The message of this table was lost; this one takes its place.")
FURTHER_DOWN = Text("-# This table is further down now.")


def require_host(request: TableRequest) -> None:
    """Raise `UserError` unless the user is the host or a moderator."""
    if not request.is_in_charge:
        if request.table.row.host_id == NOBODY:
            raise UserError(Text("Only a moderator can do that: this table has no host."))
        host = mention(request.table.row.host_id)
        raise UserError(Text("Only the host, {host}, or a moderator can do that.", host=host))


def holder_of(interaction: discord.Interaction[Any]) -> SeatHolder:
    """The user of an interaction as a seat holder, with their display name in the server."""
    user = interaction.user
    return SeatHolder(user_id=user.id, name=presentable(user.display_name), interaction_id=interaction.id)


async def show_lobby(
    services: Services,
    response: Response,
    table: Table,
    done_text: Text,
    mentions: discord.AllowedMentions = SILENT,
    note: Text | None = None,
) -> None:
    """Show a table in a new message, which replaces the previous one; `done_text` reports the action of the user."""
    # one at a time: two would replace the same message, and one of the new messages would stay behind
    async with table.posting:
        await _show(services, response, table, done_text, mentions, note)


async def show_lost(services: Services, response: Response, table: Table, done_text: Text) -> bool:
    """Show a table in a new message if the previous one was deleted. Returns whether it was."""
    async with table.posting:
        if lost := not await _message_exists(services, table):
            await _show(services, response, table, done_text, SILENT, AGAIN)
    return lost


async def _show(
    services: Services,
    response: Response,
    table: Table,
    done_text: Text,
    mentions: discord.AllowedMentions,
    note: Text | None,
) -> None:
    before, response.already_done = table.row.lobby_message_id, done_text
    # in a direct message no other user can join
    if note is None and response.interaction.guild_id is None:
        note = Text(
            "-# Here you play against computers. To play with friends, [invite me to a server]({link}).",
            link=invitation(response.interaction.application_id),
        )
    compose = await _open_lobby(services, table, note)
    message_id = await publish(services, response, table.row.channel_id, compose, done_text, mentions)
    await _note_shown(services, table, message_id, before)


async def publish(
    services: Services,
    response: Response,
    channel_id: int,
    compose: Compose,
    done: Text,
    mentions: discord.AllowedMentions = SILENT,
) -> int:
    """Answer with a public message; after a private deferral, post it and answer with `done` in private.

    Returns the id of the message.
    """
    layout = await services.channels.compose_for(channel_id, compose)
    # an answer bypasses `Channels.send`, which would filter the mentions
    message_id = await response.publish(layout, await services.channels.filter_mentions(channel_id, mentions))
    if message_id is None:
        message_id = await services.channels.send(channel_id, compose, mentions=mentions)
        await response.say(done)
    return message_id


async def _message_exists(services: Services, table: Table) -> bool:
    """Update the message of a lobby. Returns whether it exists, according to Discord."""
    row, message_id = table.row, table.row.lobby_message_id
    if message_id is None:
        return False
    async with services.channels.editing(message_id):
        return await services.channels.replace(row.channel_id, message_id, await _open_lobby(services, table))


async def _note_shown(services: Services, table: Table, message_id: int, before: int | None) -> None:
    """Store the message that shows a table, and point from the previous one, if it exists, to the new one."""
    await services.lobbies.note_lobby_message(table, message_id)
    # a job that sends its message again gets the same message
    if before not in (None, message_id):
        await services.channels.refresh(table.row.channel_id, before, partial(text_layout, FURTHER_DOWN, table.say))


async def post_lobby(
    services: Services,
    table: Table,
    note: Text | None = None,
    mentions: discord.AllowedMentions = SILENT,
    nonce: str = "",
) -> None:
    """Show a table in a new message at the end of the channel. Raises `DISCORD_ERRORS`."""
    before, compose = table.row.lobby_message_id, await _open_lobby(services, table, note)
    # the new message first: if only one request succeeds, the table still has buttons
    message_id = await services.channels.send(table.row.channel_id, compose, mentions=mentions, nonce=nonce)
    await _note_shown(services, table, message_id, before)


async def _not_lost(request: TableRequest) -> None:
    """Update the message of a table; show a new one if it was deleted."""
    services, table = request.services, request.table
    if table.row.status is not Status.LOBBY:
        await update_lobby(services, table)
        return
    async with table.posting:
        if not await _message_exists(services, table):
            await post_lobby(services, table, AGAIN)


async def show_done(request: TableRequest, text: Text, *rest: Awaitable[None]) -> None:
    """Answer about a permanent result; `rest` runs at the same time."""
    request.response.already_done = text
    await together(request.response.show_text(text), *rest)


async def show_changed(request: TableRequest, text: Text, *rest: Awaitable[None]) -> None:
    """Show the changed table: in place after a tap on its message, otherwise with `text` as a private answer."""
    tapped = request.response.interaction.message
    # the private *More* has some of the same buttons, but does not show the table
    if request.answer is not Answer.IN_PLACE or tapped is None or tapped.flags.ephemeral:
        await show_done(request, text, _not_lost(request), *rest)
    else:
        request.response.already_done = text
        await together(_answered_in_place(request, tapped.id), *rest)


async def _answered_in_place(request: TableRequest, message_id: int) -> None:
    async with request.services.channels.editing(message_id):
        compose = await _compose_current(request.services, request.table)
        await request.response.show(compose())
    await _note_if_closed(request.services, request.table)


async def update_lobby(services: Services, table: Table) -> None:
    """Update the public message of a lobby; logs a failure instead of raising it."""
    try:
        await edit_lobby(services, table)
    except DISCORD_ERRORS as error:
        _log.info("could not update the lobby message of table %d: %s", table.id, reason(error))
    else:
        await _note_if_closed(services, table)


async def edit_lobby(services: Services, table: Table, *, attempts: int = 0) -> None:
    """Update the public message of a lobby unless it was deleted. `attempts` counts the failures before this one.

    Raises:
        DISCORD_ERRORS: a retry may succeed.
    """
    row, message_id = table.row, table.row.lobby_message_id
    if message_id is not None:
        async with services.channels.editing(message_id):
            compose = await _compose_current(services, table)
            await services.channels.update(row.channel_id, message_id, compose, attempts=attempts)


async def _note_if_closed(services: Services, table: Table) -> None:
    # the job covers a crash or a failed edit; after a successful one it would edit the message again
    if table.row.status is not Status.LOBBY:
        await services.store.jobs.drop(JobKind.LOBBY_MESSAGE, table.id)


async def _compose_current(services: Services, table: Table) -> Compose:
    """The function that composes the lobby, or after its end the reason why it closed."""
    if table.row.status is Status.LOBBY:
        return await _open_lobby(services, table)
    if table.row.status is not Status.CLOSED:
        newcomers = await services.store.matches.newcomers(table.id, table.spec.slug, table.people)
        return partial(closed_lobby_layout, table, BEGUN, introduced=bool(newcomers))
    # only calling a table off writes an event; expiry and the last player's leaving write none
    why = CALLED_OFF if table.facts.events else EXPIRED if table.people else EVERYBODY_LEFT
    return partial(closed_lobby_layout, table, why)


async def _open_lobby(services: Services, table: Table, note: Text | None = None) -> Compose:
    """Composes the open lobby, with the absent players."""
    now = services.clock.now()
    absent = await absent_people(services.store.settings, table.people, now)
    return partial(lobby_layout, table, note, absent_text(absent), is_due=table.is_due_to_start(now))
