"""Slash commands: `/game …`, and a group per game derived from its actions."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import fields
from functools import partial
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice, Group

from bot.answers import Answer, Tap, answered
from bot.controls import ControlId
from bot.errors import Sorry
from bot.facets import meant, same, suggestions
from bot.lobby import (
    done,
    end_question,
    leave_lobby,
    refresh_lobby,
    require_host,
    require_permissions,
    resign_question,
    with_user,
)
from bot.messages import lobby_layout, text_layout
from bot.prompts import as_text, ask_again, carry_out, show_board, show_log
from bot.rules import rules_text
from bot.tables import Table
from engine import Action, GameSpec, NotDue, field_types, field_values, listed, required_fields
from engine.games import discover

Interaction = discord.Interaction[Any]

SUGGESTIONS = 25


def all_commands() -> list[Group]:
    """Every command group of the bot, games included."""
    return [_game_group(), *(_moves_group(spec) for spec in discover().values())]


# --- /game ---


def _game_group() -> Group:
    group = Group(name="game", description="Start a board game in this channel, join it, look at it")
    for callback in (_new, _join, _leave, _start, _board, _text, _hand, _rules, _resign, _end, _log):
        name = callback.__name__.strip("_")
        group.add_command(
            app_commands.Command(name=name, description=(callback.__doc__ or name).strip(), callback=callback)
        )
    return group


async def _new(interaction: Interaction, game: str) -> None:
    """Set up a table for a board game in this channel"""

    async def work() -> None:
        channel_id = _channel_id(interaction)
        require_permissions(interaction)
        spec = _game_named(game)
        tables = interaction.client.tables
        table = await tables.open(
            spec.slug, guild_id=interaction.guild_id or 0, channel_id=channel_id, host_id=interaction.user.id
        )
        answer.kept = "The table is set."
        message_id = await answer.publish(lobby_layout(table))
        if message_id is None:
            message_id = await interaction.client.send(table.row.channel_id, lobby_layout(table))
            await answer.say("The table is set.")
        await tables.note_lobby_message(table, message_id)
        await interaction.client.pictures.warm_up(table.spec)

    answer = Answer(interaction)
    await answered(answer, work)


async def _join(interaction: Interaction) -> None:
    """Take a seat at the table of this channel"""

    async def work(tap: Tap) -> None:
        await tap.client.tables.change_chairs(tap.table, lambda chairs: with_user(tap.table, chairs, tap.user_id))
        await done(tap, "You are in. Press **Start** when everybody is here.", refresh_lobby(tap))

    await _at_table(interaction, work)


async def _leave(interaction: Interaction) -> None:
    """Give your seat back before the game starts"""

    async def work(tap: Tap) -> None:
        await leave_lobby(tap)
        closing = "" if tap.table.row.chairs else "Everybody left; the table is free again."
        await done(tap, "You have left the table.", refresh_lobby(tap, closing))

    await _at_table(interaction, work)


async def _start(interaction: Interaction) -> None:
    """Begin the game at the table of this channel"""

    async def work(tap: Tap) -> None:
        tap.table.seated(tap.user_id)
        require_permissions(interaction)
        await tap.client.tables.start(tap.table)
        closing = refresh_lobby(tap, closing="The game has begun.")
        await done(tap, "The game has begun.", tap.client.poster.deliver(tap.table), closing)

    await _at_table(interaction, work)


async def _board(interaction: Interaction) -> None:
    """See the board as it stands now"""
    await _at_table(interaction, show_board, also_over=True)


async def _text(interaction: Interaction) -> None:
    """Read the whole position as text"""
    await _at_table(interaction, as_text, also_over=True)


async def _hand(interaction: Interaction) -> None:
    """Look at what only you may see"""

    async def work(tap: Tap) -> None:
        tap.table.seated(tap.user_id)
        if not tap.table.spec.hands:
            raise Sorry(f"Nothing is hidden in {tap.table.spec.title}: everybody sees the same board.")
        await show_board(tap)

    await _at_table(interaction, work)


async def _rules(interaction: Interaction, section: str | None = None, game: str | None = None) -> None:
    """Read the rules of a game, or one section of them"""

    async def work() -> None:
        spec = _game_named(game) if game else _game_of(await _table_here(interaction))
        await answer.show(text_layout(rules_text(spec, section)))

    answer = Answer(interaction)
    await answered(answer, work)


async def _resign(interaction: Interaction) -> None:
    """Leave a running game; a computer plays on in your seat"""

    async def work(tap: Tap) -> None:
        tap.table.playing()
        await tap.answer.show(resign_question(tap.table, tap.table.seated(tap.user_id)))

    await _at_table(interaction, work)


async def _end(interaction: Interaction) -> None:
    """Call the game of this channel off (host or moderator)"""

    async def work(tap: Tap) -> None:
        require_host(tap)
        await tap.answer.show(end_question(tap.table))

    await _at_table(interaction, work)


async def _log(interaction: Interaction) -> None:
    """Read what has happened so far"""
    await _at_table(interaction, show_log, also_over=True)


async def _suggest_games(_interaction: Interaction, current: str) -> list[Choice[str]]:
    specs = discover().values()
    return [Choice(name=s.title, value=s.slug) for s in specs if current.casefold() in s.title.casefold()]


async def _suggest_sections(interaction: Interaction, current: str) -> list[Choice[str]]:
    typed = getattr(interaction.namespace, "game", None)
    try:
        spec = _game_named(typed) if typed else _game_of(await _table_here(interaction))
    except Sorry:
        return []
    rows = [(f"{s.number} {s.heading}", s.number) for s in spec.rulebook.sections.values()]
    found = [Choice(name=name[:100], value=number) for name, number in rows if current.casefold() in name.casefold()]
    return found[:SUGGESTIONS]


for _command, _name, _described, _suggest in (
    (_new, "game", "which game", _suggest_games),
    (_rules, "game", "which game; the one played here if left out", _suggest_games),
    (_rules, "section", "a section by its number; the short version if left out", _suggest_sections),
):
    app_commands.describe(**{_name: _described})(_command)
    app_commands.autocomplete(**{_name: _suggest})(_command)


# --- /muscat and its like ---


def _moves_group(spec: GameSpec) -> Group:
    group = Group(name=spec.slug, description=spec.summary[:100])
    for cls in spec.actions:
        group.add_command(_move_command(spec, cls))
    return group


def _move_command(spec: GameSpec, cls: type[Action]) -> app_commands.Command[Any, ..., None]:
    """A command whose options are the fields of an action class."""
    hints = field_types(cls)

    async def callback(interaction: Interaction, **typed: str | None) -> None:
        async def work(tap: Tap) -> None:
            _require_game(tap.table, spec)
            words = {name: meant(text, hints[name]) for name, text in typed.items() if text}
            if tap.table.done_unheard(tap.table.seated(tap.user_id), _notation(cls, words), interaction.id):
                await ask_again(tap)
            else:
                await carry_out(tap, _resolve(tap, cls, words), version=None)

        await _at_table(interaction, work)

    parameters = [inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Interaction)]
    parameters += [_parameter(name, required=n < required_fields(cls)) for n, name in enumerate(hints)]
    callback.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # read by discord.py
    if hints:
        described = {field.name: field.metadata["description"] for field in fields(cls)}
        app_commands.describe(**described)(callback)
        app_commands.autocomplete(**{name: _suggester(spec, cls, name) for name in hints})(callback)
    description = (cls.__doc__ or cls.verb).strip().splitlines()[0]
    return app_commands.Command(name=cls.verb, description=description[:100], callback=callback)


def _parameter(name: str, *, required: bool) -> inspect.Parameter:
    """An option of a command: always text, so that suggestions can say more than the value."""
    annotation, default = (str, inspect.Parameter.empty) if required else (str | None, None)
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)


def _suggester(
    spec: GameSpec, cls: type[Action], field: str
) -> Callable[[Interaction, str], Coroutine[Any, Any, list[Choice[str]]]]:
    """Suggestions for a field: only values of legal actions that agree with what is typed already."""

    async def suggest(interaction: Interaction, current: str) -> list[Choice[str]]:
        try:
            table = await interaction.client.tables.at(interaction.channel_id or 0)
            _require_game(table, spec)
            match, seat = table.playing(), table.seated(interaction.user.id)
            decision = match.decision_of(seat)
        except (Sorry, NotDue):
            return []
        options = [option for option in decision.options if type(option) is cls]
        typed = {name: str(text) for name, text in interaction.namespace}
        found = suggestions(options, typed, field, table.names, partial(match.gloss, seat))
        rows = [(value if name == value else f"{value} – {name}", value) for value, name in found.items()]
        fitting = [
            Choice(name=name[:100], value=value) for name, value in rows if current.casefold() in name.casefold()
        ]
        return fitting[:SUGGESTIONS]

    return suggest


def _resolve(tap: Tap, cls: type[Action], words: dict[str, str]) -> Action:
    """The action that was typed: a legal one if any fits, else what it says, for the rules to refuse."""
    match = tap.table.playing()
    for option in match.decision_of(tap.table.seated(tap.user_id)).options:
        values = dict(zip(field_types(type(option)), field_values(option), strict=False))
        fits = type(option) is cls and values.keys() == words.keys()
        if fits and all(same(values[name], text) for name, text in words.items()):
            return option
    return match.parse(_notation(cls, words))


def _notation(cls: type[Action], words: dict[str, str]) -> str:
    """What was typed, as a row of the log would say it."""
    return " ".join((cls.verb, *(words[name] for name in field_types(cls) if name in words)))


# --- inside ---


async def _at_table(
    interaction: Interaction, work: Callable[[Tap], Awaitable[None]], *, also_over: bool = False
) -> None:
    """Do something at the open table of the interaction's channel; to look, also at the last one that was played."""
    answer, client = Answer(interaction), interaction.client

    async def at_table() -> None:
        client.first_time(interaction)
        channel_id = _channel_id(interaction)
        table = await (client.tables.shown_at(channel_id) if also_over else client.tables.at(channel_id))
        await client.poster.caught_up(table.id)
        await work(Tap(client, answer, table, ControlId("command", table.id), ()))

    await answered(answer, at_table)


def _channel_id(interaction: Interaction) -> int:
    if interaction.guild_id is None or interaction.channel_id is None:
        raise Sorry("Games are played in the channels of a server, where your friends are. Invite me to one!")
    return interaction.channel_id


def _game_named(name: str) -> GameSpec:
    """A game by its slug or title. Raises `Sorry`, naming those there are."""
    specs = discover().values()
    found = next((spec for spec in specs if name.strip().casefold() in (spec.slug, spec.title.casefold())), None)
    if found is None:
        raise Sorry(f"I do not know “{name[:40]}”. I play {listed([spec.title for spec in specs])}.")
    return found


async def _table_here(interaction: Interaction) -> Table | None:
    """The table of the channel, or the last one that was played there, if any."""
    try:
        table: Table = await interaction.client.tables.shown_at(interaction.channel_id or 0)
        return table
    except Sorry:
        return None


def _game_of(table: Table | None) -> GameSpec:
    if table is None:
        raise Sorry("Which game? `/game rules game:` names them all.")
    return table.spec


def _require_game(table: Table, spec: GameSpec) -> None:
    if table.spec.slug != spec.slug:
        raise Sorry(f"The game in this channel is {table.spec.title}; use `/{table.spec.slug} …`.")
