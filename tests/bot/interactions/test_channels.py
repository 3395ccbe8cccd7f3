"""Refusals in channels: requests that are tried again, and channels that count as deleted."""

from __future__ import annotations

import io
from collections.abc import Awaitable, Iterable
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.errors import reason
from bot.interactions.channels import _ids
from bot.interactions.controls import Control, ControlId
from bot.interactions.parts import words_layout
from bot.interactions.presence import ServerAway
from bot.store.failures import DatabaseUnavailable, FailureKind
from bot.store.shard_range import NO_SERVER
from engine.texts import Text
from tests.bot.refusing import CHANNEL, GUILD, NOON, House, refusal


@pytest.mark.parametrize(
    ("code", "has_file", "is_repeated"), [(50083, False, True), (50083, True, False), (50013, False, False)]
)
async def test_an_edit_with_a_picture_is_not_repeated_in_an_archived_thread(
    home: House, code: int, has_file: bool, is_repeated: bool
) -> None:
    home.network.fault, home.network.spared = (lambda: refusal(400, code)), "GET"
    file = discord.File(io.BytesIO(b"x"), "a.png") if has_file else None
    with pytest.raises(discord.HTTPException):
        await home.services.channels.edit(CHANNEL, 5, lambda: words_layout("x"), file)
    assert is_repeated == bool(home.network.accepted), "a thread is looked at before it is opened again"


@pytest.mark.parametrize(
    ("code", "guild_id", "deleted"), [(10003, NO_SERVER, True), (10003, GUILD, True), (50001, GUILD, False)]
)
async def test_a_channel_is_deleted_if_neither_it_nor_its_server_is_to_be_seen_with_it(
    home: House, code: int, guild_id: int, deleted: bool
) -> None:
    home.network.fault, home.network.spared = (lambda: refusal(404, code)), "GET /guilds"
    assert deleted == await home.services.channels.is_deleted(guild_id, CHANNEL)


