"""The bot with the same luck in every game, so that tests know what they will be asked.

In the environment, `SLOW_DRAWING` makes every picture take so many seconds more, `SLOW_START` the reading of the games;
with `NEW_COMMANDS` the commands are told to Discord as if they had changed.
"""

from __future__ import annotations

import os
import secrets
import time
from typing import Any

import renders
from bot import client
from bot.__main__ import main
from bot.posting import poster

SEED = "00000000000000000000000000000004"


def _always_the_same(_length: int | None = None) -> str:
    return SEED


def _slowly(*args: Any) -> renders.Picture:
    time.sleep(float(os.environ.get("SLOW_DRAWING", "0")))
    return _draw(*args)


def _discover() -> Any:
    time.sleep(float(os.environ.get("SLOW_START", "0")))
    return discover()


async def _unknown(*_: Any) -> None:
    return None


if __name__ == "__main__":
    secrets.token_hex = _always_the_same
    _draw, renders.draw = renders.draw, _slowly
    discover, client.discover = client.discover, _discover
    poster.FIRST_PAUSE = client.FIRST_PAUSE = 0.2
    if os.environ.get("NEW_COMMANDS"):
        client.Store.setting = _unknown  # type: ignore[method-assign]
    main()
