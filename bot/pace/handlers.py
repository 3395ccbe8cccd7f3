"""What people do about the time they have: the host sets the pace, and the others decide about whoever is late."""

from __future__ import annotations

from bot.errors import Declined
from bot.interactions.answers import together
from bot.lobby.handlers import options_chosen
from bot.lobby.showing import require_host
from bot.lobby.substitutes import come_back
from bot.pace.ladder import Ladder
from bot.pace.layouts import late_layout, pace_layout
from bot.pace.votes import choices
from bot.reception import Handler, Visit
from bot.store.clocks import SeatClock, Verdict
from bot.store.matches import Status
from bot.tables.paces import all_paces, pace_words
from bot.tables.people import mention
from bot.tables.table import require_open
from engine.texts import Seat, Text

MOVED_ON = Text("The game has moved on since: there is nothing to decide any more.")


async def show_pace(visit: Visit) -> None:
    """The pace of this table; the host finds a menu there."""
    require_open(visit.table)
    await visit.answer.show(pace_layout(visit.table, may_choose=visit.is_in_charge))


async def pace_chosen(visit: Visit) -> None:
    """The host has chosen a pace, on the options page of a lobby or while the game runs."""
    require_host(visit)
    require_open(visit.table)
    found = all_paces().get(visit.value)
    if found is None:
        raise Declined(Text("There is no such pace any more."))
    pace, firm = found
    if visit.table.row.status is Status.LOBBY:
        await visit.court.lobbies.set_pace(visit.table, pace, firm=firm)
        await options_chosen(visit)
    else:
        await _change(visit, pace, firm=firm)


async def _change(visit: Visit, pace: str, *, firm: bool) -> None:
    table = visit.table
    table.playing()
    if (table.row.pace, table.row.firm) == (pace, firm):
        await show_pace(visit)
        return
    await Ladder(visit.court).set_pace(table, pace, firm=firm, user_id=visit.user_id)
    words = pace_words(pace, firm=firm)
    visit.answer.kept = Text("The pace is set.")
    told = Text("⏳ {who} has changed the pace. {words}.", who=mention(visit.user_id), words=words)
    await together(show_pace(visit), visit.court.channels.announce(table, told))


async def vote(visit: Visit) -> None:
    """One of the others says what shall become of the turn of somebody whose time is up."""
    table, ladder = visit.table, Ladder(visit.court)
    async with table.pacing:
        clock = _voted_about(visit)
        if clock is None:
            raise Declined(MOVED_ON)
        seat, choice = table.seated(visit.user_id), Verdict(visit.control.text.partition(" ")[2])
        if seat == clock.seat:
            raise Declined(Text("This is about you, so the others decide. Your move ends it."))
        clock = await ladder.vote(table, clock, visit.user_id, choice)
        if clock.out is None and not clock.verdict:
            raise Declined(MOVED_ON)
        if not clock.verdict:
            await visit.answer.show(late_layout(table, clock))
            return
        visit.answer.kept = Text("It is decided.")
        shown = visit.answer.show(late_layout(table, clock))
        await together(shown, ladder.carry_out(table, clock, told=True))


def _voted_about(visit: Visit) -> SeatClock | None:
    """The clock that a vote is about, if that still goes on. What a control says comes from outside."""
    number, _, choice = visit.control.text.partition(" ")
    clock = visit.table.clocks.get(Seat(number)) if number.isdecimal() and len(number) < 3 else None
    if clock is None or clock.out is None or clock.verdict or clock.number != visit.control.version:
        return None
    return clock if choice in [known.value for known in choices(visit.table)] else None


HANDLERS: dict[str, Handler] = {"pace": pace_chosen, "vote": vote, "back": come_back}
"""What the controls of this room do."""

IN_PLACE = frozenset({"vote"})
"""The answer to a vote is the message it stands on, as it is now."""
