"""The data tables of the town: cards, spaces, and thieves with their marks.

No source documents these figures, so they are our own choice; this is the only place to change them (rules 2 and 6).
"""

from __future__ import annotations

from enum import StrEnum

from engine.texts import Text


class Gang(StrEnum):
    """A color of jewels and thieves, from the cheapest to the most expensive; `place` is the index."""

    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    RED = "red"

    def __init__(self, word: str) -> None:
        # The number of members so far, which is the index of this one.
        self.place = len(type(self))

    @property
    def letter(self) -> str:
        """The first letter of the names of its thieves, such as `R`."""
        return self[0].upper()


class Graffiti(StrEnum):
    """The effect of a graffito (rules 3.7 of the cave and 3.6 of the gangs)."""

    LAMP = "lamp"
    ALMS = "alms"
    RECRUIT = "recruit"
    TOLL = "toll"


class Thief(StrEnum):
    """A type of thief: the letter of its `gang` and its `group`, 1 to 4 (rule 2.4); there are four cards of each.

    `place` is the index among all types. Cards and notation have `R3`, texts `red 3`.
    """

    Y1 = "Y1"
    Y2 = "Y2"
    Y3 = "Y3"
    Y4 = "Y4"
    G1 = "G1"
    G2 = "G2"
    G3 = "G3"
    G4 = "G4"
    B1 = "B1"
    B2 = "B2"
    B3 = "B3"
    B4 = "B4"
    R1 = "R1"
    R2 = "R2"
    R3 = "R3"
    R4 = "R4"

    def __init__(self, word: str) -> None:
        # See `Gang`.
        self.place = len(type(self))
        self.gang = next(gang for gang in Gang if gang.letter == word[0])
        self.group = int(word[1])

    @property
    def label(self) -> Text:
        """The color and the number of the group."""
        return Text("{gang} {group}", gang=self.gang, group=self.group)


# --- The walk (rule 2.1) ---------------------------------------------------------------------------------------------

LAP = 52
WALK = 2 * LAP
"""Steps from the start to the end of the game."""

CARD_COUNTS = {1: 9, 2: 7, 3: 4, 4: 3, 5: 1}
"""Value of a movement card -> number of cards: 24 cards that add up to one lap."""

# Always 24 cards in all; with five seats, the last one has one card less (rule 2.1).
HAND_SIZES = {
    2: (12, 12),
    3: (8, 8, 8),
    4: (6, 6, 6, 6),
    5: (5, 5, 5, 5, 4),
    6: (4, 4, 4, 4, 4, 4),
}
"""Number of seats -> size of each seat's full hand."""

SPACES = (
    "start - Y G - lamp B - R - YB alms GR",
    "- Y B recruit - G R - YB toll G - R",
    "- B Y - R G lamp - GR B - Y alms",
    "- R G - recruit B - Y G toll BR - Y",
)
"""The spaces of the four quarters: `-` is empty, letters are jewels, a word is a graffito."""

# As long as the main route, so that the cards of a lap add up to one lap (rule 2.1).
SIDE_STREETS = {8: "- R -", 29: "G - Y", 44: "- R lamp"}
"""First step of a fork -> the spaces of the side street, step by step."""

# --- Thieves (rule 2.4) ----------------------------------------------------------------------------------------------

COPIES = 4
"""Identical cards of a type."""

GROUPS = ("crescent", "scimitar", "palm", "camel")
"""Symbols of the groups 1 to 4."""

VALUES = {Gang.YELLOW: 20, Gang.GREEN: 40, Gang.BLUE: 80, Gang.RED: 160}

# Types of the yellow and the green gang share no numbers within their gang; blue types cover all 36 numbers once; any
# two red types share two numbers.
MARKS = {
    "Y1": (17, 20, 31, 36),
    "Y2": (7, 12, 22, 35),
    "Y3": (4, 6, 9, 29),
    "Y4": (2, 13, 27, 28),
    "G1": (2, 19, 20, 24, 28, 29),
    "G2": (4, 5, 6, 25, 27, 31),
    "G3": (9, 11, 13, 14, 18, 22),
    "G4": (8, 12, 15, 33, 34, 35),
    "B1": (1, 3, 20, 28, 29, 30, 31, 32, 33),
    "B2": (2, 5, 6, 7, 9, 10, 13, 16, 35),
    "B3": (4, 14, 17, 18, 21, 24, 25, 26, 27),
    "B4": (8, 11, 12, 15, 19, 22, 23, 34, 36),
    "R1": (1, 2, 4, 5, 13, 16, 25, 26, 27, 29, 33, 35),
    "R2": (8, 11, 15, 18, 19, 21, 22, 24, 25, 27, 28, 30),
    "R3": (3, 6, 7, 8, 9, 10, 14, 16, 17, 18, 31, 35),
    "R4": (2, 5, 10, 12, 20, 21, 23, 24, 31, 32, 34, 36),
}
"""The marked numbers of each type in its table of 6 x 6, counted line by line from 1."""
