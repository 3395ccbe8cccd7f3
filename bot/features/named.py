"""Lookup of the subject of a command: a game by its name, or the table of the channel."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from discord.app_commands import Choice

from bot.errors import UserError
from bot.features.dispatcher import Candidates, Interaction, suggesting
from bot.interactions.typed import fold, suggestion
from bot.tables.table import Table
from engine.core import GameSpec, Grade
from engine.games import discover, discover_all
from engine.texts import Text, shortened


def game_named(name: str) -> GameSpec:
    """A game by its slug or title. Raises `UserError`, naming those there are."""
    specs = discover().values()
    query = fold(name.strip())
    spec = next((spec for spec in specs if query in _names_of(spec)), None)
    if spec is None:
        titles = tuple(spec.name for spec in specs)
        raise UserError(Text("I have no game called “{name}”. I play {titles}.", name=shortened(name), titles=titles))
    return spec


def _names_of(spec: GameSpec) -> tuple[str, ...]:
    """Also the English one: a title may be typed from a page in another language."""
    return spec.slug, fold(spec.title), fold(str(spec.name))


@suggesting
async def suggest_games(_interaction: Interaction, current: str) -> Candidates[str]:
    """The games whose titles contain the typed letters, ignoring accents."""
    return (_choice(spec, spec.name, current) for spec in discover().values())


@suggesting
async def suggest_games_to_play(_interaction: Interaction, current: str) -> Candidates[str]:
    """Like `suggest_games`, each with a short description."""
    return (_choice(spec, describe(spec), current) for spec in discover().values())


GRADES: Mapping[Grade, Text] = {
    Grade.BRONZE: Text("bronze"),
    Grade.SILVER: Text("silver"),
    Grade.GOLD: Text("gold"),
    Grade.PLATINUM: Text("platinum"),
}


def describe(spec: GameSpec) -> Text:
    """A game with its summary. A game of a package has its grade as well, if it claims one."""
    source = discover_all().sources.get(spec.slug)
    if spec.grade is None or source is None or not source.package:
        return Text("{title} – {summary}", title=spec.name, summary=spec.about)
    # before the summary: a long one is cut
    return Text("{title} ({grade}) – {summary}", title=spec.name, grade=GRADES[spec.grade], summary=spec.about)


def _choice(spec: GameSpec, name: Text, current: str) -> Choice[str] | None:
    """A suggestion, if a name of the game contains the typed letters."""
    fits = any(fold(current) in title for title in _names_of(spec))
    return suggestion(str(name), spec.slug) if fits else None


async def table_here(interaction: Interaction) -> Table | None:
    """The table in the channel, or the last one where a game was played there."""
    with suppress(UserError):
        table: Table = await interaction.client.services.tables.shown_at(interaction.channel_id or 0)
        return table
    return None
