"""High contrast: the same file with other colors, in which all text is readable and all seats are distinct."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import pytest
from PIL import Image

import renders
from engine.core import View
from engine.games import discover
from renders.canvas import Canvas
from renders.contrast import high_contrast
from renders.picture import Picture
from renders.sprites import Sprite, rgb
from renders.theme import INK, IVORY, SEATS, STRONG
from tests.renders.color_vision import VIEWS, color_distance, contrast
from tests.renders.positions import play_randomly

GAMES = tuple(discover())
STRONGLY = dict(STRONG)
MIN_DISTANCES = (24.5, 22.0, 21.0, 26.0, 11.0)
"""Minimum distance of two seats for each type of color vision, in the order of VIEWS."""


def boards(slug: str) -> Iterator[View[Any]]:
    """Public and private boards of a random game with the most seats, and its end."""
    spec = discover()[slug]
    game = [match.copy() for match in play_randomly(spec, spec.seats[-1], 3)]
    for match in game[len(game) // 5 : -1 : max(1, len(game) // 2)]:
        yield match.view(None, since=0)
        yield from (match.view(d.seat, offered=d.options) for d in match.state.decisions()[:1] if d.seat >= 0)
    yield game[-1].view(None)


TextOnCanvas = tuple[Canvas, str, Sprite, int, int]
"""A canvas, a line of text on it, its sprite, and the left and top of its box."""


@pytest.fixture
def uncovered_lines(monkeypatch: pytest.MonkeyPatch) -> list[TextOnCanvas]:
    """All lines of text that are not covered by a later sprite."""
    lines: list[TextOnCanvas] = []
    put = Canvas.put

    def noting(self: Canvas, sprite: Sprite, x: float = 0, y: float = 0) -> None:
        x0, y0 = round(x) + sprite.dx, round(y) + sprite.dy
        x1, y1 = x0 + sprite.width, y0 + sprite.height
        lines[:] = [
            (canvas, text, own, own_x, own_y)
            for canvas, text, own, own_x, own_y in lines
            if own_x >= x1 or own_y >= y1 or own_x + own.width <= x0 or own_y + own.height <= y0
        ]
        put(self, sprite, x, y)

    write = Canvas.text

    def noting_text(self: Canvas, x: float, y: float, text: str, *args: Any, **more: Any) -> float:
        length = write(self, x, y, text, *args, **more)
        sprite, x0, y0, *_ = self.layers[-1]
        lines.append((self, text, sprite, x0, y0))
        return length

    monkeypatch.setattr(Canvas, "put", noting)
    monkeypatch.setattr(Canvas, "text", noting_text)
    return lines


def to_hex(color: Sequence[int]) -> str:
    return "#" + "".join(f"{part:02X}" for part in color)


def most_frequent(image: Image.Image, mask: Image.Image, value: int) -> str:
    """The most frequent color where the mask has this value."""
    colors = Image.new("RGBA", image.size)
    colors.paste(image, mask=mask.point(lambda covered: 255 * (covered == value)))
    counted: Any = colors.getcolors(image.width * image.height)
    return to_hex(max((count, color[:3]) for count, color in counted if color[3])[1])


def high_contrast_image(picture: Picture) -> Image.Image:
    return Image.open(io.BytesIO(renders.png(picture, contrast=True))).convert("RGB")


@pytest.mark.parametrize("slug", GAMES)
def test_every_text_has_a_contrast_of_at_least_seven(slug: str, uncovered_lines: list[TextOnCanvas]) -> None:
    for view in boards(slug):
        uncovered_lines.clear()
        image = high_contrast_image(renders.draw(view, discover()[slug].seat_names(view.setup)))
        board = [(text, *place) for canvas, text, *place in uncovered_lines if canvas is uncovered_lines[-1][0]]
        assert len(board) > 8
        for text, sprite, x0, y0 in board:
            part = image.crop((x0, y0, x0 + sprite.width, y0 + sprite.height))
            colors = most_frequent(part, sprite.coverage, 255), most_frequent(part, sprite.coverage, 0)
            assert contrast(*colors) >= 7, (text, *colors)


def test_high_contrast_changes_only_the_palette() -> None:
    view = next(boards("jinns"))
    picture = renders.draw(view, discover()["jinns"].seat_names(view.setup))
    usual, other = renders.png(picture), renders.png(picture, contrast=True)
    assert len(usual) == len(other)
    start = usual.index(b"PLTE")
    assert (usual[:start], usual[start + 4 + 768 + 4 :]) == (other[:start], other[start + 4 + 768 + 4 :])
    images = [Image.open(io.BytesIO(data)) for data in (usual, other)]
    assert images[0].tobytes() == images[1].tobytes()
    assert images[0].getpalette() != images[1].getpalette()
    for image in images:
        image.close()


def test_seat_colors_are_distinct_for_every_kind_of_vision_and_readable_behind_text() -> None:
    fills = [STRONGLY[style.fill] for style in SEATS]
    for view, min_distance in zip(VIEWS, MIN_DISTANCES, strict=True):
        assert min(color_distance(one, other, view) for one, other in combinations(fills, 2)) >= min_distance, view
    assert min(contrast(STRONGLY[style.fill], STRONGLY[style.text]) for style in SEATS) >= 7


def test_high_contrast_darkens_dark_lightens_light_and_keeps_soft_edges_in_order() -> None:
    fixed = [(rgb(color), rgb(becomes)) for color, becomes in STRONG]
    edge = [tuple(round(a + (b - a) * k / 8) for a, b in zip(rgb(INK), rgb(IVORY), strict=True)) for k in range(9)]
    greens = [green for _, green, _ in high_contrast(edge, fixed)]
    assert greens == sorted(greens)
    assert (greens[0], greens[-1]) == (0, 255)
    dark, light = high_contrast([rgb("#403060"), rgb("#D8C8A8")], fixed)
    assert sum(dark) < 0x40 + 0x30 + 0x60
    assert sum(light) > 0xD8 + 0xC8 + 0xA8
