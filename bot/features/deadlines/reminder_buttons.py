"""The buttons below a reminder: snooze, or end a game whose reminders have ended."""

from __future__ import annotations

import dataclasses

from bot.errors import UserError
from bot.features.deadlines.reminder_times import snooze_until
from bot.features.handlers import Request, anywhere
from bot.features.lobby.ending import call_off, reason_form
from bot.features.time_zone import suggest_zone
from bot.interactions.kinds import OUTDATED_TEXT, InMatch
from bot.interactions.parts import stamp
from bot.store.jobs import NOBODY, JobKind
from bot.tables.people import mention
from bot.tables.preferences import keep_preferences, preferences_of
from bot.tables.table import Table
from engine.texts import Text

LABELS = {"hour": Text("Snooze 1 h"), "evening": Text("This evening"), "tomorrow": Text("Tomorrow")}
"""The labels of the snooze buttons, by period."""


@anywhere("snooze")
async def snooze(request: Request, name: str, user_id: int) -> None:
    """Snooze all reminders of the user to whom this one was sent."""
    if name not in LABELS:
        raise UserError(OUTDATED_TEXT)
    if user_id != request.user_id:
        raise UserError(Text("This reminder is for {who}.", who=mention(user_id)))
    store, now = request.services.store, request.services.clock.now()
    jobs = await store.jobs.of_user(JobKind.REMINDER, request.user_id, anywhere=True)
    if not any(job.state["reminded"] for job in jobs):
        raise UserError(Text("No game is waiting for you anymore."))
    preferences = await preferences_of(store.settings, request.user_id)
    until, asks = snooze_until(name, preferences, now), name != "hour" and preferences.may_ask_zone
    async with store.transaction():
        if asks:
            await keep_preferences(store.settings, request.user_id, dataclasses.replace(preferences, zone_asked=True))
        await store.reminded.snooze(request.user_id, until)
        # due now, so that each job reads the new time itself, in its own process
        await store.jobs.make_due_for_user(now, JobKind.REMINDER, request.user_id)
    text = Text("I’ll remind you again on {time} if a game is still waiting for you.", time=stamp(until))
    if asks:
        await suggest_zone(request.response, text)
    else:
        await request.response.say(text)


@anywhere("asleep")
async def ask_why(request: Request, match_id: InMatch[int]) -> None:
    """Ask a player who wants to end a sleeping game for confirmation and a reason."""
    table = await _require_sleeping_table(request, match_id)
    await request.response.ask(reason_form(end.id(table.id), table))


@anywhere("asleepend")
async def end(request: Request, match_id: InMatch[int]) -> None:
    """End the game: the player has confirmed it."""
    await call_off(request, await _require_sleeping_table(request, match_id))


async def _require_sleeping_table(request: Request, match_id: int) -> Table:
    """The table of a control, if its game sleeps and the user plays there. Raises `UserError`."""
    table = await request.services.tables.find(match_id)
    if table is None or table.row.host_id == NOBODY:
        raise UserError(Text("I can’t find that game here anymore."))
    table.require_seat(request.user_id)
    if not await request.services.store.matches.is_asleep(table.id):
        raise UserError(Text("This game is still being played, so only its host or a moderator can end it."))
    return table
