"""Moving pictures of a match: of any span of it, and, where a host wants that, of every round once it is over.

Of the rounds of a match only the last one stands in its channel, below the boards. What was shown is kept in the store
(`FILM`) until the match is over, so a kill loses nothing; the same round sent twice is one message.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, TypeVar

import discord
from discord.ui import Container, TextDisplay

from bot.clock import Clock
from bot.errors import TROUBLE, logged, reason
from bot.interactions.controls import Control, ControlId
from bot.interactions.parts import GOLD, Layout, layout, picture, row
from bot.posting.backoff import Backoff
from bot.posting.board import your_move
from bot.posting.channels import Channels, passes
from bot.posting.pictures import Filmed, Pictures
from bot.posting.story import moves_of
from bot.store.rows import Status
from bot.store.store import Store
from bot.store.trouble import patiently
from bot.tables.table import Table
from bot.tables.tables import Tables
from engine.core import State, View
from engine.match import Match
from engine.texts import Text
from engine.turns import Turn, rounds_of, scenes_of

_log = logging.getLogger(__name__)

T = TypeVar("T")

LARGE = 12
"""Most turns that are shown in the full size of a board; more of them are shown in half of it."""

FILM = ("match", "film")
"""Scope and name of what a match has shown: how many rounds, and the message of the last one."""


async def filmed(
    pictures: Pictures, table: Table, scenes: Sequence[Turn], chosen: tuple[int, int], *, contrast: bool
) -> Filmed:
    """The film of some scenes, the first and the last one by their numbers, from the position before them."""
    first, last = chosen
    views = partial(_views_of, table.shown(), scenes[first - 1 : last + 1])
    large = last - first < LARGE
    return await pictures.film(views, table.seat_names, table.portrayed, large=large, contrast=contrast)


def _views_of(match: Match, scenes: Sequence[Turn]) -> list[View[State]]:
    return [view_of(match, scene) for scene in scenes]


def view_of(match: Match, scene: Turn) -> View[State]:
    """What onlookers saw at the end of a scene; whoever has a seat sees no more of it here."""
    return match.until(scene.end).view(None, since=scene.first)


def film_items(
    table: Table, film: Filmed, heading: Text, shown: Sequence[Turn], last: Turn
) -> list[discord.ui.Item[Any]]:
    """The picture below its heading, and what it leaves out; `last` is the last scene of the match."""
    lines = [table.say(Text("### {heading}\n{moves}", heading=heading, moves=which_moves(shown, last)))]
    if film.shown < film.of:
        thin = Text("-# {shown} of {of} positions had room in the file.", shown=film.shown, of=film.of)
        lines.append(table.say(thin))
    alt = table.say(Text("A moving picture. It ends like this: {alt}", alt=film.alt))
    return [TextDisplay("\n".join(lines)), picture(film.filename, alt)]


def which_moves(shown: Sequence[Turn], last: Turn) -> Text:
    """Which moves are shown, and how many there are."""
    told = "{moves:Move|Moves} {numbers} of {all}"
    moves = shown[-1].moves[1] - max(1, shown[0].moves[0]) + 1
    return Text(told, moves=moves, numbers=moves_of(*shown), all=last.moves[1])


def step_by_step(table: Table, first: int) -> Control:
    """A way to the single positions, from a scene on."""
    return Control(ControlId("frame", table.id, text=str(first)), table.say(Text("Step by step")))


def films_control(table: Table) -> Control:
    """For the host: whether every round is shown."""
    label = Text("✓ Film every round") if table.films else Text("Film every round")
    return Control(ControlId("films", table.id), table.say(label))


def round_layout(table: Table, film: Filmed, scenes: Sequence[Turn], chosen: tuple[int, int]) -> Layout:
    """A round for the channel. It stands below the board, so that board's first control is here, too."""
    first, last = chosen
    heading = Text("The last round of {title}", title=table.title)
    items = film_items(table, film, heading, scenes[first : last + 1], scenes[-1])
    due = [decision.seat for decision in table.playing().state.decisions()]
    return layout(Container(*items, row(your_move(table, due), step_by_step(table, first)), accent_color=GOLD))


