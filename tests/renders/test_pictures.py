"""A picture depends only on its view."""

from __future__ import annotations

import io
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from PIL import Image

import renders
from engine.core import View
from renders import strips
from tests.renders.positions import LABELS, fullest, replay_recorded, views

FRESH = """
import sys, renders
from tests.renders.positions import LABELS, replay_recorded
sys.stdout.buffer.write(renders.png(renders.draw(replay_recorded("middle").view(None), LABELS)))
"""


def pixels(data: bytes) -> bytes:
    return Image.open(io.BytesIO(data)).convert("RGB").tobytes()


def test_a_picture_depends_only_on_its_view() -> None:
    """Warm caches, empty caches, and a fresh process produce the same colors.

    The bytes may differ: about once in a hundred thousand times, a compressor finds a different encoding.
    """
    view = replay_recorded("middle").view(None)
    for other in views(5, 4, step=60):
        renders.png(renders.draw(other, LABELS))
    data = renders.png(renders.draw(view, LABELS))
    strips._compress.cache_clear()
    strips._fragment.cache_clear()
    anew = renders.png(renders.draw(view, LABELS))
    fresh = subprocess.run([sys.executable, "-c", FRESH], capture_output=True, check=True)
    assert pixels(data) == pixels(anew) == pixels(fresh.stdout)


def test_two_threads_draw_the_same_pictures_as_one() -> None:
    def draw_pixels(view: View) -> bytes:
        return pixels(renders.png(renders.draw(view, LABELS)))

    several = list(views(5, 6, step=40))
    with ThreadPoolExecutor(2) as threads:
        assert list(map(draw_pixels, several)) == list(threads.map(draw_pixels, several * 2))[: len(several)]


def test_equal_views_produce_the_same_bytes() -> None:
    match = replay_recorded("middle")
    first, second = renders.draw(match.view(None), LABELS), renders.draw(match.view(None), LABELS)
    assert renders.png(first) == renders.png(second)
    assert renders.draw(match.view(None), ("A", "B", "C", "D", "E")).alt != first.alt


def test_the_fullest_board_stays_within_the_size_limit() -> None:
    assert len(renders.png(renders.draw(fullest(), LABELS))) <= 250_000
