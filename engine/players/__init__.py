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
"""Decides for the viewer, who is due: one of the options of their decision."""


@dataclass(frozen=True, slots=True)
class Player:
    """A computer player: what people call it, and how it decides.

    One that is not `for_people` is a yardstick: others are measured by playing against it. People are offered the
    others in the order of their `level`, the easiest first.
    """

    title: str
    choose: Choose
    for_people: bool = True
    level: int = 0


@cache  # looks through a folder and imports modules
def discover() -> dict[str, Player]:
    """Id -> player: every module in this folder that offers a `PLAYER`."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    modules = {name: import_module(f"{__name__}.{name}") for name in names}
    return {name: module.PLAYER for name, module in modules.items() if hasattr(module, "PLAYER")}


def for_people() -> tuple[str, ...]:
    """The ids of the players that people are offered, the easiest first."""
    players = discover()
    return tuple(sorted((name for name in players if players[name].for_people), key=lambda name: players[name].level))
