"""The command that sets up a league."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice

from bot.errors import UserError
from bot.features.dispatcher import channel_of
from bot.features.groups import league
from bot.features.handlers import Request
from bot.features.leagues.layouts import PAUSES, sign_up_layout
from bot.features.leagues.season import season_of
from bot.features.lobby.table_message import publish
from bot.features.view.named import game_named, suggest_games
from bot.interactions.permissions import Doing
from bot.interactions.places import require_league_role, require_permissions, require_place
from bot.store.database import Conflict
from bot.store.shard_range import NO_SERVER
from bot.tables.company import require_not_barred
from bot.tables.options import starting_options
from bot.tables.paces import all_paces, pace_words
from engine.core import GameSpec
from engine.errors import SetupError
from engine.players import discover as discover_players
from engine.players import for_people
from engine.texts import Text

SIGN_UP_TIMES = [
    Choice(name=name, value=n) for n, name in ((1, "1 hour"), (24, "1 day"), (72, "3 days"), (168, "1 week"))
]
ROUND_GAPS = [Choice(name=str(words), value=days) for days, words in PAUSES.items()]
PACES = [
    Choice(name=str(pace_words(pace, firm=firm)), value=value) for value, (pace, firm) in all_paces().items() if pace
]
"""A league needs a pace, or one player could hold up all the others."""
COMPUTERS = [Choice(name=discover_players()[player].title, value=player) for player in for_people()]


@league.command("new", "Set up a league here: people sign up, then I make the tables")
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
@app_commands.choices(sign_up_for=SIGN_UP_TIMES, next_round=ROUND_GAPS)
@app_commands.choices(pace=PACES, computer=COMPUTERS)
@app_commands.autocomplete(title=suggest_games)
async def new(
    request: Request,
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
    """Set up a league in this channel, and post its sign-up."""
    spec = game_named(title)
    services, interaction = request.services, request.response.interaction
    channel_id, guild_id = channel_of(interaction), interaction.guild_id or NO_SERVER
    guild_settings = await services.servers.guild_settings(guild_id)
    if guild_id == NO_SERVER:
        raise UserError(Text("Leagues are for servers: use this in a server channel."))
    await require_not_barred(services.store, guild_id, request.user_id, services.clock.now())
    if isinstance(interaction.channel, discord.Thread):
        raise UserError(Text("A league needs a channel, not a thread: I open a thread in it for each table."))
    require_league_role(interaction, guild_settings)
    require_place(interaction, guild_settings)
    # now, since threads are opened only when the first round begins
    for need in (Doing.GAME, Doing.THREAD):
        require_permissions(interaction, need)
    options = starting_options(spec, guild_settings.options.get(spec.slug))
    seats = _seats(spec, options) if seats is None else seats
    # for its error: some numbers of seats are impossible with these options
    spec.setup(seats, options)
    try:
        created = await services.store.leagues.create(
            services.clock.now(),
            guild_id=guild_id,
            channel_id=channel_id,
            host_id=request.user_id,
            game=spec.slug,
            rules_version=spec.rules_version,
            options=options,
            seats=seats,
            rounds=rounds,
            swiss=swiss,
            gap=next_round,
            division_size=size or 0,
            pace=pace,
            computer=computer,
            closes_at=services.clock.now() + timedelta(hours=sign_up_for),
        )
    except Conflict:
        raise UserError(
            Text("This server already has a {title} league. See `/league standings`.", title=spec.name)
        ) from None
    # the league is stored; if this answer fails, its job posts the sign-up a minute later
    request.response.already_done = done = Text("The league is set up.")
    compose = partial(sign_up_layout, await season_of(services.store, created))
    message_id = await publish(services, request.response, channel_id, compose, done)
    await services.store.leagues.change(created.id, message_id=message_id)


def _seats(spec: GameSpec, options: Mapping[str, Any]) -> int:
    """The default number of seats: four, or the nearest number that the game allows with these options."""
    possible = list[int]()
    for seats in spec.seats:
        with suppress(SetupError):
            spec.setup(seats, options)
            possible.append(seats)
    return min(possible, key=lambda seats: abs(seats - 4))
