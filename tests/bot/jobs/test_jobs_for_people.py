"""Jobs for single people: morning messages, notices, answers and reminders, each with its whole message."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.features.view.my_games import MAX_LIST_CHARS
from bot.interactions.refusals import MAX_ATTEMPTS
from bot.jobs import digest as digest_module
from bot.jobs import next_notice as next_notice_job
from bot.store.codec import time_of
from bot.store.drafts import Draft
from bot.store.jobs import NOBODY, Job, JobKind, reminder_job
from bot.store.reminded import LastReminder
from bot.tables.asides import MAX_DELAY, MIN_DELAY
from bot.tables.moves import NextStep
from bot.tables.preferences import Preferences
from bot.tables.table import Table
from engine.texts import Seat, Text
from tests.bot.outcomes import (
    DIRECT,
    LINK,
    NO_DIRECT_MESSAGES,
    OPEN_DIRECT,
    OUTAGE,
    UNKNOWN_REFUSAL,
    digest_job,
    due_time,
    end,
    prefer,
    run,
    sent,
)
from tests.bot.refusing import DAY, GUEST, GUILD, HOST, HOUR, NOON, House
from tests.bot.test_refused_jobs import next_notice

MORNING = NOON + 20 * HOUR
"""The next one after noon, at eight."""


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
