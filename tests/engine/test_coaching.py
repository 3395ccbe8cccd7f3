"""Advice for a player who learns a game: one idea at a time, each once in a match, never to choose a bad option."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from engine.coaching import BEST, fresh_advice
from engine.core import Advised, Frame, GameSpec, State
from engine.games import discover
from engine.match import Match
from engine.texts import Seat, Text
from kit.contract import frames_of

LEARNER = Seat(0)
ADVISING = [spec for spec in discover().values() if any(frame.advice is not Frame.advice for frame in frames_of(spec))]
"""The games with advice, which is optional."""


def questions(spec: GameSpec) -> list[tuple[Match, Text | None]]:
    """The questions of a learner in a random match: the match up to each question, and its advice."""
    match, rng, positions = Match.begin(spec, spec.setup(spec.seats[0]), "learn"), Random("learn"), []
    while match.outcome is None and len(positions) < 60:
        decision = match.state.decisions()[0]
        if decision.seat == LEARNER and not decision.automatic:
            positions.append((match.copy(), fresh_advice(match, LEARNER)))
        match.play(decision.seat, rng.choice(list(decision.options)))
    return positions


@pytest.mark.parametrize("spec", ADVISING, ids=lambda spec: spec.slug)
def test_each_idea_is_given_once_in_a_match_and_the_first_question_has_one(spec: GameSpec) -> None:
    templates = [advice.template for _, advice in questions(spec) if advice]
    assert templates
    assert len(set(templates)) == len(templates)
    assert fresh_advice(questions(spec)[0][0], LEARNER) is not None


def test_advice_is_the_same_after_a_restart_and_on_another_look() -> None:
    spec = discover()["muscat"]
    for match, advice in questions(spec)[:20]:
        again = Match.replay(spec, match.setup, "learn", match.effective)
        assert advice == fresh_advice(again, LEARNER) == fresh_advice(match, LEARNER)


@pytest.mark.parametrize("is_usual", [True, False])
def test_an_idea_stays_new_if_its_question_was_not_shown_since_the_answer_was_the_usual_one(is_usual: bool) -> None:
    spec = discover()["alibaba"]
    match = Match.begin(spec, spec.setup(2), "usual")
    first, second = (stake_question(match, is_usual=is_usual) for _ in range(2))
    assert first is not None
    assert (first == second) == is_usual


def stake_question(match: Match, *, is_usual: bool) -> Text | None:
    """The advice on the learner's next question with a usual answer, which is then answered."""
    while True:
        decision = match.state.decisions()[0]
        if asks := decision.usual is not None and decision.seat == LEARNER:
            idea = fresh_advice(match, LEARNER)
        options = [option for option in decision.options if (option == decision.usual) == (asks and is_usual)]
        match.play(decision.seat, (options or decision.options)[-1])
        if asks:
            return idea


@pytest.mark.parametrize(("better", "is_told"), [(0, True), (2, False)])
def test_advice_to_choose_an_option_is_given_only_if_few_options_are_better(
    monkeypatch: pytest.MonkeyPatch, better: int, is_told: bool
) -> None:
    spec = discover()["muscat"]
    match = questions(spec)[0][0]
    options = match.state.decisions()[0].options
    assert len(options) < BEST * 2
    advised, idea = options[better], Text("Choose this one.")
    shares = {match.state.apply(LEARNER, option)[0]: 0.9 - n / 10 for n, option in enumerate(options)}
    monkeypatch.setattr(State, "advice", lambda _: (Advised(idea, advised),))
    judged = replace(spec, evaluate=lambda state: (shares[state],) * 3)
    match.spec = judged
    assert (idea if is_told else None) == fresh_advice(match, LEARNER)


@pytest.mark.parametrize("is_evaluated", [True, False])
def test_advice_to_choose_an_option_needs_one_that_is_there(
    monkeypatch: pytest.MonkeyPatch, is_evaluated: bool
) -> None:
    spec = discover()["muscat"]
    match = questions(spec)[0][0]
    there, gone = match.state.decisions()[0].options[0], match.parse("draw")
    match.spec = spec if is_evaluated else replace(spec, evaluate=None)
    assert gone not in match.state.decisions()[0].options
    idea = Text("Choose this one.")
    for option, is_told in ((gone, False), (there, True)):
        monkeypatch.setattr(State, "advice", lambda _, option=option: (Advised(idea, option),))
        assert is_told == (fresh_advice(match, LEARNER) == idea)
