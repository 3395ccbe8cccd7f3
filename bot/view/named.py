"""What a command is about: a game by its name, or the table of the channel where it is typed."""

from __future__ import annotations

from contextlib import suppress

from discord.app_commands import Choice

from bot.dispatcher import Candidates, Interaction, suggesting
from bot.errors import UserError
from bot.tables.table import Table
from bot.view.rules_search import folded
from engine.core import GameSpec
from engine.games import discover
from engine.texts import Text, shortened


def game_named(name: str) -> GameSpec:
    """A game by its slug or title. Raises `UserError`, naming those there are."""
    specs = discover().values()
    wanted = folded(name.strip())
    found = next((spec for spec in specs if wanted in _names_of(spec)), None)
    if found is None:
        titles = tuple(spec.name for spec in specs)
        raise UserError(Text("I have no game called “{name}”. I play {titles}.", name=shortened(name), titles=titles))
    return found


def _names_of(spec: GameSpec) -> tuple[str, ...]:
    """Also the English one: a title may be typed from a page in another language."""
    return spec.slug, folded(spec.title), folded(str(spec.name))


@suggesting
async def suggest_games(_interaction: Interaction, current: str) -> Candidates[str]:
    """The games whose titles have these letters, whatever their accents."""
    wanted = folded(current)
    return (
        Choice(name=str(spec.name), value=spec.slug) if any(wanted in name for name in _names_of(spec)) else None
        for spec in discover().values()
    )


async def table_here(interaction: Interaction) -> Table | None:
    """The table in the channel, or the last one where a game was played there."""
    with suppress(UserError):
        table: Table = await interaction.client.services.tables.shown_at(interaction.channel_id or 0)
        return table
    return None
