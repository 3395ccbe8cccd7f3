"""Sentences quote options in words, without the signs of lists."""

from __future__ import annotations

from random import Random

import pytest

from engine.core import Decision, GameSpec
from engine.games import discover
from engine.languages import reading
from engine.match import Match
from engine.texts import CHANCE
from engine.wording import Voice
from locales import language_of, languages
from tests.sampling import every

SIGNS = "→⇄"


def name_of(spec: GameSpec) -> str:
    return spec.slug


def quotes(match: Match, decision: Decision) -> tuple[list[str], list[str]]:
    """The labels of the options, and how a sentence quotes them."""
    voice = Voice(match.names, decision.seat, match.state.observe(decision.seat))
    return [voice.label(option) for option in decision.options], [voice.quote(option) for option in decision.options]


@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize("spec", discover().values(), ids=name_of)
def test_a_quoted_option_has_words_for_signs_and_differs_from_the_others(spec: GameSpec, code: str) -> None:
    rng, match = Random(code), Match.begin(spec, spec.setup(spec.seats[0]), code)
    while decisions := match.state.decisions():
        decision = rng.choice(decisions)
        if decision.seat != CHANCE and match.ply % every(3) == 0:
            with reading(language_of(code)):
                labels, quoted = quotes(match, decision)
            assert [] == [quote for quote in quoted if set(quote) & set(SIGNS)]
            assert len(set(labels)) == len(set(quoted)), sorted(quoted)
        match.play(decision.seat, rng.choice(decision.options))
