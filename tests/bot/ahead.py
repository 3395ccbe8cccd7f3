"""Matches that go on while the bot is away: the short way to a position far from the beginning."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

from bot.clock import Clock
from bot.store.codec import time_of
from bot.store.log import NewEntries
from bot.tables.table import Table
from engine.games import discover
from engine.match import Entry, Match
from engine.texts import Seat
from tests.bot.app import App
from tests.bot.refusing import House

MAX_WALKS = 50
"""The number of continuations to try."""


async def play_ahead(app: App, arrived: Callable[[Match], bool]) -> Match:
    """Play the newest match by luck up to a position, and write that as the bot would have. Returns the match."""
    await app.close()
    match, match_id = newest(app)
    first = match.version
    match = walk_until(match, arrived)
    at = time_of(Clock().now())
    rows = [(match_id, n, entry.seat, entry.notation, at) for n, entry in enumerate(match.entries[first:], first)]
    app.write("INSERT INTO entries (match_id, n, seat, notation, at) VALUES (?, ?, ?, ?, ?)", rows)
    await app.open()
    return match


async def go_ahead(home: House, table: Table, arrived: Callable[[Match], bool]) -> None:
    """Play a match by luck up to a position, at a bot without a gateway."""
    match = walk_until(table.require_match(), arrived)
    async with home.services.tables.changing(table) as change:
        change.match, change.new = match, NewEntries.of(match, table.require_match().version, home.clock.now())


def newest(app: App) -> tuple[Match, int]:
    """The newest match as its log tells it, and its id."""
    newest = "SELECT id, game, options, seed FROM matches ORDER BY id DESC LIMIT 1"
    ((match_id, game, options, seed),) = app.query(newest)
    ((seats,),) = app.query("SELECT count(*) FROM seat_history WHERE match_id = ?", match_id)
    log = app.query("SELECT seat, notation FROM entries WHERE match_id = ? ORDER BY n", match_id)
    spec = discover()[game]
    entries = [Entry(Seat(seat), notation) for seat, notation in log]
    return Match.replay(spec, spec.setup(seats, json.loads(options)), seed, entries), match_id


def walk_until(match: Match, arrived: Callable[[Match], bool]) -> Match:
    """A copy of the match, with random moves up to a position."""
    return next(walk for n in range(MAX_WALKS) if arrived(walk := _walk(match, arrived, Random(n))))


def _walk(match: Match, arrived: Callable[[Match], bool], rng: Random) -> Match:
    match = match.copy()
    while not arrived(match) and (decisions := match.state.decisions()):
        decision = rng.choice(decisions)
        match.play(decision.seat, rng.choice(decision.options))
    return match
