"""The four artists and who is stronger than whom (rules 2.1 and 5.1)."""

from __future__ import annotations

from enum import StrEnum

from engine.texts import Text


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

    @property
    def with_article(self) -> Text:
        """One of them: `a piper`, `an elephant trainer`."""
        return Text("an {artist}" if self is Artist.ELEPHANT_TRAINER else "a {artist}", artist=self)

    @property
    def capitalized(self) -> Text:
        """At the beginning of a sentence: `Piper`."""
        return _TITLES[self]

    def counted(self, number: int) -> Text:
        """Some of them: `1 piper`, `3 pipers`."""
        return Text(_COUNTED[self], number=number)

    @property
    def prey(self) -> Artist:
        """Whom it threatens (rule 5.1): beside that one it is never the weakest of three."""
        return ARTISTS[(FIELD[self] + 1) % 4]


# Whole words and phrases, since languages differ in how they make them from parts.
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
"""Number of a field, 0..3 clockwise -> its artist."""

FIELD = {artist: number for number, artist in enumerate(ARTISTS)}
"""Artist -> number of its field."""


def strength_order(missing: int) -> tuple[int, int, int]:
    """Fields from the strongest to the weakest when the field `missing` is empty: clockwise from there (rule 5.1)."""
    return (missing + 1) % 4, (missing + 2) % 4, (missing + 3) % 4
