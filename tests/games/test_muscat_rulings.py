"""Rulings where the rulebooks are silent or differ, by their numbers: no sentence of the rules tells them."""

from __future__ import annotations

from engine.games.muscat import GAME
from engine.games.muscat.events import EndReason
from engine.games.muscat.state import Muscat
from engine.games.muscat.verbs.place import Stranded
from engine.games.muscat.verbs.rise import EnteredPalace
from engine.match import Match
from engine.texts import Seat
from tests.games.muscat_positions import in_palace, in_street, on_market, over, table


def test_ruling_1_the_start_token_comes_from_the_face_down_pile() -> None:
    match = Match.begin(GAME, GAME.setup(3), "ruling 1")
    assert isinstance(match.state, Muscat)
    face_up = match.state.faceup(Seat(0))
    match.play(Seat(0), match.parse("place A"))
    assert (match.state.faceup(Seat(0)), match.state.pile(Seat(0))) == (face_up, 14)


def test_ruling_3_a_face_up_token_without_a_market_may_be_placed_on_purpose() -> None:
    t = table(markets={"1A": "S1", "1B": "S1", "1C": "S2"}, faceup={0: "S"})
    assert t.options()[:2] == ["place street", "draw"]
    assert t.play("place street").shown(Stranded)


def test_ruling_5_re_employment_cannot_jump() -> None:
    occupied = {"1A": "S1", "1B": "S1", "1C": "S2"}
    assert table(markets=occupied, streets={1: "S0"}).options("reemploy") == []


def test_ruling_7_the_price_may_be_a_token_that_fell_in_the_same_cycle() -> None:
    t = table(markets={"2A": "S0", "2B": "P1 F2"}, streets={4: "E0"}).play("change S 2A 2B", "rise 3A", "rise 3B")
    t.play("remove S 2")
    assert (in_street(t.state, 2), in_street(t.state, 4)) == ("", "E0")


def test_ruling_7_a_never_do_well_must_exist_before_the_action() -> None:
    assert table(markets={"2A": "S0", "2B": "P1 F2"}).options("change") == []


def test_ruling_8_a_second_blocked_only_by_the_strongest_jumps() -> None:
    t = table(markets={"1A": "S0 E1 F2", "2B": "E0", "2C": "E2"}).play("cycle 1A", "rise 2A")
    assert t.options() == ["rise 3A", "rise 3B", "rise 3C"]


def test_ruling_8_risers_to_different_levels_do_not_restrict_each_other() -> None:
    markets = {"1A": "S0 E1 F2", "2A": "S1", "2B": "S1", "2C": "S2"}
    t = table(markets=markets).play("cycle 1A", "rise 3A")
    assert t.options() == ["rise 2A", "rise 2B", "rise 2C"]


def test_ruling_9_the_palace_has_no_maximum() -> None:
    t = table(last_round=True, markets={"4A": "S0 E0 F1"}, palace="S0 S0 E0 E0 S1 S1 E1 E1").play("cycle 4A")
    assert (t.state.palace_count, in_palace(t.state).count("0")) == (10, 6)


def test_ruling_10_the_start_placement_is_round_0() -> None:
    state = GAME.start(GAME.setup(3))
    assert isinstance(state, Muscat)
    assert (state.round, state.turn) == (0, 0)


def test_ruling_11_only_a_new_token_or_re_employment_prevents_exhaustion() -> None:
    markets = {"1A": "S1", "1B": "E1 F2", "2A": "P1 E0 F0", "2B": "P0", "2C": "P2"}
    t = table(markets=markets, streets={2: "P1"}, faceup={1: ""}, piles={1: ""}).play("draw", "place A")
    assert over(t.state) is EndReason.EXHAUSTION


def test_ruling_12_tokens_in_streets_are_on_the_board_and_removed_ones_are_not() -> None:
    hands = {"faceup": {2: "P"}, "piles": {0: "", 2: ""}}
    t = table(turn=2, last_round=True, markets={"4A": "P0 S1", "2A": "P1"}, streets={4: "F1"}, **hands).play("place A")
    outcome = t.state.outcome()
    assert outcome is not None
    assert (outcome.scores, outcome.winners) == ((8, 8, 2), (1,))


def test_ruling_13_a_face_down_token_may_be_drawn_instead() -> None:
    assert table().options()[-1] == "draw"


def test_ruling_15_a_moved_token_needs_no_rank_and_may_fall_in_its_own_cycle() -> None:
    t = table(markets={"4A": "F0", "4B": "S1 E2"}, streets={1: "E0"}).play("change F 4A 4B")
    assert (in_palace(t.state), in_street(t.state, 4)) == ("S1 E2", "F0")


def test_ruling_16_a_market_filled_by_rising_waits_to_be_set_in_motion() -> None:
    t = table(markets={"1A": "S0 E1 F2", "2A": "E2 F2"}).play("cycle 1A", "rise 2A", "rise 2B")
    assert on_market(t.state, "2A") == "S0 E2 F2"
    assert "cycle 2A" in t.options()


def test_ruling_17_the_weakest_falls_below_the_level_of_the_cycle_even_after_a_jump() -> None:
    markets = {"3A": "S0 E1 F2", "4A": "S1", "4B": "S1", "4C": "S2"}
    t = table(markets=markets).play("cycle 3A")
    assert t.shown(EnteredPalace)
    assert in_street(t.state, 3) == "F2"
