"""Time from a position to PNG bytes, beside Pillow's default encoder (E0)."""

from __future__ import annotations

import gc
import io
import itertools
import math
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unittest.mock import patch

from PIL import Image, ImageChops, ImageStat

import renders
from engine.core import GameSpec, View
from engine.games import discover
from engine.values import Value
from renders import grounds, prerendering
from renders.canvas import Canvas
from renders.strips import Strip
from tests.bench.measure import CPU, Beside, Effort, Pair, Spread, alternate, in_fresh_processes, seconds
from tests.bench.report import Goal, Row, judged_row, ms
from tests.bench.store import FOLDER
from tests.bench.walk import late_boards
from tests.true_colors import in_true_colors, keeping_colors

BLOCK = 8
"""Moves between two runs of the anchor."""
WARM = 8
"""Games, their second halves, whose boards are drawn before the series begin."""

COLD = Goal(3)
P50, P99 = Goal(0.12), Goal(0.3)
SMALL, LIGHT = Goal(0.55), Goal(250)
NOISE, OFF = Goal(40, at_most=False), Goal(0.5)


def rows(effort: Effort) -> list[Row]:
    """R1, R3 and R4 for every game at its largest table."""
    return [row for spec in discover().values() for row in _game_rows(effort, spec)]


def _game_rows(effort: Effort, spec: GameSpec) -> list[Row]:
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        in_fresh_processes(replace(effort, processes=1), prerender, folder)
        colds = in_fresh_processes(effort, cold, spec.slug, folder)
    runs = in_fresh_processes(effort, measure, spec.slug, effort.rounds(40), effort.rounds(10))
    artist = "" if find_spec(f"renders.games.{spec.slug}") else ", drawn plainly"
    name = f"{spec.slug}, {spec.seats[-1]} seats{artist}"
    return [
        _cold_row(name, colds, runs),
        *_speed_rows(f"move → PNG, {name}", [run.pairs for run in runs]),
        *_likeness_rows(name, runs[0]),
    ]


def _speed_rows(what: str, runs: list[list[Pair]]) -> Iterator[Row]:
    for percent, goal in ((50, P50), (99, P99)):
        beside = Beside.of(runs, percent)
        figure, anchor = ms(beside.cost), f"E0 {ms(beside.anchor)}"
        yield judged_row("R1", f"{what}, p{percent}", goal, beside.ratio, figure=figure, anchor=anchor)


def _cold_row(name: str, colds: list[float], runs: list[Measured]) -> Row:
    beside = Beside.of([[Pair(cold, run.pairs[0].anchor)] for cold, run in zip(colds, runs, strict=True)])
    figure, anchor = ms(beside.cost), f"E0 {ms(beside.anchor)}"
    return judged_row(
        "R1", f"cold first picture after a start, {name}", COLD, beside.ratio, figure=figure, anchor=anchor
    )


def _likeness_rows(name: str, run: Measured) -> Iterator[Row]:
    kb = Spread.of(likeness.size / 1000 for likeness in run.likenesses)
    plain = Spread.of(likeness.plain_size / 1000 for likeness in run.likenesses)
    share = Spread.of(likeness.size / likeness.plain_size for likeness in run.likenesses)
    yield judged_row("R3", f"bytes, {name}", SMALL, share, figure=f"{kb} kB", anchor=f"E0 {plain} kB")
    yield judged_row("R3", f"largest picture in kB, {name}", LIGHT, Spread.of([kb.high]))
    worst = Spread.of([min(likeness.psnr for likeness in run.likenesses)])
    yield judged_row("R4", f"PSNR in dB of the worst picture, {name}", NOISE, worst)
    off = Spread.of([max(likeness.off for likeness in run.likenesses)])
    yield judged_row("R4", f"% of pixels off by > 16, worst picture, {name}", OFF, off)


# --- in a fresh process ---


class Likeness(Value):
    """Comparison of a delivered picture with its RGB before the palette: bytes, PSNR in dB, and `off` in percent."""

    size: int
    plain_size: int
    psnr: float
    off: float


