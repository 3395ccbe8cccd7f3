"""The squares around the lake (rule 2.2)."""

from __future__ import annotations

SQUARES = 32
"""Number of squares of the ring, numbered 0..31 clockwise."""


class Square(int):
    """The number of a square. Numbers that are not on the ring can be parsed, so that the rules can refuse them."""

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> Square:
        """Parse a number such as `17`. Raises `ValueError` if it is not an integer."""
        return cls(int(text))

    @property
    def exists(self) -> bool:
        """Whether the square is on the ring."""
        return 0 <= self < SQUARES


RING = tuple(map(Square, range(SQUARES)))
"""All squares, clockwise."""

LAST = RING[-1]
"""The last square of the setup (rule 3.1)."""
