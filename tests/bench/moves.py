"""Whole moves on loopback, one at a time, by commands and by taps, beside the same bot with a ready picture (B0) and
a bare bot of the same shape (D0).

All three bots stay connected, each to a playground of its own, and take turns in short blocks. Times are the
playground's: from handing the interaction to the gateway until the first answer has arrived (acknowledged) and until
the message with the board has arrived (posted). CPU is that of the bot's process, all threads, until it asks for
nothing more.
"""

from __future__ import annotations

import gc
from collections import defaultdict
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bot.store.store import Store
from tests.bench.measure import Effort, Spread, percentile
from tests.bench.report import Goal, Row, judged_row, ms, noted_row
from tests.bench.scene import in_scene
from tests.bench.stage import BareRoom, GameRoom, Kind, Moment, room, staged

WAYS = ("slash", "Confirm")
BLOCKS = {Kind.BARE: 2, Kind.READY: 3, Kind.HOUSE: 5}
"""Moves of each way that a bot makes before it is the next one's turn."""

WHOLE = {50: Goal(2.2), 99: Goal(4)}
OWN = {"slash": Goal(2.5), "Confirm": Goal(2)}
SHARE, REQUESTS, COUNTED = Goal(15), Goal(2), Goal(1)


COMMIT = Store.write.__name__
"""The call of the store that commits a move."""


@dataclass
class Round:
    """Measurements of fresh bots: moments by kind and way, the store's calls by kind."""

    moments: dict[tuple[Kind, str], list[Moment]] = field(default_factory=lambda: defaultdict(list))
    store: dict[Kind, list[tuple[str, float, float, float]]] = field(default_factory=dict)

    def posted(self, kind: Kind, way: str, percent: float) -> float:
        return percentile([moment.posted for moment in self.moments[kind, way]], percent)

    def acknowledged(self, kind: Kind, way: str, percent: float) -> float:
        return percentile([moment.acknowledged for moment in self.moments[kind, way]], percent)

    def cpu(self, kind: Kind, way: str) -> float:
        return Spread.of(moment.cpu for moment in self.moments[kind, way]).mid

    def own(self, kind: Kind, way: str, *calls: str) -> float:
        """CPU of a move (median) without some calls of the store; all of them if none is named."""
        return Spread.of(m.cpu - self._store_cpu(kind, m, calls) for m in self.moments[kind, way]).mid

    def commit_share(self, way: str) -> float:
        """Percent of the median move, until its board is posted, that the median commit takes."""
        walls = [w for name, at, w, _ in self.store[Kind.HOUSE] if name == COMMIT and self._within(way, at)]
        return 100 * percentile(walls, 50) / self.posted(Kind.HOUSE, way, 50)

    def store_calls(self, way: str) -> tuple[int, float]:
        """Number of calls of the store for a move (median), and seconds spent waiting for it."""
        calls_of_kind = [
            [wall for _, at, wall, _ in self.store[Kind.HOUSE] if _in(moment, at)]
            for moment in self.moments[Kind.HOUSE, way]
        ]
        return round(Spread.of(map(len, calls_of_kind)).mid), Spread.of(map(sum, calls_of_kind)).mid

    def _within(self, way: str, moment: float) -> bool:
        return any(_in(m, moment) for m in self.moments[Kind.HOUSE, way])

    def _store_cpu(self, kind: Kind, moment: Moment, calls: tuple[str, ...]) -> float:
        counted = (call for call in self.store[kind] if not calls or call[0] in calls)
        return sum(cpu for _, at, _, cpu in counted if _in(moment, at))


def _in(moment: Moment, at: float) -> bool:
    return moment.start <= at <= moment.end


def rows(effort: Effort) -> list[Row]:
    """R11, R10, R7's share and R16, for typed and for tapped moves."""
    blocks = effort.rounds(17)
    rounds = [in_scene(lambda folder, picture: _round(folder, picture, blocks)) for _ in range(effort.processes)]
    return [row for way in WAYS for row in _rows(way, rounds)]


def _rows(way: str, rounds: list[Round]) -> list[Row]:
    count = sum(len(round_.moments[Kind.HOUSE, way]) for round_ in rounds)
    return [
        *(_whole(way, rounds, percent, count) for percent in WHOLE),
        *(_acknowledgement_row(way, rounds, percent) for percent in WHOLE),
        _beside_bare(way, rounds),
        *_own(way, rounds),
        *_share(way, rounds),
        *_requests(way, rounds),
    ]


