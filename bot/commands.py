"""All commands and handlers: those of the features, and a group of commands for each game."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module

from discord.app_commands import Group

import bot
from bot.errors import GameFault
from bot.features import groups
from bot.features.handlers import unhandled_kinds
from bot.features.play.move_commands import moves_group
from bot.tables.faults import guarding_match
from engine.games import discover

BELOW_HANDLERS = frozenset({"store", "gateway", "tables", "interactions", "computers", "posting"})
"""The packages that must not import handlers (`tests/test_architecture.py`). All others are imported at the start."""


def import_features() -> None:
    """Import all modules of the features, which registers their handlers and commands.

    Raises `RuntimeError` if a declared kind of control has no handler.
    """
    for name in _modules():
        import_module(name)
    if missing := unhandled_kinds():
        raise RuntimeError(f"controls without a handler: {', '.join(sorted(missing))}")


def _modules() -> Iterator[str]:
    for package in pkgutil.iter_modules(bot.__path__, "bot."):
        if package.ispkg and package.name.removeprefix("bot.") not in BELOW_HANDLERS:
            path = import_module(package.name).__path__
            yield from (module.name for module in pkgutil.walk_packages(path, f"{package.name}."))


import_features()


def all_commands() -> list[Group]:
    """All groups of commands, those of games included."""
    shared = (groups.game, groups.table, groups.me, groups.stats, groups.league, groups.server, groups.admin)
    return [*(command_group.group for command_group in shared), *_groups_of_games()]


def _groups_of_games() -> Iterator[Group]:
    """The commands of each game; a game of a package for which they cannot be made is played without them."""
    for spec in discover().values():
        with suppress(GameFault):
            with guarding_match(spec.slug):
                group = moves_group(spec)
            yield group
