"""A turn is a few taps, and every message of it one screen of a phone, counted over whole games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

import pytest

from bot.play.narrowing import step, words_of
from engine.core import Action, GameSpec
from engine.games import discover
from engine.texts import CHANCE
from engine.wording import Voice
from tests.bot.inn import Inn
from tests.bot.walks import name_of
from tests.playthroughs.recorder import FOLDER, Playthrough
from tests.playthroughs.taps import SCREEN, TAPS, WORDS, pooled, repeatable

MOST = 3
MEDIAN = 1
"""The taps of a single decision after *Your move*."""

RECORDED = [slug for slug in discover() if any((FOLDER / slug).glob("*.txt"))]


def taps_to(options: Sequence[Action], action: Action) -> int:
    words, taps = words_of(action), 0
    prefix: tuple[str, ...] = ()
    while True:
        taps += 1
        choices = step(options, prefix, Voice()).choices
        chosen = next(choice for choice in choices if words[: len(choice.words)] == choice.words)
        if chosen.complete:
            return taps
        prefix = chosen.words


def decisions(slug: str) -> Iterator[int]:
    """The taps that each decision of the recorded games takes."""
    for record in sorted((FOLDER / slug).glob("*.txt")):
        for before, seat, action, _, _ in Playthrough.read(record.read_text(encoding="utf-8")).steps():
            decision = next(decision for decision in before.decisions() if decision.seat == seat)
            if seat != CHANCE and not decision.automatic:
                yield taps_to(decision.options, action)


@pytest.mark.parametrize("slug", RECORDED)
def test_a_decision_takes_few_taps(slug: str) -> None:
    taps = list(decisions(slug))
    assert max(taps) <= MOST
    assert median(taps) <= MEDIAN


@pytest.fixture
def alike() -> Iterator[None]:
    """The same games in every run."""
    with repeatable():
        yield


@pytest.mark.parametrize("spec", discover().values(), ids=name_of)
async def test_a_whole_turn_takes_few_taps_and_each_message_of_it_is_one_screen(
    inn: Inn, alike: None, spec: GameSpec
) -> None:
    turns = await pooled(inn, spec)
    messages = [message for turn in turns for message in turn.messages]
    assert median(turn.taps for turn in turns) <= TAPS
    assert max(message.words for message in messages) <= WORDS
    highest = max(messages, key=lambda message: message.height)
    assert highest.height <= SCREEN, highest.text
