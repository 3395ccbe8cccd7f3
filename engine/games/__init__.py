"""The games: every module or package in this folder, and in installed packages, that offers a `GAME`.

None is listed by hand. `engine/discovery.py` says how a package offers one.
"""

from __future__ import annotations

import pkgutil
from functools import cache

from engine.core import GameSpec
from engine.discovery import Discovered, Source, installed_sources, load_games


def discover() -> dict[str, GameSpec]:
    """Slug -> game, in alphabetical order."""
    return discovered().games


@cache  # looks through folders and imports modules
def discovered() -> Discovered:
    """The games, where each is from, and what is wrong with those that were left out."""
    ours = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return load_games([*(Source(name, f"{__name__}.{name}") for name in ours), *installed_sources()])
