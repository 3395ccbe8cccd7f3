"""Words for the choices of the gangs: what a stop, a hire, a window and an offer lead to."""

from __future__ import annotations

from typing import Any

import pytest

from engine.coaching import ideas
from engine.games.gangs.events import BroughtBack, Hired, HiredFree, TollPaid, TookNoMore, group_cards
from engine.texts import Seat
from engine.town.data import Thief
from engine.town.events import Money, TookNone
from tests.games.town_positions import Table, at_gangs

BLUE = {"turn": 1, "hand": (1,)}
"""Not the first seat, so that nothing can be true by accident."""


def stopping(step: int, **told: Any) -> Table:
    return at_gangs(walked=step - 1, **BLUE, **told)


STOPS: list[tuple[int, dict[int, str], str, int]] = [
    (12, {0: "R1", 1: "G1 R2 B1"}, "in danger: 2 of your bandits, 1 of the others’", 0),
    (12, {0: "B1", 1: "G1 B1"}, "1 of your bandits in danger, none of the others’", 0),
    (12, {0: "G1 R1", 1: "B1"}, "2 of the others’ bandits in danger, none of yours", 0),
    (12, {0: "B1", 1: "B1"}, "no bandit is in danger there", 0),
    (4, {}, "up to 3 free bandits", 0),
    (13, {}, "up to 3 bandits, 5 to 40 each", 0),
    (22, {0: "R1", 1: "R1 R1 R2"}, "everyone pays 10 for each bandit; you pay 30", -30),
    (22, {0: "R1"}, "everyone pays 10 for each bandit; you have none", 0),
    (5, {}, "the lamp gives you 100", 100),
    (11, {}, "you give 100 in alms", -100),
    (16, {}, "one free bandit", 0),
]


@pytest.mark.parametrize(("step", "owned", "gloss", "paid"), STOPS)
def test_a_stop_says_what_it_leads_to(step: int, owned: dict[int, str], gloss: str, paid: int) -> None:
    t = stopping(step, owned=owned)
    (notation, *_) = t.options("play 1")
    assert gloss == t.gloss(notation)
    before = t.state.purses[1]
    after = t.state.apply(Seat(1), t.match.parse(notation))[0]
    assert paid == after.purses[1] - before
    assert ("in danger" in gloss and "no bandit" not in gloss) == (after.danger is not None)


def test_the_end_of_a_lap_brings_each_type_once_and_a_full_group_double() -> None:
    t = stopping(52, owned={1: "R1 R1 Y2 Y2 Y2 Y2"})
    assert "the lap ends, and your bandits bring 480" == t.gloss("play 1")
    assert "the lap ends, and you have no bandits" == stopping(52, owned={0: "R1"}).gloss("play 1")


def test_a_toll_is_told_for_those_who_have_bandits() -> None:
    assert [0, 2] == sorted(
        event.seat for event in stopping(22, owned={0: "R1", 2: "Y1"}).play("play 1").shown(TollPaid)
    )


# --- Hiring ----------------------------------------------------------------------------------------------------------


def test_what_is_left_to_hire_and_what_was_taken_is_told() -> None:
    t = stopping(13).play("play 1")
    assert ("Hire up to 3 bandits, or stop.", "No bandit") == (t.prompt, t.named("stop"))
    assert "Red bandit for 40" == t.named("take red")
    t.play("take red")
    assert ("Hire up to 2 more, or stop.", "No more") == (t.prompt, t.named("stop"))
    assert (1, 0) == (len(t.play("stop").shown(TookNoMore)), len(t.shown(TookNone)))
    assert (0, 1) == tuple(len(stopping(13).play("play 1", "stop").shown(kind)) for kind in (TookNoMore, TookNone))


def test_a_recruit_is_free_and_the_only_one() -> None:
    t = stopping(16).play("play 1")
    assert ("Hire a bandit, or stop.", "No bandit", "Red bandit, free") == (
        t.prompt,
        t.named("stop"),
        t.named("take red"),
    )
    t.play("take red")
    assert (1, 0) == tuple(len(t.shown(kind)) for kind in (HiredFree, Hired))


@pytest.mark.parametrize(
    ("step", "line"), [(4, "Bandits are free here"), (16, "Bandits are free here"), (13, "A red one costs 40 here")]
)
def test_advice_on_hiring_knows_the_price(step: int, line: str) -> None:
    assert str(ideas(stopping(step).play("play 1").state)[1]).startswith(line)


def test_the_stack_is_counted_with_returned_bandits_and_the_next_one_is_named_once_it_is_known() -> None:
    t = stopping(13, tails={"red": "R1 R4"}).play("play 1")
    assert "brings 160, or costs 480 if arrested; 16 on the stack" == t.gloss("take red")
    t = stopping(13, tails={"red": "R1 R4"}, unseen={"red": (0, 0, 0, 0)}).play("play 1")
    assert "red 1 lies on top: it brings 160" == t.gloss("take red")
    assert "R1" == " ".join(t.play("take red").state.bandits[1])


def test_a_purse_that_is_too_small_is_the_players_own() -> None:
    t = stopping(13, purses=(400, 10, 400, 400)).play("play 1")
    assert "A red bandit costs 40 here, and you have 10." == t.refusal("take red")[0]


R1, R2 = Thief.R1, Thief.R2


