"""The buttons below a reminder: later, or the end of a game that sleeps."""

from __future__ import annotations

import dataclasses

from bot.deadlines.reminder_layouts import LABELS
from bot.deadlines.reminder_times import snoozed_until
from bot.dispatcher import Request, anywhere
from bot.errors import UserError
from bot.interactions.controls import ControlId
from bot.interactions.parts import stamp
from bot.lobby.ending import call_off, reason_form
from bot.store.jobs import NOBODY, JobKind
from bot.tables.people import mention
from bot.tables.preferences import keep_preferences, preferences_of
from bot.tables.table import Table
from bot.view.time_zone import suggest_zone
from engine.texts import Text


async def snooze(request: Request) -> None:
    """Put off all reminders of the user this one was for."""
    name, _, who = request.control.text.partition(" ")
    if name not in LABELS:
        raise UserError(Text("This button is outdated and no longer works."))
    if who != str(request.user_id):
        raise UserError(Text("This reminder is for {who}.", who=mention(int(who)) if who.isdecimal() else who))
    store, now = request.services.store, request.services.clock.now()
    jobs = await store.jobs.of_user(JobKind.REMINDER, request.user_id, anywhere=True)
    if not any(job.state["reminded"] for job in jobs):
        raise UserError(Text("No game is waiting for you anymore."))
    preferences = await preferences_of(store.settings, request.user_id)
    until, asks = snoozed_until(name, preferences, now), name != "hour" and preferences.may_ask_zone
    async with store.transaction():
        if asks:
            await keep_preferences(store.settings, request.user_id, dataclasses.replace(preferences, zone_asked=True))
        await store.reminded.snooze(request.user_id, until)
        # due now, so that each job finds the new time by itself, in its own process
        await store.jobs.hurry_user(now, JobKind.REMINDER, request.user_id)
    text = Text("I’ll remind you again on {time} if a game is still waiting for you.", time=stamp(until))
    if asks:
        await suggest_zone(request.response, text)
    else:
        await request.response.say(text)


async def ask_end(request: Request) -> None:
    """A player wants to end a game that sleeps: ask them for a reason, or to leave it at that."""
    table = await _sleeping(request)
    await request.response.ask(reason_form(ControlId("asleepend", table.id), table))


async def end(request: Request) -> None:
    """It was confirmed."""
    await call_off(request, await _sleeping(request))


async def _sleeping(request: Request) -> Table:
    """The table of a control, if its game sleeps and the user plays there. Raises `UserError`."""
    table = await request.services.tables.find(request.control.match)
    if table is None or table.row.host_id == NOBODY:
        raise UserError(Text("I can’t find that game here anymore."))
    table.seated(request.user_id)
    if not await request.services.store.matches.is_asleep(table.id):
        raise UserError(Text("This game is going on, so only its host or a moderator can end it."))
    return table


TAPS = {
    "snooze": anywhere(snooze),
    "asleep": anywhere(ask_end),
    "asleepend": anywhere(end),
}