async def test_a_message_without_mentions_goes_out_while_the_settings_cannot_be_read(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unavailable(*_: object) -> bool:
        raise DatabaseUnavailable(FailureKind.GONE, "no file")

    monkeypatch.setattr(home.services.servers, "may_call", unavailable)
    await home.services.channels.send(CHANNEL, lambda: words_layout("x"))
    assert ["POST /channels/{channel_id}/messages"] == home.network.accepted
    mentions = discord.AllowedMentions(users=[discord.Object(71)])
    with pytest.raises(DatabaseUnavailable):
        await home.services.channels.send(CHANNEL, lambda: words_layout("x"), mentions=mentions)


@pytest.mark.parametrize(("archived", "locked", "edits"), [(True, False, 1), (True, True, 0), (False, False, 0)])
async def test_only_an_archived_thread_that_is_not_locked_is_reopened(
    home: House, monkeypatch: pytest.MonkeyPatch, archived: bool, locked: bool, edits: int
) -> None:
    edited: list[dict[str, object]] = []

    async def edit(**fields: object) -> None:
        edited.append(fields)

    async def found(_: int) -> object:
        return SimpleNamespace(archived=archived, locked=locked, owner_id=0, edit=edit)

    monkeypatch.setattr(home.services.channels, "_thread", found)
    await home.services.channels.reopen(CHANNEL)
    assert [False] * edits == [fields["archived"] for fields in edited]


def test_channels_are_searched_for_controls_at_any_depth() -> None:
    inner = SimpleNamespace(custom_id="inner")
    parts = [SimpleNamespace(children=[SimpleNamespace(children=[inner])]), SimpleNamespace(custom_id="outer")]
    assert ["inner", "outer"] == [*_ids(parts)]


class Thread:
    """A thread that records its changes; `errors` are those of the users that are not added."""

    def __init__(self, *, archived: bool = False, locked: bool = False, owner_id: int = 0, **errors: Exception) -> None:
        self.archived, self.locked, self.owner_id = archived, locked, owner_id
        self.errors, self.changes = errors, list[Any]()

    async def edit(self, **fields: Any) -> None:
        self.changes.append(fields)

    async def add_user(self, user: Any) -> None:
        if error := self.errors.get(f"user{user.id}"):
            raise error
        self.changes.append(user.id)


def show_thread(home: House, monkeypatch: pytest.MonkeyPatch, thread: Any) -> None:
    async def find(_: int) -> Any:
        if isinstance(thread, Exception):
            raise thread
        return thread

    monkeypatch.setattr(home.services.channels, "_thread", find)


OUTAGE, FORBIDDEN, UNKNOWN_MESSAGE = refusal(503), refusal(403, 50013), refusal(404, 10008)
LISTED = {"id": str(CHANNEL), "name": "games", "type": 0, "position": 0, "permission_overwrites": []}


async def test_a_thread_is_opened_once_archived_and_reopened_for_a_week(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    channels: Any = home.services.channels
    channels._client._connection.user = SimpleNamespace(id=1)
    home.network.answers["POST /channels/{channel_id}/messages/{message_id}/threads"] = {"id": "5", "type": 11} | {
        "guild_id": str(GUILD),
        "parent_id": str(CHANNEL),
        "owner_id": "1",
        "name": "x",
        "message_count": 0,
        "member_count": 0,
        "thread_metadata": {"archived": False, "auto_archive_duration": 1, "archive_timestamp": NOON.isoformat()},
    }
    assert 5 == await channels.open_thread(GUILD, CHANNEL, 5, "A game")
    ((address, body),) = home.network.bodies
    assert (f"POST /channels/{CHANNEL}/messages/5/threads", "A game", 10080) == (
        address,
        body["name"],
        body["auto_archive_duration"],
    )
    home.network.fault = lambda: refusal(400, 160004)
    assert 5 == await channels.open_thread(GUILD, CHANNEL, 5, "A game"), "it exists already"
    home.network.fault = lambda: FORBIDDEN
    with pytest.raises(discord.HTTPException):
        await channels.open_thread(GUILD, CHANNEL, 5, "A game")
    changes = []
    for thread in (Thread(), Thread(archived=True), Thread(archived=True, owner_id=1)):
        show_thread(home, monkeypatch, thread)
        await channels.archive(9)
        await channels.reopen(9)
        changes.append(thread.changes)
    missing = discord.utils.MISSING
    assert [
        [{"archived": True}],
        [{"archived": False, "auto_archive_duration": missing}],
        [{"archived": False, "auto_archive_duration": 10080}],
    ] == changes
    show_thread(home, monkeypatch, None)
    await channels.archive(9)
    await channels.reopen(9)
    await channels.add_members(9, 71)


async def lines_of(
    caplog: pytest.LogCaptureFixture, works: Iterable[Awaitable[object]]
) -> tuple[list[object], list[str]]:
    """The results of some calls, and the lines that they log."""
    caplog.set_level("INFO", "bot")
    caplog.clear()
    results = [await work for work in works]
    return results, [record.getMessage() for record in caplog.records]


async def test_refused_changes_of_older_messages_are_lines_of_the_log(
    home: House, caplog: pytest.LogCaptureFixture
) -> None:
    channels, table = home.services.channels, await home.lobby()
    message = (CHANNEL, 5, lambda: words_layout("x"))

    def changes() -> Iterable[Awaitable[object]]:
        yield channels.announce(table, Text("Hello."))
        yield from (change(*message) for change in (channels.replace, channels.refresh, channels.update))
        yield channels.delete(CHANNEL, 5)

    assert ([True, True, None, None, None], []) == await lines_of(caplog, changes())
    for error, is_there in ((FORBIDDEN, True), (UNKNOWN_MESSAGE, False)):
        home.network.fault = lambda error=error: error
        why = reason(error)
        lines = [
            f"match 1: an announcement was not posted: {why}",
            *3 * [f"message 5 stays as it is: {why}"],
            f"message 5 stays, since Discord did not delete it: {why}",
        ]
        assert ([False, is_there, None, None, None], lines) == await lines_of(caplog, changes())
    home.network.fault = lambda: OUTAGE
    with pytest.raises(discord.DiscordServerError):
        await channels.update(*message)
    home.network.fault = lambda: refusal(400, 99999)
    with pytest.raises(discord.HTTPException):
        await channels.update(*message)
    await channels.update(*message, attempts=80)


async def test_refused_changes_of_threads_are_lines_of_the_log(
    home: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    channels, thread = home.services.channels, Thread(user71=FORBIDDEN)
    show_thread(home, monkeypatch, thread)
    denied = [f"user 71 is not added to thread 9: {reason(FORBIDDEN)}"]
    assert ([None], denied) == await lines_of(caplog, [channels.add_members(9, 70, 71, 72)])
    assert [70, 72] == thread.changes
    show_thread(home, monkeypatch, UNKNOWN_MESSAGE)
    unread = [f"thread 9 gets no members, since it cannot be read: {reason(UNKNOWN_MESSAGE)}"]
    assert ([None], unread) == await lines_of(caplog, [channels.add_members(9, 70)])
    show_thread(home, monkeypatch, FORBIDDEN)
    archived = [f"thread 9 stays archived: {reason(FORBIDDEN)}"]
    assert ([None], archived) == await lines_of(caplog, [channels.reopen(9)])
    show_thread(home, monkeypatch, OUTAGE)
    with pytest.raises(discord.DiscordServerError):
        await channels.reopen(9)


async def test_each_message_and_edit_reports_its_success_and_an_unknown_channel_a_suspicion(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    channels: Any = home.services.channels
    reports: list[Any] = []
    monkeypatch.setattr(channels, "report_success", lambda: reports.append("success"))
    monkeypatch.setattr(channels, "_on_gone", reports.append)
    await channels.send(CHANNEL, lambda: words_layout("x"), nonce="n", silent=True)
    await channels.edit(CHANNEL, 5, lambda: words_layout("x"))
    assert ["success", "success"] == reports
    sent = home.network.bodies[0][1]
    assert ("n", True, 1 << 12) == (sent["nonce"], sent["enforce_nonce"], sent["flags"] & 1 << 12)
    home.network.fault = lambda: refusal(404, 10003)
    for request in (channels.send(CHANNEL, lambda: words_layout("x")), channels.find(CHANNEL, Control(BUTTON))):
        with pytest.raises(discord.NotFound):
            await request
    assert ["success", "success", CHANNEL, CHANNEL] == reports
    home.network.fault = lambda: FORBIDDEN
    with pytest.raises(discord.Forbidden):
        await channels.send(CHANNEL, lambda: words_layout("x"))
    assert 4 == len(reports)


async def test_a_channel_that_its_server_lists_is_not_deleted_and_a_server_that_is_away_gives_no_answer(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    channels = home.services.channels
    home.network.fault, home.network.spared = (lambda: refusal(404, 10003)), "GET /guilds"
    for listed, is_deleted in (
        ([LISTED], False),
        ([{**LISTED, "id": "9"}], True),
        ([{**LISTED, "id": "9"}, LISTED], False),
    ):
        home.network.answers["GET /guilds/{guild_id}/channels"] = listed
        assert is_deleted == await channels.is_deleted(GUILD, CHANNEL)
    with pytest.raises(ServerAway):
        await channels.is_deleted(GUILD + 1, CHANNEL)
    home.network.fault = lambda: OUTAGE
    with pytest.raises(discord.DiscordServerError):
        await channels.exists(CHANNEL)


BUTTON = ControlId("board", 1, 2)
