"""Jobs of every kind one by one: the whole messages that they send, whom these call, and when the job comes again."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.errors import GameFault, UserError
from bot.features.view.my_games import MAX_LIST_CHARS
from bot.interactions.parts import stamp
from bot.interactions.refusals import MAX_ATTEMPTS
from bot.jobs import digest as digest_module
from bot.jobs import kinds
from bot.jobs import next_notice as next_notice_job
from bot.jobs import story as story_job
from bot.jobs.kinds import all_work
from bot.store.codec import time_of
from bot.store.drafts import Draft
from bot.store.jobs import NO_MATCH, NOBODY, Job, JobKind, reminder_job
from bot.store.matches import SeatHolder, Status
from bot.store.reminded import LastReminder
from bot.store.shard_range import NO_SERVER
from bot.tables.asides import MAX_DELAY, MIN_DELAY
from bot.tables.moves import NextStep
from bot.tables.overviews import overview_job, overview_of
from bot.tables.preferences import Preferences, keep_preferences, preferences_of
from bot.tables.scheduled_events import events_job, events_of
from bot.tables.table import Table
from engine.languages import language
from engine.texts import Seat, Text, from_json, to_json
from tests.bot.posting.test_poster import refusal
from tests.bot.refusing import CHANNEL, DAY, GUEST, GUILD, HOST, HOUR, NOON, House
from tests.bot.test_refused_jobs import CASES, next_notice
from tests.bot.whole import whole

MINUTE, SECOND = timedelta(minutes=1), timedelta(seconds=1)
MORNING = NOON + 20 * HOUR
"""The next one after noon, at eight."""
SILENT = 1 << 12
LINK = "https://discord.com/channels/7/2"
CLOSED_DOOR, OUTAGE = (lambda: refusal(403, 50013)), (lambda: refusal(503))
UNKNOWN_REFUSAL = partial(refusal, 400, 99999)
NO_DIRECT_MESSAGES, MESSAGE_GONE, CHANNEL_GONE = (
    (lambda: refusal(403, 50007)),
    (lambda: refusal(404, 10008)),
    (lambda: refusal(404, 10003)),
)


async def run(home: House, job: Job, fault: Callable[[], Exception] | None = None) -> Job | None:
    """Run a job as it is stored, perhaps while Discord refuses all requests. Returns the job as it goes on."""
    await home.store.jobs.put(job)
    current = await home.store.jobs.find(*job.key)
    assert current is not None
    home.network.bodies.clear()
    home.network.fault = fault
    try:
        return await all_work(home.services)[job.kind].run(current)
    finally:
        home.network.fault = None


def due_time(job: Job | None) -> datetime | None:
    return job.due_at if job else None


def sent(home: House) -> list[list[str]]:
    """The requests since the job began: address, mentions and `silent`, then the lines of the message."""
    requests = [[_head(address, body), *_lines(body)] for address, body in home.network.bodies]
    home.network.bodies.clear()
    return requests


def _head(address: str, body: Any) -> str:
    fields = body or {}
    users = (fields.get("allowed_mentions") or {}).get("users") or ()
    is_silent = int(fields.get("flags") or 0) & SILENT
    marks = [*(f"@{user}" for user in users), *(["silent"] if is_silent else []), *_recipient(fields)]
    return " ".join((address.replace("/channels/900", "/direct"), *marks))


def _recipient(fields: dict[str, Any]) -> list[str]:
    return [f"to {fields['recipient_id']}"] if "recipient_id" in fields else []


def _lines(body: Any) -> list[str]:
    return whole(body["components"]) if body and "components" in body else []


async def choose(home: House, **settings: Any) -> None:
    """Let moderators choose settings of the server."""
    before = await home.services.servers.guild_settings(GUILD)
    await home.services.servers.keep(GUILD, replace(before, **settings))


async def prefer(home: House, user_id: int, **preferences: Any) -> None:
    await keep_preferences(home.store.settings, user_id, Preferences(**preferences))


async def end(home: House, table: Table) -> None:
    """Let a table end as if it had been called off."""
    await home.services.seats.end(table, at=home.time.now, by=HOST)
    await home.store.jobs.drop(JobKind.RETIRE, table.id)


def digest_job(number: int = 0) -> Job:
    return Job(JobKind.DIGEST, NOON, user_id=HOST, state={"since": time_of(NOON - DAY), "number": number})


OPEN_DIRECT, DIRECT = f"POST /users/@me/channels to {HOST}", "POST /direct/messages"
WAITING_LINES = ["### Your move", f"**[Sealed Bids]({LINK}/555)** with 🟦 Ben", "Bid 0 to 3 coins. · <t:1420070400:R>"]
ONCE_A_DAY = "-# At most once a day; turn it off in `/me settings`."


async def test_the_digest_has_all_news_once_a_day_for_those_who_want_it(home: House) -> None:
    """The cases: not wanted, without news, in quiet hours, refused for good and for now, and sent."""
    assert await run(home, digest_job()) is None
    await prefer(home, HOST, summary="beside")
    assert digest_job().at(MORNING) == await run(home, digest_job())
    await home.posted()
    await prefer(home, HOST, summary="beside", quiet="11-14")
    assert digest_job().at(NOON + 2 * HOUR) == await run(home, digest_job())
    assert [] == sent(home)
    await prefer(home, HOST, summary="beside")
    assert digest_job().at(MORNING) == await run(home, digest_job(), NO_DIRECT_MESSAGES)
    with pytest.raises(discord.DiscordServerError):
        await run(home, digest_job(), OUTAGE)
    assert digest_job().at(MORNING, since=time_of(NOON), number=10_008) == await run(home, digest_job(10_007))
    assert "m70-7" == home.network.bodies[-1][1]["nonce"]
    message = [DIRECT, "☀️ 1 of your games is waiting for you.", *WAITING_LINES, ONCE_A_DAY]
    assert [[OPEN_DIRECT], message] == sent(home)


async def test_the_digest_names_some_ended_games_and_none_of_a_server_with_an_outage(home: House) -> None:
    await prefer(home, HOST, summary="instead")
    for channel_id in range(20, 29):
        await end(home, await home.posted(channel_id))
    await home.posted()
    absent: Any = home.services.worker
    absent._absent = _Away()
    await run(home, digest_job())
    _, (_, *lines) = sent(home)
    ended = [f"**[Sealed Bids](https://discord.com/channels/7/{n}/555)**: It was called off." for n in range(20, 28)]
    assert ["☀️ 9 games have ended.", "### Over", *ended, "-# … and 1 more", ONCE_A_DAY] == lines


async def test_the_digest_fills_a_message_but_is_never_longer(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def many_games(*_: Any, **__: Any) -> Any:
        return SimpleNamespace(due=999, in_words=lambda room: "x" * room)

    monkeypatch.setattr(digest_module, "games_of", many_games)
    await prefer(home, HOST, summary="instead")
    await end(home, await home.posted())
    await run(home, digest_job())
    _, (_, *lines) = sent(home)
    assert MAX_LIST_CHARS == len("\n".join(lines))


class _Away:
    """The only server has an outage."""

    def rests(self, guild_id: int) -> bool:
        return guild_id == GUILD

    async def set_aside(self, *_: Any) -> None:
        """No job is due."""


async def test_the_notice_of_the_next_turn_is_silent_and_lapses_where_it_no_longer_applies(home: House) -> None:
    await next_notice(home)
    (job,) = await home.store.jobs.find_all([(JobKind.NEXT_NOTICE, 1, GUEST, -1)])
    record = job.at(NOON + 7 * DAY, sent=True)
    assert record == await run(home, job)
    assert "n1-1-4" == home.network.bodies[-1][1]["nonce"]
    small = f"-# [Go to board]({LINK}/555) · At most once a round; turn it off in `/me settings`."
    notice = ["POST /direct/messages silent", "⏳ **Muscat**: You’re next", small]
    assert [[f"POST /users/@me/channels to {GUEST}"], notice] == sent(home)
    assert record == await run(home, job, NO_DIRECT_MESSAGES)
    assert record == await run(home, replace(job, attempts=99), UNKNOWN_REFUSAL), "nobody waits for it for ever"
    with pytest.raises(discord.HTTPException):
        await run(home, job, UNKNOWN_REFUSAL)
    with pytest.raises(discord.DiscordServerError):
        await run(home, job, OUTAGE)
    await prefer(home, GUEST, next_notice=True, quiet="11-14")
    assert job.at(NOON + 2 * HOUR) == await run(home, job)
    await prefer(home, GUEST, next_notice=False)
    assert await run(home, job) is None
    await prefer(home, GUEST, next_notice=True)
    assert await run(home, record) is None
    assert await run(home, job.at(NOON, version=3)) is None
    assert await run(home, replace(job, user_id=72)) is None
    table = await home.services.tables.find(1)
    assert table is not None
    await end(home, table)
    assert await run(home, job) is None
    assert [] == sent(home)


async def test_a_notice_tells_when_the_next_turn_is_likely(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "You’re next, likely this evening"
    looks, boards = list[Any](), list[int]()

    async def likely(*of: object) -> Text | None:
        looks.append(of)
        return None if looks[1:] else Text(text)

    async def wait_for_board(match_id: int) -> None:
        boards.append(match_id)

    monkeypatch.setattr(next_notice_job, "next_turn_text", likely)
    await next_notice(home)
    (job,) = await home.store.jobs.find_all([(JobKind.NEXT_NOTICE, 1, GUEST, -1)])
    monkeypatch.setattr(home.services.worker, "wait_for_board", wait_for_board)
    for words in (text, "You’re next"):
        await run(home, job)
        assert f"⏳ **Muscat**: {words}" == sent(home)[-1][1]
    table = await home.services.tables.find(1)
    assert table is not None
    assert [(home.store.log, table, 1, Preferences(interval=0, next_notice=True), NOON)] * 2 == looks
    table.match, table.problem = None, Text("A fault.")
    assert (None, []) == (await run(home, job), sent(home))
    assert [1, 1, 1] == boards


@pytest.mark.parametrize("kind", [JobKind.NEXT_NOTICE, JobKind.REMINDER, JobKind.CLOCK])
async def test_a_board_that_the_last_process_left_goes_before_messages_about_its_game(
    home: House, monkeypatch: pytest.MonkeyPatch, kind: JobKind
) -> None:
    table, steps = await home.posted(), list[str]()

    async def wait_for_board(_: int) -> None:
        steps.append("board")

    async def find(_: int) -> None:
        steps.append("found")

    await home.put(replace(reminder_job(table.id, HOST, 0, NOON - DAY), due_at=NOON))
    monkeypatch.setattr(home.services.worker, "wait_for_board", wait_for_board)
    monkeypatch.setattr(home.services.tables, "find", find)
    user_id, seat = (HOST, -1) if kind is not JobKind.CLOCK else (NOBODY, 0)
    state = {"sent": False, "version": 0, "since": time_of(NOON - DAY), "reminded": None}
    await run(home, Job(kind, NOON, table.id, user_id, seat, state=state, guild_id=GUILD))
    # first for the guard around each job of a match
    assert ["found", "board", "found"] == steps[:3]


async def test_an_answer_is_given_when_its_user_is_awake_and_has_not_begun_to_answer(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, answers, next_step = await home.match(), list[Job](), [NextStep.BOARD]

    async def give(_: Table, job: Job) -> NextStep:
        answers.append(job)
        return next_step[0]

    monkeypatch.setattr(home.services.auto_answers, "give", give)
    job = Job(JobKind.ANSWER, NOON, table.id, HOST, state={"version": 0}, guild_id=GUILD)
    assert await run(home, replace(job, match_id=99)) is None
    await prefer(home, HOST, quiet="11-14")
    later = due_time(await run(home, job))
    assert later is not None
    assert NOON + 2 * HOUR + MIN_DELAY <= later <= NOON + 2 * HOUR + MAX_DELAY
    await prefer(home, HOST)
    await home.services.moves.keep_draft(table, Seat(0), Draft(0, ("bid 1",)))
    later = due_time(await run(home, job))
    assert later is not None
    assert NOON + MIN_DELAY <= later <= NOON + MAX_DELAY
    await home.services.moves.keep_draft(table, Seat(0), None)
    assert ([], []) == (answers, sent(home))
    assert await run(home, job) is None
    assert ([HOST], [f"POST /channels/2/messages @{HOST} @{GUEST}"]) == ([answers[0].user_id], [sent(home)[0][0]])
    updated = list[Table]()
    monkeypatch.setattr(home.services.poster, "update_due", updated.append)
    next_step[0] = NextStep.WAITING
    assert (None, [table], []) == (await run(home, job), updated, sent(home))


def expiry_job(warned: datetime | None = None) -> Job:
    state = {"since": time_of(NOON), "warned": warned and time_of(warned)}
    return Job(JobKind.LOBBY_EXPIRY, NOON, 1, guild_id=GUILD, state=state)


WARNING = [
    f"POST /channels/2/messages @{HOST}",
    "<@70>, nothing has happened at your **Sealed Bids** table since <t:1780315200:f>. Closing time: <t:1780401600:R>.",
    "-# Any change keeps it open, too.",
    "[Keep it open keep]",
]
PLAYERS = ["", "🔴 <@70>", "🟦 <@71>"]


async def test_an_idle_table_closes_a_day_after_its_last_change_and_an_hour_after_a_warning(
    home: House, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "bot")
    table = await home.lobby()
    await home.services.lobbies.note_lobby_message(table, 55)
    home.time.now = NOON + 23 * HOUR - SECOND
    assert expiry_job().at(NOON + 23 * HOUR) == await run(home, expiry_job())
    assert [] == sent(home)
    home.time.now += SECOND
    unseen = expiry_job().at(NOON + DAY, warned=time_of(NOON + 23 * HOUR), warning=None)
    assert unseen == await run(home, expiry_job(), CLOSED_DOOR)
    line = "match 1: the host was not warned, and the lobby closes anyway: "
    assert [line] == [message[: len(line)] for message in caplog.messages]
    warned = await run(home, expiry_job())
    assert warned == unseen.at(NOON + DAY, warning=warned.state["warning"])
    assert f"l1-{NOON.timestamp():.0f}" == home.network.bodies[-1][1]["nonce"]
    assert [WARNING] == sent(home)
    with pytest.raises(discord.DiscordServerError):
        await run(home, expiry_job(), OUTAGE)
    home.time.now += HOUR - SECOND
    assert warned == await run(home, warned)
    home.time.now += SECOND
    assert await run(home, warned) is None
    closed, why = ["PATCH /channels/2/messages/55", "## Sealed Bids"], "Nothing happened at this table for a day"
    warning = [f"PATCH /channels/2/messages/{warned.state['warning']}", f"{why}, so it’s closed."]
    assert [[*closed, f"{why}, so it’s closed.", *PLAYERS], warning] == sent(home)
    assert Status.CLOSED is table.row.status
    assert await run(home, expiry_job()) is None
    assert [] == sent(home)


async def test_a_start_time_keeps_a_table_open_until_a_day_after_it(home: House) -> None:
    await home.lobby(starts_at=NOON + 3 * DAY)
    home.time.now = NOON + 2 * DAY
    assert expiry_job().at(NOON + 3 * DAY + 23 * HOUR) == await run(home, expiry_job())
    assert [] == sent(home)


START = Job(JobKind.START, NOON, 1, guild_id=GUILD)
LUCK = "-# 🎲 The luck of this game is sealed: "


async def test_a_start_time_begins_the_game_or_asks_those_who_are_not_ready(home: House) -> None:
    table = await home.lobby(starts_at=NOON)
    home.time.now = NOON - SECOND
    assert START.at(NOON) == await run(home, START)
    home.time.now = NOON
    with pytest.raises(discord.DiscordServerError):
        await run(home, START, OUTAGE)
    assert NOON == table.row.starts_at
    assert await run(home, START) is None
    ((head, *lines),) = sent(home)
    assert f"POST /channels/2/messages @{HOST} @{GUEST}" == head
    assert ["⏳ 🔴 <@70> · host", "⏳ 🟦 <@71>"] == lines[3:5]
    assert "**Ready?** The game begins when everyone is. Waiting for <@70> and <@71>." == lines[6]
    assert ["[Ready ready]", "[More more]"] == lines[-2:]
    assert table.row.starts_at is None
    assert await run(home, START) is None
    assert [] == sent(home)


async def test_a_table_that_cannot_start_says_why_without_a_ping_and_stays_open(
    home: House, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "bot")
    table = await home.lobby(CHANNEL, SeatHolder(HOST, name="Ana"), starts_at=NOON)
    await home.services.lobbies.note_lobby_message(table, 55)
    assert await run(home, START) is None
    posted, pointer = sent(home)
    assert "POST /channels/2/messages" == posted[0]
    note = "-# ⏰ The game was supposed to start now. Sealed Bids is for 2 to 4 players, not for 1."
    assert [note, "[Join join]", "(Start start)", "[Add computer add]", "[More more]"] == posted[-5:]
    assert (None, Status.LOBBY) == (table.row.starts_at, table.row.status)
    assert ["PATCH /channels/2/messages/55", "-# This table is further down now."] == pointer
    for fault, starts_at in ((CLOSED_DOOR, None), (OUTAGE, NOON)):
        async with home.services.tables.changing(table) as change:
            change.facts = replace(table.facts, row=replace(table.row, starts_at=NOON))
        try:
            await run(home, START, fault)
        except discord.DiscordServerError:
            assert fault is OUTAGE
        assert starts_at == table.row.starts_at
    assert ["match 1: the start is not announced"] == [message[:35] for message in caplog.messages]


async def test_a_game_does_not_start_by_itself_where_its_players_could_not_start_it(home: House) -> None:
    table = await home.lobby(starts_at=NOON, ready=[HOST, GUEST])
    await home.posted(9)
    await choose(home, most=1)

    async def notes() -> list[str]:
        async with home.services.tables.changing(table) as change:
            change.facts = replace(table.facts, row=replace(table.row, starts_at=NOON))
        assert await run(home, START) is None
        return [line for lines in sent(home) for line in lines if line.startswith("-# ⏰ The game was supposed")]

    (limit,) = await notes()
    assert limit.startswith("-# ⏰ The game was supposed to start now. This server allows 1 game at a time")
    await choose(home, most=0)
    await home.store.blocks.add(GUEST, HOST, "Ana", NOON)
    (apart,) = await notes()
    assert "-# ⏰ The game was supposed to start now. That’s not possible here." == apart
    assert Status.LOBBY is table.row.status
    for block in await home.store.blocks.of(GUEST):
        await home.store.blocks.drop(GUEST, block.digest)
    await home.services.lobbies.note_lobby_message(table, 55)
    async with home.services.tables.changing(table) as change:
        change.facts = replace(table.facts, row=replace(table.row, starts_at=NOON))
    assert await run(home, START) is None
    board, lobby_message = sent(home)
    assert (f"POST /channels/2/messages @{HOST} @{GUEST}", Status.RUNNING) == (board[0], table.row.status)
    assert ["PATCH /channels/2/messages/55", "## Sealed Bids", "The game has begun."] == lobby_message[:3]
    other = await home.lobby(8, starts_at=NOON, ready=[HOST, GUEST])
    assert await run(home, replace(START, match_id=other.id)) is None
    # docs/luck.md
    assert [55, 8] == [started.row.ids[-1] for started in (table, other)], "the message, or the channel without one"


ARCHIVE = Job(JobKind.THREAD_ARCHIVE, NOON, 1, guild_id=GUILD, state={"over": time_of(NOON - DAY)})
READ_CHANNEL, CHANGE_CHANNEL = "GET /channels/{channel_id}", "PATCH /channels/{channel_id}"


def thread(*, archived: bool, locked: bool = False, owner: int = 1) -> dict[str, Any]:
    """Discord's description of the channel as a thread."""
    times = {"auto_archive_duration": 10080, "archive_timestamp": NOON.isoformat()}
    return {
        **{"id": str(CHANNEL), "guild_id": str(GUILD), "type": 11, "name": "t", "parent_id": "3", "message_count": 0},
        **{"owner_id": str(owner), "member_count": 1, "rate_limit_per_user": 0, "total_message_sent": 0},
        "thread_metadata": {"archived": archived, "locked": locked, **times},
    }


