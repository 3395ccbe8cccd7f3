"""The bot with the same luck in every game, so that tests know what they will be asked.

`SLOW_DRAWING` in the environment makes every picture take so many seconds more.
"""

from __future__ import annotations

import os
import secrets
import time
from typing import Any

import renders
from bot import notify
from bot.__main__ import main

SEED = "00000000000000000000000000000004"


def _always_the_same(_length: int | None = None) -> str:
    return SEED


def _slowly(*args: Any) -> renders.Picture:
    time.sleep(float(os.environ.get("SLOW_DRAWING", "0")))
    return _draw(*args)


if __name__ == "__main__":
    secrets.token_hex = _always_the_same
    _draw, renders.draw = renders.draw, _slowly
    notify.FIRST_PAUSE = 0.2
    main()
