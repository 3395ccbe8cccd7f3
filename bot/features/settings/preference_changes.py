"""Changes of a user's preferences, and of the reminders and deadlines that depend on them."""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any

from bot.features.handlers import Request
from bot.features.time_zone import suggest_zone
from bot.store.codec import time_at, time_of
from bot.store.jobs import Job, JobKind
from bot.store.reminded import LONG_AGO
from bot.store.store import Store
from bot.tables.hours import NEARLY_A_DAY, next_morning
from bot.tables.preferences import Preferences, keep_preferences, preferences_of
from locales import language_of

ZONE_DEPENDENT = ("quiet", "summary", "away", "off", "zone_shown")
"""Preferences that depend on a time zone."""


async def change(request: Request, name: str, value: Any, show: Callable[[Preferences], Awaitable[None]]) -> None:
    """Store a preference, let reminders and deadlines be scheduled again by it, and show the page with `show`.

    The first preference that depends on a time zone asks for the zone.
    """
    store, clock = request.services.store, request.services.clock
    before = await preferences_of(store.settings, request.user_id)
    # *None* and *I’m here* do not depend on a time zone
    asks = name in ZONE_DEPENDENT and bool(value) and before.may_ask_zone
    changed = dataclasses.replace(before, **{name: value, "zone_asked": before.zone_asked or asks or name == "zone"})
    now = clock.now()
    async with store.transaction():  # a kill in between would leave the jobs with their old times
        await keep_preferences(store.settings, request.user_id, changed)
        await store.jobs.make_due_for_user(now, JobKind.REMINDER, request.user_id)
        if changed.summary:
            await schedule_digest(store, request.user_id, changed, now)
        # the clock of a turn stops in quiet hours, on days away and on days off
        await store.clocks.make_due(request.user_id, now)
    if name == "language":
        locale = str(request.response.interaction.locale)
        # show the page in the new language
        request.response.set_language(language_of(changed.language or locale))
    await show(changed)
    if asks:
        await suggest_zone(request.response)


async def schedule_digest(store: Store, user_id: int, preferences: Preferences, now: datetime) -> None:
    """Schedule the next morning message; a change of the time zone does not cause a second one on a day."""
    new = Job(JobKind.DIGEST, now, user_id=user_id, state={"since": time_of(now), "number": 0})
    job = await store.jobs.find(*new.key) or new
    # 0: none was sent so far, and `since` is the time when the first one was scheduled
    last = time_at(job.state["since"]) if job.state["number"] else LONG_AGO
    await store.jobs.put(job.at(next_morning(preferences, max(now, last + NEARLY_A_DAY))))