async def test_a_thread_is_archived_once_all_is_posted_for_as_long_as_the_server_wants(home: House) -> None:
    table = await home.posted(own_thread=True)
    assert ARCHIVE.at(NOON + HOUR) == await run(home, ARCHIVE)
    await end(home, table)
    await home.store.jobs.drop(JobKind.LOBBY_MESSAGE, table.id)
    first = replace(ARCHIVE, state={})
    assert ARCHIVE.at(NOON + DAY, over=time_of(NOON)) == await run(home, first)
    early = ARCHIVE.at(NOON, over=time_of(NOON - DAY + SECOND))
    assert early.at(NOON + SECOND) == await run(home, early)
    await choose(home, archive="at once")
    assert ARCHIVE.at(NOON + MINUTE, over=time_of(NOON)) == await run(home, first)
    await choose(home, archive="never")
    assert await run(home, ARCHIVE) is None
    await choose(home, archive="day")
    for kind in (JobKind.BOARD, JobKind.RETIRE, JobKind.LOBBY_MESSAGE, JobKind.STORY):
        await home.store.jobs.put(Job(kind, NOON + DAY, table.id, state={"mark": "0-1"}))
        assert ARCHIVE.at(NOON + MINUTE) == await run(home, ARCHIVE), kind
        await home.store.jobs.drop(kind, table.id)
    again = await home.lobby()
    assert ARCHIVE.at(NOON + HOUR, over=None) == await run(home, ARCHIVE)
    await end(home, again)
    assert [] == sent(home)
    assert await run(home, ARCHIVE, CLOSED_DOOR) is None
    with pytest.raises(discord.DiscordServerError):
        await run(home, ARCHIVE, OUTAGE)
    home.network.answers |= {READ_CHANNEL: thread(archived=False), CHANGE_CHANNEL: thread(archived=True)}
    assert await run(home, ARCHIVE) is None
    read, change = home.network.bodies
    assert ("GET /channels/2", ("PATCH /channels/2", {"archived": True})) == (read[0], change)
    home.network.answers[READ_CHANNEL] = thread(archived=True)
    assert await run(home, ARCHIVE) is None
    assert [["GET /channels/2"]] == sent(home)


