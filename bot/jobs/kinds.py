"""All kinds of jobs: the function that runs each, and the lane that keeps two of them from running at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable
from functools import partial
from typing import TypeAlias

from bot.features.leagues import rounds
from bot.features.services import Services
from bot.jobs import (
    answer,
    board,
    channel_check,
    computer,
    digest,
    events,
    lobby_expiry,
    lobby_message,
    moderation_log,
    next_notice,
    overview,
    reminder,
    retire,
    seat_clock,
    start,
    story,
    thread_archive,
)
from bot.store.jobs import NOBODY, Job, JobKind
from bot.store.shard_range import NO_SERVER
from bot.tables.faults import guarding, guarding_match
from bot.worker import Work, key_of
from engine.languages import ENGLISH, Language, reading

Run: TypeAlias = Callable[[Services, Job], Awaitable[Job | None]]


def by_match(job: Job) -> Hashable:
    """One at a time for each match."""
    return ("match", job.match_id)


def by_user(job: Job) -> Hashable:
    """One at a time for each user, over all their matches."""
    return ("user", job.user_id)


def beside(job: Job) -> Hashable:
    """Beside all other jobs of a match, since it takes a while; one at a time for each league."""
    # a job of a league has no match, and the number of the league in place of the seat
    return (job.kind, job.match_id, job.seat)


def by_position(job: Job) -> Hashable:
    """Each position's board separately: a failure does not hold up the next board."""
    return (*job.key, job.state["mark"])


def of_kind_and_user(job: Job) -> Hashable:
    """All jobs that one message to a user covers."""
    return (job.kind, job.user_id)


KINDS: dict[JobKind, tuple[Run, Callable[[Job], Hashable]]] = {
    JobKind.BOARD: (board.run, by_match),
    JobKind.RETIRE: (retire.run, by_match),
    JobKind.LOBBY_MESSAGE: (lobby_message.run, by_match),
    JobKind.LOBBY_EXPIRY: (lobby_expiry.run, by_match),
    JobKind.START: (start.run, by_match),
    JobKind.THREAD_ARCHIVE: (thread_archive.run, by_match),
    JobKind.CHANNEL_CHECK: (channel_check.run, beside),
    JobKind.REMINDER: (reminder.run, by_user),
    JobKind.DIGEST: (digest.run, by_user),
    JobKind.CLOCK: (seat_clock.run, by_match),
    JobKind.ANSWER: (answer.run, by_match),
    JobKind.COMPUTER: (computer.run, beside),
    JobKind.STORY: (story.run, beside),
    JobKind.NEXT_NOTICE: (next_notice.run, by_user),
    JobKind.MODERATION_LOG: (moderation_log.run, beside),
    JobKind.LEAGUE: (rounds.run, beside),
    JobKind.OVERVIEW: (overview.run, beside),
    JobKind.EVENTS: (events.run, beside),
}

SUBJECTS: dict[JobKind, Callable[[Job], Hashable]] = {
    JobKind.BOARD: by_position,
    JobKind.REMINDER: of_kind_and_user,
}
"""The jobs that pause together after a failure, for kinds that do not pause each job alone."""


async def _run_in_language(run: Run, services: Services, job: Job) -> Job | None:
    """Run a job in the language of its readers. Raises `GameFault` if the code of its game fails."""
    with reading(await _language(services, job)):
        # a job of a user, a league or a server has no match, and handles the faults of each table itself
        table = await services.tables.find(job.match_id) if job.match_id else None
        with guarding(table) if table else guarding_match():
            return await run(services, job)


async def _language(services: Services, job: Job) -> Language:
    if job.guild_id != NO_SERVER:
        return await services.servers.language_in(job.guild_id)
    if job.user_id != NOBODY:
        return await services.servers.language_of_user(job.user_id)
    table = await services.tables.find(job.match_id)
    return await services.servers.language_of(table) if table else ENGLISH


def all_work(services: Services) -> dict[JobKind, Work]:
    """All kinds of jobs, run with these services."""
    return {
        kind: Work(partial(_run_in_language, run, services), lane, SUBJECTS.get(kind, key_of))
        for kind, (run, lane) in KINDS.items()
    }
