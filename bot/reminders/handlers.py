"""What the buttons under a reminder do."""

from __future__ import annotations

from bot.courtyard import Courtyard
from bot.errors import Declined
from bot.habits.habits import USUAL, Habits, habits_of
from bot.interactions.parts import stamp
from bot.reception import Anywhere, Errand
from bot.reminders.moments import SNOOZES, snoozed_until
from bot.reminders.reminders import Due, Reminders
from bot.reminders.sending import send_reminder
from bot.reminders.waiting import Waiting, waiting_at
from bot.rounds import Round
from bot.store.rows import TimerKind
from bot.tables.table import mention
from engine.texts import Text, joined


def reminders_of(court: Courtyard) -> Round[int]:
    """A round of reminders of what waits at the tables of a house, through its channels."""

    async def look(match_id: int, user_id: int) -> Waiting | None:
        await court.poster.caught_up(match_id)
        table = await court.tables.find(match_id)
        return waiting_at(table, user_id) if table else None

    async def send(user_id: int, due: Due, direct: bool, nonce: str) -> Due:
        return await send_reminder(court.channels, user_id, due, direct, nonce)

    return Reminders(court.store, court.clock, look, send).round()


async def snooze(errand: Errand) -> None:
    """Put off all reminders of whoever this one was for."""
    name, _, who = errand.control.text.partition(" ")
    if name not in SNOOZES:
        raise Declined(Text("This button is from another time; I do not know it any more."))
    if who != str(errand.user_id):
        raise Declined(Text("This reminder is for {who}.", who=mention(int(who)) if who.isdecimal() else who))
    store, now = errand.court.store, errand.court.clock.now()
    if not any(timer.reminded for timer in await store.timers.of(TimerKind.REMINDER, errand.user_id, anywhere=True)):
        raise Declined(Text("No game waits for you any more."))
    habits = await habits_of(store.settings, errand.user_id)
    until = snoozed_until(name, habits, now)
    await store.timers.snooze(errand.user_id, until, now)
    told = Text("I remind you again on {time}, if a game still waits for you then.", time=stamp(until))
    await errand.answer.say(joined([told, *_where(habits, name)], "\n"))


def _where(habits: Habits, snooze: str) -> list[Text]:
    """A hint for somebody whose evenings and mornings we do not know."""
    if snooze == "hour" or habits.zone != USUAL.zone:
        return []
    return [Text("-# I do not know your time zone yet: tell me in `/settings`.")]


ANYWHERE: dict[str, Anywhere] = {"snooze": snooze}
"""What the controls of this room do; they need no table."""
