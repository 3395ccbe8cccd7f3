"""The league of a run: its organizer, its players, and its promises after any number of kills."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from types import SimpleNamespace
from typing import Any

from bot.features.leagues.season import season_of
from bot.store.opening import open_database
from bot.store.store import Store
from playground.harness import Playground
from playground.player import Seen
from playground.reading import buttons_of, text_of
from playground.world import Message
from tests.crowd.killed.users import User
from tests.crowd.league_promises import AT_ANY_TIME, LeagueRecord, standings_are_those_of_a_second_reading
from tests.crowd.promises import Promises
from tests.crowd.rows import Look

LEAGUE = "a-league"
"""The channel whose threads hold its tables."""

SETTINGS = {"rounds": "2", "seats": "2", "sign_up_for": "1", "pace": "brisk-firm"}
"""A brisk firm pace: three late turns in a row, as days between two starts cause, cost a player the seat."""


class Organizer(User):
    """A moderator who sets up one league after another, and begins each as soon as a player has signed up."""

    async def _act(self) -> Seen | None:
        message = next((seen for seen in reversed(self.player.messages) if " League" in seen.text), None)
        if message is None or "is over" in message.text or "called off" in message.text:
            return await self.player.slash("league new", game=self.game, **SETTINGS)
        if "Begin now" in message.labels and self.luck.random() < 0.3:
            return await self.player.tap("Begin now", on=message)
        return await self.player.slash("league standings")


class Contestant(User):
    """A player who signs up and plays at their tables."""

    async def _begin(self) -> Seen | None:
        return None


def look_at_leagues(local: Playground, look: Callable[[], AbstractContextManager[Look]], promises: Promises) -> None:
    """Check all leagues of a run. Raises `Breach`."""
    with look() as database:
        for record in _leagues(database, _public_state(local)):
            promises.require(record, *AT_ANY_TIME)


async def look_at_standings(address: str, look: Callable[[], AbstractContextManager[Look]], promises: Promises) -> None:
    """Compare the bot's standings with a second computation. Raises `Breach`."""
    with look() as database:
        records = [record for record in _leagues(database, Any) if record.readings]
    async with open_database(address) as database:
        store = Store(database)
        for record in records:
            league = await store.leagues.find(record.id)
            assert league is not None, "leagues are never deleted"
            promises.check(standings_are_those_of_a_second_reading, record, await season_of(store, league))
    promises.raise_breaches()


def _leagues(look: Look, shown: Any) -> list[LeagueRecord]:
    ids = look.ask("SELECT id FROM leagues ORDER BY id") if _are_there(look) else []
    return [LeagueRecord(look, shown, league_id) for (league_id,) in ids]


def _are_there(look: Look) -> bool:
    tables = {"sqlite": "SELECT name FROM sqlite_master", "postgresql": "SELECT tablename FROM pg_tables"}
    return ("league_seats",) in look.ask(tables[look.kind])


def _public_state(local: Playground) -> Any:
    """The messages and threads of the channels, in the form that the promises need."""
    world = local.discord.world
    messages = sorted((message for message in world.all_messages() if message.nonce), key=lambda message: message.id)
    return SimpleNamespace(
        standing=[(message.id, _content(message)) for message in messages],
        opened=[thread.id for thread in world.threads],
    )


def _content(message: Message) -> Any:
    controls = tuple(str(button.custom_id) for button in buttons_of(message.components))
    pictures = tuple(_descriptions(message.components))
    words = text_of(message)
    return SimpleNamespace(nonce=str(message.nonce), controls=controls, pictures=pictures, words=words)


def _descriptions(components: list[dict[str, Any]]) -> list[str]:
    results = [item.get("description") or "" for component in components for item in component.get("items", ())]
    return [*results, *(words for component in components for words in _descriptions(component.get("components", [])))]


def league_counts(look: Callable[[], AbstractContextManager[Look]]) -> Counter[str]:
    """The number of leagues by status, and of their rounds."""
    with look() as database:
        if not _are_there(database):
            return Counter()
        leagues = database.ask("SELECT status, round FROM leagues")
    counts = Counter(f"leagues {status}" for status, _ in leagues)
    return counts + Counter({"rounds of leagues": sum(number for _, number in leagues)})
