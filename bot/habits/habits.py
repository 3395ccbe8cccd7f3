"""What somebody has chosen for himself, in all servers and games."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from bot.store.settings import Settings

SCOPE, NAME = "user", "habits"


@dataclass(frozen=True, slots=True)
class Habits:
    """The habits of a user, the usual ones unless he has changed them.

    `at_once`: typed moves are played without a preview. `coached`: questions come with advice for beginners.
    """

    at_once: bool = False
    coached: bool = False


USUAL = Habits()


async def habits_of(settings: Settings, user_id: int) -> Habits:
    """What is stored of a user."""
    stored = await settings.get(SCOPE, user_id, NAME) or {}
    known = {field.name for field in dataclasses.fields(Habits)}
    return dataclasses.replace(USUAL, **{name: value for name, value in stored.items() if name in known})


async def keep_habits(settings: Settings, user_id: int, habits: Habits) -> None:
    """Store them."""
    await settings.put(SCOPE, user_id, NAME, dataclasses.asdict(habits))
