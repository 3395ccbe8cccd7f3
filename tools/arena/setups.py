"""Random setups, as people could choose them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from contextlib import suppress
from random import Random

from engine.core import GameSpec, OptionValue, Setup
from engine.errors import SetupError


def any_setup(spec: GameSpec, rng: Random, file: Callable[[Random], str] | None = None) -> Setup:
    """A random valid setup. For options that accept a file, `file` may write a random one."""
    while True:
        seats, options = rng.choice(spec.seats), dict[str, OptionValue]()
        for field in dataclasses.fields(spec.options):
            own = [file(rng)] if file and field.metadata["file"] else []
            options[field.name] = rng.choice([*field.metadata["choices"], *own])
        # Some values are incompatible with each other or with the number of seats.
        with suppress(SetupError):
            return spec.setup(seats, options)
