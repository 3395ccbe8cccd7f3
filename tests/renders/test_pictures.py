"""What every picture keeps: pure, small, true to its colors, and drawn for any position."""

from __future__ import annotations

import io
import math
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from PIL import Image, ImageChops, ImageStat

import renders
from engine.core import View
from renders import strips
from renders.games.muscat import paint
from renders.games.muscat.ground import ground
from renders.games.muscat.theme import THEME
from renders.sprites import rgb
from renders.theme import SEATS, TURQUOISE
from tests.renders.positions import LABELS, fullest, recorded, views
from tests.true_colors import in_true_colors

FRESH = """
import sys, renders
from tests.renders.positions import LABELS, recorded
sys.stdout.buffer.write(renders.png(renders.draw(recorded("middle").view(None), LABELS)))
"""


def decoded(data: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


def pixels(data: bytes) -> bytes:
    return decoded(data).convert("RGB").tobytes()


def labels(view: View) -> tuple[str, ...]:
    return LABELS[: view.setup.seats]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_every_position_of_a_game_can_be_drawn(seats: int) -> None:
    for n, view in enumerate(views(seats, 2)):
        picture = renders.draw(view, labels(view))
        if n % 24 == 0:
            image = decoded(renders.png(picture))
            assert (image.mode, image.size) == ("P", (1080, 1440))


def test_a_picture_depends_on_its_view_alone() -> None:
    """What was kept of others, nothing that was kept, and a fresh process give the same colors.

    The bytes may differ: once in a hundred thousand times a compressor finds another way to say the same.
    """
    view = recorded("middle").view(None)
    for other in views(5, 4, step=9):
        renders.png(renders.draw(other, LABELS))
    data = renders.png(renders.draw(view, LABELS))
    strips._compressed.cache_clear()
    strips._fragment.cache_clear()
    anew = renders.png(renders.draw(view, LABELS))
    fresh = subprocess.run([sys.executable, "-c", FRESH], capture_output=True, check=True)
    assert pixels(data) == pixels(anew) == pixels(fresh.stdout)


def test_two_threads_draw_what_one_draws() -> None:
    def drawn(view: View) -> bytes:
        return pixels(renders.png(renders.draw(view, LABELS)))

    several = list(views(5, 6, step=40))
    with ThreadPoolExecutor(2) as threads:
        assert list(map(drawn, several)) == list(threads.map(drawn, several * 2))[: len(several)]


def test_an_equal_view_gets_the_same_bytes_again() -> None:
    match = recorded("middle")
    one, other = renders.draw(match.view(None), LABELS), renders.draw(match.view(None), LABELS)
    assert renders.png(one) == renders.png(other)
    assert renders.draw(match.view(None), ("A", "B", "C", "D", "E")).alt != one.alt


def test_offered_options_are_marked_and_others_are_not() -> None:
    """Turquoise corners appear with the options of the viewer, and only then."""
    match = recorded("middle")
    due = match.state.decisions()[0]
    plain, marked = (
        decoded(renders.png(renders.draw(match.view(due.seat, offered=options), LABELS)))
        for options in ((), due.options)
    )
    assert turquoise(marked) > turquoise(plain) + 2000


def turquoise(image: Image.Image) -> int:
    counted = image.convert("RGB").getcolors(256) or []
    return sum(count for count, color in counted if color == rgb(TURQUOISE))


@pytest.mark.parametrize("name", ["start", "middle", "end"])
def test_the_palette_is_true_and_the_file_small(name: str) -> None:
    view = recorded(name).view(None)
    data = renders.png(renders.draw(view, labels(view)))
    flat = in_true_colors(paint(view, labels(view)))
    plain = io.BytesIO()
    flat.save(plain, "PNG")
    apart = ImageChops.difference(flat, decoded(data).convert("RGB"))
    noise = sum(ImageStat.Stat(apart).sum2) / (3 * flat.width * flat.height)
    worst = ImageChops.lighter(ImageChops.lighter(apart.getchannel(0), apart.getchannel(1)), apart.getchannel(2))
    assert 10 * math.log10(255**2 / noise) >= 40
    assert sum(worst.histogram()[17:]) <= 0.005 * flat.width * flat.height
    assert len(data) <= min(250_000, 0.55 * len(plain.getvalue()))


def test_the_fullest_board_is_small_enough_too() -> None:
    assert len(renders.png(renders.draw(fullest(), LABELS))) <= 250_000


def test_flat_colors_are_exact() -> None:
    """The colors that carry meaning come out of the palette as they went in."""
    colors = [*(style.fill for style in SEATS[:5]), TURQUOISE, *THEME.courts, *THEME.terraces, THEME.panel]
    for color in colors:
        block = ground().palette.indexed(Image.new("RGB", (1, 1), color))
        assert block.convert("RGB").getpixel((0, 0)) == rgb(color), color
