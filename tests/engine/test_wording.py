"""Sentences and labels."""

from __future__ import annotations

from enum import StrEnum

import pytest

from engine.core import Action, Event, describe
from engine.languages import ENGLISH, Language, language, reading
from engine.texts import (
    CHANCE,
    Seat,
    Text,
    format_value,
    from_json,
    joined,
    listed,
    marking,
    rewrite,
    shortened,
    to_json,
)
from engine.wording import label, say

NAMES = ("Clio", "Erato", "Urania")


class Beast(StrEnum):
    CAMEL = "camel"
    DONKEY = "donkey"

    @property
    def label(self) -> str:
        return {"camel": "old camel", "donkey": "donkey"}[self]


class Fruit(StrEnum):
    FIG = "fig"


class SellBeast(Action):
    """Sell a beast."""

    beast: Beast = describe("Which beast")
    buyer: Seat = describe("Who buys it")
    price: int | None = describe("For how much")


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


class GoHome(Action):
    """Go home."""

    label = "Go home {ride}"

    ride: Ride | None = describe("What to ride on, if anything")


class Sold(Event):
    template = "{seller} sells {beasts} to {buyers}; paid at once: {paid}."

    seller: Seat
    beasts: tuple[Beast, ...]
    buyers: tuple[Seat, ...]
    paid: bool


def test_an_event_is_worded_with_the_names_of_the_table() -> None:
    sold = Sold(Seat(0), (Beast.CAMEL, Beast.DONKEY), (Seat(1), Seat(2)), True)
    assert "Clio sells old camel and donkey to Erato and Urania; paid at once: yes." == say(sold, NAMES)


YOU = Seat(1)


@pytest.mark.parametrize(
    ("text", "others", "reader"),
    [
        (Text("Nobody knows."), "Nobody knows.", "Nobody knows."),
        (Text("{seat} {seat:walks|walk} on.", seat=YOU), "Erato walks on.", "You walk on."),
        (Text("{seat:@’s|your} camel {n:rests|rest}.", seat=YOU, n=2), "Erato’s camel rest.", "Your camel rest."),
        (Text("Clio pays {seat}.", seat=YOU), "Clio pays Erato.", "Clio pays you."),
        (Text("{other} {other:walks|walk}.", other=Seat(2)), "Urania walks.", "Urania walks."),
        (Text("{seats:is|are} due: {seats}", seats=(YOU,)), "is due: Erato", "is due: you"),
        (Text("{seats} {seats:is|are} due.", seats=(Seat(0), YOU)), "Clio and Erato are due.", "Clio and you are due."),
        (Text("{n} {n:step|steps} by {b}", n=1, b=Beast.CAMEL), "1 step by old camel", "1 step by old camel"),
        (Text("{n} {n:step|steps} by {b}", n=0, b=(Beast.DONKEY,)), "0 steps by donkey", "0 steps by donkey"),
        (Text("{why} Wait.", why=Text("{luck} is next.", luck=CHANCE)), "luck is next. Wait.", "luck is next. Wait."),
        (Text("It is {paid:paid|open}, {left}.", paid=False, left=None), "It is open, none.", "It is open, none."),
        (joined([Text("Go."), Text("{seat} waits.", seat=Seat(0))]), "Go. Clio waits.", "Go. Clio waits."),
    ],
)
def test_a_text_is_worded_for_its_reader(text: Text, others: str, reader: str) -> None:
    assert (others, reader) == (say(text, NAMES), say(text, NAMES, YOU))


def test_texts_with_equal_words_and_values_are_equal() -> None:
    assert Text("{n} left.", n=2) == Text("{n} left.", n=2) != Text("{n} left.", n=3)
    assert 1 == len({Text("Go."), Text("Go.")})


def test_a_text_without_a_reader_uses_the_colors_of_the_seats() -> None:
    assert "Blue waits for luck." == str(Text("{seat} waits for {next}.", seat=YOU, next=CHANCE))


def test_an_option_is_labeled_by_its_template() -> None:
    assert "Feed the old camel some fig" == label(Feed(Beast.CAMEL, Fruit.FIG), NAMES)


def test_an_option_without_a_template_is_labeled_with_its_verb_and_values_in_words() -> None:
    assert "Sell beast old camel Erato 3" == label(SellBeast(Beast.CAMEL, Seat(1), 3), NAMES)


def test_a_value_that_does_not_apply_is_left_out_of_the_label() -> None:
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
    assert text == format_value(value, hint, NAMES)


def test_a_list_reads_with_commas_and_and() -> None:
    assert ["", "a", "a and b", "a, b and c"] == [listed(words) for words in ((), ("a",), ("a", "b"), ("a", "b", "c"))]


def test_only_external_strings_are_rewritten() -> None:
    text = Text(
        "{seat}, {beast}, {words}, {list}, {inner}, {error}",
        seat=Seat(0),
        beast=Beast.CAMEL,
        words="a",
        list=("b", 2),
        inner=Text("{c} stays", c="c"),
        error=ValueError("d"),
    )
    assert "Red, old camel, A, B and 2, C stays, D" == str(rewrite(text, str.upper))


def test_a_mark_follows_each_marked_value_but_not_its_parts() -> None:
    pair = Text("{one} and {other}", one=Beast.CAMEL, other=Fruit.FIG)
    marks = {pair: " ★", Beast.CAMEL: " ♪"}
    with marking(lambda value: marks.get(value, "")):
        assert "old camel and fig ★, old camel ♪ and fig" == str(
            Text("{pair}, {list}", pair=pair, list=(Beast.CAMEL, Fruit.FIG))
        )


@pytest.mark.parametrize(
    ("value", "form"),
    [("Clio", "one"), ("", "two"), (None, "two"), (1, "one"), (0, "two"), (True, "one"), (False, "two"), ((), "two")],
)
def test_other_words_agree_with_a_value(value: object, form: str) -> None:
    assert form == str(Text("{value:one|two|three}", value=value))


def test_a_text_is_stored_with_all_that_is_in_its_fields() -> None:
    text = Text("{n} {names} {flag} {more}", n=2, names=("a", Text("b")), flag=None, more=Text("{x}", x=(1, 2)))
    assert text == from_json(to_json(text))
    assert str(text) == str(from_json(to_json(text)))


def test_words_of_a_user_are_quoted_whole_if_they_fit() -> None:
    assert ["abcdef", "abcd…"] == [shortened("abcdef", 6), shortened("abcdef", 5)]


def test_a_language_holds_within_its_block_alone() -> None:
    other, inner = Language(), Language()
    with reading(other):
        with reading(inner):
            assert inner is language()
        assert other is language()
    assert ENGLISH is language()
