"""The meaning of an option beside its name, in every language: the second line of a row, read at a glance."""

from __future__ import annotations

from random import Random

import pytest

from engine.core import GameSpec
from engine.games import discover
from engine.languages import reading
from engine.match import Match
from engine.wording import Voice
from locales import language_of, languages

NAMES = ("🟥 Ana", "🟦 Ben", "🟨 Caro", "🟢 Dan", "🟣 Eva", "🟠 Fay")
MAX_LETTERS = 80
SEEDS, EVERY, MAX_OPTIONS = 6, 3, 10


def glosses_of(spec: GameSpec, seed: int) -> set[tuple[str, str]]:
    """Glosses of options in a random game, each with its language."""
    rng, seats = Random(seed), spec.seats[seed % len(spec.seats)]
    match, glosses = Match.begin(spec, spec.setup(seats), str(seed)), set[tuple[str, str]]()
    while decisions := match.state.decisions():
        decision = rng.choice(decisions)
        if match.version % EVERY == 0:
            voice = Voice(NAMES[:seats], decision.seat, match.state.observe(decision.seat))
            options = rng.sample(decision.options, min(MAX_OPTIONS, len(decision.options)))
            for code in languages():
                with reading(language_of(code)):
                    glosses |= {(code, voice.gloss(option)) for option in options}
        match.play(decision.seat, rng.choice(decision.options))
    return glosses


@pytest.mark.parametrize("spec", discover().values(), ids=lambda spec: spec.slug)
def test_a_row_says_the_meaning_of_its_option_in_at_most_eighty_letters(spec: GameSpec) -> None:
    glosses = set().union(*(glosses_of(spec, seed) for seed in range(SEEDS)))
    assert [] == sorted(gloss for gloss in glosses if len(gloss[1]) > MAX_LETTERS)
