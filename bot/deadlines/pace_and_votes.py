"""What people do about the time they have: the host sets the pace, and the others decide about a player who is late."""

from __future__ import annotations

from contextlib import suppress

from bot.deadlines.pace_and_vote_layouts import late_layout, pace_layout
from bot.deadlines.timeouts import Timeouts
from bot.deadlines.votes import choices
from bot.dispatcher import Answer, TableRequest, at_table
from bot.errors import TROUBLE, UserError
from bot.interactions.responses import together
from bot.lobby.substitutes import come_back
from bot.lobby.table_message import require_host, update_lobby
from bot.store.clocks import SeatClock, Verdict
from bot.store.matches import Status
from bot.tables.paces import all_paces, pace_words
from bot.tables.people import mention
from bot.tables.table import Table, require_open
from engine.texts import Seat, Text

MOVED_ON = Text("The game has moved on: there’s nothing left to decide.")


async def show_pace(request: TableRequest) -> None:
    """The pace of this table; the host finds a menu there."""
    require_open(request.table)
    now = request.services.clock.now()
    await request.response.show(pace_layout(request.table, now, may_choose=request.is_in_charge))


async def pace_chosen(request: TableRequest) -> None:
    """The host has chosen a pace, in the lobby or while the game runs."""
    require_host(request)
    require_open(request.table)
    found = all_paces().get(request.value)
    if found is None:
        raise UserError(Text("That pace no longer exists."))
    pace, firm = found
    if request.table.row.status is Status.LOBBY:
        await request.services.lobbies.keep(request.table, pace=pace, firm=firm, ready=None)
        await together(show_pace(request), update_lobby(request.services, request.table))
    else:
        await _change(request, pace, firm=firm)


async def _change(request: TableRequest, pace: str, *, firm: bool) -> None:
    table = request.table
    table.playing()
    if (table.row.pace, table.row.firm) == (pace, firm):
        await show_pace(request)
        return
    await Timeouts(request.services).set_pace(table, pace, firm=firm, user_id=request.user_id)
    words = pace_words(pace, firm=firm)
    request.response.kept = Text("The pace is set.")
    text = Text("⏳ {who} has changed the pace. {words}.", who=mention(request.user_id), words=words)
    await together(show_pace(request), request.services.channels.announce(table, text))


async def vote(request: TableRequest) -> None:
    """One of the others says what shall become of the turn of somebody whose time is up."""
    table, timeouts = request.table, Timeouts(request.services)
    # held to the end, or the look at this clock could carry out the same decision at the same time
    async with table.pacing:
        clock = _voted_about(request)
        if clock is None:
            raise UserError(MOVED_ON)
        seat, choice = table.seated(request.user_id), Verdict(request.control.text.partition(" ")[2])
        if seat == clock.seat:
            raise UserError(Text("This is about you, so the others decide. Your move ends the vote."))
        clock = await timeouts.vote(table, clock, request.user_id, choice)
        if clock.out is None and not clock.verdict:
            raise UserError(MOVED_ON)
        if not clock.verdict:
            await request.response.show(late_layout(table, clock))
            return
        request.response.kept = Text("It’s decided.")
        shown = request.response.show(late_layout(table, clock))
        await together(shown, _carry_out(timeouts, table, clock))


async def _carry_out(timeouts: Timeouts, table: Table, clock: SeatClock) -> None:
    """Carry out a verdict that its message shows already; where Discord does not accept the rest, a job tries again."""
    with suppress(*TROUBLE):
        await timeouts.carry_out(table, clock, shown=True)


def _voted_about(request: TableRequest) -> SeatClock | None:
    """The clock that a vote is about, if that still goes on. What a control says comes from outside."""
    number, _, choice = request.control.text.partition(" ")
    # the length as well: Python raises an error for numbers with more than 4,300 digits
    clock = request.table.clocks.get(Seat(number)) if number.isdecimal() and len(number) < 3 else None
    if clock is None or clock.out is None or clock.verdict or clock.number != request.control.version:
        return None
    return clock if choice in [known.value for known in choices(request.table)] else None


TAPS = {
    "paces": at_table(show_pace),
    "pace": at_table(pace_chosen),
    "vote": at_table(vote, Answer.IN_PLACE),
    "back": at_table(come_back),
}
"""The answer to a vote is the message with its buttons, brought up to date."""
