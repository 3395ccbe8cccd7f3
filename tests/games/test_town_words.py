"""The sentences of events and questions are true: when a stake is safe, who pays, and what no player has."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from engine.games.alibaba import GAME
from engine.games.alibaba.data import CAVE
from engine.games.alibaba.events import CameHome, Extended, Stole
from engine.games.gangs import GAME as GANGS
from engine.texts import Seat
from engine.town.cards import Cards
from engine.town.events import Walked
from engine.town.track import Route
from tests.games.town_positions import Table, at_cave, at_gangs, cave

_SPELLED = ["next", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"]
NTH = {word: n for n, word in enumerate(_SPELLED, 1)}


# --- When a stake is safe (rule 3.3) ---------------------------------------------------------------------------------


def landings(t: Table, owner: int) -> list[int]:
    """Seats whose turns it takes until the stake of `owner` comes home, every one of them ending on an empty space."""
    walkers: list[int] = []
    while owner not in [event.seat for event in t.shown(CameHome)]:
        ones = Cards(((1,) * 12,) * t.state.seats, t.state.cards.played, t.state.cards.dealt, ())
        t.match.state = replace(t.state, walked=12, route=Route.MAIN, cards=ones)
        t.play(*[option for option in t.options()[:1] if option in ("steal 0", "extend 0")], "play 1")
        walkers.append(t.shown(Walked)[-1].seat)
    return walkers


def told_last(gloss: str) -> tuple[int, str]:
    """The last turn and its seat, read from the sentences."""
    promise = re.search(r"safe after (\w+)’s (\w+) turn", gloss)
    assert promise, gloss
    return NTH.get(promise[2]) or int(promise[2][:-2]), promise[1]


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("turns", range(1, 13))
def test_a_stake_is_in_danger_for_as_many_landings_as_its_gloss_says(seats: int, turns: int) -> None:
    t = Table(cave(seats))
    which, guard = told_last(t.gloss(f"steal {turns}"))
    (stole,) = t.play(f"steal {turns}").shown(Stole)
    walkers = landings(t, 0)
    assert (turns, turns + 1) == (stole.turns, len(walkers)), "who takes k turns is exposed on k + 1 landings"
    assert guard == t.match.names[walkers[-1]]
    assert which == [t.match.names[seat] for seat in walkers[1:]].count(guard)


@pytest.mark.parametrize(("seats", "due", "turns"), [(2, 2, 12), (2, 2, 1), (3, 1, 7), (6, 0, 6), (6, 5, 1)])
def test_an_extended_stake_is_in_danger_until_the_turn_in_its_gloss(seats: int, due: int, turns: int) -> None:
    t = Table(cave(seats, stakes={0: (1_000, due)}))
    which, guard = told_last(t.gloss(f"extend {turns}"))
    (extended,) = t.play(f"extend {turns}").shown(Extended)
    walkers = landings(t, 0)
    assert due + turns + 1 == extended.turns + 1 == len(walkers)
    assert guard == t.match.names[walkers[-1]]
    assert which == [t.match.names[seat] for seat in walkers[1:]].count(guard)


def test_the_option_and_the_event_agree() -> None:
    t = Table(cave(3))
    assert "safe after Blue’s third turn from now" == t.gloss("steal 7")
    assert "28,000 for 7 more turns" == t.named("steal 7")
    assert "Red steals 28,000 for 7 more turns." == t.play("steal 7").sentences()[-1]


def test_an_extension_names_the_added_amount_and_the_whole_stake() -> None:
    t = at_cave(turn=4, stakes={0: (28_000, 7)})
    assert "makes 31,000 in all, safe after Blue’s second turn from now" == t.gloss("extend 2")
    assert "3,000 more for 2 more turns" == t.named("extend 2")
    assert "Red adds 3,000: 31,000 for 5 more turns." == t.play("extend 2").sentences()[-1]


def test_a_due_stake_is_safe_when_this_turn_is_over() -> None:
    state = cave(3, turn=3, stakes={0: (6_000, 3)})
    gloss = Table(state).gloss("extend 0")
    assert "a stake of 6,000, safe when this turn is over" == gloss


@pytest.mark.parametrize(("due", "nth"), [(18, "10th"), (20, "11th"), (24, "13th"), (40, "21st"), (42, "22nd")])
def test_a_late_turn_is_counted_in_numbers(due: int, nth: str) -> None:
    assert f"safe after Red’s {nth} turn from now" in Table(cave(2, stakes={0: (1_000, due)})).gloss("extend 2")


@pytest.mark.parametrize(("graffiti", "rest"), [(False, "−300 to thieves"), (True, "−300 in town")])
def test_the_account_says_where_money_went(graffiti: bool, rest: str) -> None:
    state = cave(purses=(700, 2_000, 3_000, 4_000), cave_graffiti=graffiti)
    assert f"1,000 to start, {rest}" == str(state.account(Seat(0)))


# --- Who is meant ----------------------------------------------------------------------------------------------------


def test_the_alarm_names_only_bandits_with_an_owner() -> None:
    t = at_gangs(walked=33, hand=(1,), owned={0: "G2"}).play("play 1")
    assert "Alarm: green bandits are in danger." in t.sentences()


def test_without_money_or_bandits_the_words_say_so_instead_of_counting_none() -> None:
    """*0* is a number in most languages, not *nothing*."""
    t = at_gangs(walked=29, hand=(1,), owned={0: "R1"}, trading=True, purses=(10, 0, 5, 0)).play("play 1", "offer R1")
    assert ["has nothing", "has 5"] == [t.gloss(f"to {seat}") for seat in ("blue", "yellow")]
    assert "the lap ends, and you have no bandits" == at_gangs(walked=51, hand=(1,)).gloss("play 1")
    assert "everyone pays 10 for each bandit; you have none" == at_gangs(walked=21, hand=(1,)).gloss("play 1")


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
    t = at_gangs(walked=29, hand=(1,), owned={0: "R1 R3"}, trading=True).play("play 1", "offer R1", "to yellow")
    assert (name, gloss) == (t.named(f"price {price}"), t.gloss(f"price {price}"))
    t.play(f"price {price}")
    assert f"Red offers Yellow red 1 {terms}." == t.sentences()[-1]
    assert f"Red offers you the bandit red 1 {terms}. Do you agree?" == t.prompt
    assert f"Red hands Yellow red 1 {terms}." in t.play("accept").sentences()


def test_you_has_no_capital_in_a_gloss_since_it_follows_a_label() -> None:
    t = at_gangs(walked=29, hand=(1,), owned={0: "R1 R3"}, trading=True).play("play 1", "offer R1", "to yellow")
    assert "you have 1,500 left" == t.gloss("price -1000", you=Seat(0))


# --- One word for one thing ------------------------------------------------------------------------------------------


def test_the_walking_figure_is_always_called_the_camel() -> None:
    t = at_cave(walked=103, hand=(1,)).play("steal 0", "play 1")
    assert "The game is over. The camel is back at Start for the second time." == t.sentences()[-1]
    texts = " ".join(section.text for spec in (GAME, GANGS) for section in spec.rulebook.sections.values())
    assert not re.search(r"\bfigure\b|caravan", texts)


def test_the_table_of_stakes_in_the_rules_matches_the_cave() -> None:
    cells = re.findall(r"\| (\d+) \| ([\d,]+) ", GAME.rulebook.sections["3.3"].text)
    prices = {int(turns): int(money.replace(",", "")) for turns, money in cells}
    assert dict(enumerate(CAVE)) == {0: 0} | prices
