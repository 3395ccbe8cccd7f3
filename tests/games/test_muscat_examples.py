"""The worked examples of the rules, by their numbers."""

from __future__ import annotations

import pytest

from engine.games.muscat.artists import strength_order
from engine.games.muscat.events import EndReason
from engine.games.muscat.verbs.cycle import CycleRan
from engine.games.muscat.verbs.rise import EnteredPalace, Jumped, Rose
from tests.games.muscat_positions import KINDS, at, in_palace, in_street, on_market, over, table

SNAKES = {"3A": "S1", "3B": "S1", "3C": "S2"}
"""All fields of snake charmers on level 3 are taken."""


@pytest.mark.parametrize(("missing", "order"), [("P", "SEF"), ("S", "EFP"), ("E", "FPS"), ("F", "PSE")])
def test_example_1_the_strength_order_starts_clockwise_from_the_missing_artist(missing: str, order: str) -> None:
    assert order == "".join(KINDS[field] for field in strength_order(KINDS.index(missing)))


def test_example_2_two_artists_rise_where_their_owners_choose_and_the_weakest_falls() -> None:
    t = table(markets={"1A": "S0 E1 F2"}).play("cycle 1A")
    assert (t.due, t.options()) == (0, ["rise 2A", "rise 2B", "rise 2C"])
    t.play("rise 2B")
    assert (t.due, t.options()) == (1, ["rise 2A", "rise 2C"])
    t.play("rise 2A")
    assert (on_market(t.state, "1A"), on_market(t.state, "2A"), on_market(t.state, "2B")) == ("", "E1", "S0")
    assert in_street(t.state, 1) == "F2"
    assert t.due == t.state.turn == 1


def test_example_3_only_the_riser_without_a_market_on_the_next_level_jumps() -> None:
    t = table(markets={"2A": "S0 E1 F2", **SNAKES}).play("cycle 2A")
    assert t.options() == ["rise 4A", "rise 4B", "rise 4C"]
    t.play("rise 4C")
    assert t.options() == ["rise 3A", "rise 3B", "rise 3C"]
    t.play("rise 3A")
    assert [Jumped, Rose] == [type(event) for event in t.shown(Jumped, Rose)]


def test_example_4_two_risers_that_jump_to_the_same_level_must_split() -> None:
    full = {"2A": "P0 E0 F0", "2B": "P1 E2 F1", "2C": "P2 E2 F2"}
    t = table(markets={"1A": "S0 E1 F2", **full}).play("cycle 1A")
    assert t.options() == ["rise 3A", "rise 3B", "rise 3C"]
    t.play("rise 3B")
    assert (t.due, t.options()) == (1, ["rise 3A", "rise 3C"])


def test_example_4_variant_the_strongest_jumps_into_the_palace_without_a_choice() -> None:
    snakes = {"4A": "S1", "4B": "S1", "4C": "S2"}
    t = table(markets={"3A": "S0 E1 F2", **snakes}).play("cycle 3A")
    assert in_palace(t.state) == "S0"
    assert (t.due, t.options()) == (1, ["rise 4A", "rise 4B", "rise 4C"])


CROWDED = {"1A": "S0 E1 F2", "2A": "E2", "2C": "S2 E2"}


def test_example_5_the_strongest_can_force_the_second_into_a_career_jump() -> None:
    t = table(markets=CROWDED).play("cycle 1A")
    assert t.options() == ["rise 2A", "rise 2B"]
    t.play("rise 2B")
    assert (t.due, t.options()) == (1, ["rise 3A", "rise 3B", "rise 3C"])


def test_example_5_the_strongest_can_deny_the_second_a_career_jump() -> None:
    t = table(markets=CROWDED).play("cycle 1A", "rise 2A")
    assert (t.due, t.options()) == (1, ["rise 2B"])


def test_example_6_a_change_of_place_runs_the_cycle_and_costs_a_never_do_well() -> None:
    t = table(markets={"1B": "S0", "1C": "E1 F2"}, streets={3: "P0"})
    assert t.options("change") == ["change S 1B 1C"]
    t.play("change S 1B 1C", "rise 2A", "rise 2B")
    assert in_street(t.state, 1) == "F2"
    assert (t.due, t.options()) == (0, ["remove P 3"])
    t.play("remove P 3")
    assert (t.due, in_street(t.state, 3)) == (1, "")


def test_example_6_a_change_of_place_needs_a_never_do_well() -> None:
    assert table(markets={"1B": "S0", "1C": "E1 F2"}).options("change") == []


