"""The commands for looking at games: those of a channel, those of a person, and the rules."""

from __future__ import annotations

from discord import app_commands
from discord.app_commands import Choice

from bot.dispatcher import Candidates, Interaction, TableRequest, suggesting
from bot.groups import game, me
from bot.interactions.responses import Response
from bot.view import games, my_games, replays, rules, story_pages
from bot.view.game_layouts import ALL, ROUND
from bot.view.named import game_named, suggest_games, table_here
from bot.view.rules_search import LONGEST

MOST_MOVES = 999_999
"""No game has so many."""


@game.command(name="hand", description="See your hand, or anything else that only you may see")
async def show_hand(interaction: Interaction) -> None:
    await interaction.client.dispatcher.at_table(interaction, games.show_hand)


@game.command(name="board", description="See the current board, as a picture or in words")
@app_commands.rename(as_="as")
@app_commands.describe(as_="by default a picture")
@app_commands.choices(as_=[Choice(name="picture", value="picture"), Choice(name="text", value="text")])
async def show_board(interaction: Interaction, as_: str = "picture") -> None:
    handler = games.as_text if as_ == "text" else games.show_board
    await interaction.client.dispatcher.at_table(interaction, handler, also_over=True)


@game.command(name="log", description="Read what has happened so far")
async def show_log(interaction: Interaction) -> None:
    await interaction.client.dispatcher.at_table(interaction, games.show_log, also_over=True)


@game.command(name="story", description="See how a finished game went: who was ahead, and what turned it")
async def show_story(interaction: Interaction) -> None:
    await interaction.client.dispatcher.at_table(interaction, story_pages.show_story, also_over=True)


@suggesting
async def _suggest_moves(interaction: Interaction, current: str) -> Candidates[int]:
    table = await table_here(interaction)
    return replays.candidates(table, current) if table else ()


@game.command(name="replay", description="Replay what has happened, as an animation or step by step")
@app_commands.rename(first="from", last="to")
@app_commands.describe(
    span="by default the last round, or all of a finished game",
    first="the number of the first move",
    last="the number of the last move",
)
@app_commands.choices(span=[Choice(name="the last round", value=ROUND), Choice(name="the whole game", value=ALL)])
@app_commands.autocomplete(first=_suggest_moves, last=_suggest_moves)
async def show_replay(
    interaction: Interaction,
    span: str = "",
    first: app_commands.Range[int, 1, MOST_MOVES] | None = None,
    last: app_commands.Range[int, 1, MOST_MOVES] | None = None,
) -> None:
    asked = f"{first or 1}-{last or MOST_MOVES}" if first or last else span

    async def work(request: TableRequest) -> None:
        await replays.show_replay(request, asked)

    await interaction.client.dispatcher.at_table(interaction, work, also_over=True)


@suggesting
async def _suggest_sections(interaction: Interaction, current: str) -> Candidates[str]:
    # what Discord calls the option, not the parameter of `show_rules`
    typed = getattr(interaction.namespace, "game", None)
    table = await table_here(interaction)
    spec = game_named(typed) if typed else table.spec if table else None
    sections = spec.rulebook.translated.sections.values() if spec else ()
    rows, wanted = ((f"{one.number} {one.heading}", one.number) for one in sections), current.casefold()
    return (Choice(name=name[:100], value=number) if wanted in name.casefold() else None for name, number in rows)


@game.command(name="rules", description="Read the rules of a game, or search them")
@app_commands.rename(title="game")
@app_commands.describe(
    section="a section by its number; by default the short version",
    search="words to search for",
    title="which game; by default the one played here",
)
@app_commands.autocomplete(section=_suggest_sections, title=suggest_games)
async def show_rules(
    interaction: Interaction,
    section: str | None = None,
    search: app_commands.Range[str, 1, LONGEST] | None = None,
    title: str | None = None,
) -> None:
    answer, dispatcher = Response(interaction), interaction.client.dispatcher

    async def work() -> None:
        table = await table_here(interaction)
        spec = game_named(title) if title else table.spec if table else None
        await rules.show_rules(answer, rules.book_of(spec, table) if spec else None, section, search)

    await dispatcher.serve(answer, work)


@game.command(name="list", description="The games in this channel and its threads, past ones included")
async def list_games(interaction: Interaction) -> None:
    await interaction.client.dispatcher.anywhere(interaction, games.list_games)


@me.command(name="games", description="Your games in all servers, and whose turn it is")
async def list_mine(interaction: Interaction) -> None:
    await interaction.client.dispatcher.anywhere(interaction, my_games.list_mine)
