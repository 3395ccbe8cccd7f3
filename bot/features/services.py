"""The services that every feature of the bot gets."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from bot.clock import Clock
from bot.computers.computers import Computers
from bot.computers.questions import Questions
from bot.computers.thinkers import Thinkers, Workers
from bot.interactions.channels import Channels
from bot.interactions.limits import Limits
from bot.interactions.members import Members
from bot.interactions.servers import Servers
from bot.posting.pictures import Pictures
from bot.posting.poster import ClocksOfBoard, Poster
from bot.posting.stories import Stories
from bot.store.store import Store
from bot.tables.auto_answering import AutoAnswering
from bot.tables.joining import Joining
from bot.tables.lobbies import Lobbies
from bot.tables.moves import Moves
from bot.tables.predictions import Predictions
from bot.tables.seats import Seats
from bot.tables.tables import Tables
from bot.tables.undoing import Undoing
from bot.tables.upcoming import next_notices
from bot.worker import Worker
from engine.values import Value


class Services(Value):
    """The services for tables, their storage, messages to Discord, and time; none of them depends on an interaction.

    `data_dir` may contain the host's own files (see `bot.features.lobby.option_files`). `help_url` is the address of
    a page about the bot's permissions, or empty.
    """

    store: Store
    servers: Servers
    tables: Tables
    lobbies: Lobbies
    joining: Joining
    seats: Seats
    predictions: Predictions
    moves: Moves
    undoing: Undoing
    auto_answers: AutoAnswering
    channels: Channels
    pictures: Pictures
    poster: Poster
    worker: Worker
    computers: Computers
    thinkers: Thinkers
    questions: Questions
    stories: Stories
    limits: Limits
    members: Members
    clock: Clock
    data_dir: Path
    help_url: str

    @classmethod
    def of(
        cls,
        channels: Channels,
        pictures: Pictures,
        servers: Servers,
        store: Store,
        clock: Clock,
        data_dir: Path,
        *,
        clocks: ClocksOfBoard,
        workers: Workers,
        computer: str,
        stories: bool,
        help_url: str,
    ) -> Services:
        """Make all services; `clocks` computes the clocks that a board starts."""
        tables, thinkers = Tables(store), Thinkers(workers)
        moves, predictions = Moves(store, tables, clock), Predictions(store, tables, clock)
        notices = partial(next_notices, store.settings)
        poster = Poster(channels, tables, pictures, clock, clocks, predictions, notices, store.leagues.league_of)
        computers, questions = Computers(moves, thinkers, poster.publish), Questions()
        # a new position cancels searches in the old one; `tables` must not import these two
        tables.watch(computers.cancel_outdated)
        tables.watch(questions.cancel_outdated)
        return cls(
            store,
            servers,
            tables,
            Lobbies(store, tables, clock),
            Joining(store, tables, clock),
            Seats(store, tables, clock, computer),
            predictions,
            moves,
            Undoing(tables, moves, clock),
            AutoAnswering(tables, moves, clock),
            channels,
            pictures,
            poster,
            Worker(store, clock),
            computers,
            thinkers,
            questions,
            Stories(store, thinkers, clock, wanted=stories),
            Limits.by(clock),
            Members(clock, channels.requests),
            clock,
            data_dir,
            help_url,
        )
