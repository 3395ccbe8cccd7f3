"""The courtyard: what all rooms of the bot open onto."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bot.clock import Clock
from bot.posting.channels import Channels
from bot.posting.pictures import Pictures
from bot.posting.poster import Clocks, Poster
from bot.store.store import Store
from bot.tables.lobbies import Lobbies
from bot.tables.moves import Moves
from bot.tables.seats import Seats
from bot.tables.tables import Tables
from bot.tables.undoing import Undoing


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
    clock: Clock
    data_dir: Path

    @classmethod
    def of(
        cls, channels: Channels, pictures: Pictures, store: Store, clock: Clock, clocks: Clocks, data_dir: Path
    ) -> Courtyard:
        """A courtyard whose messages go through these channels; `clocks` tells which clocks a board sets going."""
        tables = Tables(store)
        moves = Moves(store, tables, clock)
        return cls(
            store,
            tables,
            Lobbies(store, tables),
            Seats(store, tables, clock),
            moves,
            Undoing(store, moves),
            channels,
            pictures,
            Poster(channels, store, tables, moves, pictures, clock, clocks),
            clock,
            data_dir,
        )
