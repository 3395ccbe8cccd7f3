"""Rule 9: every option, with its default and every other value."""

from __future__ import annotations

import dataclasses

import pytest

from engine.core import OptionValue
from engine.errors import SetupError
from engine.games.muscat import GAME
from engine.games.muscat.city import markets_on
from engine.games.muscat.events import EndReason, Exhausted, LastRoundBegan, Stuck
from engine.games.muscat.state import Muscat
from engine.match import Match
from tests.games.muscat_positions import in_palace, on_market, over, table


def begin_match(seats: int, **options: OptionValue) -> Match:
    return Match.begin(GAME, GAME.setup(seats, options), "options")


@pytest.mark.parametrize("seats", [0, 1, 2, 6])
def test_muscat_is_for_three_to_five_players(seats: int) -> None:
    with pytest.raises(SetupError, match="3 to 5 players"):
        GAME.setup(seats)


@pytest.mark.parametrize(("seats", "first"), [(3, 0), (3, 2), (4, 3), (5, 4)])
def test_any_seat_can_be_the_start_player(seats: int, first: int) -> None:
    match = begin_match(seats, start_player=first)
    results = []
    for _ in range(seats + 1):
        (decision,) = match.state.decisions()
        results.append(decision.seat)
        match.play(decision.seat, decision.options[0])
    assert [(first + n) % seats for n in range(seats)] + [first] == results


def test_a_start_player_without_a_seat_is_refused() -> None:
    with pytest.raises(SetupError, match="Green cannot begin"):
        GAME.setup(3, {"start_player": 3})


def test_a_round_ends_with_the_player_before_the_start_player() -> None:
    occupied = {"markets": {"4A": "S0 E1 F2"}, "palace": "P0 P0 P1 P1", "start_player": 1}
    t = table(turn=2, **occupied)
    assert t.due == 0
    assert over(t.play("cycle 4A").state) is EndReason.PALACE
    t = table(turn=1, **occupied)
    assert t.due == 2
    t.play("cycle 4A")
    assert (t.due, over(t.state), len(t.shown(LastRoundBegan))) == (0, None, 1)


@pytest.mark.parametrize("first", [0, 2])
def test_fixed_placement_gives_each_player_the_next_market(first: int) -> None:
    state = begin_match(4, start_placement="fixed", start_player=first).state
    assert isinstance(state, Muscat)
    assert (state.round, state.turn) == (1, first)
    for market in markets_on(1, 4):
        assert [(first + market.place) % 4] == [seat for seat in state.market(market) if seat is not None]


def test_a_blocked_second_may_share_the_market_of_the_strongest() -> None:
    markets = {"1A": "S0 E1 F2", "2B": "E0", "2C": "E2"}
    t = table(markets=markets, blocked_second="share").play("cycle 1A", "rise 2A")
    assert t.options() == ["rise 2A"]
    assert on_market(t.play("rise 2A").state, "2A") == "S0 E1"


def test_a_second_with_another_market_may_not_share() -> None:
    markets = {"1A": "S0 E1 F2", "2C": "E2"}
    t = table(markets=markets, blocked_second="share").play("cycle 1A", "rise 2A")
    assert t.options() == ["rise 2B"]


def test_a_blocked_second_cannot_share_a_market_filled_by_the_strongest() -> None:
    markets = {"1A": "S0 E1 F2", "2A": "P1 F1", "2B": "E0", "2C": "E2"}
    t = table(markets=markets, blocked_second="share").play("cycle 1A", "rise 2A")
    assert t.options() == ["rise 3A", "rise 3B", "rise 3C"]


def test_a_blocked_second_may_also_share_a_market_after_a_jump() -> None:
    markets = {"3A": "S0 E1 F2", "4A": "E0", "4B": "E0", "4C": "S1"}
    t = table(markets=markets, blocked_second="share").play("cycle 3A", "rise 4A")
    assert t.options() == ["rise 4C"]
    markets = {"3A": "S0 E1 F2", "4A": "E0", "4B": "E0"}
    t = table(markets=markets, blocked_second="share").play("cycle 3A", "rise 4C")
    assert t.options() == ["rise 4C"]
    assert in_palace(t.state) == ""


HANDS = {"faceup": {1: ""}, "piles": {1: ""}, "exhaustion_end": "no_action"}


def test_with_no_action_the_game_continues_while_any_action_is_possible() -> None:
    t = table(markets={"1A": "S1 E1 F1"}, **HANDS).play("place B")
    assert (over(t.state), t.options()) == (None, ["cycle 1A"])


def test_with_no_action_the_game_ends_when_no_action_is_possible() -> None:
    t = table(markets={"1A": "E1 F1"}, **HANDS).play("place B")
    assert over(t.state) is EndReason.NO_ACTION
    assert t.told[-1] == Stuck(EndReason.NO_ACTION, 1)
    assert t.sentences()[-1] == "The game is over: Blue can do nothing at all."


