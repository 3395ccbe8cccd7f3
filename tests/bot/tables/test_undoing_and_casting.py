"""Ends of the rating of a match or of one player's result: an undo that only computers agree to, a hint, an end."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.errors import UserError
from bot.store.matches import SeatHolder, Status
from bot.store.table_events import TableEventKind
from bot.store.tally import PLACEMENT_MATCHES
from bot.tables import rated
from bot.tables.rated import RatedStanding
from bot.tables.rating_cost import forfeit_warning
from bot.tables.table import Table
from engine.games import discover
from engine.match import UndoKind
from engine.texts import Seat
from tests.fairplay.server import CHEAT, COMPUTER, STRONGER, Server, server

OTHER = CHEAT + 1


@pytest.fixture
async def at(tmp_path: Path) -> AsyncIterator[Server]:
    async with server(tmp_path) as change:
        yield change


async def begin(at: Server, *others: SeatHolder, game: str = "gangs", **columns: Any) -> Table:
    """A match of the cheat and others, one of them a person."""
    spec = discover()[game]
    table = await at.lobbies.open_for(
        spec,
        [SeatHolder(CHEAT, interaction_id=1), SeatHolder(OTHER, interaction_id=2), *others],
        guild_id=5,
        channel_id=next(at.interactions),
        options=spec.setup(2 + len(others)).chosen(),
        secret="5" * 64,
        ready=[CHEAT, OTHER],
        **{"host_id": CHEAT, **columns},
    )
    await at.moves.start(table, 1)
    return table


async def act(at: Server, table: Table) -> None:
    """Play the first option of the seat that is due."""
    decision = next(decision for decision in table.require_match().state.decisions() if decision.seat in table.users)
    user_id = table.users[decision.seat]
    number = next(at.interactions)
    await at.moves.play(table, user_id, decision.options[0], interaction_id=number, version=None)


async def after_luck(at: Server, **columns: Any) -> Table:
    """A match in which the cheat plays on alone against computers, and may take something back with their consent."""
    table = await begin(at, SeatHolder(computer=COMPUTER), **columns)
    while table.require_match().undo_policy(Seat(0)).kind is not UndoKind.CONSENT:
        await act(at, table)
        if OTHER in table.people and table.require_match().ply > 20:
            await at.seats.resign(table, OTHER)
            await at.moves.resume(table)
    if OTHER in table.people:
        await at.seats.resign(table, OTHER)
    return table


def behind(monkeypatch: pytest.MonkeyPatch, *seats: int) -> None:
    async def behind_now(_: Table) -> frozenset[Seat]:
        return frozenset(map(Seat, seats))

    monkeypatch.setattr(rated, "behind_now", behind_now)


async def kinds(at: Server, table: Table) -> list[str]:
    facts = await at.store.facts.find(table.id)
    assert facts is not None, "it was opened"
    assert facts.events == table.facts.events
    return [event.kind for event in facts.events]


async def test_an_undo_with_the_consent_of_computers_only_ends_the_rating(
    at: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    behind(monkeypatch)
    table = await after_luck(at)
    await at.undoing.undo(table, CHEAT, interaction_id=next(at.interactions))
    assert not table.row.rated
    assert TableEventKind.CONCEDED not in await kinds(at, table)


async def test_in_a_league_luck_is_not_taken_back_without_the_consent_of_a_person(
    at: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    behind(monkeypatch)
    table = await after_luck(at, host_id=0)
    version = table.require_match().version
    with pytest.raises(UserError, match="unless another person agrees"):
        await at.undoing.undo(table, CHEAT, interaction_id=next(at.interactions))
    assert (version, True) == (table.require_match().version, table.row.rated)


async def test_a_player_who_is_behind_forfeits_where_others_end_the_rating(
    at: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    behind(monkeypatch, 0)
    table = await after_luck(at)
    await at.undoing.undo(table, CHEAT, interaction_id=next(at.interactions))
    assert table.row.rated
    assert RatedStanding.FORFEITED is await at.seats.standing_of(table, CHEAT)
    await at.seats.stop_rating(table, CHEAT)
    (event,) = table.facts.events
    assert (TableEventKind.CONCEDED, CHEAT, True) == (event.kind, event.user_id, event.behind), "given up once"
    assert table.row.rated


async def test_a_free_undo_leaves_a_match_rated(at: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    behind(monkeypatch, 0)
    table = await begin(at, SeatHolder(computer=COMPUTER), game="muscat")
    while table.require_match().undo_policy(Seat(0)).kind is not UndoKind.FREE:
        await act(at, table)
    await at.undoing.undo(table, CHEAT, interaction_id=next(at.interactions))
    assert table.row.rated
    assert [] == await kinds(at, table)


async def test_a_replacement_computer_plays_from_the_current_move_on(at: Server) -> None:
    table = await begin(at, SeatHolder(computer=COMPUTER))
    for _ in range(6):
        await act(at, table)
    version = table.require_match().version
    await at.seats.cast(table, Seat(2), STRONGER, by=CHEAT)
    assert [(Seat(2), COMPUTER, version)] == [
        (past.seat, past.holder.computer, past.until) for past in table.row.past_holders
    ]
    assert STRONGER == table.row.holders[2].computer
    (event,) = table.facts.events
    assert (TableEventKind.CAST, Seat(2), CHEAT, STRONGER) == (event.kind, event.seat, event.user_id, event.words)


async def test_a_game_ended_by_a_host_who_is_behind_counts(at: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await begin(at)
    for _ in range(6):
        await act(at, table)
    monkeypatch.setattr(rated, "companies_behind", lambda *_: frozenset({Seat(0)}))
    await at.seats.end(table, by=CHEAT, at=at.clock.now())
    assert Status.ENDED is table.row.status
    result = await at.result(table, ())
    assert {CHEAT: 2, OTHER: 1} == result.places
    assert result.changes[CHEAT] < 0 < result.changes[OTHER]
    assert {change.user_id for change in table.changes} == {CHEAT, OTHER}
    assert [] == await at.store.ratings.records(5, "gangs"), "an unfinished game sets no record"
    before = await at.store.ratings._database.fetch("SELECT * FROM ratings ORDER BY guild_id, user_id")
    await at.store.ratings.compute()
    after = await at.store.ratings._database.fetch("SELECT * FROM ratings ORDER BY guild_id, user_id")
    assert list(map(tuple, before)) == list(map(tuple, after))


async def test_a_game_ended_by_a_host_who_is_not_behind_does_not_count(
    at: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await begin(at)
    await act(at, table)
    monkeypatch.setattr(rated, "companies_behind", lambda *_: frozenset({Seat(1)}))
    await at.seats.end(table, by=CHEAT, at=at.clock.now())
    assert {} == (await at.result(table, ())).places


async def test_the_forfeit_warning_includes_a_number_once_a_player_is_placed(at: Server) -> None:
    table = await begin(at)
    warning = await forfeit_warning(at.store, table, CHEAT)
    assert "This game is rated: you’d finish last." == str(warning)
    assert await forfeit_warning(at.store, table, 999) is None
    sql = "INSERT INTO ratings VALUES (5, ?, 'gangs', 25, 6, ?, 1, 1, 1, 1, 1, 1, 1)"
    await at.store.ratings._database.execute(sql, CHEAT, PLACEMENT_MATCHES - 1)
    assert warning == await forfeit_warning(at.store, table, CHEAT), "the player sees no rating yet"
    await at.store.ratings._database.execute("UPDATE ratings SET matches = ?", PLACEMENT_MATCHES)
    about = str(await forfeit_warning(at.store, table, CHEAT))
    (cost,) = [int(word) for word in about.split() if word.isdecimal()]
    assert cost % 10 == 0
    await at.seats.resign(table, CHEAT)
    await at.moves.resume(table)
    while table.row.status is Status.RUNNING:
        await act(at, table)
    change = -30 * (await at.result(table, ())).changes[CHEAT]
    assert cost == pytest.approx(change, abs=10)
    unrated = await begin(at, rated=False)
    assert await forfeit_warning(at.store, unrated, CHEAT) is None
