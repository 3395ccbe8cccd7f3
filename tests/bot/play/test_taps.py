"""A turn is a few taps, and every message and board of it one screen of a phone, counted over whole games."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

import pytest

from engine.core import GameSpec
from engine.games import discover
from tests.bot.app import App
from tests.bot.walks import name_of
from tests.playthroughs.taps import PHONE, SCREEN, TAPS, WORDS, play, play_games, repeatable
from tests.sampling import EVERYTHING

FIRST_TURNS = 50
"""Turns that are played of each game: all its lists are in these."""


@pytest.fixture
def alike() -> Iterator[None]:
    """Repeatable games."""
    with repeatable():
        yield


@pytest.mark.parametrize("spec", discover().values(), ids=name_of)
async def test_a_turn_needs_few_taps_and_fits_on_one_screen_with_readable_rows(
    app: App, alike: None, spec: GameSpec
) -> None:
    turns = await (play_games(app, spec) if EVERYTHING else play(app, spec, FIRST_TURNS))
    messages = [message for turn in turns for message in turn.messages]
    assert median(turn.taps for turn in turns) <= TAPS
    assert max(message.words for message in messages) <= WORDS
    highest = max(messages, key=lambda message: message.height)
    assert highest.height <= SCREEN, highest.text
    # the last board has a line for each player with the account of their points, and those of their ratings
    tallest = max(turns[:-1], key=lambda turn: turn.board)
    assert tallest.board <= PHONE, tallest.board_text
    lists = [choices for message in messages for choices in message.lists]
    assert lists
    assert [] == [fault for choices in lists for fault in choices.faults]
