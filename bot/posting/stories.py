"""The stories of matches that are over: computed in the workers, and kept."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from functools import partial

from bot.clock import Clock, backoff
from bot.computers.queue import Priority
from bot.computers.thinkers import Thinkers
from bot.store.store import Store
from bot.store.tally import SeatStory
from bot.tables.faults import run_contained
from bot.tables.rated import owned_plies
from engine.match import Match
from engine.story.chapter import luck_of
from engine.story.looking import Look, LookResult, analyze
from engine.story.telling import OwnedPlies, Story, Telling, tell_story

SCOPE, NAME = "match", "story"
"""The key of a stored story."""

MAX_ATTEMPTS = 4
"""The attempts at a single look, since busy workers may time out."""


class Stories:
    """Tells the stories of finished matches. `wanted`: the operator wants them on boards, without being asked."""

    def __init__(self, store: Store, thinkers: Thinkers, clock: Clock, *, wanted: bool) -> None:
        self._store = store
        self._thinkers = thinkers
        self._clock = clock
        self.wanted = wanted
        self._thinking: dict[int, asyncio.Task[Story]] = {}

    async def of(self, match_id: int, match: Match) -> Story:
        """The story of a match that is over; thought over now, if it is not kept. Raises what thinking does."""
        if stored := await self._store.settings.get(SCOPE, match_id, NAME):
            return Story.of(stored)
        if match_id not in self._thinking:
            task = self._thinking[match_id] = asyncio.create_task(run_contained(self._think(match_id, match)))
            task.add_done_callback(partial(self._forget_task, match_id))
        # several may wait for the same story: one who gives up must not end it for the others
        return await asyncio.shield(self._thinking[match_id])

    def _forget_task(self, match_id: int, task: asyncio.Task[Story]) -> None:
        del self._thinking[match_id]
        if not task.cancelled():
            task.exception()  # awaiting callers get it; without any, asyncio would log it

    async def close(self) -> None:
        """Stop thinking; stories that are missing are computed after the next start."""
        tasks = list(self._thinking.values())
        for task in tasks:
            task.cancel()
        # or the first that is canceled would raise that here
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _think(self, match_id: int, match: Match) -> Story:
        """Think in slices, so that more urgent work can come in between."""
        owned = await self._owned_plies(match_id, match)
        teller, answers, seed = tell_story(match, owned=owned), None, secrets.token_hex(8)
        while not isinstance(step := await asyncio.to_thread(_next, teller, answers), Story):
            answers = await self._evaluate(match, step, seed)
        found_of_seats = await asyncio.to_thread(_by_seat, match, step, owned)
        async with self._store.transaction():
            await self._store.settings.put(SCOPE, match_id, NAME, step.stored())
            await self._store.ratings.note_story(match_id, found_of_seats)
        return step

    async def _owned_plies(self, match_id: int, match: Match) -> OwnedPlies:
        row = await self._store.matches.find(match_id)
        assert row is not None, "matches are never deleted"
        return owned_plies(row, match, await self._store.ratings.owners(match_id))

    async def _evaluate(self, match: Match, looks: Sequence[Look], seed: str) -> tuple[LookResult, ...]:
        """The results of some looks. After a timeout, they are split in halves; a single look is retried after a pause.

        Raises the error of the last attempt.
        """
        for tries in range(MAX_ATTEMPTS):
            try:
                arguments = (match.spec.slug, match.setup.seats, tuple(looks), seed)
                return await self._thinkers.think(analyze, *arguments, priority=Priority.STORY)
            except (TimeoutError, BrokenExecutor):
                if len(looks) > 1:
                    break
            await self._clock.sleep(backoff(tries))
        else:
            raise TimeoutError
        # only a `break` leads here: a single look raises in the end
        half = len(looks) // 2
        return (*await self._evaluate(match, looks[:half], seed), *await self._evaluate(match, looks[half:], seed))


def _by_seat(match: Match, story: Story, owned: OwnedPlies) -> list[SeatStory]:
    """The statistics of each seat's owner for `/stats`, without the choices of a computer in their place."""
    seats = zip(luck_of(match, story, owned), story.own_plays, _lowest(story, owned), strict=True)
    return [SeatStory(luck, play.lost, play.usually, play.choices, least) for luck, play, least in seats]


def _lowest(story: Story, owned: OwnedPlies) -> list[float]:
    """The lowest chance of each seat while its owner played it."""
    # a ply leads from one position to the next
    positions = [{*plies, *(ply + 1 for ply in plies)} for plies in owned]
    return [min((story.course[n][seat] for n in there), default=1.0) for seat, there in enumerate(positions)]


def _next(teller: Telling, found: tuple[LookResult, ...] | None) -> tuple[Look, ...] | Story:
    """The next looks, or the story."""
    try:
        return next(teller) if found is None else teller.send(found)
    except StopIteration as end:
        story: Story = end.value
        return story