def test_example_7_after_an_expulsion_between_full_markets_the_player_picks_the_cycle() -> None:
    t = table(markets={"1A": "S2 E1 F0", "1B": "P2 S2 F1"}, streets={1: "E0"})
    assert "expel F 1A 1B" in t.options("expel")
    t.play("expel F 1A 1B")
    assert (on_market(t.state, "1A"), on_market(t.state, "1B")) == ("S2 E1 F1", "P2 S2 F0")
    assert (t.due, t.options()) == (0, ["pick 1A", "pick 1B"])
    t.play("pick 1B")
    assert t.due == 0
    t.play("rise 2A")
    assert t.due == 2
    t.play("rise 2B")
    assert (on_market(t.state, "1A"), on_market(t.state, "1B")) == ("S2 E1 F1", "")
    assert (on_market(t.state, "2A"), on_market(t.state, "2B")) == ("F0", "P2")
    assert (in_street(t.state, 1), t.due, t.options()) == ("E0 S2", 0, ["remove E 1"])


def test_example_8_with_one_full_market_its_cycle_runs_without_a_pick() -> None:
    t = table(markets={"1A": "E1 F0", "1B": "P2 S2 F1"}, streets={1: "E0"}).play("expel F 1A 1B")
    assert [at("1B")] == [ran.market for ran in t.shown(CycleRan)]
    assert t.options("rise")


def test_example_8_an_expulsion_needs_a_full_market() -> None:
    assert table(markets={"1A": "E1 F0", "1B": "S2 F1"}, streets={1: "E0"}).options("expel") == []


def test_example_9_a_transformed_artist_is_the_strongest_and_costs_no_further_price() -> None:
    t = table(markets={"1A": "P1 S0 F2"}, streets={4: "E0"})
    assert t.options("transform") == ["transform 1A 4"]
    t.play("transform 1A 4")
    assert t.due == 0
    t.play("rise 2A")
    assert t.due == 2
    t.play("rise 2B")
    assert (on_market(t.state, "2A"), on_market(t.state, "2B")) == ("E0", "F2")
    assert (in_street(t.state, 1), in_street(t.state, 4)) == ("P1", "")
    assert t.due == t.state.turn == 1


def test_example_10_a_new_artist_without_a_free_market_goes_to_street_1() -> None:
    t = table(markets={"1A": "S1", "1B": "S1", "1C": "S2"}, faceup={0: "S"}, luck="E")
    assert t.options("place") == ["place street"]
    t.play("place street")
    assert (in_street(t.state, 1), t.state.score(0), t.state.faceup(0)) == ("S0", -1, "E")


def test_example_11_points_for_palace_markets_and_streets() -> None:
    t = table(
        markets={"4A": "P0", "4B": "S0", "3A": "E0", "2A": "F0", "1A": "P0"},
        streets={1: "S0", 3: "E0"},
        palace="P0 S0 F0",
    )
    assert t.state.score(0) == 54


def test_example_12_after_the_sixth_courtier_the_round_is_played_to_its_end() -> None:
    t = table(turn=1, markets={"4A": "S0 E1 F2"}, palace="P0 P0 P1 P1 P2").play("cycle 4A")
    assert (t.state.palace_count, t.state.last_round, over(t.state), t.due) == (7, True, None, 2)
    t.play("draw", t.options()[0])
    assert over(t.state) is EndReason.PALACE


EMPTY_HANDED = {"markets": {"1A": "S1 E1 F1"}, "faceup": {1: ""}, "piles": {1: ""}}


def test_example_13_a_player_without_artists_to_bring_in_or_re_employ_ends_the_game() -> None:
    t = table(**EMPTY_HANDED).play("place B")
    assert over(t.state) is EndReason.EXHAUSTION


def test_example_13_a_player_who_can_re_employ_an_artist_plays_on() -> None:
    t = table(**EMPTY_HANDED, streets={2: "P1"}).play("place B")
    assert over(t.state) is None
    assert t.options("reemploy") == ["reemploy P 2A", "reemploy P 2B", "reemploy P 2C"]


def test_example_14_a_cycle_on_level_4_needs_no_decision() -> None:
    t = table(markets={"4A": "S0 E1 F2"}).play("cycle 4A")
    assert (in_palace(t.state), in_street(t.state, 4), t.due) == ("S0 E1", "F2", 1)
    assert len(t.shown(EnteredPalace)) == 2
