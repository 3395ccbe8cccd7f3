"""When a stake is safe, in words."""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.alibaba.state import Cave
from engine.texts import Seat

SPELLED = ("", "next", "second", "third", "fourth", "fifth", "sixth")


class Coming(int):
    """Which of somebody's turns to come, the one at work not counted: reads `next turn` or `21st turn from now`."""

    __slots__ = ()

    @property
    def label(self) -> str:
        """The next one needs no counting."""
        return "next turn" if self == 1 else f"{ordinal(self)} turn from now"


def ordinal(number: int) -> str:
    """`second`, `21st`, `112th`; the first of several is the `next`."""
    if number < len(SPELLED):
        return SPELLED[number]
    teens = number // 10 % 10 == 1
    return f"{number}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def last_turn(turn: int, due: int, seats: int) -> tuple[Seat, Coming]:
    """The turn at whose end a stake is safe: whose it is, and which of theirs after the one at work (rule 3.3)."""
    return Seat(due % seats), Coming(-(-(due - turn) // seats))


def safe_when(state: Cave, turns: int, names: Sequence[str]) -> str:
    """`safe after Blue’s second turn from now`: the stake of the seat on turn, so many turns longer than it is."""
    left = state.turns_left(state.on_turn) + turns
    if not left:
        return "safe when this turn is over"
    guard, which = last_turn(state.turn, state.turn + left, state.seats)
    return f"safe after {names[guard]}’s {which.label}"


def lying(amount: int) -> str:
    """What lies in the cave: `a stake of 28,000`, or `an empty stake`, which a toll may leave (rule 3.7)."""
    return f"a stake of {amount:,}" if amount else "an empty stake"
