"""From a position to PNG bytes, beside Pillow's default encoder (E0) and the naive picture (N)."""

from __future__ import annotations

import gc
import io
import itertools
import math
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from unittest.mock import patch

from PIL import Image, ImageChops, ImageStat

import renders
from engine.core import GameSpec, View
from engine.games import discover
from engine.turns import scenes_of
from renders.baking import bake_game
from renders.canvas import Canvas
from renders.disk_cache import keep_in
from renders.moving import HALF, filmed
from renders.sprites import Sprite
from tests.bench.measure import CPU, Beside, Effort, Pair, Spread, alternate, in_fresh_processes, seconds
from tests.bench.report import Goal, Row, judged, missing, ms, noted
from tests.bench.store import FOLDER
from tests.bench.walk import finished, late_boards
from tests.true_colors import in_true_colors, keep_colors

TABLES = 8
"""Games that take turns in the crowded series."""
BLOCK = 8
"""Moves between two runs of the anchor."""
WARM = 3
"""Games, their second halves, whose boards are drawn before the series begin."""

COLD = Goal(3, 1)
P50, P99 = Goal(0.08, 0.04), Goal(0.25, 0.10)
NAIVE = Goal(100, 250, at_most=False)
SMALL, LIGHT = Goal(0.5, 0.4), Goal(250)
NOISE, OFF = Goal(40, 99, at_most=False), Goal(0.5, 0)
CACHED = Goal(0.001)


def rows(effort: Effort) -> list[Row]:
    """R1 to R6 for every game at its largest table."""
    specs = discover().values()
    found = [row for spec in specs for row in _game_rows(effort, spec)]
    return [*found, *(row for spec in specs for row in _film_rows(effort, spec))]


def _game_rows(effort: Effort, spec: GameSpec) -> list[Row]:
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        (unkept,) = in_fresh_processes(replace(effort, processes=1), filled, spec.slug, folder)
        runs = in_fresh_processes(effort, measured, spec.slug, folder, effort.rounds(40), effort.rounds(10))
    artist = "" if find_spec(f"renders.games.{spec.slug}") else ", drawn plainly"
    name = f"{spec.slug}, {spec.seats[-1]} seats{artist}"
    return [
        noted(f"cold first picture of all, {name}", ms(Spread.of([unkept]))),
        _cold_row(name, runs),
        *_speed_rows(f"move → PNG, {name}", [run.alone for run in runs]),
        *_speed_rows(f"the same, {TABLES} tables in turn", [run.limit_reached for run in runs]),
        _naive_row(name, runs),
        *_likeness_rows(name, runs[0]),
        _cached_row(name, runs),
    ]


def _speed_rows(what: str, runs: list[list[Pair]]) -> Iterator[Row]:
    for percent, goal in ((50, P50), (99, P99)):
        beside = Beside.of(runs, percent)
        figure, anchor = ms(beside.cost), f"E0 {ms(beside.anchor)}"
        yield judged("R1", f"{what}, p{percent}", goal, beside.ratio, figure=figure, anchor=anchor)


def _cold_row(name: str, runs: list[Measured]) -> Row:
    beside = Beside.of([[Pair(run.cold, run.alone[0].anchor)] for run in runs])
    figure, anchor = ms(beside.cost), f"E0 {ms(beside.anchor)}"
    return judged("R1", f"cold first picture after a start, {name}", COLD, beside.ratio, figure=figure, anchor=anchor)


def _naive_row(name: str, runs: list[Measured]) -> Row:
    if not runs[0].naive:
        return missing("R2", f"against the naive picture, {name}", NO_CANVAS)
    usual, naive = Beside.of([run.alone for run in runs]), Beside.of([run.naive for run in runs])
    # both against their own E0, which is timed beside each of them
    times = Spread.of(Beside.of([run.naive]).ratio.mid / Beside.of([run.alone]).ratio.mid for run in runs)
    figure, anchor = ms(usual.cost), f"N at least {ms(naive.cost)}"
    return judged("R2", f"times faster than naive, {name}", NAIVE, times, figure=figure, anchor=anchor)


def _likeness_rows(name: str, run: Measured) -> Iterator[Row]:
    if not run.likenesses:
        yield missing("R3", f"bytes and fidelity, {name}", NO_CANVAS)
        return
    kb = Spread.of(likeness.size / 1000 for likeness in run.likenesses)
    plain = Spread.of(likeness.plain_size / 1000 for likeness in run.likenesses)
    share = Spread.of(likeness.size / likeness.plain_size for likeness in run.likenesses)
    yield judged("R3", f"bytes, {name}", SMALL, share, figure=f"{kb} kB", anchor=f"E0 {plain} kB")
    yield judged("R3", f"largest picture in kB, {name}", LIGHT, Spread.of([kb.high]))
    worst = Spread.of([min(likeness.psnr for likeness in run.likenesses)])
    yield judged("R4", f"PSNR in dB of the worst picture, {name}", NOISE, worst)
    off = Spread.of([max(likeness.off for likeness in run.likenesses)])
    yield judged("R4", f"% of pixels off by > 16, worst picture, {name}", OFF, off)


