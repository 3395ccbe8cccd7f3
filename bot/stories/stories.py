"""When a match is over, its story follows: computed in the workers, kept, and posted once, whatever happens meanwhile.

That it is due is written with the end itself (`STORY_DUE`), and forgotten when it was told; so a kill loses nothing.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from functools import partial

import discord

from bot.clock import Clock, growing
from bot.errors import TROUBLE, logged, reason
from bot.posting.backoff import Backoff
from bot.posting.channels import Channels
from bot.posting.pictures import Pictures
from bot.store.matches import STORY_DUE
from bot.store.rows import Status
from bot.store.store import Store
from bot.store.trouble import patiently
from bot.stories.layouts import story_layout
from bot.tables.table import Table
from bot.tables.tables import Tables
from bot.thinking.queue import Priority
from bot.thinking.thinkers import Thinkers
from engine.match import Match
from engine.story.chapter import chapter_of
from engine.story.looking import Look, Looked, looked
from engine.story.telling import Story, Telling, telling, worth_telling

_log = logging.getLogger(__name__)

SCOPE, NAME = "match", "story"
"""Where a story is kept once it is known."""

TRIES = 4
"""How often a single look is given to the workers, which may be too busy for it."""

FOR_GOOD = (400, 403, 404, 413)
"""What Discord answers to a request that will not go better later."""


class Stories:
    """Tells the stories of matches that have come to their end, if the host of the bot wants it."""

    def __init__(
        self,
        channels: Channels,
        store: Store,
        tables: Tables,
        pictures: Pictures,
        thinkers: Thinkers,
        clock: Clock,
        *,
        wanted: bool,
    ) -> None:
        self._channels = channels
        self._store = store
        self._tables = tables
        self._pictures = pictures
        self._thinkers = thinkers
        self._clock = clock
        self._backoff = Backoff(channels, clock)
        self._wanted = wanted
        self._telling: dict[int, asyncio.Task[None]] = {}
        self._thinking: dict[int, asyncio.Task[Story]] = {}
        tables.watch(self._changed)

    async def catch_up(self) -> None:
        """After a start: tell the stories that the last process left untold."""
        for match_id in await self._store.settings.having(SCOPE, STORY_DUE):
            table = await self._tables.find(match_id)
            if table is not None and table.match is not None:
                self._changed(table)

    async def of(self, match_id: int, match: Match) -> Story:
        """The story of a match that is over; thought over now, if it is not kept. Raises what thinking does."""
        if kept := await self._store.settings.get(SCOPE, match_id, NAME):
            return Story.of(kept)
        if match_id not in self._thinking:
            task = self._thinking[match_id] = asyncio.create_task(self._think(match_id, match))
            task.add_done_callback(lambda _: self._thinking.pop(match_id, None))
        return await asyncio.shield(self._thinking[match_id])

    async def close(self) -> None:
        """Stop telling; what is untold is told after the next start."""
        tasks = [*self._telling.values(), *self._thinking.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _changed(self, table: Table) -> None:
        if table.row.status is Status.OVER and table.id not in self._telling:
            work = patiently(self._clock, partial(self._tell, table))
            task = self._telling[table.id] = asyncio.create_task(
                logged(work, _log, "the story of match %d cannot be told", table.id)
            )
            task.add_done_callback(lambda _: self._telling.pop(table.id, None))

    async def _tell(self, table: Table) -> None:
        """Post the story of a match if that is still due."""
        if not await self._store.settings.get(SCOPE, table.id, STORY_DUE):
            return
        await self._store.require_well()  # or it would be posted anew until it can be noted
        match = table.shown()
        if self._wanted and table.people and await asyncio.to_thread(worth_telling, match):
            try:
                story = await self.of(table.id, match)
            except (TimeoutError, BrokenExecutor):
                _log.warning("the workers do not get ready with the story of match %d; it stays due", table.id)
                return
            await self._post(table, match, story)
        await self._store.settings.drop(SCOPE, table.id, STORY_DUE)

    async def _think(self, match_id: int, match: Match) -> Story:
        """One slice after the other, so that whatever is more urgent comes in between."""
        teller, found, seed = telling(match), None, secrets.token_hex(8)
        while not isinstance(step := await asyncio.to_thread(_next, teller, found), Story):
            found = await self._found(match, step, seed)
        await self._store.settings.put(SCOPE, match_id, NAME, step.stored())
        return step

    async def _found(self, match: Match, looks: Sequence[Look], seed: str) -> tuple[Looked, ...]:
        """What some looks find. If they take too long they are tried by halves, and a single one again after a while.

        Raises what thinking does, in the end.
        """
        for tries in range(TRIES):
            try:
                given = (match.spec.slug, match.setup.seats, tuple(looks), seed)
                return await self._thinkers.think(looked, *given, priority=Priority.STORY)
            except (TimeoutError, BrokenExecutor):
                if len(looks) > 1:
                    break
            await self._clock.sleep(growing(tries))
        else:
            raise TimeoutError
        half = len(looks) // 2
        return (*await self._found(match, looks[:half], seed), *await self._found(match, looks[half:], seed))

    async def _post(self, table: Table, match: Match, story: Story) -> None:
        """Send it below the last board, again and again until Discord takes it or never will."""
        tries = 0
        while not (table.waiting is None and await self._sent(table, match, story)):
            await self._backoff.pause(tries)
            tries += 1

    async def _sent(self, table: Table, match: Match, story: Story) -> bool:
        """Whether it is there, or never will be."""
        chapter = chapter_of(match, story, match.names)
        people, contrast = (table.seat_names, table.portrayed), await self._channels.in_contrast(table)
        drawn = await self._pictures.draw_story(match.view(None), chapter, *people, contrast=contrast)
        layout = story_layout(table, story, (drawn.filename, drawn.alt))
        try:
            # the nonce names the match: a repeated request, even after a crash, is the same message
            nonce = f"story-{table.id}"
            await self._channels.send(table.row.channel_id, layout, files=[drawn.file()], nonce=nonce)
        except TROUBLE as error:
            _log.warning("the story of match %d could not be posted: %s", table.id, reason(error))
            return isinstance(error, discord.HTTPException) and error.status in FOR_GOOD and bool(error.code)
        return True


def _next(teller: Telling, found: tuple[Looked, ...] | None) -> tuple[Look, ...] | Story:
    """What is to be looked at next, or the story."""
    try:
        return next(teller) if found is None else teller.send(found)
    except StopIteration as end:
        story: Story = end.value
        return story
