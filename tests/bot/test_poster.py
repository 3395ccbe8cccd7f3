"""Who is called by a board: those newly due, nobody twice, and everybody at the end."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.clock import Clock
from bot.deadlines.board_clocks import BoardClocks
from bot.errors import ShuttingDown, UserError
from bot.interactions import channels
from bot.interactions.channels import Channels
from bot.posting import poster
from bot.posting.board_layouts import Body
from bot.posting.pictures import Pictures
from bot.posting.poster import Poster
from bot.store.clocks import SeatClock
from bot.store.jobs import JobKind
from bot.store.matches import SeatHolder, Status
from bot.store.opening import opened
from bot.store.store import Store, Written
from bot.tables.guild_settings import Servers
from bot.tables.table import Table
from bot.tables.tables import Tables
from engine.match import Match
from engine.texts import Seat
from tests.engine.toys import TOYS

NOW = Clock().now()


class Channel:
    """Takes messages, unless it is told to refuse the next ones; remembers whom each one may call."""

    def __init__(self) -> None:
        self.called: list[list[int]] = []
        self.sent: list[dict[str, Any]] = []
        self.edited: list[int] = []
        self.looks: list[discord.ui.LayoutView] = []
        self.refusals: list[Exception] = []
        self.edit_refusals: list[Exception] = []
        self.history_refusals: list[Exception] = []
        self.looked_back = 0
        self.taken = asyncio.Event()
        self.edits, self.sends = asyncio.Event(), asyncio.Event()
        self.tidied = asyncio.Event()
        self.edits.set()
        self.sends.set()

    async def send(self, *, allowed_mentions: Any, **what: Any) -> SimpleNamespace:
        await self.sends.wait()
        if self.refusals:
            raise self.refusals.pop(0)
        self.taken.set()
        self.sent.append(what)
        self.called.append(sorted(user.id for user in allowed_mentions.users))
        return SimpleNamespace(id=len(self.called))

    async def history(self, *, limit: int) -> AsyncIterator[SimpleNamespace]:
        """Nobody may read what stands here."""
        self.looked_back += 1
        if self.history_refusals:
            raise self.history_refusals.pop(0)
        for message in ()[:limit]:
            yield message

    def get_partial_message(self, message_id: int) -> SimpleNamespace:
        async def edit(**what: Any) -> None:
            assert {"parse": []} == what["allowed_mentions"].to_dict()
            await self.edits.wait()
            if self.edit_refusals:
                raise self.edit_refusals.pop(0)
            self.edited.append(message_id)
            self.looks.append(what["view"])
            self.tidied.set()

        return SimpleNamespace(edit=edit)


class Client:
    """Leads to the one channel."""

    def __init__(self) -> None:
        self.channel = Channel()

    def get_channel(self, _: int) -> None:
        """The one channel is in no server that it knows."""

    def get_guild(self, _: int) -> None:
        """Nor does it know a server, so all is in English."""

    def get_partial_messageable(self, *_: Any, **__: Any) -> Channel:
        return self.channel


class House:
    """A table of a game in which all seats are due at once, and a poster for its boards."""

    def __init__(self, store: Store, table: Table, poster: Poster, channel: Channel, gone: list[int]) -> None:
        self.table = table
        self.channel = channel
        self.gone = gone
        self.store = store
        self.poster = poster
        self._written = 0

    async def play(self, *moves: tuple[int, str]) -> None:
        """Let seats act, and post the board."""
        await self.write(*moves)
        await self.post()

    async def write(self, *moves: tuple[int, str]) -> None:
        """Let seats act; their board waits."""
        match = self.table.match
        for seat, notation in moves:
            match.play(seat, match.parse(notation))
        new = match.entries[self._written :]
        mark = await self.store.append(self.table.id, Written(self._written, new, at=NOW, post_version=match.version))
        self.table.board_waits(mark)
        self._written = len(match.entries)

    async def post(self) -> None:
        """Post whatever waits, and let what follows from it come to its end."""
        await self.poster.deliver(self.table)
        await self.settle()

    async def call_off(self) -> None:
        """End the game, as far as the store."""
        await self.store.matches.close(self.table.id, Status.ENDED, NOW)
        self.table.waiting = None
        self.table.row = replace(self.table.row, status=Status.ENDED)

    async def settle(self) -> None:
        """Wait for what goes its own way."""
        while self.poster._under_way:
            await asyncio.wait(self.poster._under_way)

    async def waits(self) -> bool:
        """Whether a board waits in the store."""
        return await self.store.jobs.find(JobKind.BOARD, self.table.id) is not None


def refusal(status: int, code: int = 0, text: str = "no") -> discord.HTTPException:
    """What discord.py raises for an answer of Discord, or of a proxy on the way (then without a code)."""
    kind = {403: discord.Forbidden, 404: discord.NotFound, 503: discord.DiscordServerError}
    message = {"code": code, "message": text} if code else "<html>no</html>"
    return kind.get(status, discord.HTTPException)(SimpleNamespace(status=status, reason=text), message)


@pytest.fixture
async def house(folder):
    spec = TOYS["sealed"]
    async with opened(f"sqlite:///{folder}/caravanserai.db") as database:
        store, client, pictures = Store(database), Client(), Pictures()
        match_id = await store.matches.create(
            guild_id=1,
            channel_id=2,
            host_id=70,
            holders=[SeatHolder(70)],
            options={},
            game=spec.slug,
            rules_version=spec.rules_version,
            secret="s",
            at=NOW,
        )
        await store.matches.set_holders(match_id, [SeatHolder(70), SeatHolder(71), SeatHolder(computer="uniform")], NOW)
        await store.begin(match_id, [], rules_version=spec.rules_version, seed="s", post_version=0, at=NOW)
        row = await store.matches.find(match_id)
        table = Table(row, spec, Match.begin(spec, spec.setup(3, {"rounds": 3}), "s"))
        tables, clock = Tables(store), Clock()
        tables._known[match_id] = table
        gone: list[int] = []
        channels = Channels(client, Servers(client, store), on_gone=gone.append, on_success=lambda: None)
        house = House(
            store,
            table,
            Poster(channels, store, tables, pictures, clock, BoardClocks(store).changed),
            client.channel,
            gone,
        )
        yield house
        await house.poster.close()
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


async def test_nothing_is_sent_when_nothing_waits_and_the_boards_before_stay_as_they_are(house):
    await house.play()
    await house.play((0, "bid 1"))
    await house.post()
    assert (2, []) == (len(house.channel.called), house.channel.edited)


async def test_the_next_move_need_not_wait_until_a_board_is_noted(house, monkeypatch):
    noted, held = house.store.posted, []

    async def watched(*what: Any, **more: Any) -> None:
        held.append(house.table.lock.locked())
        await noted(*what, **more)

    monkeypatch.setattr(house.store, "posted", watched)
    await house.play()
    assert [False] == held


async def test_nobody_changes_a_clock_while_it_is_noted_that_a_board_has_set_it_going(house, monkeypatch):
    noted, now = house.store.posted, NOW
    clock = SeatClock(house.table.id, Seat(0), 70, 0, timedelta(days=1), timedelta(), now, now)
    spent = replace(clock, spent=timedelta(hours=1))

    async def changed() -> None:
        async with house.table.lock:
            await house.store.clocks.put([spent])
            house.table.clocks[Seat(0)] = spent

    async def overtaken(*what: Any, **more: Any) -> None:
        change = asyncio.create_task(changed())
        await asyncio.sleep(0.05)
        await noted(*what, **more)
        house.poster.start(_wait_for(change))

    async def set_going(_table: Table, _now: datetime) -> tuple[SeatClock, ...]:
        return (clock,)

    monkeypatch.setattr(house.store, "posted", overtaken)
    monkeypatch.setattr(house.poster, "_clocks", set_going)
    await house.play()
    assert {Seat(0): spent} == house.table.clocks == await house.store.clocks.of(house.table.id)


async def _wait_for(task: asyncio.Task[None]) -> None:
    await task


PASSING = {
    "Discord is down": refusal(503),
    "too many requests": refusal(429, 0, "Too Many Requests"),
    "too many requests, by a proxy": refusal(429),
    "a proxy forbids it": refusal(403),
    "the token is being changed": refusal(401),
    "the line was cut": ConnectionResetError("cut"),
    "the server went away": aiohttp.ServerDisconnectedError(),
    "nobody answers": TimeoutError(),
    "closed": refusal(403, 50013, "Missing Permissions"),
    "hidden": refusal(403, 50001, "Missing Access"),
    "gone": refusal(404, 10003, "Unknown Channel"),
    "archived": refusal(400, 50083, "Thread is archived"),
}


@pytest.mark.parametrize("error", PASSING.values(), ids=PASSING)
async def test_a_refused_board_stays_and_is_sent_at_the_next_attempt(house, error):
    house.channel.refusals = [error] * 3
    with pytest.raises(UserError, match="board"):
        await house.play()
    for _ in range(2):
        with pytest.raises(type(error)):
            await house.poster.post(house.table)
    assert (True, error) == (await house.waits(), house.poster.trouble(house.table.id))
    await house.poster.post(house.table)
    assert (False, None) == (await house.waits(), house.poster.trouble(house.table.id))
    assert [[70, 71]] == house.channel.called
    assert 1 == len(house.channel.sent[0]["files"])


@pytest.mark.parametrize("error", [refusal(400, 50035, "Invalid Form Body"), refusal(413, 40005), refusal(413)])
async def test_a_board_in_which_discord_finds_fault_goes_out_as_text(house, error):
    house.channel.refusals = [error]
    await house.play()
    assert [[70, 71]] == house.channel.called
    assert () == house.channel.sent[0]["files"]
    assert "" == (await house.store.boards.of(house.table.id)).body["filename"]


async def test_a_post_without_an_answer_is_given_up_and_sent_again(house, monkeypatch):
    monkeypatch.setattr(channels, "SEND_LIMIT", 0.0)
    monkeypatch.setattr(house.channel, "send", never)
    with pytest.raises(UserError, match="keep trying"):
        await house.play()
    monkeypatch.undo()
    await house.poster.post(house.table)
    assert 1 == len(house.channel.called)


async def never(**_: Any) -> None:
    await asyncio.Event().wait()


@pytest.mark.parametrize("error", [refusal(403, 50001), refusal(404, 10003), refusal(503)])
async def test_a_board_that_was_perhaps_posted_waits_as_long_as_discord_does_not_tell(house, error):
    house.channel.refusals, house.channel.history_refusals = [TimeoutError()], [error]
    with pytest.raises(UserError):
        await house.play()
    with pytest.raises(type(error)):
        await house.poster.post(house.table)
    await house.poster.post(house.table)
    assert (2, 1) == (house.channel.looked_back, len(house.channel.sent))
    assert house.gone == ([2] if error.status == 404 else [])


@pytest.mark.parametrize("loaded", [False, True])
async def test_who_was_called_by_a_board_that_discord_took_without_telling_is_known_to_the_next_one(
    house, monkeypatch, loaded
):
    await house.play()
    moves = [(0, "bid 1"), (1, "bid 2"), (2, "bid 3")]  # all have bid, and are asked once more
    if loaded:  # as by the next process, after a kill
        await house.write(*moves)
        house.table.in_doubt = True
    else:
        house.channel.refusals = [TimeoutError()]
        with pytest.raises(UserError):
            await house.play(*moves)

    async def found(_channel_id: int, _control: object) -> SimpleNamespace:
        return SimpleNamespace(id=77, attachments=[])

    monkeypatch.setattr(house.poster._channels, "find", found)
    await house.play((0, "bid 1"))
    assert [[70, 71], []] == house.channel.called, "the board between has called both"


async def test_a_board_that_was_refused_is_not_looked_for_once_another_one_waits(house):
    house.channel.refusals = [refusal(403, 50013)]
    with pytest.raises(UserError):
        await house.play()
    await house.play((0, "bid 1"))
    assert (0, [[70, 71]]) == (house.channel.looked_back, house.channel.called)


async def test_a_board_of_a_game_called_off_loses_its_controls_when_discord_takes_that(house):
    await house.play()
    await house.call_off()
    house.channel.edit_refusals = [refusal(503)]
    with pytest.raises(discord.HTTPException):
        await house.poster.take_controls(house.table)
    assert await house.store.boards.of(house.table.id)
    await house.poster.take_controls(house.table)
    assert ([1], None) == (house.channel.edited, await house.store.boards.of(house.table.id))


async def test_controls_that_discord_will_never_take_off_are_given_up(house):
    await house.play()
    await house.call_off()
    house.channel.edit_refusals = [refusal(404, 10008)]
    await house.poster.take_controls(house.table)
    assert ([], None) == (house.channel.edited, await house.store.boards.of(house.table.id))


async def test_a_board_of_a_game_called_off_gets_its_controls_back_from_no_edit_that_was_under_way(house, caplog):
    await house.play()
    house.channel.edits.clear()
    match = house.table.match
    match.play(0, match.parse("bid 1"))
    house.poster.update_due(house.table)
    await asyncio.sleep(0.01)  # it is on its way to Discord
    await house.call_off()
    taking = asyncio.create_task(house.poster.take_controls(house.table))
    house.channel.edits.set()
    await taking
    assert not caplog.records
    assert [True, False] == [any(map(_is_control, look.walk_children())) for look in house.channel.looks]


def _is_control(part: discord.ui.Item[Any]) -> bool:
    return getattr(part, "custom_id", None) is not None


def test_a_body_survives_the_database():
    body = Body("Muscat", "a.png", "alt", "story", (1, 2), "due")
    assert body == Body.of({**body.stored(), "due": [1, 2]})


async def test_what_follows_from_the_end_of_a_game_is_finished_before_the_bot_goes(house):
    await house.play()
    house.channel.edits.clear()
    house.poster.start(house.poster.take_controls(house.table))
    closing = asyncio.create_task(house.poster.close())
    await asyncio.sleep(0)
    house.channel.edits.set()
    await closing
    assert [1] == house.channel.edited


async def test_what_hangs_does_not_keep_the_bot_from_going(house, monkeypatch):
    monkeypatch.setattr(poster, "GRACE", 0.0)
    await house.play()
    house.channel.edits.clear()
    house.poster.start(house.poster.take_controls(house.table))
    await asyncio.sleep(0)
    await house.poster.close()
    while house.poster._under_way:
        await asyncio.wait(house.poster._under_way)
    assert [] == house.channel.edited


async def test_a_board_that_cannot_be_drawn_goes_out_as_text(house, monkeypatch, caplog):
    async def spill(*_: Any) -> None:
        raise ZeroDivisionError("ink")

    monkeypatch.setattr(house.poster._pictures, "draw", spill)
    await house.play()
    assert [[70, 71]] == house.channel.called
    assert "cannot be drawn" in caplog.text


async def test_a_board_that_can_no_longer_be_drawn_because_the_bot_leaves_waits_for_the_next_start(house, caplog):
    house.poster._pictures.close()
    with pytest.raises(ShuttingDown):
        await house.play()
    assert (True, 0) == (await house.waits(), house.channel.looked_back)


async def test_what_begins_when_the_bot_has_left_is_no_fault_of_the_house(house, caplog):
    async def torn() -> None:
        raise RuntimeError("Session is closed")

    for left in (False, True):
        if left:
            await house.poster.close()
        await house.poster.start(torn())
        assert ["posting failed"] == [record.getMessage() for record in caplog.records]


async def test_a_board_that_is_drawn_anew_says_who_is_due_by_then(house, monkeypatch):
    async def drawn(table: Table, view: object) -> None:
        table.match.play(0, table.match.parse("bid 1"))

    async def edit(_table: Table, _board: object, body: Body, _drawn: object) -> None:
        said.append(body.due)

    said: list[tuple[int, ...]] = []
    await house.play()
    await house.settle()
    board = house.table.board
    house.table.board = dataclasses.replace(board, body={**board.body, "filename": "a.png"})
    monkeypatch.setattr(house.poster, "_drawn", drawn)
    monkeypatch.setattr(house.poster, "_edit", edit)
    house.poster.show_people(house.table)
    await house.settle()
    assert [tuple(decision.seat for decision in house.table.match.state.decisions())] == said
