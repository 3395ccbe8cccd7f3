"""The commands of `/league`."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

from discord import app_commands
from discord.app_commands import Choice

from bot.dispatcher import Interaction
from bot.groups import league
from bot.leagues import showing, sign_up
from bot.leagues.layouts import PAUSES
from bot.tables.paces import all_paces, pace_words
from bot.view.named import suggest_games
from engine.players import discover as discover_players
from engine.players import for_people

LASTING = [Choice(name=name, value=n) for n, name in ((1, "1 hour"), (24, "1 day"), (72, "3 days"), (168, "1 week"))]
APART = [Choice(name=str(words), value=days) for days, words in PAUSES.items()]
PACES = [
    Choice(name=str(pace_words(pace, firm=firm)), value=value) for value, (pace, firm) in all_paces().items() if pace
]
"""A league has a pace, or one person could hold up all the others."""
COMPUTERS = [Choice(name=discover_players()[player].title, value=player) for player in for_people()]


@league.command(name="new", description="Set up a league here: people sign up, then I make the tables")
@app_commands.rename(title="game", next_round="next", size="groups")
@app_commands.describe(
    title="which game",
    rounds="how many games everyone plays; by default 5",
    seats="at each table; by default 4, or what the game allows",
    sign_up_for="how long people can sign up; by default 3 days",
    next_round="when the next round begins; by default as soon as all tables are finished",
    pace="how much time a turn has; by default 24 hours, then a computer plays",
    swiss="pair people with similar scores; by default everyone plays everyone",
    size="roughly how many people per group; by default one group",
    computer="who takes empty seats; by default a Merchant (fair)",
)
@app_commands.choices(sign_up_for=LASTING, next_round=APART)
@app_commands.choices(pace=PACES, computer=COMPUTERS)
@app_commands.autocomplete(title=suggest_games)
async def new(
    interaction: Interaction,
    title: str,
    rounds: app_commands.Range[int, 1, 20] = 5,
    seats: app_commands.Range[int, 2, 6] | None = None,
    sign_up_for: int = 72,
    next_round: int = 0,
    pace: str = "daily-firm",
    swiss: bool = False,
    size: app_commands.Range[int, 4, 100] | None = None,
    computer: str = "fair",
) -> None:
    # handlers look the game up, not these functions: a name that is none is refused within their answer
    wanted = sign_up.Wanted(seats, rounds, swiss, timedelta(hours=sign_up_for), next_round, size or 0, pace, computer)
    await interaction.client.dispatcher.anywhere(interaction, partial(sign_up.new, title=title, wanted=wanted))


@league.command(name="standings", description="The standings of a league in this server")
@app_commands.rename(title="game")
@app_commands.describe(title="by default the newest league")
@app_commands.autocomplete(title=suggest_games)
async def standings(interaction: Interaction, title: str = "") -> None:
    await interaction.client.dispatcher.anywhere(interaction, partial(showing.show_here, title=title))


@league.command(name="leave", description="Leave a league you’re in")
@app_commands.rename(title="game")
@app_commands.describe(title="by default the newest league that you are in")
@app_commands.autocomplete(title=suggest_games)
async def leave(interaction: Interaction, title: str = "") -> None:
    await interaction.client.dispatcher.anywhere(interaction, partial(sign_up.leave_here, title=title))


@league.command(name="end", description="Call off a league (whoever set it up, or a moderator)")
@app_commands.rename(title="game")
@app_commands.describe(title="by default the newest league")
@app_commands.autocomplete(title=suggest_games)
async def end(interaction: Interaction, title: str = "") -> None:
    await interaction.client.dispatcher.anywhere(interaction, partial(sign_up.ask_end, title=title))