async def test_a_reminder_is_recorded_when_it_is_due_and_given_up_after_many_unknown_refusals(home: House) -> None:
    table, reminded = await home.posted(), home.store.reminded
    job = await home.store.jobs.find(JobKind.REMINDER, table.id, HOST)
    assert job is not None
    assert job == await run(home, job)
    assert LastReminder() == await reminded.of(HOST)
    home.time.now += DAY
    with pytest.raises(discord.HTTPException):
        await run(home, job, UNKNOWN_REFUSAL)
    assert (0, NOON + DAY) == ((last := await reminded.of(HOST)).number, last.begun_at)
    await run(home, replace(job, attempts=MAX_ATTEMPTS), UNKNOWN_REFUSAL)
    assert (1, NOON + DAY) == ((last := await reminded.of(HOST)).number, last.at)


CHECK = Job(JobKind.CHANNEL_CHECK, NOON, 1, guild_id=GUILD)


async def test_an_archived_thread_of_an_open_game_is_reopened_for_as_long_as_the_bot_may(home: House) -> None:
    table = await home.posted()
    home.network.answers |= {READ_CHANNEL: thread(archived=True), CHANGE_CHANNEL: thread(archived=False)}
    for owner, minutes in ((1, {"auto_archive_duration": 10080}), (5, {})):
        home.let_make_events()
        home.network.answers[READ_CHANNEL] = thread(archived=True, owner=owner)
        assert await run(home, CHECK) is None
        assert ("PATCH /channels/2", {"archived": False} | minutes) == home.network.bodies[-1]
    home.network.answers[READ_CHANNEL] = thread(archived=True, locked=True)
    assert await run(home, CHECK) is None
    assert [["GET /channels/2"]] * 2 == sent(home)
    home.network.answers[READ_CHANNEL], home.network.spared = thread(archived=True), "GET"
    with pytest.raises(discord.HTTPException):
        await run(home, CHECK, UNKNOWN_REFUSAL)
    assert await run(home, replace(CHECK, attempts=MAX_ATTEMPTS), UNKNOWN_REFUSAL) is None
    sent(home)
    await end(home, table)
    assert await run(home, CHECK) is None
    assert [] == sent(home)


