"""A turn of the dance: one move, and the power of the same Muse before or after it (rules 5 and 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from engine.core import Action, Decision, Event, Refusal
from engine.games.muses import refusals
from engine.games.muses.actions import DONE, STEPS, Done, Power, Step
from engine.games.muses.events import PowerBorrowed, PowerUsed, Pushed, Stepped, TurnsRanOut
from engine.games.muses.floor import Floor
from engine.games.muses.gifts import NUMBERS, understood, uses
from engine.games.muses.shape import Shape, shape_of
from engine.games.muses.state import MOST_TURNS, Muses, Question
from engine.games.muses.tiles import FIRST_HIDDEN, TILES, WAYS, cell_name
from engine.texts import Seat


def _shape(floor: Floor, state: Muses) -> Shape:
    return shape_of(floor.cells, state.setup.options.diagonal_slide)


@dataclass(frozen=True, slots=True)
class Turn(Question[Step | Power]):
    """The start of a turn: any tile may move; a face-up one that can move may use her power first."""

    rule = "5"

    seat: Seat

    def decisions(self, state: Muses) -> tuple[Decision, ...]:
        """All moves, then all powers. Never empty: in every group some tile can move."""
        shape = _shape(state.floor, state)
        options: list[Action] = []
        for tile, mask in zip(state.floor.tiles, shape.ways(), strict=True):
            options += STEPS[tile][mask]
        if state.setup.options.power_timing == "either":
            gifts = state.table.gifts
            for index in range(len(state.floor.tiles)):
                options += uses(gifts, state.floor, shape, index, moving=True)
        return (Decision(self.seat, "Let a Muse step, or use her power first.", tuple(options)),)

    def resolve(self, state: Muses, seat: Seat, action: Step | Power) -> tuple[Muses, tuple[Event, ...]]:
        """A move, or a power that the same Muse then follows up with her move."""
        if isinstance(action, Step):
            return _move(state, seat, action, power_left=True)
        floor, events = _use(state, seat, action)
        if floor.hand_over:
            return _end_hand(state, floor, events)
        return state.danced(floor, state.asking(MustMove(seat, NUMBERS[action.muse])), state.turns), events

    def gloss(self, state: Muses, action: Step | Power, names: Sequence[str]) -> str:
        """What the power does."""
        return _line(state, action)

    def why_not(self, state: Muses, seat: Seat, action: Action) -> Refusal | None:
        """Say what is in the way of the move or of the power."""
        if isinstance(action, Step):
            return refusals.step(state, action)
        if isinstance(action, Power):
            return refusals.power_first(state, action)
        if isinstance(action, Done):
            return Refusal("Nobody has moved yet: every turn has one move.", "5")
        return None


@dataclass(frozen=True, slots=True)
class MustMove(Question[Step]):
    """A Muse has used her power; now she moves."""

    rule = "6.1"

    seat: Seat
    tile: int

    def decisions(self, state: Muses) -> tuple[Decision, ...]:
        """Her moves; the power was only possible because there is one."""
        mask = _shape(state.floor, state).ways_of(state.floor.tiles.index(self.tile))
        return (Decision(self.seat, _must_move(self.tile), STEPS[self.tile][mask]),)

    def resolve(self, state: Muses, seat: Seat, action: Step) -> tuple[Muses, tuple[Event, ...]]:
        """Move, which ends the turn."""
        return _move(state, seat, action, power_left=False)

    def why_not(self, state: Muses, seat: Seat, action: Action) -> Refusal | None:
        """Only she can move now."""
        name = TILES[self.tile].label
        if isinstance(action, Step):
            if NUMBERS[action.muse] != self.tile:
                return Refusal(f"{name} has used her power in this turn, so she is the one to move.", "6.1")
            return refusals.step(state, action)
        if isinstance(action, Power):
            return Refusal(f"{name} has used her power; there is one power in a turn.", "6")
        if isinstance(action, Done):
            return Refusal(f"{name} has used her power; now she must move.", "6.1")
        return None


@dataclass(frozen=True, slots=True)
class AfterMove(Question[Power | Done]):
    """A face-up Muse has moved and may use her power; `powers` are its options, at least one."""

    rule = "6.1"

    seat: Seat
    tile: int
    powers: tuple[Power, ...]

    def decisions(self, state: Muses) -> tuple[Decision, ...]:
        """Her power, or not."""
        prompt = _may_use(self.tile, state.table.line(self.tile))
        return (Decision(self.seat, prompt, (*self.powers, DONE)),)

    def resolve(self, state: Muses, seat: Seat, action: Power | Done) -> tuple[Muses, tuple[Event, ...]]:
        """Either way the turn is over."""
        if isinstance(action, Done):
            return _end_turn(state, seat, state.floor, ())
        return _end_turn(state, seat, *_use(state, seat, action))

    def why_not(self, state: Muses, seat: Seat, action: Action) -> Refusal | None:
        """Only her power is left."""
        if isinstance(action, Power):
            return refusals.power_after(state, self.tile, action)
        if isinstance(action, Step):
            return Refusal(f"{TILES[self.tile].label} has moved; there is one move in a turn.", "5")
        return None


def _line(state: Muses, action: Step | Power) -> str:
    """The power of a Muse in a short line, so that nobody has to look it up."""
    return state.table.line(NUMBERS[action.muse]) if isinstance(action, Power) else ""


@cache
def _must_move(tile: int) -> str:
    return f"Now {TILES[tile].label} must step."


@lru_cache(maxsize=128)
def _may_use(tile: int, line: str) -> str:
    return f"Use {TILES[tile].label}’s power ({line}), or say done."


# --- What a turn does ------------------------------------------------------------------------------------------------


def _move(state: Muses, seat: Seat, action: Step, *, power_left: bool) -> tuple[Muses, tuple[Event, ...]]:
    tile, way = NUMBERS[action.muse], WAYS.index(action.way)
    chain = state.floor.chain(tile, way)
    floor = state.floor.stepped(chain, way)
    events = (_moved(seat, action, state.floor, floor, chain),)
    if power_left and tile < FIRST_HIDDEN and not floor.hand_over:
        powers = uses(state.table.gifts, floor, _shape(floor, state), chain[0], moving=False)
        if powers:
            return state.danced(floor, state.asking(AfterMove(seat, tile, tuple(powers))), state.turns), events
    return _end_turn(state, seat, floor, events)


def _moved(seat: Seat, action: Step, before: Floor, after: Floor, chain: list[int]) -> Event:
    origin, cell = cell_name(before.cells[chain[0]]), cell_name(after.cells[chain[0]])
    if len(chain) == 1:
        return Stepped(seat, action.muse, action.way, origin, cell)
    pushed = tuple(TILES[before.tiles[index]] for index in chain[1:])
    return Pushed(seat, action.muse, action.way, origin, cell, pushed)


def _use(state: Muses, seat: Seat, action: Power) -> tuple[Floor, tuple[Event, ...]]:
    me, copied, gift, wish = understood(state.table.gifts, state.floor, action)
    floor, effect = gift.grant(state.floor, me, wish)
    told = PowerUsed(seat, action.muse) if copied is None else PowerBorrowed(seat, action.muse, TILES[copied])
    return floor, (told, effect)


def _end_turn(state: Muses, seat: Seat, floor: Floor, events: tuple[Event, ...]) -> tuple[Muses, tuple[Event, ...]]:
    turns = state.turns + 1
    if floor.hand_over:
        return _end_hand(state, floor, events)
    if turns == MOST_TURNS:
        return _end_hand(state, floor, (*events, TurnsRanOut(turns)))
    return state.danced(floor, state.asking(Turn(state.next_seat(seat))), turns), events


def _end_hand(state: Muses, floor: Floor, events: tuple[Event, ...]) -> tuple[Muses, tuple[Event, ...]]:
    """At once: whatever is left of the turn is void (rule 7). What waits below all questions turns the tiles up."""
    return state.danced(floor, state.frames[:1], state.turns + 1), events
