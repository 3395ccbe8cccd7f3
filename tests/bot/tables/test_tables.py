"""Tables: read from the store as they are, damaged or not; played by people and computers; never two of one match."""

from __future__ import annotations

import asyncio
import gc
import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from operator import methodcaller
from random import Random
from typing import Any

import pytest

from bot import metrics
from bot.clock import Clock
from bot.errors import AlreadyHandled, UserError
from bot.store.log import Act
from bot.store.matches import SeatHolder, Status
from bot.store.opening import open_database
from bot.store.store import Store
from bot.store.undo_requests import UndoRequest
from bot.tables import lobbies as lobbies_module
from bot.tables import moves as moves_module
from bot.tables import tables as tables_module
from bot.tables.lobbies import Lobbies
from bot.tables.moves import Continuation, Moves
from bot.tables.seats import Seats
from bot.tables.table import Stale, Table
from bot.tables.tables import Tables
from engine.core import Action, Decision
from engine.games import discover
from engine.notation import format_action
from engine.players import Player
from engine.texts import Seat, Text
from tests.bot.walks import set_row
from tests.engine.toys import TOYS

HOST, GUEST, THIRD = 70, 71, 72
NOW = Clock().now()
CHANNEL = 5
NOW = datetime(2026, 11, 22, tzinfo=UTC)


@dataclass
class App:
    """A store with tables on it; `again` is what a new process finds there."""

    path: str
    store: Store
    tables: Tables

    @property
    def lobbies(self) -> Lobbies:
        return Lobbies(self.store, self.tables, Clock())

    @property
    def moves(self) -> Moves:
        return Moves(self.store, self.tables, Clock())

    @property
    def seats(self) -> Seats:
        return Seats(self.store, self.tables, Clock(), "uniform")

    def again(self) -> Tables:
        self.tables = Tables(self.store)
        return self.tables

    def spoil(self, statement: str) -> None:
        """Change the file behind everybody's back."""
        with closing(sqlite3.connect(self.path)) as database, database:
            database.execute(statement)

    async def lobby(self, game: str, *others: SeatHolder, channel_id: int = CHANNEL, **options: Any) -> Table:
        """A table with the host and others at it."""
        host, *guests = (replace(holder, interaction_id=holder.user_id or 0) for holder in (SeatHolder(HOST), *others))
        table = await self.lobbies.open(game, guild_id=1, channel_id=channel_id, host=host)
        await self.lobbies.change_holders(table, lambda holders: [*holders, *guests])
        for name, value in options.items():
            await self.lobbies.set_option(table, name, value)
        return table

    async def ready(self, game: str, *others: SeatHolder, **options: Any) -> Table:
        """A table where all people are ready."""
        table = await self.lobby(game, *others, **options)
        for user in table.people:
            await self.lobbies.note_ready(table, user, asked=False)
        return table

    async def game(self, game: str, *others: SeatHolder, **options: Any) -> Table:
        """A game that has just begun."""
        table = await self.ready(game, *others, **options)
        await self.moves.start(table, 1)
        return table

    async def play(self, table: Table, action: Action | None = None, *, interaction_id: int, user: int = 0) -> bool:
        """The due person does the first thing possible, or something else."""
        decision = table.match.state.decisions()[0]
        user = user or table.row.holders[decision.seat].user_id
        action = action or decision.options[0]
        return await self.moves.play(table, user, action, interaction_id=interaction_id, version=None)


@pytest.fixture
async def app(folder, monkeypatch):
    games = {**discover(), **TOYS}
    for module in (tables_module, lobbies_module):
        monkeypatch.setattr(module, "discover", lambda: games)
    path = f"{folder}/caravanserai.db"
    async with open_database(f"sqlite:///{path}") as database:
        store = Store(database)
        yield App(path, store, Tables(store))


# --- a change ---


async def test_a_change_refused_in_its_transaction_leaves_the_table_unchanged(app):
    table = await app.game("toll", SeatHolder(GUEST))
    before, match, results = table.facts, table.match, list[Table]()
    app.tables.watch(results.append)

    async def refuse() -> None:
        raise UserError(Text("No."))

    async def hand_over() -> None:
        async with app.tables.changing(table) as change:
            change.facts = before.hand_over(Seat(0), SeatHolder(computer="uniform"), match.version, NOW)
            change.match = match.copy()
            change.checks.append(refuse)

    with pytest.raises(UserError):
        await hand_over()
    assert (before, match, []) == (table.facts, table.match, results)
    assert before == await app.store.facts.find(table.id)


