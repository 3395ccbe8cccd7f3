"""Drawing in worker threads, so that the event loop goes on while a board is made."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import discord

from bot.figures import PICTURES
from engine.core import GameSpec, State, View
from engine.match import Match
from engine.story.chapter import Chapter


@dataclass(frozen=True, slots=True)
class Drawn:
    """A finished picture: PNG bytes, the name it is attached by, and its text twin."""

    data: bytes
    filename: str
    alt: str

    def file(self) -> discord.File:
        """A fresh attachment; Discord's library uses each only once."""
        return discord.File(io.BytesIO(self.data), self.filename, description=self.alt)


class Pictures:
    """Two worker threads: more would only wait for each other."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(2, "picture")

    async def draw(self, view: View[State], names: Sequence[str], persons: Sequence[str] = ()) -> Drawn:
        """The picture of a view; `persons` are the plain names of who plays the seats."""
        loop = asyncio.get_running_loop()
        with PICTURES.time():
            return await loop.run_in_executor(self._pool, _draw, view, tuple(names), tuple(persons))

    async def draw_story(
        self, view: View[State], chapter: Chapter, names: Sequence[str], persons: Sequence[str]
    ) -> Drawn:
        """The picture of the story of a match; `view` is that of the public at its end."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, _draw_story, view, chapter, tuple(names), tuple(persons))

    async def warm_up(self, spec: GameSpec) -> None:
        """Draw a first board for nobody, while people gather, so that the real one does not wait for the art."""
        match = Match.begin(spec, spec.setup(spec.seats[0]), "")
        await self.draw(match.view(None), match.names)

    def close(self) -> None:
        """Let the threads go."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def describe(view: View[State], names: Sequence[str]) -> str:
    """The long text twin of a view."""
    import renders  # here and below: the first picture can load it, the start of the bot need not wait for it

    return renders.tell(view, names)


def _draw(view: View[State], names: Sequence[str], persons: Sequence[str]) -> Drawn:
    import renders

    picture = renders.draw(view, names, persons)
    return Drawn(renders.png(picture), f"{view.game}-{view.ply}.png", picture.alt)


def _draw_story(view: View[State], chapter: Chapter, names: Sequence[str], persons: Sequence[str]) -> Drawn:
    from renders import story

    picture = story.draw(view, chapter, names, persons)
    return Drawn(picture.png, f"{view.game}-story.png", picture.alt)
