"""The verdicts about late players: by a firm pace, or by a vote of the others."""

from __future__ import annotations

from collections import Counter

from bot.store.clocks import SeatClock, Verdict
from bot.store.shard_range import NO_SERVER
from bot.tables.table import Table
from engine.texts import Seat
from engine.values import Value

MAX_STRIKES = 3
"""With a firm pace, a player loses the seat to a computer after this many late turns in a row."""


def is_firm(table: Table) -> bool:
    """Whether late turns are played without a vote: at a firm pace, or without another person who could vote."""
    return table.row.firm or len(table.users) < 2


def firm_verdict(clock: SeatClock) -> Verdict:
    """The verdict of a firm pace about a player whose time runs out."""
    return Verdict.HOLD if clock.strikes + 1 >= MAX_STRIKES else Verdict.PLAY


class Tally(Value):
    """The count of a vote: seat -> choice, the seats that have not voted, how many votes are enough.

    `verdict` is the choice of a majority, if there is one; `leading` has more votes than any other choice.
    """

    votes: dict[Seat, Verdict]
    open: tuple[Seat, ...]
    enough: int
    verdict: Verdict | None
    leading: Verdict | None


def choices(table: Table) -> tuple[Verdict, ...]:
    """The choices of a vote at a table."""
    # a direct message has no other members to invite
    invite = () if table.row.guild_id == NO_SERVER else (Verdict.INVITE,)
    return (Verdict.WAIT, Verdict.PLAY, Verdict.HOLD, *invite)


def tally(table: Table, clock: SeatClock) -> Tally:
    """Count the votes of the players at a table, except the late one.

    Players out of time, now or last time, count only once they have voted: otherwise two absent players would keep each
    other's seats.

    """
    others = {seat: user_id for seat, user_id in table.users.items() if seat != clock.seat}
    votes = {seat: Verdict(clock.votes[user_id]) for seat, user_id in others.items() if user_id in clock.votes}
    here = [seat for seat in others if seat in votes or not _is_out(table, seat)]
    enough = len(here) // 2 + 1
    # padded, since there may be fewer than two different votes
    (first, most), (_, second) = (*Counter(votes.values()).most_common(2), (None, 0), (None, 0))[:2]
    verdict, leading = (first if most >= enough else None), (first if most > second else None)
    return Tally(votes, tuple(seat for seat in others if seat not in votes), enough, verdict, leading)


def _is_out(table: Table, seat: Seat) -> bool:
    clock = table.clocks.get(seat)
    return clock is not None and clock.user_id == table.row.holders[seat].user_id and bool(clock.out or clock.strikes)
