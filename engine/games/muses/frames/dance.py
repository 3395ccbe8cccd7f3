"""The questions of a turn of the dance: a move, and the power of the same Muse before or after it (rules 5 and 6)."""

from __future__ import annotations

from itertools import chain
from operator import getitem

from engine.core import Action, Decision, Event, Refusal
from engine.games.muses import refusals, words
from engine.games.muses.action_cache import DONE, STEPS
from engine.games.muses.actions import Done, Power, Step
from engine.games.muses.builder import DanceBuilder
from engine.games.muses.events import TurnsRanOut
from engine.games.muses.floor import Floor
from engine.games.muses.powers import Stage, all_power_uses, power_uses
from engine.games.muses.shape import Shape, shape_of
from engine.games.muses.state import MAX_TURNS, Muses, Question
from engine.games.muses.tiles import NUMBERS, TILES
from engine.texts import Seat, Text

_STEP_OR_POWER = Text("Let a Muse dance.")
_WHICH_WAY = Text("She and all she pushes gain 1: lift your own dice, or a rival’s past the suns of its tile.")
_WHICH_DIE = Text("A die equal to the suns of its tile counts 6 at the end: make such a match, or spoil it.")


def _shape(floor: Floor, state: Muses) -> Shape:
    return shape_of(floor.tiles, floor.cells, state.setup.options.diagonal_slide)


class Turn(Question[Step | Power]):
    """The start of a turn: any tile can move; a face-up Muse that can move may use her power first."""

    rule = "5"

    opens_turn = True

    seat: Seat

    def decisions(self, state: Muses) -> tuple[Decision, ...]:
        """All moves, then all powers. Never empty, since in every group some tile can move."""
        # tests/perft/naive_muses.py checks them with an independent program.
        floor, shape = state.floor, _shape(state.floor, state)
        steps = map(getitem, map(STEPS.__getitem__, floor.tiles), shape.ways())
        options: list[Action] = [*chain.from_iterable(steps)]
        # With the option `after`, powers come only after the move (rule 10).
        if state.setup.options.power_timing == "either" and state.muse_table.has_powers:
            options += all_power_uses(Stage(state.muse_table.powers, floor, shape, moving=True))
        return (Decision(self.seat, _STEP_OR_POWER, tuple(options)),)

    def resolve(self, state: Muses, seat: Seat, action: Step | Power) -> tuple[Muses, tuple[Event, ...]]:
        """Carry out a move, or a power before the move of the same Muse."""
        after = DanceBuilder(state)
        after.answered()
        if isinstance(action, Step):
            after.step(seat, action)
            # If she has no power to use, the turn ends (rule 6).
            if powers := _powers_left(state, after.floor, action):
                after.ask(AfterMove(seat, NUMBERS[action.muse], powers))
            else:
                _end_turn(after, seat)
        else:
            after.use(seat, action)
            # The end of the hand cancels the move that would follow (rules 6.1 and 7).
            if after.floor.hand_over:
                _end_turn(after, seat)
            else:
                after.ask(MustMove(seat, NUMBERS[action.muse]))
        return after.done()

    def named(self, state: Muses, action: Step | Power, field: str = "") -> Text | None:
        """The destination of a move, or the effect of a power."""
        if isinstance(action, Power):
            return words.power(state, action, field, acting=False)
        return words.step(state, action, field)

    def spelled_out(self, state: Muses, action: Step | Power) -> Text | None:
        """The effect of a power without arrows."""
        return words.power_sentence(state, action, acting=False) if isinstance(action, Power) else None

    def gloss(self, state: Muses, action: Step | Power) -> Text | None:
        """The changes of dice."""
        return words.power_gloss(state, action) if isinstance(action, Power) else words.step_gloss(state, action)

    def advice(self, state: Muses) -> tuple[Text, ...]:
        """The decisive dice of the hand, and the effect of a move."""
        return words.advice_on_turn(state, self.seat)

    def why_not(self, state: Muses, seat: Seat, action: Action) -> Refusal | None:
        """Name the obstacle to the move or the power."""
        if isinstance(action, Step):
            return refusals.step(state, action)
        if isinstance(action, Power):
            return refusals.power_first(state, action)
        if isinstance(action, Done):
            return Refusal(Text("Nobody has moved yet: every turn has one move."), "5")
        return None


def _powers_left(state: Muses, floor: Floor, moved: Step) -> tuple[Power, ...]:
    """The uses of the power of the tile that has moved; none if a die shows 6 (rule 7)."""
    powers = state.muse_table.powers
    if floor.hand_over or powers[NUMBERS[moved.muse]] is None:
        return ()
    stage = Stage(powers, floor, _shape(floor, state), moving=False)
    # A frame must be hashable, so it cannot contain a list.
    return tuple(power_uses(stage, floor.index(moved.muse)))


