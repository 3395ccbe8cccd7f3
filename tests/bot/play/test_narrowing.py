"""Narrowing: any list of options becomes a few taps, and offers only options."""

from __future__ import annotations

from enum import StrEnum
from itertools import combinations
from random import Random

import pytest

from bot.features.play.narrowing import before, notation_word, step, suggestions
from bot.features.play.steps import LINE_BUTTONS, MAX_LETTERS, Choice, Step
from bot.interactions.phone import BUTTON, BUTTON_LINE, width_of
from engine.core import Action, Decision, Event, Frame, Part, State, describe
from engine.games.muses.actions import Place
from engine.games.muses.cells import Cell
from engine.games.muses.tiles import Face, Muse
from engine.notation import format_action
from engine.texts import Seat, Text
from engine.values import Value
from engine.wording import Voice

VOICE = Voice()


class Go(Action):
    """Go somewhere."""

    origin: str = describe("from", "From where?")
    target: str = describe("to")


class Give(Action):
    """Give something."""

    to: Seat = describe("whom of the Muses")


class Walk(Action):
    """Walk somewhere, up or down."""

    piece: int = describe("who")
    target: int = describe("where")
    up: bool = describe("which way")


class Pair(Value):
    """A choice of two beings that meet."""

    one: str
    other: str

    @classmethod
    def parse(cls, text: str) -> Pair:
        return cls(*text.split(","))

    def __str__(self) -> str:
        return f"{self.one},{self.other}"

    @property
    def parts(self) -> tuple[Part, ...]:
        return Part(Text("Who?"), self.one), Part(Text("Who?"), self.other)


class Meet(Action):
    """Meet."""

    pair: Pair = describe("who meet")


class Wait(Action):
    """Wait."""


def goes(origins: int, targets: int) -> list[Action]:
    return [Go(f"o{o}", f"t{t}") for o in range(origins) for t in range(targets)]


def labels(found: Step) -> list[str]:
    return [choice.label for choice in found.choices]


def test_many_options_begin_with_their_verbs_below_the_prompt():
    next_step = step([*goes(10, 6), Wait()], (), VOICE)
    assert [("Go", False), ("Wait", True)] == [(c.label, c.complete) for c in next_step.choices]
    assert ("Possible moves", False) == (next_step.question, next_step.is_part), "the prompt asks for it already"


def test_options_with_several_questions_are_listed_whole_up_to_eight():
    assert ["Go o0 t0", "Go o0 t1", "Go o1 t0", "Go o1 t1", "Wait"] == labels(step([*goes(2, 2), Wait()], (), VOICE))
    assert 8 == len(step(goes(4, 2), (), VOICE).choices)
    assert "Possible moves" == step(goes(4, 2), (), VOICE).question, "the rows answer all questions"
    assert ("From where?", ["o0", "o1", "o2"]) == asked_of(step(goes(3, 3), (), VOICE))


def test_options_too_long_for_a_list_are_asked_one_field_at_a_time():
    wide = "o" * (MAX_LETTERS - len("Go  t0"))
    assert f"Go {wide} t0" in labels(step([Go(wide, "t0"), Go("b", "t1")], (), VOICE)), "just short enough"
    assert ("From where?", [f"{wide}o", "b"]) == asked_of(step([Go(f"{wide}o", "t0"), Go("b", "t1")], (), VOICE))


def test_a_single_question_is_one_list_up_to_the_size_of_a_menu():
    assert 25 == len(step(goes(1, 25), (), VOICE).choices)
    next_step = step([*goes(1, 20), Wait()], (), VOICE)
    assert "Possible moves" == step(goes(1, 20), (), VOICE).question == next_step.question
    assert ("Wait", 21) == (labels(next_step)[-1], len(next_step.choices))
    assert ["Go", "Wait"] == labels(step([*goes(1, 25), Wait()], (), VOICE)), "one row too many"


def test_values_become_buttons_if_they_fit_and_whole_options_do_not():
    assert ["Go o0 t0", "Go o0 t1", "Go o0 t2"] == labels(step(goes(1, 3), (), VOICE)), "options fit as well"
    next_step = step(goes(1, 4), (), VOICE)
    assert (["t0", "t1", "t2", "t3"], False) == (labels(next_step), next_step.as_menu)
    assert not next_step.is_part, "the prompt asks for it already"
    assert "Go o0 t0" == labels(step(goes(1, 7), (), VOICE))[0], "not even that fits"


def asked_of(found: Step) -> tuple[str, list[str]]:
    """The question of a step and its answers; it is not the whole of what its decision asks."""
    assert found.is_part
    return found.question, labels(found)


