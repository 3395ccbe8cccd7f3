"""Rule 4: what a turn can be. One test for each sentence."""

from __future__ import annotations

import pytest

from engine.games.muscat.artists import Artist
from engine.games.muscat.board import token_of
from engine.games.muscat.verbs.cycle import CycleRan
from engine.games.muscat.verbs.place import Placed, Stranded
from engine.games.muscat.verbs.turn_up import TurnedUp
from engine.texts import Seat
from tests.games.muscat_positions import at, in_street, on_market, table

PAIR = {"2A": "S0", "2B": "E1 F2"}
"""Markets on which Red can move from 2A to the pair on 2B."""


def test_a_turn_is_exactly_one_action() -> None:
    t = table(luck="E").play("place A")
    assert (t.due, t.state.turn) == (1, 1)


def test_players_may_not_pass() -> None:
    verbs = {text.split()[0] for text in table(markets=PAIR, streets={1: "P0"}).options()}
    assert verbs == {"place", "draw", "reemploy", "change"}


# --- 4.1 Bring in a new artist ---


def test_the_face_up_artist_goes_to_a_market_of_level_1() -> None:
    t = table(faceup={0: "F"}, luck="E").play("place C")
    assert on_market(t.state, "1C") == "F0"
    assert [Placed(0, "F", at("1C")), TurnedUp(0, "E")] == t.told


def test_the_next_artist_is_turned_up_after_the_face_up_one_is_placed() -> None:
    t = table(faceup={0: "F"}, luck="E").play("place C")
    assert t.state.faceup(0) == "E"


def test_no_artist_is_turned_up_from_an_empty_pile() -> None:
    t = table(faceup={0: "F"}, piles={0: ""}).play("place C")
    assert t.state.faceup(0) is None
    assert not t.shown(TurnedUp)


def test_a_drawn_artist_leaves_the_face_up_one_where_it_is() -> None:
    t = table(faceup={0: "F"}, luck="E").play("draw", "place A")
    assert (on_market(t.state, "1A"), t.state.faceup(0), t.due) == ("E0", "F", 1)


def test_an_empty_pile_offers_no_draw() -> None:
    assert "draw" not in table(piles={0: ""}).options()


def test_a_drawn_artist_must_be_brought_in() -> None:
    t = table(luck="E").play("draw")
    assert (t.due, t.options()) == (0, ["place A", "place B", "place C"])
    assert t.state.drawn == token_of(Seat(0), Artist.ELEPHANT_TRAINER)


def test_a_new_artists_market_must_not_have_its_kind() -> None:
    assert table(markets={"1B": "F1"}, faceup={0: "F"}).options("place") == ["place A", "place C"]


def test_a_new_artists_market_must_hold_at_most_two_artists() -> None:
    assert table(markets={"1B": "P1 S1 E2", "1C": "P2 S2"}, faceup={0: "F"}).options("place") == ["place A", "place C"]


def test_a_drawn_artist_without_a_free_market_goes_to_street_1_automatically() -> None:
    t = table(markets={"1A": "F1", "1B": "P1 S1 E2", "1C": "F2"}, luck="F").play("draw")
    assert (in_street(t.state, 1), t.due) == ("F0", 1)
    assert [Stranded(0, "F")] == t.shown(Stranded)


def test_bringing_in_a_third_artist_sets_no_market_in_motion() -> None:
    t = table(markets={"1A": "S1 E2"}, faceup={0: "F"}).play("place A")
    assert on_market(t.state, "1A") == "S1 E2 F0"
    assert not t.shown(CycleRan)


# --- 4.2 Set a market in motion ---


@pytest.mark.parametrize("level", "1234")
def test_any_market_with_exactly_three_artists_can_be_set_in_motion(level: str) -> None:
    markets = {f"{level}B": "P0 E1 F0", "1A": "P1 S2", f"{level}C": "E2"}
    assert [f"cycle {level}B"] == table(markets=markets).options("cycle")


def test_a_player_may_set_a_market_without_their_own_artists_in_motion() -> None:
    assert table(markets={"2B": "P1 E1 F2"}).options("cycle") == ["cycle 2B"]


# --- 4.3 Back to work ---


def test_an_artist_goes_back_to_work_on_the_level_just_above_its_street() -> None:
    t = table(streets={3: "E0"})
    assert t.options("reemploy") == ["reemploy E 3A", "reemploy E 3B", "reemploy E 3C"]
    t.play("reemploy E 3B")
    assert (on_market(t.state, "3B"), in_street(t.state, 3), t.due) == ("E0", "", 1)


def test_back_to_work_needs_a_market_without_the_kind_and_with_room() -> None:
    markets = {"3A": "E1", "3B": "P1 S1 F2"}
    assert table(markets=markets, streets={3: "E0"}).options("reemploy") == ["reemploy E 3C"]


def test_back_to_work_runs_no_cycle() -> None:
    t = table(markets={"3A": "P1 S2"}, streets={3: "E0"}).play("reemploy E 3A")
    assert (on_market(t.state, "3A"), t.shown(CycleRan)) == ("P1 S2 E0", [])


def test_players_cannot_send_rivals_artists_back_to_work() -> None:
    assert table(streets={3: "E1"}).options("reemploy") == []


# --- 4.4 Change of place ---


def test_a_change_of_place_fills_a_pair_and_runs_its_cycle() -> None:
    t = table(markets=PAIR, streets={1: "P0"}).play("change S 2A 2B")
    assert [at("2B")] == [ran.market for ran in t.shown(CycleRan)]
    assert on_market(t.state, "2A") == ""