async def test_watchers_are_notified_only_of_moves_and_changes_of_players_or_status(app):
    table, heard = await app.game("toll", SeatHolder(GUEST)), list[Table]()
    app.tables.watch(heard.append)
    for how, is_heard in (
        (methodcaller("follow", 9, follows=True), False),
        (methodcaller("with_holder", Seat(0), seen=1), False),
        (methodcaller("hand_over", Seat(0), SeatHolder(computer="uniform"), 1, NOW), True),
        (methodcaller("close", Status.ENDED, NOW), True),
    ):
        heard.clear()
        async with app.tables.changing(table) as change:
            change.facts = how(table.facts)
        assert is_heard == bool(heard), how


async def test_the_metric_counts_actions_with_their_luck_but_none_that_a_game_begins_with(app):
    before = metrics.total(metrics.MOVES)
    people = SeatHolder(GUEST), SeatHolder(THIRD)
    first = await app.game("muscat", *people)
    await app.moves.start(await app.ready("muscat", *people, channel_id=CHANNEL + 1), 2, first.match.entries)
    assert (4, before) == (first.match.version, metrics.total(metrics.MOVES)), "the deal, and its copy"
    walk = await app.game("toll", SeatHolder(GUEST), channel_id=CHANNEL + 2)
    begun = walk.match.version
    await app.play(walk, interaction_id=3)
    assert walk.match.version - begun == metrics.total(metrics.MOVES) - before > 1


# --- what a restart finds ---


@pytest.mark.parametrize("spec", discover().values(), ids=lambda spec: spec.slug)
async def test_a_newly_started_game_survives_a_restart(app, spec):
    people = [SeatHolder(user) for user in range(GUEST, GUEST + spec.seats[0] - 1)]
    before = await app.game(spec.slug, *people)
    loaded = await app.again().at(CHANNEL)
    assert loaded is not before
    assert (before.match.state, before.match.entries) == (loaded.match.state, loaded.match.entries)
    assert Status.RUNNING is loaded.row.status
    assert before.waiting == loaded.waiting is not None
    await app.play(loaded, interaction_id=1)


async def test_a_running_game_without_entries_is_not_a_lobby(app):
    table = await app.lobby("jinns", SeatHolder(GUEST))
    await app.lobbies.set_options(table, {})
    await app.moves.start(table, 1)
    assert [] == table.match.entries
    reloaded = await app.again().at(CHANNEL)
    with pytest.raises(UserError, match="already begun"):
        await app.moves.start(reloaded, 1)


async def test_a_lobby_from_before_an_upgrade_starts_and_survives_a_restart(app):
    await app.lobby("jinns", SeatHolder(GUEST))
    app.spoil("UPDATE matches SET rules_version = 0")
    await app.moves.start(await app.again().at(CHANNEL), 1)
    reloaded = await app.again().at(CHANNEL)
    assert reloaded.problem is None
    await app.play(reloaded, interaction_id=1)


async def test_a_lobby_drops_options_removed_by_an_upgrade(app):
    await app.lobby("jinns", SeatHolder(GUEST), setup="random")
    app.spoil("""UPDATE matches SET options = '{"setup": "random", "repetition_limit": 9, "gravity": true}'""")
    reloaded = await app.again().at(CHANNEL)
    assert {"setup": "random"} == reloaded.row.options
    await app.moves.start(reloaded, 1)
    assert "random" == reloaded.match.setup.options.setup


async def test_a_lobby_keeps_an_option_that_only_a_full_table_can_use(app):
    guests = [SeatHolder(GUEST + n) for n in range(3)]
    await app.lobby("muscat", *guests, start_player=3)
    assert 3 == (await app.again().at(CHANNEL)).row.options.get("start_player")


async def test_two_options_chosen_at_once_are_both_kept(app):
    table = await app.lobby("jinns", SeatHolder(GUEST))
    options = {"setup": "placement", "edition": "later"}
    async with table.lock:
        both = [asyncio.create_task(app.lobbies.set_option(table, name, value)) for name, value in options.items()]
        await asyncio.sleep(0)  # both have begun, and wait
    await asyncio.gather(*both)
    assert options.items() <= table.row.options.items()


