"""Rule 5: the cycle of power. One test for each sentence."""

from __future__ import annotations

import pytest

from engine.games.muscat.verbs.cycle import CycleRan, Fell
from engine.games.muscat.verbs.rise import EnteredPalace, Jumped, JumpedIntoPalace, Rose
from tests.games.muscat_positions import at, in_palace, in_street, on_market, table

TRIO = "S0 E1 F2"
"""The piper is missing: Red is strongest, Blue second, Yellow weakest."""


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_the_weakest_falls_to_the_street_below_the_level(level: int) -> None:
    t = table(markets={f"{level}B": TRIO}).play(f"cycle {level}B")
    assert in_street(t.state, level) == "F2"
    assert [Fell(2, "F", at(f"{level}B"), level)] == t.shown(Fell)


def test_all_three_leave_the_market() -> None:
    assert on_market(table(markets={"2B": TRIO}).play("cycle 2B").state, "2B") == ""


def test_the_strongest_rises_first() -> None:
    t = table(turn=2, markets={"1A": TRIO}).play("cycle 1A")
    assert (t.due, t.state.turn) == (0, 2)
    assert t.state.rising == ((0, "S", at("1A")), (1, "E", at("1A")))
    t.play("rise 2A")
    assert (t.due, t.state.turn) == (1, 2)
    assert t.state.rising == ((1, "E", at("1A")),)
    t.play("rise 2B")
    assert (t.due, t.state.turn, t.state.rising) == (0, 0, ())


def test_both_risers_may_belong_to_one_player() -> None:
    t = table(turn=1, markets={"1A": "S2 E2 F1"}).play("cycle 1A")
    assert t.due == 2
    t.play("rise 2A")
    assert (t.due, t.options()) == (2, ["rise 2B", "rise 2C"])


def test_a_market_with_the_kind_is_not_admissible() -> None:
    assert table(markets={"1A": TRIO, "2B": "S1"}).play("cycle 1A").options() == ["rise 2A", "rise 2C"]


def test_a_market_with_three_artists_is_not_admissible() -> None:
    assert table(markets={"1A": TRIO, "2B": "P1 E1 F1"}).play("cycle 1A").options() == ["rise 2A", "rise 2C"]


def test_the_second_may_not_follow_the_strongest() -> None:
    assert table(markets={"1A": TRIO}).play("cycle 1A", "rise 2B").options() == ["rise 2A", "rise 2C"]


def test_a_single_option_is_still_a_decision() -> None:
    t = table(markets={"1A": TRIO, "2A": "S1", "2B": "S1"}).play("cycle 1A")
    assert t.options() == ["rise 2C"]
    assert t.decision.forced


def test_without_an_admissible_market_the_riser_jumps() -> None:
    t = table(markets={"1A": TRIO, "2A": "S1", "2B": "S1", "2C": "S2"}).play("cycle 1A", "rise 3B")
    assert [Jumped(0, "S", at("1A"), at("3B"))] == t.shown(Jumped, Rose)


def test_a_jump_passes_every_level_without_an_admissible_market() -> None:
    occupied = {f"{level}{market}": "S1" for level in (2, 3) for market in "AB"}
    t = table(markets={"1A": TRIO, **occupied, "2C": "S2", "3C": "S2"}).play("cycle 1A")
    assert t.options() == ["rise 4A", "rise 4B", "rise 4C"]


def test_a_jump_can_reach_the_palace() -> None:
    markets = {"3A": TRIO, "4A": "S1", "4B": "S1", "4C": "S2"}
    t = table(markets=markets).play("cycle 3A")
    assert [JumpedIntoPalace(0, "S", at("3A"))] == t.shown(EnteredPalace)
    assert "Red’s snake charmer makes a career jump into the palace." in t.sentences()


def test_entering_the_palace_from_level_4_is_not_a_jump() -> None:
    t = table(markets={"4A": TRIO}).play("cycle 4A")
    assert [EnteredPalace(0, "S", at("4A")), EnteredPalace(1, "E", at("4A"))] == t.shown(EnteredPalace)
    assert "Red’s snake charmer enters the palace." in t.sentences()


def test_the_prompt_of_a_riser_says_whether_it_jumps() -> None:
    t = table(markets={"1A": TRIO, "2A": "S1", "2B": "S1", "2C": "S2"}).play("cycle 1A")
    assert str(t.decision.prompt) == "Jump with your snake charmer to level 3."
    t.play("rise 3B")
    assert str(t.decision.prompt) == "Place your elephant trainer on level 2."


def test_both_may_jump_into_the_palace_and_the_turn_ends() -> None:
    markets = {"3A": TRIO, "4A": "S1 E0", "4B": "S1 E2", "4C": "S2 E2"}
    t = table(markets=markets).play("cycle 3A")
    assert (in_palace(t.state), t.due) == ("S0 E1", 1)


def test_the_strongest_may_climb_while_the_second_jumps_into_the_palace() -> None:
    markets = {"3A": TRIO, "4A": "E0", "4B": "E2", "4C": "E2"}
    t = table(markets=markets).play("cycle 3A", "rise 4B")
    assert (on_market(t.state, "4B"), in_palace(t.state), t.due) == ("S0 E2", "E1", 1)


def test_from_level_4_both_go_to_the_palace() -> None:
    assert in_palace(table(markets={"4C": TRIO}).play("cycle 4C").state) == "S0 E1"


def test_arriving_artists_set_no_market_in_motion() -> None:
    t = table(markets={"1A": TRIO, "2A": "E2 F2"}).play("cycle 1A", "rise 2A", "rise 2B")
    assert on_market(t.state, "2A") == "S0 E2 F2"
    assert [at("1A")] == [ran.market for ran in t.shown(CycleRan)]


def test_the_seconds_markets_are_determined_after_the_strongest_is_placed() -> None:
    t = table(markets={"1A": TRIO, "2A": "F1 P1", "2B": "E0", "2C": "E2"}).play("cycle 1A", "rise 2A")
    assert t.options() == ["rise 3A", "rise 3B", "rise 3C"]


def test_the_points_of_risers_stay_pending_until_they_arrive() -> None:
    t = table(markets={"2A": TRIO, "1B": "P0"}).play("cycle 2A")
    assert [(2, 4), (0, 4), (-2, 0)] == [(t.state.score(seat), t.state.rising_points(seat)) for seat in range(3)]
    t.play("rise 3A")
    assert [(8, 0), (0, 4), (-2, 0)] == [(t.state.score(seat), t.state.rising_points(seat)) for seat in range(3)]
    t.play("rise 3B")
    assert [(8, 0), (6, 0), (-2, 0)] == [(t.state.score(seat), t.state.rising_points(seat)) for seat in range(3)]


def test_the_pending_points_of_two_risers_of_a_seat_add_up() -> None:
    t = table(markets={"3A": "S0 E0 F2"}).play("cycle 3A")
    assert 12 == t.state.rising_points(0)


def test_the_events_of_a_cycle_read_well() -> None:
    t = table(markets={"1A": TRIO, "2A": "E1", "2C": "S2 E2"}).play("cycle 1A", "rise 2B", "rise 3A")
    assert t.sentences() == [
        "Red sets 1A in motion: their own snake charmer and Blue’s elephant trainer rise.",
        "Yellow’s fire eater falls to street 1.",
        "Red’s snake charmer climbs to 2B.",
        "Blue’s elephant trainer makes a career jump to 3A.",
    ]
