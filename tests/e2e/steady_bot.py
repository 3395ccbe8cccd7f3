"""The bot with the same luck in every game, so that tests know what they will be asked."""

from __future__ import annotations

import secrets

from bot.__main__ import main

SEED = "00000000000000000000000000000004"


def _always_the_same(_length: int | None = None) -> str:
    return SEED


if __name__ == "__main__":
    secrets.token_hex = _always_the_same
    main()
