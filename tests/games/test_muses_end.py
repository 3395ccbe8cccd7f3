"""The end of a hand, points, bonus, and the end of the game (rules 7 to 9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.core import Outcome
from engine.games.muses import GAME
from engine.games.muses.events import EndReason
from engine.games.muses.scoring import NOBODY, Ranking, bonus_size, winners
from engine.games.muses.state import MAX_TURNS, Muses
from engine.texts import CHANCE
from renders.games.muses.description import COUNTDOWN_TURNS
from tests.games.muses_positions import Table, floor_of, placed_tiles, table

# Tiles that touch each other, two for Red and two for Blue with the given values; only Red's first one moves.


def about_to_end(red: Sequence[int], blue: Sequence[int], **told: Any) -> Table:
    """A game for two; Calliope, who carries the first die of Red, will step on to 6. No die matches its suns."""
    spots = ("0,0", "0,1", "1,2", "2,2", "2,3", "3,3", "3,4", "4,4")
    names = ("calliope", "clio", "erato", "euterpe", "melpomene", "polyhymnia", "terpsichore", "thalia")
    dice = [f"r{value}" for value in red] + [f"b{value}" for value in blue]
    tiles = {name: f"{spot} {die}" for name, spot, die in zip(names, spots, dice, strict=False)}
    return table(tiles, seats=2, powers="none", **told)


def rank(game: Table) -> Ranking:
    """Let luck turn up the tiles, and compare the dice."""
    game.play("turn-up")
    done = game.state.finished
    assert done is not None
    return done.ranking


def test_a_hand_ends_at_once_when_a_die_shows_6() -> None:
    assert about_to_end([5, 4], [4, 4]).play("step calliope w").over


@pytest.mark.parametrize("name", ["hidden0=thalia", "urania"])
def test_any_die_can_end_the_hand_even_a_hidden_or_neutral_one(name: str) -> None:
    tiles = {"calliope": "0,0 r1", name: "1,0 n5", "erato": "1,1 b1"}
    assert table(tiles).play("step calliope e").over


def test_several_dice_can_reach_6_together() -> None:
    tiles = {"calliope": "0,0 r5", "clio": "1,0 b5", "erato": "1,1 y1"}
    game = table(tiles).play("step calliope e")
    assert {"calliope": "1,0 r6", "clio": "2,0 b6"}.items() <= placed_tiles(game.state).items()


def test_no_power_follows_a_move_that_ended_the_hand() -> None:
    game = table({"calliope": "0,0 r5", "erato": "1,1 b1"}).play("step calliope s")
    assert (CHANCE, ["turn-up"]) == (game.due, game.options())


def test_no_move_follows_a_power_that_ended_the_hand() -> None:
    game = table({"calliope": "0,0 r1", "erato": "1,1 b5"}).play("power calliope erato")
    assert (CHANCE, ["turn-up"]) == (game.due, game.options())


def test_all_face_down_tiles_are_turned_up_and_announced() -> None:
    tiles = {"calliope": "0,0 r5", "hidden1=thalia": "1,1 b1", "hidden0=urania": "0,1 r1"}
    game = table(tiles).play("step calliope w", "turn-up")
    assert "Turned up: Urania (Red’s) and Thalia (Blue’s)." == game.sentences()[2]
    neutral = table({"calliope": "0,0 r5", "hiddenN=thalia": "1,1 n1"}).play("step calliope s", "turn-up")
    assert "Turned up: Thalia (Neutral)." == neutral.sentences()[2]


def test_the_end_of_a_hand_names_the_dice_that_ended_it_and_their_owners() -> None:
    tiles = {"hidden1=thalia": "1,1 r5", "calliope": "0,1 n5", "clio": "0,0 b1"}
    game = table(tiles).play("step calliope e", "turn-up")
    assert "The hand ends with the Neutral 6 on Calliope and Red’s 6 on Blue’s hidden Muse." == game.sentences()[1]


def test_every_die_that_equals_the_suns_of_its_tile_becomes_6() -> None:
    tiles = {"calliope": "0,0 r5", "hidden1=thalia": "1,1 b2", "erato": "0,1 r1", "clio": "1,2 n2", "urania": "2,2 b2"}
    game = table(tiles).play("step calliope w", "turn-up")
    done = game.state.finished
    assert done is not None
    values = dict(zip(done.floor.tiles, done.floor.values, strict=True))
    assert {0: 6, 1: 6, 2: 6, 7: 6, 8: 2} == values
    assert "These dice show their suns and become 6: Clio, Erato and Thalia." in game.sentences()


def test_the_suns_still_count_without_powers() -> None:
    tiles = {"calliope": "0,0 r5", "erato": "0,1 r1"}
    game = table(tiles, powers="none").play("step calliope w", "turn-up")
    assert "These dice show their suns and become 6: Erato." in game.sentences()


def test_dice_are_sorted_from_high_to_low_without_the_neutral_one() -> None:
    tiles = {"calliope": "0,0 r5", "urania": "1,1 n5", "clio": "0,1 b4", "erato": "1,0 r4", "thalia": "0,2 b5"}
    ranks = rank(table(tiles, seats=2, powers="none").play("step calliope w"))
    assert ((6, 4), (5, 4)) == ranks.dice


def test_the_single_highest_die_of_a_rank_wins_and_a_tie_has_no_winner() -> None:
    game = about_to_end([5, 4], [4, 4]).play("step calliope w")
    assert (0, NOBODY) == rank(game).winners


def test_the_bonus_of_a_company_that_wins_several_ranks_comes_with_the_first() -> None:
    game = about_to_end([5, 4], [3, 2]).play("step calliope w")
    assert (0, 0) == rank(game).winners
    assert "Rank 1 also brings the bonus: +1." in game.sentences()


def test_the_first_untied_rank_earns_the_bonus() -> None:
    game = about_to_end([5, 4], [5, 5])
    ranks = rank(game.play("step calliope w"))
    assert (0, 1) == ranks.winners
    assert ((2, 1), (1, 0)) == (game.state.points, game.state.bonuses)


def test_no_bonus_is_paid_if_every_rank_is_tied() -> None:
    tiles = {"calliope": "0,0 r5", "euterpe": "-1,0 b5", "clio": "0,1 r4", "thalia": "1,1 b4"}
    game = table(tiles, seats=2, powers="none").play("step calliope w")
    assert NOBODY == rank(game).bonus
    assert "Every rank is tied: no points, no bonus." == game.sentences()[-1]
    assert ((0, 0), (0, 0)) == (game.state.points, game.state.bonuses)


@pytest.mark.parametrize(
    ("hand", "hands", "paid", "size"),
    [
        (1, 1, False, 1),
        (1, 2, False, 1),
        (2, 2, False, 1),
        (2, 2, True, 2),
        (1, 3, False, 1),
        (2, 3, True, 1),
        (3, 3, True, 2),
        (3, 3, False, 1),
    ],
)
def test_the_bonus_is_1_and_becomes_2_in_the_last_hand_if_one_was_paid_earlier(
    hand: int, hands: int, paid: bool, size: int
) -> None:
    assert size == bonus_size(hand, hands, paid=paid)


def test_the_next_hand_is_a_new_deal_and_the_next_seat_begins() -> None:
    game = about_to_end([5, 4], [4, 4], first=1).play("step calliope w", "turn-up")
    state = game.state
    assert (2, 0, CHANCE, {}) == (state.hand, state.first, game.due, placed_tiles(state))
    assert ((), ()) == state.hands


def test_points_and_bonuses_carry_over_from_hand_to_hand() -> None:
    game = about_to_end([5, 4], [4, 4], points=(3, 2), bonuses=(1, 0), hand=2).play("step calliope w", "turn-up")
    assert ((6, 2), (3, 0)) == (game.state.points, game.state.bonuses)


def test_the_game_ends_after_the_last_hand() -> None:
    game = about_to_end([5, 4], [4, 4], hand=2).play("step calliope w", "turn-up")
    assert () == game.state.decisions()
    outcome = game.state.outcome()
    assert outcome is not None
    assert (EndReason.HANDS, (1.0, 0.0)) == (outcome.reason, outcome.returns)
    assert "The game is over. The last hand has been played." == game.sentences()[-1]


def outcome_of(state: Muses) -> Outcome:
    outcome = state.outcome()
    assert outcome is not None
    return outcome


@pytest.mark.parametrize(
    ("points", "bonuses", "sums", "won"),
    [
        ((5, 4, 0), (0, 3, 0), (3, 18, 18), (0,)),
        ((5, 5, 5), (1, 2, 1), (18, 3, 18), (1,)),
        ((5, 5, 0), (1, 1, 1), (16, 15, 18), (0,)),
        ((5, 5, 5), (1, 1, 1), (16, 16, 15), (0, 1)),
    ],
)
def test_ties_are_broken_by_bonus_points_then_dice_sums_before_the_win_is_shared(
    points: tuple[int, ...], bonuses: tuple[int, ...], sums: tuple[int, ...], won: tuple[int, ...]
) -> None:
    assert won == winners(points, bonuses, sums)


def test_dice_are_compared_and_summed_with_their_values_after_apollo() -> None:
    """Erato's 1 becomes a 6 for Blue. Both have 5 points then, 2 of them from bonuses; 6 + 4 beats 6 + 3."""
    tiles = {"calliope": "0,0 r5", "clio": "0,1 r3", "erato": "1,1 b1", "polyhymnia": "1,2 b4"}
    score = {"hand": 2, "points": (5, 2), "bonuses": (2, 0)}
    game = table(tiles, seats=2, powers="none", **score).play("step calliope w", "turn-up")
    done = game.state.finished
    assert done is not None
    assert ((6, 3), (6, 4)) == done.ranking.dice
    assert ((5, 5), (2, 2)) == (game.state.points, game.state.bonuses)
    assert (0.0, 1.0) == outcome_of(game.state).returns


