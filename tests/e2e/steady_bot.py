"""The bot with the same luck in every game, so that tests know what they will be asked.

No picture is drawn while a test holds the file that `EASEL` names (see `easel`).
"""

from __future__ import annotations

import fcntl
import os
import secrets
from typing import Any

import renders
from bot import notify
from bot.__main__ import main

SEED = "00000000000000000000000000000004"


def _always_the_same(_length: int | None = None) -> str:
    return SEED


def _when_the_easel_is_free(*args: Any) -> renders.Picture:
    with open(os.environ["EASEL"], "rb") as easel:
        fcntl.flock(easel, fcntl.LOCK_SH)
    return _draw(*args)


if __name__ == "__main__":
    secrets.token_hex = _always_the_same
    if "EASEL" in os.environ:
        _draw, renders.draw = renders.draw, _when_the_easel_is_free
    notify.AGAIN = 0.2
    main()
