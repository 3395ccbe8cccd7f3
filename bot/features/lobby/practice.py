"""Practice for one player against computers: a first game, or a game from a file."""

from __future__ import annotations

import asyncio

import discord
from discord import app_commands

from bot.errors import UserError
from bot.features import groups
from bot.features.handlers import Request
from bot.features.lobby.lobby_layouts import in_own_thread
from bot.features.lobby.new_table import ask_what_to_learn, learn, practice_table
from bot.features.lobby.option_files import in_message
from bot.features.lobby.table_message import holder_of
from bot.features.named import game_named, suggest_games_to_play
from bot.features.services import Services
from bot.interactions.responses import Response, together
from bot.store.matches import SeatHolder
from bot.tables.table import Table
from engine.errors import EngineError
from engine.match import Match
from engine.record import MAX_BYTES, Record, parse_record
from engine.texts import Seat, Text

TOO_LARGE = Text("This file has more than {most} bytes.", most=f"{MAX_BYTES:,}")


@groups.game.command("learn", "Learn a game by playing against computers, with advice along the way")
@app_commands.rename(title="game")
@app_commands.describe(title="which game; leave empty to choose with a button")
@app_commands.autocomplete(title=suggest_games_to_play)
async def practice(request: Request, title: str = "") -> None:
    """A first game."""
    if title:
        await learn(request.services, request.response, game_named(title))
    else:
        await ask_what_to_learn(request.response)


@groups.table.command("continue", "Continue a saved game against computers, from any move")
@app_commands.describe(
    file="the saved game, from Export under a log",
    at="the number of the move to continue after, as in the text; by default the last",
)
async def continue_from(
    request: Request, file: discord.Attachment, at: app_commands.Range[int, 1] | None = None
) -> None:
    """A game from a file."""
    await play_on(request.services, request.response, file, at)


async def play_on(services: Services, response: Response, file: discord.Attachment, moves: int | None) -> None:
    """Open a table with the game of a file, at its end or after some moves; computers play all other seats.

    The file is untrusted: the bot replays every move and checks every draw of luck.

    Raises:
        UserError: the file is not a record of a game, or no table can be opened here.
    """
    if file.size > MAX_BYTES:  # checked before the download
        raise UserError(TOO_LARGE)
    # replaying every move would block the event loop
    with services.limits.files.one(response.interaction.user.id):
        record, match = await asyncio.to_thread(_read, await file.read(), moves)
        table = await practice_table(services, response, record.spec)
    holders = [SeatHolder(computer=services.seats.computer)] * len(record.names)
    holders[_seat(record, match, response)] = holder_of(response.interaction)
    await services.lobbies.change_holders(table, lambda _: holders)
    # after the seats: the check of options depends on their number
    await services.lobbies.set_options(table, record.options)
    await services.moves.start(table, response.interaction.id, match.entries)
    response.already_done = _introduction(table, match)
    await together(response.show_text(response.already_done), services.poster.deliver(table))


def _read(raw: bytes, moves: int | None) -> tuple[Record, Match]:
    """The game of a file, and its position after the given moves. Raises `UserError`."""
    try:
        record = parse_record(raw)
        return record, record.match(moves)
    except EngineError as error:
        raise UserError(in_message(error.text)) from error


def _seat(record: Record, match: Match, response: Response) -> Seat:
    """The seat with the name of this user, else the seat that is due, else the first."""
    # by name, since a file has no user ids
    own = holder_of(response.interaction).name
    due = [decision.seat for decision in match.state.decisions()]
    return Seat(record.names.index(own)) if own in record.names else next(iter(due), Seat(0))


def _introduction(table: Table, match: Match) -> Text:
    if match.outcome is not None:
        return Text("This game of {title} is over. Use `at` to choose the move to continue from.", title=table.title)
    return Text(
        "This is {title}{where} after move {moves}. From here on, dice and cards come out differently.",
        title=table.title,
        where=in_own_thread(table),
        moves=match.ply,
    )
