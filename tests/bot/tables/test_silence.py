"""Hidden values change nothing in what the bot does: which entries follow, whether a board comes, what it says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.clock import Clock
from bot.interactions.channels import Channels
from bot.posting.board_layouts import Body
from bot.posting.poster import Poster
from bot.store.boards import Board
from bot.store.facts import Facts
from bot.store.matches import SeatHolder
from bot.tables.moves import Moves
from bot.tables.table import Table
from bot.tables.tables import Tables
from engine.core import Action, GameSpec
from engine.games import discover
from engine.match import Match
from engine.texts import CHANCE, Seat
from tests.bot.walks import name_of, set_row, table_of
from tests.engine.toys import TOYS

CASES = [
    (spec, seats) for spec in discover().values() if spec.hands for seats in sorted({spec.seats[0], spec.seats[-1]})
] + [(TOYS["sealed"], 4)]
STEPS = 160


class Notes:
    """A store that writes nothing."""

    def __init__(self) -> None:
        self.ratings = self

    async def changes(self, _match_id: int) -> tuple[()]:
        return ()

    async def set_by(self, _match_id: int) -> tuple[()]:
        return ()

    async def write(self, _before: Facts, after: Facts, *_: object) -> Facts:
        return replace(after, jobs=())


@pytest.mark.parametrize(("spec", "seats"), CASES, ids=name_of)
async def test_the_bots_behavior_reveals_no_hidden_information(spec, seats):
    """Two tables that differ in secrets only: after the same move, no other viewer can tell them apart."""
    compared, moments = 0, [*_moments(spec, seats)]
    if not moments:
        pytest.skip("all of its questions are private")
    for match, seat, action, viewer in moments:
        other = match.copy()
        other.state = match.state.determinize(viewer, Random(match.ply))
        results, told_other = [
            await _public_traces(_table(spec, seats, position), seat, action) for position in (match, other)
        ]
        if not results["luck"] and not told_other["luck"]:  # luck may uncover a secret for all
            compared += other.state != match.state
            assert results == told_other
    assert compared


def _moments(spec: GameSpec, seats: int) -> Iterator[tuple[Match, Seat, Action, Seat | None]]:
    """Public moves of a random game, with another viewer and the match before the move."""
    rng = Random(seats)
    match = Match.begin(spec, spec.setup(seats), "silence")
    for _ in range(STEPS):
        decisions = match.state.decisions()
        if not decisions:
            return
        decision = rng.choice(decisions)
        action = rng.choice(decision.options)
        if not decision.private:
            yield match.copy(), decision.seat, action, rng.choice([None, decision.seat])
        match.play(decision.seat, action)


def _table(spec: GameSpec, seats: int, match: Match) -> Table:
    table = table_of(spec, seats, match.copy())
    set_row(table, holders=tuple(SeatHolder(n + 1) for n in range(seats)))
    return table


async def _public_traces(table: Table, seat: Seat, action: Action) -> dict[str, Any]:
    """The public traces of a move: the log, the kinds of its entries, whether a board comes, and its words."""
    store: Any = Notes()
    tables, clock = Tables(store), Clock()
    moves = Moves(store, tables, clock)
    first = table.match.version
    post = await moves.play(table, seat + 1, action, interaction_id=1, version=None)
    new = table.match.entries[first:]
    last = Board(first, 1, Body("", "", "", "", (), "").stored())
    channels = Channels(None, None, on_gone=print, on_success=print)
    _, body, mentions = Poster(channels, tables, None, clock, None, None, None, None)._compose(table, last, (), "1-0")
    return {
        "luck": any(entry.seat == CHANCE for entry in new),
        "who": [entry.seat for entry in new],
        "post": post,
        "body": body,
        "mentions": mentions.to_dict(),
        "story": table.match.history(None, since=last.version),
    }