AT_ONCE = {"exhaustion_end": "at_once"}


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_at_once_exhaustion_of_any_seat_ends_the_game_after_the_turn(seat: int) -> None:
    t = table(faceup={0: "P", seat: "P" if seat == 0 else ""}, piles={seat: ""}, **AT_ONCE).play("place A")
    assert (over(t.state), t.told[-1]) == (EndReason.EXHAUSTION, Exhausted(EndReason.EXHAUSTION, seat))


@pytest.mark.parametrize("seat", [0, 2])
def test_in_turn_only_the_player_about_to_play_can_end_the_game(seat: int) -> None:
    t = table(faceup={0: "P", seat: "P" if seat == 0 else ""}, piles={seat: ""}).play("place A")
    assert (over(t.state), t.due) == (None, 1)


def test_at_once_the_first_exhausted_player_in_turn_order_is_named() -> None:
    t = table(turn=1, faceup={0: "", 1: "P"}, piles={0: "", 1: ""}, **AT_ONCE).play("place A")
    assert t.told[-1] == Exhausted(EndReason.EXHAUSTION, 0)


def test_at_once_a_player_who_can_send_an_artist_back_to_work_is_not_exhausted() -> None:
    fields = {"streets": {2: "P2"}, "faceup": {2: ""}, "piles": {2: ""}, **AT_ONCE}
    assert over(table(**fields).play("place A").state) is None
    occupied = {"2A": "P1", "2B": "P0", "2C": "P2"}
    assert over(table(markets=occupied, **fields).play("place A").state) is EndReason.EXHAUSTION


def test_at_once_exhaustion_is_not_checked_in_the_middle_of_a_turn() -> None:
    t = table(markets={"2A": "S0 E1 F2"}, faceup={1: ""}, piles={1: ""}, **AT_ONCE).play("cycle 2A")
    assert over(t.state) is None
    assert over(t.play("rise 3A").state) is None
    assert over(t.play("rise 3B").state) is EndReason.EXHAUSTION


def test_at_once_an_end_after_the_last_turn_of_a_round_belongs_to_that_round() -> None:
    t = table(turn=2, round=21, faceup={1: ""}, piles={1: ""}, **AT_ONCE).play("place A")
    assert (over(t.state), t.state.round, t.state.turn) == (EndReason.EXHAUSTION, 21, 2)


def test_at_once_the_palace_takes_precedence_over_exhaustion() -> None:
    t = table(turn=2, last_round=True, faceup={1: ""}, piles={1: ""}, **AT_ONCE).play("place A")
    assert over(t.state) is EndReason.PALACE


def test_the_rules_call_every_option_and_value_as_menus_do() -> None:
    section = GAME.rulebook.sections["9"].text
    for field in dataclasses.fields(GAME.options):
        assert f"**{field.metadata['title']}**" in section
        words = [choice for choice in field.metadata["choices"] if isinstance(choice, str)]
        assert [] == [word for word in words if f"“{word.replace('_', ' ')}”" not in section]


def test_an_option_requires_the_players_own_token_for_a_cycle() -> None:
    markets = {"1A": "S1 E1 F2", "2A": "S1 E0 F2"}
    assert table(markets=markets).options("cycle") == ["cycle 1A", "cycle 2A"]
    assert table(markets=markets, cycle_needs_own_token=True).options("cycle") == ["cycle 2A"]


def test_the_cycles_of_special_actions_need_no_token_of_the_player() -> None:
    setup = {"markets": {"1A": "F0", "1B": "P2 S2 F1", "1C": "F2 E2"}, "streets": {1: "E0"}}
    assert table(**setup, cycle_needs_own_token=True).options("expel") == table(**setup).options("expel")
    own = {"markets": {"1A": "P1 S1 F0", "1B": "P2 S2 F1"}, "streets": {1: "E0"}}
    t = table(**own, cycle_needs_own_token=True).play("expel F 1A 1B")
    assert t.options() == ["pick 1A", "pick 1B"]
    assert on_market(t.state, "1A") == "P1 S1 F1"


@pytest.mark.parametrize(("counts", "winners"), [(True, (1,)), (False, (0, 1))])
def test_an_option_decides_whether_streets_count_for_the_tie_break(counts: bool, winners: tuple[int, ...]) -> None:
    hands = {"faceup": {2: "P"}, "piles": {2: ""}}
    setup = {"markets": {"4A": "P0", "4B": "P1", "1B": "S0", "2B": "S1"}, "streets": {2: "F1"}}
    t = table(turn=2, last_round=True, tie_counts_streets=counts, **hands, **setup).play("place A")
    outcome = t.state.outcome()
    assert outcome is not None
    assert (outcome.scores[:2], outcome.winners) == ((10, 10), winners)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_every_preset_is_playable_and_named_in_the_rules(seats: int) -> None:
    assert ["First game", "As printed", "Tournament"] == [preset.title for preset in GAME.presets]
    for preset in GAME.presets:
        assert dict(preset.options).items() <= GAME.setup(seats, preset.options).chosen().items()
        assert f"*{preset.title}*" in GAME.rulebook.sections["9"].text


def test_the_preset_as_printed_equals_the_defaults() -> None:
    assert GAME.setup(4) == GAME.setup(4, GAME.presets[1].options)