async def test_a_deleted_channel_ends_its_game_at_the_second_look_and_each_person_hears_of_it(home: House) -> None:
    table = await home.posted()
    home.network.spared = ("GET /guilds", "POST")
    missing = CHECK.at(NOON + 3 * HOUR, missing=time_of(NOON))
    assert missing == await run(home, CHECK, CHANNEL_GONE)
    assert [["GET /guilds/7/channels"]] == sent(home)
    home.time.now += 3 * HOUR - SECOND
    assert missing == await run(home, missing, CHANNEL_GONE)
    assert table.is_open
    home.time.now += SECOND
    assert await run(home, missing, CHANNEL_GONE) is None
    assert not table.is_open
    notice = "The channel of your **Sealed Bids** game was deleted, so the game was called off; its log is kept."
    direct = [[[f"POST /users/@me/channels to {user}"], [DIRECT, notice]] for user in (HOST, GUEST)]
    assert [["GET /guilds/7/channels"], *direct[0], *direct[1]] == sent(home)


async def test_the_moderators_log_has_its_lines_in_order_and_each_at_most_once(home: House) -> None:
    lines = [[0, "n1", "first"], [9, "n2", to_json(Text("second {n}", n=2))], [9, "n3", "third"]]
    job = Job(JobKind.MODERATION_LOG, NOON, guild_id=GUILD, state={"lines": lines})
    home.time.now += HOUR
    rest = job.at(NOON + HOUR, lines=lines[1:])
    assert rest == await run(home, job)
    assert [] == sent(home)
    await choose(home, log=CHANNEL)
    assert rest == await run(home, job)
    assert [["POST /channels/2/messages", "first"]] == sent(home)
    assert job.at(NOON + HOUR, lines=lines[2:]) == await run(home, rest)
    assert "n2" == home.network.bodies[-1][1]["nonce"]
    assert [["POST /channels/9/messages", "second 2"]] == sent(home)
    assert rest == await run(home, job, CLOSED_DOOR)
    with pytest.raises(discord.DiscordServerError):
        await run(home, job, OUTAGE)
    assert await run(home, job.at(NOON, lines=lines[2:])) is None


