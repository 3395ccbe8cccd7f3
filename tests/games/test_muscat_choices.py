"""What the choices of Muscat are called and lead to: true in random games, and as in these examples."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from engine.core import Action, field_types
from engine.games.muscat import GAME
from engine.games.muscat.actions import Change, Expel, Pick, Place, Reemploy, Remove
from engine.games.muscat.artists import ARTISTS, Artist
from engine.games.muscat.board import TRIO
from engine.games.muscat.events import CycleRan, Fell, Removed, TurnedUp
from engine.games.muscat.state import Muscat
from engine.notation import format_action
from engine.texts import CHANCE, Seat
from engine.wording import Voice, say
from tests.engine.playouts import Step, steps_of
from tests.games.muscat_positions import Table, table


def gloss_of(step: Step) -> str:
    return say(step.before.gloss(step.action) or pytest.fail("no gloss"))


def option(t: Table, notation: str) -> Action:
    return next(action for action in t.decision.options if format_action(action) == notation)


def told(t: Table, notation: str) -> tuple[str, str]:
    """Label and gloss of an option as the seat that is asked reads them."""
    voice = Voice(t.match.names, t.due, t.state)
    return voice.label(option(t, notation)), voice.gloss(option(t, notation))


# --- what an option leads to is true ---


def test_a_gloss_foretells_who_rises_and_who_falls() -> None:
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
    """Who rises how often, and who falls, as a gloss has it."""
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
        (found[who + 1] for who in whom) for form, whom in forms.items() if (found := re.match(form, order))
    )
    return Counter((one, other)), last


def test_a_price_that_is_foretold_is_paid() -> None:
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


def test_going_back_to_work_gains_what_is_told() -> None:
    for step in steps_of(GAME):
        if isinstance(step.action, Reemploy | Remove):
            assert isinstance(step.before, Muscat)
            assert isinstance(step.after, Muscat)
            points = step.after.score(step.seat) - step.before.score(step.seat)
            assert re.match(rf"(gains|saves) {points} point", gloss_of(step))


def test_the_odds_are_those_of_the_draw() -> None:
    for step in steps_of(GAME):
        odds = step.before.odds()
        assert (odds is not None) == (step.seat == CHANCE)
        if odds is not None:
            total, *each = map(int, re.findall(r"\d+", say(odds)))
            (weights,) = (decision.weights for decision in step.decisions)
            assert (total, tuple(each)) == (sum(weights), weights)


def test_an_account_tells_palace_markets_and_streets() -> None:
    t = table(palace="P0 E0", markets={"4A": "S0", "2B": "F0"}, streets={3: "F0", 1: "F0"})
    assert "20 in the palace, 12 on the markets, −4 in the streets" == str(t.state.account(Seat(0)))
    assert t.state.account(Seat(1)) is None


def test_the_log_tells_of_artists_that_are_turned_up() -> None:
    """They lie open on the board, and need no sentence beside it."""
    assert TurnedUp.minor
    assert not Removed.minor


# --- examples ---


def test_a_new_artist_is_named_with_its_market() -> None:
    t = table(faceup={0: "P"}, markets={"1A": "S1", "1B": "S0 E2", "1C": "P1"})
    assert ("New artist (piper) → A", "beside Blue’s snake charmer") == told(t, "place A")
    assert ("New artist (piper) → B", "full then: you would rise twice, Yellow fall") == told(t, "place B")


def test_a_new_artist_without_room_goes_to_the_street_and_is_told_so() -> None:
    t = table(faceup={0: "P"}, markets={"1A": "P1", "1B": "P2", "1C": "P1"})
    label, gloss = told(t, "place street")
    assert "New artist (piper) → street 1" == label
    assert "no market on level 1 has room for it; there it costs a point" == gloss


def test_a_drawn_artist_is_named_with_its_market() -> None:
    t = table(luck="E").play("draw")
    assert "New artist (elephant trainer) → A" == told(t, "place A")[0]


def test_a_hidden_artist_is_one_of_those_that_are_left() -> None:
    t = table(faceup={0: "P"}, piles={0: "PPF"})
    assert ("Draw a hidden artist", "one of 2 pipers and 1 fire eater") == told(t, "draw")


def test_a_cycle_tells_who_rises_and_who_falls() -> None:
    t = table(markets={"1A": "S0 E1 F2", "2A": "S1 E1 F0", "4A": "S0 E1 F2", "4B": "S1 E1 F2"})
    assert ("Set 1A in motion", "You and Blue rise, Yellow’s fire eater falls") == told(t, "cycle 1A")
    assert "Blue rises twice, your fire eater falls" == told(t, "cycle 2A")[1]
    assert "palace for you and Blue, Yellow’s fire eater falls" == told(t, "cycle 4A")[1]
    assert "the palace twice for Blue, Yellow’s fire eater falls" == told(t, "cycle 4B")[1]


def test_a_change_of_place_tells_its_price() -> None:
    t = table(markets={"1B": "S0", "1C": "E1 F2"}, streets={3: "P0"})
    assert ("Snake charmer 1B → 1C", "You and Blue rise, Yellow falls; price: piper") == told(t, "change S 1B 1C")
    t = table(markets={"1B": "S0", "1C": "E1 F2"}, streets={3: "P0", 1: "P0"})
    assert "You and Blue rise, Yellow falls; you give one up next" == told(t, "change S 1B 1C")[1]


def test_who_falls_by_a_change_of_place_may_be_the_price() -> None:
    t = table(markets={"3B": "F0", "3C": "S0 E1"}, streets={3: "F0"})
    assert "You rise and fall, Blue rises; price: fire eater" == told(t, "change F 3B 3C")[1]
    t = table(markets={"3B": "F0", "3C": "S0 E1"}, streets={3: "P0"})
    assert "You rise and fall, Blue rises; you give one up next" == told(t, "change F 3B 3C")[1]


def test_an_expulsion_names_the_rival_and_what_comes_of_it() -> None:
    t = table(markets={"1A": "E1 F0", "1B": "P2 S2 F1"}, streets={1: "E0"})
    assert (
        "Fire eater 1A ⇄ Blue’s 1B",
        "Yellow rises and falls, you rise; price: elephant trainer",
    ) == (told(t, "expel F 1A 1B"))
    t = table(markets={"1A": "S2 E1 F0", "1B": "P2 S2 F1"}, streets={1: "E0"})
    assert "both are full: you pick one next; price: elephant trainer" == told(t, "expel F 1A 1B")[1]
    t = table(markets={"1A": "S2 E1 F0", "1B": "P2 S2 F1"}, streets={1: "E0 P0"})
    assert "both are full: you pick one next; you give one up next" == told(t, "expel F 1A 1B")[1]


def test_a_transformation_tells_whom_it_costs() -> None:
    t = table(markets={"1A": "P1 S0 F2"}, streets={4: "E0"})
    label, gloss = told(t, "transform 1A 4")
    assert "1A: elephant trainer from street 4" == label
    assert "costs the snake charmer; you and Yellow rise, Blue falls" == gloss


def test_a_riser_is_named_and_sees_whom_it_joins() -> None:
    t = table(markets={"1A": "S0 E1 F2", "2A": "P1", "2B": "E1 F0"}).play("cycle 1A")
    assert ("Snake charmer → 2A", "beside Blue’s piper") == told(t, "rise 2A")
    assert "full then: you would rise and fall, Blue rise" == told(t, "rise 2B")[1]
    assert ("Snake charmer → 2C", "nobody is there yet") == told(t, "rise 2C")


def test_a_field_is_named_by_what_is_there() -> None:
    t = table(markets={"1A": "P0", "1B": "P1 S1 F2", "1C": "E1"}, streets={1: "S0", 3: "S0"})
    voice = Voice(t.match.names, Seat(0), t.state)
    expel = option(t, "expel P 1A 1B")
    assert ["Piper", "1A (nobody else)", "Blue’s on 1B"] == [voice.field(expel, f) for f in field_types(Expel)]
    assert "Piper 1A (nobody else) ⇄ …" == voice.beginning(expel, 2)
    back = option(t, "reemploy S 1C")
    assert ["Snake charmer in streets 1 and 3", "1C (elephant trainer)"] == [
        voice.field(back, field) for field in field_types(Reemploy)
    ]
    assert "1B (all but the elephant trainer)" == voice.field(option(t, "cycle 1B"), "market")
    assert "B" not in [
        say(t.state.named(a, "market") or pytest.fail("no name")) for a in t.decision.options if type(a) is Place
    ]


def test_advice_names_the_market_that_lifts_and_the_one_that_throws_down() -> None:
    t = table(markets={"1A": "S0 E1 F2", "2A": "S1 E1 F0"})
    assert "1A lacks a piper, so your snake charmer is the strongest there: set it in motion and climb." == str(
        t.state.advice()[0]
    )
    t = table(markets={"2A": "S1 E1 F0"})
    assert "2A lacks a piper, so your fire eater is the weakest there and falls if 2A is set in motion." == str(
        t.state.advice()[0]
    )


def test_advice_speaks_of_hidden_artists_only_while_there_are_some() -> None:
    assert "hidden" in str(table().state.advice()[1])
    assert "hidden" not in str(table(piles={0: ""}).state.advice()[1])
    assert "You have nobody left to bring in" in str(table(faceup={0: ""}, piles={0: ""}).state.advice()[1])


@pytest.mark.parametrize("artist", ARTISTS)
def test_beside_its_prey_an_artist_is_never_the_weakest(artist: Artist) -> None:
    """The rule of thumb of the advice, over all markets of three."""
    for trio in filter(None, TRIO):
        missing = ARTISTS[trio.missing]
        if artist.prey != missing:
            assert trio.weakest.artist != artist
        else:
            assert trio.weakest.artist == artist