def test_the_only_question_after_a_verb_is_asked_in_its_own_words():
    origins = [f"o{n}" for n in range(30)]
    assert ("From where?", origins) == asked_of(step([*goes(30, 1), Wait()], ("go",), VOICE))
    assert not step(goes(30, 1), (), VOICE).is_part, "without a choice before, the prompt asks for it"


def test_values_too_long_for_a_row_of_buttons_become_a_menu():
    assert 6 <= BUTTON_LINE // (BUTTON + width_of("o0"))
    assert not step(goes(LINE_BUTTONS, 30), (), VOICE).as_menu
    narrow, wide = (Step((), "", (Choice((), letter * 13, True),) * 2) for letter in "iw")
    assert (False, True) == (narrow.as_menu, wide.as_menu)
    assert step(goes(6, 30), (), VOICE).as_menu, "Discord shows five buttons in a line"
    assert step([*goes(2, 30), *(Go("o" * 40, f"t{n}") for n in range(30))], (), VOICE).as_menu


def test_values_with_a_description_are_typed_if_there_are_more_than_a_hundred():
    several = [Choice((str(n),), str(n), True) for n in range(101)]
    steps = [Step((), "", tuple(several[:count]), note=note) for count, note in ((100, "n"), (101, "n"), (101, ""))]
    assert [False, True, False] == [each.as_form for each in steps]


def test_columns_of_cells_are_listed_from_left_to_right():
    cells = [Cell(column, row) for row in range(9, 13) for column in "pkljnmh"]
    columns = step([Place(Muse.CLIO, cell, face) for cell in cells for face in Face], ("place", "clio"), VOICE)
    assert ("Which column?", [*"GJKLMNQ"]) == (columns.question, labels(columns))


def test_earlier_choices_are_summarized_and_values_stand_alone():
    next_step = step([*goes(10, 6), Wait()], ("go", "o1"), VOICE)
    assert ("Go · o1", "To", [f"t{n}" for n in range(6)]) == (next_step.summary, next_step.question, labels(next_step))
    assert all(choice.complete for choice in next_step.choices)


def test_values_beyond_one_menu_are_split_into_menus_of_about_equal_length():
    assert [13, 13] == list(map(len, step(goes(1, 26), (), VOICE).pages)), "and not in one of a single row"
    assert [24, 24, 24] == list(map(len, step(goes(1, 72), (), VOICE).pages))


def test_a_value_with_many_parts_is_chosen_part_by_part_if_the_list_is_too_long():
    pairs = [Meet(Pair(one, other)) for one, other in combinations("abcdefg", 2)]
    first = step(pairs, (), VOICE)
    assert ("Who?", ["A", "B", "C", "D", "E", "F", "G"]) == asked_of(first)
    for choice in (("meet", "~c"), ("meet", "~a")):
        then = step(pairs, choice, VOICE)
        assert len(then.choices) == 6
        assert {tuple(c.words[1].split(",")) for c in then.choices} == {
            tuple(sorted((choice[1][1], other))) for other in "abcdefg" if other != choice[1][1]
        }
    assert ("meet",) == before(pairs, ("meet", "~c"), VOICE)
    assert 6 == len(step(pairs[:6], (), VOICE).choices), "few are listed whole"


def test_every_option_can_be_reached_and_back_leads_to_the_start():
    pairs = [Meet(Pair(one, other)) for one, other in combinations("abcdefg", 2)]
    options = [*goes(11, 11), Give(Seat(0)), Give(Seat(1)), *pairs, Wait()]
    reached: set[str] = set()

    def walk(prefix: tuple[str, ...], depth: int) -> None:
        next_step = step(options, prefix, VOICE)
        parent = before(options, next_step.prefix, VOICE)
        assert (parent is None) == (depth == 0)
        for choice in next_step.choices:
            if choice.complete:
                reached.add(" ".join(choice.words))
            else:
                walk(choice.words, depth + 1)

    walk((), 0)
    assert reached == set(map(format_action, options))


def test_suggestions_match_the_other_typed_fields():
    options = [Go("a", "x"), Go("a", "y"), Go("b", "z")]
    assert {"x": "x", "y": "y"} == suggestions(options, {"origin": "A"}, "target", VOICE)
    assert {"a": "a", "b": "b"} == suggestions(options, {"origin": "a"}, "origin", VOICE)


class Asking(Frame["Desert", Action]):
    """A game with words of its own for its questions: for waiting, for wells, and for how far they are."""

    def decisions(self, state: Desert) -> tuple[Decision, ...]:
        raise NotImplementedError

    def resolve(self, state: Desert, seat: Seat, action: Action) -> tuple[Desert, tuple[Event, ...]]:
        raise NotImplementedError

    def gloss(self, state: Desert, action: Action) -> Text | None:
        return Text("far to {target}", target=action.target) if state.has_gloss and isinstance(action, Go) else None

    def named(self, state: Desert, action: Action, field: str = "") -> Text | None:
        if isinstance(action, Wait):
            return Text("Rest your camels")
        return Text("well {place}", place=getattr(action, field)) if state.named_wells and field else None

    def suggested(self, state: Desert) -> tuple[Action, ...]:
        return (Give(Seat(2)),)


