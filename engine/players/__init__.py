"""Computer players. They are given a `View[State]` and so know no more than the seat they play."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from random import Random
from typing import Protocol

from engine.core import Action, State, View


class Player(Protocol):
    """Decides for a seat that is due."""

    def __call__(self, view: View[State], rng: Random) -> Action:
        """One of the options of `view.decision_of(view.viewer)`."""


@cache
def discover() -> dict[str, Player]:
    """Name -> player: every module in this folder that offers a `choose`."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return {name: import_module(f"{__name__}.{name}").choose for name in names}
