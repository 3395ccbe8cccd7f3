"""A question that luck brings back again and again is answered once for all times, on one screen."""

from __future__ import annotations

import pytest

from engine.match import Match
from playground.player import Player, Seen
from tests.bot.ahead import play_ahead
from tests.bot.app import App
from tests.e2e.robots import BOARD
from tests.e2e.rooms import Room, start_game

SEVERAL = "Several at once"


def may_hire_three(match: Match) -> bool:
    """Whether a seat may take a bandit of any color, three times."""
    return match.state.series() == 3 and len(match.state.decisions()[0].options) == 5


@pytest.fixture
async def hiring(app: App) -> tuple[App, Player, Seen]:
    """A player in the town with three bandits to hire, and the first question."""
    room: Room = app.room()
    people = room.people("Ana", "Ben")
    await people[0].slash("table new", game="gangs")
    await people[1].tap("Join")
    await start_game(*people)
    board = await room.onlooker.expect(BOARD)
    match = await play_ahead(app, may_hire_three)
    person = people[match.state.decisions()[0].seat]
    return app, person, await person.tap("Your move", on=board)


def hires(app: App) -> list[str]:
    """The answers of players since the first confirmation."""
    first = "(SELECT min(n) FROM entries WHERE interaction_id IS NOT NULL)"
    rows = app.query(f"SELECT notation FROM entries WHERE seat >= 0 AND n >= {first} ORDER BY n")
    return [row for (row,) in rows]


async def choose(person: Player, step: Seen, *answers: str) -> Seen:
    """The preview after a form with these answers."""
    assert await person.tap(SEVERAL, on=step) is None
    assert person.modal is not None
    assert len(person.modal["components"]) == 3, "one question for each bandit"
    return await person.submit({f"question{n}": answer for n, answer in enumerate(answers)})


async def test_one_form_and_one_confirmation_hire_three_bandits(hiring: tuple[App, Player, Seen]) -> None:
    app, person, step = hiring
    preview = await choose(person, step, "take red", "take green", "take red")
    assert "Then, if you still can: Green bandit" in preview
    await person.tap("Confirm", on=preview)
    assert ["take red", "take green", "take red"] == hires(app)


async def test_a_stop_choice_ends_the_series_and_later_choices_do_not_count(hiring: tuple[App, Player, Seen]) -> None:
    app, person, step = hiring
    preview = await choose(person, step, "take red", "stop", "take red")
    await app.close()
    await app.open()
    await person.tap("Confirm", on=preview)
    assert ["take red", "stop"] == hires(app)


async def test_back_discards_all_repeated_choices(hiring: tuple[App, Player, Seen]) -> None:
    app, person, step = hiring
    again = await person.tap("Back", on=await choose(person, step, "take red", "take red", "stop"))
    assert step.labels == again.labels
    assert [] == app.query("SELECT * FROM drafts")


async def test_a_form_for_an_older_question_plays_nothing(hiring: tuple[App, Player, Seen]) -> None:
    app, person, step = hiring
    assert await person.tap(SEVERAL, on=step) is None
    await person.tap("Confirm", on=await person.choose("stop", on=step))
    await person.submit({"question0": "take red", "question1": "take red", "question2": "stop"})
    assert ["stop"] == hires(app)
    assert [] == app.query("SELECT * FROM drafts")
