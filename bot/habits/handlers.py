"""`/settings`: how somebody likes to play, a private page that explains itself."""

from __future__ import annotations

import dataclasses

from bot.errors import Declined
from bot.habits.habits import habits_of, keep_habits
from bot.habits.layouts import CHOICES, habits_layout
from bot.reception import Anywhere, Errand
from engine.texts import Text


async def show_habits(errand: Errand) -> None:
    """What this user has chosen, with a menu for each."""
    await errand.answer.show(habits_layout(await habits_of(errand.court.store.settings, errand.user_id)))


async def change_habit(errand: Errand) -> None:
    """A row of a menu was chosen: the id carries the name of the habit, the row its value."""
    name, settings = errand.control.text, errand.court.store.settings
    if name not in CHOICES or errand.value not in CHOICES[name].rows:
        raise Declined(Text("There is no such setting any more."))
    habits = await habits_of(settings, errand.user_id)
    changed = dataclasses.replace(habits, **{name: errand.value == "yes"})
    await keep_habits(settings, errand.user_id, changed)
    await errand.answer.show(habits_layout(changed))


ANYWHERE: dict[str, Anywhere] = {"habit": change_habit}
"""What the controls of this room do; they need no table."""
