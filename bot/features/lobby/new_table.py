"""New tables: in the channel or in a thread of their own, for a first game, or for a rematch."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ui import TextDisplay

from bot.errors import DISCORD_ERRORS, UserError, reason
from bot.features import groups
from bot.features.dispatcher import channel_of
from bot.features.handlers import Answer, Request, TableRequest, anywhere, at_table
from bot.features.lobby.allowed import require_setting
from bot.features.lobby.inviting import ADMISSIONS
from bot.features.lobby.lobby_layouts import first_game, first_game_layout, lobby_layout
from bot.features.lobby.start_times import suggest_start_times, suggest_zone_once, typed_start
from bot.features.lobby.table_message import FURTHER_DOWN, holder_of, publish, show_lobby, show_lost
from bot.features.named import game_named, suggest_games_to_play
from bot.features.services import Services
from bot.interactions.controls import Control
from bot.interactions.emojis import current_emojis, game_emblem, title_with_emblem
from bot.interactions.parts import PRIMARY, Layout, calling, layout, rows, text_layout
from bot.interactions.permissions import Doing
from bot.interactions.responses import Response
from bot.posting import board_layouts
from bot.store.matches import Admission, OpenLimits, SeatHolder, Status
from bot.store.shard_range import NO_SERVER
from bot.tables.company import reachable
from bot.tables.joining import admission_of
from bot.tables.lobbies import Occupied
from bot.tables.options import starting_options
from bot.tables.paces import all_paces
from bot.tables.people import mention
from bot.tables.preferences import keep_preferences, preferences_of
from bot.tables.table import Table
from engine.core import GameSpec
from engine.games import discover
from engine.texts import Text
from engine.values import Value

_log = logging.getLogger(__name__)

SET = Text("Your table is ready.")
THERE = Text("There’s already a table here. Its message was lost, so here it is again.")
IN_A_THREAD = Text("The table is in its own thread.")
NO_THREAD = Text("-# Discord didn’t open a thread for this game, so the table is here.")
NO_TABLE = Text("-# Discord didn’t open a thread, so no table was set up.")
CANCELED = Text("-# No table was set up here after all.")


class Wishes(Value):
    """A host's wishes for a new table: a thread of its own, the value of an `Admission`, people to invite, a time at
    which it starts.
    """

    in_thread: bool = False
    admits: str = Admission.ANYONE
    guests: frozenset[int] = frozenset()
    starts_at: datetime | None = None


@groups.table.command("new", "Set up a table for a board game in this channel")
@app_commands.rename(title="game")
@app_commands.describe(
    title="which game",
    where="where it is played; by default here",
    join="who may join; by default anyone",
    start="when it starts by itself, such as 8 PM or tomorrow 8 PM; by default when somebody starts it",
    invite="somebody to invite",
    invite2="somebody to invite",
    invite3="somebody to invite",
    invite4="somebody to invite",
    invite5="somebody to invite",
)
@app_commands.choices(where=[Choice(name="here", value="here"), Choice(name="in its own thread", value="thread")])
@app_commands.choices(join=[Choice(name=str(text), value=admits.value) for admits, text in ADMISSIONS.items()])
@app_commands.autocomplete(title=suggest_games_to_play, start=suggest_start_times)
async def new(
    request: Request,
    title: str,
    where: str = "here",
    join: str = Admission.ANYONE.value,
    start: str = "",
    # an option of a command takes one user only, hence five of them
    invite: discord.User | None = None,
    invite2: discord.User | None = None,
    invite3: discord.User | None = None,
    invite4: discord.User | None = None,
    invite5: discord.User | None = None,
) -> None:
    """Set up a table for a game in this channel or in a thread of its own, perhaps with a start time, and mention its
    guests.

    A table set up inside a thread stays in that thread.
    """
    guests = [user.id for user in (invite, invite2, invite3, invite4, invite5) if user and not user.bot]
    starts_at = await typed_start(request, start) if start else None
    wishes = Wishes(in_thread=where == "thread", admits=join, guests=frozenset(guests), starts_at=starts_at)
    services, response = request.services, request.response
    spec, interaction = game_named(title), response.interaction
    admission_of(wishes.admits)  # for its error
    # neither a direct message nor a thread has threads of its own
    if wishes.in_thread and interaction.guild_id is not None and not isinstance(interaction.channel, discord.Thread):
        await _new_in_thread(services, response, spec, wishes)
    else:
        await _new_here(services, response, spec, wishes)
    if starts_at:
        await suggest_zone_once(request)
    # last: the person who set up the table has their answer
    await services.pictures.warm_up(spec)


async def _new_here(services: Services, response: Response, spec: GameSpec, wishes: Wishes) -> None:
    try:
        table = await _open_for_people(services, response.interaction, spec, wishes)
    except Occupied as occupied:
        await _show_lost(services, response, occupied)
    else:
        await show_lobby(services, response, table, SET, calling(await _invite_guests(services, table, wishes)))


async def _show_lost(services: Services, response: Response, occupied: Occupied) -> None:
    """Show the table in this channel again if its message is lost, otherwise raise `occupied`."""
    table = occupied.there
    # a running game needs no message of its lobby: `/game board` shows where it is
    if table.row.status is not Status.LOBBY or table.problem or not await show_lost(services, response, table, THERE):
        raise occupied


async def open_here(
    services: Services, interaction: discord.Interaction[Any], spec: GameSpec, columns: Mapping[str, Any] | None = None
) -> Table:
    """Open a table in the channel of an interaction. Raises `UserError` if that is not possible or there is one."""
    most, inside = await require_setting(services, interaction), interaction.channel
    # Discord reports only the channel when it is deleted with its threads: the parent id finds the tables there
    above = {"parent_id": inside.parent_id} if isinstance(inside, discord.Thread) else {}
    return await services.lobbies.open(
        spec.slug,
        guild_id=interaction.guild_id or NO_SERVER,
        channel_id=channel_of(interaction),
        host=holder_of(interaction),
        most=most,
        **{**(columns or {}), **above},
    )


async def _open_for_people(
    services: Services, interaction: discord.Interaction[Any], spec: GameSpec, wishes: Wishes
) -> Table:
    """Like `open_here`, for a lobby: with the default options and pace of its server."""
    return await open_here(services, interaction, spec, await _columns(services, interaction, spec, wishes))


async def _columns(
    services: Services, interaction: discord.Interaction[Any], spec: GameSpec, wishes: Wishes
) -> dict[str, Any]:
    """The columns of a new table: the host's wish for admission, and the server's defaults for the others."""
    guild_settings = await services.servers.guild_settings(interaction.guild_id or NO_SERVER)
    # a pace from the start: otherwise an absent player would block the table for good
    pace, firm = all_paces().get(guild_settings.pace, ("", False))
    options = starting_options(spec, guild_settings.options.get(spec.slug))
    # docs/ratings.md: games in direct messages are not rated
    rated = guild_settings.rated and interaction.guild_id is not None
    # a direct message has no other people
    admits = admission_of(wishes.admits) if interaction.guild_id is not None else Admission.ANYONE
    return {"pace": pace, "firm": firm, "rated": rated, "options": options, "admits": admits} | {
        "starts_at": wishes.starts_at
    }


async def _invite_guests(services: Services, table: Table, wishes: Wishes) -> frozenset[int]:
    """Invite people to a new table. Returns the ids of the users to ping."""
    if table.row.guild_id == NO_SERVER:
        return frozenset()
    new = await services.lobbies.invite(table, wishes.guests)
    return await reachable(services.store, table, new, services.clock.now())


async def _new_in_thread(services: Services, response: Response, spec: GameSpec, wishes: Wishes) -> None:
    """Announce a table in the channel, and open it in a thread of that announcement."""
    interaction = response.interaction
    most = await _require_thread(services, interaction)
    # in this order: a thread begins at a message, and a table is stored with its channel
    starter_id = await _announce(services, response, spec)
    try:
        columns = await _columns(services, interaction, spec, wishes)
        table = await _in_thread(services, response, spec, starter_id, columns, most)
    except DISCORD_ERRORS:
        await _set_here(services, response, spec, starter_id, wishes)
        return
    response.already_done = IN_A_THREAD
    called = await _invite_guests(services, table, wishes)
    # mentioned users find the thread in their list
    compose, mentions = partial(lobby_layout, table), calling([interaction.user.id, *called])
    sent = await services.channels.send(table.row.channel_id, compose, mentions=mentions)
    await services.lobbies.note_lobby_message(table, sent)


async def _require_thread(services: Services, interaction: discord.Interaction[Any]) -> OpenLimits:
    """Raise `UserError` unless a table can be opened in a new thread. Returns the limits on open tables."""
    most = await require_setting(services, interaction, Doing.THREAD)
    assert interaction.guild_id is not None, "a direct message has no threads"
    # before the announcement, which a refusal would leave behind with its thread
    await services.lobbies.require_room(interaction.guild_id, interaction.user.id, most)
    return most


async def _in_thread(
    services: Services,
    response: Response,
    spec: GameSpec,
    starter_id: int,
    columns: Mapping[str, Any],
    most: OpenLimits,
) -> Table:
    """Open a table in a new thread of a message.

    Raises:
        DISCORD_ERRORS: Discord does not open a thread.
        UserError: another user took the last place meanwhile.
    """
    channel_id, guild_id = channel_of(response.interaction), response.interaction.guild_id
    assert guild_id is not None, "a direct message has no threads"
    host = holder_of(response.interaction)
    # a name without visible characters is empty by now
    named = Text("{title} with {host}", title=spec.name, host=host.name) if host.name else spec.name
    try:
        thread_id = await services.channels.open_thread(guild_id, channel_id, starter_id, str(named))
    except DISCORD_ERRORS as error:
        _log.warning("no thread is opened in channel %d: %s", channel_id, reason(error))
        raise
    try:
        return await services.lobbies.open(
            spec.slug,
            guild_id=guild_id,
            channel_id=thread_id,
            host=host,
            most=most,
            parent_id=channel_id,
            own_thread=True,
            **columns,
        )
    except UserError:
        # another request took the last table that the server allows
        await _take_back(services, channel_id, starter_id, thread_id)
        raise


async def _take_back(services: Services, channel_id: int, starter_id: int, thread_id: int) -> None:
    """Archive a thread without a table, and say so in the message that it belongs to."""
    await services.channels.refresh(channel_id, starter_id, partial(text_layout, CANCELED, str))
    try:
        await services.channels.archive(thread_id)
    except DISCORD_ERRORS as error:
        _log.info("the empty thread %d stays open: %s", thread_id, reason(error))


async def _announce(services: Services, response: Response, spec: GameSpec) -> int:
    """Post the message that the thread belongs to. Returns its id."""
    host = mention(response.interaction.user.id)
    template = "{host} has set up a **{title}** table.\n-# {summary}"
    notice = Text(template, host=host, title=spec.name, summary=spec.about)
    compose = partial(text_layout, notice, str)
    return await publish(services, response, channel_of(response.interaction), compose, IN_A_THREAD)


async def _set_here(services: Services, response: Response, spec: GameSpec, starter_id: int, wishes: Wishes) -> None:
    """Open the table in the channel itself, since Discord opened no thread."""

    async def update_starter(text: Text) -> None:
        compose = partial(text_layout, text, str)
        await services.channels.refresh(channel_of(response.interaction), starter_id, compose)

    try:
        table = await _open_for_people(services, response.interaction, spec, wishes)
        await show_lobby(
            services, response, table, NO_THREAD, calling(await _invite_guests(services, table, wishes)), NO_THREAD
        )
    # the thread's message must not promise a table after any error; a canceled task can no longer send
    except Exception:
        await update_starter(NO_TABLE)
        raise
    await update_starter(FURTHER_DOWN)


async def ask_what_to_learn(response: Response) -> None:
    """Show a button for each game."""
    await response.show(_learnable_layout(discover().values()))


# what a first game is about is shown below its board, not where the game was chosen
@anywhere("learn", Answer.NEW)
async def begin_first_game(request: Request, slug: str) -> None:
    """Begin a first game of the chosen game."""
    await learn(request.services, request.response, game_named(slug))


def _learnable_layout(specs: Iterable[GameSpec]) -> Layout:
    """A button for each game with a first lesson."""
    games = list(specs)
    lines = [Text("**{title}** – {summary}", title=title_with_emblem(spec), summary=spec.about) for spec in games]
    buttons = [
        Control(begin_first_game.id(spec.slug), spec.name, PRIMARY, emoji=current_emojis().of(game_emblem(spec.slug)))
        for spec in games
    ]
    words = "\n".join(map(str, (Text("### Which game do you want to learn?"), *lines)))
    return layout(TextDisplay(words), *rows(buttons))


async def learn(services: Services, response: Response, spec: GameSpec) -> None:
    """Begin a first game against computers at once, with advice where it fits."""
    user_id, settings = response.interaction.user.id, services.store.settings
    table = await practice_table(services, response, spec)
    response.already_done = first_game(table)
    computers = [SeatHolder(computer=services.seats.computer)] * (spec.seats[0] - 1)
    await services.lobbies.change_holders(table, lambda holders: [*holders, *computers])
    await keep_preferences(
        settings, user_id, dataclasses.replace(await preferences_of(settings, user_id), coached=True)
    )
    await services.moves.start(table, response.interaction.id)
    # in this order: the description of the game goes below its board
    await services.poster.deliver(table)
    await response.show_below(first_game_layout(table), first_game(table))


async def practice_table(services: Services, response: Response, spec: GameSpec) -> Table:
    """A table for one player against computers: in this channel, or in a thread if the channel has a table already."""
    interaction = response.interaction
    try:
        # without the server's defaults for new tables: no other player waits here, and the game is unrated
        return await open_here(services, interaction, spec)
    except Occupied as occupied:
        if interaction.guild_id is None or isinstance(interaction.channel, discord.Thread):
            raise
        most, channel_id = await _require_thread(services, interaction), channel_of(interaction)
        learns = Text("{user} is practicing **{title}**.", user=mention(interaction.user.id), title=spec.name)
        starter_id = await services.channels.send(channel_id, partial(text_layout, learns, str))
        try:
            return await _in_thread(services, response, spec, starter_id, {}, most)
        except DISCORD_ERRORS:
            await services.channels.refresh(channel_id, starter_id, partial(text_layout, CANCELED, str))
            raise occupied from None


@at_table(board_layouts.rematch)
async def rematch(request: TableRequest) -> None:
    """Open a table for the same people, each one seat further on, and mention them."""
    most = await require_setting(request.services, request.response.interaction)
    try:
        interaction_id = request.response.interaction.id
        table = await request.services.lobbies.rematch(
            request.table, request.user_id, most, interaction_id=interaction_id
        )
    except Occupied as occupied:
        await _show_lost(request.services, request.response, occupied)
        return
    # hints are not a column of the match, so the rematch does not copy them
    await request.services.lobbies.allow_hints(table, allowed=request.table.hints)
    others = [user_id for user_id in table.people if user_id != request.user_id]
    await show_lobby(request.services, request.response, table, SET, calling(others))
