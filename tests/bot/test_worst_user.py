"""The most expensive commands of one user do not keep other users waiting.

Counted is work, since times depend on the machine: the connection to the database is held for a few rows and steps at a
time, a tap causes a few requests, and suggestions look at a few letters. So the next user in line is served soon.
"""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from bot.interactions import limits
from bot.interactions.members import REQUESTS
from bot.store.database import Database
from bot.store.sqlite import SQLite
from playground.player import Player
from tests.bot.app import App
from tests.bot.moderating import begin
from tests.bot.watch import Watch
from tests.e2e.rooms import Room

GAMES, ENTRIES = 3_000, 30
"""Games that were played before, half of them by Ana, and moves of each."""

MAX_ROWS, MAX_STEPS = 4_000, 200_000
"""Most rows, and most steps of SQLite's machine, while others wait for the connection. A step takes about 30 ns."""

MAX_LETTERS = 2_000
"""Most letters of which accents are taken off for one suggestion."""

STRIDE = 1_000
"""Steps of SQLite's machine between two calls of the handler that counts them."""


@dataclass
class Work:
    """What was done since the last look: rows, steps and letters, and the most of rows and steps at a time."""

    rows: int = 0
    steps: int = 0
    letters: int = 0
    most_rows: int = 0
    most_steps: int = 0

    def begin(self) -> None:
        """Somebody has got the connection."""
        self.rows = self.steps = 0

    def end(self) -> None:
        """The next one may have it."""
        self.most_rows, self.most_steps = max(self.most_rows, self.rows), max(self.most_steps, self.steps)


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    """The work of the bot from now on."""
    work, counted = Work(), set[int]()
    fetch, exclusively, normalize = SQLite._fetch, Database._exclusively, unicodedata.normalize

    def step() -> None:
        work.steps += STRIDE

    async def counted_fetch(self: SQLite, sql: str, parameters: Any) -> Any:
        if id(self) not in counted:
            counted.add(id(self))
            await self._connection.set_progress_handler(step, STRIDE)
        rows = await fetch(self, sql, parameters)
        work.rows += len(rows)
        return rows

    @asynccontextmanager
    async def counted_hold(self: Database) -> AsyncIterator[None]:
        async with exclusively(self):
            work.begin()
            yield
            work.end()

    def counted_letters(form: Any, text: str) -> str:
        work.letters += len(text)
        return normalize(form, text)

    monkeypatch.setattr(SQLite, "_fetch", counted_fetch)
    monkeypatch.setattr(Database, "_exclusively", counted_hold)
    monkeypatch.setattr(unicodedata, "normalize", counted_letters)
    return work


async def crowded(app: App, room: Room) -> None:
    """Fill the database with games that are over, all of this server and channel."""
    ana, ben, caro = room.people("Ana", "Ben", "Caro")
    ((server, channel),) = app.query("SELECT guild_id, channel_id FROM matches LIMIT 1")
    numbers = f"WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < {999 + GAMES})"
    at = "'2026-01-01T00:00:00.000000+00:00'"
    host = f"CASE WHEN i % 2 THEN {ana.id} ELSE {caro.id} END"
    seats = "seat_history WHERE match_id >= 1000"
    statements = [
        f"""INSERT INTO matches (id, guild_id, channel_id, host_id, game, rules_version, options, seed, status,
            rated, moves, ended, parent_id)
            {numbers} SELECT i, {server}, {channel} + i % 500, {host}, 'sealed', 1, '{{}}', 's', 'over',
            1, 9, i, {channel} FROM n""",
        f"""INSERT INTO seat_history (match_id, seat, since, user_id, name)
            {numbers} SELECT i, seat, 0, CASE WHEN seat THEN {ben.id} ELSE {host} END, 'x'
            FROM n, (SELECT 0 AS seat UNION SELECT 1)""",
        f"""INSERT INTO results (match_id, seat, score, share, user_id, company, place, luck, lost, usually, choices,
            lowest) SELECT match_id, seat, 1, 0.5, user_id, seat, 1, 0, 0, 0, 1, 0.5 FROM {seats}""",
        f"""INSERT INTO entries (match_id, n, seat, notation, at)
            WITH RECURSIVE e(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM e WHERE k < {ENTRIES - 1})
            SELECT id, k, k % 2, 'bid 1', {at} FROM matches, e WHERE id >= 1000""",
        """INSERT INTO boards SELECT id, 1, id, '{"due": []}' FROM matches WHERE id >= 1000""",
        f"""INSERT INTO rating_history
            SELECT {server}, user_id, 'sealed', match_id, match_id, 1500, 1500, 50 FROM {seats}""",
        f"INSERT INTO ratings VALUES ({server}, {ana.id}, 'sealed', 1500, 50, {GAMES // 2}, 9, 9, 9, 9, 1, 1)",
        f"""INSERT INTO table_events (match_id, version, at, kind, user_id)
            SELECT id, 1, {at}, 'held', host_id FROM matches""",
    ]
    for statement in statements:
        await app.change(statement)


