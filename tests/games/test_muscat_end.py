"""Rules 6 and 7: both ends, points and ties."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.games.muscat.events import Ended, EndReason, Exhausted, LastRoundBegan
from engine.games.muscat.state import Muscat
from engine.games.muscat.verbs.turn_up import TurnedUp
from engine.ties import LOWER_PLACES, STILL_TIED
from tests.games.muscat_positions import over, position, table

TRIO = {"4A": "S0 E1 F2"}
FOUR = "P0 P0 P1 P1"
SPENT = {"faceup": {0: "", 1: "", 2: ""}, "piles": {0: "", 1: "", 2: ""}}
"""Nobody has a token left to bring in."""


@pytest.mark.parametrize(("seats", "limit"), [(3, 6), (4, 8), (5, 8)])
def test_the_palace_triggers_the_last_round_at_6_tokens_or_8_with_four_or_more_players(seats: int, limit: int) -> None:
    courtiers = " ".join(f"{artist}{seat}" for artist in "PS" for seat in (0, 1) for _ in range(3))
    enough = " ".join(courtiers.split()[: limit - 2])
    assert position(seats=seats).palace_limit == limit
    few = table(seats=seats, markets=TRIO, palace=" ".join(enough.split()[1:])).play("cycle 4A")
    assert (few.state.palace_count, few.state.last_round) == (limit - 1, False)
    full = table(seats=seats, markets=TRIO, palace=enough).play("cycle 4A")
    assert (full.state.palace_count, full.state.last_round, over(full.state)) == (limit, True, None)
    assert len(full.shown(LastRoundBegan)) == 1


def test_the_palace_limit_counts_tokens_of_all_colors() -> None:
    assert position(palace="P0 S1 E2").palace_count == 3


def test_the_last_round_is_finished_to_give_each_player_the_same_number_of_turns() -> None:
    t = table(markets=TRIO, palace=FOUR).play("cycle 4A")
    for seat in (1, 2):
        assert (t.due, over(t.state)) == (seat, None)
        t.play("place A" if seat == 1 else "place B")
    assert over(t.state) is EndReason.PALACE
    assert [LastRoundBegan(), Ended(EndReason.PALACE)] == t.shown(LastRoundBegan, Ended)


def test_the_last_player_of_a_round_ends_the_game_at_once() -> None:
    t = table(turn=2, markets=TRIO, palace=FOUR).play("cycle 4A")
    assert over(t.state) is EndReason.PALACE
    assert t.shown(LastRoundBegan) == []


def test_the_palace_may_exceed_the_limit_in_the_last_round() -> None:
    t = table(turn=1, round=9, last_round=True, markets=TRIO, palace=f"{FOUR} S1 S1").play("cycle 4A")
    assert (t.state.palace_count, over(t.state)) == (8, None)
    assert t.shown(LastRoundBegan) == []


def test_the_next_artist_is_turned_up_before_the_palace_is_checked() -> None:
    t = table(turn=2, last_round=True, palace=f"{FOUR} S1 S1", luck="E").play("place A")
    assert [TurnedUp(2, "E"), Ended(EndReason.PALACE)] == t.told[-2:]


def test_at_the_end_of_a_round_the_palace_is_checked_before_exhaustion() -> None:
    hands = {"faceup": {0: "", 2: "E"}, "piles": {0: "", 2: ""}}
    assert over(table(turn=2, last_round=True, **hands).play("place A").state) is EndReason.PALACE
    assert over(table(turn=2, **hands).play("place A").state) is EndReason.EXHAUSTION


def test_exhaustion_ends_the_last_round_too() -> None:
    t = table(last_round=True, faceup={1: ""}, piles={1: ""}).play("place A")
    assert (over(t.state), t.state.turn) == (EndReason.EXHAUSTION, 1)


def test_the_end_names_the_player_without_artists_to_bring_in_or_send_back_to_work() -> None:
    t = table(faceup={1: ""}, piles={1: ""}).play("place A")
    assert t.told[-1] == Exhausted(EndReason.EXHAUSTION, 1)
    assert t.sentences()[-1] == ("The game is over: Blue has nobody left to bring in or to send back to work.")
    assert (
        str(EndReason.EXHAUSTION.label)
        == "A player has run out of artists: none to bring in, and none who can go back to work."
    )


def test_exhaustion_counts_even_if_a_cycle_could_be_set_in_motion() -> None:
    t = table(markets={"1A": "S1 E1 F1"}, faceup={1: ""}, piles={1: ""}).play("place B")
    assert over(t.state) is EndReason.EXHAUSTION


def test_an_artist_that_cannot_go_back_to_work_does_not_prevent_exhaustion() -> None:
    occupied = {"2A": "P1", "2B": "P0", "2C": "P2"}
    hands = {"faceup": {1: ""}, "piles": {1: ""}}
    t = table(markets=occupied, streets={2: "P1"}, **hands).play("place A")
    assert over(t.state) is EndReason.EXHAUSTION


def test_a_player_with_a_face_up_artist_is_never_exhausted() -> None:
    t = table(markets={"1A": "S1", "1B": "S1", "1C": "S2"}, faceup={1: "S"}, piles={1: ""}).play("draw", "place A")
    assert over(t.state) is None
    assert t.options() == ["place street"]


def test_the_start_player_is_not_exhausted_by_empty_streets_in_the_first_round() -> None:
    assert over(position()) is None


@pytest.mark.parametrize(("level", "points"), [(1, 2), (2, 4), (3, 6), (4, 8)])
def test_an_artist_on_a_level_scores_2_4_6_or_8(level: int, points: int) -> None:
    assert position(markets={f"{level}A": "P0 S1"}).score(0) == points


def test_an_artist_in_the_palace_scores_10() -> None:
    assert position(palace="P0 E0 F1").score(0) == 20


@pytest.mark.parametrize("street", [1, 2, 3, 4])
def test_an_artist_in_a_street_costs_its_number(street: int) -> None:
    assert position(streets={street: "P0 P0 S1"}).score(0) == -2 * street


def test_supply_and_removed_tokens_score_nothing() -> None:
    assert position(piles={0: "PSE"}).score(0) == 0


def last_turn(**told: object) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Returns and scores after Yellow ends the game by bringing a piper to 1A."""
    hands = {"faceup": {2: "P"}, "piles": {2: ""}}
    outcome = table(turn=2, last_round=True, **hands, **told).play("place A").state.outcome()
    assert outcome is not None
    return outcome.returns, outcome.scores


