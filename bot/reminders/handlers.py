"""What the buttons under a reminder do."""

from __future__ import annotations

from bot.errors import Declined
from bot.habits.habits import USUAL, Habits, habits_of
from bot.interactions.parts import stamp
from bot.reception import Anywhere, Errand
from bot.reminders.moments import SNOOZES, snoozed_until
from bot.store.jobs import Kind
from bot.tables.people import mention
from engine.texts import Text, joined


async def snooze(errand: Errand) -> None:
    """Put off all reminders of whoever this one was for."""
    name, _, who = errand.control.text.partition(" ")
    if name not in SNOOZES:
        raise Declined(Text("This button is from another time; I do not know it any more."))
    if who != str(errand.user_id):
        raise Declined(Text("This reminder is for {who}.", who=mention(int(who)) if who.isdecimal() else who))
    store, now = errand.court.store, errand.court.clock.now()
    jobs = await store.jobs.of_user(Kind.REMINDER, errand.user_id, anywhere=True)
    if not any(job.state["reminded"] for job in jobs):
        raise Declined(Text("No game waits for you any more."))
    habits = await habits_of(store.settings, errand.user_id)
    until = snoozed_until(name, habits, now)
    async with store.transaction():
        await store.reminded.snooze(errand.user_id, until)
        await store.jobs.hurry_user(now, Kind.REMINDER, errand.user_id)
    told = Text("I remind you again on {time}, if a game still waits for you then.", time=stamp(until))
    await errand.answer.say(joined([told, *_where(habits, name)], "\n"))


def _where(habits: Habits, snooze: str) -> list[Text]:
    """A hint for somebody whose evenings and mornings we do not know."""
    if snooze == "hour" or habits.zone != USUAL.zone:
        return []
    return [Text("-# I do not know your time zone yet: tell me in `/settings`.")]


ANYWHERE: dict[str, Anywhere] = {"snooze": snooze}
"""What the controls of this room do; they need no table."""
