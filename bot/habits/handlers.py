"""`/settings`: how somebody likes to play, a private page that explains itself."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from bot.errors import Declined
from bot.habits.habits import Habits, habits_of, keep_habits
from bot.habits.layouts import AWAY, CHOICES, habits_layout, zone_form
from bot.habits.times import NEARLY_A_DAY, all_zones, find_zones, morning, next_morning
from bot.reception import Anywhere, Errand
from bot.store.codec import time_at, time_of
from bot.store.jobs import Job, Kind
from bot.store.reminded import LONG_AGO
from bot.store.store import Store
from engine.texts import Text, shortened

NO_SUCH = Text("There is no such setting any more.")


async def show_habits(errand: Errand) -> None:
    """What this user has chosen, with a menu for each."""
    await _show(errand, await _habits(errand))


async def change_habit(errand: Errand) -> None:
    """A row of a menu was chosen: the id carries the name of the habit, the row its value."""
    name = errand.control.text
    if name not in CHOICES or errand.value not in (values := CHOICES[name].values()):
        raise Declined(NO_SUCH)
    await _change(errand, name, values[errand.value])


async def change_away(errand: Errand) -> None:
    """The row says for how many days somebody is away."""
    days = next((days for days in AWAY if str(days) == errand.value), None)
    if days is None:
        raise Declined(NO_SUCH)
    back = morning(await _habits(errand), errand.court.clock.now(), days)
    await _change(errand, "away", back.isoformat() if days else "")


async def ask_zone(errand: Errand) -> None:
    """Open the form for the time zone."""
    await errand.answer.ask(zone_form())


async def zone_typed(errand: Errand) -> None:
    """The form was sent: the time zone is found, or those that may be meant are shown."""
    found = await asyncio.to_thread(find_zones, errand.value)
    if not found:
        typed = shortened(errand.value)
        raise Declined(Text("I know no time zone like “{typed}”. Try the nearest large city.", typed=typed))
    if len(found) == 1:
        await _change(errand, "zone", found[0])
    else:
        await _show(errand, await _habits(errand), found)


async def zone_chosen(errand: Errand) -> None:
    """One of those that may be meant was chosen."""
    if errand.value not in await asyncio.to_thread(all_zones):
        raise Declined(NO_SUCH)
    await _change(errand, "zone", errand.value)


async def _change(errand: Errand, name: str, value: Any) -> None:
    """Keep a habit; the reminders and deadlines that were to come by the old ones are thought over."""
    store, clock = errand.court.store, errand.court.clock
    changed = dataclasses.replace(await _habits(errand), **{name: value})
    await keep_habits(store.settings, errand.user_id, changed)
    await store.jobs.hurry_user(clock.now(), Kind.REMINDER, errand.user_id)
    if changed.summary:
        await _expect_digest(store, errand.user_id, changed, clock.now())
    await store.clocks.hurry(errand.user_id, clock.now())
    await _show(errand, changed)


async def _expect_digest(store: Store, user_id: int, habits: Habits, now: datetime) -> None:
    """Note when a user is next told of all their games; a change of their zone brings no second message on a day."""
    new = Job(Kind.DIGEST, now, user_id=user_id, state={"since": time_of(now), "number": 0})
    known = await store.jobs.find(*new.key) or new
    told = time_at(known.state["since"]) if known.state["number"] else LONG_AGO
    await store.jobs.put(known.at(next_morning(habits, max(now, told + NEARLY_A_DAY))))


async def _habits(errand: Errand) -> Habits:
    return await habits_of(errand.court.store.settings, errand.user_id)


async def _show(errand: Errand, habits: Habits, found: Sequence[str] = ()) -> None:
    await errand.answer.show(habits_layout(habits, errand.court.clock.now(), found))


ANYWHERE: dict[str, Anywhere] = {
    "habit": change_habit,
    "away": change_away,
    "zone": ask_zone,
    "zoned": zone_typed,
    "inzone": zone_chosen,
}
"""What the controls of this room do; they need no table."""
