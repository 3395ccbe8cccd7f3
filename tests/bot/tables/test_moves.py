"""Moves as they are stored: the proof of a start, the acts of players, the turns of computers, and the result."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bot.errors import UserError
from bot.store.log import Act
from bot.store.matches import SeatHolder, Status
from bot.store.shard_range import NO_SERVER
from bot.tables.moves import Continuation, NextStep, _following
from engine.proof import Proof
from engine.texts import Seat
from tests.bot.refusing import CHANNEL, GUEST, GUILD, HOST, NOON, House
from tests.engine.toys.sealed import Bid

CARO = 72
ONE, TWO = Seat(0), Seat(1)
ANA = SeatHolder(HOST, name="Ana", interaction_id=5)
BEN = SeatHolder(GUEST, name="Ben", interaction_id=6)
COMPUTER = SeatHolder(computer="uniform")


async def test_the_luck_of_a_game_is_proved_by_the_taps_of_its_players_and_its_start(home: House) -> None:
    table = await home.lobby(CHANNEL, ANA, COMPUTER, BEN, ready=[HOST, GUEST])
    secret, moves = table.row.secret, home.services.moves
    with pytest.raises(UserError, match="hasn’t started yet"):
        table.require_match()
    await moves.resume(table)
    assert moves.thinker_due(table) is None
    await moves.start(table, 4711)
    row = table.row
    assert (Status.RUNNING, (5, 6, 4711), None) == (row.status, row.ids, row.ready)
    assert Proof(secret, (5, 6, 4711)).seed(table.spec, row.options) == row.seed
    assert row == await home.store.matches.find(table.id)
    assert await home.store.log.entries(table.id) == [*table.require_match().entries]
    with pytest.raises(UserError, match="already begun"):
        await moves.start(table, 4712)


async def test_a_game_is_stored_move_by_move_up_to_its_result(home: House) -> None:
    table, moves = await home.posted(CHANNEL, ANA, BEN), home.services.moves
    for n, user_id in enumerate((HOST, GUEST) * 3):
        version = table.require_match().decision_version(Seat(n % 2))
        bid, number = Bid(1 if user_id == GUEST else 0), n + 100
        board = table.waiting
        after = await moves.play(table, user_id, bid, interaction_id=number, version=version)
        assert (NextStep.WAITING if n % 2 == 0 else NextStep.BOARD) is after
        assert (after is NextStep.WAITING) == (board == table.waiting)
        assert Act(Seat(n % 2), number, f"bid {bid.coins}") == table.unanswered
        assert table.unanswered == await home.store.log.last_act(table.id)
    outcome = table.require_match().outcome
    assert outcome is not None
    sql = "SELECT seat, score, share FROM results ORDER BY seat"
    results = [tuple(row) for row in await home.store.jobs._database.fetch(sql)]
    assert [(seat, outcome.scores[seat], outcome.returns[seat]) for seat in (0, 1)] == results
    assert {type(score) for _, score, _ in results} == {int}
    assert (Status.OVER, [1.0]) == (table.row.status, [share for _, _, share in results if share])
    assert {HOST, GUEST} == {change.user_id for change in table.changes}


async def test_what_computers_play_in_their_own_seats_is_not_played_for_anyone(home: House) -> None:
    table = await home.match(CHANNEL, ANA, COMPUTER)
    assert {ONE} == {decision.seat for decision in table.require_match().state.decisions()}
    assert ["bid"] == [entry.notation.split()[0] for entry in table.require_match().entries]
    assert (set(), []) == (table.require_match().stood_in, await home.store.log.stand_in_entries(table.id))
    assert Continuation.of(table).thinker(table) is None
    continuation = Continuation(table.require_match(), {ONE: "fair"})
    assert (ONE, "fair") == continuation.thinker(table) == home.services.moves.thinker_due(table, continuation)


async def test_a_rematch_seats_no_player_whom_moderators_have_barred_from_its_server(home: House) -> None:
    table = await home.match(CHANNEL, ANA, BEN)
    await home.services.seats.end(table, by=HOST, at=NOON)
    await home.store.bars.put(CHANNEL, GUEST, "Ben", "", NOON, None)
    await home.store.bars.put(GUILD, HOST, "Ana", "", NOON, NOON)
    rematch = await home.services.lobbies.rematch(table, HOST, interaction_id=9)
    assert (GUILD, CHANNEL) == (rematch.row.guild_id, rematch.row.channel_id)
    assert (replace(BEN, interaction_id=0), replace(ANA, interaction_id=9)) == rematch.row.holders
    await home.services.seats.end(rematch, by=HOST, at=NOON)
    await home.store.bars.put(GUILD, GUEST, "Ben", "", NOON, None)
    assert [HOST] == [*(await home.services.lobbies.rematch(table, HOST)).people]


@pytest.mark.parametrize(("guild_id", "rated"), [(GUILD, True), (NO_SERVER, False)])
async def test_a_new_table_is_rated_in_a_server(home: House, guild_id: int, rated: bool) -> None:
    table = await home.services.lobbies.open("toll", guild_id=guild_id, channel_id=CHANNEL, host=ANA)
    assert (rated, HOST, (ANA,), {}) == (table.row.rated, table.row.host_id, table.row.holders, table.row.options)
    assert 64 == len(table.row.secret)


def asking(*due: int, happened: str = "", is_aside: bool = False) -> Any:
    """A match after some events, with questions for the `due` seats; the first may be outside its own turn."""
    aside = SimpleNamespace(discreet=True)
    state = SimpleNamespace(
        decisions=lambda: [SimpleNamespace(seat=seat) for seat in due],
        aside=lambda seat: aside if is_aside and seat in due[:1] else None,
    )
    return SimpleNamespace(state=state, version=7, history=lambda _viewer, *, since: [(since, happened)])


@pytest.mark.parametrize(
    ("before", "after", "seat", "step"),
    [
        (asking(0), asking(0), ONE, NextStep.QUESTION),
        (asking(0), asking(0, happened="a move"), ONE, NextStep.QUESTION),
        (asking(0), asking(0), None, NextStep.WAITING),
        (asking(0), asking(1), ONE, NextStep.BOARD),
        (asking(0), asking(), ONE, NextStep.BOARD),
        (asking(0, 1), asking(1), ONE, NextStep.WAITING),
        (asking(0, 1), asking(0, 1), ONE, NextStep.QUESTION),
        (asking(0, 1), asking(0, 1, happened="a move"), ONE, NextStep.BOARD),
        (asking(0, is_aside=True), asking(0, happened="a move"), ONE, NextStep.BOARD),
        (asking(0, is_aside=True), asking(0, happened="a move", is_aside=True), ONE, NextStep.QUESTION),
    ],
)
def test_after_an_action_comes_the_next_question_the_board_or_a_wait_for_others(
    before: Any, after: Any, seat: Seat | None, step: NextStep
) -> None:
    assert step is _following(before, after, seat)
