"""The words of a choice: labels, fields, glosses, advice, odds and the account of a score, in random games."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from random import Random
from statistics import median
from typing import Any

import pytest

from engine.core import Action, Decision, Event, field_types
from engine.games.muscat import GAME
from engine.games.muscat.actions import Change, Expel, Pick, Place, Reemploy, Remove
from engine.games.muscat.artists import ARTISTS, Artist
from engine.games.muscat.board import TRIO
from engine.games.muscat.events import CycleRan, Fell, Removed, TurnedUp
from engine.games.muscat.state import Muscat
from engine.notation import format_action
from engine.texts import CHANCE, Seat
from engine.wording import Voice, say
from tests.games.muscat_positions import Table, table

LONG = ("Maximiliana1", "Bartholomew2", "Xenophonia 3", "Anna-Luise 4", "Wilhelmina 5")
"""The longest names to reckon with."""

CODES = re.compile(r"[_{}]|\b[PSF]\b|\b(?:reemploy|expel|change|transform|pick|place|remove|rise) [A-Z0-9]")
"""What no player should have to read: notation, letters for artists, names of fields."""

MODES: tuple[dict[str, Any], ...] = (
    {},
    {"start_placement": "fixed", "exhaustion_end": "no_action"},
    {"blocked_second": "share", "exhaustion_end": "at_once"},
    {"cycle_needs_own_token": True},
)

everywhere = pytest.mark.parametrize(
    ("seats", "mode"), [(seats, mode) for seats in (3, 4, 5) for mode in range(len(MODES))]
)

Step = tuple[Muscat, Decision, Action, tuple[Event, ...]]


def steps(seats: int, mode: int, seed: int) -> Iterator[Step]:
    """A random game: position, decision, what is done and what happens."""
    rng = Random(f"{seats} seats, mode {mode}, game {seed}")
    state: Any = GAME.start(GAME.setup(seats, MODES[mode]))
    while decisions := state.decisions():
        (decision,) = decisions
        action = state.sample(rng) if decision.seat == CHANCE else rng.choice(decision.options)
        after, events = state.apply(decision.seat, action)
        yield state, decision, action, events
        state = after


def asked(seats: int, mode: int) -> Iterator[tuple[Muscat, Decision, Voice]]:
    """What people are asked in two games, and how they are spoken to."""
    for seed in range(2):
        for state, decision, _, _ in steps(seats, mode, seed):
            if decision.seat != CHANCE:
                yield state, decision, Voice(LONG[:seats], decision.seat, state)


def option(t: Table, notation: str) -> Action:
    return next(action for action in t.decision.options if format_action(action) == notation)


def told(t: Table, notation: str) -> tuple[str, str]:
    """Label and gloss of an option as the seat that is asked reads them."""
    voice = Voice(t.match.names, t.due, t.state)
    return voice.label(option(t, notation)), voice.gloss(option(t, notation))


# --- every option has words ---


@everywhere
def test_options_read_differently_and_fit_on_a_button(seats: int, mode: int) -> None:
    for _, decision, voice in asked(seats, mode):
        labels = [voice.label(action) for action in decision.options]
        assert len(set(labels)) == len(labels), labels
        for label in labels:
            assert 1 <= len(label) <= 42
            assert not CODES.search(label), label
            assert label[0].isupper() or label[0].isdigit(), label


@everywhere
def test_what_an_option_leads_to_takes_80_characters_at_most(seats: int, mode: int) -> None:
    for _, decision, voice in asked(seats, mode):
        for action in decision.options:
            gloss = voice.gloss(action)
            assert len(gloss) <= 80, gloss
            assert not CODES.search(gloss), gloss


@everywhere
def test_every_field_of_an_option_has_a_name_in_the_position(seats: int, mode: int) -> None:
    for state, decision, voice in asked(seats, mode):
        for action in decision.options:
            for field in field_types(type(action)):
                assert state.named(action, field), (action, field)
                name = voice.field(action, field)
                assert 2 <= len(name) <= 40, name
                assert not CODES.search(name), name


@everywhere
def test_half_a_choice_names_what_is_chosen(seats: int, mode: int) -> None:
    for _, decision, voice in asked(seats, mode):
        for action in decision.options:
            fields = list(field_types(type(action)))
            for known in range(1, len(fields)):
                words = voice.beginning(action, known)
                assert all(voice.field(action, field) in words for field in fields[:known])
                assert "…" in words


@everywhere
def test_whoever_is_asked_gets_two_lines_of_advice(seats: int, mode: int) -> None:
    for state, _, voice in asked(seats, mode):
        lines = [voice.say(line) for line in state.advice()]
        assert len(lines) == 2
        for line in lines:
            assert 30 <= len(line) <= 110, line
            assert line[0].isupper() or line[0].isdigit()
            assert line.endswith(".")


# --- what an option leads to is true ---


@everywhere
def test_a_gloss_foretells_who_rises_and_who_falls(seats: int, mode: int) -> None:
    """Each seat that it names goes up as often as it says, and one falls: as in the cycle that runs then."""
    cycles = 0
    for state, _, action, events in (step for seed in range(3) for step in steps(seats, mode, seed)):
        ran = [event for event in events if isinstance(event, CycleRan)]
        if ran:
            (fell,) = [event for event in events if isinstance(event, Fell)]
            risers = Counter(GAME.seat_names(state.setup)[seat] for seat in (ran[0].strongest, ran[0].second))
            gloss = say(state.gloss(action) or pytest.fail("a cycle has a gloss"))
            assert (risers, GAME.seat_names(state.setup)[fell.seat]) == read_order(gloss), gloss
            cycles += 1
    assert cycles > 40


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


@everywhere
def test_a_price_that_is_foretold_is_paid(seats: int, mode: int) -> None:
    """`price: piper` means that just a piper can be given up later; else there is a choice."""
    foretold: str | None = None
    seen: Counter[bool] = Counter()
    for state, decision, action, _ in (step for seed in range(8) for step in steps(seats, mode, seed)):
        if isinstance(action, Change | Expel | Pick):
            foretold = say(state.gloss(action) or pytest.fail("no gloss"))
        if isinstance(action, Remove):
            assert foretold is not None
            kinds = {option.artist.label for option in decision.options if isinstance(option, Remove)}
            if len(decision.options) == 1:
                assert foretold.endswith(f"; price: {kinds.pop()}")
            else:
                assert foretold.endswith("gives one up next")
            seen[decision.forced] += 1
            foretold = None
    assert min(seen[True], seen[False]) > 3


@everywhere
def test_going_back_to_work_gains_what_is_told(seats: int, mode: int) -> None:
    for state, decision, action, _ in steps(seats, mode, 1):
        if isinstance(action, Reemploy | Remove):
            gained = state.apply(decision.seat, action)[0]
            assert isinstance(gained, Muscat)
            points = gained.score(decision.seat) - state.score(decision.seat)
            assert re.match(rf"(gains|saves) {points} point", say(state.gloss(action) or pytest.fail("no gloss")))


# --- luck ---


@everywhere
def test_the_odds_are_those_of_the_draw(seats: int, mode: int) -> None:
    for state, decision, _, _ in steps(seats, mode, 0):
        odds = state.odds()
        assert (odds is not None) == (decision.seat == CHANCE)
        if odds is not None:
            total, *each = map(int, re.findall(r"\d+", say(odds)))
            assert total == sum(decision.weights)
            assert tuple(each) == decision.weights


def test_nothing_is_told_that_only_the_order_of_a_pile_decides() -> None:
    """A position does not hold what nobody knows, so everybody is told the same about it."""
    for state, decision, _, _ in steps(4, 0, 3):
        for viewer in (None, Seat(0), Seat(3)):
            other = state.observe(viewer).determinize(viewer, Random(7))
            assert [state.gloss(a) for a in decision.options] == [other.gloss(a) for a in decision.options]
            assert [state.named(a) for a in decision.options] == [other.named(a) for a in decision.options]
            assert (state.odds(), state.advice()) == (other.odds(), other.advice())


# --- the score ---


@everywhere
def test_the_parts_of_a_score_sum_up_to_it(seats: int, mode: int) -> None:
    for seed in range(3):
        *_, (state, decision, action, _) = steps(seats, mode, seed)
        last, _ = state.apply(decision.seat, action)
        outcome = last.outcome()
        assert outcome is not None
        for seat, score in enumerate(outcome.scores):
            account = last.account(Seat(seat))
            words = say(account) if account else ""
            assert len(words) <= 60
            assert score == sum(int(part.replace("−", "-")) for part in re.findall(r"−?\d+", words))


def test_an_account_tells_palace_markets_and_streets() -> None:
    t = table(palace="P0 E0", markets={"4A": "S0", "2B": "F0"}, streets={3: "F0", 1: "F0"})
    assert "20 in the palace, 12 on the markets, −4 in the streets" == str(t.state.account(Seat(0)))
    assert t.state.account(Seat(1)) is None


# --- how long the story of a board is ---


def stories(seats: int, mode: int) -> Iterator[str]:
    """All that is told from one question to a person to the next one, in four games."""
    for seed in range(4):
        events: list[Event] = []
        for _, decision, _, happened in steps(seats, mode, seed):
            if not decision.automatic and decision.seat != CHANCE:
                yield " ".join(say(event, LONG[:seats]) for event in events if not event.minor)
                events.clear()
            events += happened
        yield " ".join(say(event, LONG[:seats]) for event in events if not event.minor)


@everywhere
def test_the_story_of_a_board_is_short(seats: int, mode: int) -> None:
    lengths = [len(story) for story in stories(seats, mode)]
    assert max(lengths) <= 600
    assert median(lengths) <= 350


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
