"""Evaluation of the gangs game: money, and the prospects and risks of bandits."""

from __future__ import annotations

from typing import NamedTuple

from engine.evaluation import Evaluation
from engine.games.gangs.data import FINE, RETURN_FEE
from engine.games.gangs.frames.danger import Window
from engine.games.gangs.frames.hire import Hire
from engine.games.gangs.state import Danger, GangsTable, group_value
from engine.texts import Seat, Text
from engine.town.data import COPIES, LAP, MARKS, WALK, Thief
from engine.town.thieves import PIPS, THIEVES, VALUE, square

NAMES = (
    "purse",  # in hundreds (4)
    "lap",  # income from bandits at the end of the lap, in hundreds (3.7)
    "raids",  # expected income from later raids, if the owner returns bandits after a bad black die (3.3 to 3.5)
    "triples",  # types that lack one card of a full group, by value and the rest of the lap (3.5)
    "danger",  # expected income from the current raid (3.5), in hundreds
    "fine",  # and its maximum fine
    "hand",  # number of movement cards, one for each turn (3.1)
    "hiring",  # number of bandits that the seat can still take in this turn (3.2)
)
HUNDRED = 100

RAIDS_A_LAP = 24 / LAP * 8
"""Expected number of raids on a gang in a lap: the camel stops 24 times in 52 steps, of which 8 have its jewels."""


def progress(state: GangsTable) -> float:
    """The part of the camel's steps."""
    return min(1.0, state.walked / WALK)


def features(state: GangsTable) -> list[tuple[float, ...]]:
    """The features of each seat."""
    rest_of_lap = 1 - state.walked % LAP / LAP
    danger = state.danger if state.danger and not state.danger.over else None
    return [_row(state, Seat(seat), rest_of_lap, danger) for seat in range(state.setup.seats)]


def _row(state: GangsTable, seat: Seat, rest_of_lap: float, danger: Danger | None) -> tuple[float, ...]:
    lap = raids = triples = loot = fine = 0.0
    bandits, frame = state.bandits[seat], state.frames[-1]
    # A seat whose turn in the window is over cannot return bandits any more (rule 3.4).
    may_return = isinstance(frame, Window) and seat in (frame.seat, *frame.then)
    for thief in dict.fromkeys(bandits):
        cards = bandits.count(thief)
        prospects = _PROSPECTS[thief, cards]
        lap += prospects.value
        raids += prospects.careful
        triples += VALUE[thief] / HUNDRED if cards == COPIES - 1 else 0
        if danger and thief in danger.types:
            loot += prospects.loot(danger, may_return)
            fine += FINE * prospects.value * danger.threatens(thief)
    purse, hand = state.purses[seat] / HUNDRED, len(state.cards.hands[seat])
    hiring = frame.remaining if isinstance(frame, Hire) and seat == state.on_turn else 0
    return purse, lap, raids * rest_of_lap * RAIDS_A_LAP, triples * rest_of_lap, loot, fine, hand, hiring


class Prospects(NamedTuple):
    """The prospects of some cards of a type, in hundreds, including the loss of their value at the end of the lap.

    `value` is the value of the cards, `returned` the result of returning them all, `lines` the expected result of a
    raid for each black die, and `careful` the expected result if the owner can still return them after the black die.
    """

    value: float
    returned: float
    careful: float
    lines: tuple[float, ...]

    def loot(self, danger: Danger, may_return: bool) -> float:
        """The expected result of the current raid."""
        if not danger.black:
            return self.careful
        risked = self.lines[danger.black - 1]
        return max(risked, self.returned) if may_return else risked


def _prospects(thief: Thief, cards: int) -> Prospects:
    value = group_value((thief,) * cards, thief) / HUNDRED
    marks = [sum(square(number)[0] == line for number in MARKS[thief]) for line in range(PIPS)]
    # An arrested bandit loses its loot, its fine, and its value at the end of the lap: FINE + 2 values.
    lines = tuple(value - (FINE + 2) * value * there / PIPS for there in marks)
    # A returned bandit loses its value at the end of the lap.
    returned = -value - cards * RETURN_FEE / HUNDRED
    # The better choice for each line, since the black die is known by then (rule 3.3).
    return Prospects(value, returned, sum(max(loot, returned) for loot in lines) / PIPS, lines)


_PROSPECTS = {(thief, cards): _prospects(thief, cards) for thief in THIEVES for cards in range(1, COPIES + 1)}


PHRASES = {
    "purse": (Text("a fuller purse"), Text("an emptier purse")),
    "lap": (
        Text("bandits worth more at the end of the lap"),
        Text("bandits worth less at the end of the lap"),
    ),
    "triples": (Text("more groups that lack one card"), Text("fewer groups that lack one card")),
    "danger": (Text("more expected from this raid"), Text("less expected from this raid")),
    "fine": (Text("a greater fine to fear"), Text("a smaller fine to fear")),
    "hiring": (Text("more bandits still to hire"), Text("fewer bandits still to hire")),
    "hand": (Text("more movement cards left"), Text("fewer movement cards left")),
    "raids": (Text("more expected from later raids"), Text("less expected from later raids")),
}
"""Feature -> the phrases for more and for less of it."""


EVALUATE = Evaluation(__package__, NAMES, features, progress, phrases=PHRASES)
