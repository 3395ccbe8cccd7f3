"""Invitations: the host names people, who are called once, and sit down by one tap."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from bot.dispatcher import TableRequest, at_table
from bot.errors import TROUBLE, UnreadableAnswer, UserError
from bot.interactions.controls import id_in
from bot.interactions.parts import calling
from bot.interactions.responses import together
from bot.lobby.lobby_layouts import guests_layout, invitation_layout
from bot.lobby.table_buttons import join
from bot.lobby.table_message import require_host, update_lobby
from bot.store.shard_range import NO_SERVER
from bot.tables.company import reachable
from bot.tables.joining import admission_of
from bot.tables.people import mention
from bot.tables.table import require_lobby
from engine.texts import Text

NOBODY_ELSE = Text("Nobody else can see this channel, so there’s nobody to invite.")
NO_PEOPLE = Text("Bots can’t play. **Add computer** adds a computer player.")
UNCONFIRMED = Text("Discord has not confirmed the invitation. If it does not appear here, please tell them yourself.")
KNOWN = Text("They’re already at the table or were invited within the last hour, so nobody was mentioned again.")


async def ask_whom(request: TableRequest) -> None:
    """*Invite*: a private menu of the people of the server."""
    _require_inviting(request)
    await request.response.show(guests_layout(request.table))


async def chosen(request: TableRequest) -> None:
    """The host has chosen people from that menu."""
    # as somebody may send it: `id_in` leaves out what is no id
    await invite(request, request.values)


async def admission_chosen(request: TableRequest) -> None:
    """The host has chosen the people that may join."""
    _require_inviting(request)
    table, services = request.table, request.services
    await services.lobbies.keep(table, admits=admission_of(request.value))
    await together(request.response.show(guests_layout(table)), update_lobby(services, table))


async def invite(request: TableRequest, people: Collection[str]) -> None:
    """Call those people to the table, by their ids, of whom none was called a short while ago."""
    _require_inviting(request)
    if not people:
        raise UserError(NO_PEOPLE)
    table, services = request.table, request.services
    # noted before they are called: a second tap meanwhile calls nobody twice
    new = await services.lobbies.invite(table, filter(None, map(id_in, people)))
    if not new:
        raise UserError(KNOWN)
    called = [user_id for user_id in table.invited if user_id in new]
    pinged = await reachable(services.store, table, called, services.clock.now(), by=request.user_id)
    try:
        compose = partial(invitation_layout, table, request.user_id, called)
        await services.channels.send(table.row.channel_id, compose, mentions=calling(pinged))
    except UnreadableAnswer as error:
        raise UserError(UNCONFIRMED) from error
    except TROUBLE as error:
        await services.lobbies.take_back_invitation(table, called)
        raise UserError(Text("Discord is not accepting the invitation at the moment. Nobody was mentioned.")) from error
    request.response.kept = Text("Invited: {people}.", people=tuple(map(mention, called)))
    await together(request.response.show_text(request.response.kept), update_lobby(services, table))


def _require_inviting(request: TableRequest) -> None:
    require_host(request)
    require_lobby(request.table)
    if request.table.row.guild_id == NO_SERVER:
        raise UserError(NOBODY_ELSE)


TAPS = {
    "invite": at_table(ask_whom),
    "guests": at_table(chosen),
    "accept": at_table(join),
    "admits": at_table(admission_chosen),
}
