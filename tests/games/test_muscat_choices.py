"""Words and consequences of the choices in Muscat: true in random games, and as in these examples."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from engine.coaching import ideas
from engine.core import Action
from engine.games.muscat import GAME
from engine.games.muscat.artists import ARTISTS, Artist
from engine.games.muscat.board import TRIO
from engine.games.muscat.options import AT_ONCE, IN_TURN, NO_ACTION
from engine.games.muscat.state import Muscat
from engine.games.muscat.verbs.change import Change
from engine.games.muscat.verbs.cycle import CycleRan, Fell
from engine.games.muscat.verbs.expel import Expel
from engine.games.muscat.verbs.pick import Pick
from engine.games.muscat.verbs.reemploy import Reemploy
from engine.games.muscat.verbs.remove import Remove
from engine.notation import format_action
from engine.texts import CHANCE, Seat
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


@pytest.mark.parametrize(
    ("others", "gloss"),
    [
        ("", "nobody is there yet"),
        ("E1", "beside Blue’s elephant trainer"),
        ("E0 F0", "in motion: you would rise twice and fall"),
        ("E0 F1", "in motion: you would rise twice, Blue fall"),
        ("E1 F0", "in motion: you would rise and fall, Blue rise"),
        ("E1 F1", "in motion: Blue would rise and fall, you rise"),
        ("E1 F2", "in motion: you and Blue would rise, Yellow fall"),
    ],
)
def test_a_market_is_glossed_by_what_a_cycle_there_would_do(others: str, gloss: str) -> None:
    """Without a piper, the snake charmer is the strongest and the fire eater the weakest."""
    t = table(markets={"1A": others}, faceup={0: "S"})
    assert gloss == label_and_gloss(t, "place A")[1]


OPPORTUNITIES = {"1A": "S0 E1 F2", "2A": "S0 E1 F2", "1B": "S1 E2 F0", "3A": "S1 E1 F0", "2B": "S1 E1 F1"}
LAST_ROUND, TRICK = "This is the last round", "On a market with three, look"
STREETS, SUPPLY, LAST_ONE, NOBODY = (
    "Artists in a street",
    "Bring in your face-up",
    "Bring in the last",
    "You have nobody",
)
SITUATIONS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, [TRICK, SUPPLY]),
    ({"last_round": True, "markets": OPPORTUNITIES}, [LAST_ROUND, SUPPLY]),
    ({"palace": "P0 P1 S1"}, [TRICK, SUPPLY]),
    ({"palace": "P0 P1 S1 S2"}, ["The palace holds 4 of the 6 artists", SUPPLY]),
    ({"palace": "P0 P1 S1 S2", "seats": 4}, [TRICK, SUPPLY]),
    (
        {"markets": OPPORTUNITIES},
        ["2A lacks a piper: your snake charmer is the strongest", "3A lacks a piper: your fire eater", TRICK, SUPPLY],
    ),
    ({"markets": {"1A": "S1 E0 F2"}}, ["1A lacks a piper: your elephant trainer is the second", TRICK, SUPPLY]),
    ({"streets": {1: "P1"}}, [TRICK, SUPPLY]),
    ({"streets": {1: "P0"}}, [TRICK, STREETS]),
    ({"piles": {0: ""}}, [TRICK, LAST_ONE]),
    ({"piles": {0: ""}, "faceup": {0: ""}}, [TRICK, NOBODY]),
]


@pytest.mark.parametrize(("told", "lines"), SITUATIONS)
def test_advice_on_a_turn_fits_the_situation(told: dict[str, Any], lines: list[str]) -> None:
    advice = [str(idea) for idea in ideas(table(**told).state)]
    assert len(lines) == len(advice)
    assert [] == [pair for pair in zip(lines, advice, strict=True) if not pair[1].startswith(pair[0])]


def test_advice_names_the_artist_that_a_new_one_threatens() -> None:
    t = table(markets={"1A": "P1"}, luck="E").play("draw")
    assert "Your elephant trainer threatens a fire eater, so" in str(ideas(t.state)[0])
    assert "New artist (elephant trainer) → B" == label_and_gloss(t, "place B")[0], "not the one that lies face up"


def test_a_rise_is_told_from_a_jump_and_the_second_riser_keeps_its_points_while_it_waits() -> None:
    full = {"2A": "S0 E1 F2", "3A": "S1", "3B": "S2", "3C": "P1 E2 F1"}
    rising, jumping = table(markets={"2A": full["2A"]}), table(markets=full)
    assert "Place your snake charmer on level 3." == str(rising.play("cycle 2A").decision.prompt)
    assert (4, 4) == tuple(rising.state.tally(Seat(seat)) for seat in (0, 1))
    assert "Jump with your snake charmer to level 4." == str(jumping.play("cycle 2A").decision.prompt)
    assert "Red’s snake charmer makes a career jump to 4A." == jumping.play("rise 4A").sentences()[-1]


def test_a_field_names_the_artists_that_it_is_about() -> None:
    t = table(markets={"1B": "S0 P1", "1C": "E1 F2"}, streets={1: "P0 S0", 2: "P0", 3: "S0"})
    voice = Voice(t.match.names, t.due, t.state)
    change, reemploy = option(t, "change S 1B 1C"), option(t, "reemploy P 2A")
    assert ["1B (piper)", "1C (elephant trainer and fire eater)"] == [
        voice.field(change, name) for name in ("origin", "target")
    ]
    assert "Piper in streets 1 and 2" == voice.field(reemploy, "artist")


def test_a_draw_and_a_transformation_name_the_players_own_artists() -> None:
    t = table(turn=1, piles={0: "SS", 1: "PP"})
    assert "in the pile: 2 pipers" == label_and_gloss(t, "draw")[1]
    t = table(markets={"1A": "S1 E2 F0"}, streets={1: "P0"})
    assert "costs the fire eater; you and Blue rise, Yellow falls" == label_and_gloss(t, "transform 1A 1")[1]
    t = table(markets={"1A": "S1", "1B": "S2", "1C": "S1"}, faceup={0: "S"})
    assert "it costs a point" in label_and_gloss(t, "place street")[1]


@pytest.mark.parametrize(
    ("told", "account"),
    [
        (
            {"markets": {"4A": "P0"}, "palace": "S0", "streets": {2: "E0"}},
            "10 in the palace, 8 on the markets, −2 in the streets",
        ),
        ({"streets": {2: "E0 F1"}}, "−2 in the streets"),
        ({"markets": {"4A": "P1"}}, "None"),
    ],
)
def test_an_account_has_only_the_sources_of_points(told: dict[str, Any], account: str) -> None:
    assert account == str(table(**told).state.account(Seat(0)))


ENDS = (IN_TURN, AT_ONCE, NO_ACTION)


@pytest.mark.parametrize(("seats", "limit"), [(3, 6), (4, 8), (5, 8)])
def test_the_summary_of_the_end_follows_seats_and_options(seats: int, limit: int) -> None:
    ends = [GAME.short_in(GAME.setup(seats, {"exhaustion_end": end})) for end in ENDS]
    endings = [str(lines.end) for lines in ends if lines]
    assert len(ENDS) == len([end for end in endings if f"Once {limit} artists are in the palace" in end])
    assert [end != NO_ACTION for end in ENDS] == ["runs out of artists" in end for end in endings]


def test_the_summary_asks_for_an_artist_of_ones_own_only_under_the_option() -> None:
    for owned in (True, False):
        lines = GAME.short_in(GAME.setup(3, {"cycle_needs_own_token": owned})) or pytest.fail("no summary")
        assert owned == ("at least one of them yours" in str(lines.turn))
