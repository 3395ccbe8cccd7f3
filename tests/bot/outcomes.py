"""What a bot without a gateway has sent, and settings of its server and its users."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from bot.jobs.kinds import all_work
from bot.store.codec import time_of
from bot.store.jobs import Job, JobKind
from bot.tables.preferences import Preferences, keep_preferences
from bot.tables.table import Table
from tests.bot.refusing import DAY, GUILD, HOST, NOON, House, refusal
from tests.bot.whole import whole

MINUTE, SECOND = timedelta(minutes=1), timedelta(seconds=1)
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
WORDS = {
    "en": ["the", "of", "is", "are", "your", "you"],
    "de": ["der", "die", "das", "ist", "sind", "und", "auf", "dein", "deine", "deiner", "dieses", "meine"],
    "fr": ["le", "la", "de", "du", "est", "et", "votre", "vous", "ton", "ta", "tu", "ce", "cette", "une"],
}


def language_of_words(lines: list[str]) -> str:
    """The language with the most of its small words."""
    words = re.findall(r"\w+", " ".join(lines).lower())
    return max(WORDS, key=lambda code: sum(word in WORDS[code] for word in words))
