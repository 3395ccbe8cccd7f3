"""Every refused action of the gangs says why, and which section says so."""

from __future__ import annotations

import pytest

from engine.texts import Seat
from tests.games.town_positions import Table, at_gangs


def window() -> Table:
    t = at_gangs("black 5", walked=29, hand=(1,), owned={0: "R1 R3 B1"}, trading=True)
    return t.play("play 1", "done")


def poor() -> Table:
    return at_gangs(walked=29, hand=(1,), owned={0: "R1"}, trading=True, purses=(10, 100, 0, 0)).play("play 1")


def hiring() -> Table:
    return at_gangs(walked=12, hand=(1,), purses=(10, 0, 0, 0), unseen={"yellow": (0, 0, 0, 0)}).play("play 1")


GANGS = [
    (window, "return R3", "Nothing threatens red 3: it has no mark in line 5.", "3.3"),
    (window, "return B1", "Nothing threatens blue 1: no blue is shown here.", "3.3"),
    (window, "return G1", "You have no green 1.", "3.1"),
    (poor, "return R1", "Returning a bandit costs 20, and you have 10.", "3.4"),
    (hiring, "take yellow", "The yellow stack is empty.", "3.2"),
    (hiring, "take red", "A red bandit costs 40 here, and you have 10.", "3.2"),
]


@pytest.mark.parametrize(("position", "tried", "sentence", "rule"), GANGS, ids=[row[1] for row in GANGS])
def test_a_refused_action_gives_the_reason_and_the_rule(position: object, tried: str, sentence: str, rule: str) -> None:
    assert (sentence, rule) == position().refusal(tried)  # type: ignore[operator]


def test_a_refused_trade_gives_the_reason() -> None:
    t = poor().play("offer R1")
    assert "You cannot make an offer to yourself." == t.refusal("to red")[0]
    assert "There is no player in that seat." == t.refusal("to white")[0]
    t.play("to blue")
    assert (
        "The price must be a multiple of ten from −1,000 to 1,000."
        == t.refusal("price 105")[0]
        == t.refusal("price 1010")[0]
    )
    assert "Blue has 100 and cannot pay 110 for red 1." == t.refusal("price 110")[0]
    assert "Red has 10 and cannot add 20 to red 1." == t.refusal("price -20")[0]
    t.play("price 0")
    aside = t.state.aside(Seat(1))
    assert aside is not None
    assert aside.discreet, "an answer at once would tell that nobody was asked"
    assert t.refusal("done")[1] == "3.8"
    t.play("decline", "offer R1", "to blue", "price 0")
    assert "3.8" == t.refusal("price 10")[1]


def test_a_refused_counteroffer_gives_the_reason() -> None:
    t = poor().play("offer R1", "to blue", "price 80", "counteroffer")
    equal = "You were offered red 1 for 80: name a lower price than that."
    assert (equal, "3.8") == t.refusal("price 80") == t.refusal("price 90")
    assert "The price must be a multiple of ten from −1,000 to 1,000." == t.refusal("price 75")[0]
    assert "Red has 10 and cannot add 20 to red 1." == t.refusal("price -20")[0]
    t.play("price 70", "offer R1", "to blue", "price 70")
    last = "That was the last offer in this window, so a counteroffer would be pointless."
    assert (last, "3.8") == t.refusal("counteroffer")
    t = poor().play("offer R1", "to blue", "price -10")
    assert "There is no lower price for red 1 that Red could pay." == t.refusal("counteroffer")[0]


def test_refusals_mention_an_empty_purse() -> None:
    t = at_gangs(walked=29, hand=(1,), owned={0: "R1"}, trading=True, purses=(0, 0, 0, 0)).play("play 1")
    assert "Returning a bandit costs 20, and you have nothing." == t.refusal("return R1")[0]
    t.play("offer R1", "to blue")
    assert "Neither of you has 10: the price can only be 0." == t.refusal("price 10")[0]


def test_a_refused_offer_gives_the_reason() -> None:
    assert (
        "Bandits are not traded at this table."
        == (at_gangs(walked=29, hand=(1,), owned={0: "R1"}).play("play 1").refusal("offer R1")[0])
    )
    t = at_gangs(walked=29, hand=(1,), owned={0: "R1 R2"}, trading=True)
    t.play("play 1", "return R1")
    assert "Offers come before returns, and there are at most 2 in a window." == t.refusal("offer R2")[0]


def test_a_refused_sale_gives_the_reason() -> None:
    assert ("At this table the bank does not buy bandits.", "3.9") == at_gangs(owned={0: "R1"}).refusal("sell R1")
    assert ("You have no red 1.", "3.1") == at_gangs(sell_to_bank=True).refusal("sell R1")
