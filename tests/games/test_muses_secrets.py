"""Hidden information (rule 11). That nothing of it shows is part of the contract, and tested with the pictures."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine.games.muses import GAME
from engine.games.muses.state import Muses
from engine.games.muses.tiles import MUSES
from engine.match import Match
from engine.texts import Seat
from tests.games.muses_positions import dealt, position, table

ALL = "calliope,clio,erato,euterpe,melpomene,polyhymnia,terpsichore,thalia,urania"


def test_only_the_owner_sees_a_hand() -> None:
    state = dealt(2, f"deal {ALL}").state
    for viewer in (None, Seat(0), Seat(1)):
        held = [state.observe(viewer).held(Seat(seat)) for seat in range(2)]
        assert [seat == viewer for seat in range(2)] == [None not in hand for hand in held]


def test_the_size_of_a_hand_is_public() -> None:
    state = dealt(3, f"deal {ALL}").state
    assert [3, 3, 3] == [len(hand) for hand in state.observe(None).hands]


@pytest.mark.parametrize(("seats", "neutral", "unknown"), [(2, "up", 2), (3, "up", 2), (4, "up", 3), (4, "down", 4)])
def test_each_player_faces_two_three_or_four_unknown_tiles(seats: int, neutral: str, unknown: int) -> None:
    match, rng = Match.begin(GAME, GAME.setup(seats, {"neutral_face_4p": neutral}), "unknown"), Random(1)
    while match.state.is_placing:  # type: ignore[attr-defined]
        (decision,) = match.state.decisions()
        match.play(decision.seat, rng.choice(decision.options))
    for seat in map(Seat, range(seats)):
        seen = match.state.observe(seat)
        assert isinstance(seen, Muses)
        assert unknown == sum(seen.muse(tile) is None for tile in seen.floor.tiles)


def test_a_determinized_world_deals_exactly_the_unseen_muses() -> None:
    tiles = {"hidden0=clio": "0,0 r1", "hidden1=erato": "1,0 b1", "hiddenN=thalia": "1,1 n1"}
    others = [muse for muse in MUSES if muse not in ("clio", "erato", "thalia")]
    state = position(tiles | {muse: f"{n},2 r1" for n, muse in enumerate(others)}, seats=2)
    worlds = {state.determinize(Seat(0), Random(seed)).secrets for seed in range(40)}
    assert {(1, 2, None, None, 7), (1, 7, None, None, 2)} == worlds


def test_each_hand_of_another_player_is_as_likely_in_a_determinized_world() -> None:
    state = dealt(4, f"deal {ALL}").state
    hands = Counter(state.determinize(Seat(0), Random(seed)).hands[1] for seed in range(1500))
    assert 15 == len(hands), "two of the six Muses that the first player does not see"
    assert 60 < min(hands.values()) <= max(hands.values()) < 140


def test_the_options_of_a_power_never_reveal_a_face_down_muse() -> None:
    """The options are the same for every Muse that lies there."""
    hidden = ("hidden1=thalia", "hidden1=erato", "hidden1=euterpe")
    rest = {"polyhymnia": "0,0 r1", "clio": "1,0 b2", "urania": "0,1 y1"}
    variants = {tuple(table({**rest, name: "1,1 b3"}).options()) for name in hidden}
    assert 1 == len(variants)


def test_turning_up_tiles_cannot_be_undone() -> None:
    match, rng = Match.begin(GAME, GAME.setup(2), "3"), Random(3)
    seat = Seat(0)
    while match.state.hand == 1:  # type: ignore[attr-defined]
        seat = match.state.decisions()[0].seat
        match.play(seat, rng.choice(match.state.decisions()[0].options))
    assert "refused" == match.undo_policy(seat).kind
