"""The cave, sentence by sentence, and our rulings V1 to V15."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.games.alibaba import GAME, start
from engine.games.alibaba.events import (
    CameHome,
    EndReason,
    NobodyCaught,
    Recruited,
    Reshuffled,
    Rolled,
    SentAway,
    Spared,
    TurnedUp,
)
from engine.town.events import HandsFilled
from engine.town.thieves import FULL_DECK
from tests.games.town_positions import at_cave

IN_DANGER = {0: (10_000, 9)}
BLUE_AT_6 = {"walked": 5, "hand": (1,)}


def test_the_first_seat_has_1000_the_next_one_2000_and_so_on() -> None:
    assert (1000, 2000, 3000, 4000, 5000, 6000) == start(GAME.setup(6)).purses  # type: ignore[attr-defined]


def test_each_color_has_a_deck_of_16_and_no_discards() -> None:
    state = at_cave().state
    assert (FULL_DECK,) * 4 == state.decks
    assert not any(map(any, state.piles))


def test_a_player_without_a_stake_in_the_cave_steals_and_others_extend() -> None:
    assert "steal 12" == at_cave().options()[-1]
    assert "extend 12" == at_cave(stakes=IN_DANGER).options()[-1]


def test_a_stake_can_be_extended_even_in_the_turn_it_is_due() -> None:
    t = at_cave(turn=4, stakes={0: (6_000, 4)}).play("extend 1")
    assert (7_000, 5) == (t.state.stakes[0], t.state.safe_after[0])


def test_v1_the_limit_counts_spaces_that_could_still_be_visited() -> None:
    assert 13 == len(at_cave(walked=92).options())
    assert 12 == len(at_cave(walked=93).options())
    assert ["extend 0", "extend 1"] == at_cave(walked=99, stakes={0: (6_000, 4)}).options()


def test_v1_a_stake_may_be_left_in_the_cave_beyond_the_limit() -> None:
    assert ["extend 0"] == at_cave(walked=100, stakes={0: (28_000, 9)}).options()


def test_v2_taking_nothing_is_allowed() -> None:
    state = at_cave().play("steal 0").state
    assert (0, None) == (state.stakes[0], state.safe_after[0])


def test_v3_an_extended_stay_may_exceed_twelve_turns() -> None:
    assert 20 == at_cave(stakes={0: (28_000, 8)}).play("extend 12").state.safe_after[0]


def test_v4_a_stake_for_as_many_turns_as_seats_is_not_paid_at_once() -> None:
    t = at_cave(seats=2, hand=(1,)).play("steal 2", "play 1")
    assert (1_000, 2) == (t.state.purses[0], t.state.safe_after[0])


@pytest.mark.parametrize("total", [24, 50, 76])
def test_v5_the_played_card_is_dealt_again_at_half_laps(total: int) -> None:
    t = at_cave(walked=total, hand=(3,)).play("steal 0", "play 3")
    assert 1 == len(t.shown(HandsFilled))
    assert 24 == sum(map(len, t.state.cards.hands))


def test_the_end_triggers_no_redeal() -> None:
    assert [] == at_cave(walked=102, hand=(3,)).play("steal 0", "play 3").shown(HandsFilled)


def test_a_redeal_happens_exactly_when_the_half_lap_is_reached() -> None:
    assert 1 == len(at_cave(walked=25, hand=(1,)).play("steal 0", "play 1").shown(HandsFilled))
    assert [] == at_cave(walked=24, hand=(1,)).play("steal 0", "play 1").shown(HandsFilled)


def test_v6_writings_on_the_wall_have_no_effect() -> None:
    t = at_cave(walked=4, hand=(1,)).play("steal 0", "play 1")
    assert (1, (1_000, 2_000, 3_000, 4_000)) == (t.state.turn, t.state.purses)


def test_v7_no_thieves_are_turned_up_while_the_cave_is_empty() -> None:
    t = at_cave(**BLUE_AT_6).play("steal 0", "play 1")
    assert (1, None) == (t.state.turn, t.state.encounter)


def test_v7_turning_up_is_mandatory_even_if_only_the_players_own_stake_is_in_danger() -> None:
    t = at_cave(**BLUE_AT_6, stakes=IN_DANGER).play("extend 0", "play 1")
    assert (0, ["turn-up 1", "turn-up 2", "turn-up 3"]) == (t.due, t.options())


def test_v8_each_deck_shown_turns_up_the_same_number_in_letter_order() -> None:
    luck = ("appear G1", "appear G2", "appear R1", "appear R1", "roll 1 3")
    t = at_cave(*luck, walked=11, hand=(1,), stakes=IN_DANGER).play("extend 0", "play 1", "turn-up 2")
    assert [("G1", "G2", "R1", "R1")] == [event.thieves for event in t.shown(TurnedUp)]


def test_v8_option_each_deck_gets_its_own_number_with_a_total_of_at_most_three() -> None:
    t = at_cave(walked=11, hand=(1,), stakes=IN_DANGER, multi_deck="total").play("extend 0", "play 1")
    pairs = {(a, b) for a in range(4) for b in range(4) if 1 <= a + b <= 3}
    assert {f"turn-up {a} {b}" for a, b in pairs} == set(t.options())
    t.play("turn-up 0 2")
    assert [2] == [len(event.thieves) for event in t.shown(TurnedUp)]
    assert t.shown(TurnedUp)[0].thieves[0].startswith("R")


def test_v8_option_one_deck_takes_one_number() -> None:
    t = at_cave(**BLUE_AT_6, stakes=IN_DANGER, multi_deck="total").play("extend 0", "play 1")
    assert ["turn-up 1", "turn-up 2", "turn-up 3"] == t.options()


def test_v8_option_a_deck_that_is_used_up_does_not_count() -> None:
    gone = {"decks": {"green": (0, 0, 0, 0)}}
    t = at_cave(walked=11, hand=(1,), stakes=IN_DANGER, multi_deck="total", **gone).play("extend 0", "play 1")
    assert not {"turn-up 1 0", "turn-up 2 0", "turn-up 3 0"} & set(t.options())


ONE_LEFT = {"decks": {"blue": (1, 0, 0, 0)}}


def test_an_empty_deck_is_rebuilt_from_its_discards_when_a_card_is_due() -> None:
    luck = ("appear B1", "appear B2", "roll 1 2")
    t = at_cave(*luck, **BLUE_AT_6, stakes=IN_DANGER, **ONE_LEFT, piles={"blue": (0, 2, 0, 0)})
    t.play("extend 0", "play 1", "turn-up 2")
    assert 1 == len(t.shown(Reshuffled))
    assert [("B1", "B2")] == [event.thieves for event in t.shown(TurnedUp)]


def test_an_empty_deck_is_not_rebuilt_before_a_card_is_due() -> None:
    t = at_cave("appear B1", "roll 1 2", **BLUE_AT_6, stakes=IN_DANGER, **ONE_LEFT, piles={"blue": (0, 2, 0, 0)})
    t.play("extend 0", "play 1", "turn-up 1")
    assert [] == t.shown(Reshuffled)


def test_v9_cards_turned_up_this_turn_stay_out_of_the_new_deck_and_fewer_turn_up() -> None:
    t = at_cave("appear B1", "roll 1 2", **BLUE_AT_6, stakes=IN_DANGER, **ONE_LEFT)
    t.play("extend 0", "play 1", "turn-up 3")
    assert [("B1",)] == [event.thieves for event in t.shown(TurnedUp)]


def test_v9_without_any_cards_the_player_is_not_asked_and_rolls_no_dice() -> None:
    t = at_cave(**BLUE_AT_6, stakes=IN_DANGER, decks={"blue": (0, 0, 0, 0)}).play("extend 0", "play 1")
    assert (1, []) == (t.state.turn, t.shown(Rolled))


HIT = ("appear B1", "roll 1 1")


def test_v10_thieves_of_already_claimed_types_do_not_catch() -> None:
    t = at_cave(*HIT, **BLUE_AT_6, stakes=IN_DANGER, claimed={0: "B1"}).play("extend 0", "play 1", "turn-up 1")
    assert (10_000, 1, []) == (t.state.stakes[0], len(t.shown(Spared)), t.shown(NobodyCaught))


def test_the_encounter_lists_spared_players_but_not_those_who_enter_the_cave_afterwards() -> None:
    claimed, stakes = {0: "B1", 1: "B1", 2: "B1"}, {0: (10_000, 9), 2: (3_000, 9), 3: (1_000, 9)}
    t = at_cave(*HIT, **BLUE_AT_6, stakes=stakes, claimed=claimed).play("extend 0", "play 1", "turn-up 1", "decline")
    assert ((0, 2), [3]) == (t.state.encounter.spared, [loss.seat for loss in t.state.encounter.losses])
    assert (0, 2) == t.play("steal 4").state.encounter.spared


@pytest.mark.parametrize(("purse", "left"), [(0, 0), (400, 0), (5_000, 4_000)])
def test_v11_a_caught_player_pays_1000_or_all_they_have(purse: int, left: int) -> None:
    t = at_cave(*HIT, **BLUE_AT_6, stakes=IN_DANGER, purses=(purse, 0, 0, 0)).play("extend 0", "play 1", "turn-up 1")
    assert (left, 0, None) == (t.state.purses[0], t.state.stakes[0], t.state.safe_after[0])


def test_players_with_equal_losses_claim_clockwise_from_the_left_of_the_current_player() -> None:
    stakes = dict.fromkeys(range(4), (3000, 20))
    luck = ("appear B1", "appear B2", "appear B3", "roll 1 1")
    t = at_cave(*luck, turn=2, **BLUE_AT_6, stakes=stakes).play("extend 0", "play 1", "turn-up 3")
    order = [t.due]
    for _ in range(3):
        t.play("decline")
        order.append(t.due)
    assert [3, 0, 1, 2] == order


def test_v12_any_thief_turned_up_may_be_claimed_even_without_the_rolled_number() -> None:
    t = at_cave("appear B1", "appear B4", "roll 1 1", **BLUE_AT_6, stakes=IN_DANGER)
    t.play("extend 0", "play 1", "turn-up 2")
    assert ["claim B1", "claim B4", "decline"] == t.options()


def test_v12_a_claimed_card_leaves_the_deck_for_good_and_the_others_go_to_the_discards() -> None:
    t = at_cave("appear B1", "appear B4", "roll 1 1", **BLUE_AT_6, stakes=IN_DANGER)
    t.play("extend 0", "play 1", "turn-up 2", "claim B4")
    assert ((3, 4, 4, 3), (1, 0, 0, 0)) == (t.state.decks[2], t.state.piles[2])


def test_a_player_without_a_new_type_to_claim_is_skipped() -> None:
    t = at_cave("appear B1", "appear B1", "roll 1 1", **BLUE_AT_6, stakes={0: (1_000, 9), 1: (3_000, 9)})
    t.play("extend 0", "play 1", "turn-up 2", "claim B1")
    assert (0, ["claim B1", "decline"]) == (t.due, t.options())
    table = at_cave("appear B1", "appear B2", "roll 1 1", **BLUE_AT_6, stakes=IN_DANGER, claimed={0: "B2"})
    assert ["claim B1", "decline"] == table.play("extend 0", "play 1", "turn-up 2").options()


@pytest.mark.parametrize(("total", "card"), [(0, 1), (4, 1), (50, 2)])
def test_v13_stakes_come_home_on_every_kind_of_space(total: int, card: int) -> None:
    t = at_cave(turn=4, walked=total, hand=(card,), stakes={2: (6_000, 4)}).play("steal 0", "play " + str(card))
    assert (3_000 + 6_000, [2]) == (t.state.purses[2], [event.seat for event in t.shown(CameHome)])


def test_a_player_caught_in_the_turn_the_stake_is_due_gets_nothing() -> None:
    t = at_cave(*HIT, turn=4, **BLUE_AT_6, stakes={2: (6_000, 4)}).play("steal 0", "play 1", "turn-up 1", "decline")
    assert (2_000, []) == (t.state.purses[2], t.shown(CameHome))


def test_v14_stakes_still_in_the_cave_are_lost() -> None:
    state = at_cave(walked=103, hand=(1,), stakes={1: (6_000, 9)}).play("steal 0", "play 1").state
    assert (EndReason.HOME, 2_000) == (state.outcome().reason, state.purses[1])


def test_v15_equal_money_shares_the_win() -> None:
    t = at_cave(walked=103, hand=(1,), purses=(3_000, 1_000, 3_000, 0)).play("steal 0", "play 1")
    assert (0.5, 0, 0.5, 0) == t.state.outcome().returns


def graffiti(total: int, hand: int, *luck: str, **told: object) -> object:
    t = at_cave(*luck, walked=total, hand=(hand,), cave_graffiti=True, **told)
    return t.play(t.options()[0], f"play {hand}")


def test_option_a_lamp_gives_1000() -> None:
    assert 2_000 == graffiti(4, 1).state.purses[0]  # type: ignore[attr-defined]


@pytest.mark.parametrize(("purse", "left"), [(400, 0), (5_000, 4_000)])
def test_option_alms_cost_at_most_1000(purse: int, left: int) -> None:
    assert left == graffiti(10, 1, purses=(purse, 0, 0, 0)).state.purses[0]  # type: ignore[attr-defined]


def test_option_a_toll_takes_1000_from_each_stake_and_an_empty_stake_stays_in_the_cave() -> None:
    state = graffiti(21, 1, stakes={1: (1_000, 9), 2: (6_000, 9)}).state  # type: ignore[attr-defined]
    assert ((0, 0, 5_000, 0), 9) == (state.stakes, state.safe_after[1])


def test_option_a_recruit_is_kept_if_its_type_is_new_and_sent_away_otherwise() -> None:
    after = graffiti(15, 1, "appear B2")
    assert ["take yellow", "take green", "take blue", "take red", "stop"] == after.options()  # type: ignore[attr-defined]
    after.play("take blue")  # type: ignore[attr-defined]
    assert (["B2"], 1) == (list(after.state.claimed[0]), len(after.shown(Recruited)))  # type: ignore[attr-defined]
    sent = graffiti(15, 1, "appear B2", claimed={0: "B2"})
    sent.play("take blue")  # type: ignore[attr-defined]
    assert ((0, 1, 0, 0), 1) == (sent.state.piles[2], len(sent.shown(SentAway)))  # type: ignore[attr-defined]


def test_option_a_recruit_may_be_refused() -> None:
    t = graffiti(15, 1)
    assert 1 == t.play("stop").state.turn  # type: ignore[attr-defined]


def test_the_thieves_of_a_turn_stay_in_sight_until_the_figure_moves_on() -> None:
    t = at_cave(*HIT, **BLUE_AT_6, stakes=IN_DANGER).play("extend 0", "play 1", "turn-up 1", "decline")
    assert t.state.encounter.over
    t.match.state = replace(t.state, walked=12)
    card = t.play("steal 0").options()[0]
    assert t.play(card).state.encounter is None
