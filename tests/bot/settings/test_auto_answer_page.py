"""The page of auto-answers: what it offers, and how it reports that the open question is answered."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from bot.features.settings import auto_answer_page
from bot.features.settings.auto_answer_page import choose_answer, show_answers
from bot.tables.table import Table
from engine.texts import Seat, Text
from tests.bot.desk import Desk
from tests.bot.refusing import CHANNEL, GUEST, HOST
from tests.engine.toys.beg import BEGGED, Beg
from tests.engine.toys.toll import Road, Walk

ROWS = ["  ask Ask me", "  computer A computer decides", "  decline Decline", "  first The first legal answer"]
ANSWERED, LATER = (
    "✓ I’ve answered the question you were asked.",
    "✓ I’ll answer the question you were asked in a little",
)


async def test_the_page_is_for_games_that_have_begun_and_offers_to_be_asked_first(desk: Desk) -> None:
    table = await desk.home.lobby(game="beg", ready=[HOST, GUEST])
    (refused,) = await desk.command(HOST, show_answers)
    assert "The game hasn’t started yet" in refused[1]
    await desk.home.services.moves.start(table, 4711)
    (page,) = await desk.tap(GUEST, str(show_answers.id(table)))
    assert ("new private", ["  *ask Ask me", *ROWS[1:]]) == (page[0], page[5:9])
    assert "I take a few minutes and respect your quiet hours" in page[-1]
    await desk.home.posted(CHANNEL + 1)
    none = "In this game of Sealed Bids, nobody is asked anything outside their turn."
    assert [["new private", none]] == await desk.command(HOST, show_answers, channel_id=CHANNEL + 1)


async def waiting_for_guest(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A game of Toll whose open question is for the guest: the host has walked to the first place."""
    monkeypatch.setattr(Road, "sample", lambda *_: Walk(1))
    table = await desk.home.posted(game="toll")
    assert [Seat(1)] == [decision.seat for decision in table.require_match().state.decisions()]
    desk.home.network.bodies.clear()
    return table


async def test_a_choice_that_answers_the_open_question_posts_the_board_at_once(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await waiting_for_guest(desk, monkeypatch)
    (page,) = await desk.tap(HOST, str(choose_answer.id(table, "levying")), "first")
    assert "### Questions on other players’ turns" == page[1], "nothing was asked of the host"
    (page,) = await desk.tap(GUEST, str(choose_answer.id(table, "levying")), "computer")
    assert [ANSWERED, "  *computer A computer decides"] == [page[1], page[7]]
    assert [f"POST /channels/{CHANNEL}/messages"] == [address for address, _ in desk.home.network.bodies]


@pytest.mark.parametrize(("waits", "summary"), [(True, ANSWERED), (False, "Saved.")])
async def test_a_choice_whose_answer_is_lost_is_saved(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, waits: bool, summary: str
) -> None:
    async def lose(*_: Any) -> None:
        raise TimeoutError

    table = await waiting_for_guest(desk, monkeypatch)
    monkeypatch.setattr(desk.home.services.poster, "deliver", lose)
    *_, report = await desk.tap(GUEST if waits else HOST, str(choose_answer.id(table, "levying")), "first")
    assert f"{summary} Only my answer got lost." == report[1]


async def test_an_answer_that_would_give_a_hand_away_is_announced_to_its_player_alone(desk: Desk) -> None:
    table = await desk.home.posted(game="beg")
    await desk.home.services.moves.play(table, HOST, Beg(1), interaction_id=1, version=None)
    (page,) = await desk.tap(GUEST, str(choose_answer.id(table, "begged")), "computer")
    assert page[1].startswith(LATER), page
    assert [Seat(1)] == [decision.seat for decision in table.require_match().state.decisions()]
    (page,) = await desk.tap(HOST, str(choose_answer.id(table, "begged")), "computer")
    assert "### Questions on other players’ turns" == page[1]


async def test_the_answer_that_declines_has_the_words_of_its_game(desk: Desk) -> None:
    table = await desk.home.posted(game="beg")
    field = auto_answer_page._field(table, dataclasses.replace(BEGGED, declined=Text("Never give")))
    assert ["Ask me", "A computer decides", "Never give", "The first legal answer"] == [
        str(choice.label) for choice in field.choices
    ]
