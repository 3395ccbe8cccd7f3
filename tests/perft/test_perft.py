"""Every game counted twice: by the engine and by a naive second reading of its rules."""

from __future__ import annotations

from random import Random

import pytest

from engine.notation import format_action
from tests.perft.counting import (
    FOLDER,
    NAIVE,
    SLUGS,
    Root,
    answers,
    count,
    difference,
    starts,
    stored_roots,
)
from tests.sampling import EVERYTHING


def _name(root: Root) -> str:
    return f"{root.slug}, {root.name}"


each_root = pytest.mark.parametrize("root", tuple(stored_roots()), ids=_name)
each_start = pytest.mark.parametrize("start", tuple(starts()), ids=_name)


def test_every_perft_file_has_a_naive_implementation() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.perft")) == SLUGS


@each_root
def test_both_implementations_offer_the_same_options_and_as_many_as_stored(root: Root) -> None:
    depth = len(root.leaves)
    counted = tuple(count(root.engine(), root.naive(), depth))
    assert root.leaves == counted, difference(root.engine(), root.naive(), depth)


@each_start
def test_both_implementations_agree_in_whole_games(start: Root) -> None:
    for seed in range(NAIVE[start.slug].SEEDS if EVERYTHING else 1):
        rng, state, game = Random(f"{start.seats}/{seed}"), start.engine(), start.naive()
        while state.outcome() is None:
            seat, options = answers(state)
            seat_asked, moves = game.moves()
            assert (seat_asked, sorted(moves)) == (seat, sorted(options))
            action = options[rng.choice(sorted(options))] if options else state.sample(rng)
            state, _ = state.apply(seat, action)
            game.play(format_action(action))
        assert "" == difference(state, game, 1)
        result = game.result()
        assert result == {name: getattr(state.outcome(), name) for name in result}