Act = Callable[[Player], Awaitable[Any]]


async def my_data(ana: Player) -> None:
    """A file of everything."""
    await ana.tap("As a file", on=await ana.slash("me data"))


async def forgotten(ana: Player) -> None:
    """Everything is deleted."""
    sure = await ana.tap("Forget me", on=await ana.slash("me data"))
    await ana.tap("Forget me for good", on=sure)


def typed(path: str, **options: Any) -> Act:
    return lambda ana: ana.slash(path, **options)


ACTS: dict[str, Act] = {
    **{path: typed(path) for path in ("me games", "me settings", "game list", "game log", "game replay", "game board")},
    **{path: typed(path) for path in ("stats player", "stats server", "stats records", "game rules", "game story")},
    "table new": typed("table new", game="sealed"),
    "rules search": typed("game rules", search="the player who has most coins wins it", game="muscat"),
    "suggestions": lambda ana: ana.suggest("table new", "game", "a" + "\u0301" * 5_999),
    "suggested moves": lambda ana: ana.suggest("game replay", "from", "9" * 100),
    "my data": my_data,
}
"""What a user can do, the most expensive way."""


async def test_others_wait_for_little_work_whatever_one_user_does(app: App, work: Work, watch: Watch) -> None:
    room = app.room()
    await begin(room, "Ana", "Ben")
    await crowded(app, room)
    ana = room.person("Ana")
    costs = {name: await _cost(app, work, act, ana) for name, act in {**ACTS, "forget me": forgotten}.items()}
    assert {} == {name: cost.most_rows for name, cost in costs.items() if cost.most_rows > MAX_ROWS}
    assert {} == {
        name: cost.most_steps
        for name, cost in costs.items()
        # one transaction deletes everything, three times a day at most
        if cost.most_steps > (10 * MAX_STEPS if name == "forget me" else MAX_STEPS)
    }
    assert costs["suggestions"].letters < MAX_LETTERS


async def _cost(app: App, work: Work, act: Act, ana: Player) -> Work:
    work.letters = work.most_rows = work.most_steps = 0
    before = sum(app.local.journal.requests.values())
    await act(ana)
    await app.breathe()
    requests = sum(app.local.journal.requests.values()) - before
    assert requests <= 4 + REQUESTS, f"{requests} requests for one act"
    return Work(letters=work.letters, most_rows=work.most_rows, most_steps=work.most_steps)


async def test_another_user_is_served_between_the_pieces_of_a_large_file(app: App, work: Work, watch: Watch) -> None:
    room, other = app.room(), app.room()
    await begin(room, "Ana", "Ben")
    await crowded(app, room)
    ana, dan = room.person("Ana"), other.person("Dan")
    page = await ana.slash("me data")
    file = asyncio.ensure_future(ana.tap("As a file", on=page))
    served = 0
    while not file.done():
        await dan.slash("me settings")
        served += 1
    assert served > 1, "Dan did not have to wait for the end of it"
    assert (await file).images
    assert limits.MY_DATA < 10, "Ana can have it a few times a day only"
