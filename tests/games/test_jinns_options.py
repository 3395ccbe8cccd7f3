"""The options of the host and the later edition (rule 9)."""

from __future__ import annotations

import dataclasses

import pytest

from engine.core import OptionValue
from engine.errors import SetupError
from engine.games.jinns import GAME
from engine.games.jinns.events import EndReason
from engine.games.jinns.options import Terms, terms_of
from engine.texts import Seat
from tests.games.jinns_positions import table


def terms(seats: int = 4, **options: OptionValue) -> Terms:
    return terms_of(GAME.setup(seats, options))


EARLY = {
    "random": False,
    "colors_chosen": False,
    "partners": True,
    "neutral_counts": True,
    "team_score": False,
    "repetition_limit": 3,
}
LATER = {**EARLY, "random": True, "partners": False, "neutral_counts": False}


def test_the_defaults_are_the_early_rules() -> None:
    assert Terms(seats=4, **EARLY) == terms()  # type: ignore[arg-type]


def test_the_later_edition_has_random_setup_no_partners_and_no_neutral_tower_points() -> None:
    assert Terms(seats=4, **LATER) == terms(edition="later")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "value", "term", "meaning"),
    [
        ("setup", "placement", "random", False),
        ("partners", "yes", "partners", True),
        ("neutral_tower", "mover", "neutral_counts", True),
    ],
)
def test_a_chosen_option_overrides_the_edition(name: str, value: str, term: str, meaning: bool) -> None:
    assert Terms(seats=4, **LATER | {term: meaning}) == terms(edition="later", **{name: value})  # type: ignore[arg-type]


def test_the_early_edition_accepts_single_options_of_the_later_one() -> None:
    changed = terms(setup="random", partners="no", neutral_tower="zero")
    assert Terms(seats=4, **LATER) == changed  # type: ignore[arg-type]


@pytest.mark.parametrize("seats", [2, 3])
def test_options_for_another_number_of_players_have_no_effect(seats: int) -> None:
    assert terms(seats) == terms(seats, partners="yes", team_score=True)


def test_team_score_needs_partners() -> None:
    assert not terms(partners="no", team_score=True).team_score


def test_without_partners_opposite_rivals_may_be_covered_and_the_mover_keeps_whole_towers() -> None:
    t = table({0: "Y3", 3: "R2", 6: "B2", 9: "B3 G4 R1"}, seats=4, partners="no")
    assert ["move 0 1 9"] == t.options("move 0 1 9")
    t.play("move 0 1 9")
    assert (["B3 G4 R1 Y3"], []) == (t.taken(0), t.taken(2))


def test_without_partners_no_tower_of_three_is_taken() -> None:
    t = table({0: "Y1", 3: "B2 G1", 20: "B3"}, seats=4, partners="no")
    assert ["move 0 1 3", "move 0 1 20"] == t.options()


def test_with_zero_a_tower_topped_by_the_neutral_color_is_taken_but_scores_nothing() -> None:
    t = table({0: "B1 R1 G3", 2: "Y1", 4: "Y2", 6: "Y3"}, seats=3, neutral_tower="zero").play("move 0 3 6")
    assert (["Y3 B1 R1 G3"], 0) == (t.taken(0), t.state.taken_points(Seat(0)))
    assert "A tower of four! 0 points for Yellow." in t.sentences()


def test_with_two_players_no_color_is_neutral_and_zero_changes_nothing() -> None:
    t = table({0: "R1"}, neutral_tower="zero", taken={1: "Y1 R1 B1 G1"})
    assert (1, 4) == t.scores


def test_a_repetition_limit_of_two_ends_the_game_at_the_second_occurrence() -> None:
    t = table({0: "Y4 B1", 5: "R4"}, turn=1, repetition_limit=2).play("move 0 1 5", "move 5 1 0")
    assert EndReason.REPETITION is t.over


def test_a_draft_uses_a_random_layout() -> None:
    assert terms(colors="draft").random


def test_a_draft_with_hand_placed_pawns_is_refused() -> None:
    with pytest.raises(SetupError, match="random layout"):
        terms(colors="draft", setup="placement")


@pytest.mark.parametrize("seats", GAME.seats)
def test_seats_are_named_by_color_or_in_a_draft_by_side_of_the_lake(seats: int) -> None:
    names = [GAME.seat_names(GAME.setup(seats, {"colors": colors})) for colors in ("fixed", "draft")]
    assert ("Yellow", "Blue", "Red", "Green")[:seats] == names[0]
    assert ("North", "South") == names[1] or set(names[1]) <= {"North", "East", "South", "West"}


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_seat_has_the_color_it_is_named_after_and_none_in_a_draft(seats: int) -> None:
    fixed, draft = (GAME.setup(seats, {"colors": colors}) for colors in ("fixed", "draft"))
    assert GAME.seat_names(fixed) == GAME.seat_colors(fixed)
    assert ("",) * seats == GAME.seat_colors(draft)


def test_the_rules_call_every_option_and_value_as_menus_do() -> None:
    section = GAME.rulebook.sections["9"].text
    for field in dataclasses.fields(GAME.options):
        assert f"**{field.metadata['title']}**" in section
        words = [choice for choice in field.metadata["choices"] if isinstance(choice, str)]
        assert [] == [word for word in words if f"“{word.replace('_', ' ')}”" not in section]


def test_the_summary_of_a_turn_names_the_piles_that_the_number_of_players_allows() -> None:
    turns = {seats: str(short.turn) for seats in GAME.seats if (short := GAME.short_in(GAME.setup(seats)))}
    assert [2] == [seats for seats, turn in turns.items() if "You play two colors." in turn]
    assert [3] == [seats for seats, turn in turns.items() if "You can move neutral piles, too." in turn]
