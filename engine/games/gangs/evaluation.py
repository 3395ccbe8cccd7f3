"""What a position of the gangs is worth: money, and bandits by what they bring and what they may cost."""

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
    "lap",  # what the bandits bring at the end of the lap, in hundreds (3.7)
    "raids",  # what raids to come bring, for an owner who returns whom a die puts in danger (3.3 to 3.5)
    "triples",  # types that lack one card of a full group, by their value and what is left of the lap (3.5)
    "danger",  # what the raid at work brings (3.5), in hundreds
    "fine",  # and what it costs at worst
    "hand",  # movement cards in the hand, one for each turn (3.1)
    "hiring",  # bandits that may still be taken in this turn (3.2)
)
HUNDRED = 100

RAIDS_A_LAP = 24 / LAP * 8
"""How often the camel stops at a gang's jewels: 24 times in 52 steps, and each gang has 8 of them."""


def progress(state: GangsTable) -> float:
    """By the steps of the camel."""
    return min(1.0, state.walked / WALK)


def features(state: GangsTable) -> list[tuple[float, ...]]:
    """A row for each seat."""
    left = 1 - state.walked % LAP / LAP
    danger = state.danger if state.danger and not state.danger.over else None
    return [_row(state, Seat(seat), left, danger) for seat in range(state.setup.seats)]


def _row(state: GangsTable, seat: Seat, left: float, danger: Danger | None) -> tuple[float, ...]:
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
    hiring = frame.left if isinstance(frame, Hire) and seat == state.on_turn else 0
    return purse, lap, raids * left * RAIDS_A_LAP, triples * left, loot, fine, hand, hiring


class Prospects(NamedTuple):
    """Of a type of which somebody has so many cards, in hundreds; who is arrested is missed at the end of the lap, too.

    `value` is that of the cards, `returned` what it brings to return them all, `careful` what a raid brings if that is
    still possible after the black die, `lines` what it brings without, by the black die.
    """

    value: float
    returned: float
    careful: float
    lines: tuple[float, ...]

    def loot(self, danger: Danger, may_return: bool) -> float:
        """What the raid at work brings."""
        if not danger.black:
            return self.careful
        risked = self.lines[danger.black - 1]
        return max(risked, self.returned) if may_return else risked


def _prospects(thief: Thief, cards: int) -> Prospects:
    value = group_value((thief,) * cards, thief) / HUNDRED
    marks = [sum(square(number)[0] == line for number in MARKS[thief]) for line in range(PIPS)]
    # An arrested bandit brings no loot, costs the fine, and is missing at the end of the lap: FINE + 2 values.
    lines = tuple(value - (FINE + 2) * value * there / PIPS for there in marks)
    # A returned bandit is missing at the end of the lap.
    returned = -value - cards * RETURN_FEE / HUNDRED
    # The better of both for each line, since the black die is seen before (rule 3.3).
    return Prospects(value, returned, sum(max(loot, returned) for loot in lines) / PIPS, lines)


_PROSPECTS = {(thief, cards): _prospects(thief, cards) for thief in THIEVES for cards in range(1, COPIES + 1)}


SAID = {
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
"""How to put it that somebody has more of a feature, or less of it."""


EVALUATE = Evaluation(__package__, NAMES, features, progress, said=SAID)
