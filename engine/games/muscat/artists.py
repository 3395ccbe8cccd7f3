"""The four artists and their order of strength (rules 2.1 and 5.1)."""

from __future__ import annotations

from enum import StrEnum

from engine.texts import Text


class Artist(StrEnum):
    """A kind of artist, in clockwise order of the fields of a market; each threatens the next one."""

    PIPER = "P"
    SNAKE_CHARMER = "S"
    ELEPHANT_TRAINER = "E"
    FIRE_EATER = "F"

    @property
    def label(self) -> str:
        """The name in lower case: `snake charmer`."""
        return self.name.replace("_", " ").lower()

    @property
    def with_article(self) -> Text:
        """The name with its article: `a piper`, `an elephant trainer`."""
        return Text("an {artist}" if self is Artist.ELEPHANT_TRAINER else "a {artist}", artist=self)

    @property
    def capitalized(self) -> Text:
        """The name at the beginning of a sentence: `Piper`."""
        return _TITLES[self]

    def counted(self, number: int) -> Text:
        """A number of artists: `1 piper`, `3 pipers`."""
        return Text(_COUNTED[self], number=number)

    @property
    def prey(self) -> Artist:
        """The artist that it threatens (rule 5.1). Beside it, this one is never the weakest of three."""
        return ARTISTS[(FIELD[self] + 1) % 4]


# Whole words and phrases, since languages form them differently.
_TITLES = {
    Artist.PIPER: Text("Piper"),
    Artist.SNAKE_CHARMER: Text("Snake charmer"),
    Artist.ELEPHANT_TRAINER: Text("Elephant trainer"),
    Artist.FIRE_EATER: Text("Fire eater"),
}

_COUNTED = {
    Artist.PIPER: "{number} {number:piper|pipers}",
    Artist.SNAKE_CHARMER: "{number} {number:snake charmer|snake charmers}",
    Artist.ELEPHANT_TRAINER: "{number} {number:elephant trainer|elephant trainers}",
    Artist.FIRE_EATER: "{number} {number:fire eater|fire eaters}",
}

ARTISTS = tuple(Artist)
"""Field, 0..3 clockwise -> its artist."""

FIELD = {artist: number for number, artist in enumerate(ARTISTS)}
"""Artist -> its field."""


def strength_order(missing: int) -> tuple[int, int, int]:
    """The fields from the strongest to the weakest if the field `missing` is empty: clockwise from there (rule 5.1)."""
    return (missing + 1) % 4, (missing + 2) % 4, (missing + 3) % 4
