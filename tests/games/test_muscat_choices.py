"""Words and consequences of the choices in Muscat: true in random games, and as in these examples."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from engine.coaching import ideas
from engine.core import Action
from engine.games.muscat import GAME
from engine.games.muscat.artists import ARTISTS, Artist
from engine.games.muscat.board import TRIO
from engine.games.muscat.state import Muscat
from engine.games.muscat.verbs.change import Change
from engine.games.muscat.verbs.cycle import CycleRan, Fell
from engine.games.muscat.verbs.expel import Expel
from engine.games.muscat.verbs.pick import Pick
from engine.games.muscat.verbs.reemploy import Reemploy
from engine.games.muscat.verbs.remove import Remove
from engine.notation import format_action
from engine.texts import CHANCE
from engine.wording import Voice, say
from kit.playouts import Step, steps_of
from tests.games.muscat_positions import Table, table


def gloss_of(step: Step) -> str:
    return say(step.before.gloss(step.action) or pytest.fail("no gloss"))


def option(t: Table, notation: str) -> Action:
    return next(action for action in t.decision.options if format_action(action) == notation)


def label_and_gloss(t: Table, notation: str) -> tuple[str, str]:
    """Label and gloss of an option as the seat that is asked reads them."""
    voice = Voice(t.match.names, t.due, t.state)
    return voice.label(option(t, notation)), voice.gloss(option(t, notation))


# --- what an option leads to is true ---


def test_a_gloss_predicts_which_seats_rise_and_fall() -> None:
    """Each seat that it names goes up as often as it says, and one falls: as in the cycle that runs then."""
    cycles = 0
    for step in steps_of(GAME):
        ran = [event for event in step.events if isinstance(event, CycleRan)]
        if ran:
            (fell,) = [event for event in step.events if isinstance(event, Fell)]
            names = GAME.seat_names(step.before.setup)  # type: ignore[attr-defined]
            risers = Counter(names[seat] for seat in (ran[0].strongest, ran[0].second))
            assert (risers, names[fell.seat]) == read_order(gloss_of(step))
            cycles += 1
    assert cycles > 400


def read_order(gloss: str) -> tuple[Counter[str], str]:
    """Number of rises by color, and the color that falls, as a gloss has it."""
    order = gloss.split("; price")[0].split("; ")[-1 if gloss.startswith("costs") else 0]
    name = "(Red|Blue|Yellow|Green|Purple)"
    forms = {
        rf"{name} rises twice and falls": (0, 0, 0),
        rf"{name} rises twice, {name}": (0, 0, 1),
        rf"the palace twice for {name}, {name}": (0, 0, 1),
        rf"{name} rises and falls, {name} rises": (0, 1, 0),
        rf"{name} and {name} rise, {name}": (0, 1, 2),
        rf"palace for {name} and {name}, {name}": (0, 1, 2),
    }
    one, other, last = next(
        (parsed[who + 1] for who in whom) for form, whom in forms.items() if (parsed := re.match(form, order))
    )
    return Counter((one, other)), last


def test_a_gloss_predicts_the_price_that_is_paid() -> None:
    """`price: piper` means that just a piper can be given up later; else there is a choice."""
    foretold = ""
    seen: Counter[bool] = Counter()
    for step in steps_of(GAME):
        if isinstance(step.action, Change | Expel | Pick):
            foretold = gloss_of(step)
        if isinstance(step.action, Remove):
            (decision,) = step.decisions
            kinds = {option.artist.label for option in decision.options if isinstance(option, Remove)}
            price = f"; price: {kinds.pop()}" if len(decision.options) == 1 else "gives one up next"
            assert foretold.endswith(price)
            seen[decision.forced] += 1
    assert min(seen[True], seen[False]) > 30


def test_going_back_to_work_gains_the_points_in_its_gloss() -> None:
    for step in steps_of(GAME):
        if isinstance(step.action, Reemploy | Remove):
            assert isinstance(step.before, Muscat)
            assert isinstance(step.after, Muscat)
            points = step.after.score(step.seat) - step.before.score(step.seat)
            assert re.match(rf"(gains|saves) {points} point", gloss_of(step))


def test_the_odds_match_the_weights_of_the_draw() -> None:
    for step in steps_of(GAME):
        odds = step.before.odds()
        assert (odds is not None) == (step.seat == CHANCE)
        if odds is not None:
            total, *each = map(int, re.findall(r"\d+", say(odds)))
            (weights,) = (decision.weights for decision in step.decisions)
            assert (total, tuple(each)) == (sum(weights), weights)


# --- examples ---


def test_the_gloss_of_a_change_of_place_names_its_price() -> None:
    t = table(markets={"1B": "S0", "1C": "E1 F2"}, streets={3: "P0"})
    assert ("Snake charmer 1B → 1C", "you and Blue rise, Yellow falls; price: piper") == label_and_gloss(
        t, "change S 1B 1C"
    )
    t = table(markets={"1B": "S0", "1C": "E1 F2"}, streets={3: "P0", 1: "P0"})
    assert "you and Blue rise, Yellow falls; you give one up next" == label_and_gloss(t, "change S 1B 1C")[1]


def test_an_artist_that_falls_by_a_change_of_place_may_be_the_price() -> None:
    t = table(markets={"3B": "F0", "3C": "S0 E1"}, streets={3: "F0"})
    assert "you rise and fall, Blue rises; price: fire eater" == label_and_gloss(t, "change F 3B 3C")[1]
    t = table(markets={"3B": "F0", "3C": "S0 E1"}, streets={3: "P0"})
    assert "you rise and fall, Blue rises; you give one up next" == label_and_gloss(t, "change F 3B 3C")[1]


def test_the_gloss_of_an_expulsion_names_the_rival_and_the_consequences() -> None:
    t = table(markets={"1A": "E1 F0", "1B": "P2 S2 F1"}, streets={1: "E0"})
    assert (
        "Fire eater 1A ⇄ Blue’s 1B",
        "Yellow rises and falls, you rise; price: elephant trainer",
    ) == (label_and_gloss(t, "expel F 1A 1B"))
    t = table(markets={"1A": "S2 E1 F0", "1B": "P2 S2 F1"}, streets={1: "E0"})
    assert "both are full: you pick one next; price: elephant trainer" == label_and_gloss(t, "expel F 1A 1B")[1]
    t = table(markets={"1A": "S2 E1 F0", "1B": "P2 S2 F1"}, streets={1: "E0 P0"})
    assert "both are full: you pick one next; you give one up next" == label_and_gloss(t, "expel F 1A 1B")[1]


def test_advice_names_markets_where_the_players_artist_would_climb_or_fall() -> None:
    t = table(markets={"1A": "S0 E1 F2", "2A": "S1 E1 F0"})
    assert "1A lacks a piper: your snake charmer is the strongest, so set it in motion and climb." == str(
        ideas(t.state)[0]
    )
    t = table(markets={"2A": "S1 E1 F0"})
    assert "2A lacks a piper: your fire eater is the weakest and would fall." == str(ideas(t.state)[0])


@pytest.mark.parametrize("owned", [True, False])
def test_the_summary_explains_threats_before_the_advice_mentions_them(owned: bool) -> None:
    lines = GAME.short_in(GAME.setup(3, {"cycle_needs_own_token": owned})) or pytest.fail("no summary")
    assert "Each kind threatens the next clockwise." in str(lines.turn)
    assert "the weakest, which threatens neither, falls" in str(lines.turn)


@pytest.mark.parametrize("artist", ARTISTS)
def test_an_artist_beside_its_prey_is_never_the_weakest(artist: Artist) -> None:
    """The rule of thumb of the advice, over all markets of three."""
    for trio in filter(None, TRIO):
        missing = ARTISTS[trio.missing]
        if artist.prey != missing:
            assert trio.weakest.artist != artist
        else:
            assert trio.weakest.artist == artist
