"""Jobs of single tables: start, closing, threads, boards and stories, each with its whole message."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import discord
import pytest

from bot.errors import GameFault, UserError
from bot.interactions.refusals import MAX_ATTEMPTS
from bot.jobs import story as story_job
from bot.store.codec import time_of
from bot.store.jobs import Job, JobKind
from bot.store.matches import SeatHolder, Status
from bot.tables.table import Table
from engine.texts import Text
from tests.bot.outcomes import (
    CHANNEL_GONE,
    CLOSED_DOOR,
    DIRECT,
    MESSAGE_GONE,
    MINUTE,
    OUTAGE,
    SECOND,
    UNKNOWN_REFUSAL,
    choose,
    end,
    run,
    sent,
)
from tests.bot.refusing import CHANNEL, DAY, GUEST, GUILD, HOST, HOUR, NOON, House


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
    assert ("PATCH /channels/2/messages/555", []) == (head, lines)
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
    buttons = ["[Your move turn]", "[My hand hand]", f"[More boardmore {mark}]"]
    assert ["🔴 <@70> and 🟦 <@71>: Bid 0 to 3 coins.", *buttons] == lines
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
    assert ("PATCH /channels/2/messages/555", "[Your move turn]") == (head, lines[1])
    lobby = await home.lobby(9)
    assert await run(home, replace(STORY, match_id=lobby.id)) is None, "nothing was played"


async def test_computers_play_until_a_person_is_due_and_the_board_calls_that_person(home: House) -> None:
    table = await home.match(CHANNEL, SeatHolder(HOST, name="Ana"), SeatHolder(computer="fair"))
    thinkers: Any = home.services.thinkers
    thinkers.choose = lambda _, view, **__: _first_option(table, view.viewer)
    job = Job(JobKind.COMPUTER, NOON, table.id, guild_id=GUILD)
    assert await run(home, job) is None
    ((head, *lines),) = sent(home)
    assert (f"POST /channels/2/messages @{HOST}", "🔴 <@70>: Bid 0 to 3 coins.") == (head, lines[0])
    assert await run(home, replace(job, match_id=99)) is None
    assert [] == sent(home)


async def _first_option(table: Table, seat: Any) -> Any:
    return table.require_match().decision_of(seat).options[0]


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
