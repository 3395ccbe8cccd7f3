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
from bot.tables.tables import Tables


@dataclass(frozen=True, slots=True)
class Courtyard:
    """The store, the tables kept in it, what goes from them to Discord, and the time. Knows no interaction.

    `data_dir` may hold files of the host's own (see `bot.lobby.files`).
    """

    store: Store
    tables: Tables
    channels: Channels
    pictures: Pictures
    poster: Poster
    clock: Clock
    data_dir: Path

    @classmethod
    def of(cls, client: discord.Client, store: Store, clock: Clock, data_dir: Path) -> Courtyard:
        """A courtyard whose messages go through this client."""
        tables, channels, pictures = Tables(store, clock), Channels(client), Pictures()
        poster = Poster(channels, store, tables, pictures, clock)
        return cls(store, tables, channels, pictures, poster, clock, data_dir)
