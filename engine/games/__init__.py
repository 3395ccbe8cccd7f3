"""The games: all modules and packages in this folder, and in installed packages, that export a `GAME`.

They are discovered, not registered; `engine/discovery.py` explains how a package offers a game.
"""

from __future__ import annotations

import pkgutil
from functools import cache

from engine.core import GameSpec
from engine.discovery import Discovered, Source, installed_sources, load_games


def discover() -> dict[str, GameSpec]:
    """Slug -> game, in alphabetical order."""
    return discover_all().games


@cache  # scans folders and imports modules
def discover_all() -> Discovered:
    """The games with their sources, and the problems of unusable ones."""
    return load_games(sources())


def sources() -> list[Source]:
    """The sources of all games, those of packages last."""
    ours = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return [*(Source(name, f"{__name__}.{name}") for name in ours), *installed_sources()]