def _whole(way: str, rounds: list[Round], percent: int, count: int) -> Row:
    whole = Spread.of(round_.posted(Kind.HOUSE, way, percent) for round_ in rounds)
    anchor = Spread.of(round_.posted(Kind.READY, way, percent) for round_ in rounds)
    ratio = Spread.of(r.posted(Kind.HOUSE, way, percent) / r.posted(Kind.READY, way, percent) for r in rounds)
    what = f"{way} → board posted, p{percent} of {count}"
    return judged_row("R11", what, WHOLE[percent], ratio, figure=ms(whole), anchor=f"B0 {ms(anchor)}")


def _acknowledgement_row(way: str, rounds: list[Round], percent: int) -> Row:
    time = Spread.of(round_.acknowledged(Kind.HOUSE, way, percent) for round_ in rounds)
    anchor = Spread.of(round_.acknowledged(Kind.READY, way, percent) for round_ in rounds)
    return noted_row(f"{way} → acknowledged, p{percent}", ms(time), anchor=f"B0 {ms(anchor)}")


def _beside_bare(way: str, rounds: list[Round]) -> Row:
    whole = Spread.of(round_.posted(Kind.HOUSE, way, 50) for round_ in rounds)
    anchor = Spread.of(round_.posted(Kind.BARE, way, 50) for round_ in rounds)
    ratio = Spread.of(round_.posted(Kind.HOUSE, way, 50) / round_.posted(Kind.BARE, way, 50) for round_ in rounds)
    return noted_row(f"{way} → board posted, p50, beside a bare bot", ms(whole), anchor=f"D0 {ms(anchor)}", ratio=ratio)


def _own(way: str, rounds: list[Round]) -> list[Row]:
    """CPU with a ready picture, less that of the commit, beside the bare bot's; and what of it is the store's."""
    bare = Spread.of(round_.cpu(Kind.BARE, way) for round_ in rounds)
    own = Spread.of(round_.own(Kind.READY, way, COMMIT) for round_ in rounds)
    ratio = Spread.of(round_.own(Kind.READY, way, COMMIT) / round_.cpu(Kind.BARE, way) for round_ in rounds)
    rest = Spread.of(round_.own(Kind.READY, way) for round_ in rounds)
    less = Spread.of(round_.own(Kind.READY, way) / round_.cpu(Kind.BARE, way) for round_ in rounds)
    all_of_it = Spread.of(round_.cpu(Kind.HOUSE, way) for round_ in rounds)
    anchor = f"D0 {ms(bare)}"
    return [
        judged_row("R10", f"{way}: own CPU without picture and commit", OWN[way], ratio, figure=ms(own), anchor=anchor),
        noted_row(f"{way}: the same without any call of the store", ms(rest), anchor=anchor, ratio=less),
        noted_row(f"{way}: the bot's CPU for a whole move", ms(all_of_it), anchor=anchor),
    ]


def _share(way: str, rounds: list[Round]) -> list[Row]:
    share = Spread.of(round_.commit_share(way) for round_ in rounds)
    calls, waited = zip(*(round_.store_calls(way) for round_ in rounds), strict=True)
    return [
        judged_row("R7", f"{way}: % of the move that is the commit", SHARE, share),
        noted_row(f"{way}: all calls of the store", f"{Spread.of(calls)} calls, {ms(Spread.of(waited))}"),
    ]


def _requests(way: str, rounds: list[Round]) -> list[Row]:
    moments = [moment for results in rounds for moment in results.moments[Kind.HOUSE, way]]
    usual = Spread.of([Spread.of(moment.requests for moment in moments).mid])
    counted = Spread.of([Spread.of(moment.counted for moment in moments).mid])
    results = [
        judged_row("R16", f"{way}: requests to Discord per move", REQUESTS, usual),
        judged_row("R16", f"{way}: of them counted by its global limit", COUNTED, counted),
    ]
    if any(moment.before for moment in moments):
        journey = Spread.of(moment.before + moment.requests for moment in moments)
        results.append(noted_row(f"{way}: requests from Your move to the board", str(journey)))
    return results


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
        measured.store = {stage.kind: (await stage.notes()).store for stage in stages}
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
