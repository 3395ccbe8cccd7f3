"""The games of the house: every module or package in this folder that offers a `GAME`. None is listed by hand."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from engine.core import GameSpec


@cache  # looks through a folder and imports modules
def discover() -> dict[str, GameSpec]:
    """Slug -> game, in alphabetical order."""
    modules = sorted(module.name for module in pkgutil.iter_modules(__path__))
    specs: list[GameSpec] = [import_module(f"{__name__}.{name}").GAME for name in modules]
    return {spec.slug: spec for spec in specs}
