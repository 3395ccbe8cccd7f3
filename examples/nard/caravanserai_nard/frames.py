"""The questions of Nard: two rolls of luck, a checker to move, and the two sides of a double."""

from __future__ import annotations

from functools import lru_cache

from caravanserai_nard import refusals, words
from caravanserai_nard.actions import Double, Drop, Move, Roll, Start, Take, Throw
from caravanserai_nard.board import PLACES, Dice, Side, Step, counted_by, legal_steps
from caravanserai_nard.builder import NardBuilder
from caravanserai_nard.events import Doubled, Dropped, Took, Way
from caravanserai_nard.state import Nard, Question
from engine.core import Action, Decision, Event, Refusal
from engine.texts import CHANCE, Seat, Text

DIE = range(1, 7)
_STARTS = tuple(Start(red, blue) for red in DIE for blue in DIE if red != blue)
_THROWS = tuple(Throw(high, low) for high in DIE for low in DIE if high >= low)
_WEIGHTS = tuple(1 if throw.high == throw.low else 2 for throw in _THROWS)
_STARTS_TOTAL = (1,) * len(_STARTS)
_FIRST = Text("Each player rolls a die.")
_ROLL, _DOUBLE, _TAKE, _DROP = Roll(), Double(), Take(), Drop()

Applied = tuple[Nard, tuple[Event, ...]]


class Starting(Question[Start]):
    """The first roll of a game (rule 3.1)."""

    rule = "3.1"

    def decisions(self, state: Nard) -> tuple[Decision, ...]:
        """All rolls of two different dice; equal ones are rolled again."""
        return (Decision(CHANCE, _FIRST, _STARTS, weights=_STARTS_TOTAL),)

    def odds(self, state: Nard) -> Text:
        """The chance to begin."""
        return words.FIRST_ROLL

    def resolve(self, state: Nard, seat: Seat, action: Start) -> Applied:
        """Begin the first turn."""
        after = NardBuilder(state)
        after.answered()
        after.start(action.red, action.blue)
        return _play_on(after)


class Throwing(Question[Throw]):
    """The roll of the seat on turn (rule 3.2)."""

    rule = "3.2"

    def decisions(self, state: Nard) -> tuple[Decision, ...]:
        """All rolls of two dice."""
        return (Decision(CHANCE, words.rolls(state.turn), _THROWS, weights=_WEIGHTS),)

    def odds(self, state: Nard) -> Text:
        """The rolls with a certain number, and the doubles."""
        return words.ODDS

    def resolve(self, state: Nard, seat: Seat, action: Throw) -> Applied:
        """Play the dice, if they can be played."""
        after = NardBuilder(state)
        after.answered()
        after.throw(action.high, action.low)
        return _play_on(after)


class Moving(Question[Move]):
    """One checker by one die (rule 4)."""

    rule = "4"

    def decisions(self, state: Nard) -> tuple[Decision, ...]:
        """The moves that keep the use of as many dice as possible."""
        seat = state.turn
        side = state.sides[seat]
        return (Decision(seat, words.prompt(side, state.dice), _options(seat, side, state.blocked(seat), state.dice)),)

    def resolve(self, state: Nard, seat: Seat, action: Move) -> Applied:
        """Move the checker; go on with the next die, the next turn or the next game."""
        after = NardBuilder(state)
        after.answered()
        after.play(step_of(state, action))
        if not after.has_won():
            return _play_on(after)
        return _end_game(after, seat, after.way())

    def named(self, state: Nard, action: Move, field: str = "") -> Text | None:
        """What the move does: `24 to 18, hits Blue`."""
        return words.named(state, action, field)

    def gloss(self, state: Nard, action: Move) -> Text | None:
        """The die that the move uses, and the checkers there afterwards."""
        return words.gloss(state, action, step_of(state, action))

    def advice(self, state: Nard) -> tuple[Text, ...]:
        """What to look for on this board."""
        return words.advice(state)

    def why_not(self, state: Nard, seat: Seat, action: Action) -> Refusal | None:
        """Name the rule, and the checkers in the way."""
        return refusals.moving(state, seat, action)


