"""Auto-answers as they are chosen, stored, and given: at once where that reveals nothing, or after a while."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.errors import UserError
from bot.store.auto_answers import AutoAnswer
from bot.store.drafts import Draft
from bot.store.jobs import Job, JobKind
from bot.store.matches import SeatHolder, Status
from bot.store.planned_turns import PlannedTurn
from bot.tables import moves as moves_module
from bot.tables.auto_answering import NO_SUCH
from bot.tables.moves import NextStep
from bot.tables.table import Stale, Table
from engine.texts import Seat
from tests.bot.refusing import CHANNEL, GUEST, HOST, NOON, House
from tests.bot.walks import set_row

CARO, WHILE = 72, timedelta(minutes=5)
ONE, TWO = Seat(0), Seat(1)


@pytest.fixture(autouse=True)
def random_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moves_module, "random_delay", lambda: WHILE)


async def beg(home: House, *computers: str) -> Table:
    """A game in which the host is on turn, and asks the guest or a computer for a card."""
    people = [SeatHolder(HOST, name="Ana"), *([SeatHolder(GUEST, name="Ben")] if not computers else ())]
    holders = (*people, *(SeatHolder(computer=computer) for computer in computers))
    return await home.match(CHANNEL, *holders, game="beg")


async def ask(home: House, table: Table, card: int = 1) -> NextStep:
    action, number = table.require_match().parse(f"beg {card}"), table.require_match().version + 1
    return await home.services.moves.play(table, HOST, action, interaction_id=number, version=None)


async def answers(home: House, table: Table) -> list[tuple[int, int, timedelta]]:
    """The stored jobs that give an answer: user, version, and time from now."""
    jobs = await home.store.jobs.of_match(JobKind.ANSWER, table.id)
    return [(job.user_id, job.state["version"], job.due_at - home.clock.now()) for job in jobs]


def events(table: Table) -> list[tuple[str, int | None, Seat | None, int]]:
    return [(event.kind, event.user_id, event.seat, event.version) for event in table.facts.events]


async def test_a_choice_is_noted_once_with_its_player_and_its_end_as_well(home: House) -> None:
    table, auto = await beg(home), home.services.auto_answers
    await home.store.jobs.drop(JobKind.COMPUTER, table.id)
    for way, answers_stored, noted in (
        (None, {}, []),
        (AutoAnswer.DECLINE, {TWO: {"begged": AutoAnswer.DECLINE}}, [("answered", GUEST, TWO, 1)]),
        (AutoAnswer.COMPUTER, {TWO: {"begged": AutoAnswer.COMPUTER}}, [("answered", GUEST, TWO, 1)]),
        (None, {}, [("answered", GUEST, TWO, 1), ("asked", GUEST, TWO, 1)]),
    ):
        await auto.choose(table, GUEST, "begged", way)
        assert (answers_stored, noted) == (table.auto_answers, events(table))
        stored = await home.store.facts.find(table.id)
        assert stored is not None
        assert answers_stored == stored.auto_answers


@pytest.mark.parametrize(
    ("user_id", "game", "key", "way", "refusal"),
    [
        (GUEST, "beg", "asked", AutoAnswer.DECLINE, str(NO_SUCH)),
        (GUEST, "toll", "levying", AutoAnswer.DECLINE, str(NO_SUCH)),
        (CARO, "beg", "begged", AutoAnswer.DECLINE, "You’re not playing in this game. It’s 🔴 <@70>’s turn."),
    ],
)
async def test_an_answer_is_for_a_question_of_the_game_and_a_player(
    home: House, user_id: int, game: str, key: str, way: AutoAnswer, refusal: str
) -> None:
    table = await home.match(game=game)
    with pytest.raises(UserError) as refused:
        await home.services.auto_answers.choose(table, user_id, key, way)
    assert (refusal, {}) == (str(refused.value.text), table.auto_answers)


@pytest.mark.parametrize(("status", "refusal"), [(Status.OVER, "over"), (Status.ENDED, "called off")])
async def test_no_answer_is_chosen_after_the_end(home: House, status: Status, refusal: str) -> None:
    table = await beg(home)
    set_row(table, status=status)
    with pytest.raises(UserError, match=refusal):
        await home.services.auto_answers.choose(table, GUEST, "begged", AutoAnswer.DECLINE)


async def test_an_answer_waits_a_while_and_is_given_for_the_question_that_it_waited_for(home: House) -> None:
    table, auto = await beg(home), home.services.auto_answers
    await auto.choose(table, GUEST, "begged", AutoAnswer.DECLINE)
    assert [] == await answers(home, table)
    assert NextStep.BOARD is await ask(home, table)
    version = table.require_match().version
    assert [(GUEST, version, WHILE)] == await answers(home, table)
    (job,) = await home.store.jobs.of_match(JobKind.ANSWER, table.id)
    assert not auto.is_at_it(table, job)
    for other in (replace(job, user_id=CARO), replace(job, state={"version": version - 1}), replace(job, user_id=HOST)):
        assert await auto.give(table, other) is None
        assert not auto.is_at_it(table, other)
    for draft, is_at_it in ((Draft(version, ()), True), (Draft(version - 1, ()), False)):
        await home.services.moves.keep_draft(table, TWO, draft)
        assert is_at_it == auto.is_at_it(table, job)
    board = table.waiting
    assert NextStep.BOARD is await auto.give(table, job)
    assert "deny" == table.require_match().entries[-1].notation
    assert {version: False} == table.require_match().answered == await home.store.log.auto_answered(table.id)
    assert None is not table.waiting != board
    assert [] == await answers(home, table)
    assert await auto.give(table, job) is None


async def test_an_answer_that_was_taken_back_is_not_given(home: House) -> None:
    table, auto = await beg(home), home.services.auto_answers
    await auto.choose(table, GUEST, "begged", AutoAnswer.DECLINE)
    await ask(home, table)
    (job,) = await home.store.jobs.of_match(JobKind.ANSWER, table.id)
    await auto.choose(table, GUEST, "begged", None)
    assert [] == await answers(home, table)
    assert await auto.give(table, job) is None
    await auto.choose(table, GUEST, "begged", AutoAnswer.COMPUTER)
    assert [(GUEST, table.require_match().version, WHILE)] == await answers(home, table)
    await home.services.seats.end(table, by=HOST, at=NOON)
    assert await auto.give(table, job) is None


async def test_a_player_among_computers_waits_for_no_answer(home: House) -> None:
    table, auto = await beg(home, "uniform"), home.services.auto_answers
    await auto.choose(table, HOST, "begged", AutoAnswer.DECLINE)
    await ask(home, table)
    assert [(HOST, table.require_match().version, timedelta())] == await answers(home, table)


async def test_a_choice_wakes_the_computers_of_its_table(home: House) -> None:
    """If the bot dies before they act, a job lets them go on."""
    table = await beg(home)
    await home.store.jobs.drop(JobKind.COMPUTER, table.id)
    changed = home.services.auto_answers._with_answer(table, TWO, GUEST, "begged", AutoAnswer.DECLINE)
    assert changed.goes_on
    assert Job(JobKind.COMPUTER, NOON, table.id) in [getattr(change, "job", None) for change in changed.jobs]


async def test_unchanged_choices_are_not_stored_again(home: House) -> None:
    table, moves = await home.match(game="gangs"), home.services.moves
    due = table.require_match().state.decisions()[0].seat
    other, plan = Seat(1 - due), {0: PlannedTurn(("done",), ())}
    draft = Draft(table.require_match().version, ("done",))
    await moves.keep_draft(table, due, draft)
    facts = table.facts
    await moves.keep_draft(table, due, draft)
    assert facts is table.facts
    await moves.save_plan(table, due, plan)
    await moves.keep_draft(table, due, draft, ends_plan=False)
    assert {due: plan} == table.plans
    await moves.keep_draft(table, due, draft)
    assert ({}, {due: draft}) == (table.plans, table.drafts), "the plan of a player on turn ends"
    await moves.save_plan(table, other, plan)
    await moves.keep_draft(table, other, draft)
    assert {other: plan} == table.plans, "that of another player stays"
    with pytest.raises(Stale):
        await moves.save_plan(table, other, {}, version=99)
    assert {other: plan} == table.plans
    await moves.save_plan(table, other, {}, version=table.require_match().decision_version(other))
    assert ({}, {due: draft}) == (table.plans, table.drafts)
