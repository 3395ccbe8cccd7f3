"""*Default options* in `/server settings`: the options of new tables in a server, for each game."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import partial
from typing import Any

import discord
from discord.ui import TextDisplay

from bot.features.handlers import Request, anywhere
from bot.features.lobby.option_pages import game_pages, page_of, page_row
from bot.features.lobby.options_page import fixed_choice, option_items, option_named, preset_numbered, presets
from bot.features.moderation.moderators import change_settings, server_of
from bot.features.named import game_named
from bot.interactions.controls import Control, ControlId, Menu
from bot.interactions.emojis import current_emojis
from bot.interactions.kinds import InVersion, declare_anywhere
from bot.interactions.parts import Layout, layout, row
from bot.tables.guild_settings import GuildSettings
from bot.tables.options import require_possible, starting_options
from engine.core import GameSpec, OptionValue
from engine.games import discover
from engine.texts import Text


@declare_anywhere("serversettings")
def show_settings(page: str = "") -> None:
    """A page of `/server settings`; *Back* of old messages has no name of a page."""


@anywhere("defaults")
async def show_games(request: Request) -> None:
    """Show a menu of the games."""
    await _show(request, await _settings(request), None)


@anywhere("defaultsof")
async def show_game(request: Request) -> None:
    """Show a menu for each option of the game that was chosen."""
    await _show(request, await _settings(request), game_named(request.value))


@anywhere("defaultpage")
async def show_page(request: Request, slug: str, page: int) -> None:
    """A button to another page of a game's options."""
    await _show(request, await _settings(request), game_named(slug), page)


@anywhere("default")
async def choose_option(request: Request, slug: str, name: str, number: InVersion[int]) -> None:
    """Store the value that was chosen for an option. The `number` only makes the ids of menus differ."""
    spec = game_named(slug)
    before = starting_options(spec, (await _settings(request)).options.get(spec.slug))
    after = {**before, name: fixed_choice(option_named(spec, name), request.value)}
    await _store_options(request, spec, after, page_of(spec, name))


@anywhere("defaultset")
async def choose_preset(request: Request, slug: str, number: InVersion[int]) -> None:
    """Store the options of a preset."""
    spec = game_named(slug)
    await _store_options(request, spec, preset_numbered(spec, number))


@anywhere("asusual")
async def reset(request: Request, slug: str) -> None:
    """Reset the options of a game to its defaults: the button *Reset to standard*."""
    await _store_options(request, game_named(slug), None)


async def _settings(request: Request) -> GuildSettings:
    """The settings of a moderator's server. Raises `UserError` for other users."""
    return await request.services.servers.guild_settings(server_of(request).id)


async def _store_options(
    request: Request, spec: GameSpec, options: Mapping[str, OptionValue] | None, page: int = 0
) -> None:
    """Store the options of a game. Raises `SetupError` if no number of seats allows them."""
    before = await _settings(request)
    # the number of seats of a new table is still open
    require_possible(spec, options or {})
    # `None` resets the choice; `{}` is a choice: the defaults of the game, not its first preset
    others = {slug: chosen for slug, chosen in before.options.items() if slug != spec.slug}
    changed = dataclasses.replace(before, options=others if options is None else {**others, spec.slug: {**options}})
    await change_settings(request, before, changed, Text("the default options of **{title}**", title=spec.name))
    await _show(request, changed, spec, page)


async def _show(request: Request, guild_settings: GuildSettings, spec: GameSpec | None, page: int = 0) -> None:
    await request.response.show(default_options_layout(guild_settings, spec, page))


# --- layouts ---


ABOUT = Text("### Default options\nNew tables begin with these; the host of a table can change them there.")


def default_options_layout(guild_settings: GuildSettings, spec: GameSpec | None, page: int = 0) -> Layout:
    """A menu of the games, and a page of the options of the chosen game; the last page for a high number."""
    items: list[discord.ui.Item[Any]] = [TextDisplay(str(ABOUT)), row(_games(guild_settings, spec))]
    back = show_settings.button(Text("Back"), page="tables")
    if spec is None:
        return layout(*items, row(back))
    is_standard = spec.slug not in guild_settings.options
    reset_button = Control(reset.id(spec.slug), Text("Reset to standard"), disabled=is_standard)
    page = min(page, len(game_pages(spec)) - 1)
    pages = page_row(spec, partial(show_page.id, spec.slug), page)
    return layout(*items, *_option_items(guild_settings, spec, page), *pages, row(reset_button, back))


def _games(guild_settings: GuildSettings, chosen: GameSpec | None) -> Menu:
    rows = [
        (slug, str(spec.name), *([str(Text("Changed in this server"))] if slug in guild_settings.options else []))
        for slug, spec in discover().items()
    ]
    emojis = current_emojis().of_games(discover())
    return Menu(show_game.id(), rows, Text("Which game?"), chosen.slug if chosen else None, emojis=emojis)


def _option_items(guild_settings: GuildSettings, spec: GameSpec, page: int) -> list[discord.ui.Item[Any]]:
    """The presets, on the first page, and the options of a game on a page."""

    def option(number: int, name: str) -> ControlId:
        return choose_option.id(spec.slug, name, number)

    options = starting_options(spec, guild_settings.options.get(spec.slug))
    sets = presets(spec, options, partial(choose_preset.id, spec.slug)) if page == 0 else []
    return [*sets, *option_items(spec, options, option, None, game_pages(spec)[page])]