class Doubling(Question[Roll | Double]):
    """Roll, or double before the roll (rule 8.1)."""

    rule = "8.1"

    def decisions(self, state: Nard) -> tuple[Decision, ...]:
        """Nearly always, players just roll."""
        return (Decision(state.turn, words.ROLL_OR_DOUBLE, (_ROLL, _DOUBLE), usual=_ROLL),)

    def resolve(self, state: Nard, seat: Seat, action: Roll | Double) -> Applied:
        """Roll, or ask the other player about the double."""
        after = NardBuilder(state)
        after.answered()
        if isinstance(action, Roll):
            after.ask(Throwing())
        else:
            after.tell(Doubled(seat, 2 * state.stake))
            after.ask(Answering())
        return after.done()

    def gloss(self, state: Nard, action: Roll | Double) -> Text:
        """What the stake will be."""
        return words.stake_gloss(state, action)

    def advice(self, state: Nard) -> tuple[Text, ...]:
        """When a double makes sense."""
        return words.DOUBLING

    def why_not(self, state: Nard, seat: Seat, action: Action) -> Refusal | None:
        """Name the decision to make first."""
        return refusals.doubling(action)


class Answering(Question[Take | Drop]):
    """The answer to a double (rule 8.2)."""

    rule = "8.2"

    def decisions(self, state: Nard) -> tuple[Decision, ...]:
        """Take or drop."""
        prompt = Text("Take the double to {stake}, or drop?", stake=2 * state.stake)
        return (Decision(Seat(1 - state.turn), prompt, (_TAKE, _DROP)),)

    def resolve(self, state: Nard, seat: Seat, action: Take | Drop) -> Applied:
        """Play on for the doubled stake, or end the game."""
        after = NardBuilder(state)
        after.answered()
        if isinstance(action, Take):
            after.stake, after.owner = 2 * state.stake, seat
            after.tell(Took(seat, after.stake))
            after.ask(Throwing())
            return after.done()
        after.tell(Dropped(seat))
        return _end_game(after, state.turn, Way.DROP)

    def gloss(self, state: Nard, action: Take | Drop) -> Text:
        """What the answer costs."""
        return words.stake_gloss(state, action)

    def advice(self, state: Nard) -> tuple[Text, ...]:
        """When to take."""
        return words.ANSWERING

    def why_not(self, state: Nard, seat: Seat, action: Action) -> Refusal | None:
        """Name the decision to make first."""
        return refusals.answering(action)


def step_of(state: Nard, move: Move) -> Step:
    """The legal step of the seat on turn that a move names. Raises `StopIteration` if there is none."""
    seat = state.turn
    way = counted_by(seat, move.origin), counted_by(seat, move.target)
    return next(step for step in legal_steps(state.sides[seat], state.blocked(seat), state.dice) if step[:2] == way)


_MOVES = tuple(tuple(Move(origin, target) for target in PLACES) for origin in PLACES)


@lru_cache(maxsize=1 << 12)
def _options(seat: Seat, side: Side, blocked: int, dice: Dice) -> tuple[Move, ...]:
    return tuple(
        _MOVES[counted_by(seat, step.origin)][counted_by(seat, step.target)]
        for step in legal_steps(side, blocked, dice)
    )


def _play_on(after: NardBuilder) -> Applied:
    """Go on with the turn, or with that of the other player."""
    if after.can_play():
        after.ask(Moving())
    else:
        after.pass_turn()
        after.ask(_before_roll(after))
    return after.done()


def _before_roll(after: NardBuilder) -> Doubling | Throwing:
    # The question about the cube is asked only if there is a choice.
    return _DOUBLING if after.position().may_double(after.turn) else _THROWING


def _end_game(after: NardBuilder, winner: Seat, way: Way) -> Applied:
    if after.win(winner, way):
        after.next_game()
        after.ask(Starting())
    return after.done()


_DOUBLING, _THROWING = Doubling(), Throwing()
