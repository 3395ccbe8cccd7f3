"""A game from a file, for one person to play on against computers."""

from __future__ import annotations

import asyncio

import discord

from bot.courtyard import Courtyard
from bot.errors import Declined
from bot.interactions.answers import Answer, together
from bot.lobby.files import in_message
from bot.lobby.setting import open_here
from bot.lobby.showing import chair_of
from bot.store.matches import Chair
from bot.tables.table import Table
from engine.errors import EngineError
from engine.match import Match
from engine.record import LARGEST, Record, read
from engine.texts import Seat, Text

TOO_LARGE = Text("This file has more than {most} bytes.", most=f"{LARGEST:,}")


async def from_file(court: Courtyard, answer: Answer, file: discord.Attachment, moves: int | None) -> None:
    """Open a table where the game of a file stands at its end, or after some moves; computers play all other seats.

    Nothing in the file is trusted: every move is played once more, and luck must have done what it would do.

    Raises:
        Declined: the file is none of ours, or a game cannot be opened here.
    """
    if file.size > LARGEST:  # known before anything of it is read
        raise Declined(TOO_LARGE)
    record, match = await asyncio.to_thread(_read, await file.read(), moves)
    table = await _set(court, answer, record, _seat(record, match, answer))
    await court.moves.start(table, match.entries)
    answer.kept = _told(table, match)
    await together(answer.show_text(answer.kept), court.poster.deliver(table))


def _read(raw: bytes, moves: int | None) -> tuple[Record, Match]:
    """What stands in a file, and where its game stands. Raises `Declined`."""
    try:
        record = read(raw)
        return record, record.match(moves)
    except EngineError as error:
        raise Declined(in_message(error.text)) from error


async def _set(court: Courtyard, answer: Answer, record: Record, seat: Seat) -> Table:
    """A table with this user on a seat and computers on all others."""
    table = await open_here(court, answer.interaction, record.spec)
    chairs = [Chair(computer=court.seats.computer)] * len(record.names)
    chairs[seat] = chair_of(answer.interaction.user)
    await court.lobbies.change_chairs(table, lambda _: chairs)
    await court.lobbies.set_options(table, record.options)
    return table


def _seat(record: Record, match: Match, answer: Answer) -> Seat:
    """The seat this user had, by their name; else the one that is due, else the first."""
    own = chair_of(answer.interaction.user).name
    due = [decision.seat for decision in match.state.decisions()]
    return Seat(record.names.index(own)) if own in record.names else next(iter(due), Seat(0))


def _told(table: Table, match: Match) -> Text:
    if match.outcome is not None:
        return Text("This game of {title} is over: with `at` you choose a move to play on from.", title=table.title)
    return Text("Here stands {title} after move {moves}. From here on luck is new.", title=table.title, moves=match.ply)
