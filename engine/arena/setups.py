"""Any game people could set up."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from random import Random
from typing import Any

from engine.core import GameSpec, OptionValue, Setup
from engine.errors import SetupError


def any_setup(spec: GameSpec, rng: Random, file: Callable[[Random], str] | None = None) -> Setup:
    """Any number of seats with any options that go together; `file` writes one of the host's own, where that is one."""
    while True:
        fields = dataclasses.fields(spec.options)
        try:
            return spec.setup(rng.choice(spec.seats), {f.name: _any_value(f.metadata, rng, file) for f in fields})
        except SetupError:
            continue


def _any_value(option: Any, rng: Random, file: Callable[[Random], str] | None) -> OptionValue:
    values: list[OptionValue] = [*option["choices"], *([file(rng)] if file and option["file"] else [])]
    return rng.choice(values)
