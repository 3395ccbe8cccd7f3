"""Advice for beginners takes two lines of a phone at most, in every language."""

from __future__ import annotations

import pytest

from engine.coaching import ideas
from engine.core import GameSpec
from engine.games import discover
from engine.languages import reading
from locales import language_of, languages
from tests.bot.walks import CASES, name_of, walk

MAX_ADVICE = 96
"""Letters of two lines of small print on a phone."""


@pytest.mark.parametrize("spec", discover().values(), ids=name_of)
def test_advice_takes_two_lines_of_a_phone(spec: GameSpec) -> None:
    seats = max(seats for case, seats in CASES if case.slug == spec.slug)
    seen = {
        idea
        for table in walk(spec, seats, "advice")
        for decision in table.playing().state.decisions()
        for idea in ideas(table.playing().state.observe(decision.seat))
    }
    sentences = set()
    for code in languages():
        with reading(language_of(code)):
            sentences |= {f"{code}: {idea}" for idea in seen}
    assert [] == sorted(sentence for sentence in sentences if len(sentence) > MAX_ADVICE + len("en: "))
