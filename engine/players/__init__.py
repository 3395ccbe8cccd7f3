"""Computer players. They are given a `View[State]` and so know no more than the seat they play."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from random import Random
from typing import TypeAlias

from engine.core import Action, State, View

Choose: TypeAlias = Callable[[View[State], Random], Action]
"""Decides for the viewer, who is due: one of the options of his decision."""


@dataclass(frozen=True, slots=True)
class Player:
    """A computer player: what people call it, and how it decides."""

    title: str
    choose: Choose


@cache
def discover() -> dict[str, Player]:
    """Id -> player: every module in this folder that offers a `PLAYER`."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return {name: import_module(f"{__name__}.{name}").PLAYER for name in names}