class Desert(State):
    """A position of which a gloss may explain the options."""

    has_gloss: bool = False
    named_wells: bool = False

    def outcome(self) -> None:
        return None

    def observe(self, viewer: Seat | None) -> Desert:
        return self

    def determinize(self, viewer: Seat | None, rng: Random) -> Desert:
        return self


EXPLAINING = Voice(state=Desert((Asking(),), has_gloss=True))
SUGGESTING = Voice(state=Desert((Asking(),)))
NAMING = Voice(state=Desert((Asking(),), named_wells=True))


def test_a_whole_option_has_its_explanation():
    next_step = step([Go("a", "x"), Go("a", "y")], ("go",), EXPLAINING)
    assert ["far to x", "far to y"] == [choice.gloss for choice in next_step.choices]
    assert [("Go", "Go somewhere."), ("Rest your camels", "")] == [
        (choice.label, choice.gloss) for choice in step([*goes(10, 6), Wait()], (), EXPLAINING).choices
    ], "a verb says what it is for"


def test_values_and_whole_options_use_the_names_of_the_position():
    assert ["well o0", "well o1", "well o2", "well o3", "well o4"] == labels(step(goes(5, 11), (), NAMING))
    assert ["Go", "Rest your camels"] == labels(step([*goes(10, 6), Wait()], (), NAMING))
    assert {"x": "well x"} == suggestions([Go("a", "x")], {}, "target", NAMING)


def test_a_suggestion_that_leaves_one_option_explains_it():
    options = [Go("a", "x"), Go("a", "y"), Go("b", "z")]
    assert {"a": "a", "b": "b – far to z"} == suggestions(options, {}, "origin", EXPLAINING)
    assert {"x": "x – far to x", "y": "y – far to y"} == suggestions(options, {"origin": "a"}, "target", EXPLAINING)
    assert {"red": "Red"} == suggestions([Give(Seat(0))], {}, "to", EXPLAINING)


def test_back_leads_to_the_step_of_the_choice():
    options = [Go("o0", "t0"), *(Walk(n, to, True) for n in range(4) for to in range(26)), Wait()]
    assert () == before(options, ("go", "o0", "t0"), VOICE)
    assert ("walk", "1") == before(options, ("walk", "1", "2", "yes"), VOICE)
    assert ("go", "o1") == before(goes(5, 11), ("go", "o1", "t2"), VOICE)
    assert ("go",) == before([*goes(3, 2), *map(Give, map(Seat, range(3)))], ("go", "o1", "t1"), VOICE), "listed whole"
    assert before(goes(5, 11), (), VOICE) is None


class Animal(StrEnum):
    CAMEL = "C"
    WAR_ELEPHANT = "W"

    @property
    def label(self) -> str:
        return self.name.replace("_", " ").lower()


@pytest.mark.parametrize("typed", ["W", "w", " War elephant ", "war elephant"])
def test_a_value_can_be_typed_as_notation_or_as_text(typed):
    assert "W" == notation_word(typed, Animal)


def test_explained_options_become_a_menu_with_explanations():
    few = [Go("o0", f"t{n}") for n in range(2)]
    assert step(few, (), EXPLAINING).as_menu
    assert not step(few, (), VOICE).as_menu


def test_suggestions_are_whole_options_and_the_rest_are_typed():
    next_step = step([Give(Seat(n)) for n in range(3)], (), SUGGESTING)
    assert (True, ["Red", "Blue", "Yellow"]) == (next_step.as_form, labels(next_step))
    assert [(("give", "yellow"), "Give Yellow")] == [(choice.words, choice.label) for choice in next_step.suggested]
    verbs = step([*goes(10, 6), Give(Seat(2)), Wait()], (), SUGGESTING)
    assert (False, ()) == (verbs.as_form, verbs.suggested), "not before the last word"
    assert () == step([Give(Seat(2))], ("give",), SUGGESTING).suggested, "nothing else is left to type"


def test_a_description_is_capitalized_and_keeps_the_case_of_names_and_german_nouns():
    assert "Whom of the Muses" == step([Give(Seat(n)) for n in range(3)], (), SUGGESTING).note


@pytest.mark.parametrize(("typed", "word"), [("Yes ", "yes"), ("NO", "no"), ("maybe so", "maybeso")])
def test_a_yes_or_no_may_be_typed_in_any_case(typed: str, word: str) -> None:
    assert word == notation_word(typed, bool)
