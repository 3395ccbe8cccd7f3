"""*Default options* in `/server settings`: what the tables of each game begin with in a server."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from bot.dispatcher import Request, anywhere
from bot.lobby.table_buttons import fixed_choice, option_named, preset_numbered
from bot.moderation.default_options_layouts import default_options_layout
from bot.moderation.moderators import change_settings, server_of
from bot.tables.guild_settings import GuildSettings
from bot.tables.options import require_possible, starting_options
from bot.view.named import game_named
from engine.core import GameSpec, OptionValue
from engine.texts import Text


async def show_games(request: Request) -> None:
    """A menu of the games."""
    await _show(request, await _settings(request), None)


async def show_game(request: Request) -> None:
    """A game was chosen: a menu for each of its options."""
    await _show(request, await _settings(request), game_named(request.value))


async def choose_option(request: Request) -> None:
    """An option was chosen; the id carries the game and its name, the menu the number of the choice."""
    slug, _, name = request.control.text.partition(" ")
    spec = game_named(slug)
    before = starting_options(spec, (await _settings(request)).options.get(spec.slug))
    await _keep(request, spec, {**before, name: fixed_choice(option_named(spec, name), request.value)})


async def choose_preset(request: Request) -> None:
    """Options that go well together were chosen by their name."""
    spec = game_named(request.control.text)
    await _keep(request, spec, preset_numbered(spec, request.control.version))


async def reset(request: Request) -> None:
    """*As usual*: a game begins here as everywhere."""
    await _keep(request, game_named(request.control.text), None)


async def _settings(request: Request) -> GuildSettings:
    """Those of the server of a moderator. Raises `UserError` for everybody else."""
    return await request.services.servers.guild_settings(server_of(request).id)


async def _keep(request: Request, spec: GameSpec, options: Mapping[str, OptionValue] | None) -> None:
    """Lay down the options of a game. Raises `SetupError` if it cannot be played with them."""
    before = await _settings(request)
    # with any number of seats: nobody knows yet how many people a table will have
    require_possible(spec, options or {})
    # `None` takes the choice back; `{}` is one: the defaults of the game, not its first preset
    others = {slug: chosen for slug, chosen in before.options.items() if slug != spec.slug}
    changed = dataclasses.replace(before, options=others if options is None else {**others, spec.slug: {**options}})
    await change_settings(request, before, changed, Text("the default options of **{title}**", title=spec.name))
    await _show(request, changed, spec)


async def _show(request: Request, guild_settings: GuildSettings, spec: GameSpec | None) -> None:
    await request.response.show(default_options_layout(guild_settings, spec, request.response.in_words))


TAPS = {
    "defaults": anywhere(show_games),
    "defaultsof": anywhere(show_game),
    "default": anywhere(choose_option),
    "defaultset": anywhere(choose_preset),
    "asusual": anywhere(reset),
}
