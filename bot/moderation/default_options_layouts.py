"""The page of *Default options*."""

from __future__ import annotations

from functools import partial
from typing import Any

import discord
from discord.ui import TextDisplay

from bot.interactions.controls import NO_TABLE, Control, ControlId, Menu
from bot.interactions.parts import Layout, Wording, layout, row
from bot.lobby.lobby_layouts import option_menus, presets
from bot.tables.guild_settings import GuildSettings
from bot.tables.options import starting_options
from engine.core import GameSpec
from engine.games import discover
from engine.texts import Text

ABOUT = Text("### Default options\nNew tables begin with these; the host of a table can change them there.")


def default_options_layout(guild_settings: GuildSettings, spec: GameSpec | None, say: Wording) -> Layout:
    """A menu of the games, and for the one that was chosen a menu per option."""
    items: list[discord.ui.Item[Any]] = [TextDisplay(say(ABOUT)), row(_games(guild_settings, spec, say))]
    back = Control(ControlId("serversettings", NO_TABLE), say(Text("Back")))
    if spec is None:
        return layout(*items, row(back))
    usual = spec.slug not in guild_settings.options
    reset = Control(ControlId("asusual", NO_TABLE, text=spec.slug), say(Text("Reset to standard")), disabled=usual)
    return layout(*items, *_of_game(guild_settings, spec, say), row(reset, back))


def _games(guild_settings: GuildSettings, chosen: GameSpec | None, say: Wording) -> Menu:
    rows = [
        (slug, say(spec.name), *([say(Text("Changed in this server"))] if slug in guild_settings.options else []))
        for slug, spec in discover().items()
    ]
    return Menu(ControlId("defaultsof", NO_TABLE), rows, say(Text("Which game?")), chosen.slug if chosen else None)


def _of_game(guild_settings: GuildSettings, spec: GameSpec, say: Wording) -> list[discord.ui.Item[Any]]:
    """The presets and options of a game."""

    def option(number: int, name: str) -> ControlId:
        return ControlId("default", NO_TABLE, number, f"{spec.slug} {name}")

    preset = partial(ControlId, "defaultset", NO_TABLE, text=spec.slug)
    options = starting_options(spec, guild_settings.options.get(spec.slug))
    return [*presets(spec, preset), *option_menus(spec, options, option, say)]
