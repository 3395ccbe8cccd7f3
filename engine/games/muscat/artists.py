"""The four artists and who is stronger than whom (rules 2.1 and 5.1)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.texts import Seat


class Artist(StrEnum):
    """An artist, in clockwise order of the fields of a market; each threatens the next one."""

    PIPER = "P"
    SNAKE_CHARMER = "S"
    ELEPHANT_TRAINER = "E"
    FIRE_EATER = "F"

    @property
    def label(self) -> str:
        """How people read it: `snake charmer`."""
        return self.name.replace("_", " ").lower()


ARTISTS = tuple(Artist)
"""Number of a field, 0..3 clockwise -> its artist."""

FIELD = {artist: number for number, artist in enumerate(ARTISTS)}
"""Artist -> number of its field."""

MOST_SEATS = 5
BASE = MOST_SEATS + 1
"""Each field of a market is a digit in this base: nobody, or seat + 1."""


@dataclass(frozen=True, slots=True)
class Token:
    """An artist of a color. `weight` is what it adds to the code of the market it stands on (see `board`)."""

    seat: Seat
    field: int
    artist: Artist
    weight: int


TOKENS = tuple(
    tuple(Token(Seat(seat), field, artist, (seat + 1) * BASE**field) for field, artist in enumerate(ARTISTS))
    for seat in range(MOST_SEATS)
)
"""TOKENS[seat][field]."""


def strength_order(missing: int) -> tuple[int, int, int]:
    """Fields from the strongest to the weakest when the field `missing` is empty: clockwise from there."""
    return (missing + 1) % 4, (missing + 2) % 4, (missing + 3) % 4
