"""All commands: the groups that the features fill, and a group per game."""

from __future__ import annotations

from discord.app_commands import Group

import bot.admin.commands
import bot.deadlines.commands
import bot.leagues.commands
import bot.lobby.commands
import bot.moderation.commands
import bot.settings.commands
import bot.stats.commands
import bot.view.commands
from bot import groups
from bot.play.move_commands import moves_group
from engine.games import discover


def all_commands() -> list[Group]:
    """Every command of the bot, games included."""
    return [
        groups.game,
        groups.table,
        groups.me,
        groups.stats,
        groups.league,
        groups.server,
        groups.admin,
        *(moves_group(spec) for spec in discover().values()),
    ]
