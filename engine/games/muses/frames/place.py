"""Laying out the tiles (rule 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import TypeVar

from engine.core import Action, Decision, Event, Refusal, all_but, only
from engine.games.muses import refusals
from engine.games.muses.actions import BOTH, DOWN, UP, Place
from engine.games.muses.events import Placed, PlacedFaceDown, PlacedUnseen
from engine.games.muses.frames.dance import Turn
from engine.games.muses.shape import border
from engine.games.muses.state import UNSEEN, Muses, Question
from engine.games.muses.tiles import CENTER, FIRST_HIDDEN, MUSES, TILES, Face, cell_near
from engine.texts import Seat

T = TypeVar("T")


def free_cells(state: Muses) -> Sequence[int]:
    """Where a tile may be laid: beside another one; the first of all in the middle."""
    return border(state.floor.cells) or (CENTER,)


@dataclass(frozen=True, slots=True)
class Placing(Question[Place]):
    """Which Muse of its hand a seat lays where, and which side up."""

    rule = "4"

    seat: Seat

    def decisions(self, state: Muses) -> tuple[Decision, ...]:
        """Muse by cell by face; the options are the hand, so they are private."""
        hand, cells = state.hands[self.seat], free_cells(state)
        hides = state.secrets[self.seat] is None
        faces = BOTH if hides and len(hand) > 1 else DOWN if hides else UP
        found = [chain.from_iterable(map(faces[muse].__getitem__, cells)) for muse in hand if muse != UNSEEN]
        prompt = "Lay a Muse on the cloth." if len(hand) > 1 else "Lay your last Muse on the cloth."
        return (Decision(self.seat, prompt, tuple(chain.from_iterable(found)), private=True),)

    def resolve(self, state: Muses, seat: Seat, action: Place) -> tuple[Muses, tuple[Event, ...]]:
        """Lay it with a die of its company."""
        muse = MUSES.index(action.muse)
        cell = cell_near(action.cell)
        hidden = action.face is Face.DOWN
        tile = FIRST_HIDDEN + seat if hidden else muse
        hands = _replaced(state.hands, seat, tuple(held for held in state.hands[seat] if held != muse))
        following = Placing(state.next_seat(seat)) if any(hands) else self._first_turn(state)
        secrets = _replaced(state.secrets, seat, muse) if hidden else state.secrets
        floor = state.floor.with_tile(tile, cell, state.company_of(seat))
        after = state.laid(floor, state.asking(following), secrets, hands)
        if not hidden:
            return after, (Placed(seat, TILES[tile], action.cell),)
        return after, (
            PlacedFaceDown(action.muse, TILES[tile], action.cell, audience=_owner(seat)),
            PlacedUnseen(seat, TILES[tile], action.cell, audience=_others(seat, state.seats)),
        )

    def gloss(self, state: Muses, action: Place, names: Sequence[str]) -> str:
        """The suns of the Muse and what she can do."""
        muse = MUSES.index(action.muse)
        suns = state.table.suns[muse]
        return f"{suns} sun{'s' if suns > 1 else ''}, {state.table.line(muse)}"

    def why_not(self, state: Muses, seat: Seat, action: Action) -> Refusal | None:
        """Name what is not in the hand, the cell that does not do, or the rule of the one face-down tile."""
        return refusals.place(state, seat, action) if isinstance(action, Place) else None

    def _first_turn(self, state: Muses) -> Turn:
        assert state.first is not None, "somebody has begun the hand"
        return Turn(state.first)


_owner = cache(only)


@cache
def _others(seat: Seat, seats: int) -> frozenset[Seat | None]:
    return all_but(seat, seats=seats)


def _replaced(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    return (*items[:index], item, *items[index + 1 :])
