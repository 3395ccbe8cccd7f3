"""The people that a board pings: those newly due, each once, and everyone at the end."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.clock import Clock
from bot.errors import ShuttingDown, UserError
from bot.features.deadlines.board_clocks import BoardClocks
from bot.interactions import channels
from bot.interactions.channels import Channels
from bot.interactions.servers import Servers
from bot.posting.board_layouts import Body, marked_control
from bot.posting.pictures import Pictures
from bot.posting.poster import Poster, _match_at
from bot.store.clocks import SeatClock
from bot.store.facts import Facts
from bot.store.jobs import JobKind, board_mark
from bot.store.log import NewEntries
from bot.store.matches import SeatHolder, Status
from bot.store.opening import open_database
from bot.store.store import Store
from bot.tables.predictions import Predictions
from bot.tables.table import Table
from bot.tables.tables import Tables
from bot.tables.upcoming import next_notices
from engine.match import Match
from engine.texts import Seat
from tests.bot.matches import begin, facts_of, open_match
from tests.bot.refusing import refusal
from tests.bot.whole import ANA, BEN, table_of
from tests.engine.toys import TOYS

NOW = Clock().now()


class Channel:
    """A channel that accepts messages, unless it is told to refuse the next ones; it remembers whom each one may
    call.
    """

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
        """The bot must not read this."""
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

    def get_guild(self, _: int) -> SimpleNamespace:
        """A server that is there, with the one channel in no list of it."""

        async def fetch_channel(_: int) -> None:
            raise refusal(403, 50001, "Missing Access")

        return SimpleNamespace(
            unavailable=False,
            preferred_locale="en-US",
            get_channel_or_thread=lambda _: None,
            fetch_channel=fetch_channel,
        )

    def get_partial_messageable(self, *_: Any, **__: Any) -> Channel:
        return self.channel


class TimedApp:
    """A table of a game in which all seats are due at once, and a poster for its boards."""

    def __init__(self, store: Store, table: Table, poster: Poster, channel: Channel, gone: list[int]) -> None:
        self.table = table
        self.channel = channel
        self.gone = gone
        self.store = store
        self.tables = poster._tables
        self.poster = poster
        self._written = 0

    async def play(self, *moves: tuple[int, str]) -> None:
        """Let seats act, and post the board."""
        await self.write(*moves)
        await self.post()

    async def write(self, *moves: tuple[int, str], waits: bool = True) -> None:
        """Let seats act; their board waits, unless nothing that all can see has happened."""
        match = self.table.match
        for seat, notation in moves:
            match.play(seat, match.parse(notation))
        new = match.entries[self._written :]
        facts = self.table.facts
        waiting = facts.expect_board(board_mark(match.version), NOW) if waits else facts
        new_entries = NewEntries(self._written, new, NOW)
        self.table.change_to(await self.store.write(facts, waiting, self._written, new_entries), None)
        self._written = len(match.entries)

    async def post(self) -> None:
        """Post all waiting boards, and let the following jobs end."""
        await self.poster.deliver(self.table)
        await self.settle()

    async def call_off(self) -> None:
        """End the game, as far as the store."""
        async with self.tables.changing(self.table) as change:
            change.facts = self.table.facts.close(Status.ENDED, NOW)

    async def settle(self) -> None:
        """Wait for what goes its own way."""
        while self.poster._under_way:
            await asyncio.wait(self.poster._under_way)

    async def waits(self) -> bool:
        """Whether a board waits in the store."""
        return await self.store.jobs.find(JobKind.BOARD, self.table.id) is not None


@pytest.fixture
async def timed_app(folder):
    spec = TOYS["sealed"]
    async with open_database(f"sqlite:///{folder}/caravanserai.db") as database:
        store, client, pictures = Store(database), Client(), Pictures()
        holders = (SeatHolder(70), SeatHolder(71), SeatHolder(computer="uniform"))
        match_id = await open_match(store, *holders, guild_id=1, channel_id=2, host_id=70, game=spec.slug, at=NOW)
        await begin(store, match_id, at=NOW)
        facts = await facts_of(store, match_id)
        tables, clock = Tables(store), Clock()
        table = await tables.adopt(Table(facts, spec, Match.begin(spec, spec.setup(3, {"rounds": 3}), "s")))
        gone: list[int] = []
        channels = Channels(client, Servers(client, store), on_gone=gone.append, on_success=lambda: None)
        timed_app = TimedApp(
            store,
            table,
            Poster(
                channels,
                tables,
                pictures,
                clock,
                BoardClocks(store).changed_clocks,
                Predictions(store, tables, clock),
                partial(next_notices, store.settings),
                store.leagues.league_of,
            ),
            client.channel,
            gone,
        )
        yield timed_app
        await timed_app.poster.close()
        pictures.close()


async def test_the_first_board_pings_every_due_player(timed_app):
    await timed_app.play()
    assert [[70, 71]] == timed_app.channel.called


async def test_a_player_who_was_already_due_is_not_pinged_again(timed_app):
    await timed_app.play()
    await timed_app.play((0, "bid 1"))
    assert [[70, 71], []] == timed_app.channel.called


async def test_a_player_who_moved_and_is_due_again_is_pinged_again(timed_app):
    await timed_app.play()
    await timed_app.play((0, "bid 1"), (1, "bid 2"), (2, "bid 3"))
    assert [[70, 71], [70, 71]] == timed_app.channel.called


async def test_the_final_board_pings_every_player(timed_app):
    await timed_app.play()
    await timed_app.play(*[(seat, f"bid {seat}") for _ in range(3) for seat in range(3)])
    assert timed_app.table.match.outcome is not None
    assert [70, 71] == timed_app.channel.called[-1]


async def test_without_a_pending_board_nothing_is_sent_and_earlier_boards_stay(timed_app):
    await timed_app.play()
    await timed_app.play((0, "bid 1"))
    await timed_app.post()
    assert (2, []) == (len(timed_app.channel.called), timed_app.channel.edited)


async def test_no_clock_changes_while_a_board_that_started_it_is_being_recorded(timed_app, monkeypatch):
    write, now = timed_app.store.write, NOW
    clock = SeatClock(timed_app.table.id, Seat(0), 70, 0, timedelta(days=1), timedelta(), now, now)
    spent = replace(clock, spent=timedelta(hours=1))

    async def changed() -> None:
        async with timed_app.tables.changing(timed_app.table) as change:
            change.facts = timed_app.table.facts.with_clocks([spent])

    async def overtaken(before: Facts, after: Facts, *more: Any) -> Facts:
        if after.clocks == {Seat(0): clock}:
            change = asyncio.create_task(changed())
            await asyncio.sleep(0.05)
            timed_app.poster.start(_wait_for(change))
        return await write(before, after, *more)

    async def set_going(_table: Table, _now: datetime) -> tuple[SeatClock, ...]:
        return (clock,)

    monkeypatch.setattr(timed_app.store, "write", overtaken)
    monkeypatch.setattr(timed_app.poster, "_clocks", set_going)
    await timed_app.play()
    assert {Seat(0): spent} == timed_app.table.clocks == (await facts_of(timed_app.store, timed_app.table.id)).clocks


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
async def test_a_refused_board_stays_pending_and_is_sent_on_the_next_attempt(timed_app, error):
    timed_app.channel.refusals = [error] * 3
    with pytest.raises(UserError, match="board"):
        await timed_app.play()
    for _ in range(2):
        with pytest.raises(type(error)):
            await timed_app.poster.post(timed_app.table)
    assert (True, error) == (await timed_app.waits(), timed_app.poster.last_error(timed_app.table.id))
    await timed_app.poster.post(timed_app.table)
    assert (False, None) == (await timed_app.waits(), timed_app.poster.last_error(timed_app.table.id))
    assert [[70, 71]] == timed_app.channel.called
    assert 1 == len(timed_app.channel.sent[0]["files"])


@pytest.mark.parametrize("error", [refusal(400, 50035, "Invalid Form Body"), refusal(413, 40005), refusal(413)])
async def test_a_board_rejected_by_discord_is_posted_as_text(timed_app, error):
    timed_app.channel.refusals = [error]
    await timed_app.play()
    assert [[70, 71]] == timed_app.channel.called
    assert () == timed_app.channel.sent[0]["files"]
    mark = (await facts_of(timed_app.store, timed_app.table.id)).board.body["mark"]
    assert f"b{timed_app.table.id}-{mark}" == timed_app.channel.sent[0]["nonce"], "the first message may have arrived"
    assert "" == (await facts_of(timed_app.store, timed_app.table.id)).board.body["filename"]


async def test_the_next_attempt_waits_for_an_unanswered_post(timed_app, monkeypatch):
    timed_app.channel.sends.clear()
    monkeypatch.setattr(channels, "SEND_TIMEOUT", 0.0)
    with pytest.raises(UserError, match="keep trying"):
        await timed_app.play()
    monkeypatch.undo()
    retry = asyncio.create_task(timed_app.poster.post(timed_app.table))
    await asyncio.sleep(0)
    timed_app.channel.sends.set()
    await retry
    assert (1, 0) == (len(timed_app.channel.called), timed_app.channel.looked_back)


async def test_a_board_that_arrives_between_two_attempts_is_not_sent_again(timed_app, monkeypatch):
    timed_app.channel.sends.clear()
    monkeypatch.setattr(channels, "SEND_TIMEOUT", 0.0)
    with pytest.raises(UserError):
        await timed_app.play()
    monkeypatch.undo()
    timed_app.channel.sends.set()
    await timed_app.channel.taken.wait()
    await timed_app.poster.post(timed_app.table)
    assert (1, False) == (len(timed_app.channel.called), await timed_app.waits())


async def test_a_board_in_flight_is_stopped_before_the_next_one_is_sent(timed_app, monkeypatch):
    timed_app.channel.sends.clear()
    monkeypatch.setattr(channels, "SEND_TIMEOUT", 0.0)
    with pytest.raises(UserError):
        await timed_app.play()
    await timed_app.write((0, "bid 1"))
    with pytest.raises(TimeoutError):
        await timed_app.poster.post(timed_app.table)
    monkeypatch.undo()
    timed_app.channel.sends.set()
    await timed_app.poster.post(timed_app.table)
    await timed_app.poster.post(timed_app.table)
    assert [[70, 71], []] == timed_app.channel.called, "the first has arrived all the same"


@pytest.mark.parametrize("error", [refusal(403, 50001), refusal(404, 10003), refusal(503)])
async def test_a_possibly_posted_board_waits_until_the_channel_history_can_be_read(timed_app, error):
    timed_app.channel.refusals, timed_app.channel.history_refusals = [TimeoutError()], [error]
    with pytest.raises(UserError):
        await timed_app.play()
    with pytest.raises(type(error)):
        await timed_app.poster.post(timed_app.table)
    await timed_app.poster.post(timed_app.table)
    assert (2, 1) == (timed_app.channel.looked_back, len(timed_app.channel.sent))
    assert timed_app.gone == ([2] if error.status == 404 else [])


@pytest.mark.parametrize("loaded", [False, True])
async def test_a_player_pinged_by_a_board_of_unknown_delivery_is_not_pinged_by_the_next_one(
    timed_app, monkeypatch, loaded
):
    await timed_app.play()
    moves = [(0, "bid 1"), (1, "bid 2"), (2, "bid 3")]  # all have bid, and are asked once more
    if loaded:  # as by the next process, after a kill
        await timed_app.write(*moves)
        timed_app.table.in_doubt = True
    else:
        timed_app.channel.refusals = [TimeoutError()]
        with pytest.raises(UserError):
            await timed_app.play(*moves)

    monkeypatch.setattr(timed_app.poster._channels, "find", found)
    await timed_app.play((0, "bid 1"))
    assert [[70, 71], []] == timed_app.channel.called, "the board between has called both"


async def found(_channel_id: int, _control: object) -> SimpleNamespace:
    return SimpleNamespace(id=77, attachments=[])


@pytest.mark.parametrize("attachments", [[], ["a.png"]])
async def test_an_uncertain_board_is_stored_with_a_picture_only_if_it_has_one(timed_app, monkeypatch, attachments):
    async def found_board(*_: object) -> SimpleNamespace:
        return SimpleNamespace(id=77, attachments=attachments)

    await timed_app.play()
    await timed_app.write((0, "bid 1"))
    timed_app.table.in_doubt = True
    monkeypatch.setattr(timed_app.poster._channels, "find", found_board)
    await timed_app.post()
    board = (await facts_of(timed_app.store, timed_app.table.id)).board
    assert (77, bool(attachments)) == (board.message_id, bool(board.body["filename"]))


async def test_pings_of_an_uncertain_board_count_even_if_a_move_supersedes_the_next_board(timed_app, monkeypatch):
    await timed_app.play()
    await timed_app.write((0, "bid 1"), (1, "bid 2"), (2, "bid 3"))
    timed_app.table.in_doubt = True
    monkeypatch.setattr(timed_app.poster._channels, "find", found)
    async with timed_app.table.lock:
        posting = asyncio.create_task(timed_app.post())
        while not timed_app.table.posting.locked():  # noqa: ASYNC110 (a lock sends no notification)
            await asyncio.sleep(0)
        await timed_app.write((0, "bid 1"))
    await posting
    await timed_app.post()
    newest = (await facts_of(timed_app.store, timed_app.table.id)).board
    assert (timed_app.table.match.version, 2) == (newest.version, newest.message_id), "not the one between"
    assert [[70, 71], []] == timed_app.channel.called


async def test_a_board_superseded_while_it_is_searched_for_is_not_searched_for_again(timed_app, monkeypatch):
    await timed_app.play()
    await timed_app.write((0, "bid 1"), (1, "bid 2"), (2, "bid 3"))
    timed_app.table.in_doubt, searches = True, list[object]()

    async def found_after_a_move(channel_id: int, control: object) -> SimpleNamespace:
        if not searches:
            await timed_app.write((0, "bid 1"))
        searches.append(control)
        return await found(channel_id, control)

    monkeypatch.setattr(timed_app.poster._channels, "find", found_after_a_move)
    for _ in range(2):
        await timed_app.post()
    newest = (await facts_of(timed_app.store, timed_app.table.id)).board
    assert (1, timed_app.table.match.version, 2) == (len(searches), newest.version, newest.message_id)


async def test_a_move_while_an_uncertain_board_is_recorded_does_not_hide_the_next_uncertain_one(timed_app, monkeypatch):
    """After a restart, both may have been posted."""
    await timed_app.play()
    table, searches = timed_app.table, list[str]()

    async def noted(channel_id: int, control: object) -> SimpleNamespace:
        searches.append(str(control))
        return await found(channel_id, control)

    monkeypatch.setattr(timed_app.poster._channels, "find", noted)
    marks = []
    for move in ((0, "bid 1"), (1, "bid 2"), (2, "bid 3")), ((0, "bid 1"),):
        await timed_app.write(*move)
        table.in_doubt = True
        marks.append(str(marked_control(table, table.waiting)))
    async with table.lock:
        posting = asyncio.create_task(timed_app.post())
        while table.superseded is not None:  # noqa: ASYNC110 (nothing notifies about this)
            await asyncio.sleep(0)
        await timed_app.write((1, "bid 1"))
    await posting
    assert marks == searches


async def test_a_refused_board_is_not_searched_for_once_a_newer_one_is_pending(timed_app):
    timed_app.channel.refusals = [refusal(403, 50013)]
    with pytest.raises(UserError):
        await timed_app.play()
    await timed_app.play((0, "bid 1"))
    assert (0, [[70, 71]]) == (timed_app.channel.looked_back, timed_app.channel.called)


async def test_the_board_of_a_called_off_game_loses_its_controls_once_discord_accepts_the_edit(timed_app):
    await timed_app.play()
    await timed_app.call_off()
    timed_app.channel.edit_refusals = [refusal(503)]
    with pytest.raises(discord.HTTPException):
        await timed_app.poster.take_controls(timed_app.table)
    assert (await facts_of(timed_app.store, timed_app.table.id)).board
    await timed_app.poster.take_controls(timed_app.table)
    assert ([1], None) == (timed_app.channel.edited, (await facts_of(timed_app.store, timed_app.table.id)).board)


async def test_controls_that_discord_refuses_to_remove_are_given_up(timed_app):
    await timed_app.play()
    await timed_app.call_off()
    timed_app.channel.edit_refusals = [refusal(404, 10008)]
    await timed_app.poster.take_controls(timed_app.table)
    assert ([], None) == (timed_app.channel.edited, (await facts_of(timed_app.store, timed_app.table.id)).board)


async def test_an_edit_in_flight_does_not_restore_the_controls_of_a_called_off_game(timed_app, caplog):
    await timed_app.play()
    timed_app.channel.edits.clear()
    await timed_app.write((0, "bid 1"), waits=False)
    timed_app.poster.update_due(timed_app.table)
    await asyncio.sleep(0.01)  # it is on its way to Discord
    await timed_app.call_off()
    taking = asyncio.create_task(timed_app.poster.take_controls(timed_app.table))
    await asyncio.sleep(0)
    assert not timed_app.table.posting.locked(), "it waits for the edit to end"
    timed_app.channel.edits.set()
    await taking
    assert not caplog.records
    assert [True, False] == [any(map(_is_control, look.walk_children())) for look in timed_app.channel.looks]


def _is_control(part: discord.ui.Item[Any]) -> bool:
    return getattr(part, "custom_id", None) is not None


def test_a_body_round_trips_through_the_database():
    body = Body("Muscat", "a.png", "alt", "story", (1, 2), "due")
    assert body == Body.of({**body.stored(), "due": [1, 2]})


async def test_cleanup_after_the_end_of_a_game_finishes_before_shutdown(timed_app):
    await timed_app.play()
    timed_app.channel.edits.clear()
    timed_app.poster.start(timed_app.poster.take_controls(timed_app.table))
    closing = asyncio.create_task(timed_app.poster.close())
    await asyncio.sleep(0)
    timed_app.channel.edits.set()
    await closing
    assert [1] == timed_app.channel.edited


async def test_a_hanging_request_does_not_block_shutdown(timed_app):
    await timed_app.play()
    timed_app.channel.edits.clear()
    timed_app.poster.start(timed_app.poster.take_controls(timed_app.table))
    await asyncio.sleep(0)
    await timed_app.poster.close(grace=0.0)
    while timed_app.poster._under_way:
        await asyncio.wait(timed_app.poster._under_way)
    assert [] == timed_app.channel.edited


async def test_a_board_that_cannot_be_drawn_is_posted_as_text(timed_app, monkeypatch, caplog):
    async def spill(*_: Any) -> None:
        raise ZeroDivisionError("ink")

    monkeypatch.setattr(timed_app.poster._pictures, "draw", spill)
    await timed_app.play()
    assert [[70, 71]] == timed_app.channel.called
    assert "cannot be drawn" in caplog.text


async def test_a_board_that_cannot_be_drawn_during_shutdown_waits_for_the_next_start(timed_app, caplog):
    timed_app.poster._pictures.close()
    with pytest.raises(ShuttingDown):
        await timed_app.play()
    assert (True, 0) == (await timed_app.waits(), timed_app.channel.looked_back)


async def test_a_task_that_fails_after_shutdown_logs_no_error(timed_app, caplog):
    async def torn() -> None:
        raise RuntimeError("Session is closed")

    for has_left in (False, True):
        if has_left:
            await timed_app.poster.close()
        await timed_app.poster.start(torn())
        assert ["posting in the background failed"] == [record.getMessage() for record in caplog.records]


async def test_a_redrawn_board_shows_the_current_due_players(timed_app, monkeypatch):
    async def drawn(table: Table, view: object) -> None:
        await timed_app.write((0, "bid 1"), waits=False)

    async def edit(_table: Table, _board: object, body: Body, _drawn: object) -> None:
        results.append(body.due)

    results: list[tuple[int, ...]] = []
    await timed_app.play()
    await timed_app.settle()
    board = timed_app.table.board
    changed = dataclasses.replace(board, body={**board.body, "filename": "a.png"})
    timed_app.table.facts = timed_app.table.facts.set_board(changed)
    monkeypatch.setattr(timed_app.poster, "_draw", drawn)
    monkeypatch.setattr(timed_app.poster, "_edit", edit)
    timed_app.poster.show_people(timed_app.table)
    await timed_app.settle()
    assert [tuple(decision.seat for decision in timed_app.table.match.state.decisions())] == results


def test_a_board_of_unknown_delivery_is_read_at_its_version_unless_the_log_is_shorter_now():
    table = table_of(ANA, BEN, runs=True)
    version = table.require_match().version
    match = _match_at(table, version)
    assert (version, None) == (match and match.version, _match_at(table, version + 1))
    assert None is _match_at(table_of(ANA, BEN), 0)
