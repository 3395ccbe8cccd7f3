"""The bot with the same luck in every game, so that tests know what they will be asked.

It draws no picture, or reads no games, while a test holds it back (see `holding`). With `NEW_COMMANDS` in the
environment it tells Discord its commands as if they had changed. `TURN_PATIENCE` and `LOCK_PATIENCE` are the seconds
that it waits for a turn at the database, and for the locks that another process has.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from typing import Any

import renders
from bot import client, clock, pauses
from bot.__main__ import main
from bot.interactions.emojis import Emojis
from bot.interactions.refusals import Verdict
from bot.store import database, postgres
from bot.store.settings import Settings
from bot.tables import guild_settings, preferences
from engine.proof import Proof
from tests.e2e.holding import DRAWING, READING, wait_until_free
from tests.luck import seed_by_secret

SEED = "00000000000000000000000000000004"


def _always_the_same(_length: int | None = None) -> str:
    return SEED


def _when_free(what: str, work: Callable[..., Any]) -> Callable[..., Any]:
    def wait_and_work(*args: Any) -> Any:
        wait_until_free(os.environ[what])
        return work(*args)

    return wait_and_work if what in os.environ else work


async def _unknown(*_: Any, **__: Any) -> None:
    return None


if __name__ == "__main__":
    secrets.token_hex = _always_the_same
    Proof.seed = seed_by_secret  # type: ignore[method-assign]
    renders.draw = _when_free(DRAWING, renders.draw)
    client.load_games = _when_free(READING, client.load_games)
    guild_settings.USUAL = guild_settings.DIRECT  # the tests of a module set many tables in one server
    preferences.USUAL = preferences.Preferences(at_once=True)  # typing is the short way to a position
    clock.MIN_PAUSE = 0.5  # an outage of a test ends at once
    database.TURN_TIMEOUT = float(os.environ.get("TURN_PATIENCE", database.TURN_TIMEOUT))
    postgres.START_LOCK_TIMEOUT = float(os.environ.get("LOCK_PATIENCE", postgres.START_LOCK_TIMEOUT))
    pauses.BACKOFFS = dict.fromkeys(Verdict, pauses.Backoff(0.5, 2, 300))
    Emojis.keep_up_to_date = _unknown  # type: ignore[assignment]  # sentences would change with the uploads
    if "NEW_COMMANDS" in os.environ:
        Settings.get = _unknown  # type: ignore[method-assign]
    main()