def _cached_row(name: str, runs: list[Measured]) -> Row:
    beside = Beside.of([run.cached for run in runs])
    figure, anchor = f"{beside.cost.scaled(1e6)} µs", f"E0 {ms(beside.anchor)}"
    return judged("R5", f"same picture again, {name}", CACHED, beside.ratio, figure=figure, anchor=anchor)


# --- replays ---

FILM = 30
"""Positions of a replay."""

FILM_COST, FILM_SIZE = Goal(1, 0.75), Goal(1.5, 1)


def _film_rows(effort: Effort, spec: GameSpec) -> Iterator[Row]:
    runs = in_fresh_processes(effort, filmed_beside, spec.slug, effort.rounds(8))
    name = f"{FILM} positions, {spec.slug}, {spec.seats[-1]} seats"
    beside, drawing = Beside.of([run.films for run in runs]), Beside.of([run.paintings for run in runs])
    figure, anchor = ms(beside.cost), f"E0 {ms(beside.anchor)}"
    yield judged("R6", f"replay, drawn and encoded, {name}", FILM_COST, beside.ratio, figure=figure, anchor=anchor)
    figure, anchor = ms(drawing.cost), f"E0 {ms(drawing.anchor)}"
    yield noted(f"of it, laying out the boards, {name}", figure, anchor=anchor, ratio=drawing.ratio)
    kb = Spread.of(size / 1000 for run in runs for size in run.sizes)
    share = Spread.of(share for run in runs for share in run.shares)
    yield judged("R6", f"bytes of a replay, {name}", FILM_SIZE, share, figure=f"{kb} kB")


@dataclass(frozen=True, slots=True)
class Filming:
    """What one process has found about replays in half size: costs beside E0, bytes, and these as shares of E0's."""

    films: list[Pair]
    paintings: list[Pair]
    sizes: list[int]
    shares: list[float]


def filmed_beside(slug: str, rounds: int) -> Filming:
    """Replays of the ends of different games; one before them warms the caches."""
    keep_colors()
    spec = discover()[slug]
    names = spec.seat_names(spec.setup(spec.seats[-1]))
    games = [_end_of(spec, f"{slug} film {number}") for number in range(rounds + 1)]
    still = in_true_colors(next(renders.paint_all(games[0], names)))
    coming, sizes = iter(games), list[int]()

    def film() -> Iterator[float]:
        views = next(coming)
        gc.collect()  # what our own games leave behind would be cleared away at the cost of a film
        yield seconds(lambda: sizes.append(len(_film(views, names))), CPU)

    def anchor() -> float:
        return seconds(lambda: plain_png(still), CPU)

    list(film())
    films, coming = alternate(anchor, film, rounds), iter(games[1:])
    paintings = alternate(anchor, lambda: [seconds(lambda: list(renders.paint_all(next(coming), names)), CPU)], rounds)
    return Filming(films, paintings, sizes[1:], [size / len(plain_png(still)) for size in sizes[1:]])


def _end_of(spec: GameSpec, seed: str) -> list[View]:
    match = finished(spec, spec.seats[-1], seed)
    return [match.until(scene.end).view(None, since=scene.first) for scene in scenes_of(match)[-FILM:]]


def _film(views: list[View], names: tuple[str, ...]) -> bytes:
    *_, (data, _) = filmed(views, names, scale=HALF, most=10**9)
    return data


# --- in a fresh process ---

NO_CANVAS = "the game does not draw on a Canvas"


@dataclass(frozen=True, slots=True)
class Likeness:
    """How a delivered picture compares with its RGB before the palette; `off` in percent."""

    size: int
    plain_size: int
    psnr: float
    off: float


@dataclass(frozen=True, slots=True)
class Measured:
    """What one process has found: CPU seconds, and what the pictures are like."""

    cold: float
    alone: list[Pair]
    limit_reached: list[Pair]
    cached: list[Pair]
    naive: list[Pair]
    likenesses: list[Likeness]


def filled(slug: str, folder: str) -> float:
    """Fill a folder as an installation does. Returns the CPU seconds of the first picture of all."""
    keep_in(Path(folder))
    spec = discover()[slug]
    first = _cost(late_boards(spec, spec.seats[-1], f"{slug} kept")[0])
    bake_game(spec)
    return first


