"""The command that sets up a league."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from functools import partial
from types import MappingProxyType
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice

from bot.errors import UserError
from bot.features.dispatcher import channel_of
from bot.features.groups import league
from bot.features.handlers import Request, anywhere
from bot.features.leagues.layouts import PAUSES, sign_up_layout
from bot.features.leagues.season import season_of
from bot.features.lobby.table_message import publish
from bot.features.named import game_named, suggest_games
from bot.interactions.forms import FormQuestion, QuestionForm
from bot.interactions.permissions import Doing
from bot.interactions.places import require_league_role, require_permissions, require_place
from bot.store.database import Conflict
from bot.store.shard_range import NO_SERVER
from bot.tables.company import require_not_barred
from bot.tables.options import starting_options
from bot.tables.paces import all_paces, pace_label, pace_words
from engine.core import GameSpec
from engine.errors import SetupError
from engine.players import discover as discover_players
from engine.players import offered_players
from engine.texts import Text, term
from engine.values import Value

SIGN_UP_TIMES = [
    Choice(name=name, value=n) for n, name in ((1, "1 hour"), (24, "1 day"), (72, "3 days"), (168, "1 week"))
]
ROUND_GAPS = [Choice(name=str(words), value=days) for days, words in PAUSES.items()]
PACES = [
    Choice(name=str(pace_words(pace, firm=firm)), value=value) for value, (pace, firm) in all_paces().items() if pace
]
"""A league needs a pace, or one player could hold up all the others."""
GAP_LABELS = {
    0: Text("once all tables are finished"),
    1: Text("a day after the previous one"),
    7: Text("a week after the previous one"),
}
"""The beginnings of `PAUSES`, short enough for a menu on a phone."""
COMPUTERS = [Choice(name=discover_players()[player].title, value=player) for player in offered_players()]


@league.command("new", "Set up a league here: people sign up, then I seat them at tables")
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
    rounds: app_commands.Range[int, 1, 20] | None = None,
    seats: app_commands.Range[int, 2, 6] | None = None,
    sign_up_for: int | None = None,
    next_round: int | None = None,
    pace: str | None = None,
    swiss: bool | None = None,
    size: app_commands.Range[int, 4, 100] | None = None,
    computer: str | None = None,
) -> None:
    """Set up a league in this channel and post its sign-up, or ask for its rules if the command has only the game."""
    spec = game_named(title)
    await _require_league(request, spec)
    settings: dict[str, Any] = {
        "rounds": rounds,
        "seats": seats,
        "sign_up_for": sign_up_for,
        "next_round": next_round,
        "pace": pace,
        "swiss": swiss,
        "size": size,
        "computer": computer,
    }
    settings = {name: value for name, value in settings.items() if value is not None}
    if settings:
        await _create(request, spec, Rules(**settings))
    else:
        await request.response.ask(_rules_form(spec))


@anywhere("leaguerules")
async def submit_rules(request: Request, game: str) -> None:
    """Set up a league by the rules in the form."""
    rows = [[row for row, *_ in question.answers] for question in _questions()]
    if len(request.values) != len(rows) or any(
        value not in answers for value, answers in zip(request.values, rows, strict=True)
    ):
        raise UserError(Text("One of these answers no longer exists. Please set the league up again."))
    rounds, hours, days, pace, pairing = request.values
    rules = Rules(int(rounds), sign_up_for=int(hours), next_round=int(days), pace=pace, swiss=pairing == SIMILAR)
    spec = game_named(game)
    await _require_league(request, spec)
    await _create(request, spec, rules)


class Rules(Value):
    """The rules of a new league. `sign_up_for` is in hours, `next_round` in days; `seats` are by default four."""

    rounds: int = 5
    seats: int | None = None
    sign_up_for: int = 72
    next_round: int = 0
    pace: str = "daily-firm"
    swiss: bool = False
    size: int = 0
    computer: str = "fair"


async def _require_league(request: Request, spec: GameSpec) -> None:
    """Raises `UserError` if this user cannot set up a league of this game in this place."""
    services, interaction = request.services, request.response.interaction
    guild_id = interaction.guild_id or NO_SERVER
    if guild_id == NO_SERVER:
        raise UserError(Text("Leagues are for servers: use this in a server channel."))
    await require_not_barred(services.store, guild_id, request.user_id, services.clock.now())
    if isinstance(interaction.channel, discord.Thread):
        raise UserError(Text("A league needs a channel, not a thread: I open a thread in it for each table."))
    guild_settings = await services.servers.guild_settings(guild_id)
    require_league_role(interaction, guild_settings)
    require_place(interaction, guild_settings)
    # now, since threads are opened only when the first round begins
    for need in (Doing.GAME, Doing.THREAD):
        require_permissions(interaction, need)
    if any(other.game == spec.slug and other.is_open for other in await services.store.leagues.of_server(guild_id)):
        raise _already_there(spec)


def _already_there(spec: GameSpec) -> UserError:
    return UserError(Text("This server already has a {title} league. See `/league standings`.", title=spec.name))


async def _create(request: Request, spec: GameSpec, rules: Rules) -> None:
    services, interaction = request.services, request.response.interaction
    channel_id, guild_id = channel_of(interaction), interaction.guild_id or NO_SERVER
    options = starting_options(spec, (await services.servers.guild_settings(guild_id)).options.get(spec.slug))
    seats = _seats(spec, options) if rules.seats is None else rules.seats
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
            rounds=rules.rounds,
            swiss=rules.swiss,
            gap=rules.next_round,
            division_size=rules.size,
            pace=rules.pace,
            computer=rules.computer,
            closes_at=services.clock.now() + timedelta(hours=rules.sign_up_for),
        )
    except Conflict:
        raise _already_there(spec) from None
    # the league is stored; if this answer fails, its job posts the sign-up a minute later
    request.response.already_done = done = Text("The league is set up.")
    compose = partial(sign_up_layout, await season_of(services.store, created))
    message_id = await publish(services, request.response, channel_id, compose, done)
    await services.store.leagues.change(created.id, message_id=message_id)


EVERYONE, SIMILAR = "everyone", "similar"
"""The rows of the form for the pairing."""


def _rules_form(spec: GameSpec) -> QuestionForm:
    return QuestionForm(submit_rules.id(spec.slug), Text("{title} League", title=spec.name), _questions())


def _questions() -> list[FormQuestion]:
    """The questions of the form, with the usual rules as their answers."""
    usual = Rules()
    rounds = {n: Text("{number}", number=n) for n in (1, 3, usual.rounds, 7, 10)}
    times = {choice.value: term(choice.name) for choice in SIGN_UP_TIMES}
    paces = {value: pace_label(pace, firm=firm) for value, (pace, firm) in all_paces().items() if pace}
    pace_details = {value: pace_words(pace, firm=firm) for value, (pace, firm) in all_paces().items()}
    pairings = {EVERYONE: Text("everyone plays everyone"), SIMILAR: Text("people with similar scores")}
    similar = {SIMILAR: Text("people with similar scores play each other")}
    return [
        _question(Text("How many games does everyone play?"), rounds, usual.rounds),
        _question(Text("How long can people sign up?"), times, usual.sign_up_for),
        _question(Text("When does the next round begin?"), GAP_LABELS, usual.next_round, PAUSES),
        _question(Text("How long can a turn take?"), paces, usual.pace, pace_details),
        _question(Text("Who plays whom?"), pairings, EVERYONE, similar),
    ]


def _question(
    label: Text, answers: Mapping[Any, Text], chosen: Any, details: Mapping[Any, Text] = MappingProxyType({})
) -> FormQuestion:
    rows = [(str(value), _capitalize(words), _capitalize(details.get(value))) for value, words in answers.items()]
    return FormQuestion(str(label), rows, str(chosen))


def _capitalize(words: Text | None) -> str:
    return str(Text("{answer:^}", answer=words)) if words else ""


def _seats(spec: GameSpec, options: Mapping[str, Any]) -> int:
    """The default number of seats: four, or the nearest number that the game allows with these options."""
    possible = list[int]()
    for seats in spec.seats:
        with suppress(SetupError):
            spec.setup(seats, options)
            possible.append(seats)
    return min(possible, key=lambda seats: abs(seats - 4))
