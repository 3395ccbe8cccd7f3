"""What the buttons under a reminder do."""

from __future__ import annotations

import dataclasses

from bot.deadlines.reminder_layouts import LABELS
from bot.deadlines.reminder_times import snoozed_until
from bot.dispatcher import Request, anywhere
from bot.errors import UserError
from bot.interactions.parts import stamp
from bot.store.jobs import JobKind
from bot.tables.people import mention
from bot.tables.preferences import keep_preferences, preferences_of
from bot.view.time_zone import suggest_zone
from engine.texts import Text


async def snooze(request: Request) -> None:
    """Put off all reminders of the user this one was for."""
    name, _, who = request.control.text.partition(" ")
    if name not in LABELS:
        raise UserError(Text("This button is out of date; I no longer know it."))
    if who != str(request.user_id):
        raise UserError(Text("This reminder is for {who}.", who=mention(int(who)) if who.isdecimal() else who))
    store, now = request.services.store, request.services.clock.now()
    jobs = await store.jobs.of_user(JobKind.REMINDER, request.user_id, anywhere=True)
    if not any(job.state["reminded"] for job in jobs):
        raise UserError(Text("No game is waiting for you any more."))
    preferences = await preferences_of(store.settings, request.user_id)
    until, asks = snoozed_until(name, preferences, now), name != "hour" and preferences.may_ask_zone
    async with store.transaction():
        if asks:
            await keep_preferences(store.settings, request.user_id, dataclasses.replace(preferences, zone_asked=True))
        await store.reminded.snooze(request.user_id, until)
        # due now, so that each job finds the new time by itself, in its own process
        await store.jobs.hurry_user(now, JobKind.REMINDER, request.user_id)
    text = Text("I will remind you again on {time} if a game is still waiting for you.", time=stamp(until))
    if asks:
        await suggest_zone(request.response, text)
    else:
        await request.response.say(text)


TAPS = {
    "snooze": anywhere(snooze),
}
