"""What a command is about: a game by its name, or the table of the channel where it is typed."""

from __future__ import annotations

from contextlib import suppress

from discord.app_commands import Choice

from bot.dispatcher import Interaction, suggesting
from bot.errors import UserError
from bot.tables.table import Table
from engine.core import GameSpec
from engine.games import discover
from engine.texts import Text, shortened


def game_named(name: str) -> GameSpec:
    """A game by its slug or title. Raises `UserError`, naming those there are."""
    specs = discover().values()
    found = next((spec for spec in specs if name.strip().casefold() in _names_of(spec)), None)
    if found is None:
        titles = tuple(spec.name for spec in specs)
        raise UserError(Text("I do not know the game “{name}”. I play {titles}.", name=shortened(name), titles=titles))
    return found


def _names_of(spec: GameSpec) -> tuple[str, ...]:
    """Also the English one: a title may be typed from a page in another language."""
    return spec.slug, spec.title.casefold(), str(spec.name).casefold()


@suggesting
async def suggest_games(_interaction: Interaction, current: str) -> list[Choice[str]]:
    """The games whose titles have these letters."""
    specs = discover().values()
    return [Choice(name=str(s.name), value=s.slug) for s in specs if current.casefold() in str(s.name).casefold()]


async def table_here(interaction: Interaction) -> Table | None:
    """The table in the channel, or the last one where a game was played there."""
    with suppress(UserError):
        table: Table = await interaction.client.services.tables.shown_at(interaction.channel_id or 0)
        return table
    return None
