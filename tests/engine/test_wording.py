"""Sentences and labels."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import pytest

from engine.core import Action, Event, describe
from engine.texts import CHANCE, Seat, listed
from engine.wording import label, say, word

NAMES = ("Clio", "Erato", "Urania")


class Beast(StrEnum):
    CAMEL = "camel"
    DONKEY = "donkey"

    @property
    def label(self) -> str:
        return {"camel": "old camel", "donkey": "donkey"}[self]


class Fruit(StrEnum):
    FIG = "fig"


@dataclass(frozen=True, slots=True)
class SellBeast(Action):
    """Sell a beast."""

    beast: Beast = describe("Which beast")
    buyer: Seat = describe("Who buys it")
    price: int | None = describe("For how much")


@dataclass(frozen=True, slots=True)
class Feed(Action):
    """Feed a beast."""

    label = "Feed the {beast} some {fruit}"

    beast: Beast = describe("Which beast")
    fruit: Fruit = describe("Which fruit")


class Ride(StrEnum):
    CAMEL = "camel"

    @property
    def label(self) -> str:
        return "by camel"


@dataclass(frozen=True, slots=True)
class GoHome(Action):
    """Go home."""

    label = "Go home {ride}"

    ride: Ride | None = describe("What to ride on, if anything")


@dataclass(frozen=True, slots=True)
class Sold(Event):
    template = "{seller} sells {beasts} to {buyers}; paid at once: {paid}."

    seller: Seat
    beasts: tuple[Beast, ...]
    buyers: tuple[Seat, ...]
    paid: bool


def test_an_event_is_said_with_the_names_of_the_table() -> None:
    sold = Sold(Seat(0), (Beast.CAMEL, Beast.DONKEY), (Seat(1), Seat(2)), True)
    assert "Clio sells old camel and donkey to Erato and Urania; paid at once: yes." == say(sold, NAMES)


def test_an_option_is_labeled_by_its_template() -> None:
    assert "Feed the old camel some fig" == label(Feed(Beast.CAMEL, Fruit.FIG), NAMES)


def test_an_option_without_template_is_labeled_by_its_verb_and_its_values_in_words() -> None:
    assert "Sell beast old camel Erato 3" == label(SellBeast(Beast.CAMEL, Seat(1), 3), NAMES)


def test_a_value_that_does_not_apply_is_no_part_of_the_label() -> None:
    assert "Sell beast donkey Clio" == label(SellBeast(Beast.DONKEY, Seat(0), None), NAMES)
    assert ["Go home", "Go home by camel"] == [label(GoHome(ride), NAMES) for ride in (None, Ride.CAMEL)]


@pytest.mark.parametrize(
    ("value", "hint", "text"),
    [
        (CHANCE, Seat, "luck"),
        (Seat(2), Seat, "Urania"),
        (None, Seat, "none"),
        (False, bool, "no"),
        (7, int, "7"),
        (Fruit.FIG, Fruit, "fig"),
        (Beast.CAMEL, Beast, "old camel"),
        ((), tuple[int, ...], ""),
    ],
)
def test_a_value_reads_as_a_word(value: object, hint: object, text: str) -> None:
    assert text == word(value, hint, NAMES)


def test_a_list_reads_with_commas_and_and() -> None:
    assert ["", "a", "a and b", "a, b and c"] == [listed(words) for words in ((), ("a",), ("a", "b"), ("a", "b", "c"))]
