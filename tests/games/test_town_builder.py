"""Positions of the town while a ply changes them."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from engine.builder import Builder
from engine.games.alibaba.builder import CaveBuilder
from engine.games.gangs.builder import GangsBuilder
from engine.texts import Seat
from engine.town.data import Gang, Thief
from tests.games.town_positions import cave, gangs

BUILDERS: list[tuple[type[Builder[Any]], Any]] = [
    (CaveBuilder, cave(3, stakes={1: (3_000, 9)}, claimed={0: "G1 R2"}, piles={"red": (0, 0, 1, 0)})),
    (GangsBuilder, gangs(3, owned={1: "Y1 R1 R1"}, tails={"blue": "B2"})),
]
BOTH = pytest.mark.parametrize(("kind", "state"), BUILDERS, ids=["cave", "gangs"])


@BOTH
def test_what_a_ply_does_not_touch_stays_as_it_was(kind: type[Builder[Any]], state: Any) -> None:
    after = kind(state)
    assert (state, ()) == after.done()
    assert all(
        getattr(state, field.name) == getattr(after.position(), field.name) for field in dataclasses.fields(state)
    )


@BOTH
def test_a_tuple_of_the_position_is_a_list_for_a_ply_and_a_tuple_after_it(kind: type[Builder[Any]], state: Any) -> None:
    for field in dataclasses.fields(state):
        value = getattr(state, field.name)
        if type(value) is tuple:
            after = kind(state)
            setattr(after, field.name, [*value, "more"])
            assert dataclasses.replace(state, **{field.name: (*value, "more")}) == after.position()
            getattr(after, field.name).clear()
            assert () == getattr(after.position(), field.name)
            assert value == getattr(state, field.name)


def test_money_goes_in_as_it_comes_and_out_as_far_as_there_is_any() -> None:
    after = GangsBuilder(gangs(2, purses=(100, 30)))
    after.earn(Seat(0), 20)
    assert (50, 30) == (after.pay(Seat(0), 50), after.pay(Seat(1), 50))
    assert (70, 0) == after.position().purses


def test_a_card_is_drawn_off_the_deck_and_off_the_tail_once_the_deck_is_used_up() -> None:
    after = GangsBuilder(gangs(2, unseen={"red": (1, 0, 0, 0)}, tails={"red": "R3 R1"}))
    after.draw(Thief.R1)
    assert ((0, 0, 0, 0), ["R3", "R1"]) == (after.decks[Gang.RED.place], [*after.tails[Gang.RED.place]])
    after.draw(Thief.R3)
    assert ("R1",) == after.position().tails[Gang.RED.place]