def measured(slug: str, folder: str, rounds: int, looks: int) -> Measured:
    """Everything about a game's pictures. The first one is cold; then caches are warmed by games of their own."""
    keep_in(Path(folder))
    keep_colors()
    spec = discover()[slug]
    warm = [view for game in range(WARM) for view in late_boards(spec, spec.seats[-1], f"{slug} warm {game}")]
    cold, *_ = map(_cost, warm)
    drawings = [drawing for view in warm[1 : 1 + looks] if (drawing := seen_drawing(view))]
    plain = [drawing.flat for drawing in drawings] or [renders.draw(warm[0], _names(warm[0])).image.convert("RGB")]
    stock = itertools.cycle(plain)

    def anchor() -> float:
        image = next(stock)
        return seconds(lambda: plain_png(image), CPU)

    return Measured(
        cold,
        _series(_boards(spec, "alone"), anchor, rounds),
        _series(_in_turn(spec), anchor, rounds),
        alternate(anchor, lambda: [_again(warm[-1])], 5),
        _naive_series(drawings[:3], anchor),
        [drawing.likeness() for drawing in drawings],
    )


def _series(views: Iterator[tuple[View, bool]], anchor: Callable[[], float], rounds: int) -> list[Pair]:
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


def _naive_series(drawings: list[Drawing], anchor: Callable[[], float]) -> list[Pair]:
    pictures = iter([Naive(drawing) for drawing in drawings])
    return alternate(anchor, lambda: [seconds(next(pictures).draw, CPU)], len(drawings)) if drawings else []


def _boards(spec: GameSpec, table: str) -> Iterator[tuple[View, bool]]:
    """A single table: every board follows the one before, except the first of each game, which does not count."""
    for number in itertools.count():
        views = late_boards(spec, spec.seats[-1], f"{spec.slug} {table} {number}")
        yield from ((view, n > 0) for n, view in enumerate(views))


def _in_turn(spec: GameSpec) -> Iterator[tuple[View, bool]]:
    """Many tables: one board of each, then the next of each."""
    tables = [_boards(spec, str(n)) for n in range(TABLES)]
    for table in itertools.cycle(tables):
        yield next(table)


def _names(view: View) -> tuple[str, ...]:
    return discover()[view.game].seat_names(view.setup)


def _cost(view: View) -> float:
    return seconds(lambda: renders.png(renders.draw(view, _names(view))), CPU)


def _again(view: View) -> float:
    """CPU of asking for a picture that was asked for just before, the mean of a hundred."""
    _cost(view)
    return seconds(lambda: [_cost(view) for _ in range(100)], CPU) / 100


def plain_png(image: Image.Image) -> bytes:
    """E0: Pillow's default PNG."""
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


# --- looking over the painter's shoulder ---


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture with the things it is made of, its RGB before the palette, and the bytes delivered."""

    things: list[tuple[Sprite, float, float]]
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


def seen_drawing(view: View) -> Drawing | None:
    """Draw a view while noting what is put on its canvas; `None` if the game uses none."""
    things: list[tuple[Sprite, float, float]] = []
    canvases: list[Canvas] = []
    put, finish = Canvas.put, Canvas.finish

    def noting_put(canvas: Canvas, sprite: Sprite, x: float = 0, y: float = 0) -> None:
        things.append((sprite, x, y))
        put(canvas, sprite, x, y)

    def noting_finish(canvas: Canvas) -> object:
        canvases.append(canvas)
        return finish(canvas)

    with patch.object(Canvas, "put", noting_put), patch.object(Canvas, "finish", noting_finish):
        data = renders.png(renders.draw(view, _names(view)))
    if not canvases:
        return None
    return Drawing(things, in_true_colors(canvases[-1]), data)


class Naive:
    """N, from below: everything pasted anew on a canvas of four times the size, LANCZOS, default PNG.

    Ground and things are enlarged beforehand, so what a naive program pays for shapes and letters is not even
    counted: its picture is at least this slow.
    """

    SCALE = 4

    def __init__(self, drawing: Drawing) -> None:
        self._size = drawing.flat.size
        self._ground = self._enlarged(drawing.flat)
        self._things = [self._thing(*thing) for thing in drawing.things]

    def draw(self) -> bytes:
        """The picture."""
        image = self._ground.copy()
        for paint, mask, box in self._things:
            image.paste(paint, box, mask)
        return plain_png(image.resize(self._size, Image.Resampling.LANCZOS))

    def _thing(
        self, sprite: Sprite, x: float, y: float
    ) -> tuple[tuple[int, ...] | Image.Image, Image.Image, tuple[int, int, int, int]]:
        mask = self._enlarged(sprite.coverage)
        paint = sprite.color or self._enlarged(sprite.picture.convert("RGB"))
        left, top = self.SCALE * (round(x) + sprite.left), self.SCALE * (round(y) + sprite.top)
        return paint, mask, (left, top, left + mask.width, top + mask.height)

    def _enlarged(self, image: Image.Image) -> Image.Image:
        return image.resize((self.SCALE * image.width, self.SCALE * image.height), Image.Resampling.BILINEAR)
