"""What a position of the gangs is worth: money, and bandits by what they bring and what they may cost."""

from __future__ import annotations

from typing import NamedTuple

from engine.evaluation import Evaluation
from engine.games.gangs.data import FINE, RETURN_FEE
from engine.games.gangs.state import Danger, GangsTable, group_value
from engine.texts import Text
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
    return [_row(state, seat, left, danger) for seat in range(state.setup.seats)]


def _row(state: GangsTable, seat: int, left: float, danger: Danger | None) -> tuple[float, ...]:
    lap = raids = triples = loot = fine = 0.0
    bandits = state.bandits[seat]
    for thief in dict.fromkeys(bandits):
        cards = bandits.count(thief)
        prospects = _PROSPECTS[thief, cards]
        lap += prospects.value
        raids += prospects.careful
        triples += VALUE[thief] / HUNDRED if cards == COPIES - 1 else 0
        if danger and thief in danger.types:
            loot += prospects.loot(danger)
            fine += FINE * prospects.value * danger.threatens(thief)
    purse, hand = state.purses[seat] / HUNDRED, len(state.cards.hands[seat])
    return purse, lap, raids * left * RAIDS_A_LAP, triples * left, loot, fine, hand


class Prospects(NamedTuple):
    """Of a type of which somebody has so many cards, in hundreds; who is arrested is missed at the end of the lap, too.

    `value` is that of the cards, `careful` what a raid brings to who may still return them after the black die, `lines`
    what it brings to who does not, by the black die.
    """

    value: float
    careful: float
    lines: tuple[float, ...]

    def loot(self, danger: Danger) -> float:
        """What the raid at work brings."""
        return self.lines[danger.black - 1] if danger.black else self.careful


def _prospects(thief: Thief, cards: int) -> Prospects:
    value = group_value((thief,) * cards, thief) / HUNDRED
    marks = [sum(square(number)[0] == line for number in MARKS[thief]) for line in range(PIPS)]
    lines = tuple(value - (FINE + 2) * value * there / PIPS for there in marks)
    returned = -value - cards * RETURN_FEE / HUNDRED
    return Prospects(value, sum(max(loot, returned) for loot in lines) / PIPS, lines)


_PROSPECTS = {(thief, cards): _prospects(thief, cards) for thief in THIEVES for cards in range(1, COPIES + 1)}


SAID = {
    "purse": (Text("a fuller purse"), Text("an emptier purse")),
    "lap": (
        Text("bandits worth more at the end of the lap"),
        Text("bandits worth less at the end of the lap"),
    ),
    "triples": (Text("more groups that lack one card"), Text("fewer groups that lack one card")),
    "danger": (Text("more to expect from this raid"), Text("less to expect from this raid")),
    "fine": (Text("a greater fine to fear"), Text("a smaller fine to fear")),
    "hand": (Text("more movement cards left"), Text("fewer movement cards left")),
    "raids": (Text("more to expect from raids to come"), Text("less to expect from raids to come")),
}
"""What somebody is left with who has more of a feature, and who has less of it."""


EVALUATE = Evaluation(__package__, NAMES, features, progress, said=SAID)
