"""Narrowing: any list of options becomes a few taps, and never offers what is not an option."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from random import Random

import pytest

from bot.play.narrowing import LETTERS, WHOLE, Step, before, meant, step, suggestions
from engine.core import Action, Decision, Event, Frame, State, describe
from engine.notation import format_action
from engine.texts import Seat, Text
from engine.wording import Voice

VOICE = Voice()


@dataclass(frozen=True, slots=True)
class Go(Action):
    """Go somewhere."""

    origin: str = describe("from")
    target: str = describe("to")


@dataclass(frozen=True, slots=True)
class Give(Action):
    """Give something."""

    to: Seat = describe("whom")


@dataclass(frozen=True, slots=True)
class Walk(Action):
    """Walk somewhere, up or down."""

    piece: int = describe("who")
    target: int = describe("where")
    up: bool = describe("which way")


@dataclass(frozen=True, slots=True)
class Wait(Action):
    """Wait."""


def goes(origins: int, targets: int) -> list[Action]:
    return [Go(f"o{o}", f"t{t}") for o in range(origins) for t in range(targets)]


def labels(found: Step) -> list[str]:
    return [choice.label for choice in found.choices]


def test_the_first_step_asks_for_the_verb_where_options_are_many():
    found = step([*goes(10, 6), Wait()], (), VOICE)
    assert [("Go", False), ("Wait", True)] == [(c.label, c.complete) for c in found.choices]


def test_what_two_menus_hold_is_offered_whole_whatever_its_verbs():
    assert ["Go o0 t0", "Go o0 t1", "Go o1 t0", "Go o1 t1", "Wait"] == labels(step([*goes(2, 2), Wait()], (), VOICE))
    assert WHOLE == len(step([*goes(7, 7), Wait()], (), VOICE).choices)


def test_more_options_than_two_menus_hold_ask_for_the_first_open_field():
    found = step(goes(5, 11), (), VOICE)
    assert ("from", ["o0", "o1", "o2", "o3", "o4"]) == (found.asks, labels(found))


def test_what_does_not_fit_on_a_line_of_buttons_becomes_a_menu():
    assert 6 == LETTERS // len("o0_____")
    assert not step(goes(6, 30), (), VOICE).as_menu
    assert step(goes(7, 30), (), VOICE).as_menu


def test_the_last_field_alone_is_on_buttons_if_all_of_it_would_be_too_much_for_them():
    assert ["Go o0 t0", "Go o0 t1", "Go o0 t2"] == labels(step(goes(1, 3), (), VOICE))
    assert ["t0", "t1", "t2", "t3"] == labels(step(goes(1, 4), (), VOICE))
    assert "Go o0 t0" == labels(step(goes(1, 7), (), VOICE))[0], "not even that fits"
    found = step([*goes(10, 6), Wait()], ("go", "o1"), VOICE)
    assert ("Go o1 …", [f"t{n}" for n in range(6)]) == (found.begun, labels(found)), "what was chosen is said"


def test_two_menus_are_told_apart_by_what_differs_first_if_that_makes_two():
    assert [20, 20] == list(map(len, step(goes(2, 20), (), VOICE).pages))
    assert [25, 15] == list(map(len, step(goes(4, 10), (), VOICE).pages))
    assert [25, 11] == list(map(len, step([*goes(1, 35), Wait()], (), VOICE).pages)), "a menu holds no more"
    assert [10] == list(map(len, step(goes(2, 5), (), VOICE).pages))


def test_after_one_choice_no_other_goes_before_the_last_one():
    found = step([*goes(8, 8), Wait()], ("go",), VOICE)
    assert (64, True, True) == (len(found.choices), found.as_menu, all(c.complete for c in found.choices))
    assert ("go",) == before([*goes(8, 8), Wait()], ("go", "o1", "t2"))
    steps = [Walk(n, to, up) for n in range(3) for to in range(12) for up in (False, True)]
    assert 24 == len(step(steps, ("walk", "1"), VOICE).choices)
    assert ("walk", "1") == before(steps, ("walk", "1", "7", "no"))
    assert 11 == len(step([*goes(11, 11), Wait()], ("go",), VOICE).choices), "too many to list"


def test_every_option_can_be_reached_and_back_leads_to_the_start():
    options = [*goes(11, 11), Give(Seat(0)), Give(Seat(1)), Wait()]
    reached: list[str] = []

    def walk(prefix: tuple[str, ...], depth: int) -> None:
        found = step(options, prefix, VOICE)
        parent = before(options, found.prefix)
        assert (parent is None) == (depth == 0)
        for choice in found.choices:
            if choice.complete:
                reached.append(" ".join(choice.words))
            else:
                walk(choice.words, depth + 1)

    walk((), 0)
    assert sorted(reached) == sorted(map(format_action, options))


def test_suggestions_agree_with_the_other_fields_typed_so_far():
    options = [Go("a", "x"), Go("a", "y"), Go("b", "z")]
    assert {"x": "x", "y": "y"} == suggestions(options, {"origin": "A"}, "target", VOICE)
    assert {"a": "a", "b": "b"} == suggestions(options, {"origin": "a"}, "origin", VOICE)


@dataclass(frozen=True, slots=True)
class Asking(Frame["Desert", Action]):
    """Has words of its own for what it asks: for waiting, for wells, and for how far they are."""

    def decisions(self, state: Desert) -> tuple[Decision, ...]:
        raise NotImplementedError

    def resolve(self, state: Desert, seat: Seat, action: Action) -> tuple[Desert, tuple[Event, ...]]:
        raise NotImplementedError

    def gloss(self, state: Desert, action: Action) -> Text | None:
        return Text("far to {target}", target=action.target) if state.told and isinstance(action, Go) else None

    def named(self, state: Desert, action: Action, field: str = "") -> Text | None:
        if isinstance(action, Wait):
            return Text("Rest your camels")
        return Text("well {place}", place=getattr(action, field)) if state.named_wells and field else None

    def suggested(self, state: Desert) -> tuple[Action, ...]:
        return (Give(Seat(2)),)


@dataclass(frozen=True, slots=True)
class Desert(State):
    """A position of which something may be told."""

    told: bool = False
    named_wells: bool = False

    def outcome(self) -> None:
        return None

    def observe(self, viewer: Seat | None) -> Desert:
        return self

    def determinize(self, viewer: Seat | None, rng: Random) -> Desert:
        return self


EXPLAINING = Voice(state=Desert((Asking(),), told=True))
SUGGESTING = Voice(state=Desert((Asking(),)))
NAMING = Voice(state=Desert((Asking(),), named_wells=True))


def test_a_whole_option_says_what_it_means_in_the_position():
    found = step([Go("a", "x"), Go("a", "y"), Wait()], ("go",), EXPLAINING)
    assert ["far to x", "far to y"] == [choice.gloss for choice in found.choices]
    assert [("Go", "Go somewhere."), ("Rest your camels", "")] == [
        (choice.label, choice.gloss) for choice in step([*goes(10, 6), Wait()], (), EXPLAINING).choices
    ], "a verb says what it is for"


def test_values_and_whole_options_are_called_as_the_position_calls_them():
    assert ["well o0", "well o1", "well o2", "well o3", "well o4"] == labels(step(goes(5, 11), (), NAMING))
    assert ["Go", "Rest your camels"] == labels(step([*goes(10, 6), Wait()], (), NAMING))
    assert {"x": "well x"} == suggestions([Go("a", "x")], {}, "target", NAMING)


def test_what_is_chosen_of_an_option_is_said_and_the_rest_is_open():
    assert "Go well o1 …" == step(goes(2, 60), ("go", "o1"), NAMING).begun
    assert "Go o1 …" == step(goes(2, 60), ("go", "o1"), VOICE).begun


def test_a_suggestion_that_leaves_one_option_says_what_it_means_in_the_position():
    options = [Go("a", "x"), Go("a", "y"), Go("b", "z")]
    assert {"a": "a", "b": "b – far to z"} == suggestions(options, {}, "origin", EXPLAINING)
    assert {"x": "x – far to x", "y": "y – far to y"} == suggestions(options, {"origin": "a"}, "target", EXPLAINING)
    assert {"red": "Red"} == suggestions([Give(Seat(0))], {}, "to", EXPLAINING)


def test_back_leads_to_the_step_where_the_choice_was_made():
    options = [Go("o0", "t0"), *(Walk(n, to, True) for n in range(4) for to in range(26)), Wait()]
    assert () == before(options, ("go", "o0", "t0"))
    assert ("walk", "1") == before(options, ("walk", "1", "2", "yes"))
    assert ("go", "o1") == before(goes(5, 11), ("go", "o1", "t2"))
    assert ("go",) == before([*goes(5, 10), Wait()], ("go", "o1", "t2")), "fifty are offered whole"
    assert before(goes(5, 11), ()) is None


class Animal(StrEnum):
    CAMEL = "C"
    WAR_ELEPHANT = "W"

    @property
    def label(self) -> str:
        return self.name.replace("_", " ").lower()


@pytest.mark.parametrize("typed", ["W", "w", " War elephant ", "war elephant"])
def test_a_value_may_be_typed_as_it_is_written_or_as_it_is_read(typed):
    assert "W" == meant(typed, Animal)


def test_explained_options_become_a_menu_which_has_the_explanation_beside_each():
    few = [Go("o0", f"t{n}") for n in range(2)]
    assert step(few, (), EXPLAINING).as_menu
    assert not step(few, (), VOICE).as_menu


def test_what_is_suggested_of_many_is_offered_whole_and_all_others_are_typed():
    found = step([Give(Seat(n)) for n in range(3)], (), SUGGESTING)
    assert (True, ["Red", "Blue", "Yellow"]) == (found.as_form, labels(found))
    assert [(("give", "yellow"), "Give Yellow")] == [(choice.words, choice.label) for choice in found.suggested]
