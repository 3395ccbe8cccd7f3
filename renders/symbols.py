"""Small drawings of pieces for messages: the names of the emojis, and what they show."""

from __future__ import annotations

import io
from hashlib import sha256

from engine.texts import SEAT_COLORS
from engine.values import Value
from renders.sprites import icon, rasterize
from renders.theme import IVORY, SEATS, Color
from renders.tokens import body

HALF = 64
"""Half of the side, in px: Discord shows emojis with up to 128."""


class Symbol(Value):
    """A drawing by its name, as an SVG fragment around the origin."""

    name: str
    drawing: str

    @property
    def emoji_name(self) -> str:
        """The name of the emoji, with a digest of the drawing."""
        return f"{self.name}_{sha256(self.drawing.encode()).hexdigest()[:6]}"

    def png(self) -> bytes:
        """The drawing as a PNG."""
        file = io.BytesIO()
        rasterize(self.drawing, -HALF, -HALF, HALF, HALF).save(file, "PNG")
        return file.getvalue()


def plate(name: str, drawing: str, fill: Color, on: Color) -> Symbol:
    """An icon of `art/` on a rounded plate, which shows on light and on dark ground."""
    box = f'<rect x="-58" y="-58" width="116" height="116" rx="26" fill="{fill}" stroke="{IVORY}" stroke-width="6"/>'
    return Symbol(name, box + icon(drawing, on, fill, 92))


def emblem(game: str, drawing: str, fill: Color, on: Color = IVORY) -> Symbol:
    """The drawing beside the name of a game."""
    return plate(f"game_{game}", drawing, fill, on)


def token(seat: int) -> Symbol:
    """The token of a seat."""
    return SEAT_SYMBOLS[seat]


def _token(seat: int) -> Symbol:
    return Symbol(f"seat_{SEAT_COLORS[seat].lower()}", f'<g transform="scale(1.5)">{body(SEATS[seat], 33)}</g>')


SEAT_SYMBOLS = tuple(map(_token, range(len(SEATS))))
