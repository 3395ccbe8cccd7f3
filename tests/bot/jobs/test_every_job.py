"""Jobs of every kind: their language, matches that are gone, faults of games, and what runs at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from bot.jobs import kinds
from bot.jobs.kinds import all_work
from bot.store.codec import time_of
from bot.store.jobs import Job, JobKind
from bot.store.shard_range import NO_SERVER
from bot.tables.preferences import Preferences, keep_preferences, preferences_of
from bot.tables.table import Table
from engine.languages import language
from tests.bot.outcomes import CHANNEL_GONE, choose, digest_job, language_of_words, run, sent
from tests.bot.refusing import DAY, GUEST, GUILD, HOST, HOUR, NOON, House
from tests.bot.test_refused_jobs import CASES

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