DAMAGES = {
    "an unknown game": ("UPDATE matches SET game = 'chess'", "chess"),
    "options that cannot be read": ("UPDATE matches SET options = '{'", "damaged"),
    "options of no game": ("""UPDATE matches SET options = '{"a": 1}'""", "can no longer be read"),
    "an unknown status": ("UPDATE matches SET status = 'asleep'", "damaged"),
    "older rules": ("UPDATE matches SET rules_version = 0", "began under older"),
    "a gap in the log": ("DELETE FROM entries WHERE n = 1", "can no longer be read"),
    "a log of nonsense": ("UPDATE entries SET notation = 'x' WHERE n = 1", "can no longer be read"),
    "a lost chair": ("DELETE FROM seat_history WHERE seat > 0", "can no longer be read"),
    "a board that cannot be read": ("INSERT INTO boards VALUES (1, 0, 1, '{')", "can no longer be read"),
}


@pytest.mark.parametrize("damage", DAMAGES)
async def test_a_damaged_match_is_reported_and_can_be_closed(app, damage):
    statement, sentence = DAMAGES[damage]
    await app.game("muscat", SeatHolder(GUEST), SeatHolder(THIRD))
    app.spoil(statement)
    reloaded = await app.again().at(CHANNEL)
    for look in (reloaded.require_match, reloaded.viewable_match):
        with pytest.raises(UserError, match=sentence) as caught:
            look()
        assert "/table end" in str(caught.value)
    await app.moves.resume(reloaded)
    await app.seats.end(reloaded, by=HOST, at=NOW)
    assert await app.lobby("jinns") is not reloaded


TAMPERED = {
    "alibaba": ("deal", "9"),  # a card in no hand
    "gangs": ("deal", "x"),
    "muses": ("deal", "clio,clio"),
    "sealed": ("bid", "9"),
}
"""A game -> a verb of its log, and the damage to its values."""


@pytest.mark.parametrize("game", TAMPERED)
async def test_a_damaged_log_does_not_leak_secrets_into_log_messages(app, game, caplog):
    verb, wrong = TAMPERED[game]
    spec = {**discover(), **TOYS}[game]
    table = await app.game(game, *(SeatHolder(user) for user in range(GUEST, GUEST + spec.seats[0] - 1)))
    if not table.match.entries:
        await app.play(table, interaction_id=1)
    n, entry = next((n, e) for n, e in enumerate(table.match.entries) if e.notation.startswith(verb))
    secret = f"{wrong},{entry.notation.removeprefix(f'{verb} ')}"
    app.spoil(f"UPDATE entries SET notation = '{verb} {secret}' WHERE n = {n}")
    assert (await app.again().at(CHANNEL)).problem
    (lines,) = [caplog.handler.format(record) for record in caplog.records]
    assert f"Entry {n}, “{verb}”" in lines
    assert secret not in lines
    assert not re.search(rf"\b({'|'.join(value for value in secret.split(',') if len(value) > 2) or secret})\b", lines)
    assert "match.py" in lines, "where in the program it was found out"


async def test_the_error_message_of_a_failed_replay_is_not_logged(app, monkeypatch, caplog):
    def replay(*_, **__):
        raise ValueError("the hand of Ben")

    await app.game("muscat", SeatHolder(GUEST), SeatHolder(THIRD))
    monkeypatch.setattr(tables_module.Match, "replay", replay)
    assert (await app.again().at(CHANNEL)).problem
    logged = "".join(map(caplog.handler.format, caplog.records))
    assert "ValueError" in logged
    assert "of Ben" not in logged.replace('raise ValueError("the hand of Ben")', "")


async def test_a_table_of_an_unknown_game_reports_its_problem_for_every_property(app):
    await app.lobby("jinns")
    app.spoil("UPDATE matches SET game = 'chess'")
    reloaded = await app.again().at(CHANNEL)
    assert "chess" == str(reloaded.title)
    with pytest.raises(UserError, match="chess"):
        _ = reloaded.spec


# --- finding and forgetting ---


async def test_a_match_has_a_single_table_while_any_reference_exists(app):
    app.tables = Tables(app.store, recent=1)
    table = await app.lobby("jinns")
    await app.lobby("jinns", channel_id=CHANNEL + 1)
    assert table is await app.tables.find(table.id)
    assert table is await app.tables.at(CHANNEL)


async def test_unused_tables_are_evicted_and_reloaded_on_demand(app):
    app.tables = Tables(app.store, recent=3)
    for channel_id in range(10):
        await app.lobby("jinns", channel_id=channel_id)
        await app.tables.at(channel_id)
    gc.collect()
    assert (3, 3, 3) == (len(app.tables._recent), len(app.tables._known), len(app.tables._open))
    assert 0 == (await app.tables.at(0)).row.channel_id


