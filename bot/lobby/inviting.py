"""Invitations: the host names people, who are called once, and sit down by one tap."""

from __future__ import annotations

from collections.abc import Collection

from bot.errors import TROUBLE, Declined
from bot.interactions.answers import together
from bot.interactions.parts import calling
from bot.lobby.handlers import join
from bot.lobby.layouts import guests_layout, invitation_layout
from bot.lobby.showing import refresh_lobby, require_host
from bot.reception import Handler, Visit
from bot.store.share import NO_SERVER
from bot.tables.people import mention
from bot.tables.table import require_lobby
from engine.texts import Text

NO_ID = 1 << 63
"""More than any id, and than a database can hold; rows come from outside."""

NOBODY_ELSE = Text("Nobody else comes here, so there is nobody to invite.")
NO_PEOPLE = Text("Bots take no seat. **Add computer** gives one to a computer player.")
KNOWN = Text("They sit here already, or were invited within the last hour. Nobody is called again.")


async def ask_whom(visit: Visit) -> None:
    """*Invite*: a private menu of the people of the server."""
    _require_inviting(visit)
    await visit.answer.show(guests_layout(visit.table))


async def chosen(visit: Visit) -> None:
    """The host has chosen people from that menu."""
    await invite(visit, visit.values)


async def invite(visit: Visit, people: Collection[str]) -> None:
    """Call those people to the table, by their ids, of whom none was called a short while ago."""
    _require_inviting(visit)
    if not people:
        raise Declined(NO_PEOPLE)
    table, court = visit.table, visit.court
    new = await court.lobbies.invite(table, (int(one) for one in people if one.isdecimal() and int(one) < NO_ID))
    if not new:
        raise Declined(KNOWN)
    called = [user_id for user_id in table.invited if user_id in new]
    try:
        layout = invitation_layout(table, visit.user_id, called)
        await court.channels.send(table.row.channel_id, layout, mentions=calling(called))
    except TROUBLE as error:
        await court.lobbies.take_back_invitation(table, called)
        raise Declined(Text("Discord does not take the invitation at the moment. Nobody was called.")) from error
    visit.answer.kept = Text("Invited: {people}.", people=tuple(Text("{user}", user=mention(one)) for one in called))
    await together(visit.answer.show_text(visit.answer.kept), refresh_lobby(visit))


def _require_inviting(visit: Visit) -> None:
    require_host(visit)
    require_lobby(visit.table)
    if visit.table.row.guild_id == NO_SERVER:
        raise Declined(NOBODY_ELSE)


HANDLERS: dict[str, Handler] = {"invite": ask_whom, "guests": chosen, "accept": join}
"""What the controls of the lobby do that bring people to a table."""
