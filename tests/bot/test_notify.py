"""Who is called by a board: those newly due, nobody twice, and everybody at the end."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bot.messages import Body
from bot.notify import Poster
from bot.pictures import Pictures
from bot.store import Chair, Store, opened
from bot.tables import Table, Tables
from engine import Match
from tests.engine.toys import TOYS


class Channel:
    """Takes messages and remembers whom each one may call."""

    def __init__(self) -> None:
        self.called: list[list[int]] = []
        self.retired: list[int] = []

    async def send(self, *, allowed_mentions: Any, **_: Any) -> SimpleNamespace:
        self.called.append(sorted(user.id for user in allowed_mentions.users))
        return SimpleNamespace(id=len(self.called))

    def get_partial_message(self, message_id: int) -> SimpleNamespace:
        async def edit(**_: Any) -> None:
            self.retired.append(message_id)

        return SimpleNamespace(edit=edit)


class Client:
    """Leads to the one channel."""

    def __init__(self) -> None:
        self.channel = Channel()

    def get_partial_messageable(self, *_: Any, **__: Any) -> Channel:
        return self.channel


class House:
    """A table of a game in which all seats are due at once, and a poster for its boards."""

    def __init__(self, store: Store, table: Table, poster: Poster, channel: Channel) -> None:
        self.table = table
        self.channel = channel
        self._store = store
        self._poster = poster
        self._written = 0

    async def play(self, *moves: tuple[int, str]) -> None:
        """Let seats act, and post the board."""
        match = self.table.match
        for seat, notation in moves:
            match.play(seat, match.parse(notation))
        new = match.entries[self._written :]
        self.table.waiting = await self._store.append(self.table.id, self._written, new, post_ply=match.ply)
        self._written = len(match.entries)
        await self.post()

    async def post(self) -> None:
        """Post whatever waits."""
        await self._poster.deliver(self.table)


@pytest.fixture
async def house(tmp_path):
    spec = TOYS["sealed"]
    async with opened(f"sqlite+aiosqlite:///{tmp_path}/caravanserai.db") as engine:
        store, client, pictures = Store(engine), Client(), Pictures()
        match_id = await store.create(
            guild_id=1, channel_id=2, host_id=70, game=spec.slug, rules_version=spec.rules_version, seed="s"
        )
        await store.set_chairs(match_id, [Chair(70), Chair(71), Chair(computer="uniform")])
        row = await store.match(match_id)
        table = Table(row, spec, Match.begin(spec, spec.setup(3, {"rounds": 3}), "s"))
        yield House(store, table, Poster(client, store, Tables(store), pictures), client.channel)
        pictures.close()


async def test_everybody_due_at_the_start_is_called(house):
    await house.play()
    assert [[70, 71]] == house.channel.called


async def test_who_was_due_before_is_not_called_again(house):
    await house.play()
    await house.play((0, "bid 1"))
    assert [[70, 71], []] == house.channel.called


async def test_who_acted_and_is_due_again_is_called_again(house):
    await house.play()
    await house.play((0, "bid 1"), (1, "bid 2"), (2, "bid 3"))
    assert [[70, 71], [70, 71]] == house.channel.called


async def test_at_the_end_everybody_is_called(house):
    await house.play()
    await house.play(*[(seat, f"bid {seat}") for _ in range(3) for seat in range(3)])
    assert house.table.match.outcome is not None
    assert [70, 71] == house.channel.called[-1]


async def test_the_board_before_is_retired_and_nothing_is_sent_when_nothing_waits(house):
    await house.play()
    await house.play((0, "bid 1"))
    assert [1] == house.channel.retired
    await house.post()
    assert 2 == len(house.channel.called)


def test_a_body_survives_the_database():
    body = Body("Muscat", "a.png", "alt", "story", (1, 2), "due")
    assert body == Body.of({**body.stored(), "due": [1, 2]})