async def test_a_finished_game_can_be_viewed_in_its_channel_until_the_next_one(app):
    with pytest.raises(UserError, match="There’s no game"):
        await app.tables.shown_at(CHANNEL)
    first = await app.game("jinns", SeatHolder(GUEST))
    await app.seats.end(first, by=HOST, at=NOW)
    for tables in (app.tables, app.again()):
        reloaded = await tables.shown_at(CHANNEL)
        assert first.match.state == reloaded.viewable_match().state
        assert "called off" in str(reloaded.due_sentence())
        with pytest.raises(UserError, match="called off"):
            reloaded.require_match()
    second = await app.lobby("jinns")
    assert second is await app.tables.shown_at(CHANNEL)
    await app.seats.end(second, by=HOST, at=NOW)
    assert first.id == (await app.tables.shown_at(CHANNEL)).id


# --- questions with and without auto-answers ---


async def test_computer_turns_and_forced_public_answers_are_played_automatically(app):
    table = await app.game("muscat", SeatHolder(computer="uniform"), SeatHolder(computer="uniform"))
    await app.play(table, interaction_id=1)
    decisions = table.match.state.decisions()
    assert [Seat(0)] == [decision.seat for decision in decisions]
    assert not decisions[0].forced


@pytest.mark.parametrize(
    ("private", "forced", "computer", "asked"),
    [
        (False, True, False, False),
        (True, True, False, True),
        (True, False, False, True),
        (False, False, False, True),
        (True, True, True, False),
        (False, False, True, False),
    ],
)
async def test_a_private_decision_is_asked_even_with_one_option(app, private, forced, computer, asked):
    table = await app.game("sealed", SeatHolder(GUEST))
    options = table.match.state.decisions()[0].options[: 1 if forced else 2]
    decision = Decision(Seat(0), "?", options, private)
    set_row(table, holders=(SeatHolder(computer="uniform") if computer else SeatHolder(HOST), SeatHolder(GUEST)))
    match = _Due(decision)
    assert asked == (moves_module._answered_at_once(table, Continuation(match)) is None)


class _Due:
    """A match in which one decision is due, and then none."""

    def __init__(self, decision: Decision) -> None:
        self.state = self
        self.played: list[tuple[Seat, Action]] = []
        self.viewer = decision.seat
        self._decision = decision

    def decisions(self) -> tuple[Decision, ...]:
        return () if self.played else (self._decision,)

    def copy(self) -> _Due:
        return self

    def play(self, seat: Seat, action: Action) -> None:
        self.played.append((seat, action))

    def view(self, _viewer: Seat) -> Any:
        return self

    def decision_of(self, _seat: Seat) -> Decision:
        return self._decision


@pytest.mark.parametrize(("private", "heard_of"), [(True, True), (False, False)])
async def test_computer_moves_with_one_private_option_are_announced_like_others(app, private, heard_of):
    """Whether a board is posted must not depend on how long a private list is."""
    table = await app.game("sealed", SeatHolder(computer="uniform"))
    bid = table.match.state.decisions()[0].options[:1]
    match = _Due(Decision(Seat(1), "?", bid, private))
    assert heard_of == await app.moves.go_on(table, Continuation(match))
    assert [(1, bid[0])] == match.played


async def test_a_computer_sees_only_its_seats_view_and_no_future_luck(app, monkeypatch):
    seen: list[Any] = []
    states: list[Any] = []

    def player(view, rng):
        seen.append(view)
        states.append(rng.getstate())
        return view.decision_of(view.viewer).options[0]

    monkeypatch.setattr(
        moves_module, "discover_players", lambda: {"uniform": Player("Somebody", player, for_people=False)}
    )
    table = await app.game("sealed", SeatHolder(computer="uniform"), SeatHolder(computer="uniform"))
    assert {Seat(1), Seat(2)} == {view.viewer for view in seen}
    assert [table.match.spec.start(table.match.setup).observe(Seat(1))] == [seen[0].state]
    assert Random(table.row.seed).getstate() not in states
    assert len(states) == len(set(states)) > 1


# --- once and only once ---


async def test_an_interaction_acts_once_even_after_a_restart(app):
    table = await app.game("jinns", SeatHolder(GUEST))
    await app.play(table, interaction_id=1)
    for reloaded in (table, await app.again().at(CHANNEL)):
        before = reloaded.match.entries.copy()
        with pytest.raises(AlreadyHandled):
            await app.play(reloaded, interaction_id=1)
        assert before == reloaded.match.entries


