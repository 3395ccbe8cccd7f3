"""The squares around the lake (rule 2.2)."""

from __future__ import annotations

SQUARES = 32
"""Squares of the ring, numbered 0..31 clockwise."""


class Square(int):
    """The number of a square. One that is not on the ring can be written too, so that it is refused by its rule."""

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> Square:
        """The square a text such as `17` stands for. Raises `ValueError` if it is no whole number."""
        return cls(int(text))

    @property
    def exists(self) -> bool:
        """Whether it is on the ring."""
        return 0 <= self < SQUARES


RING = tuple(map(Square, range(SQUARES)))
"""All squares, clockwise."""

LAST = RING[-1]
"""The square that is filled last in the set-up (rule 3.1)."""
