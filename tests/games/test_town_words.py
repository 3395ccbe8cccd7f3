"""What the events and questions say is true: when a stake is safe, who pays, and what nobody has."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from engine.games.alibaba import GAME
from engine.games.alibaba.data import CAVE
from engine.games.alibaba.events import CameHome, Extended, Stole
from engine.games.alibaba.words import Ordinal
from engine.games.gangs import GAME as GANGS
from engine.town.cards import Cards
from engine.town.events import Walked
from engine.town.track import Route
from tests.games.town_positions import Table, at_cave, at_gangs, cave

RED_AT_30 = {"walked": 29, "hand": (1,)}
EMPTY_AT_13 = {"walked": 12, "hand": (1,)}
BLUE_AT_6 = {"walked": 5, "hand": (1,)}
NTH = {"next": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6}


# --- When a stake is safe (rule 3.3) ---------------------------------------------------------------------------------


def landings(t: Table, owner: int) -> list[int]:
    """Whose turns it takes until the stake of a seat comes home, every one of them ending on an empty space."""
    walkers: list[int] = []
    while owner not in [event.seat for event in t.shown(CameHome)]:
        ones = Cards(((1,) * 12,) * t.state.seats, t.state.cards.played, t.state.cards.dealt, ())
        t.match.state = replace(t.state, walked=12, route=Route.MAIN, cards=ones)
        t.play(*[option for option in t.options()[:1] if option in ("steal 0", "extend 0")], "play 1")
        walkers.append(t.shown(Walked)[-1].seat)
    return walkers


def told_last(gloss: str) -> tuple[int, str]:
    """Which turn of whom is the last one, read from what people are told."""
    found = re.search(r"safe after (\w+)’s (\w+) turn", gloss)
    assert found, gloss
    return NTH.get(found[2]) or int(found[2][:-2]), found[1]


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("turns", range(1, 13))
def test_a_stake_is_in_danger_on_as_many_landings_and_until_the_turn_that_is_told(seats: int, turns: int) -> None:
    t = Table(cave(seats))
    which, guard = told_last(t.gloss(f"steal {turns}"))
    (stole,) = t.play(f"steal {turns}").shown(Stole)
    walkers = landings(t, 0)
    assert (turns, turns + 1) == (stole.turns, len(walkers)), "who takes k turns is exposed on k + 1 landings"
    assert guard == t.match.names[walkers[-1]]
    assert which == [t.match.names[seat] for seat in walkers[1:]].count(guard)


@pytest.mark.parametrize(("seats", "due", "turns"), [(2, 2, 12), (2, 2, 1), (3, 1, 7), (6, 0, 6), (6, 5, 1)])
def test_an_extended_stake_is_in_danger_until_the_turn_that_is_told(seats: int, due: int, turns: int) -> None:
    t = Table(cave(seats, stakes={0: (1_000, due)}))
    which, guard = told_last(t.gloss(f"extend {turns}"))
    (extended,) = t.play(f"extend {turns}").shown(Extended)
    walkers = landings(t, 0)
    assert due + turns + 1 == extended.turns + 1 == len(walkers)
    assert guard == t.match.names[walkers[-1]]
    assert which == [t.match.names[seat] for seat in walkers[1:]].count(guard)


def test_the_option_and_the_event_tell_the_same() -> None:
    t = Table(cave(3))
    assert "this turn and 7 more, safe after Blue’s third turn from now" == t.gloss("steal 7")
    assert "28,000 for 7 turns" == t.named("steal 7")
    assert "Red steals 28,000 for 7 turns." == t.play("steal 7").sentences()[-1]


def test_an_extension_tells_what_was_added_and_what_is_in_danger() -> None:
    t = at_cave(turn=4, stakes={0: (28_000, 7)})
    assert "makes 31,000 in all, safe after Blue’s second turn from now" == t.gloss("extend 2")
    assert "3,000 more for 2 more turns" == t.named("extend 2")
    assert "Red adds 3,000: 31,000 for 5 turns." == t.play("extend 2").sentences()[-1]


def test_a_stake_that_is_due_is_safe_when_this_turn_is_over() -> None:
    state = cave(3, turn=3, stakes={0: (6_000, 3)})
    gloss = Table(state).gloss("extend 0")
    assert "a stake of 6,000, safe when this turn is over" == gloss


def test_ordinals_are_written_as_they_are_spoken() -> None:
    few = ["first", "second", "third", "fourth", "fifth", "sixth", "7th", "8th", "9th", "10th"]
    assert few == [Ordinal(n).label for n in range(1, 11)]
    assert ["11th", "12th", "13th", "21st", "22nd", "23rd", "24th"] == [
        Ordinal(n).label for n in (11, 12, 13, 21, 22, 23, 24)
    ]
    assert ["111th", "112th", "101st"] == [Ordinal(n).label for n in (111, 112, 101)]


def test_the_21st_turn_from_now_can_come() -> None:
    t = at_cave(seats=2, stakes={0: (100_000, 36)})
    assert t.gloss("extend 6").endswith("safe after Red’s 21st turn from now")


# --- Nobody has a bag of nothing, and nobody pays less than nothing --------------------------------------------------


def test_who_took_nobody_does_not_take_no_more() -> None:
    assert "Red takes nobody." == at_gangs(**EMPTY_AT_13).play("play 1", "stop").sentences()[-1]
    assert "Red takes no more." == at_gangs(**EMPTY_AT_13).play("play 1", "take yellow", "stop").sentences()[-1]
    assert "Red takes nobody." == at_gangs(walked=42, hand=(1,)).play("play 1", "stop").sentences()[-1]
    t = at_cave(walked=15, hand=(1,), cave_graffiti=True).play("steal 0", "play 1", "stop")
    assert "Red takes nobody." == t.sentences()[-1]


def test_the_question_says_whether_another_bandit_is_meant() -> None:
    t, prompts = at_gangs(**EMPTY_AT_13).play("play 1"), []
    for _ in range(3):
        prompts.append(t.prompt)
        t.play("take yellow")
    many = ("up to 3 bandits", "up to 2 more", "one more")
    assert [f"Hire {how}, or stop." for how in many] == prompts
    assert "Hire a bandit," in at_gangs(walked=42, hand=(1,)).play("play 1").prompt


def test_an_empty_stake_has_nothing_to_lose_to_pay_or_to_bring_home() -> None:
    t = at_cave(walked=21, hand=(1,), stakes={1: (0, 9)}, cave_graffiti=True).play("steal 0", "play 1")
    assert "The toll takes nothing from Blue’s stake." in t.sentences()
    t = at_cave("appear B1", "roll 1 1", **BLUE_AT_6, stakes={1: (0, 9)}).play("steal 0", "play 1", "turn-up 1")
    assert "Blue is caught, loses nothing and pays 1,000." in t.sentences()
    t = at_cave(turn=4, walked=0, hand=(1,), stakes={2: (0, 4)}).play("steal 0", "play 1")
    assert "Yellow brings nothing home." in t.sentences()
    t = at_cave(walked=103, hand=(1,), stakes={1: (0, 9), 2: (6_000, 9)}).play("steal 0", "play 1")
    assert {"Blue leaves nothing in the cave.", "Yellow leaves 6,000 in the cave."} <= set(t.sentences())


def test_many_for_whom_thieves_come_are_counted() -> None:
    stakes = dict.fromkeys(range(1, 6), (1_000, 9))
    t = at_cave(seats=6, stakes=stakes, **BLUE_AT_6).play("steal 0")
    assert "thieves come for 5 others" in t.gloss("play 1")


def test_an_empty_stake_that_is_let_lie_is_called_so() -> None:
    state = cave(3, stakes={0: (0, 2)})
    gloss = Table(state).gloss("extend 0")
    assert "an empty stake, safe after Yellow’s next turn" == gloss


def test_an_empty_purse_gives_nothing() -> None:
    poor = {"purses": (0, 0, 0, 0)}
    assert "Red gives nothing in alms." in at_gangs(walked=10, hand=(1,), **poor).play("play 1").sentences()
    toll = at_gangs(walked=21, hand=(1,), owned={2: "R1"}, **poor).play("play 1")
    assert "Yellow pays nothing at the toll." in toll.sentences()
    t = at_gangs("black 5", "white 1", **RED_AT_30, owned={0: "R1"}, **poor).play("play 1")
    assert "Red loses red 1 and pays nothing." in t.sentences()


def test_a_single_bandit_makes_a_raid_too() -> None:
    t = at_gangs("black 4", **RED_AT_30, owned={0: "R1"}).play("play 1", "done")
    assert "Red’s raid brings 160." in t.sentences()


def test_the_alarm_is_for_bandits_that_somebody_has() -> None:
    t = at_gangs(walked=33, hand=(1,), owned={0: "G2"}).play("play 1")
    assert "Alarm: green bandits are in danger." in t.sentences()


def test_a_bandit_of_the_first_quarter_is_sold_for_nothing() -> None:
    t = at_gangs(walked=0, owned={0: "R1"}, sell_to_bank=True)
    assert "Red bandit 1, sold for nothing" == t.named("sell R1")
    assert "Red sells red 1 for nothing." == t.play("sell R1").sentences()[-1]


def test_only_decks_that_are_drawn_from_are_told() -> None:
    t = at_cave(walked=11, hand=(1,), stakes={0: (1_000, 9)}, multi_deck="total").play("extend 0", "play 1")
    assert "2 red thieves" == t.named("turn-up 0 2")
    assert "Red calls for 2 red." in t.play("turn-up 0 2").sentences()


def test_a_recruit_from_an_empty_deck_comes_from_its_discards() -> None:
    gone = {"decks": {"blue": (0, 0, 0, 0)}, "piles": {"blue": (3, 2, 0, 0)}}
    t = at_cave(walked=15, hand=(1,), cave_graffiti=True, **gone).play("steal 0", "play 1")
    assert "bears 9 of 36 numbers; a new deck of 5 discards" == t.gloss("take blue")
    assert "bears 12 of 36 numbers; 16 in the deck" == t.gloss("take red")


# --- Offers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("price", "terms", "name", "gloss"),
    [
        (200, "for 200", "200 piastres", "Yellow has 2,300 left"),
        (0, "for nothing", "For nothing", ""),
        (-1000, "and 1,000 with it", "You pay 1,000 piastres", "Red has 1,500 left"),
    ],
)
def test_the_terms_of_an_offer_say_who_pays(price: int, terms: str, name: str, gloss: str) -> None:
    t = at_gangs(**RED_AT_30, owned={0: "R1 R3"}, trading=True).play("play 1", "offer R1", "to yellow")
    assert (name, gloss) == (t.named(f"price {price}"), t.gloss(f"price {price}"))
    t.play(f"price {price}")
    assert f"Red offers Yellow red 1 {terms}." == t.sentences()[-1]
    assert f"Red offers you red 1 {terms}. Do you agree?" == t.prompt
    assert f"Red hands Yellow red 1 {terms}." in t.play("accept").sentences()


def test_a_counteroffer_says_who_pays() -> None:
    t = at_gangs(**RED_AT_30, owned={0: "R1"}, trading=True).play("play 1", "offer R1", "to yellow", "price 200")
    assert "no, but you name a lower price, which binds nobody" == t.gloss("counteroffer")
    t.play("counteroffer")
    assert "Name a lower price for red 1. A negative price means Red pays." == t.prompt
    assert ("150 piastres", "Yellow has 2,350 left") == (t.named("price 150"), t.gloss("price 150"))
    assert ("Red pays 150 piastres", "Red has 2,350 left") == (t.named("price -150"), t.gloss("price -150"))


def test_the_choice_of_a_buyer_says_what_is_in_the_purse() -> None:
    t = at_gangs(**RED_AT_30, owned={0: "R1"}, trading=True, purses=(0, 2_500, 0, 0)).play("play 1", "offer R1")
    glosses = [t.gloss(f"to {name}") for name in ("blue", "yellow")]
    assert ["has 2,500", "has nothing"] == glosses


@pytest.mark.parametrize(
    ("purse", "trading", "ways"),
    [(20, False, "Return"), (20, True, "Return or offer"), (19, True, "Offer")],
)
def test_the_window_asks_for_what_can_be_done(purse: int, trading: bool, ways: str) -> None:
    t = at_gangs(**RED_AT_30, owned={0: "R1"}, trading=trading, purses=(purse, 0, 0, 0)).play("play 1")
    assert f"{ways} a bandit, or risk it." == t.prompt


def test_the_turn_asks_for_a_sale_where_there_is_something_to_sell() -> None:
    asked = "Sell a bandit, or play a movement card."
    assert asked == at_gangs(owned={0: "R1"}, sell_to_bank=True).prompt
    usual = "Play a movement card."
    assert usual == at_gangs(owned={1: "R1"}, sell_to_bank=True).prompt
    assert usual == at_gangs(owned={0: "R1"}).prompt


# --- One word for one thing ------------------------------------------------------------------------------------------


def test_who_walks_is_the_camel_to_the_end() -> None:
    t = at_cave(walked=103, hand=(1,)).play("steal 0", "play 1")
    assert "The game is over. The camel is back at Start for the second time." == t.sentences()[-1]
    texts = " ".join(section.text for spec in (GAME, GANGS) for section in spec.rulebook.sections.values())
    assert not re.search(r"\bfigure\b|caravan", texts)


def test_treasure_is_stolen_from_the_cave() -> None:
    texts = [GAME.summary, *(section.text for section in GAME.rulebook.sections.values())]
    texts += [verb.__doc__ or "" for verb in GAME.actions]
    assert not [text for text in texts if re.search(r"into the cave|carry treasure", text)]
    assert "steal treasure from the cave" in GAME.rulebook.sections["1"].text


def test_the_table_of_stakes_is_that_of_the_cave() -> None:
    cells = re.findall(r"\| (\d+) \| ([\d,]+) ", GAME.rulebook.sections["3.3"].text)
    told = {int(turns): int(money.replace(",", "")) for turns, money in cells}
    assert dict(enumerate(CAVE)) == {0: 0} | told
