"""The courtyard: what all rooms of the bot open onto."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import discord

from bot.clock import Clock
from bot.posting.channels import Channels
from bot.posting.pictures import Pictures
from bot.posting.poster import Poster
from bot.store.store import Store
from bot.tables.lobbies import Lobbies
from bot.tables.moves import Moves
from bot.tables.seats import Seats
from bot.tables.tables import Tables
from bot.tables.undoing import Undoing
from bot.thinking.computers import Computers
from bot.thinking.thinkers import Thinkers, Workers


@dataclass(frozen=True, slots=True)
class Courtyard:
    """The store, the tables kept in it, what goes from them to Discord, and the time. Knows no interaction.

    `data_dir` may hold files of the host's own (see `bot.lobby.files`).
    """

    store: Store
    tables: Tables
    lobbies: Lobbies
    seats: Seats
    moves: Moves
    undoing: Undoing
    channels: Channels
    pictures: Pictures
    poster: Poster
    computers: Computers
    clock: Clock
    data_dir: Path

    @classmethod
    def of(
        cls, client: discord.Client, store: Store, clock: Clock, data_dir: Path, *, workers: Workers, computer: str
    ) -> Courtyard:
        """A courtyard whose messages go through this client."""
        tables, channels, pictures = Tables(store), Channels(client), Pictures()
        moves = Moves(store, tables, clock)
        poster = Poster(channels, store, tables, moves, pictures, clock)
        return cls(
            store,
            tables,
            Lobbies(store, tables, clock),
            Seats(store, tables, computer),
            moves,
            Undoing(store, moves),
            channels,
            pictures,
            poster,
            Computers(tables, moves, Thinkers(workers), poster.publish),
            clock,
            data_dir,
        )
