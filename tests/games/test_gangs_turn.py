"""The game of gangs, sentence by sentence, and our rulings B1 to B12."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.games.gangs import GAME, start
from engine.games.gangs.events import Alarm, Arrested, BlackFell, EndReason, HiredFree, Raided, WhiteFell
from engine.languages import reading
from engine.town.cards import Cards
from engine.town.data import Gang
from engine.town.thieves import FULL_DECK
from locales import language_of
from tests.games.town_positions import Table, at_gangs, bandits_of, gangs

RED_AT_30 = {"walked": 29, "hand": (1,)}
EMPTY_AT_13 = {"walked": 12, "hand": (1,)}


def last_card(total: int, **told: object) -> Table:
    """The last turn of a lap: one card is left, a 1."""
    state = gangs(4, turn=23, walked=total, **told)  # type: ignore[arg-type]
    cards = Cards(((), (), (), (1,)), state.cards.played, state.cards.dealt)
    return Table(replace(state, cards=cards))


def test_each_player_starts_with_2500_and_no_bandits() -> None:
    state = start(GAME.setup(6))
    assert ((2_500,) * 6, 16) == (state.purses, state.stack(Gang.YELLOW))  # type: ignore[attr-defined]


def test_a_turn_begins_with_a_movement_card() -> None:
    assert {"play"} == {text.split()[0] for text in at_gangs().options()}


def test_up_to_three_bandits_can_be_taken_on_an_empty_space() -> None:
    t = at_gangs(**EMPTY_AT_13).play("play 1", "take red", "take red", "take red")
    assert (3, 1) == (len(t.state.bandits[0]), t.state.turn)


def test_b1_each_bandit_is_revealed_before_the_next_decision() -> None:
    t = at_gangs("appear R2", **EMPTY_AT_13).play("play 1", "take red")
    assert ("R2", 0, "stop") == (bandits_of(t.state, 0), t.due, t.options()[-1])


def test_taking_ends_automatically_when_no_bandit_can_be_taken() -> None:
    t = at_gangs(**EMPTY_AT_13, purses=(5, 0, 0, 0)).play("play 1")
    assert ["take yellow", "stop"] == t.options()
    assert 1 == t.play("take yellow").state.turn


def test_an_empty_space_offers_no_choice_to_a_player_who_can_afford_no_bandit() -> None:
    assert 1 == at_gangs(**EMPTY_AT_13, purses=(4, 0, 0, 0)).play("play 1").state.turn


def test_the_first_quarter_is_free() -> None:
    t = at_gangs(walked=0, hand=(1,)).play("play 1", "take red", "stop")
    assert (2_500, 1) == (t.state.purses[0], len(t.shown(HiredFree)))


def test_returned_bandits_reappear_in_order_after_the_unseen_part_of_the_stack() -> None:
    t = at_gangs(**EMPTY_AT_13, tails={"red": "R3 R1"}, unseen={"red": (0, 0, 0, 0)})
    assert "R3" == bandits_of(t.play("play 1", "take red").state, 0)
    assert "R1 R3" == bandits_of(t.play("take red").state, 0)


def test_b2_one_roll_applies_to_all_colors_shown() -> None:
    t = at_gangs("black 1", "white 1", walked=33, hand=(1,), owned={0: "G2", 1: "R1"})
    t.play("play 1", "done", "done", "done", "done")
    assert (1, 1) == (len(t.shown(BlackFell)), len(t.shown(WhiteFell)))


def test_b2_no_dice_are_rolled_for_a_color_without_owned_bandits() -> None:
    t = at_gangs(**RED_AT_30, owned={0: "B1"}).play("play 1")
    assert (1, [], []) == (t.state.turn, t.shown(Alarm), t.shown(BlackFell))


def test_owners_are_asked_clockwise_from_the_player_on_turn() -> None:
    t = at_gangs(turn=2, **RED_AT_30, owned={0: "R1", 2: "R1", 3: "R2"}).play("play 1")
    order = [t.due]
    for _ in range(2):
        t.play("done")
        order.append(t.due)
    assert [2, 3, 0] == order


def test_b3_returned_cards_go_to_the_bottom_in_order_for_20_each() -> None:
    t = at_gangs(**RED_AT_30, owned={0: "R1 R3"}).play("play 1", "return R3", "return R1")
    assert (("R3", "R1"), 2_460) == (t.state.tails[3], t.state.purses[0])


def test_an_owner_who_cannot_pay_20_is_skipped() -> None:
    t = at_gangs("black 3", **RED_AT_30, owned={0: "R1", 1: "R1"}, purses=(19, 20, 0, 0)).play("play 1")
    assert (1, ["return R1", "done"]) == (t.due, t.options())


def test_a_bandit_to_return_says_what_it_would_otherwise_cost_or_bring() -> None:
    t = at_gangs(**RED_AT_30, owned={0: "R1"}).play("play 1")
    meanings = [str(t.state.gloss(option)) for option in t.state.decisions()[0].options]
    assert [
        "otherwise, 12 of 36 numbers cost 480, 24 bring 160",
        "12 of 36 numbers cost 480, 24 bring 160",
    ] == meanings


@pytest.mark.parametrize(
    ("owned", "label", "gloss"),
    [
        ("R1", "Risk it", "12 of 36 numbers cost 480, 24 bring 160"),
        ("R1 R1", "Risk them all", "2 of them: 12 of 36 numbers cost 960, 24 bring 320"),
        ("R1 R3", "Risk them all", "22 of 36 numbers arrest one or more; all together bring 320"),
    ],
)
def test_the_risk_is_worded_for_as_many_bandits_as_there_are(owned: str, label: str, gloss: str) -> None:
    state = at_gangs(**RED_AT_30, owned={0: owned}).play("play 1").state
    risk = state.decisions()[0].options[-1]
    assert (label, gloss) == (str(state.named(risk)), str(state.gloss(risk)))


@pytest.mark.parametrize(
    ("code", "returned", "risked"),
    [
        (
            "en",
            "otherwise, 1 of 6 numbers costs 60, 5 bring 20",
            "1 of 6 numbers arrests one or more; all together bring 100",
        ),
        (
            "de",
            "sonst – 1 von 6 Zahlen kostet 60, 5 bringen 20",
            "1 von 6 Zahlen verhaftet mindestens einen; alle zusammen bringen 100",
        ),
        (
            "es",
            "si no, 1 de 6 números cuesta 60, 5 dan 20",
            "1 de 6 números detiene a alguno; todos juntos dan 100",
        ),
        (
            "fr",
            "sinon, 1 numéro sur 6 coûte 60, 5 rapportent 20",
            "1 numéro sur 6 en arrête au moins un ; ensemble, ils rapportent 100",
        ),
        (
            "it",
            "altrimenti, 1 numero su 6 costa 60, 5 portano 20",
            "1 numero su 6 ne arresta almeno uno; tutti insieme portano 100",
        ),
    ],
)
def test_a_single_number_has_a_verb_in_the_singular_in_every_language(code: str, returned: str, risked: str) -> None:
    state = at_gangs("black 4", walked=20, hand=(1,), owned={0: "Y1 B1"}).play("play 1", "done").state
    with reading(language_of(code)):
        meanings = [str(state.gloss(option)).replace("\u202f", " ") for option in state.decisions()[0].options]
    assert [returned, risked] == [meanings[0], meanings[-1]]


def test_no_dice_are_rolled_and_no_raid_happens_once_all_bandits_are_returned() -> None:
    t = at_gangs(**RED_AT_30, owned={0: "R1"}).play("play 1", "return R1")
    assert (1, [], []) == (t.state.turn, t.shown(BlackFell), t.shown(Raided))


def test_cards_without_a_mark_in_the_line_are_safe_and_raid() -> None:
    t = at_gangs("black 4", **RED_AT_30, owned={0: "R1"}).play("play 1", "done")
    assert (2_660, []) == (t.state.purses[0], t.shown(WhiteFell))


def test_b5_the_second_window_is_for_cards_with_a_mark_in_the_line() -> None:
    t = at_gangs("black 5", **RED_AT_30, owned={0: "R1 R3"}).play("play 1", "done")
    assert ["return R1", "done"] == t.options()


def test_b5_the_second_window_can_be_turned_off() -> None:
    t = at_gangs("black 5", "white 6", **RED_AT_30, owned={0: "R1 R3"}, second_window=False).play("play 1", "done")
    assert (1, 2_500 + 320) == (t.state.turn, t.state.purses[0])


def test_a_card_returned_in_the_second_window_brings_no_loot() -> None:
    t = at_gangs("black 5", **RED_AT_30, owned={0: "R1 R3"}).play("play 1", "done", "return R1")
    assert (2_500 - 20 + 160, "R3") == (t.state.purses[0], bandits_of(t.state, 0))


def test_b6_an_arrest_costs_three_times_the_value() -> None:
    t = at_gangs("black 5", "white 1", **RED_AT_30, owned={0: "R1"}).play("play 1", "done", "done")
    assert (2_500 - 480, "") == (t.state.purses[0], bandits_of(t.state, 0))


def test_b7_raiders_bring_in_their_value_and_stay() -> None:
    t = at_gangs("black 5", "white 6", **RED_AT_30, owned={0: "R1"}).play("play 1", "done", "done")
    assert (2_660, "R1") == (t.state.purses[0], bandits_of(t.state, 0))


def test_b8_loot_comes_before_the_fine_and_a_purse_never_goes_below_zero() -> None:
    t = at_gangs("black 5", "white 1", **RED_AT_30, owned={0: "R1 R3"}, purses=(0, 0, 0, 0)).play("play 1")
    assert (0, "R3") == (t.state.purses[0], bandits_of(t.state, 0))
    assert [160] == [event.paid for event in t.shown(Arrested)]


def test_b12_arrested_cards_return_to_the_stack_by_owner_and_then_by_type() -> None:
    """25 is on R1 and R2."""
    t = at_gangs("black 5", "white 1", turn=1, **RED_AT_30, owned={0: "R1", 1: "R2 R1"})
    t.play("play 1", "done", "done", "done", "done")
    assert ("R1", "R2", "R1") == t.state.tails[3]


def test_a_full_group_needs_all_four_cards_after_the_second_window() -> None:
    t = at_gangs("black 5", "white 6", **RED_AT_30, owned={0: "R1 R1 R1 R1"}).play(
        "play 1", "done", "return R1", "done"
    )
    assert 2_500 - 20 + 3 * 160 == t.state.purses[0]


@pytest.mark.parametrize(("total", "purse", "left"), [(4, 50, 150), (10, 50, 0), (10, 500, 400)])
def test_b9_a_lamp_gives_100_and_alms_cost_at_most_100(total: int, purse: int, left: int) -> None:
    assert left == at_gangs(walked=total, hand=(1,), purses=(purse, 0, 0, 0)).play("play 1").state.purses[0]


def test_b9_a_recruit_space_gives_one_free_bandit() -> None:
    t = at_gangs(walked=42, hand=(1,)).play("play 1", "take red")
    assert (1, 2_500, 1) == (t.state.turn, t.state.purses[0], len(t.state.bandits[0]))
    assert 1 == at_gangs(walked=42, hand=(1,)).play("play 1", "stop").state.turn


def test_b9_every_player_pays_10_for_each_bandit_at_a_toll() -> None:
    t = at_gangs(walked=21, hand=(1,), owned={0: "Y1 B1", 2: "R1 R1"}, purses=(50, 50, 15, 50)).play("play 1")
    assert (30, 50, 0, 50) == t.state.purses


def test_b10_the_second_lap_begins_with_all_bandits_returned_and_the_first_seat() -> None:
    t = last_card(51, owned={0: "R1"}, tails={"green": "G1"}).play("play 1")
    assert (0, 2, 2_660, "") == (t.due, t.state.lap, t.state.purses[0], bandits_of(t.state, 0))
    assert ((FULL_DECK,) * 4, ((),) * 4) == (t.state.decks, t.state.tails)
    assert 24 == sum(map(len, t.state.cards.hands))


def test_b11_after_the_second_lap_the_most_money_wins_and_a_tie_shares_the_win() -> None:
    t = last_card(103, owned={0: "R1", 1: "B1 B2"}).play("play 1")
    outcome = t.state.outcome()
    assert (EndReason.LAPS, (0.5, 0.5, 0, 0)) == (outcome.reason, outcome.returns)


def test_a_type_is_in_danger_while_it_is_owned_and_its_line_may_strike() -> None:
    """R1 and R2 have marks in line 5, R3 has none."""
    t = at_gangs("black 5", "white 1", **RED_AT_30, owned={0: "R1 R3", 1: "R2"}).play("play 1")
    assert ("R1", "R2", "R3") == t.state.endangered
    assert ("R1", "R2") == t.play("return R3").state.endangered
    assert ("R1", "R2") == t.play("done", "done").state.endangered
    t.play("done", "return R2")
    assert (True, ("R1",)) == (t.state.danger.over, t.state.endangered), "as it was when the white die fell"


def test_the_danger_ends_with_the_turn_and_records_raids_and_arrests() -> None:
    t = at_gangs("black 5", "white 1", **RED_AT_30, owned={0: "R1 R3 R3"}).play("play 1")
    assert not t.state.danger.over
    danger = t.play("done", "done").state.danger
    assert danger.over
    assert [(0, ("R3", "R3"), ("R1",), 320, 480)] == [
        (f.seat, f.raided, f.arrested, f.loot, f.fine) for f in danger.fates
    ]


def test_the_danger_is_over_once_all_threatened_bandits_are_returned() -> None:
    t = at_gangs(**RED_AT_30, owned={0: "R1"}).play("play 1", "return R1")
    assert (True, (), ()) == (t.state.danger.over, t.state.danger.fates, t.state.endangered)


# --- Trading (B4) ----------------------------------------------------------------------------------------------------

TRADE = {**RED_AT_30, "owned": {0: "R1 R3"}, "trading": True}


def test_b4_trading_is_off_by_default() -> None:
    assert [] == at_gangs(**RED_AT_30, owned={0: "R1"}).play("play 1").options("offer")


def test_b4_an_offer_takes_three_decisions_and_is_answered_at_once() -> None:
    t = at_gangs(**TRADE).play("play 1", "offer R1")
    assert ["to blue", "to yellow", "to green"] == t.options()
    t.play("to yellow", "price 200")
    assert (2, ["accept", "decline", "counteroffer"]) == (t.due, t.options())
    t.play("accept")
    assert ((2_700, 2_500, 2_300, 2_500), "R3", "R1") == (
        t.state.purses,
        bandits_of(t.state, 0),
        bandits_of(t.state, 2),
    )
    assert 0 == t.due


def test_b4_a_declined_offer_changes_nothing() -> None:
    t = at_gangs(**TRADE).play("play 1", "offer R1", "to yellow", "price 200", "decline")
    assert ((2_500,) * 4, "R1 R3") == (t.state.purses, bandits_of(t.state, 0))


def test_b4_at_a_negative_price_the_offerer_pays() -> None:
    t = at_gangs(**TRADE).play("play 1", "offer R1", "to yellow", "price -200", "accept")
    assert (2_300, 2_500, 2_700, 2_500) == t.state.purses


def test_b4_prices_are_multiples_of_ten_that_the_purses_can_pay() -> None:
    t = at_gangs(**TRADE, purses=(35, 0, 2_000, 0)).play("play 1", "offer R1", "to yellow")
    prices = [int(text.split()[1]) for text in t.options()]
    assert list(range(-30, 1_001, 10)) == prices


@pytest.mark.parametrize(
    ("owned", "purses", "prices"),
    [
        ({0: "R1"}, (2_500,) * 4, [-80, 0, 80, 160, 240, 320]),
        ({0: "R1"}, (50, 0, 180, 0), [-50, 0, 80, 150, 160, 180]),
        ({0: "R1"}, (30, 0, 0, 0), [-30, -20, -10, 0]),
        ({0: "R1", 2: "R1 R1 R1"}, (2_500,) * 4, [-800, -400, 0, 400, 800, 1_000]),
    ],
)
def test_six_affordable_prices_are_suggested_by_the_bandits_value_to_the_buyer(
    owned: dict[int, str], purses: tuple[int, ...], prices: list[int]
) -> None:
    t = at_gangs(**RED_AT_30, owned=owned, trading=True, purses=purses).play("play 1", "offer R1", "to yellow")
    assert prices == suggested_prices(t)


def suggested_prices(t: Table) -> list[int]:
    return [price.piastres for price in t.state.suggested()]  # type: ignore[attr-defined]


def test_b4_a_window_allows_two_offers_and_none_after_a_return() -> None:
    t = at_gangs(**TRADE).play("play 1", *("offer R1", "to blue", "price 0", "decline") * 2)
    assert [] == t.options("offer")
    assert [] == at_gangs(**TRADE).play("play 1", "return R1").options("offer")


def test_a_buyer_declining_the_first_offer_may_name_a_lower_nonbinding_price() -> None:
    t = at_gangs(**TRADE, purses=(30, 0, 2_000, 0)).play("play 1", "offer R1", "to yellow", "price 50", "counteroffer")
    assert (2, [f"price {price}" for price in range(-30, 50, 10)]) == (t.due, t.options())
    t.play("price 20")
    assert "Yellow declines, but would take red 1 for 20." == t.sentences()[-1]
    assert ((30, 0, 2_000, 0), "R1 R3") == (t.state.purses, bandits_of(t.state, 0))
    assert (0, ["return R1", "return R3", "offer R1", "offer R3", "done"]) == (t.due, t.options())


def test_a_second_offer_to_the_counterofferer_suggests_the_counteroffer_first() -> None:
    t = at_gangs(**TRADE).play("play 1", "offer R1", "to yellow", "price 200", "counteroffer")
    assert [-160, -80, 0, 80, 160, 190] == suggested_prices(t)
    t.play("price 30", "offer R1", "to yellow")
    assert [30, 0, 80, 160, 240, 320] == suggested_prices(t)
    t = at_gangs(**TRADE).play("play 1", "offer R1", "to yellow", "price 200", "counteroffer", "price 30", "offer R1")
    assert [-80, 0, 80, 160, 240, 320] == suggested_prices(t.play("to blue"))


def test_the_second_offer_and_the_lowest_price_allow_no_counteroffer() -> None:
    t = at_gangs(**TRADE).play("play 1", "offer R1", "to blue", "price 200", "counteroffer", "price 0")
    assert ["accept", "decline"] == t.play("offer R1", "to blue", "price 100").options()
    t = at_gangs(**TRADE, purses=(30, 0, 0, 0)).play("play 1", "offer R1", "to blue", "price -30")
    assert ["accept", "decline"] == t.options()


def test_b4_each_window_has_its_own_offers() -> None:
    t = at_gangs("black 5", **TRADE).play("play 1", *("offer R1", "to blue", "price 0", "decline") * 2, "done")
    assert ["offer R1"] == t.options("offer")


def test_b4_an_owner_who_cannot_pay_20_is_asked_while_offers_remain() -> None:
    t = at_gangs("black 3", **TRADE, purses=(0, 0, 0, 0)).play("play 1")
    assert ["offer R1", "offer R3", "done"] == t.options()
    t.play(*("offer R1", "to blue", "price 0", "decline") * 2)
    assert 3 == t.state.danger.black


def test_b4_a_buyer_later_in_turn_order_is_asked_about_the_new_bandit() -> None:
    t = at_gangs(**TRADE).play("play 1", "offer R1", "to yellow", "price 0", "accept", "done")
    assert (2, ["return R1", "offer R1", "done"]) == (t.due, t.options())


# --- Selling ---------------------------------------------------------------------------------------------------------


def test_with_the_option_bandits_sell_at_the_quarters_price_and_go_to_the_bottom() -> None:
    t = at_gangs(walked=39, owned={0: "R1 R1 Y2"}, sell_to_bank=True)
    assert ["sell Y2", "sell R1"] == t.options("sell")
    t.play("sell R1")
    assert (2_620, "Y2 R1", ("R1",)) == (t.state.purses[0], bandits_of(t.state, 0), t.state.tails[3])
    assert (0, ["sell Y2", "sell R1"]) == (t.due, t.options("sell"))


def test_bandits_cannot_be_sold_without_the_option() -> None:
    assert [] == at_gangs(walked=39, owned={0: "R1"}).options("sell")


def test_the_summary_explains_the_36_numbers_before_a_choice_counts_them() -> None:
    lines = GAME.short_in(GAME.setup(2)) or pytest.fail("no summary")
    assert "two dice make a number from 1 to 36, and each that has it is arrested" in str(lines.turn)
