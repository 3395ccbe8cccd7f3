"""Questions of people to the workers: one at a time each, the same one answered once, and none that is pointless."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from bot.computers.questions import Question, Questions
from bot.errors import UserError
from bot.store.matches import SeatHolder, Status
from bot.tables.table import Stale, Table
from engine.games import discover
from engine.match import Match
from engine.players.hints import Hint
from engine.texts import Seat
from tests.bot.walks import set_row, table_of

T = TypeVar("T")
ANA, BEN = 70, 71


class Thinking:
    """Thinks until it is told the answer."""

    def __init__(self) -> None:
        self.begun = 0
        self.canceled = 0
        self.told: asyncio.Event = asyncio.Event()

    async def __call__(self) -> tuple[Hint, ...]:
        self.begun += 1
        try:
            await self.told.wait()
        except asyncio.CancelledError:
            self.canceled += 1
            raise
        return (Hint(option=None, chance=self.begun, why=None),)  # type: ignore[arg-type]  # no test reads it


class Impatient(Questions):
    """A variant that ends after the test."""

    async def answer(self, *asked: Any) -> tuple[Hint, ...]:
        async with asyncio.timeout(5):
            return await super().answer(*asked)


@pytest.fixture
def questions() -> Questions:
    return Impatient()


@pytest.fixture
def table() -> Table:
    """Ana plays the first seat, Ben the second."""
    spec = discover()["jinns"]
    table = table_of(spec, 2, Match.begin(spec, spec.setup(2), "seed"))
    set_row(table, holders=(SeatHolder(ANA), SeatHolder(BEN)))
    return table


def question_at(table: Table, seat: int = 0, *choices: str) -> Question:
    assert table.match is not None
    return Question(table.id, Seat(seat), table.match.version, choices)


async def start(work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """Start some work, and let it run until it waits."""
    task = asyncio.create_task(work)
    await let_run()
    return task


async def let_run() -> None:
    """Let all tasks go on until they wait."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_a_second_request_shares_the_answer_of_the_first(questions: Questions, table: Table) -> None:
    think, question = Thinking(), question_at(table)
    first, second = [await start(questions.answer(ANA, question, think)) for _ in range(2)]
    think.told.set()
    assert await first is await second
    assert 1 == think.begun


async def test_a_repeated_question_gets_the_cached_answer(questions: Questions, table: Table) -> None:
    think = Thinking()
    think.told.set()
    first = await questions.answer(ANA, question_at(table), think)
    assert first is await questions.answer(ANA, question_at(table), think)
    assert 1 == think.begun
    other = await questions.answer(ANA, question_at(table, 0, "step"), think)
    assert other is not first
    assert 2 == think.begun


async def test_a_user_has_one_question_at_a_time_and_other_users_do_not_wait(
    questions: Questions, table: Table
) -> None:
    think = Thinking()
    first = await start(questions.answer(ANA, question_at(table), think))
    with pytest.raises(UserError, match="still working on your last hint"):
        await questions.answer(ANA, question_at(table, 0, "step"), think)
    other = await start(questions.answer(BEN, question_at(table, 1), think))
    think.told.set()
    await asyncio.gather(first, other)
    assert 2 == think.begun
    await questions.answer(ANA, question_at(table, 0, "step"), think)


async def test_a_question_is_canceled_when_its_last_request_is(questions: Questions, table: Table) -> None:
    think, question = Thinking(), question_at(table)
    first, second = [await start(questions.answer(ANA, question, think)) for _ in range(2)]
    first.cancel()
    await let_run()
    assert (False, 0) == (second.done(), think.canceled), "somebody still waits"
    second.cancel()
    await let_run()
    assert 1 == think.canceled
    think.told.set()
    await questions.answer(ANA, question_at(table, 0, "step"), think)


@pytest.mark.parametrize("what", ["moved", "left", "ended", "broken"])
async def test_an_obsolete_question_is_canceled_and_raises_stale(
    questions: Questions, table: Table, caplog: pytest.LogCaptureFixture, what: str
) -> None:
    think = Thinking()
    first = await start(questions.answer(ANA, question_at(table), think))
    assert table.match is not None
    if what == "moved":
        table.match = table.match.copy()
        (decision,) = table.match.state.decisions()
        table.match.play(decision.seat, decision.options[0])
    elif what == "left":
        set_row(table, holders=(SeatHolder(computer="easy"), SeatHolder(BEN)))
    elif what == "broken":
        table.match = None
    else:
        set_row(table, status=Status.ENDED)
    questions.cancel_outdated(table)
    with pytest.raises(Stale, match="moved on"):
        await first
    assert (1, []) == (think.canceled, caplog.messages)


async def test_an_unrelated_change_does_not_cancel_a_question(questions: Questions, table: Table) -> None:
    think = Thinking()
    first = await start(questions.answer(ANA, question_at(table), think))
    set_row(table, holders=(SeatHolder(ANA), SeatHolder(computer="easy")))
    questions.cancel_outdated(table)
    other = table_of(discover()["jinns"], 2)
    set_row(other, id=table.id + 1)
    questions.cancel_outdated(other)
    think.told.set()
    await first
    assert 0 == think.canceled


async def test_a_question_right_after_an_obsolete_one_runs_anew(questions: Questions, table: Table) -> None:
    think = Thinking()
    first = await start(questions.answer(ANA, question_at(table), think))
    ended = dataclasses.replace(table.row, status=Status.ENDED)
    questions.cancel_outdated(table.after(dataclasses.replace(table.facts, row=ended)))
    second = asyncio.create_task(questions.answer(ANA, question_at(table, 0, "step"), think))
    with pytest.raises(Stale):
        await first
    with pytest.raises(UserError, match="still working on your last hint"):
        await questions.answer(ANA, question_at(table, 0, "leap"), think)
    think.told.set()
    await second


async def test_a_failure_reaches_all_waiting_requests_and_is_not_cached(questions: Questions, table: Table) -> None:
    async def stumble() -> tuple[Hint, ...]:
        await asyncio.sleep(0)
        raise ValueError("no idea")

    both = (questions.answer(ANA, question_at(table), stumble) for _ in range(2))
    assert ["no idea"] * 2 == [str(error) for error in await asyncio.gather(*both, return_exceptions=True)]
    think = Thinking()
    think.told.set()
    await questions.answer(ANA, question_at(table), think)


async def test_answers_are_cached_for_a_limited_number_of_users(table: Table) -> None:
    questions = Questions(remembered=2)
    think = Thinking()
    think.told.set()
    for user_id in (1, 2, 3, 2, 1):
        await questions.answer(user_id, question_at(table), think)
    assert 4 == think.begun, "that of the first was forgotten"


async def test_the_answer_of_the_user_who_asked_last_is_kept_the_longest(table: Table) -> None:
    questions, think = Questions(remembered=2), Thinking()
    think.told.set()
    for user_id, version in ((1, 0), (2, 0), (1, 1), (3, 0), (1, 1)):
        await questions.answer(user_id, replace(question_at(table), version=version), think)
    assert 4 == think.begun, "that of the second was forgotten"
