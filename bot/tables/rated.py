"""Which games are rated, and whose the result of a seat is (docs/ratings.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from bot.store.matches import PastHolder, SeatHolder
from bot.store.shard_range import NO_SERVER
from bot.store.table_events import TableEvent, TableEventKind
from bot.store.tally import Credit
from bot.tables.table import Table
from engine.match import Match
from engine.texts import Seat, Text

ALONE = Text("only if at least two people play.")

AGREED = (TableEventKind.INVITED, TableEventKind.REPLACED)
"""Others have let somebody go, by a vote or as moderators."""


def why_not_rated(table: Table) -> Text | None:
    """Why the result of a game does not count, or would not if it began now, after a dash; nothing if it does."""
    if table.row.guild_id == NO_SERVER:
        return Text("not in direct messages.")
    if not table.row.rated:
        return Text("no, as the host has it, or since somebody took a hint.")
    # those who sat here at the beginning count; the first one who left a seat overwrites all others
    first = {sat.seat: sat.holder for sat in reversed(table.row.before)}
    began = [first.get(Seat(n), holder) for n, holder in enumerate(table.row.holders)]
    alone = len({holder.user_id for holder in began if not holder.computer}) < 2
    return ALONE if alone else None


def credits_of(table: Table, match: Match, events: Collection[TableEvent]) -> tuple[Credit, ...]:
    """Whose the result of each seat of a match that is over is, and in which place.

    A player who left for good comes last; the others have the places they would have without them.
    """
    assert match.outcome is not None, "the match is over"
    seats, companies = [Seat(n) for n in range(match.setup.seats)], table.spec.companies(match.setup)
    left = {seat: sat for seat in seats if (sat := _left(table, seat, events))}
    merits = list(zip(match.outcome.returns, match.outcome.scores, strict=True))
    rivals = [merits[seat] for seat in seats if seat not in left]

    def credit(seat: Seat) -> Credit:
        if seat in left:
            # a company of their own: partners have the place that they played for
            return Credit(left[seat].holder.user_id or None, None, -1 - seat, len(seats))
        holder = _most_active(table, match, seat)
        place = 1 + sum(other > merits[seat] for other in rivals)
        return Credit(holder.user_id or None, holder.computer, companies[seat], place)

    return tuple(map(credit, seats))


def _left(table: Table, seat: Seat, events: Collection[TableEvent]) -> PastHolder | None:
    """Who left a seat for good to a computer, and by themselves: by resigning, or by being late at a firm pace."""
    people = [sat for sat in table.row.before if sat.seat == seat and not sat.holder.computer]
    if seat not in table.computers or not people:
        return None
    # at a pace that is not firm, it was the others who voted that a computer holds the seat
    agreed = AGREED if table.row.firm else (*AGREED, TableEventKind.HELD)
    # what was noted of the seat at the entry at which they left it
    then = [event.kind for event in events if (event.seat, event.version) == (seat, people[-1].until)]
    return None if set(then) & set(agreed) else people[-1]


def _most_active(table: Table, match: Match, seat: Seat) -> SeatHolder:
    """Who acted most often in a seat; of several, a person, and of those the first."""
    before = [sat for sat in table.row.before if sat.seat == seat]
    acted = Counter[SeatHolder]()
    for version in match.acts_of(seat):
        holder = next((sat.holder for sat in before if version < sat.until), table.row.holders[seat])
        # without what may differ between two spells of the same person
        acted[SeatHolder(holder.user_id, holder.computer)] += 1
    return max(acted, key=lambda holder: (acted[holder], not holder.computer), default=table.row.holders[seat])
