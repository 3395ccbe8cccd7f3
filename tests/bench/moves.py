"""Whole moves on loopback, one at a time, by commands and by taps, beside the same bot with a ready picture (B0) and
a bare bot of the same shape (D0).

All three bots stay connected, each to a playground of its own, and take turns in short blocks. Times are the
playground's: from handing the interaction to the gateway until the message with the board has arrived (posted). CPU is
that of the bot's process, all threads, until it asks for nothing more.
"""

from __future__ import annotations

import gc
from collections import defaultdict
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench.measure import Effort, Spread, percentile
from tests.bench.report import Goal, Row, judged_row, ms
from tests.bench.scene import in_scene
from tests.bench.stage import BareRoom, GameRoom, Kind, Moment, room, staged

WAYS = ("slash", "Confirm")
BLOCKS = {Kind.BARE: 2, Kind.READY: 3, Kind.HOUSE: 5}
"""Moves of each way that a bot makes before it is the next one's turn."""

WHOLE = {50: Goal(2.2), 99: Goal(4)}
OWN = {"slash": Goal(2.5), "Confirm": Goal(2)}
REQUESTS, COUNTED = Goal(2), Goal(1)


@dataclass
class Round:
    """Measurements of fresh bots: moments by kind and way, commits (moment and CPU seconds) by kind."""

    moments: dict[tuple[Kind, str], list[Moment]] = field(default_factory=lambda: defaultdict(list))
    commits: dict[Kind, list[tuple[float, float]]] = field(default_factory=dict)

    def posted(self, kind: Kind, way: str, percent: float) -> float:
        return percentile([moment.posted for moment in self.moments[kind, way]], percent)

    def cpu(self, kind: Kind, way: str) -> float:
        return Spread.of(moment.cpu for moment in self.moments[kind, way]).mid

    def own(self, kind: Kind, way: str) -> float:
        """CPU of a move (median) without its commit."""
        return Spread.of(moment.cpu - self._commit(kind, moment) for moment in self.moments[kind, way]).mid

    def _commit(self, kind: Kind, moment: Moment) -> float:
        return sum(cpu for at, cpu in self.commits[kind] if moment.start <= at <= moment.end)


def rows(effort: Effort) -> list[Row]:
    """R11, R10 and R16, for typed and for tapped moves."""
    blocks = effort.rounds(17)
    rounds = [in_scene(lambda folder, picture: _round(folder, picture, blocks)) for _ in range(effort.processes)]
    return [row for way in WAYS for row in _rows(way, rounds)]


def _rows(way: str, rounds: list[Round]) -> list[Row]:
    count = sum(len(round_.moments[Kind.HOUSE, way]) for round_ in rounds)
    return [
        *(_whole(way, rounds, percent, count) for percent in WHOLE),
        _own(way, rounds),
        *_requests(way, rounds),
    ]


def _whole(way: str, rounds: list[Round], percent: int, count: int) -> Row:
    whole = Spread.of(round_.posted(Kind.HOUSE, way, percent) for round_ in rounds)
    anchor = Spread.of(round_.posted(Kind.READY, way, percent) for round_ in rounds)
    ratio = Spread.of(r.posted(Kind.HOUSE, way, percent) / r.posted(Kind.READY, way, percent) for r in rounds)
    what = f"{way} → board posted, p{percent} of {count}"
    return judged_row("R11", what, WHOLE[percent], ratio, figure=ms(whole), anchor=f"B0 {ms(anchor)}")


def _own(way: str, rounds: list[Round]) -> Row:
    """CPU with a ready picture, less that of the commit, beside the bare bot's."""
    bare = Spread.of(round_.cpu(Kind.BARE, way) for round_ in rounds)
    own = Spread.of(round_.own(Kind.READY, way) for round_ in rounds)
    ratio = Spread.of(round_.own(Kind.READY, way) / round_.cpu(Kind.BARE, way) for round_ in rounds)
    what, anchor = f"{way}: own CPU without picture and commit", f"D0 {ms(bare)}"
    return judged_row("R10", what, OWN[way], ratio, figure=ms(own), anchor=anchor)


def _requests(way: str, rounds: list[Round]) -> list[Row]:
    moments = [moment for results in rounds for moment in results.moments[Kind.HOUSE, way]]
    usual = Spread.of([Spread.of(moment.requests for moment in moments).mid])
    counted = Spread.of([Spread.of(moment.counted for moment in moments).mid])
    return [
        judged_row("R16", f"{way}: requests to Discord per move", REQUESTS, usual),
        judged_row("R16", f"{way}: of them counted by its global limit", COUNTED, counted),
    ]


async def _round(folder: Path, picture: Path, blocks: int) -> Round:
    """Three fresh bots that take turns."""
    measured = Round()
    async with AsyncExitStack() as stack:
        stages = [await stack.enter_async_context(staged(kind, folder / kind.value, picture)) for kind in Kind]
        rooms = {stage.kind: room(stage) for stage in stages}
        for table in rooms.values():
            await _block(table, Round(), 3)  # warm
        for _ in range(blocks):
            for kind, moves in BLOCKS.items():
                await _block(rooms[kind], measured, moves)
        measured.commits = {stage.kind: (await stage.notes()).commits for stage in stages}
    return measured


async def _block(table: BareRoom | GameRoom, found: Round, moves: int) -> None:
    """A few moves of each way, with the playground's garbage collected before and not in between."""
    gc.enable()
    gc.collect()
    gc.disable()
    for way in WAYS:
        act = table.slash if way == "slash" else table.confirm
        counted = 0
        while counted < moves:
            moment = await act()
            if moment is not None:
                found.moments[table.stage.kind, way].append(moment)
                counted += 1