def test_teammates_win_together_with_the_same_score() -> None:
    tiles = {"calliope": "0,0 r5", "clio": "0,1 r4", "erato": "1,2 b4", "thalia": "2,2 b3"}
    game = table(tiles, seats=4, powers="none", hand=2).play("step calliope w", "turn-up")
    outcome = outcome_of(game.state)
    assert ((0.5, 0.0, 0.5, 0.0), (3, 0, 3, 0)) == (outcome.returns, outcome.scores)
    assert (0, 2) == outcome.winners


def test_the_target_ends_the_game_after_the_scoring_of_a_hand() -> None:
    score = {"points": (5, 0), "bonuses": (0, 0), "hand": 1}
    game = about_to_end([5, 4], [4, 4], target=7, **score).play("step calliope w", "turn-up")
    assert EndReason.TARGET == outcome_of(game.state).reason
    short = about_to_end([5, 4], [4, 4], target=7, points=(4, 0), bonuses=(0, 0)).play("step calliope w", "turn-up")
    assert short.state.outcome() is None


def test_the_last_hand_is_the_reason_for_the_end_even_if_the_target_is_reached() -> None:
    game = about_to_end([5, 4], [4, 4], target=7, points=(5, 0), hand=2).play("step calliope w", "turn-up")
    assert EndReason.HANDS == outcome_of(game.state).reason