class MustMove(Question[Step]):
    """The move of a Muse after her power."""

    rule = "6.1"

    seat: Seat
    tile: int

    def decisions(self, state: Muses) -> tuple[Decision, ...]:
        """Her moves. There is at least one, otherwise she could not have used her power."""
        mask = _shape(state.floor, state).ways_of(state.floor.tiles.index(self.tile))
        return (Decision(self.seat, Text("Now {muse} must step.", muse=TILES[self.tile]), STEPS[self.tile][mask]),)

    def resolve(self, state: Muses, seat: Seat, action: Step) -> tuple[Muses, tuple[Event, ...]]:
        """Move her and end the turn."""
        after = DanceBuilder(state)
        after.answered()
        after.step(seat, action)
        _end_turn(after, seat)
        return after.done()

    def named(self, state: Muses, action: Step, field: str = "") -> Text | None:
        """The destination of the move."""
        return words.step(state, action, field)

    def gloss(self, state: Muses, action: Step) -> Text | None:
        """The changes of dice."""
        return words.step_gloss(state, action)

    def advice(self, state: Muses) -> tuple[Text, ...]:
        """Advice on her move."""
        text = "{muse} has used her power, so now she must step; every way she can go is listed."
        return Text(text, muse=TILES[self.tile]), _WHICH_WAY

    def why_not(self, state: Muses, seat: Seat, action: Action) -> Refusal | None:
        """Say that only she can move now."""
        muse = TILES[self.tile]
        if isinstance(action, Step):
            if action.muse is not muse:
                text = "{muse} has used her power this turn, so she is the one to move."
                return Refusal(Text(text, muse=muse), "6.1")
            return refusals.step(state, action)
        if isinstance(action, Power):
            return Refusal(Text("{muse} has used her power; a turn has only one.", muse=muse), "6")
        if isinstance(action, Done):
            return Refusal(Text("{muse} has used her power; now she must move.", muse=muse), "6.1")
        return None


class AfterMove(Question[Power | Done]):
    """The power of a face-up Muse after her move; `powers` are its uses, at least one."""

    rule = "6.1"

    seat: Seat
    tile: int
    powers: tuple[Power, ...]

    def decisions(self, state: Muses) -> tuple[Decision, ...]:
        """The uses of her power, or none."""
        power = state.muse_table.powers[self.tile]
        assert power is not None, "she has a power to use"
        prompt = Text("Use {muse}’s power, or not.", muse=TILES[self.tile])
        return (Decision(self.seat, prompt, (*self.powers, DONE)),)

    def resolve(self, state: Muses, seat: Seat, action: Power | Done) -> tuple[Muses, tuple[Event, ...]]:
        """Use the power or not, and end the turn."""
        after = DanceBuilder(state)
        after.answered()
        if isinstance(action, Power):
            after.use(seat, action)
        _end_turn(after, seat)
        return after.done()

    def named(self, state: Muses, action: Power | Done, field: str = "") -> Text | None:
        """The effect of her power."""
        return words.power(state, action, field, acting=True) if isinstance(action, Power) else None

    def spelled_out(self, state: Muses, action: Power | Done) -> Text | None:
        """The effect of her power without arrows."""
        return words.power_sentence(state, action, acting=True) if isinstance(action, Power) else None

    def gloss(self, state: Muses, action: Power | Done) -> Text | None:
        """The changes of dice, or the seat whose turn follows."""
        if isinstance(action, Power):
            return words.power_gloss(state, action)
        return Text("without her power; it is {next:@’s|your} turn", next=state.next_seat(self.seat))

    def advice(self, state: Muses) -> tuple[Text, ...]:
        """Advice on her power and the dice to use it on."""
        text = "{muse} has stepped and may use her power once. Done skips it and ends your turn."
        return Text(text, muse=TILES[self.tile]), _WHICH_DIE

    def why_not(self, state: Muses, seat: Seat, action: Action) -> Refusal | None:
        """Say that only her power is possible now."""
        if isinstance(action, Power):
            return refusals.power_after(state, self.tile, action)
        if isinstance(action, Step):
            text = Text("{muse} has moved; a turn has only one move.", muse=TILES[self.tile])
            return Refusal(text, "5")
        return None


def _end_turn(after: DanceBuilder, seat: Seat) -> None:
    """Pass the turn to the next seat, or end the hand (rule 7). A 6 ends the hand at once, even during a turn."""
    after.turns = after.before.turns + 1
    if after.floor.hand_over:
        # Without a new question, `TurningUp` comes up, the lowest frame of a hand (rule 7).
        return
    if after.turns == MAX_TURNS:
        after.tell(TurnsRanOut(after.turns))
    else:
        after.ask(Turn(after.before.next_seat(seat)))
