"""Action <-> text."""

from __future__ import annotations

from enum import StrEnum

import pytest

from engine.core import Action, describe
from engine.errors import NotationError
from engine.notation import field_values, parse_action
from engine.texts import Seat
from tests.engine.toys.sealed import Bid


class Color(StrEnum):
    BLUE = "blue"
    DEEP_RED = "deep-red"


class Pass(Action):
    """No fields."""


class PlaceDrawn(Action):
    """Every type a seat's action may have; the last two fields may not apply."""

    count: int = describe("A number")
    market: str = describe("A name")
    face_up: bool = describe("Yes or no")
    rival: Seat = describe("A seat")
    color: Color | None = describe("A color")
    where: str | None = describe("A place")


class Shuffle(Action):
    """Tuples, for CHANCE."""

    cards: tuple[int, ...]
    colors: tuple[Color, ...]
    seats: tuple[Seat, ...]


VERBS = (Pass, PlaceDrawn, Shuffle)


def test_parsed_values_have_the_types_of_the_fields() -> None:
    action = parse_action("place-drawn 3 2B yes red blue e", VERBS)
    assert isinstance(action, PlaceDrawn)
    assert [int, str, bool, Seat, Color, str] == [type(getattr(action, name)) for name in PlaceDrawn.__match_args__]


def test_the_values_of_an_action_are_its_notation_without_the_verb() -> None:
    assert ("3", "2B", "yes", "red") == field_values(PlaceDrawn(3, "2B", True, Seat(0), None, None))


def test_a_verb_with_a_single_field_takes_one_value() -> None:
    with pytest.raises(NotationError) as caught:
        parse_action("bid", [Bid])
    assert "“Bid” takes 1 value, not 0." == str(caught.value.text)


@pytest.mark.parametrize(
    ("text", "code", "sentence"),
    [
        ("", "unknown-verb", "“” is not a move here; try Pass, Place drawn, Shuffle."),
        ("fly 3", "unknown-verb", "“fly” is not a move here; try Pass, Place drawn, Shuffle."),
        ("pass 1", "fields", "“Pass” takes 0 values, not 1."),
        ("pass ", "fields", "“Pass” takes 0 values, not 1."),
        ("place-drawn", "fields", "“Place drawn” takes 4 to 6 values, not 0."),
        ("place-drawn 3 2B yes", "fields", "“Place drawn” takes 4 to 6 values, not 3."),
        ("place-drawn 3 2B yes red blue e e", "fields", "“Place drawn” takes 4 to 6 values, not 7."),
        ("place-drawn x 2B yes red", "value", "“x” does not fit in “Place drawn”. Needed: A number."),
        ("place-drawn 3 2B maybe red", "value", "“maybe” does not fit in “Place drawn”. Needed: Yes or no."),
        ("place-drawn 3 2B yes pink", "value", "“pink” does not fit in “Place drawn”. Needed: A seat."),
        ("place-drawn 3 2B yes red pink", "value", "“pink” does not fit in “Place drawn”. Needed: A color."),
        ("place-drawn 3  yes red", "value", "“” does not fit in “Place drawn”. Needed: A name."),
        ("shuffle 3,x - -", "value", "“3,x” does not fit in “Shuffle”. Needed: cards."),
    ],
)
def test_invalid_notation_is_refused_with_an_explanation(text: str, code: str, sentence: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_action(text, VERBS)
    assert (code, sentence, text) == (caught.value.code, str(caught.value.text), caught.value.notation)


@pytest.mark.parametrize("text", ["place-drawn 03 c no red", "place-drawn +3 c no red", "place-drawn 3 c no RED"])
def test_an_action_has_only_one_notation(text: str) -> None:
    """Ids, suggestions and log rows are compared as text."""
    with pytest.raises(NotationError):
        parse_action(text, VERBS)
