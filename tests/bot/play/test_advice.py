"""Advice for beginners takes two lines of a phone at most, in every language."""

from __future__ import annotations

import pytest

from engine.coaching import ideas
from engine.core import GameSpec
from engine.games import discover
from engine.languages import reading
from engine.texts import CHANCE, Text
from kit.playouts import steps_of
from locales import language_of, languages
from tests.bot.walks import name_of

MAX_ADVICE = 96
"""Letters of two lines of small print on a phone."""


def advice_of(spec: GameSpec) -> set[Text]:
    """The advice on all questions of the playouts, which have every number of seats and every value of an option."""
    questions = (step.before.observe(step.seat) for step in steps_of(spec) if step.seat != CHANCE)
    return {idea for question in questions for idea in ideas(question)}


@pytest.mark.parametrize("spec", discover().values(), ids=name_of)
def test_advice_fits_on_two_lines_of_a_phone(spec: GameSpec) -> None:
    advice, sentences = advice_of(spec), set[str]()
    for code in languages():
        with reading(language_of(code)):
            sentences |= {f"{code}: {idea}" for idea in advice}
    assert [] == sorted(sentence for sentence in sentences if len(sentence) > MAX_ADVICE + len("en: "))
