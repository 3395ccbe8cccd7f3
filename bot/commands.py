"""All commands and handlers: those that the features define, and a group of commands per game."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module

from discord.app_commands import Group

import bot
from bot import groups
from bot.handlers import without_handler
from bot.play.move_commands import moves_group
from engine.games import discover

BELOW_HANDLERS = frozenset({"store", "gateway", "tables", "interactions", "computers", "posting"})
"""The packages that know no handlers (`tests/test_architecture.py`). All others are searched, new ones, too."""


def import_features() -> None:
    """Import every module of the features; their handlers and commands are added by being defined.

    Raises `RuntimeError` for a control that is declared but that no module handles.
    """
    for name in _modules():
        import_module(name)
    if missing := without_handler():
        raise RuntimeError(f"controls without a handler: {', '.join(sorted(missing))}")


def _modules() -> Iterator[str]:
    for package in pkgutil.iter_modules(bot.__path__, "bot."):
        if package.ispkg and package.name.removeprefix("bot.") not in BELOW_HANDLERS:
            path = import_module(package.name).__path__
            yield from (module.name for module in pkgutil.walk_packages(path, f"{package.name}."))


import_features()


def all_commands() -> list[Group]:
    """Every command of the bot, games included."""
    shared = (groups.game, groups.table, groups.me, groups.stats, groups.league, groups.server, groups.admin)
    return [*(one.group for one in shared), *(moves_group(spec) for spec in discover().values())]
