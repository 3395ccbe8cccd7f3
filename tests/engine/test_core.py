"""Positions, setups, events and outcomes."""

from __future__ import annotations

from dataclasses import field, replace
from enum import StrEnum
from random import Random
from typing import TypeVar

import pytest

from engine.core import (
    Action,
    Decision,
    Event,
    Frame,
    GameSpec,
    Options,
    OptionValue,
    Outcome,
    Refusal,
    all_but,
    describe,
    field_types,
    only,
    option,
)
from engine.errors import SetupError
from engine.match import Match
from engine.rulebook import Rulebook
from engine.texts import CHANCE, Seat, Text
from tests.engine.toys import TOYS, toll
from tests.engine.toys.lay import Deal
from tests.engine.toys.toll import GAME as TOLL
from tests.engine.toys.toll import Levy, Reason, Road, Travel, Turn, Walk, Walking

A = TypeVar("A", bound=Action)


def test_a_setup_uses_defaults_for_missing_choices() -> None:
    assert {"road": 8, "fast": False} == TOLL.setup(2).chosen()


def test_the_chosen_values_of_a_setup_reproduce_it() -> None:
    setup = TOLL.setup(3, {"road": 4, "fast": True})
    assert setup == TOLL.setup(3, setup.chosen())


@pytest.mark.parametrize(
    ("seats", "options", "sentence"),
    [
        (4, {}, "Toll is for 2 to 3 players, not for 4."),
        (2, {"speed": 1}, "Toll has no option “speed”; it has road, fast."),
        (2, {"road": 5}, "“road” can be 8, 4, not 5."),
        (2, {"fast": 1}, "“fast” can be no, yes, not 1."),
        (2, {"road": True}, "“road” can be 8, 4, not yes."),
    ],
)
def test_an_unsupported_setup_is_refused_with_an_explanation(
    seats: int, options: dict[str, bool | int], sentence: str
) -> None:
    with pytest.raises(SetupError) as caught:
        TOLL.setup(seats, options)
    assert sentence == str(caught.value.text)


def test_a_game_for_two_or_four_players_does_not_claim_three() -> None:
    with pytest.raises(SetupError) as caught:
        TOYS["lay"].setup(3)
    assert "Lay is for 2 or 4 players, not for 3." == str(caught.value.text)


def test_conflicting_options_are_refused_by_their_own_check() -> None:
    class Clashing(Options):
        teams: bool = option(False, "Partners")

        def check(self, seats: int) -> None:
            if self.teams and seats != 4:
                raise SetupError("teams", "Partners need four players.")

    spec = GameSpec(
        slug="clash",
        title="Clash",
        summary="",
        seats=(2, 4),
        options=Clashing,
        actions=(),
        chances=(),
        rules_version=1,
        rulebook=Rulebook.parse(""),
        start=toll.start,
    )
    assert spec.setup(4, {"teams": True}).options.teams
    with pytest.raises(SetupError, match="Partners need four players"):
        spec.setup(2, {"teams": True})


def of_letters(text: str) -> str:
    """The name of a text, which has to be all letters."""
    if not text.isalpha():
        raise SetupError("letters", f"{text} is no word.")
    return f"The word {text}"


class Worded(Options):
    word: str = option("house", "A word", "house", "none", file=of_letters)
    size: int = option(1, "A size", 1, 2)


WORDED = replace(TOLL, options=Worded)


def test_an_option_with_a_file_accepts_any_text_the_game_can_use() -> None:
    words = ["house", "none", "dune"]
    assert words == [WORDED.setup(2, {"word": word}).options.word for word in words]
    assert {"word": "dune", "size": 1} == WORDED.setup(2, {"word": "dune"}).chosen()
    with pytest.raises(SetupError, match="12 is no word"):
        WORDED.setup(2, {"word": "12"})


@pytest.mark.parametrize("options", [{"word": 1}, {"word": None}, {"size": "dune"}])
def test_file_text_must_be_a_string_and_belong_to_an_option_that_takes_a_file(options: dict[str, OptionValue]) -> None:
    with pytest.raises(SetupError, match="can be"):
        WORDED.setup(2, options)


def test_an_optional_field_counts_as_its_other_type() -> None:
    assert Seat is field_types(TOYS["garden"].actions[0])["neighbor"]


