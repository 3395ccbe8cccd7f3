"""Animations: every frame is the board at that time, and the file is small enough to send."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from itertools import cycle, islice

import pytest
from PIL import Image, ImageChops, ImageSequence

import renders
from engine.core import View
from engine.games import discover
from engine.match import Match
from engine.turns import scenes_of
from renders.animation import FULL, HALF, Frames, animate
from renders.canvas import Canvas
from renders.games import muses
from renders.games.muscat.ground import ground
from renders.games.muses.layout import Grid
from renders.picture import picture_of
from renders.tokens import token
from tests.playthroughs.recorder import FOLDER, Playthrough
from tests.renders.positions import image_of

RECORDINGS = {slug: some for slug in discover() if (some := sorted((FOLDER / slug).glob("*.txt")))}
"""Recorded games by game; the middle one is animated."""

TINY = 20
"""Divisor of the size of frames whose pixels do not matter."""


@cache
def views_of(game: str) -> tuple[View, ...]:
    """The public views of a recorded game's scenes."""
    recording = RECORDINGS[game][len(RECORDINGS[game]) // 2]
    playthrough = Playthrough.read(recording.read_text(encoding="utf-8"))
    match = Match.replay(
        playthrough.spec,
        playthrough.spec.setup(playthrough.seats, playthrough.options),
        playthrough.seed,
        playthrough.entries,
    )
    return tuple(match.until(scene.end).view(None, since=scene.first) for scene in scenes_of(match))


def some_of(game: str) -> list[View]:
    """The first view, a middle one, and the last two."""
    views = views_of(game)
    return [views[0], views[len(views) // 2], *views[-2:]]


def labels(view: View) -> tuple[str, ...]:
    return discover()[view.game].seat_names(view.setup)


def gif(views: Sequence[View], scale: int = HALF, most: int = 10**9, *, contrast: bool = False) -> tuple[bytes, int]:
    *_, finished = animate(views, labels(views[0]), scale=scale, most=most, contrast=contrast)
    return finished


def frames(data: bytes) -> list[tuple[Image.Image, int]]:
    """The composed frames with their durations in ms."""
    with Image.open(io.BytesIO(data)) as image:
        return [(frame.convert("RGB"), frame.info["duration"]) for frame in ImageSequence.Iterator(image)]


def max_difference(one: Image.Image, other: Image.Image) -> int:
    """Maximum difference between two pictures in any channel."""
    return max(most for _, most in ImageChops.difference(one.convert("RGB"), other.convert("RGB")).getextrema())


@pytest.mark.parametrize("game", ["jinns", "muses"])  # the others are painted in the same way
def test_every_frame_is_the_board_at_half_size(game: str) -> None:
    views = some_of(game)
    actual_frames = [frame for frame, _ in frames(gif(views, scale=HALF)[0])]
    stills = [
        canvas.ground.palette.quantize(image_of(picture_of(canvas, "")).convert("RGB").reduce(2))
        for canvas in renders.paint_all(views, labels(views[0]))
    ]
    assert (540, 720) == actual_frames[0].size
    assert all(max_difference(frame, still) <= 7 for frame, still in zip(actual_frames, stills, strict=True))
    assert max_difference(actual_frames[0], actual_frames[-1]) > 100, "something happens in it"


def test_at_full_size_every_frame_equals_the_picture_that_was_sent() -> None:
    views = some_of("muscat")
    actual_frames = [frame for frame, _ in frames(gif(views, scale=FULL)[0])]
    assert all(
        max_difference(frame, image_of(renders.draw(view, labels(view)))) <= 7
        for frame, view in zip(actual_frames, views, strict=True)
    )


def test_a_strip_changes_only_with_its_sprites_or_their_order() -> None:
    small, large = token(0, 20), token(1, 40)
    here, there, above = Canvas(ground()), Canvas(ground()), Canvas(ground())
    for canvas, things in ((here, (small, large)), (there, (small, large)), (above, (large, small))):
        for thing in things:
            canvas.put(thing, 300, 300)
    assert here.strips() == there.strips() != above.strips()
    there.put(small, 810, 600)
    pairs = zip(there.strips(), here.strips(), strict=True)
    assert [7] == [number for number, (now, then) in enumerate(pairs) if now != then], "the eighth row of 80 px"


def test_muses_frames_share_one_grid_for_the_whole_animation(monkeypatch: pytest.MonkeyPatch) -> None:
    grids: list[Grid] = []
    monkeypatch.setattr(muses, "draw_cloth", lambda _canvas, grid, _taken: grids.append(grid))
    views = views_of("muses")[:8]
    for view in views:
        muses.paint(view, labels(view))
    assert len(set(grids)) > 1
    grids.clear()
    assert len(views) == len(list(renders.paint_all(views, labels(views[0]))))
    assert 1 == len(set(grids))


def test_each_frame_stays_readable_and_the_last_one_stays_longest() -> None:
    for number, time in ((3, 1200), (122, 500)):
        *others, last = durations(number)
        assert ({time}, number - 1) == ({*others}, len(others))
        assert last > 1200


def durations(number: int) -> list[int]:
    """How long each of this many frames stays, in ms: a token that comes and goes."""
    series, bare, covered = Frames(TINY), Canvas(ground()), Canvas(ground())
    covered.put(token(0, 40), 300, 300)
    for canvas in islice(cycle((bare, covered)), number):
        series.add(canvas)
    return [time for _, time in frames(series.gif())]


def test_an_oversized_animation_drops_positions_but_keeps_the_first_and_last() -> None:
    views = views_of("gangs")[:12]
    whole, full_count = gif(views)
    small, count = gif(views, most=len(whole) * 3 // 4)
    assert len(small) <= len(whole) * 3 // 4
    assert 2 < count < full_count == len(views)
    (first, *_, last), (at_first, *_, at_last) = frames(whole), frames(small)
    assert [first[0].tobytes(), last[0].tobytes()] == [at_first[0].tobytes(), at_last[0].tobytes()]


def test_an_animation_has_the_same_bytes_for_every_user() -> None:
    """An animation depends only on its public views."""
    views = some_of("alibaba")
    assert gif(views) == gif([*views])
    assert all(view.viewer is None and view.state == view.state.observe(None) for view in views)


def test_high_contrast_changes_only_the_palette() -> None:
    views = some_of("jinns")[:2]
    usual, strong = gif(views)[0], gif(views, contrast=True)[0]
    palette = next(renders.paint_all(views, labels(views[0]))).ground.palette
    colors = slice(13, 13 + 3 * 256)  # after the header and the size (GIF89a, 18 and 19)
    assert (palette.bytes, palette.contrast) == (usual[colors], strong[colors])
    assert usual[: colors.start] + usual[colors.stop :] == strong[: colors.start] + strong[colors.stop :]