class Films:
    """Shows every round once it is over, at the tables whose hosts want that."""

    def __init__(self, channels: Channels, store: Store, tables: Tables, pictures: Pictures, clock: Clock) -> None:
        self._channels = channels
        self._store = store
        self._tables = tables
        self._pictures = pictures
        self._clock = clock
        self._backoff = Backoff(channels, clock)
        self._showing: dict[int, asyncio.Task[None]] = {}
        tables.watch(self._changed)

    async def catch_up(self) -> None:
        """After a start: show the rounds that the last process left unshown."""
        for match_id in await self._store.settings.having(*FILM):
            if table := await self._tables.find(match_id):
                self.look_at(table)

    async def close(self) -> None:
        """Stop showing; what is left is shown after the next start."""
        tasks = list(self._showing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def look_at(self, table: Table) -> None:
        """See whether a round is to be shown, or its message taken away. Nobody waits for it."""
        if (known := self._showing.get(table.id)) is None or known.done():
            work = patiently(self._clock, partial(self._keep_up, table))
            task = self._showing[table.id] = asyncio.create_task(
                logged(work, _log, "the rounds of match %d cannot be shown", table.id)
            )
            task.add_done_callback(partial(self._forget, table.id))

    def _forget(self, match_id: int, task: asyncio.Task[None]) -> None:
        if self._showing.get(match_id) is task:
            del self._showing[match_id]

    def _changed(self, table: Table) -> None:
        if table.films and not _board_waits(table):
            self.look_at(table)

    async def _keep_up(self, table: Table) -> None:
        """Until nothing changes any more meanwhile; after a board that waits, somebody looks again."""
        seen, now = None, _as_it_stands(table)
        while seen != now and not _board_waits(table):
            await self._show(table)
            seen, now = now, _as_it_stands(table)

    async def _show(self, table: Table) -> None:
        """Show the last round if that is still due."""
        await self._store.require_well()  # or it would be posted anew until it can be noted
        shown, match = await self._store.settings.get(FILM[0], table.id, FILM[1]), table.match
        if match is None or not table.films or table.row.status is not Status.RUNNING:
            await self._show_no_more(table, shown)
            return
        scenes, rounds = await asyncio.to_thread(_rounds, match)
        if shown is None:
            await self._note(table, len(rounds), None)
        elif len(rounds) > shown["rounds"]:
            await self._remove(table, shown)
            await self._note(table, len(rounds), await self._sent(table, scenes, rounds))

    async def _show_no_more(self, table: Table, shown: dict[str, Any] | None) -> None:
        if shown is not None:
            await self._remove(table, shown)
            await self._store.settings.drop(FILM[0], table.id, FILM[1])

    async def _note(self, table: Table, rounds: int, message_id: int | None) -> None:
        await self._store.settings.put(FILM[0], table.id, FILM[1], {"rounds": rounds, "message": message_id})

    async def _remove(self, table: Table, shown: dict[str, Any]) -> None:
        if message_id := shown["message"]:
            await self._insistently(partial(self._channels.delete, table.row.channel_id, message_id))

    async def _sent(self, table: Table, scenes: Sequence[Turn], rounds: Sequence[tuple[int, int]]) -> int | None:
        """The message of the last round; nothing if Discord will never take it."""
        contrast = await self._channels.in_contrast(table)
        film = await filmed(self._pictures, table, scenes, rounds[-1], contrast=contrast)
        shown, nonce = round_layout(table, film, scenes, rounds[-1]), f"f{table.id}-{len(rounds)}"

        async def send() -> int:
            return await self._channels.send(table.row.channel_id, shown, files=[film.file()], nonce=nonce)

        return await self._insistently(send)

    async def _insistently(self, do: Callable[[], Awaitable[T]]) -> T | None:
        """What Discord answers, asked again and again with growing pauses; nothing if it always refuses."""
        tries = 0
        while True:
            try:
                return await do()
            except TROUBLE as error:
                _log.info("a round is not shown so far: %s", reason(error))
                if not passes(error):
                    return None
            await self._backoff.pause(tries)
            tries += 1


def _board_waits(table: Table) -> bool:
    return table.waiting is not None and table.row.status is Status.RUNNING


def _as_it_stands(table: Table) -> tuple[Match | None, Status, bool]:
    return table.match, table.row.status, table.films


def _rounds(match: Match) -> tuple[list[Turn], list[tuple[int, int]]]:
    """The scenes of a match and its whole rounds; one whose last seat goes on is not whole."""
    scenes = scenes_of(match)
    rounds = rounds_of(scenes, match.setup.seats)
    due = {decision.seat for decision in match.state.decisions()}
    goes_on = bool(rounds) and rounds[-1][1] == len(scenes) - 1 and scenes[-1].seat in due
    return scenes, rounds[:-1] if goes_on else rounds
