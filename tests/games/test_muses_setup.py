"""The deal and the layout (rules 3 and 4)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from engine.games.muses import GAME
from engine.games.muses.actions import Deal
from engine.games.muses.state import Muses
from engine.games.muses.tiles import MUSES
from engine.match import Match
from engine.texts import CHANCE, Seat
from tests.games.muses_positions import Table, dealt, placed_tiles, table

ALL = "calliope,clio,erato,euterpe,melpomene,polyhymnia,terpsichore,thalia,urania"


@pytest.mark.parametrize(("seats", "size"), [(2, 4), (3, 3), (4, 2)])
def test_each_player_gets_four_three_or_two_muses(seats: int, size: int) -> None:
    state = dealt(seats, f"deal {ALL}").state
    assert [size] * seats == [len(hand) for hand in state.hands]
    assert MUSES[:size] == state.held(Seat(0))


def test_with_two_players_the_leftover_tile_lies_face_down_in_the_middle() -> None:
    state = dealt(2, f"deal {ALL}").state
    assert {"hiddenN": "0,0 n1"} == placed_tiles(state)
    assert ["The Neutral tile, which belongs to nobody, lies on M13."] == dealt(2, f"deal {ALL}").sentences()[-1:]


def test_with_four_players_the_leftover_tile_lies_face_up() -> None:
    assert {"urania": "0,0 n1"} == placed_tiles(dealt(4, f"deal {ALL}").state)


def test_with_three_players_no_tile_is_left_over() -> None:
    assert {} == placed_tiles(dealt(3, f"deal {ALL}").state)
    assert "With three players nothing is left." in GAME.rulebook.sections["3"].text


def test_any_two_places_of_a_deal_get_each_pair_of_muses_equally_often() -> None:
    start, rng = GAME.start(GAME.setup(3)), Random(5)
    deals: list[Deal] = [start.sample(rng) for _ in range(7200)]  # type: ignore[misc]
    pairs = Counter(
        (n, m, deal.muses[n], deal.muses[m]) for deal in deals for n, m in combinations(range(len(MUSES)), 2)
    )
    assert 36 * 72 == len(pairs)
    assert 50 < min(pairs.values()) <= max(pairs.values()) < 150


def test_a_deal_that_lacks_a_muse_cannot_be_replayed() -> None:
    with pytest.raises(ValueError, match="every Muse once"):
        GAME.start(GAME.setup(3)).apply(CHANCE, Deal((*MUSES[:8], MUSES[0])))


def test_each_seat_is_equally_likely_to_go_first() -> None:
    decision = dealt(4, f"deal {ALL}").decision
    assert (CHANCE, (1, 1, 1, 1)) == (decision.seat, decision.weights)
    assert 4 == len(decision.options)


def test_the_first_player_lays_the_first_tile_and_the_others_follow_clockwise() -> None:
    game = dealt(3, f"deal {ALL}", "first blue")
    seats = []
    while len(game.state.floor.tiles) < 9:
        seats.append(game.due)
        game.play(game.options()[0])
    assert [1, 2, 0] * 3 == seats


def test_the_first_player_takes_the_first_turn() -> None:
    game = dealt(3, f"deal {ALL}", "first yellow")
    while not game.options("step"):
        game.play(game.options()[0])
    assert 2 == game.due


def test_the_first_tile_goes_to_the_middle() -> None:
    game = dealt(3, f"deal {ALL}", "first red")
    assert {"m13"} == {text.split()[2] for text in game.options()}


def test_a_tile_is_laid_on_an_empty_cell_that_touches_another_by_edge_or_corner() -> None:
    game = dealt(4, f"deal {ALL}", "first red")
    around = {"l12", "m12", "n12", "l13", "n13", "l14", "m14", "n14"}
    assert around == {text.split()[2] for text in game.options()}


def test_the_neutral_tile_counts_as_a_neighbor_for_laying_tiles() -> None:
    game = dealt(2, f"deal {ALL}", "first red", "place clio n12 up")
    cells = {text.split()[2] for text in game.options()}
    assert {"l14", "o11"} < cells
    assert not {"m13", "n12", "p11"} & cells


def test_a_tile_is_laid_with_a_die_of_its_owners_company_on_1() -> None:
    game = dealt(4, f"deal {ALL}", "first red", "place clio n12 up", "place erato n13 up", "place melpomene n14 up")
    assert {"urania": "0,0 n1", "clio": "1,-1 r1", "erato": "1,0 b1", "melpomene": "1,1 r1"} == placed_tiles(game.state)


def test_each_muse_in_hand_may_be_laid_on_any_cell_with_either_side_up() -> None:
    game = dealt(2, f"deal {ALL}", "first red")
    assert 4 * 8 * 2 == len(game.options("place"))


def test_each_player_lays_exactly_one_muse_face_down_at_any_time() -> None:
    """Random layouts: everybody has hidden one, some early, some late."""
    moments: set[tuple[int, int]] = set()
    for seed in range(30):
        match, rng = Match.begin(GAME, GAME.setup(2), str(seed)), Random(seed)
        state = match.state
        assert isinstance(state, Muses)
        while state.is_placing:
            (decision,) = state.decisions()
            held = len(state.hands[decision.seat])
            action = rng.choice(decision.options)
            if action.face == "down":  # type: ignore[attr-defined]
                moments.add((decision.seat, held))
            match.play(decision.seat, action)
            state = match.state
            assert isinstance(state, Muses)
        assert 3 == sum(secret is not None for secret in state.secrets)
    assert {1, 2, 3, 4} == {held for _, held in moments}


def test_a_player_who_has_hidden_a_muse_lays_the_others_face_up() -> None:
    game = table({"hidden0=clio": "0,0 r1"}, hands=("erato thalia", "urania", "euterpe"))
    assert {"up"} == {text.split()[3] for text in game.options()}


def test_the_last_muse_goes_face_down_if_no_earlier_one_did() -> None:
    game = table({"clio": "0,0 r1", "erato": "1,0 r1"}, hands=("thalia", "urania", "euterpe"))
    assert {"down"} == {text.split()[3] for text in game.options()}


def test_a_layout_has_three_or_four_face_down_tiles() -> None:
    for seats, hidden in ((2, 3), (3, 3), (4, 4)):
        match, rng = Match.begin(GAME, GAME.setup(seats), "7"), Random(7)
        while match.state.is_placing:  # type: ignore[attr-defined]
            (decision,) = match.state.decisions()
            match.play(decision.seat, rng.choice(decision.options))
        assert hidden == sum(tile.startswith("hidden") for tile in placed_tiles(match.state))  # type: ignore[arg-type]
        assert 9 == len(placed_tiles(match.state))  # type: ignore[arg-type]


def test_placements_are_announced_to_all_and_face_down_muses_only_to_their_owner() -> None:
    game = dealt(3, f"deal {ALL}", "first red", "place clio m13 down", "place euterpe n13 up")
    heard = [[e for e in game.told if e.visible_to(viewer)][-2:] for viewer in (Seat(0), Seat(1), None)]
    owner, rival, public = ([_words(game, event) for event in events] for events in heard)
    assert ["You lay Clio face down on M13.", "Blue lays Euterpe on N13."] == owner
    assert ["Red lays a Muse face down on M13.", "Blue lays Euterpe on N13."] == rival == public


def _words(game: Table, event: object) -> str:
    return game.sentences()[game.told.index(event)]  # type: ignore[arg-type]


def test_the_names_of_four_seats_show_their_company() -> None:
    assert ("Red 1", "Blue 1", "Red 2", "Blue 2") == GAME.seat_names(GAME.setup(4))
    state = GAME.start(GAME.setup(4))
    assert [0, 1, 0, 1] == [state.company_of(seat) for seat in range(4)]  # type: ignore[attr-defined]
