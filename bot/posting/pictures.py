"""Drawing in worker threads, so that the event loop goes on while a board is made."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

import discord

from bot.errors import GameFault, ShuttingDown
from bot.metrics import PICTURES
from bot.tables.faults import guarding_match
from bot.tables.table import Table
from engine.core import GameSpec, State, View
from engine.match import Match
from engine.story.chapter import Chapter
from engine.values import Value

if TYPE_CHECKING:
    from renders.cards import Card
    from renders.picture import Picture

T = TypeVar("T")

MAX_BYTES = 8_000_000
"""Of a moving picture: less than the 10 MiB that Discord takes in every server."""

FRAMES_PER_SLICE = 4
"""Frames of a moving picture that are made before others have their turn: some hundredths of a second."""


class Drawn(Value):
    """A finished picture: the bytes of its file, the name it is attached by, and its text description."""

    data: bytes
    filename: str
    alt: str

    def file(self) -> discord.File:
        """A fresh attachment; Discord's library uses each only once."""
        return discord.File(io.BytesIO(self.data), self.filename, description=self.alt)


class Animation(Drawn):
    """An animation with the description of its last frame. It contains `frames` positions of `of`."""

    frames: int
    of: int


class Pictures:
    """Two worker threads: more would only wait for each other."""

    def __init__(self) -> None:
        # measured: two threads compress 1.9 times as fast as one; shapes get no faster, since Pillow holds the GIL
        # and no processes: to hand over 200 KB takes 17 µs from a thread, and 340 µs from a process
        self._pool = ThreadPoolExecutor(2, "picture")
        self._animating = asyncio.Lock()
        self._left = False

    async def draw(
        self, view: View[State], names: Sequence[str], persons: Sequence[str] = (), *, contrast: bool = False
    ) -> Drawn:
        """The picture of a view; `persons` are the plain names of who plays the seats."""
        with PICTURES.time():
            return await self._run_in_thread(partial(_draw, view, tuple(names), tuple(persons), contrast))

    async def draw_at(self, table: Table, view: View[State], *, contrast: bool) -> Drawn:
        """The picture of a view at a table; the plain one if the game's own drawing is that of a package, and fails."""
        names, persons = table.seat_names, table.names_with_portraits
        try:
            with guarding_match(table.row.game, table.id):
                return await self.draw(view, names, persons, contrast=contrast)
        except GameFault:
            return await self._run_in_thread(partial(_draw_plainly, view, names, persons, contrast))

    async def draw_story(
        self,
        view: View[State],
        chapter: Chapter,
        names: Sequence[str],
        persons: Sequence[str],
        *,
        contrast: bool,
    ) -> Drawn:
        """The picture of the story of a match; `view` is that of the public at its end."""
        return await self._run_in_thread(partial(_draw_story, view, chapter, tuple(names), tuple(persons), contrast))

    async def draw_card(self, card: Callable[[], Card], name: str, alt: str, *, contrast: bool) -> Drawn:
        """The picture of a page of `/stats`, by its words."""
        return await self._run_in_thread(partial(_draw_card, card, name, alt, contrast))

    async def animation(
        self,
        views: Callable[[], Sequence[View[State]]],
        names: Sequence[str],
        persons: Sequence[str],
        *,
        large: bool,
        contrast: bool,
    ) -> Animation:
        """The moving picture of some views of one match, one slice after the other: boards go first in between.

        There is only one under way at a time, so that one of the threads is always left for boards.
        """
        async with self._animating:
            work = _animating(views, tuple(names), tuple(persons), large=large, contrast=contrast)
            while (animation := await self._run_in_thread(partial(_slice, work))) is None:
                pass
        return animation

    async def _run_in_thread(self, work: Callable[[], T]) -> T:
        """Run work in one of the threads and return its result. Raises `ShuttingDown`."""
        if self._left:
            raise ShuttingDown
        # in a context of its own, which knows the language
        return await asyncio.get_running_loop().run_in_executor(self._pool, copy_context().run, work)

    async def warm_up(self, spec: GameSpec) -> None:
        """Draw a board in advance, while waiting for players, so that the real one does not wait for the art."""
        # any match will do: what takes long is to load fonts, grounds and pieces for the first time
        match = Match.begin(spec, spec.setup(spec.seats[0]), "")
        await self.draw(match.view(None), match.names)

    def close(self) -> None:
        """Stop the threads; later requests fail with `ShuttingDown`."""
        self._left = True
        self._pool.shutdown(wait=False, cancel_futures=True)


def describe(view: View[State], names: Sequence[str]) -> str:
    """The long text description of a view."""
    import renders  # here and below: the first picture can load it, the start of the bot need not wait for it

    return renders.tell(view, names)


def _draw(view: View[State], names: Sequence[str], persons: Sequence[str], contrast: bool) -> Drawn:
    import renders

    return _encode(renders.draw(view, names, persons), f"{view.game}-{view.ply}", contrast)


def _draw_plainly(view: View[State], names: Sequence[str], persons: Sequence[str], contrast: bool) -> Drawn:
    import renders

    return _encode(renders.draw_plainly(view, names, persons), f"{view.game}-{view.ply}", contrast)


def _draw_story(
    view: View[State], chapter: Chapter, names: Sequence[str], persons: Sequence[str], contrast: bool
) -> Drawn:
    from renders import story

    return _encode(story.draw(view, chapter, names, persons), f"{view.game}-story", contrast)


def _draw_card(card: Callable[[], Card], name: str, alt: str, contrast: bool) -> Drawn:
    from renders import cards

    return _encode(cards.draw(card(), alt), name, contrast)


def _encode(picture: Picture, name: str, contrast: bool) -> Drawn:
    import renders

    return Drawn(renders.png(picture, contrast=contrast), f"{name}.png", picture.alt)


def _animating(
    views: Callable[[], Sequence[View[State]]],
    names: Sequence[str],
    persons: Sequence[str],
    *,
    large: bool,
    contrast: bool,
) -> Iterator[Animation | None]:
    """Nothing for every frame that is made, then the animation."""
    import renders
    from renders.animation import FULL, HALF, animate

    seen, scale = views(), FULL if large else HALF
    for data, frames in animate(seen, names, persons, scale=scale, most=MAX_BYTES, contrast=contrast):
        if data:
            # a GIF: Discord does not animate APNG, and in lossless WebP the same takes seven times as long to make
            name = f"{seen[-1].game}-{seen[0].ply}-{seen[-1].ply}.gif"
            yield Animation(data, name, renders.draw(seen[-1], names, persons).alt, frames, len(seen))
        yield None


def _slice(work: Iterator[Animation | None]) -> Animation | None:
    """Some more of the work on an animation, and the animation if that was the last of it."""
    return next((animation for animation in islice(work, FRAMES_PER_SLICE) if animation), None)