def test_hires_and_returns_of_one_seat_are_told_together_with_their_price() -> None:
    one, other = group_cards((R1,)), group_cards((R1, R2))
    for kind in (Hired, BroughtBack):
        merged = kind(Seat(0), one, Money(40)).and_then(kind(Seat(0), other, Money(60)))
        assert kind(Seat(0), group_cards((R1, R1, R2)), Money(100)) == merged
        assert kind(Seat(0), one, Money(40)).and_then(kind(Seat(1), other, Money(60))) is None
    assert HiredFree(Seat(0), one).and_then(HiredFree(Seat(1), other)) is None
    assert ["2 × red 1", "red 2"] == [str(cards.label) for cards in group_cards((R1, R1, R2))]


# --- Windows and sales -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "before", "after"),
    [
        ({}, "Two dice follow. You may wait", "The line is known"),
        ({"second_window": False}, "Two dice follow, and this is your only chance", None),
    ],
)
def test_advice_on_danger_knows_the_dice_to_come(options: dict[str, Any], before: str, after: str | None) -> None:
    t = at_gangs("black 5", walked=29, **BLUE, owned={1: "R1 R3"}, **options).play("play 1")
    assert str(ideas(t.state)[0]).startswith(before)
    if after:
        assert str(ideas(t.play("done").state)[0]).startswith(after)


def test_the_question_of_a_window_names_what_its_owner_can_do() -> None:
    setting = {"walked": 29, **BLUE, "owned": {1: "R1 R3"}}
    assert "Return a bandit, or risk it." == at_gangs(**setting).play("play 1").prompt
    t = at_gangs(**setting, trading=True).play("play 1")
    assert "Return or offer a bandit, or risk it." == t.prompt
    assert ("Risk them all", "Risk it") == (t.named("done"), t.play("return R1").named("done"))
    t = at_gangs(**setting, trading=True, purses=(90, 10, 90, 90)).play("play 1")
    assert "Offer a bandit, or risk it." == t.prompt
    t = at_gangs(walked=29, **BLUE, owned={1: "R1 R3 R4"}).play("play 1", "return R1")
    assert "Risk the others" == t.named("done")


def test_a_sale_names_the_price_here_and_the_worth_of_the_bandit() -> None:
    t = at_gangs(walked=30, **BLUE, owned={1: "R1"}, sell_to_bank=True)
    assert "Sell a bandit, or play a movement card." == t.prompt
    assert ("Red bandit 1, sold for 80", "Red bandit 1") == (t.named("sell R1"), t.named("sell R1", "bandit"))
    assert "worth 160 at a raid or at the end of the lap" == t.gloss("sell R1")
    assert 80 == t.state.price(t.match.parse("sell R1").bandit.gang)


def test_a_player_without_bandits_is_told_to_hire_and_one_with_them_what_they_are_worth() -> None:
    for owned, line in (({}, "In the first 12 steps"), ({1: "R1"}, "Each bandit brings its value")):
        assert str(ideas(at_gangs(**BLUE, owned=owned).state)[1]).startswith(line)


def test_no_bandit_is_in_danger_once_the_dice_have_fallen() -> None:
    t = at_gangs("black 3", "white 3", walked=29, **BLUE, owned={0: "R1", 1: "R1 R3"}).play("play 1")
    assert (Thief.R1, Thief.R3) == t.state.in_danger(Seat(1))
    while t.due != 2:
        t.play("done")
    assert {()} == {t.state.in_danger(Seat(seat)) for seat in range(4)}


# --- Offers ----------------------------------------------------------------------------------------------------------


def offered(price: int, **told: Any) -> Table:
    t = at_gangs(walked=29, **BLUE, owned={1: "Y1 R1", 2: "R1 R1 R1"}, trading=True, **told).play("play 1")
    return t.play("offer R1", "to yellow", f"price {price}")


@pytest.mark.parametrize(("price", "payment"), [(200, "Yellow pays 200; "), (0, ""), (-100, "Blue pays 100; ")])
def test_an_offer_says_who_pays_and_what_the_bandit_is_worth_to_the_buyer(price: int, payment: str) -> None:
    t = offered(price)
    assert f"{payment}12 of 36 numbers cost 2,400, 24 bring 800" == t.gloss("accept"), "a full group counts double"
    assert "nothing changes" == t.gloss("decline")
    before = t.state.purses
    paid = [new - old for new, old in zip(t.play("accept").state.purses, before, strict=True)]
    assert [0, price, -price, 0] == paid


def test_advice_on_an_offer_counts_the_numbers_of_the_bandit() -> None:
    t = at_gangs(walked=27, **BLUE, owned={1: "Y1"}, trading=True).play("play 1", "offer Y1", "to yellow", "price 0")
    assert [
        "A yellow bandit brings 20 if it gets away now.",
        "If arrested, it costs 60 and is gone; it has 4 of the 36 numbers.",
    ] == [str(idea) for idea in ideas(t.state)]


def test_a_lower_price_can_be_named_only_if_the_seller_could_pay_it() -> None:
    assert "counteroffer" in offered(-80, purses=(0, 90, 0, 0)).options()
    assert "counteroffer" not in offered(-90, purses=(0, 90, 0, 0)).options()
    t = offered(80).play("counteroffer")
    assert ["70 piastres", "Blue pays 10 piastres"] == [t.named(f"price {price}") for price in (70, -10)]


# --- Scores ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("trading", "rest"), [(False, "100 in town"), (True, "100 elsewhere")])
def test_the_account_says_where_money_came_from(trading: bool, rest: str) -> None:
    state = at_gangs(purses=(2_600, 0, 0, 0), trading=trading).state
    assert f"2,500 to start, {rest}" == str(state.account(Seat(0)))


@pytest.mark.parametrize(("walked", "lap"), [(0, 1), (51, 1), (52, 2), (103, 2), (104, 2)])
def test_a_game_has_two_laps(walked: int, lap: int) -> None:
    assert lap == at_gangs(walked=walked).state.lap
