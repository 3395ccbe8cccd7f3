"""The numbers of the town, as tables: cards, spaces, thieves with their marks.

No source gives these figures, so they can be changed here and nowhere else (rules 2 and 6).
"""

from __future__ import annotations

from enum import StrEnum

from engine.texts import Text


class Gang(StrEnum):
    """A color of jewels and of thieves, from the cheapest to the dearest; `place` is 0 for the first."""

    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    RED = "red"

    def __init__(self, word: str) -> None:
        # As many members as there are before it: an enumeration grows while it is made.
        self.place = len(type(self))

    @property
    def letter(self) -> str:
        """What the names of its thieves begin with, such as `R`."""
        return self[0].upper()


class Graffiti(StrEnum):
    """What a writing on the wall does (rules 3.7 of the cave and 3.6 of the gangs)."""

    LAMP = "lamp"
    ALMS = "alms"
    RECRUIT = "recruit"
    TOLL = "toll"


class Thief(StrEnum):
    """A type of thief: the letter of its `gang` and its `group`, 1 to 4 (rule 2.4); four identical cards each.

    `place` counts all types, 0 for the first. On the cards it is `R3`, and people read `red 3`.
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
        """Color and number of the group."""
        return Text("{gang} {group}", gang=self.gang, group=self.group)


# --- The walk (rule 2.1) ---------------------------------------------------------------------------------------------

LAP = 52
WALK = 2 * LAP
"""Steps from the start to the end of the game."""

CARD_COUNTS = {1: 9, 2: 7, 3: 4, 4: 3, 5: 1}
"""Value of a movement card -> how many there are: 24 cards that add up to one lap."""

# Always 24 cards in all; with five seats the last one has a card less (rule 2.1).
HAND_SIZES = {
    2: (12, 12),
    3: (8, 8, 8),
    4: (6, 6, 6, 6),
    5: (5, 5, 5, 5, 4),
    6: (4, 4, 4, 4, 4, 4),
}
"""Number of seats -> cards in a full hand of each."""

SPACES = (
    "start - Y G - lamp B - R - YB alms GR",
    "- Y B recruit - G R - YB toll G - R",
    "- B Y - R G lamp - GR B - Y alms",
    "- R G - recruit B - Y G toll BR - Y",
)
"""The spaces of the four quarters: `-` is empty, letters are jewels, a word is a graffito."""

# As long as the main route, or the cards of a lap would not add up to one lap (rule 2.1).
SIDE_STREETS = {8: "- R -", 29: "G - Y", 44: "- R lamp"}
"""First step of a fork -> what lies on the other route, step by step."""

# --- Thieves (rule 2.4) ----------------------------------------------------------------------------------------------

COPIES = 4
"""Identical cards of a type."""

GROUPS = ("crescent", "scimitar", "palm", "camel")
"""Symbols of the groups 1 to 4."""

VALUES = {Gang.YELLOW: 20, Gang.GREEN: 40, Gang.BLUE: 80, Gang.RED: 160}

# Yellow and green types share no number with others of their gang; blue ones cover all 36 once; any two red ones share
# 2.
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