class Whisper(Event):
    template = "Psst."

    word: str = field(default="")


def test_an_event_without_audience_is_visible_to_all_seats_and_the_public() -> None:
    assert all(Whisper().visible_to(viewer) for viewer in (None, Seat(0), Seat(1)))


def test_a_secret_and_its_complement_reach_every_viewer_exactly_once() -> None:
    """The public is not a seat, but it must get the public half of a secret, too."""
    secret = Whisper(audience=only(Seat(1)))
    public = Whisper(audience=all_but(Seat(1), seats=3))
    assert [Seat(1)] == [v for v in (None, *map(Seat, range(3))) if secret.visible_to(v)]
    assert [None, Seat(0), Seat(2)] == [v for v in (None, *map(Seat, range(3))) if public.visible_to(v)]


def test_a_reason_is_worded_by_its_label_or_its_value() -> None:
    class End(StrEnum):
        NO_MOVES = "no-moves"
        PALACE = "palace"

        @property
        def label(self) -> str:
            return "The palace is full." if self is End.PALACE else ""

    assert ["No moves.", "The palace is full."] == [str(Outcome((1.0,), (0,), end).summary) for end in End]
    assert "Arrived." == str(Outcome((1.0,), (0,), Reason.ARRIVED).summary)


def test_weighted_draws_follow_their_weights() -> None:
    road = Road((Turn(Seat(0)), Walking(Seat(0))), (0, 0), (2, 2), 8, False)
    rng = Random(1)
    walks = [road.sample(rng) for _ in range(6000)]
    counts = [walks.count(Walk(n)) for n in (1, 2, 3)]
    assert [3000, 2000, 1000] == pytest.approx(counts, rel=0.1)


def test_a_draw_too_large_to_list_is_sampled_by_its_frame() -> None:
    start = TOYS["lay"].start(TOYS["lay"].setup(4))
    (decision,) = start.decisions()
    dealt = start.sample(Random(1))
    assert (CHANCE, ()) == (decision.seat, decision.options)
    assert isinstance(dealt, Deal)
    assert 12 == len(set(dealt.cards))


def test_a_question_with_one_option_is_forced_and_still_asked() -> None:
    match = Match.begin(TOLL, TOLL.setup(2), "seed")
    assert match.decision_of(Seat(0)).forced


def test_a_verb_that_does_not_answer_the_question_never_gets_to_it() -> None:
    road = TOLL.start(TOLL.setup(2))
    with pytest.raises(TypeError, match="“walk” does not answer Turn"):
        road.apply(Seat(0), Walk(1))


class Asking(Frame["Road", A]):
    def decisions(self, state: Road) -> tuple[Decision, ...]:
        return (Decision(Seat(0), Text("Walk, or take toll."), (Walk(1), Levy(True))),)


class AskingTwo(Asking[Walk | Levy]):
    def resolve(self, state: Road, seat: Seat, action: Walk | Levy) -> tuple[Road, tuple[Event, ...]]:
        return replace(state, frames=()), ()


class AskingAgain(AskingTwo):
    def why_not(self, state: Road, seat: Seat, action: Action) -> Refusal | None:
        return Refusal(Text("Not so fast."), "2") if isinstance(action, Walk) else None


def test_a_question_accepts_the_verbs_of_its_base_classes() -> None:
    verbs = [question.verbs for question in (Walking, Asking, AskingTwo, AskingAgain)]
    assert [(Walk,), (), (Walk, Levy), (Walk, Levy)] == verbs
    road = TOLL.start(TOLL.setup(2))
    assert not any(
        replace(road, frames=(AskingAgain(),)).apply(Seat(0), verb)[0].frames for verb in (Walk(1), Levy(True))
    )


def test_a_refusal_comes_from_the_game_or_names_the_pending_decision() -> None:
    road = replace(TOLL.start(TOLL.setup(2)), frames=(AskingAgain(),))
    assert Refusal(Text("Not so fast."), "2") == road.refuse(Seat(0), Walk(9))
    general = road.refuse(Seat(0), Travel())
    assert ("“Travel” is not possible now. To decide: Walk, or take toll.", "1") == (str(general.text), general.rule)


def test_actions_of_the_same_values_but_another_verb_differ() -> None:
    class Stride(Action):
        steps: int = describe("How far")

    assert Stride(1) != Walk(1)
