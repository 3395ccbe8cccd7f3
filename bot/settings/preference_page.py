"""`/me settings`: how somebody likes to play, a private page that explains itself."""

from __future__ import annotations

import asyncio
import dataclasses
import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from bot.dispatcher import Request, anywhere
from bot.errors import UserError
from bot.settings.preference_layouts import AWAY, CHOICES, OTHER, preferences_layout, quiet_form, zone_form, zone_layout
from bot.store.codec import time_at, time_of
from bot.store.jobs import Job, JobKind
from bot.store.reminded import LONG_AGO
from bot.store.store import Store
from bot.tables.hours import NEARLY_A_DAY, all_zones, find_zones, morning, next_morning
from bot.tables.preferences import Preferences, keep_preferences, preferences_of, quiet_hours
from bot.view.time_zone import ALONE, suggest_zone
from engine.texts import Text, shortened
from locales import language_of

NO_SUCH = Text("That setting no longer exists.")

BY_ZONE = ("quiet", "summary", "away")
"""Preferences that depend on a time zone."""


async def show_preferences(request: Request) -> None:
    """What this user has chosen, with a menu for each."""
    await _show(request, await _preferences(request))


async def change_preference(request: Request) -> None:
    """A row of a menu was chosen: the id carries the name of the preference, the row its value."""
    name = request.control.text
    if name == "quiet" and request.value == OTHER:
        await request.response.ask(quiet_form())
        return
    if name not in CHOICES or request.value not in (values := CHOICES[name].values()):
        raise UserError(NO_SUCH)
    await _change(request, name, values[request.value])


async def quiet_typed(request: Request) -> None:
    """The form was sent: hours as `22-8`, `22:00 to 8:00` or `22 – 8`."""
    # other minutes are not taken out: they are a third number, which makes no hours, so nobody gets 22 for 22:30
    numbers = re.findall(r"\d+", request.value.replace(":00", ""))
    quiet = "-".join(str(int(number)) for number in numbers if len(number) < 3)
    if quiet_hours(quiet) is None:
        raise UserError(Text("I do not understand these hours. Type two whole hours, as in 21-6."))
    await _change(request, "quiet", quiet)


async def change_away(request: Request) -> None:
    """The row says for how many days somebody is away."""
    days = next((days for days in AWAY if str(days) == request.value), None)
    if days is None:
        raise UserError(NO_SUCH)
    back = morning(await _preferences(request), request.services.clock.now(), days)
    await _change(request, "away", back.isoformat() if days else "")


async def ask_zone(request: Request) -> None:
    """Open the form for the time zone."""
    await request.response.ask(zone_form(request.control.text))


async def zone_typed(request: Request) -> None:
    """The form was sent: the time zone is found, or those that may be meant are shown."""
    # the first search reads the names of all time zones from the disk
    found = await asyncio.to_thread(find_zones, request.value)
    if not found:
        typed = shortened(request.value)
        raise UserError(Text("I found no time zone like “{typed}”. Try the nearest large city.", typed=typed))
    if len(found) == 1:
        await _change(request, "zone", found[0])
    else:
        await _show(request, await _preferences(request), found)


async def zone_chosen(request: Request) -> None:
    """One of those that may be meant was chosen."""
    if request.value not in await asyncio.to_thread(all_zones):
        raise UserError(NO_SUCH)
    await _change(request, "zone", request.value)


async def _change(request: Request, name: str, value: Any) -> None:
    """Keep a preference; the reminders and deadlines that were to come by the old ones are thought over.

    The first one that depends on a time zone asks for that.
    """
    store, clock = request.services.store, request.services.clock
    before = await _preferences(request)
    # only for what needs it: who chooses *None* or *I am here* depends on no zone
    asks = name in BY_ZONE and bool(value) and before.may_ask_zone
    changed = dataclasses.replace(before, **{name: value, "zone_asked": before.zone_asked or asks or name == "zone"})
    now = clock.now()
    async with store.transaction():  # or a kill in between would leave them as they were planned
        await keep_preferences(store.settings, request.user_id, changed)
        await store.jobs.hurry_user(now, JobKind.REMINDER, request.user_id)
        if changed.summary:
            await _expect_digest(store, request.user_id, changed, now)
        # the clock of a turn stops in quiet hours and while somebody is away
        await store.clocks.hurry(request.user_id, now)
    if name == "language":
        locale = str(request.response.interaction.locale)
        # the page that follows is in that language
        request.response.read_in(language_of(changed.language or locale))
    await _show(request, changed)
    if asks:
        await suggest_zone(request.response)


async def _expect_digest(store: Store, user_id: int, preferences: Preferences, now: datetime) -> None:
    """Note when a user next gets their morning message; a change of their zone brings no second one on a day."""
    new = Job(JobKind.DIGEST, now, user_id=user_id, state={"since": time_of(now), "number": 0})
    known = await store.jobs.find(*new.key) or new
    # 0: none was sent so far, and `since` is only when it was first expected
    told = time_at(known.state["since"]) if known.state["number"] else LONG_AGO
    await store.jobs.put(known.at(next_morning(preferences, max(now, told + NEARLY_A_DAY))))


async def _preferences(request: Request) -> Preferences:
    return await preferences_of(request.services.store.settings, request.user_id)


async def _show(request: Request, preferences: Preferences, found: Sequence[str] = ()) -> None:
    shown = zone_layout if request.control.text == ALONE else preferences_layout
    await request.response.show(shown(preferences, request.services.clock.now(), found))


TAPS = {
    "habit": anywhere(change_preference),
    "away": anywhere(change_away),
    "quieted": anywhere(quiet_typed),
    "zone": anywhere(ask_zone),
    "zoned": anywhere(zone_typed),
    "inzone": anywhere(zone_chosen),
}
