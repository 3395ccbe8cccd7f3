"""When a stake is safe, in words."""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.alibaba.cave.state import Cave

ORDINALS = ("", "next", "second", "third", "fourth", "fifth", "sixth")


def safe_when(state: Cave, turns: int, names: Sequence[str]) -> str:
    """`safe on Blue’s second turn from now`: for the stake of the seat on turn, so many turns longer than it is."""
    seat = state.on_turn
    whole = state.turns_left(seat) + turns
    if not whole:
        return "safe when this turn is over"
    guard = names[(state.turn + whole) % state.seats]
    nth = -(-whole // state.seats)
    if nth == 1:
        return f"safe on {guard}’s next turn"
    return f"safe on {guard}’s {ORDINALS[nth] if nth < len(ORDINALS) else f'{nth}th'} turn from now"