OVERVIEW = overview_job(GUILD, NOON)
NO_GAMES = ["### Games in this server", "No game is open at the moment. `/table new` sets up a table."]


def last_change(moment: datetime) -> str:
    return f"-# Changes show here within three minutes. Last change: {stamp(moment, 'R')}"


async def test_the_overview_is_edited_for_a_change_and_once_an_hour_and_follows_its_channel(home: House) -> None:
    assert await run(home, OVERVIEW) is None
    home.add_channel(CHANNEL)
    home.let_make_events()
    await choose(home, overview=CHANNEL)
    first = await run(home, OVERVIEW)
    assert first is not None
    assert [["POST /channels/2/messages", *NO_GAMES, last_change(NOON), "[My games mygames 1]"]] == sent(home)
    assert (NOON + 3 * MINUTE, time_of(NOON)) == (due_time(first), first.state["looked"])
    home.time.now += HOUR - SECOND
    assert first.at(NOON + HOUR - SECOND + 3 * MINUTE) == await run(home, first)
    assert [] == sent(home)
    home.time.now += SECOND
    refreshed = await run(home, first)
    assert [["PATCH /channels/2/messages/555", *NO_GAMES, last_change(NOON), "[My games mygames 1]"]] == sent(home)
    assert refreshed is not None
    assert first.state["changed"] == refreshed.state["changed"] == time_of(NOON)
    await home.posted()
    later = await run(home, first)
    assert later is not None
    line = f"**[Sealed Bids]({LINK}/555)** in <#2>: waiting for <@70>, <@71> · <t:1420070400:R>"
    assert [
        ["PATCH /channels/2/messages/555", NO_GAMES[0], line, last_change(home.time.now), "[My games mygames 1]"]
    ] == sent(home)
    assert later.state["shown"] != first.state["shown"]
    home.network.spared = "POST"
    await run(home, first, MESSAGE_GONE)
    assert [
        "POST /channels/2/messages",
        *NO_GAMES[:1],
        line,
        last_change(home.time.now),
        "[My games mygames 2]",
    ] == sent(home)[-1]
    home.network.spared = ""
    home.add_channel(9)
    await choose(home, overview=9)
    await run(home, first)
    deleted, posted = sent(home)
    assert (["DELETE /channels/2/messages/555"], "POST /channels/9/messages") == (deleted, posted[0])
    await choose(home, overview=0)
    assert await run(home, first) is None
    assert [["DELETE /channels/9/messages/555"]] == sent(home)
    assert await run(home, first) is None
    assert [] == sent(home)


