"""High contrast: the same file with other colors, in which every text can be read and every seat be told."""

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
from tests.renders.color_vision import VIEWS, apart, contrast
from tests.renders.positions import played

GAMES = tuple(discover())
STRONGLY = dict(STRONG)
FAR = (24.5, 22.0, 21.0, 26.0, 11.0)
"""The smallest distance of two seats, for each kind of sight in the order of VIEWS."""


def boards(slug: str) -> Iterator[View[Any]]:
    """Public and private boards of a random game of many, and its end."""
    spec = discover()[slug]
    game = [match.copy() for match in played(spec, spec.seats[-1], 3)]
    for match in game[len(game) // 5 : -1 : max(1, len(game) // 2)]:
        yield match.view(None, since=0)
        yield from (match.view(d.seat, offered=d.options) for d in match.state.decisions()[:1] if d.seat >= 0)
    yield game[-1].view(None)


Written = tuple[Canvas, str, Sprite, int, int]
"""What a line is written on, its words, its sprite, and the left and the top edge of it."""


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[Written]:
    """Every line that nothing lies on."""
    lines: list[Written] = []
    put = Canvas.put

    def noting(self: Canvas, sprite: Sprite, x: float = 0, y: float = 0) -> None:
        left, top = round(x) + sprite.left, round(y) + sprite.top
        right, bottom = left + sprite.width, top + sprite.height
        lines[:] = [
            (canvas, text, own, x0, y0)
            for canvas, text, own, x0, y0 in lines
            if x0 >= right or y0 >= bottom or x0 + own.width <= left or y0 + own.height <= top
        ]
        put(self, sprite, x, y)

    write = Canvas.text

    def noting_text(self: Canvas, x: float, y: float, text: str, *args: Any, **more: Any) -> float:
        length = write(self, x, y, text, *args, **more)
        sprite, left, top, *_ = self.layers[-1]
        lines.append((self, text, sprite, left, top))
        return length

    monkeypatch.setattr(Canvas, "put", noting)
    monkeypatch.setattr(Canvas, "text", noting_text)
    return lines


def hexed(color: Sequence[int]) -> str:
    return "#" + "".join(f"{part:02X}" for part in color)


def frequent(image: Image.Image, mask: Image.Image, value: int) -> str:
    """The most frequent color where a mask has a value."""
    colors = Image.new("RGBA", image.size)
    colors.paste(image, mask=mask.point(lambda covered: 255 * (covered == value)))
    counted: Any = colors.getcolors(image.width * image.height)
    return hexed(max((count, color[:3]) for count, color in counted if color[3])[1])


def strong(picture: Picture) -> Image.Image:
    return Image.open(io.BytesIO(renders.png(picture, contrast=True))).convert("RGB")


@pytest.mark.parametrize("slug", GAMES)
def test_every_text_has_a_contrast_of_seven(slug: str, written: list[Written]) -> None:
    for view in boards(slug):
        written.clear()
        image = strong(renders.draw(view, discover()[slug].seat_names(view.setup)))
        board = [(text, *place) for canvas, text, *place in written if canvas is written[-1][0]]
        assert len(board) > 8
        for text, sprite, left, top in board:
            part = image.crop((left, top, left + sprite.width, top + sprite.height))
            found = frequent(part, sprite.coverage, 255), frequent(part, sprite.coverage, 0)
            assert contrast(*found) >= 7, (text, *found)


def test_only_the_list_of_colors_is_another_one() -> None:
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


def test_seats_are_far_apart_for_every_kind_of_sight_and_carry_text() -> None:
    fills = [STRONGLY[style.fill] for style in SEATS]
    for view, far in zip(VIEWS, FAR, strict=True):
        assert min(apart(one, other, view) for one, other in combinations(fills, 2)) >= far, view
    assert min(contrast(STRONGLY[style.fill], STRONGLY[style.text]) for style in SEATS) >= 7


def test_dark_becomes_darker_and_light_lighter_and_soft_edges_stay_between() -> None:
    fixed = [(rgb(color), rgb(becomes)) for color, becomes in STRONG]
    edge = [tuple(round(a + (b - a) * k / 8) for a, b in zip(rgb(INK), rgb(IVORY), strict=True)) for k in range(9)]
    greens = [green for _, green, _ in high_contrast(edge, fixed)]
    assert greens == sorted(greens)
    assert (greens[0], greens[-1]) == (0, 255)
    dark, light = high_contrast([rgb("#403060"), rgb("#D8C8A8")], fixed)
    assert sum(dark) < 0x40 + 0x30 + 0x60
    assert sum(light) > 0xD8 + 0xC8 + 0xA8