def test_a_hand_ends_after_200_turns_even_if_no_die_shows_6() -> None:
    game = about_to_end([2, 3], [4, 4], turns=199).play("step calliope w")
    assert game.over
    assert "The hand ends after 200 turns." == game.sentences()[-1]
    assert ((6, 3), (4, 4)) == rank(game).dice, "Calliope’s 3 has met her three suns"
    assert not about_to_end([2, 3], [4, 4], turns=198).play("step calliope w").over


def test_melpomene_can_prolong_a_hand_to_the_200th_turn() -> None:
    """Her step and her power together change no die."""
    game = table({"melpomene": "0,0 n1", "clio": "0,1 r4", "erato": "1,1 b4", "thalia": "2,2 y4"})
    results = []
    for turn in range(200):
        results.append(game.state.turns_left)
        game.play(f"step melpomene {'ew'[turn % 2]}", "power melpomene")
    assert list(range(200, 0, -1)) == results
    assert (True, 0) == (game.over, game.state.turns_left)
    assert "The hand ends after 200 turns." == game.sentences()[-1]
    assert [1, 4, 4, 4] == sorted(game.state.floor.values)


def test_the_rules_mention_the_limit_of_200_turns() -> None:
    text = GAME.rulebook.sections["7.2"].text
    assert f"After {MAX_TURNS} turns" in text
    assert "Melpomene" in text
    assert f"From {COUNTDOWN_TURNS} turns before" in text


def test_a_hand_ended_by_a_six_has_no_turns_left() -> None:
    game = about_to_end([5, 4], [4, 4], turns=150)
    assert 50 == game.state.turns_left
    assert 0 == game.play("step calliope w").state.turns_left


def test_a_finished_hand_is_visible_to_every_player() -> None:
    tiles = {"calliope": "0,0 r5", "hidden1=thalia": "1,1 b1"}
    state = table(tiles).play("step calliope s", "turn-up").state
    assert state == state.observe(None)
    assert state.finished is not None
    assert floor_of({"calliope": "0,1 r6", "thalia": "1,1 b1"})[0] == state.finished.floor
