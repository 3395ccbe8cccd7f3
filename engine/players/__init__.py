"""Computer players. They receive a `View[State]`, so they know no more than the seat they play."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from functools import cache
from importlib import import_module
from random import Random
from typing import TypeAlias

from engine.core import Action, State, View
from engine.values import Value

Choose: TypeAlias = Callable[[View[State], Random], Action]
"""Chooses one of the options of the viewer's decision, which must be due."""


class Player(Value):
    """A computer player: its title, and the function that chooses its actions.

    A player that is not `for_people` is only a benchmark for other players. People are offered the rest in the order of
    their `level`, the easiest first.
    """

    title: str
    choose: Choose
    for_people: bool = True
    level: int = 0


@cache  # scans a folder and imports modules
def discover() -> dict[str, Player]:
    """Id -> player, from every module in this folder that exports a `PLAYER`."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    modules = {name: import_module(f"{__name__}.{name}") for name in names}
    return {name: module.PLAYER for name, module in modules.items() if hasattr(module, "PLAYER")}


def offered_players() -> tuple[str, ...]:
    """The ids of the players offered to people, the easiest first."""
    players = discover()
    return tuple(sorted((name for name in players if players[name].for_people), key=lambda name: players[name].level))
