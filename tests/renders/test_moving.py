"""Moving pictures: every frame is the board as it was, and the file is small enough to be sent."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

import pytest
from PIL import Image, ImageChops, ImageSequence

import renders
from engine.core import View
from engine.games import discover
from engine.match import Match
from engine.turns import scenes_of
from renders.canvas import Canvas
from renders.games import muses
from renders.games.muscat.ground import ground
from renders.games.muses.layout import Grid
from renders.moving import BLINK, FULL, HALF, filmed
from renders.picture import picture_of
from renders.tokens import token
from tests.playthroughs.recorder import FOLDER, Playthrough

RECORDED = {slug: some for slug in discover() if (some := sorted((FOLDER / slug).glob("*.txt")))}
"""Game -> its recorded games; one in the middle of them is filmed."""


@cache
def views_of(game: str) -> tuple[View, ...]:
    """What onlookers saw of a recorded game."""
    recorded = RECORDED[game][len(RECORDED[game]) // 2]
    played = Playthrough.read(recorded.read_text(encoding="utf-8"))
    match = Match.replay(played.spec, played.spec.setup(played.seats, played.chosen), played.seed, played.entries)
    return tuple(match.until(scene.end).view(None, since=scene.first) for scene in scenes_of(match))


def some_of(game: str) -> list[View]:
    """The first of them, one in the middle, and the last two."""
    views = views_of(game)
    return [views[0], views[len(views) // 2], *views[-2:]]


def labels(view: View) -> tuple[str, ...]:
    return discover()[view.game].seat_names(view.setup)


def film(views: Sequence[View], scale: int = HALF, most: int = 10**9, *, contrast: bool = False) -> tuple[bytes, int]:
    *_, finished = filmed(views, labels(views[0]), scale=scale, most=most, contrast=contrast)
    return finished


def frames(data: bytes) -> list[tuple[Image.Image, int]]:
    """Each frame as a viewer puts it together of its parts, and how long it is shown in ms."""
    with Image.open(io.BytesIO(data)) as image:
        parts = [(frame.convert("RGB"), frame.info["duration"]) for frame in ImageSequence.Iterator(image)]
    whole = [n for n, (_, time) in enumerate(parts) if time != BLINK]
    times = (sum(time for _, time in parts[before + 1 : n + 1]) for before, n in pairwise([-1, *whole]))
    return [(parts[n][0], time) for n, time in zip(whole, times, strict=True)]


def apart(one: Image.Image, other: Image.Image) -> int:
    """How far two pictures are apart where they differ most, in levels of a channel."""
    return max(most for _, most in ImageChops.difference(one.convert("RGB"), other.convert("RGB")).getextrema())


@pytest.mark.parametrize("game", RECORDED)
def test_every_frame_is_the_board_in_half_its_size(game: str) -> None:
    views = some_of(game)
    shown = [frame for frame, _ in frames(film(views, scale=HALF)[0])]
    stills = [
        canvas.ground.palette.indexed(picture_of(canvas, "").image.convert("RGB").reduce(2))
        for canvas in renders.paint_all(views, labels(views[0]))
    ]
    assert (540, 720) == shown[0].size
    assert all(apart(frame, still) <= 7 for frame, still in zip(shown, stills, strict=True))
    assert apart(shown[0], shown[-1]) > 100, "something happens in it"


def test_in_full_size_every_frame_is_the_picture_that_was_sent() -> None:
    views = some_of("muscat")
    shown = [frame for frame, _ in frames(film(views, scale=FULL)[0])]
    assert all(
        apart(frame, renders.draw(view, labels(view)).image) <= 7 for frame, view in zip(shown, views, strict=True)
    )


def test_only_what_lies_otherwise_is_painted_anew() -> None:
    """What lies on what can change although everything is still there."""
    small, large = token(0, 20), token(1, 40)
    here, there, above = Canvas(ground()), Canvas(ground()), Canvas(ground())
    for canvas, things in ((here, (small, large)), (there, (small, large)), (above, (large, small))):
        for thing in things:
            canvas.put(thing, 300, 300)
    assert here.cells() == there.cells() != above.cells()
    there.put(small, 810, 600)
    changed = [
        number for number, (now, then) in enumerate(zip(there.cells(), here.cells(), strict=True)) if now != then
    ]
    assert [7 * 12 + 8, 7 * 12 + 9] == changed, "the eighth row of 80 px, on both sides of 9 x 90 px"


def test_in_muses_no_tile_moves_because_the_dance_has_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    grids: list[Grid] = []
    monkeypatch.setattr(muses, "draw_cloth", lambda _canvas, grid, _taken: grids.append(grid))
    views = views_of("muses")[:8]
    for view in views:
        muses.paint(view, labels(view))
    assert len(set(grids)) > 1
    grids.clear()
    assert len(views) == len(list(renders.paint_all(views, labels(views[0]))))
    assert 1 == len(set(grids))


def test_the_parts_of_a_frame_are_apart_and_follow_each_other_at_once() -> None:
    """The words above and the panels below change without all that lies between them."""
    with Image.open(io.BytesIO(film(views_of("muscat")[:2])[0])) as image:
        tiles = [(frame.tile[0][1], frame.info["duration"]) for frame in ImageSequence.Iterator(image) if frame.tile]
    (_, first), *parts = tiles
    assert (1200, len(parts) > 1) == (first, True)
    assert all(above[0][3] < below[0][1] for above, below in pairwise(parts))
    assert {BLINK} == {time for _, time in parts[:-1]}


def test_a_reader_has_time_and_longest_for_the_end() -> None:
    views = some_of("gangs")[:3]
    *others, last = [time for _, time in frames(film(views)[0])]
    assert {1200} == set(others)
    assert last > 1200
    *many, _ = [time for _, time in frames(film(views[:1] * 120)[0])]
    assert [500] * 119 == many


def test_a_film_that_is_too_large_shows_fewer_positions_from_the_first_to_the_last() -> None:
    views = views_of("gangs")[:12]
    whole, all_shown = film(views)
    small, shown = film(views, most=len(whole) * 3 // 4)
    assert len(small) <= len(whole) * 3 // 4
    assert 2 < shown < all_shown == len(views)
    (first, *_, last), (at_first, *_, at_last) = frames(whole), frames(small)
    assert [first[0].tobytes(), last[0].tobytes()] == [at_first[0].tobytes(), at_last[0].tobytes()]


def test_whoever_asks_gets_the_same_bytes() -> None:
    """A film is made of what onlookers see, and of nothing else."""
    views = some_of("alibaba")
    assert film(views) == film([*views])
    assert all(view.viewer is None and view.state == view.state.observe(None) for view in views)


def test_in_high_contrast_only_the_list_of_colors_is_another_one() -> None:
    views = some_of("jinns")[:2]
    usual, strong = film(views)[0], film(views, contrast=True)[0]
    palette = next(renders.paint_all(views, labels(views[0]))).ground.palette
    colors = slice(13, 13 + 3 * 256)  # after the header and the size (GIF89a, 18 and 19)
    assert (palette.bytes, palette.contrast) == (usual[colors], strong[colors])
    assert usual[: colors.start] + usual[colors.stop :] == strong[: colors.start] + strong[colors.stop :]
