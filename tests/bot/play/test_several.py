"""A question that luck brings back again and again is answered once for all times, on one screen."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from bot.tables.table import Table
from engine.match import Match, UndoKind
from tests.bot.ahead import go_ahead
from tests.bot.desk import Desk, Screen
from tests.bot.refusing import House

SEVERAL = "Several at once"


def may_hire_three(match: Match) -> bool:
    """Whether a seat may take a bandit of any color, three times."""
    return match.state.series() == 3 and len(match.state.decisions()[0].options) == 5


@dataclass(frozen=True)
class Hiring:
    """A player in the town with three bandits to hire, and the first question."""

    table: Table
    version: int
    user_id: int
    step: Screen

    @property
    def hires(self) -> list[str]:
        """The answers of players since."""
        return [entry.notation for entry in self.table.require_match().entries[self.version :] if entry.seat >= 0]


@pytest.fixture
async def hiring(home: House, desk: Desk) -> Hiring:
    table = await home.posted(game="gangs")
    await go_ahead(home, table, may_hire_three)
    match = table.require_match()
    user_id = table.users[match.state.decisions()[0].seat]
    (step,) = await desk.tap(user_id, f"turn:{table.id}:0:")
    return Hiring(table, match.version, user_id, step)


async def choose(desk: Desk, hiring: Hiring, *answers: str) -> Screen:
    """The preview after a form with these answers."""
    form = await desk.press(hiring.user_id, SEVERAL, hiring.step)
    assert ["take yellow · take green · take blue · take red · stop"] * 3 == form[3:], "one question for each bandit"
    assert "Hire up to 3 bandits, or stop." == form[1]
    return await desk.submit(hiring.user_id, form, *answers)


async def test_one_form_and_one_confirmation_hire_three_bandits(desk: Desk, hiring: Hiring) -> None:
    preview = await choose(desk, hiring, "take red", "take green", "take red")
    assert "Then, if you still can: Green bandit, free and Red bandit, free" == preview.text.splitlines()[-1]
    assert 1 == preview.text.count("Green bandit"), "once is enough"
    await desk.press(hiring.user_id, "Confirm", preview)
    assert ["take red", "take green", "take red"] == hiring.hires[:3]


async def test_a_stop_choice_ends_the_series_and_later_choices_do_not_count(desk: Desk, hiring: Hiring) -> None:
    preview = await choose(desk, hiring, "take red", "stop", "take red")
    assert "Then, if you still can: No bandit" == preview.text.splitlines()[-1]
    successor = Desk(desk.home.successor())
    await successor.press(hiring.user_id, "Confirm", preview)
    table = await successor.home.services.tables.find(hiring.table.id)
    assert table is not None
    assert ["take red", "stop"] == [
        entry.notation for entry in table.require_match().entries[hiring.version :] if entry.seat >= 0
    ][:2]


async def test_back_discards_all_repeated_choices(desk: Desk, hiring: Hiring) -> None:
    preview = await choose(desk, hiring, "take red", "take red", "stop")
    again = await desk.press(hiring.user_id, "Back", preview)
    assert (hiring.step.labels, {}) == (again.labels, hiring.table.drafts)


async def test_a_form_for_an_older_question_plays_nothing(desk: Desk, hiring: Hiring) -> None:
    form = await desk.press(hiring.user_id, SEVERAL, hiring.step)
    await desk.press(hiring.user_id, "Confirm", await desk.choose(hiring.user_id, "stop", hiring.step))
    await desk.submit(hiring.user_id, form, "take red", "take red", "stop")
    assert (["stop"], {}) == (hiring.hires, hiring.table.drafts)


def may_hire_and_undo(match: Match) -> bool:
    """Whether a seat that may take three bandits can still take back how it came there."""
    seat = match.state.decisions()[0].seat if match.state.decisions() else None
    return seat is not None and may_hire_three(match) and match.undo_policy(seat).kind is not UndoKind.REFUSED


async def test_the_way_to_the_bandits_can_be_taken_back_beside_the_form(home: House, desk: Desk) -> None:
    table = await home.posted(game="gangs")
    await go_ahead(home, table, may_hire_and_undo)
    user_id = table.users[table.require_match().state.decisions()[0].seat]
    (step,) = await desk.tap(user_id, f"turn:{table.id}:0:")
    assert {SEVERAL, "Undo", "Cancel"} <= set(step.labels)
    await desk.press(user_id, "Undo", step)
    assert any(entry.notation.startswith("undo") for entry in table.require_match().entries) or table.undo_request