@pytest.mark.parametrize("target", ["E1", "P1 E1 F2", "S1 F2"])
def test_a_change_of_place_goes_to_a_market_with_exactly_two_artists_of_other_kinds(target: str) -> None:
    assert table(markets={"2A": "S0", "2B": target}, streets={1: "P0"}).options("change") == []


def test_a_change_of_place_stays_on_its_level() -> None:
    markets = {"2A": "S0", "1B": "E1 F2", "3A": "E1 F2"}
    assert table(markets=markets, streets={1: "P0"}).options("change") == []


def test_the_source_of_a_change_of_place_may_hold_any_number_of_artists() -> None:
    t = table(markets={"2A": "P1 S0 F2", "2B": "E1 F0"}, streets={1: "P0"})
    assert t.options("change") == ["change S 2A 2B"]


def test_the_pair_may_mix_the_players_artists_and_rivals() -> None:
    t = table(markets={"2A": "S0", "2B": "E0 F0"}, streets={1: "P0"})
    assert t.options("change") == ["change S 2A 2B"]


def test_only_the_players_own_artists_can_change_place() -> None:
    assert table(markets={"2A": "S1", "2B": "E1 F2"}, streets={1: "P0"}).options("change") == []


# --- 4.5 Expulsion ---

FULL_RIVAL = {"1A": "F0", "1B": "P2 S2 F1"}


def test_an_expulsion_swaps_with_a_rival_of_the_same_kind() -> None:
    t = table(markets=FULL_RIVAL, streets={1: "E0"})
    assert t.options("expel") == ["expel F 1A 1B"]
    t.play("expel F 1A 1B")
    assert on_market(t.state, "1A") == "F1"


def test_the_full_market_of_an_expulsion_may_be_the_players_own() -> None:
    t = table(markets={"1A": "P2 S2 F0", "1B": "F1"}, streets={1: "E0"}).play("expel F 1A 1B")
    assert [at("1A")] == [ran.market for ran in t.shown(CycleRan)]


def test_an_expulsion_needs_a_rival() -> None:
    assert table(markets={"1A": "F0", "1B": "P2 S2 F0"}, streets={1: "E0"}).options("expel") == []


def test_an_expulsion_stays_on_its_level() -> None:
    assert table(markets={"1A": "F0", "2B": "P2 S2 F1"}, streets={1: "E0"}).options("expel") == []


def test_an_expulsion_needs_an_artist_in_a_street() -> None:
    assert table(markets=FULL_RIVAL).options("expel") == []


# --- 4.6 Transformation ---


@pytest.mark.parametrize("street", [1, 2, 3, 4])
def test_the_newcomer_of_a_transformation_may_come_from_any_street(street: int) -> None:
    t = table(markets={"2A": "P1 S0 F2"}, streets={street: "E0"})
    assert t.options("transform") == [f"transform 2A {street}"]


def test_a_transformation_needs_the_players_own_artist_as_the_weakest() -> None:
    assert table(markets={"1A": "P1 S2 F0"}, streets={4: "E0"}).options("transform") == []


def test_a_transformation_needs_the_missing_kind() -> None:
    assert table(markets={"1A": "P1 S0 F2"}, streets={4: "P0"}).options("transform") == []


def test_a_transformation_needs_three_artists() -> None:
    assert table(markets={"1A": "S0 F2"}, streets={4: "E0"}).options("transform") == []


def test_a_transformation_makes_the_strongest_second_and_the_second_weakest() -> None:
    t = table(markets={"1A": "P1 S0 F2"}, streets={4: "E0"}).play("transform 1A 4")
    assert [(0, "E", at("1A")), (2, "F", at("1A"))] == list(t.state.rising)
    assert in_street(t.state, 1) == "P1"


def test_a_transformation_removes_the_weakest_from_the_game() -> None:
    t = table(markets={"4A": "P1 S0 F2"}, streets={4: "E0"}, faceup={0: ""}, piles={0: "P"}).play("transform 4A 4")
    assert t.state.score(0) == 10
    assert "S0" not in " ".join(map(str, (in_street(t.state, 4), on_market(t.state, "4A"))))


# --- 4.7 The price ---


@pytest.mark.parametrize("action", ["change S 2A 2B", "expel F 3A 3B"])
def test_the_price_is_one_of_the_players_artists_in_any_street_after_the_cycle(action: str) -> None:
    markets = {**PAIR, "3A": "F0", "3B": "P2 S2 F1"}
    t = table(markets=markets, streets={1: "P0 P0", 4: "E0"}).play(action)
    while t.options("rise"):
        t.play(t.options()[0])
    assert (t.due, t.options()) == (0, ["remove P 1", "remove E 4"])
    t.play("remove P 1")
    assert (in_street(t.state, 1).count("P0"), t.due) == (1, 1)


def test_the_price_may_be_an_artist_that_has_just_fallen() -> None:
    t = table(markets={"2A": "P0", "2B": "S1 F2"}, streets={4: "E0"}).play("change P 2A 2B", "rise 3A", "rise 3B")
    assert in_street(t.state, 2) == "S1"
    t = table(markets={"2A": "S0", "2B": "P1 F2"}, streets={4: "E0"}).play("change S 2A 2B", "rise 3A", "rise 3B")
    assert t.options() == ["remove S 2", "remove E 4"]
