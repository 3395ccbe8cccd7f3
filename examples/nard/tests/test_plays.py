"""Legal plays, counted by an independent program: OpenSpiel's backgammon."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path

import pytest

from engine.texts import Seat

sys.path.insert(0, str(Path(__file__).parent))
from plays import plays, spiel_rolls, stored_counts

LIVE_ROLLS = 150


def test_as_many_plays_are_legal_as_openspiel_counted() -> None:
    stored = list(stored_counts())
    assert len(stored) > 150
    assert {count == 1 for _, count in stored} == {True, False}, "rolls with and without a choice"
    wrong = [(roll, count) for roll, count in stored if len(plays(roll)) != count]
    assert [] == wrong


def test_both_seats_have_the_same_plays() -> None:
    for roll, _ in islice(stored_counts(), 60):
        assert plays(roll) == plays(roll, Seat(1)), roll


def test_the_same_plays_are_legal_as_in_openspiel() -> None:
    pytest.importorskip("pyspiel", reason="open_spiel is not installed: pip install 'caravanserai-nard[test]'")
    rolls = (pair for seed in range(10_000) for pair in spiel_rolls(1000 + seed))
    for roll, theirs in islice(rolls, LIVE_ROLLS):
        assert theirs == plays(roll), roll
