"""Server settings of moderators: the channels for games, the roles that may start them, and limits on open tables."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from bot.store.settings import Settings
from bot.store.shard_range import NO_SERVER
from engine.core import OptionValue
from engine.values import Value

SCOPE, NAME = "server", "settings"

DAY, AT_ONCE, NEVER = "day", "at once", "never"
"""When the bot archives the thread of a game: a day after its end, as soon as all is posted there, or not at all."""


class GuildSettings(Value):
    """The settings of a server, with defaults.

    `channels`: ids of the channels for games (a channel includes its threads, a category its channels); empty for all.
    `roles`: the roles that may start games; empty for everyone. `most`: the limit of open tables, `hosted`: the limit
    for each host; 0 for no limit. `calls`: whether players are mentioned. `contrast`: ids of channels where boards have
    stronger colors. `pace`: the pace of new tables, one of `bot.tables.paces.all_paces`. `archive`: when the thread of
    a game is archived after its end, `DAY`, `AT_ONCE` or `NEVER`. `log`: the channel of the moderation log, or 0.
    `rated`: whether new tables are rated. `league_roles`: the roles that may create leagues, besides moderators.
    `overview`: the channel with the list of open games, or 0. `events`: whether Discord's events show what begins at a
    time.
    `language`: the code of the language of public messages; "" for the server's preferred locale. `options`: the
    options of new tables, by the slug of the game; a game without any uses its defaults.
    """

    channels: tuple[int, ...] = ()
    roles: tuple[int, ...] = ()
    # without these two, one user could set up a table in every channel and thread
    most: int = 25
    hosted: int = 5
    calls: bool = True
    contrast: tuple[int, ...] = ()
    pace: str = "daily"
    archive: str = DAY
    log: int = 0
    rated: bool = True
    league_roles: tuple[int, ...] = ()
    overview: int = 0
    events: bool = False
    language: str = ""
    options: Mapping[str, Mapping[str, OptionValue]] = field(default_factory=dict)


USUAL = GuildSettings()

DIRECT = GuildSettings(most=0, hosted=0, pace="none")
"""The settings of direct messages: without limits and without a pace, since no other players wait there."""


async def log_channel(settings: Settings, guild_id: int) -> int:
    """The channel of the moderators' log of a server; 0 without one."""
    return 0 if guild_id == NO_SERVER else settings_from(await settings.get(SCOPE, guild_id, NAME)).log


def settings_from(stored: Any) -> GuildSettings:
    """The settings that are stored for a server, as JSON; `None` for a server without any."""
    names = {field.name for field in dataclasses.fields(GuildSettings)}
    # skips names of older and newer versions
    values: dict[str, Any] = {name: value for name, value in (stored or {}).items() if name in names}
    # JSON has no tuples
    lists = {name: tuple(values.get(name, ())) for name in ("channels", "roles", "contrast", "league_roles")}
    return dataclasses.replace(USUAL, **values | lists)