def test_most_points_win() -> None:
    assert last_turn(markets={"4A": "P0"}) == ((1.0, 0.0, 0.0), (8, 0, 2))


def test_scores_can_be_negative() -> None:
    assert last_turn(streets={4: "P0 S1 E1"})[1] == (-4, -8, 2)


def test_a_tie_goes_to_the_player_with_more_tokens_on_the_board() -> None:
    markets = {"4A": "P0", "2A": "P1", "2B": "S1"}
    assert last_turn(markets=markets) == ((0.0, 1.0, 0.0), (8, 8, 2))


def test_tokens_in_the_palace_markets_and_streets_count_for_the_tie_break() -> None:
    setup = {"markets": {"1B": "P0", "4A": "E1"}, "palace": "S0", "streets": {4: "E0"}}
    assert last_turn(**setup) == ((1.0, 0.0, 0.0), (8, 8, 2))


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        ([(8, 3), (8, 2), (8, 1)], "Tied on points: artists on the board decide, 3 to 2 and 1. {lower}"),
        ([(8, 3), (8, 3), (8, 1)], "Tied on points: artists on the board decide, 3 to 1. {shared}"),
        ([(8, 3), (8, 3), (8, 3)], "Tied on points and on artists on the board: the win is shared."),
        ([(9, 1), (8, 3), (8, 2)], "{lower}"),
        ([(8, 3), (8, 2), (7, 1)], "Tied on points: artists on the board decide, 3 to 2."),
    ],
)
def test_each_player_with_equal_points_reads_why_they_have_their_place(
    monkeypatch: pytest.MonkeyPatch, ranks: list[tuple[int, int]], expected: str
) -> None:
    monkeypatch.setattr(Muscat, "score", lambda _, seat: ranks[seat][0])
    monkeypatch.setattr(Muscat, "_tokens_on_board", lambda _, seat: ranks[seat][1])
    outcome = replace(position(), ended=EndReason.PALACE).outcome()
    assert outcome is not None
    assert expected.format(lower=LOWER_PLACES, shared=STILL_TIED) == str(outcome.tie_break)


def test_an_unbroken_tie_is_a_shared_win() -> None:
    assert last_turn(markets={"4A": "P0", "4B": "S1"}) == ((0.5, 0.5, 0.0), (8, 8, 2))
