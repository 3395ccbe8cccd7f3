"""The facts of a match: always equal in memory and in the database; and the meaning of each change."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest

from bot.store.auto_answers import AutoAnswer
from bot.store.boards import Board, PendingBoard
from bot.store.clocks import SeatClock, Verdict
from bot.store.codec import time_of
from bot.store.columns import users_in
from bot.store.database import Conflict, StatementFailed
from bot.store.drafts import Draft
from bot.store.fact_store import needs_version
from bot.store.facts import LOBBY_EDIT_DELAY, Facts
from bot.store.jobs import Drop, Extend, Job, JobKind, MakeDue, MakeLeagueDue, Put, ReplaceAll, board_job
from bot.store.join_requests import JoinRequest
from bot.store.log import NewEntries
from bot.store.matches import Admission, MatchRow, PastHolder, Results, SeatHolder, Status, Unrating
from bot.store.planned_turns import PlannedTurn
from bot.store.predictions import Prediction
from bot.store.store import Store
from bot.store.table_events import TableEvent, TableEventKind
from bot.store.tally import NO_OWNERS
from bot.store.undo_requests import UndoRequest
from engine.core import Outcome
from engine.match import Entry
from engine.proof import Proof
from engine.texts import Seat
from tests.bot.matches import AT, begin, change, facts_of, open_match

HOUR = timedelta(hours=1)
CLOCK = SeatClock(1, Seat(0), 7, 3, HOUR, HOUR, AT, AT + HOUR, at=AT + HOUR, preferences={"zone": "UTC"})
FAIR = SeatHolder(computer="fair")

Change = Callable[[Facts, Random], Facts]


def seat(rng: Random) -> Seat:
    return Seat(rng.randrange(3))


def clock(facts: Facts, rng: Random) -> SeatClock:
    votes, late = {8: "wait", 9: "play"} if rng.random() < 0.5 else {}, rng.choice([None, AT])
    return replace(
        CLOCK, match_id=facts.id, seat=seat(rng), at=rng.choice([None, AT]), out=late, votes=votes, vote_ends=late,
        barred=rng.random() < 0.5, verdict=rng.choice([*Verdict]), stand_in=rng.choice(["", "greedy"]),
        spent=timedelta(seconds=rng.random()),
    )  # fmt: skip


def handed_over(facts: Facts, rng: Random) -> Facts:
    holder = rng.choice([FAIR, SeatHolder(rng.randrange(20), name="Ñandú 🎲", interaction_id=5)])
    version = max((past.until for past in facts.row.past_holders), default=0) + rng.randrange(2)
    return facts.hand_over(seat(rng), holder, version, AT, knowers=["ab", "cd"], clock=clock(facts, rng))


def prediction(rng: Random) -> Prediction:
    return Prediction(seat(rng), rng.randrange(9), AT, "Ñandú 🎲")


def expiry(facts: Facts) -> Job:
    state = {"since": time_of(facts.touched or AT), "warned": None}
    return Job(JobKind.LOBBY_EXPIRY, AT, facts.id, state=state)


PLANNED = PlannedTurn(("step clio e", "done"), ("Seat 1 steps east.", "Points: 0, 0"), ("done",), ("Points: 0, 0",))

CHANGES: Mapping[str, Change] = {
    "columns": lambda facts, rng: facts.gather(
        AT + HOUR * rng.random(), options={"hands": rng.choice([1, True, "x", None])}, pace="daily", when_full=True,
        ready=rng.choice([None, frozenset({7, 8})]), admits=rng.choice([*Admission]), parent_id=5, own_thread=True,
    ),
    "opened": lambda facts, rng: facts.open([SeatHolder(rng.randrange(9)), FAIR, FAIR], AT),
    "extended": lambda facts, rng: facts.set_start(None if facts.row.starts_at else AT, AT).extend(
        expiry(facts), HOUR, AT
    ),
    "seats": lambda facts, rng: facts.set_holders([FAIR, SeatHolder(7, name="A"), SeatHolder(rng.randrange(6))], AT),
    "host": lambda facts, rng: facts.set_host(rng.randrange(9)).set_lobby_message(rng.randrange(9)),
    "hints": lambda facts, rng: replace(facts, hints=rng.random() < 0.5),
    "invited": lambda facts, rng: facts.invite([rng.randrange(9), 9], AT + HOUR * rng.random()),
    "not invited": lambda facts, rng: facts.uninvite([rng.randrange(9)]),
    "asks": lambda facts, rng: facts.add_request(JoinRequest(rng.randrange(9), "Eva", 99, 12, declined=True)),
    "asks no more": lambda facts, rng: facts.drop_request(rng.randrange(9)),
    "looked": lambda facts, rng: facts.with_holder(seat(rng), seen=rng.randrange(9)),
    "cast": lambda facts, rng: facts.cast(seat(rng), SeatHolder(computer="easy"), 40),
    "handed over": handed_over,
    "offered": lambda facts, rng: facts.put_on_offer([seat(rng), Seat(2)], rng.choice([None, 5])),
    "followed": lambda facts, rng: facts.follow(rng.randrange(9), follows=rng.random() < 0.7),
    "draft": lambda facts, rng: facts.keep_draft(seat(rng), rng.choice([None, Draft(3, ("step clio e", "done"))])),
    "answer": lambda facts, rng: facts.set_auto_answer(seat(rng), rng.choice("ab"), rng.choice([None, *AutoAnswer])),
    "plan": lambda facts, rng: facts.set_plan(
        seat(rng), rng.choice([{}, {2: PLANNED}, {2: PLANNED, 4: PlannedTurn(("done",), ())}])
    ),
    "undo": lambda facts, rng: facts.request_undo(
        rng.choice([None, UndoRequest(seat(rng), 3, frozenset({seat(rng), Seat(2)}), 8)])
    ),
    "moved": lambda facts, rng: facts.move_on(seat(rng), facts.clocks.keys() & {seat(rng)}, AT),
    "predicted": lambda facts, rng: facts.predict(rng.randrange(9), rng.choice([None, prediction(rng)])),
    "event": lambda facts, rng: facts.note(
        TableEvent(rng.choice([*TableEventKind]), 3, AT, rng.choice([None, Seat(1)]), 7, "“so”", rng.random() < 0.5)
    ),
    "unrated": lambda facts, rng: facts.unrate(Unrating()),
    "board": lambda facts, rng: facts.expect_board(f"{rng.randrange(9)}-ab", AT, rng.choice([None, "1-cd"])),
    "posted": lambda facts, rng: facts.note_posted(
        facts.pending.mark if facts.pending else "x", Board(1, rng.randrange(9), {"story": "ä", "due": [0]}), ()
    ),
    "retired": lambda facts, rng: facts.set_board(None),
    "computer": lambda facts, rng: facts.with_computer(AT, due=rng.random() < 0.5),
    "clocks": lambda facts, rng: facts.with_clocks([clock(facts, rng)]),
    "pace": lambda facts, rng: facts.set_pace("slow", firm=rng.random() < 0.5),
    "unstuck": lambda facts, rng: facts.unstick(),
    "begun": lambda facts, rng: facts.begin(2, "seed", Proof("secret", (1, 2)), AT),
    "closed": lambda facts, rng: facts.close(rng.choice([Status.ENDED, Status.CLOSED]), AT),
}  # fmt: skip
"""Changes of facts by name, all that there are, with chance for the details."""


def comparable(facts: Facts) -> Facts:
    """Facts without the times of jobs, which the worker changes, too."""
    clocks = {seat: replace(value, at=None) for seat, value in facts.clocks.items()}
    return replace(facts, clocks=clocks)


@pytest.mark.parametrize("n", range(4))
async def test_facts_in_memory_equal_the_stored_ones_after_any_change(store: Store, n: int) -> None:
    rng = Random(f"facts {n}")
    match_id, other_id = [await open_match(store, SeatHolder(7), FAIR, SeatHolder(8), channel_id=n) for n in (1, 2)]
    facts, other = await facts_of(store, match_id), await facts_of(store, other_id)
    for name in sorted(CHANGES.keys() - {"unstuck", "begun", "closed"}):
        other = await store.write(other, CHANGES[name](other, rng), 0)
    for _ in range(60):
        name = rng.choice([*CHANGES])
        facts = await store.write(facts, CHANGES[name](facts, rng), 0)
        assert comparable(facts) == comparable(await facts_of(store, match_id)), name
    assert comparable(other) == comparable(await facts_of(store, other_id)), "another match stays as it is"


def test_every_change_of_facts_has_a_test_case() -> None:
    named = " ".join(str(value.__code__.co_names) for value in CHANGES.values())
    public = [name for name, member in vars(Facts).items() if callable(member) and not name.startswith("_")]
    # the first one needs results, and is tested with ratings; the others are called by all of them
    elsewhere = ("end", "with_jobs", "with_lines")
    assert [] == [name for name in public if f"'{name}'" not in named and name not in elsewhere]


async def test_a_change_of_one_part_writes_nothing_else(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    match_id, wrote = await open_match(store, SeatHolder(7), SeatHolder(8)), list[str]()
    await begin(store, match_id)
    facts = await facts_of(store, match_id)
    database = store.facts._database
    for name in ("execute", "execute_many"):
        monkeypatch.setattr(database, name, noting(wrote, getattr(database, name)))
    facts = await store.write(facts, facts.keep_draft(Seat(0), Draft(1, ("done",))), 0)
    assert ["INSERT INTO drafts"] == wrote
    wrote.clear()
    # a whole move, with its draft and its board: no more than before there were facts
    moved = facts.move_on(Seat(0), (), AT).expect_board("1-ab", AT)
    await store.write(facts, moved, 0, NewEntries(0, [Entry(Seat(0), "draw")], AT, 5))
    assert ["INSERT INTO entries", "DELETE FROM drafts", "INSERT INTO jobs"] == wrote


def noting(wrote: list[str], execute: Any) -> Any:
    async def noted(sql: str, *parameters: Any) -> Any:
        # no statement is carried out for no rows
        if not (len(parameters) == 1 and parameters[0] == []):
            wrote.append(" ".join(sql.split()[:3]))
        return await execute(sql, *parameters)

    return noted


async def test_a_change_that_partly_fails_writes_nothing(store: Store) -> None:
    match_id = await open_match(store, SeatHolder(7), SeatHolder(8))
    before = await facts_of(store, match_id)

    async def refuse() -> None:
        raise LookupError

    with pytest.raises(LookupError):
        await store.write(before, before.follow(9, follows=True), 0, checks=[refuse])
    broken = replace(before.follow(9, follows=True).set_host(1), drafts={Seat(0): Draft(None, ())})  # type: ignore[arg-type]
    with pytest.raises((Conflict, StatementFailed)):
        await store.write(before, broken, 0)
    assert before == await facts_of(store, match_id)


def test_only_a_change_of_drafts_may_be_written_at_a_later_version() -> None:
    draft = RUNNING.keep_draft(Seat(0), Draft(3, ()))
    assert [False, False, True, True] == [
        needs_version(RUNNING, after)
        for after in (RUNNING, draft, draft.follow(9, follows=True), RUNNING.with_jobs(Drop(START)))
    ]


async def test_facts_of_an_outdated_position_are_not_written(store: Store) -> None:
    match_id = await open_match(store, SeatHolder(7), SeatHolder(8))
    mine = theirs = await facts_of(store, match_id)
    await store.write(theirs, theirs, 0, NewEntries(0, [Entry(Seat(0), "draw")], AT))
    with pytest.raises(Conflict):
        await store.write(mine, mine.follow(9, follows=True), 0)
    draft = Draft(1, ("draw",))
    await store.write(mine, mine.keep_draft(Seat(0), draft), 0)
    stored = await facts_of(store, match_id)
    assert (frozenset(), {Seat(0): draft}) == (stored.followers, stored.drafts), "a draft names its own position"


async def test_a_damaged_draft_is_dropped_alone_and_other_damage_is_reported(store: Store) -> None:
    match_id, database = await open_match(store), store.facts._database
    draft = Draft(1, ("done",))
    await change(store, match_id, lambda facts: facts.keep_draft(Seat(0), draft).keep_draft(Seat(1), draft))
    await database.execute("UPDATE drafts SET notations = '[7]' WHERE seat = 1")
    assert ({Seat(0): draft}, "") == ((facts := await facts_of(store, match_id)).drafts, facts.damage)
    await change(store, match_id, lambda facts: facts.request_undo(UndoRequest(Seat(0), 1)))
    await database.execute("UPDATE undo_requests SET agreed = '{'")
    assert "undo_request" in (await facts_of(store, match_id)).damage


# --- what a change means ---

ROW = MatchRow(
    id=3,
    guild_id=9,
    channel_id=1,
    host_id=7,
    game="muscat",
    rules_version=1,
    options={},
    seed="s",
    status=Status.RUNNING,
    lobby_message_id=None,
    holders=(SeatHolder(7), SeatHolder(8)),
)


LOBBY = Facts(replace(ROW, status=Status.LOBBY), touched=AT)
RUNNING = Facts(ROW)
DAN = JoinRequest(9, "Dan", 5)
DAN_GUESSES, EVA_GUESSES = (Prediction(Seat(0), 2, AT, name) for name in ("Dan", "Eva"))
UNDO = UndoRequest(Seat(0), 3)
EVENT = TableEvent(TableEventKind.CONCEDED, 3, AT, Seat(0), 7)
LATER = AT + HOUR


def expires(at: datetime) -> Put:
    """The job that closes a lobby without changes since a time."""
    return Put(Job(JobKind.LOBBY_EXPIRY, at, 3, state={"since": time_of(at), "warned": None}))


START = (JobKind.START, 3, 0, -1)
THREAD = Facts(replace(LOBBY.row, own_thread=True, starts_at=LATER))
NO_LOBBY = (Drop((JobKind.LOBBY_EXPIRY, 3, 0, -1)), Put(Job(JobKind.LOBBY_MESSAGE, AT + LOBBY_EDIT_DELAY, 3)))
FINISHED = (ReplaceAll(JobKind.NEXT_NOTICE), MakeDue(JobKind.THREAD_ARCHIVE, AT), MakeLeagueDue(AT))
CALLED_OFF = (
    Drop((JobKind.BOARD, 3, 0, -1)),
    Put(Job(JobKind.RETIRE, AT, 3)),
    ReplaceAll(JobKind.REMINDER),
    ReplaceAll(JobKind.ANSWER),
)

EFFECTS: list[tuple[Facts, Callable[[Facts], Facts], dict[str, Any]]] = [
    (LOBBY, lambda facts: facts.with_lines(Job(JobKind.MODERATION_LOG, AT)), {
        "jobs": (Extend(Job(JobKind.MODERATION_LOG, AT)),),
    }),
    (LOBBY, lambda facts: facts.note(EVENT).note(EVENT), {"events": (EVENT, EVENT)}),
    (replace(LOBBY, touched=None), lambda facts: facts.open([FAIR], AT), {
        "holders": (FAIR,), "touched": AT, "jobs": (expires(AT),),
    }),
    (THREAD, lambda facts: facts.open([FAIR], AT), {
        "holders": (FAIR,), "touched": AT,
        "jobs": (expires(AT), Put(Job(JobKind.THREAD_ARCHIVE, AT, 3)), Put(Job(JobKind.START, LATER, 3))),
    }),
    (LOBBY, lambda facts: facts.set_host(8), {"host_id": 8}),
    (LOBBY, lambda facts: facts.set_lobby_message(5), {"lobby_message_id": 5}),
    (LOBBY, lambda facts: facts.gather(LATER, pace="slow"), {
        "pace": "slow", "touched": LATER, "jobs": (expires(LATER),),
    }),
    (LOBBY, lambda facts: facts.set_start(LATER + HOUR, LATER), {
        "starts_at": LATER + HOUR, "touched": LATER, "jobs": (expires(LATER), Put(Job(JobKind.START, LATER + HOUR, 3))),
    }),
    (THREAD, lambda facts: facts.set_start(None, AT), {
        "starts_at": None, "touched": AT, "jobs": (expires(AT), Drop(START)),
    }),
    (LOBBY, lambda facts: facts.invite([8, 9], AT).invite([9], LATER), {"invited": {8: AT, 9: LATER}}),
    (LOBBY, lambda facts: facts.add_request(DAN).add_request(replace(DAN, user_id=8)).drop_request(9), {
        "join_requests": {8: replace(DAN, user_id=8)},
    }),
    (LOBBY, lambda facts: facts.begin(2, "seed", Proof("secret", (1, 2), 5), AT), {
        "status": Status.RUNNING, "rules_version": 2, "seed": "seed", "secret": "secret", "ids": (1, 2),
        "proof_version": 5, "touched": None, "jobs": NO_LOBBY,
    }),
    (RUNNING, lambda facts: facts.with_holder(Seat(1), seen=5), {"holders": (SeatHolder(7), SeatHolder(8, seen=5))}),
    (RUNNING, lambda facts: facts.cast(Seat(1), FAIR, 12), {
        "holders": (SeatHolder(7), FAIR), "past_holders": (PastHolder(Seat(1), SeatHolder(8), 12),),
    }),
    (RUNNING, lambda facts: facts.hand_over(Seat(1), FAIR, 12, AT, clock=replace(CLOCK, seat=Seat(1))), {
        "holders": (SeatHolder(7), FAIR), "past_holders": (PastHolder(Seat(1), SeatHolder(8), 12),), "goes_on": True,
        "clocks": {Seat(1): replace(CLOCK, seat=Seat(1))},
        "jobs": (
            Drop((JobKind.ANSWER, 3, 8, -1)), Put(Job(JobKind.COMPUTER, AT, 3)),
            Put(Job(JobKind.CLOCK, AT, 3, seat=1)), Put(Job(JobKind.CLOCK, LATER, 3, seat=1)),
            MakeDue(JobKind.CLOCK, AT),
        ),
    }),
    (replace(RUNNING, offers={Seat(0): 4}), lambda facts: facts.put_on_offer([Seat(2), Seat(1)], 5), {
        "offers": {Seat(1): 5, Seat(2): 5},
    }),
    (RUNNING, lambda facts: facts.follow(9, follows=True).follow(8, follows=True), {"followers": {8, 9}}),
    (RUNNING, lambda facts: facts.predict(9, DAN_GUESSES).predict(8, DAN_GUESSES).predict(8, EVA_GUESSES), {
        "predictions": {9: DAN_GUESSES, 8: EVA_GUESSES},
    }),
    (replace(RUNNING, predictions={8: DAN_GUESSES, 9: DAN_GUESSES}), lambda facts: facts.predict(9, None), {
        "predictions": {8: DAN_GUESSES},
    }),
    (replace(RUNNING, drafts={Seat(1): Draft(1, ())}), lambda facts: facts.keep_draft(Seat(0), Draft(2, ())), {
        "drafts": {Seat(1): Draft(1, ()), Seat(0): Draft(2, ())},
    }),
    (replace(RUNNING, drafts={Seat(1): Draft(1, ())}), lambda facts: facts.keep_draft(Seat(1), None), {"drafts": {}}),
    (RUNNING, lambda facts: facts.set_auto_answer(Seat(0), "a", AutoAnswer.FIRST)
        .set_auto_answer(Seat(0), "b", AutoAnswer.DECLINE).set_auto_answer(Seat(0), "a", AutoAnswer.COMPUTER)
        .set_auto_answer(Seat(1), "a", AutoAnswer.FIRST).set_auto_answer(Seat(1), "a", None), {
        "auto_answers": {Seat(0): {"b": AutoAnswer.DECLINE, "a": AutoAnswer.COMPUTER}},
    }),
    (RUNNING, lambda facts: facts.set_plan(Seat(0), {2: PLANNED}).set_plan(Seat(1), {3: PLANNED}), {
        "plans": {Seat(0): {2: PLANNED}, Seat(1): {3: PLANNED}},
    }),
    (replace(RUNNING, plans={Seat(0): {2: PLANNED}}), lambda facts: facts.set_plan(Seat(0), {}), {"plans": {}}),
    (RUNNING, lambda facts: facts.request_undo(UNDO), {"undo_request": UNDO}),
    (RUNNING, lambda facts: facts.move_on(Seat(0), (), AT), {}),
    (replace(RUNNING, row=replace(ROW, rated=True)), lambda facts: facts.unrate(Unrating()), {"rated": False}),
    (replace(RUNNING, row=replace(ROW, rated=True)), lambda facts: facts.unrate(Unrating(EVENT)), {"events": (EVENT,)}),
    (RUNNING, lambda facts: facts.expect_board("2-ab", AT, "1-cd"), {
        "pending": PendingBoard("2-ab", "1-cd"), "jobs": (Put(board_job(3, "2-ab", AT, "1-cd")),),
    }),
    (RUNNING, lambda facts: facts.note_posted("2-ab", Board(1, 77, {}), [Job(JobKind.REMINDER, AT)]), {
        "board": Board(1, 77, {}), "jobs": (ReplaceAll(JobKind.REMINDER, (Job(JobKind.REMINDER, AT),)),),
    }),
    (replace(RUNNING, board=Board(1, 77, {})), lambda facts: facts.set_board(None), {"board": None}),
    (RUNNING, lambda facts: facts.with_computer(AT, due=True), {
        "goes_on": True, "jobs": (Put(Job(JobKind.COMPUTER, AT, 3)),),
    }),
    (replace(RUNNING, goes_on=True), lambda facts: facts.with_computer(AT, due=True), {}),
    (replace(RUNNING, goes_on=True), lambda facts: facts.with_computer(AT, due=False), {
        "goes_on": False, "jobs": (Drop((JobKind.COMPUTER, 3, 0, -1)),),
    }),
    (RUNNING, lambda facts: facts.with_clocks([CLOCK, replace(CLOCK, seat=Seat(1), at=None)]), {
        "clocks": {Seat(0): CLOCK, Seat(1): replace(CLOCK, seat=Seat(1), at=None)},
        "jobs": (Put(Job(JobKind.CLOCK, LATER, 3, seat=0)), Drop((JobKind.CLOCK, 3, 0, 1))),
    }),
    (replace(RUNNING, clocks={Seat(1): CLOCK}), lambda facts: facts.with_clocks([]), {}),
    (RUNNING, lambda facts: facts.set_pace("slow", firm=True), {"pace": "slow", "firm": True}),
    (replace(RUNNING, goes_on=True), lambda facts: facts.close(Status.ENDED, AT, Results((), NO_OWNERS)), {
        "status": Status.ENDED, "results": Results((), NO_OWNERS), "jobs": (*CALLED_OFF, *FINISHED),
    }),
    (THREAD, lambda facts: facts.close(Status.CLOSED, AT), {
        "status": Status.CLOSED, "starts_at": None, "jobs": (NO_LOBBY[0], Drop(START), NO_LOBBY[1], *FINISHED),
    }),
    (RUNNING, lambda facts: facts.end(Outcome((1.0, 0.0), (1, 1), Status.OVER), Results((), NO_OWNERS), AT), {
        "status": Status.OVER, "reason": Status.OVER, "results": Results((), NO_OWNERS),
        "jobs": (Put(Job(JobKind.STORY, AT, 3)), *FINISHED),
    }),
]  # fmt: skip
"""Facts, a change of them, and everything that it changes."""


def values_of(facts: Facts) -> dict[str, Any]:
    """The columns of the match and the other fields of facts."""
    parts = (facts.row, facts)
    return {field.name: getattr(part, field.name) for part in parts for field in dataclasses.fields(part)}


@pytest.mark.parametrize(("facts", "how", "changed"), EFFECTS)
def test_each_change_has_its_effects_and_no_others(
    facts: Facts, how: Callable[[Facts], Facts], changed: dict[str, Any]
) -> None:
    after = how(facts)
    assert values_of(facts) | changed == values_of(after) | {"row": facts.row}


def test_a_new_player_inherits_nothing_from_the_previous_one() -> None:
    draft, ways = Draft(3, ("done",)), {"begged": AutoAnswer.DECLINE}
    facts = Facts(ROW, drafts={Seat(0): draft, Seat(1): draft}, auto_answers={Seat(0): ways, Seat(1): ways})
    plans = {Seat(0): {2: PLANNED}, Seat(1): {3: PLANNED}}
    predictions = {user_id: Prediction(Seat(0), 2, AT, "Dan") for user_id in (9, 10)}
    facts = replace(facts, offers={Seat(0): 5, Seat(1): 5}, followers=frozenset({9, 10}), plans=plans)
    facts = replace(facts, predictions=predictions)
    after = facts.hand_over(Seat(1), SeatHolder(9), 12, AT, knowers=["ab"])
    assert ((SeatHolder(7), SeatHolder(9)), (PastHolder(Seat(1), SeatHolder(8), 12),)) == (
        after.row.holders,
        after.row.past_holders,
    )
    assert ({Seat(0): draft}, {Seat(0): ways}, {Seat(0): 5}) == (after.drafts, after.auto_answers, after.offers)
    assert {Seat(0): {2: PLANNED}} == after.plans
    assert ({10}, {10}, {(Seat(1), "ab")}, True) == (
        after.followers,
        after.predictions.keys(),
        after.known_seats,
        after.goes_on,
    )
    assert (
        Drop((JobKind.ANSWER, 3, 8, -1)),
        Put(Job(JobKind.COMPUTER, AT, 3)),
        Put(Job(JobKind.CLOCK, AT, 3, seat=1)),
        MakeDue(JobKind.CLOCK, AT),
    ) == after.jobs
    # no move came from the seat in between, so no trace of it remains
    assert 1 == len(after.hand_over(Seat(1), FAIR, 12, AT).row.past_holders)
    later = after.hand_over(Seat(1), FAIR, 15, AT).hand_over(Seat(1), SeatHolder(9), 15, AT)
    assert [12, 15] == [past.until for past in later.row.past_holders]


def test_each_seat_has_its_own_history_and_secrets_stay_known() -> None:
    facts = Facts(ROW, known_seats=frozenset({(Seat(0), "old")}))
    first = facts.hand_over(Seat(0), SeatHolder(9), 5, AT, knowers=["ab"])
    assert {(Seat(0), "old"), (Seat(0), "ab")} == first.known_seats
    second = first.hand_over(Seat(1), FAIR, 5, AT)
    assert [(0, 5), (1, 5)] == [(past.seat, past.until) for past in second.row.past_holders]


def test_a_game_that_begins_leaves_nothing_of_its_lobby() -> None:
    row = replace(ROW, status=Status.LOBBY, starts_at=AT, ready=frozenset({7}))
    lobby = Facts(row, join_requests={9: JoinRequest(9, "Dan", 5)}, touched=AT)
    begun = lobby.begin(1, "seed", None, AT)
    assert (None, None, {}, None) == (begun.row.ready, begun.row.starts_at, begun.join_requests, begun.touched)
    message = Put(Job(JobKind.LOBBY_MESSAGE, AT + LOBBY_EDIT_DELAY, 3))
    assert (Drop((JobKind.LOBBY_EXPIRY, 3, 0, -1)), Drop((JobKind.START, 3, 0, -1)), message) == begun.jobs


def test_a_start_time_is_planned_or_dropped_and_ends_readiness() -> None:
    facts = Facts(replace(ROW, status=Status.LOBBY, ready=frozenset({7})))
    planned = facts.set_start(AT + HOUR, AT)
    assert (None, Put(Job(JobKind.START, AT + HOUR, 3))) == (planned.row.ready, planned.jobs[-1])
    assert Drop((JobKind.START, 3, 0, -1)) == planned.set_start(None, AT).jobs[-1]
    assert facts.set_holders([FAIR], AT).row.ready is None


def test_a_lobby_that_nobody_could_join_for_a_while_expires_that_much_later() -> None:
    state = {"since": time_of(AT), "warned": time_of(AT + HOUR)}
    facts = Facts(replace(ROW, status=Status.LOBBY), touched=AT)
    for warned in (time_of(AT + HOUR), None):
        expiry = Job(JobKind.LOBBY_EXPIRY, AT, 3, state=state | {"warned": warned})
        extended = facts.extend(expiry, HOUR, AT + 2 * HOUR)
        later = {"since": time_of(AT + HOUR), "warned": warned and time_of(AT + 2 * HOUR)}
        assert (AT + HOUR, (Put(expiry.at(AT + 2 * HOUR, **later)),)) == (extended.touched, extended.jobs)


def test_invitations_that_reached_nobody_are_taken_back_alone() -> None:
    assert {9: AT} == Facts(ROW).invite([8, 9], AT).uninvite([8]).invited


def test_whoever_stops_to_follow_loses_their_prediction() -> None:
    predictions = {user_id: Prediction(Seat(0), 2, AT, "Dan") for user_id in (9, 10)}
    facts = Facts(ROW, followers=frozenset({9, 10}), predictions=predictions).follow(9, follows=False)
    assert ({10}, {10}) == (facts.followers, facts.predictions.keys())


def test_a_stuck_table_loses_drafts_plans_and_the_request_for_an_undo() -> None:
    facts = Facts(
        ROW, drafts={Seat(0): Draft(3, ())}, undo_request=UndoRequest(Seat(0), 3), plans={Seat(0): {2: PLANNED}}
    )
    unstuck = facts.unstick()
    assert ({}, {}, None) == (unstuck.drafts, unstuck.plans, unstuck.undo_request)


@pytest.mark.parametrize(
    ("changes", "in_vote"), [({"out": AT}, True), ({"verdict": [*Verdict][-1]}, True), ({}, False)]
)
def test_a_move_ends_a_vote_that_is_open_or_decided(changes: dict[str, Any], in_vote: bool) -> None:
    facts = Facts(ROW, clocks={Seat(0): replace(CLOCK, **changes)})
    assert in_vote == (MakeDue(JobKind.CLOCK, AT) in facts.move_on(None, (), AT).jobs)


def test_a_move_ends_its_players_draft_and_requests_about_the_previous_position() -> None:
    draft, late = Draft(3, ("done",)), replace(CLOCK, out=AT)
    facts = Facts(ROW, drafts={Seat(0): draft, Seat(1): draft}, undo_request=UndoRequest(Seat(0), 3))
    moved = facts.move_on(Seat(0), (), AT)
    assert ({Seat(1): draft}, None, ()) == (moved.drafts, moved.undo_request, moved.jobs)
    voted = replace(facts, clocks={Seat(0): replace(late, stand_in="greedy")}).move_on(None, {Seat(0)}, AT)
    assert (facts.drafts, {Seat(0): late}, (MakeDue(JobKind.CLOCK, AT),)) == (voted.drafts, voted.clocks, voted.jobs)


def test_a_called_off_match_has_no_pending_board_and_no_reminders() -> None:
    plans = {Seat(0): {2: PLANNED}}
    facts = Facts(ROW, pending=PendingBoard("1-ab"), known_seats=frozenset({(Seat(0), "ab")}), plans=plans)
    closed = facts.close(Status.ENDED, AT)
    assert (Status.ENDED, None, frozenset(), {}) == (
        closed.row.status,
        closed.pending,
        closed.known_seats,
        closed.plans,
    )
    assert (Drop((JobKind.BOARD, 3, 0, -1)), Put(Job(JobKind.RETIRE, AT, 3))) == closed.jobs[:2]
    no_more = [ReplaceAll(kind) for kind in (JobKind.REMINDER, JobKind.ANSWER, JobKind.NEXT_NOTICE)]
    for planned in (*no_more, MakeDue(JobKind.THREAD_ARCHIVE, AT)):
        assert planned in closed.jobs


@pytest.mark.parametrize(
    ("returns", "right"), [((0.0, 1.0, 0.0), {11, 13}), ((0.5, 0.5, 0.0), {10, 11, 13}), ((0.0, 0.0, 1.0), set[int]())]
)
def test_only_predictions_of_a_winner_outlast_the_end(returns: tuple[float, ...], right: set[int]) -> None:
    seats = {10: Seat(0), 11: Seat(1), 13: Seat(1)}
    predictions = {user_id: Prediction(seat, 2, AT, "Dan") for user_id, seat in seats.items()}
    facts = Facts(ROW, predictions=predictions)
    ended = facts.end(Outcome(returns, (1, 1, 1), Status.OVER), Results((), NO_OWNERS), AT)
    assert right == ended.predictions.keys()
    assert {} == facts.close(Status.ENDED, AT).predictions


def test_posting_an_older_board_keeps_the_newer_one_pending_and_replaces_reminders() -> None:
    facts, board = Facts(ROW, pending=PendingBoard("2-ab")), Board(1, 77, {})
    older, newest = facts.note_posted("1-ab", board, ()), facts.note_posted("2-ab", board, ())
    assert (board, PendingBoard("2-ab"), (ReplaceAll(JobKind.REMINDER),)) == (older.board, older.pending, older.jobs)
    assert (None, Drop((JobKind.BOARD, 3, 0, -1))) == (newest.pending, newest.jobs[0])


def test_users_are_found_in_every_field_of_facts() -> None:
    facts, late = Facts(ROW), TableEvent(TableEventKind.LATE, 3, AT, Seat(1), 15)
    past = (PastHolder(Seat(0), SeatHolder(11), 5),)
    full = replace(
        facts, row=replace(ROW, past_holders=past, ready=frozenset({12}), host_id=13), followers=frozenset({14})
    )
    full = full.predict(20, Prediction(Seat(0), 2, AT, "Dan"))
    full = full.note(late).invite([16], AT).add_request(JoinRequest(17, "Eva", 99))
    full = full.with_clocks([replace(CLOCK, user_id=18, votes={19: "wait"})])
    assert {7, 8, *range(11, 21)} == {*users_in(Facts, full)}


def test_all_facts_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Facts(ROW).hints = True  # type: ignore[misc]