async def test_the_overview_waits_for_those_who_have_not_decided_since_the_board(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.add_channel(CHANNEL)
    home.let_make_events()
    await choose(home, overview=CHANNEL)
    table = await home.posted()
    await home.services.moves.play(table, HOST, table.require_match().parse("bid 1"), interaction_id=1, version=None)

    async def waits_for() -> str:
        await run(home, OVERVIEW)
        (line,) = [line for line in sent(home)[-1] if "waiting for" in line]
        return line.partition("waiting for ")[2].partition(" · ")[0]

    assert "<@71>" == await waits_for()

    async def find(_: int) -> None:
        """The table is gone."""

    monkeypatch.setattr(home.services.tables, "find", find)
    assert "<@70>, <@71>" == await waits_for()


async def test_the_overview_names_a_game_in_an_archived_thread_that_the_bot_has_opened(home: House) -> None:
    """The bot does not know archived threads; its own are public, and others may be private."""
    home.add_channel(CHANNEL)
    home.let_make_events()
    await choose(home, overview=CHANNEL)
    own = await home.posted(77, own_thread=True, parent_id=CHANNEL)
    other = await home.posted(78, parent_id=CHANNEL)
    await run(home, OVERVIEW)
    message = str(sent(home)[-1])
    assert (True, False) == tuple(f"<#{table.row.channel_id}>" in message for table in (own, other)), message


async def test_an_overview_that_discord_refuses_is_tried_again_with_the_next_change_or_hour(
    home: House, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "bot")
    home.add_channel(CHANNEL)
    await choose(home, overview=CHANNEL)
    with pytest.raises(discord.DiscordServerError):
        await run(home, OVERVIEW, OUTAGE)
    refused = await run(home, OVERVIEW, CLOSED_DOOR)
    assert refused is not None
    assert ["the overview of server 7 is not shown: "] == [message[:39] for message in caplog.messages]
    assert (NOON + 3 * MINUTE, time_of(NOON)) == (due_time(refused), refused.state["looked"])
    assert (await overview_of(home.store.settings, GUILD)).message_id is None
    await choose(home, overview=9)
    assert OVERVIEW.at(NOON + 3 * MINUTE) == await run(home, OVERVIEW), "a channel that is gone"


EVENTS = events_job(GUILD, NOON)
MADE, READ_EVENTS = "POST /guilds/7/scheduled-events", "GET /guilds/7/scheduled-events"


async def test_events_follow_the_tables_with_a_start_time_and_no_event_is_made_twice(home: House) -> None:
    home.add_channel(CHANNEL)
    home.let_make_events()
    await choose(home, events=True)
    again = EVENTS.at(NOON + 3 * MINUTE)
    table = await home.lobby(starts_at=NOON + 9 * DAY)
    assert again == await run(home, EVENTS)
    ((address, made),) = home.network.bodies
    place = {"entity_metadata": {"location": LINK}, "description": f"Take a seat here: {LINK}"}
    times = {"scheduled_start_time": "2026-06-10T12:00:00+00:00", "scheduled_end_time": "2026-06-10T13:00:00+00:00"}
    assert (MADE, {"name": "Sealed Bids", "entity_type": 3, "privacy_level": 2} | times | place) == (address, made)
    assert again == await run(home, EVENTS)
    assert [] == sent(home)
    await home.services.lobbies.set_start(table, NOON + 8 * DAY)
    assert again == await run(home, EVENTS)
    ((address, change),) = home.network.bodies
    times = {"scheduled_start_time": "2026-06-09T12:00:00+00:00", "scheduled_end_time": "2026-06-09T13:00:00+00:00"}
    assert ("PATCH /guilds/7/scheduled-events/9", {"name": "Sealed Bids"} | times | place) == (address, change)
    await choose(home, events=False)
    assert await run(home, EVENTS) is None
    assert [["DELETE /guilds/7/scheduled-events/9"]] == sent(home)
    assert {} == (await events_of(home.store.settings, GUILD)).by_key


def server_event(creator: int, at: str = "2026-06-10T12:00:00+00:00", location: str = LINK) -> dict[str, Any]:
    """Discord's description of an event, made by the bot (1) or another user."""
    times = {"scheduled_start_time": at, "scheduled_end_time": at}
    kind = {"entity_type": 3, "privacy_level": 2, "status": 1, "entity_metadata": {"location": location}}
    return {"id": "12", "guild_id": str(GUILD), "name": "", "creator_id": str(creator)} | times | kind


@pytest.mark.parametrize(
    ("listed", "is_made"),
    [
        (server_event(1), False),
        (server_event(5), True),
        (server_event(1, at="2026-06-10T13:00:00+00:00"), True),
        (server_event(1, location=f"{LINK}9"), True),
    ],
)
async def test_an_event_of_unknown_delivery_is_searched_before_it_is_made_again(
    home: House, listed: dict[str, Any], is_made: bool
) -> None:
    home.add_channel(CHANNEL)
    home.let_make_events()
    await choose(home, events=True)
    await home.lobby(starts_at=NOON + 9 * DAY)
    with pytest.raises(discord.DiscordServerError):
        await run(home, EVENTS, OUTAGE)
    home.network.answers["GET /guilds/{guild_id}/scheduled-events"] = [listed]
    assert EVENTS.at(NOON + 3 * MINUTE) == await run(home, EVENTS)
    assert [[READ_EVENTS], *([[MADE]] if is_made else [])] == [lines[:1] for lines in sent(home)]
    (stored_event,) = (await events_of(home.store.settings, GUILD)).by_key.values()
    assert (9 if is_made else 12) == stored_event.event_id


async def test_an_event_that_moderators_delete_or_that_has_begun_is_left_alone(home: House) -> None:
    home.add_channel(CHANNEL)
    home.let_make_events()
    await choose(home, events=True)
    table = await home.lobby(starts_at=NOON + 9 * DAY)
    await run(home, EVENTS)
    await home.services.lobbies.set_start(table, NOON + 8 * DAY)
    with pytest.raises(discord.DiscordServerError):
        await run(home, EVENTS, OUTAGE)
    assert EVENTS.at(NOON + 3 * MINUTE) == await run(home, EVENTS, lambda: refusal(404, 10070))
    await home.services.lobbies.set_start(table, NOON + 7 * DAY)
    assert EVENTS.at(NOON + 3 * MINUTE) == await run(home, EVENTS)
    await choose(home, events=False)
    assert await run(home, EVENTS) is None
    assert [] == sent(home)
    await choose(home, events=True)
    await run(home, EVENTS)
    assert [MADE] == sent(home)[0][:1]
    home.time.now = NOON + 8 * DAY
    assert EVENTS.at(home.time.now + 3 * MINUTE) == await run(home, EVENTS)
    assert ([], {}) == (sent(home), (await events_of(home.store.settings, GUILD)).by_key)


async def test_an_overview_of_unknown_delivery_is_searched_before_it_is_posted_again(
    home: House, caplog: pytest.LogCaptureFixture
) -> None:
    home.add_channel(CHANNEL)
    home.let_make_events()
    await choose(home, overview=CHANNEL)
    with pytest.raises(discord.DiscordServerError):
        await run(home, OVERVIEW, OUTAGE)
    await run(home, OVERVIEW)
    search, (head, *_) = sent(home)
    assert (["GET /channels/2/messages"], "POST /channels/2/messages") == (search, head)
    home.network.spared = "POST"
    with pytest.raises(discord.DiscordServerError):
        await run(home, OVERVIEW, OUTAGE)
    assert [] == sent(home), "an outage is no reason for a second message"
    home.network.spared = ""
    await run(home, OVERVIEW)
    assert ["PATCH /channels/2/messages/555"] == sent(home)[0][:1]
    await choose(home, overview=0)
    with pytest.raises(discord.DiscordServerError):
        await run(home, OVERVIEW, OUTAGE)
    assert 555 == (await overview_of(home.store.settings, GUILD)).message_id
    caplog.set_level("INFO", "bot")
    assert await run(home, OVERVIEW, CLOSED_DOOR) is None
    assert ["an overview stays in channel 2"] == [message.partition(":")[0] for message in caplog.messages]
    assert (await overview_of(home.store.settings, GUILD)).message_id is None


async def test_moderators_hear_once_why_there_are_no_events_until_there_are_some(home: House) -> None:
    home.add_channel(CHANNEL)
    home.let_make_events()
    guild = home.services.channels.server(GUILD)
    assert guild is not None
    guild.owner_id = HOST
    again, later = EVENTS.at(NOON + 3 * MINUTE), EVENTS.at(NOON + HOUR)
    await choose(home, events=True)
    assert again == await run(home, EVENTS)
    assert "" == (await events_of(home.store.settings, GUILD)).refusal, "nothing begins at a time"
    await choose(home, log=CHANNEL)
    await home.lobby(starts_at=NOON + 9 * DAY)
    for _ in range(2):
        assert again == await run(home, EVENTS)
    assert [] == sent(home)
    guild.owner_id, home.network.spared = 1, READ_EVENTS
    too_many = partial(refusal, 400, 30038)
    for fault in (too_many, too_many, CLOSED_DOOR):
        assert later == await run(home, EVENTS, fault)
    with pytest.raises(discord.DiscordServerError):
        await run(home, EVENTS, OUTAGE)
    assert again == await run(home, EVENTS)
    await home.lobby(9, starts_at=NOON + 9 * DAY)
    home.add_channel(9)
    assert later == await run(home, EVENTS, CLOSED_DOOR)
    log = await home.store.jobs.find(JobKind.MODERATION_LOG, NO_MATCH)
    assert log is not None
    lines = [(channel_id, str(from_json(line))) for channel_id, _, line in log.state["lines"]]
    missing = "I can’t create events: that needs the **Create Events** permission."
    many = "I can’t make more events: this server has as many as Discord allows."
    assert [(CHANNEL, words) for words in (missing, many, missing, missing)] == lines
    await home.store.jobs.drop(*log.key)
    await choose(home, log=0)
    assert later == await run(home, EVENTS, too_many)
    assert await home.store.jobs.find(JobKind.MODERATION_LOG, NO_MATCH) is None, "no log"
    await choose(home, events=False)
    assert await run(home, EVENTS, CLOSED_DOOR) is None


@pytest.mark.parametrize("job", [EVENTS, OVERVIEW])
async def test_a_server_without_the_bot_is_looked_at_again_later(home: House, job: Job) -> None:
    await choose(home, events=True, overview=CHANNEL)
    home.services.channels._client._connection._remove_guild(home.services.channels.server(GUILD))  # type: ignore[attr-defined]
    assert (job.at(NOON + 3 * MINUTE), []) == (await run(home, job), sent(home))


@pytest.mark.parametrize(
    ("closing", "why"),
    [
        ("called off", "The game was called off before it began."),
        ("expired", "Nothing happened at this table for a day, so it’s closed."),
        ("begun", "The game has begun."),
    ],
)
async def test_the_message_of_a_table_that_is_closed_says_why(home: House, closing: str, why: str) -> None:
    table = await home.lobby(ready=[HOST, GUEST])
    await home.services.lobbies.note_lobby_message(table, 55)
    job = Job(JobKind.LOBBY_MESSAGE, NOON, table.id, guild_id=GUILD)
    match closing:
        case "called off":
            await home.services.seats.end(table, at=NOON, by=HOST)
        case "expired":
            await home.services.lobbies.expire(table, expiry_job(NOON))
        case _:
            await home.services.moves.start(table, 4711)
    assert await run(home, job) is None
    ((head, title, line, *rest),) = sent(home)
    assert ("PATCH /channels/2/messages/55", "## Sealed Bids", why) == (head, title, line)
    assert await run(home, job, MESSAGE_GONE) is None
    with pytest.raises(discord.DiscordServerError):
        await run(home, job, OUTAGE)
    assert PLAYERS == rest[: len(PLAYERS)]


RETIRE = Job(JobKind.RETIRE, NOON, 1, guild_id=GUILD)


async def test_a_game_that_was_called_off_loses_the_controls_of_its_board(home: House) -> None:
    table = await home.posted()
    assert await run(home, RETIRE) is None
    assert [] == sent(home), "it goes on"
    await end(home, table)
    with pytest.raises(discord.DiscordServerError):
        await run(home, RETIRE, OUTAGE)
    assert table.board is not None
    assert await run(home, RETIRE) is None
    ((head, *lines),) = sent(home)
    assert ("PATCH /channels/2/messages/555", ["### Sealed Bids"]) == (head, lines)
    assert table.board is None
    assert await run(home, RETIRE) is None
    assert [] == sent(home)


BOARD = Job(JobKind.BOARD, NOON, 1, guild_id=GUILD, state={"mark": "0-1", "superseded": None})


async def test_a_board_that_waits_is_posted_unless_its_game_was_called_off(home: House) -> None:
    table = await home.match()
    mark = table.waiting
    assert await run(home, BOARD.at(NOON, mark=mark)) is None
    ((head, *lines),) = sent(home)
    assert f"POST /channels/2/messages @{HOST} @{GUEST}" == head
    buttons = ["[Your move turn]", "[My hand hand]", "[Log log]", f"[As text text {mark}]", "[Rules rules]"]
    people = ["🔴 <@70>: Bid 0 to 3 coins.", "🟦 <@71>: Bid 0 to 3 coins.", "-# Rated"]
    assert ["### Sealed Bids", *people, *buttons] == lines
    other = await home.match(9)
    await home.services.seats.end(other, at=NOON, by=HOST)
    home.network.bodies.clear()
    assert await run(home, replace(BOARD, match_id=other.id)) is None
    assert [] == sent(home)


STORY = Job(JobKind.STORY, NOON, 1, guild_id=GUILD)


async def test_the_story_of_a_finished_game_is_added_to_its_board_if_there_is_one_to_tell(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    worth, is_slow = [True], list[bool]()

    async def story_of(*_: object) -> object:
        if is_slow:
            raise TimeoutError
        return None

    monkeypatch.setattr(story_job, "has_story", lambda _: worth[0])
    monkeypatch.setattr(story_job, "teaser", lambda *_: "A story.")
    monkeypatch.setattr(home.services.stories, "of", story_of)
    table = await home.match()
    assert STORY.at(NOON + 5 * SECOND) == await run(home, STORY)
    assert [] == sent(home)
    await home.services.poster.post(table)
    is_slow.append(True)
    assert STORY == await run(home, STORY)
    is_slow.clear()
    with pytest.raises(discord.DiscordServerError):
        await run(home, STORY, OUTAGE)
    with pytest.raises(discord.HTTPException):
        await run(home, STORY, UNKNOWN_REFUSAL)
    assert await run(home, replace(STORY, attempts=99), UNKNOWN_REFUSAL) is None
    worth[0] = False
    assert await run(home, STORY) is None
    worth[0] = True
    home.services.stories.wanted = False
    assert await run(home, STORY) is None
    home.services.stories.wanted = True
    assert [] == sent(home)
    assert await run(home, STORY) is None
    ((head, *lines),) = sent(home)
    assert ("PATCH /channels/2/messages/555", 1) == (head, lines.count("A story."))
    lobby = await home.lobby(9)
    assert await run(home, replace(STORY, match_id=lobby.id)) is None, "nothing was played"


async def test_computers_play_until_a_person_is_due_and_the_board_calls_that_person(home: House) -> None:
    table = await home.match(CHANNEL, SeatHolder(HOST, name="Ana"), SeatHolder(computer="fair"))
    thinkers: Any = home.services.thinkers
    thinkers.choose = lambda _, view, **__: _first_option(table, view.viewer)
    job = Job(JobKind.COMPUTER, NOON, table.id, guild_id=GUILD)
    assert await run(home, job) is None
    ((head, *lines),) = sent(home)
    assert (f"POST /channels/2/messages @{HOST}", "🔴 <@70>: Bid 0 to 3 coins.") == (head, lines[1])
    assert await run(home, replace(job, match_id=99)) is None
    assert [] == sent(home)


async def _first_option(table: Table, seat: Any) -> Any:
    return table.require_match().decision_of(seat).options[0]


WORDS = {
    "en": ["the", "of", "is", "are", "your", "you"],
    "de": ["der", "die", "das", "ist", "sind", "und", "auf", "dein", "deine", "deiner", "dieses", "meine"],
    "fr": ["le", "la", "de", "du", "est", "et", "votre", "vous", "ton", "ta", "tu", "ce", "cette", "une"],
}


def language_of_words(lines: list[str]) -> str:
    """The language with the most of its small words."""
    words = re.findall(r"\w+", " ".join(lines).lower())
    return max(WORDS, key=lambda code: sum(word in WORDS[code] for word in words))


LANGUAGES = {
    JobKind.BOARD: "de",
    JobKind.LOBBY_MESSAGE: "de",
    JobKind.LOBBY_EXPIRY: "de",
    JobKind.START: "de",
    JobKind.CHANNEL_CHECK: "fr",
    JobKind.REMINDER: "de",
    JobKind.DIGEST: "fr",
    JobKind.NEXT_NOTICE: "fr",
    JobKind.OVERVIEW: "de",
}
"""Languages of messages: public ones in that of the server, German; direct ones in that of their reader, French."""


@pytest.mark.parametrize("kind", LANGUAGES)
async def test_a_job_writes_in_the_language_of_its_readers(home: House, kind: JobKind) -> None:
    await CASES[kind](home)
    await choose(home, language="de")
    for user_id in (HOST, GUEST):
        preferences = await preferences_of(home.store.settings, user_id)
        await keep_preferences(home.store.settings, user_id, replace(preferences, language="fr"))
    home.time.now += HOUR
    job = next(job for job in await home.store.jobs.due(home.time.now + DAY) if job.kind is kind)
    home.network.spared = ("GET /guilds", "POST") if kind is JobKind.CHANNEL_CHECK else ""
    fault = CHANNEL_GONE if kind is JobKind.CHANNEL_CHECK else None
    await run(home, job.at(NOON, missing=time_of(NOON - DAY)) if fault else job, fault)
    lines = [line for address, *lines in sent(home) if "messages" in address for line in lines]
    assert LANGUAGES[kind] == language_of_words(lines), lines


@pytest.mark.parametrize(
    "kind",
    [
        JobKind.ANSWER,
        JobKind.BOARD,
        JobKind.CHANNEL_CHECK,
        JobKind.COMPUTER,
        JobKind.LOBBY_EXPIRY,
        JobKind.LOBBY_MESSAGE,
        JobKind.NEXT_NOTICE,
        JobKind.RETIRE,
        JobKind.START,
        JobKind.STORY,
        JobKind.THREAD_ARCHIVE,
    ],
)
async def test_a_job_about_a_game_that_is_gone_is_over(home: House, kind: JobKind) -> None:
    state = {"since": time_of(NOON), "warned": None, "over": time_of(NOON - DAY), "sent": False, "version": 0}
    assert (None, []) == (await run(home, Job(kind, NOON, 99, state=state)), sent(home))


async def test_a_job_of_a_table_in_a_direct_message_runs_in_the_language_of_its_host(home: House) -> None:
    table, spoken = await home.lobby(guild_id=NO_SERVER), list[str]()
    await keep_preferences(home.store.settings, HOST, Preferences(language="fr"))

    async def note(*_: Any) -> None:
        spoken.append(language().code)

    await kinds._run_in_language(note, home.services, Job(JobKind.STORY, NOON, table.id))
    assert ["fr"] == spoken


def test_jobs_of_one_match_and_of_one_user_run_one_after_another_and_long_ones_beside_them() -> None:
    of_match = (JobKind.BOARD, JobKind.RETIRE, JobKind.LOBBY_MESSAGE, JobKind.LOBBY_EXPIRY, JobKind.START)
    of_match += (JobKind.THREAD_ARCHIVE, JobKind.CLOCK, JobKind.ANSWER)
    of_user = (JobKind.REMINDER, JobKind.DIGEST, JobKind.NEXT_NOTICE)
    lanes = dict.fromkeys(of_match, ("match", 5)) | dict.fromkeys(of_user, ("user", 6))
    jobs = {kind: Job(kind, NOON, 5, 6, 7, state={"mark": "1-a"}) for kind in kinds.KINDS}
    assert {kind: lanes.get(kind, (kind, 5, 7)) for kind in jobs} == {
        kind: kinds.KINDS[kind][1](job) for kind, job in jobs.items()
    }
    work = all_work(None)  # type: ignore[arg-type]  # no job runs
    subjects = {kind: work[kind].subject(job) for kind, job in jobs.items()}
    assert {
        **{kind: job.key for kind, job in jobs.items()},
        JobKind.BOARD: (*jobs[JobKind.BOARD].key, "1-a"),
        JobKind.REMINDER: (JobKind.REMINDER, 6),
    } == subjects


async def test_faults_in_a_job_of_a_match_are_those_of_its_table(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    guarded: list[object] = []

    @contextmanager
    def guarding(table: Table) -> Iterator[None]:
        guarded.append(table.id)
        yield

    @contextmanager
    def guarding_match() -> Iterator[None]:
        guarded.append("no match")
        yield

    table = await home.posted()
    monkeypatch.setattr(kinds, "guarding", guarding)
    monkeypatch.setattr(kinds, "guarding_match", guarding_match)
    await run(home, Job(JobKind.RETIRE, NOON, table.id, guild_id=GUILD))
    await run(home, digest_job())
    await run(home, Job(JobKind.RETIRE, NOON, 99, guild_id=GUILD))
    assert [table.id, "no match", "no match"] == guarded


async def test_a_board_is_posted_after_moves_that_need_no_person_and_never_of_a_match_that_is_over(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []

    def step(name: str) -> Callable[[Table], Awaitable[None]]:
        async def done(_: Table) -> None:
            steps.append(name)

        return done

    table = await home.posted()
    monkeypatch.setattr(home.services.moves, "resume", step("moves"))
    monkeypatch.setattr(home.services.poster, "post", step("board"))
    board = Job(JobKind.BOARD, NOON, table.id, guild_id=GUILD, state={"mark": "1-a"})
    assert await run(home, board) is None
    table.problem = Text("A fault.")
    with pytest.raises((GameFault, UserError)):
        await run(home, board)
    table.problem = None
    await end(home, table)
    for match_id in (table.id, 99):
        assert await run(home, replace(board, match_id=match_id)) is None
    assert ["moves", "board"] == steps


async def test_an_old_board_keeps_its_controls_after_days_of_an_unknown_refusal(home: House) -> None:
    table = await home.posted()
    await end(home, table)
    retire = Job(JobKind.RETIRE, NOON, table.id, guild_id=GUILD)
    with pytest.raises(discord.HTTPException):
        await run(home, retire, UNKNOWN_REFUSAL)
    assert await run(home, replace(retire, attempts=99), UNKNOWN_REFUSAL) is None


async def test_computers_play_until_a_person_is_due_and_never_at_a_faulty_table(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables: list[int] = []

    async def play(table: Table) -> None:
        tables.append(table.id)

    table = await home.posted()
    monkeypatch.setattr(home.services.computers, "play", play)
    job = Job(JobKind.COMPUTER, NOON, table.id, guild_id=GUILD)
    for is_due, after in ((True, job), (False, None)):
        monkeypatch.setattr(home.services.moves, "thinker_due", lambda _, is_due=is_due: is_due)
        assert after == await run(home, job)
    table.problem = Text("A fault.")
    with pytest.raises((GameFault, UserError)):
        await run(home, job)
    assert [table.id, table.id] == tables
