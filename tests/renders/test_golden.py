"""Golden pictures, reviewed by a human."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat

import renders
from engine.core import View
from engine.games import discover
from engine.languages import reading
from locales import language_of
from renders.canvas import Canvas, Ground
from renders.games.alibaba.scene import SCENE as CAVE_SCENE
from renders.games.jinns.ground import ground as lake
from renders.games.jinns.layout import STYLE
from renders.games.jinns.theme import THEME as LAKE
from renders.games.muscat.ground import ground as palace
from renders.games.muscat.theme import THEME as PALACE
from renders.games.muses.ground import ground as dance
from renders.games.muses.theme import THEME as DANCE
from renders.games.muses.tiles import NEUTRAL_FILL
from renders.sprites import rgb
from renders.theme import GOLD, IVORY, SEATS, TURQUOISE
from renders.town.ground import ground as town
from renders.town.theme import THEME as TOWN
from tests.renders.blessed import BLESSED, GOLDEN
from tests.true_colors import in_true_colors, keeping_colors

by_name = pytest.mark.parametrize("name", BLESSED)
by_game = pytest.mark.parametrize("slug", sorted({name.partition("/")[0] for name in BLESSED}))


@pytest.fixture(scope="module", autouse=True)
def true_colors() -> Iterator[None]:
    """Draw all grounds here, and keep them as they were before they had a palette."""
    with keeping_colors():
        yield


@cache
def draw_blessed(name: str) -> tuple[Canvas, bytes]:
    """The canvas and file of a blessed position."""
    view: View[Any] = BLESSED[name]()
    labels = discover()[view.game].seat_names(view.setup)
    (canvas,) = renders.paint_all([view], labels)
    return canvas, renders.png(renders.draw(view, labels))


@by_name
def test_the_picture_matches_its_golden_file(name: str, bless: bool, tmp_path: Path) -> None:
    assert_blessed(draw_blessed(name)[1], GOLDEN / f"{name}.png", tmp_path / "now.png", bless=bless)


@by_game
def test_the_german_picture_with_the_longest_words_matches_its_golden_file(
    slug: str, bless: bool, tmp_path: Path
) -> None:
    view: View[Any] = BLESSED[f"{slug}/middle"]()
    with reading(language_of("de")):
        data = renders.png(renders.draw(view, discover()[slug].seat_names(view.setup)))
    assert_blessed(data, GOLDEN / slug / "german.png", tmp_path / "now.png", bless=bless)


def assert_blessed(data: bytes, path: Path, now: Path, *, bless: bool) -> None:
    """Compare a picture with the blessed one, or bless it; `now` is a copy for review."""
    now.write_bytes(data)
    if bless:
        path.write_bytes(now.read_bytes())
    with Image.open(path) as blessed, Image.open(now) as image:
        apart = ImageChops.difference(blessed.convert("RGB"), image.convert("RGB")).convert("L")
    assert sum(apart.histogram()[6:]) < 100, f"{now} differs from {path}; bless it if it is right"


@by_name
def test_the_palette_is_faithful_and_the_file_is_small(name: str) -> None:
    canvas, data = draw_blessed(name)
    flat = in_true_colors(canvas)
    apart = ImageChops.difference(flat, Image.open(io.BytesIO(data)).convert("RGB"))
    noise = sum(ImageStat.Stat(apart).sum2) / (3 * flat.width * flat.height)
    red, green, blue = apart.split()
    worst = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    assert 10 * math.log10(255**2 / noise) >= 40
    assert sum(worst.histogram()[17:]) <= 0.005 * flat.width * flat.height
    assert len(data) <= 250_000


@by_game
def test_a_palette_halves_the_file(slug: str) -> None:
    canvas, data = draw_blessed(f"{slug}/middle")
    in_true_colors(canvas).save(plain := io.BytesIO(), "PNG")
    assert len(data) <= 0.55 * len(plain.getvalue())


FLATS: dict[str, tuple[Callable[[], Ground], list[str]]] = {
    "muscat": (palace, [*(s.fill for s in SEATS[:5]), *PALACE.courts, *PALACE.terraces, PALACE.panel]),
    "muses": (
        lambda: dance(3, shrunk=False),
        [s.fill for s in SEATS[:3]]
        + [IVORY, GOLD, NEUTRAL_FILL, DANCE.cloth, DANCE.tile, DANCE.face_down, DANCE.emblem, DANCE.panel],
    ),
    "jinns": (lambda: lake(4), [*(SEATS[n].fill for n in STYLE.values()), IVORY, LAKE.panel, LAKE.plinth, LAKE.empty]),
    "alibaba": (
        lambda: town(CAVE_SCENE, CAVE_SCENE.furnish),
        [*(s.fill for s in SEATS[:5]), TOWN.paving, TOWN.sand, TOWN.town, TOWN.cave, TOWN.panel],
    ),
}
"""A game's ground and the colors that carry meaning on it; white may come out as the shared ivory."""


@pytest.mark.parametrize("slug", FLATS)
def test_colors_with_a_meaning_are_exact(slug: str) -> None:
    """Colors that carry meaning are exact after quantization."""
    ground, colors = FLATS[slug]
    for color in (*colors, TURQUOISE):
        block = ground().palette.quantize(Image.new("RGB", (1, 1), color))
        assert rgb(color) == block.convert("RGB").getpixel((0, 0)), color