class Measured(Value):
    """Measurements of one process: CPU seconds, and the likenesses of pictures."""

    pairs: list[Pair]
    likenesses: list[Likeness]


def prerender(folder: str) -> None:
    """Fill a folder as an installation does."""
    grounds.FOLDER = Path(folder)
    prerendering.main()


def cold(slug: str, folder: str) -> float:
    """CPU seconds of the first picture in a process, with the grounds in a folder."""
    grounds.FOLDER = Path(folder)
    spec = discover()[slug]
    return _cost(late_boards(spec, spec.seats[-1], f"{slug} cold")[0])


@keeping_colors()
def measure(slug: str, rounds: int, looks: int) -> Measured:
    """Measure a game's pictures. Caches are warmed by games of their own."""
    spec = discover()[slug]
    warm = [view for game in range(WARM) for view in late_boards(spec, spec.seats[-1], f"{slug} warm {game}")]
    deque(map(_cost, warm), maxlen=0)
    drawings = [seen_drawing(view) for view in warm[1 : 1 + looks]]
    stock = itertools.cycle([drawing.flat for drawing in drawings])

    def anchor() -> float:
        image = next(stock)
        return seconds(lambda: plain_png(image), CPU)

    return Measured(_series(_boards(spec), anchor, rounds), [drawing.likeness() for drawing in drawings])


def _series(views: Iterator[tuple[View[Any], bool]], anchor: Callable[[], float], rounds: int) -> list[Pair]:
    """Blocks of moves between the anchors; pictures that do not count are drawn, but not timed."""

    def block() -> Iterator[float]:
        counted = 0
        gc.collect()  # what our own games leave behind would be cleared away at the cost of a picture
        while counted < BLOCK:
            view, counts = next(views)
            cost = _cost(view)
            if counts:
                counted += 1
                yield cost

    return alternate(anchor, block, rounds)


def _boards(spec: GameSpec) -> Iterator[tuple[View[Any], bool]]:
    """A single table: every board follows the one before, except the first of each game, which does not count."""
    for number in itertools.count():
        views = late_boards(spec, spec.seats[-1], f"{spec.slug} alone {number}")
        yield from ((view, n > 0) for n, view in enumerate(views))


def _names(view: View[Any]) -> tuple[str, ...]:
    return discover()[view.game].seat_names(view.setup)


def _png(view: View[Any]) -> bytes:
    return renders.png(renders.draw(view, _names(view)))


def _cost(view: View[Any]) -> float:
    return seconds(lambda: _png(view), CPU)


def plain_png(image: Image.Image) -> bytes:
    """E0: Pillow's default PNG."""
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


# --- looking over the painter's shoulder ---


class Drawing(Value):
    """A picture's RGB before the palette, and the bytes delivered."""

    flat: Image.Image
    data: bytes

    def likeness(self) -> Likeness:
        """R3 and R4, measured on the decoded bytes."""
        image = Image.open(io.BytesIO(self.data)).convert("RGB")
        apart = ImageChops.difference(self.flat, image)
        mean_square = sum(ImageStat.Stat(apart).sum2) / (3 * image.width * image.height)
        psnr = 10 * math.log10(255**2 / mean_square) if mean_square else math.inf
        red, green, blue = apart.split()
        worst = ImageChops.lighter(ImageChops.lighter(red, green), blue).histogram()
        off = 100 * sum(worst[17:]) / (image.width * image.height)
        return Likeness(len(self.data), len(plain_png(self.flat)), psnr, off)


def seen_drawing(view: View[Any]) -> Drawing:
    """Draw a view while noting its canvas."""
    canvases: list[Canvas] = []
    cut = Canvas.strips

    def noting(canvas: Canvas) -> list[Strip]:
        canvases.append(canvas)
        return cut(canvas)

    with patch.object(Canvas, "strips", noting):
        data = _png(view)
    return Drawing(in_true_colors(canvases[-1]), data)
