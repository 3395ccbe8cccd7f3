"""Stakes in words: what they are, and when they are safe (rule 3.3)."""

from __future__ import annotations

from engine.games.alibaba.state import Cave
from engine.texts import Seat, Text
from engine.town.events import Money

SPELLED = ("", "first", "second", "third", "fourth", "fifth", "sixth")


class Ordinal(int):
    """Which of several: reads `second`, `21st`, `112th`."""

    __slots__ = ()

    @property
    def label(self) -> str:
        """Small ones are spelled out."""
        if self < len(SPELLED):
            return SPELLED[self]
        teens = self // 10 % 10 == 1
        return f"{int(self)}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(self % 10, 'th')}"


EMPTY_STAKE = Text("an empty stake")
SAFE_AT_ONCE = Text("safe when this turn is over")
SAFE_LATER = "safe after {guard:@’s|your} {last:next turn|@ turn from now}"


def last_turn(turn: int, safe_after: int, seats: int) -> tuple[Seat, Ordinal]:
    """The turn at whose end a stake is safe: whose it is, and which of theirs, the one at work not counted."""
    return Seat(safe_after % seats), Ordinal(-(-(safe_after - turn) // seats))


def safe_when(state: Cave, turns: int) -> Text:
    """`safe after Blue’s second turn from now`: the stake of the seat on turn, so many turns longer than it is."""
    left = state.turns_left(state.on_turn) + turns
    if not left:
        return SAFE_AT_ONCE
    guard, last = last_turn(state.turn, state.turn + left, state.seats)
    return Text(SAFE_LATER, guard=guard, last=last)


def stake_of(amount: int) -> Text:
    """`a stake of 28,000`, or `an empty stake`, which a toll may leave (rule 3.7)."""
    return Text("a stake of {amount}", amount=Money(amount)) if amount else EMPTY_STAKE