async def test_after_losing_a_race_to_another_process_a_table_continues_from_its_state(app):
    table = await app.game("jinns", SeatHolder(GUEST))
    other = await Tables(app.store).at(CHANNEL)
    await app.play(table, interaction_id=1)
    with pytest.raises(Stale):
        await app.play(other, other.match.state.decisions()[0].options[-1], interaction_id=2)
    assert table.match.entries == other.match.entries
    await app.play(other, interaction_id=3)
    # facts have no entry that another process could have written first
    with pytest.raises(Stale):
        async with app.tables.changing(table) as change:
            change.facts = table.facts.request_undo(UndoRequest(Seat(0), table.match.version))
    assert (None, other.match.entries) == (table.facts.undo_request, table.match.entries)


async def test_a_table_of_whose_last_change_nothing_is_known_is_read_again_before_anybody_sees_it(app):
    table = await app.game("jinns", SeatHolder(GUEST))
    elsewhere = await Tables(app.store).at(CHANNEL)
    await app.play(elsewhere, interaction_id=1)
    assert elsewhere.match.version > (await app.tables.find(table.id)).match.version
    table.lock.in_doubt = True
    assert elsewhere.match.version == (await app.tables.find(table.id)).match.version


MINUTE = 60_000 << 22


@pytest.mark.parametrize(("later", "unanswered"), [(1, True), (9 * MINUTE, True), (11 * MINUTE, False)])
async def test_an_unanswered_action_is_recognized_for_a_while(app, later, unanswered):
    table = await app.game("jinns", SeatHolder(GUEST))
    action = table.match.state.decisions()[0].options[0]
    other = table.match.state.decisions()[0].options[1]
    await app.play(table, action, interaction_id=MINUTE)
    for reloaded in (table, await app.again().at(CHANNEL)):
        assert Act(Seat(0), MINUTE, format_action(action)) == reloaded.unanswered
        assert unanswered == reloaded.done_unanswered(Seat(0), format_action(action).upper(), MINUTE + later)
        assert not reloaded.done_unanswered(Seat(0), format_action(other), MINUTE + later)
        assert not reloaded.done_unanswered(Seat(1), format_action(action), MINUTE + later)


async def test_a_restart_preserves_a_superseded_board_with_uncertain_delivery(app):
    table = await app.game("jinns", SeatHolder(GUEST))
    first = table.waiting
    await app.play(table, interaction_id=1)
    reloaded = await app.again().at(CHANNEL)
    assert (table.waiting, True, first) == (reloaded.waiting, reloaded.in_doubt, reloaded.superseded)


async def test_a_repeated_action_is_new_after_another_player_acted(app):
    table = await app.game("jinns", SeatHolder(GUEST))
    number = 0
    while table.match.state.decisions()[0].seat == Seat(0):
        number += 1
        action = table.match.state.decisions()[0].options[0]
        await app.play(table, action, interaction_id=number)
    assert table.done_unanswered(Seat(0), format_action(action), number + 1)
    await app.play(table, interaction_id=number + 1)
    assert not table.done_unanswered(Seat(0), format_action(action), number + 2)


async def test_only_the_answered_action_is_marked_as_answered(app):
    table = await app.game("jinns", SeatHolder(GUEST))
    await app.play(table, interaction_id=1)
    await app.play(table, interaction_id=2)
    table.note_answer(1)
    assert 2 == table.unanswered.interaction_id
    table.note_answer(2)
    assert table.unanswered is None


async def test_every_match_has_a_secret_of_its_own(app):
    seeds = {(await app.lobby("jinns", channel_id=channel)).row.secret for channel in range(5)}
    assert 5 == len(seeds)
    assert min(map(len, seeds)) >= 32


async def test_a_game_cannot_start_until_every_user_in_a_ready_check_is_ready(app: App) -> None:
    table = await app.lobbies.open("muscat", guild_id=1, channel_id=CHANNEL, host=SeatHolder(HOST), ready_check=True)
    await app.lobbies.change_holders(
        table, lambda holders: [*holders, SeatHolder(GUEST), SeatHolder(computer="uniform")]
    )
    await app.lobbies.note_ready(table, HOST, asked=False)
    with pytest.raises(UserError, match="Somebody is no longer ready"):
        await app.moves.start(table, 1)
    await app.lobbies.note_ready(table, GUEST, asked=True)
    await app.moves.start(table, 1)
    assert Status.RUNNING is table.row.status
