"""What the options of Dance of Muses are called, what they lead to, and how a game is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from random import Random
from statistics import median
from typing import Any

import pytest

from engine.core import CHANCE, Action, Decision, OptionValue, field_types
from engine.games.muses import GAME
from engine.games.muses.actions import Place, Power, Step
from engine.games.muses.cells import cell_named
from engine.games.muses.events import EndReason
from engine.games.muses.floor import TOP, Floor
from engine.games.muses.frames.luck import Rolling, TurningUp
from engine.games.muses.state import Muses
from engine.games.muses.tiles import FIRST_HIDDEN, NUMBERS
from engine.match import Match
from engine.texts import Seat
from engine.wording import Voice, say
from tests.games.muses_positions import position, table

NAMES = ("Bartholomäus", "Maximilianus", "Xenophonidas", "Wilhelminahe")
CODE = re.compile(r"hidden[0-9N]|_|[{}]|\bnone\b|\bNone\b")

HOUSE = resources.files("engine.games.muses").joinpath("house_powers.toml").read_text(encoding="utf-8")
OTHER_TABLE = HOUSE.replace('"swap_places"\nwhose = "own"', '"swap_places"\nwhose = "two neighbors"').replace(
    '"copy_die"\nwhose = "neighbor"', '"copy_die"\nwhose = "own"'
)
"""The powers that the house does not use in place of their like."""

MODES: dict[str, dict[str, OptionValue]] = {
    "house": {},
    "no powers": {"powers": "none", "hands": 1},
    "other powers": {"powers": OTHER_TABLE},
    "slides": {"diagonal_slide": True, "power_timing": "after"},
    "neutral down": {"neutral_face_4p": "down", "hands": 3, "target": 7},
}
SETUPS = [(seats, mode) for mode in MODES for seats in GAME.seats]
each_setup = pytest.mark.parametrize(("seats", "mode"), SETUPS)


def matches(seats: int, mode: str, seed: int) -> Iterator[Match]:
    """A random game: the same match before the first action and after each one."""
    match, rng = Match.begin(GAME, GAME.setup(seats, MODES[mode]), str(seed)), Random(seed)
    yield match
    while match.outcome is None:
        decision = match.state.decisions()[0]
        match.play(decision.seat, rng.choice(decision.options))
        yield match


@cache
def asked(seats: int, mode: str) -> tuple[tuple[Muses, Decision], ...]:
    """The positions of some games in which a seat is asked, as it sees them, with what it is asked."""
    found = []
    for match in (match for seed in range(3) for match in matches(seats, mode, seed)):
        for decision in match.state.decisions():
            state = match.state.observe(decision.seat)
            assert isinstance(state, Muses)
            found.append((state, decision))
    return tuple(found)


def voice(state: Muses, seat: Seat) -> Voice:
    return Voice(NAMES[: state.seats], seat, state)


# --- What is said ----------------------------------------------------------------------------------------------------


@each_setup
def test_whole_options_read_differently_and_fit_a_button(seats: int, mode: str) -> None:
    for state, decision in asked(seats, mode):
        labels = [voice(state, decision.seat).label(action) for action in decision.options]
        assert len(set(labels)) == len(labels)
        assert max(map(len, labels)) <= 80
        assert [] == [label for label in labels if CODE.search(label) or not label[0].isupper()]


@each_setup
def test_values_of_a_field_have_names_that_read_differently(seats: int, mode: str) -> None:
    for state, decision in asked(seats, mode):
        speaking = voice(state, decision.seat)
        for field in ("muse", "cell", "face", "way", "on"):
            told: dict[Any, str] = {}
            for action in decision.options:
                if field in field_types(type(action)) and (value := getattr(action, field)) is not None:
                    prefix = (type(action), getattr(action, "muse", None) if field == "on" else None)
                    told[(prefix, value)] = str(speaking.field(action, field))
            assert [] == [name for name in told.values() if CODE.search(name) or len(name) > 80]
            assert len(told) == len({(prefix, name) for (prefix, _), name in told.items()})


@each_setup
def test_a_gloss_is_short(seats: int, mode: str) -> None:
    for state, decision in asked(seats, mode):
        glosses = [voice(state, decision.seat).gloss(action) for action in decision.options]
        assert [] == [gloss for gloss in glosses if not 0 < len(gloss) <= 80 or CODE.search(gloss)]


@each_setup
def test_advice_has_two_short_lines(seats: int, mode: str) -> None:
    for state, decision in asked(seats, mode):
        if decision.seat != CHANCE:
            lines = [voice(state, decision.seat).say(line) for line in state.advice()]
            assert 2 == len(lines)
            assert all(20 < len(line) <= 110 and line.endswith(".") for line in lines), lines


# --- Whether it is true ----------------------------------------------------------------------------------------------


def dice(floor: Floor) -> dict[int, tuple[int, int, int]]:
    rows = zip(floor.tiles, floor.cells, floor.values, floor.colors, strict=True)
    return {tile: (cell, value, color) for tile, cell, value, color in rows}


COLORS = {"Neutral": -1, "Red": 0, "Blue": 1, "Yellow": 2}


@each_setup
def test_a_gloss_tells_the_dice_as_they_become(seats: int, mode: str) -> None:
    """Every old and new value is that of a die which really changes so; a hand that ends is told to end."""
    for state, decision in asked(seats, mode):
        for action in decision.options:
            if not isinstance(action, Step | Power):
                continue
            gloss = voice(state, decision.seat).gloss(action)
            told = [(COLORS[c], int(old), int(new)) for c, old, new in re.findall(r"(\w+) die (\d) → (\d)", gloss)]
            after = state.apply(decision.seat, action)[0].floor
            before, now = dice(state.floor), dice(after)
            changes = [(before[t][2], before[t][1], now[t][1]) for t in before if before[t][1:] != now[t][1:]]
            if many := re.search(r"pushes (\d) tiles, \+1", gloss):
                assert int(many[1]) + 1 == len(changes)
                assert set(told) <= set(changes)
            elif told or isinstance(action, Step):
                assert sorted(told) == sorted(changes)
            assert ("the hand ends" in gloss) == (TOP in after.values)


@each_setup
def test_a_step_is_called_by_the_cell_it_leads_to(seats: int, mode: str) -> None:
    for state, decision in asked(seats, mode):
        for action in decision.options:
            if isinstance(action, Step):
                after = state.apply(decision.seat, action)[0].floor
                cell = cell_named(after.cells[after.index(action.muse)])
                assert voice(state, decision.seat).label(action).endswith(f" {action.way.label} to {cell}")


TILES = {"clio": "0,0 r3", "calliope": "1,0 b2", "erato": "2,0 n5", "hidden1=thalia": "0,1 y2", "urania": "1,1 r2"}


@pytest.mark.parametrize(
    ("moved", "options"),
    [
        (
            "clio",
            {"Calliope: die 2 → 1": "Blue die 2 → 1", "Maximilianus’s hidden Muse: die 2 → 1": "Yellow die 2 → 1"},
        ),
        ("calliope", {"Clio: die 3 → 4": "Red die 3 → 4", "Erato: die 5 → 6": "Neutral die 5 → 6: the hand ends"}),
        ("calliope", {"Urania: die 2 → 3": "Red die 2 → 3: equal to her suns"}),
        ("erato", {"Swap dice with Calliope": "Blue die 2 to Erato; Neutral die 5 to Calliope"}),
        (
            "urania",
            {"Clio to o14": "from m13, with its Red die 3", "Done": "without her power; it is Maximilianus’s turn"},
        ),
    ],
)
def test_a_power_is_called_by_what_it_does(moved: str, options: dict[str, str]) -> None:
    state = position(TILES, has_moved=moved).observe(Seat(0))
    (decision,) = state.decisions()
    speaking = voice(state, decision.seat)
    assert options.items() <= {speaking.label(a): speaking.gloss(a) for a in decision.options}.items()


def test_a_step_tells_whom_it_pushes() -> None:
    state = position(TILES).observe(Seat(0))
    speaking = voice(state, Seat(0))
    told = {speaking.label(a): speaking.gloss(a) for a in state.decisions()[0].options}
    assert "Neutral die 5 → 6; pushed: Blue die 2 → 3 and Red die 3 → 4: the hand ends" == told["Erato west to n13"]
    assert "Red die 3 → 4; pushes the hidden one on m14: Yellow die 2 → 3" == told["Clio south to m14"]
    assert "Maximilianus’s hidden Muse west to l14" in told


def test_before_her_step_a_power_names_the_muse_and_the_lender() -> None:
    tiles = {"polyhymnia": "0,0 r2", "erato": "1,0 b2", "calliope": "0,1 y3", "hidden0=clio": "1,1 r1"}
    state = position(tiles)
    labels = [voice(state, Seat(0)).label(action) for action in state.decisions()[0].options]
    for label in ("Erato: die 2 → 3 (Polyhymnia as Calliope)", "Your hidden Muse: die 1 → 2 (Calliope)"):
        assert label in labels


def test_the_owner_of_a_hidden_muse_is_told_who_she_is_and_nobody_else() -> None:
    state = position({"hidden1=clio": "0,0 b2", "erato": "1,0 r1", "thalia": "0,1 y1"}, seat=1)
    step = next(a for a in state.decisions()[0].options if isinstance(a, Step) and NUMBERS[a.muse] >= FIRST_HIDDEN)
    for viewer, name in ((1, "Your hidden Muse (Clio) on m13"), (0, "Maximilianus’s hidden Muse on m13")):
        seen = state.observe(Seat(viewer))
        assert name == voice(seen, Seat(viewer)).field(step, "muse")


@each_setup
def test_odds_name_the_muses_that_are_turned_up_and_count_the_seats(seats: int, mode: str) -> None:
    seen = set()
    for match in (match for seed in range(3) for match in matches_at_luck(seats, mode, seed)):
        state = match.state
        assert isinstance(state, Muses)
        told = state.observe(None).odds()
        seen.add(type(state.frames[-1]))
        if isinstance(state.frames[-1], TurningUp):
            hidden = [state.muse(tile) for tile in state.floor.tiles if tile >= FIRST_HIDDEN]
            names = [f"{m.label} ({state.muse_table.suns[NUMBERS[m]]} sun" for m in hidden if m]
            assert told is not None
            assert len(names) == len(hidden)
            assert all(name in str(told) for name in names)
            assert len(names) == str(told).count("sun")
        elif isinstance(state.frames[-1], Rolling):
            assert f"Everybody begins with a chance of 1 in {seats}." == str(told)
            assert 1 == len(set(state.decisions()[0].weights))
    assert {TurningUp, Rolling} <= seen


def matches_at_luck(seats: int, mode: str, seed: int) -> Iterator[Match]:
    """The same match whenever CHANCE is due, before it is played."""
    match, rng = Match(GAME, GAME.setup(seats, MODES[mode]), str(seed)), Random(seed)
    match.state = GAME.start(match.setup)
    while match.state.frames:
        (decision,) = match.state.decisions()
        if decision.seat == CHANCE:
            yield match
        drawn = match.state.sample(rng) if decision.seat == CHANCE else rng.choice(decision.options)
        match.state, _ = match.state.apply(decision.seat, drawn)


@each_setup
def test_an_account_sums_up_to_the_score(seats: int, mode: str) -> None:
    for seed in range(3):
        *_, match = matches(seats, mode, seed)
        assert match.outcome is not None
        for seat, score in enumerate(match.outcome.scores):
            told = str(match.state.account(Seat(seat)))
            assert score == sum(map(int, re.findall(r"\d+", told)))
            assert re.fullmatch(r"\d+ for ranks, \d+ from bonuses", told)


# --- Secrets ---------------------------------------------------------------------------------------------------------


def words(match: Match, state: Any, seat: Seat, options: tuple[Action, ...]) -> list[str]:
    """All that is said to a seat about a position and its options."""
    seen = state.observe(seat)
    speaking = voice(seen, seat)
    told = [speaking.say(line) for line in seen.advice()] + [str(seen.odds())]
    for action in options[:30]:
        fields = [name for name in field_types(type(action)) if getattr(action, name) is not None]
        told += [speaking.label(action), speaking.gloss(action), *(speaking.field(action, f) for f in fields)]
    return told


@pytest.mark.parametrize("seats", GAME.seats)
def test_nothing_said_tells_what_is_hidden(seats: int) -> None:
    differing = 0
    for match in matches(seats, "neutral down", 5):
        for decision in match.state.decisions():
            other = match.state.determinize(decision.seat, Random(match.ply))
            differing += other != match.state
            here, there = (words(match, s, decision.seat, decision.options) for s in (match.state, other))
            assert here == there, match.ply
    assert differing > 20


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_public_hears_the_same_odds_whoever_lies_face_down(seats: int) -> None:
    for match in matches_at_luck(seats, "house", 4):
        other = match.state.determinize(None, Random(7))
        assert match.state.observe(None).odds() == other.observe(None).odds()


# --- Stories ---------------------------------------------------------------------------------------------------------


def stories(seats: int, mode: str) -> Iterator[str]:
    """What is told between two points at which somebody is asked."""
    for seed in range(6):
        since = 0
        for match in matches(seats, mode, seed):
            decisions = match.state.decisions()
            if not decisions or not decisions[0].automatic:
                events = [event for event in match.view(None, since=since).events if not event.minor]
                yield " ".join(say(event, NAMES[:seats]) for event in events)
                since = match.ply


@each_setup
def test_a_story_is_short_and_without_codes(seats: int, mode: str) -> None:
    told = list(stories(seats, mode))
    assert [] == [story for story in told if CODE.search(story) or len(story) > 600]
    assert median(map(len, told)) <= 350
    sentences = [sentence for story in told for sentence in re.split(r"(?<=[.!?]) ", story) if sentence]
    assert [] == [sentence for sentence in sentences if not sentence[0].isupper()]


def test_every_reason_of_an_end_is_a_sentence() -> None:
    assert all(re.fullmatch(r"[A-Z].*\.", reason.label) for reason in EndReason)


def test_presets_can_be_played_and_the_first_is_for_beginners() -> None:
    assert ["First game", "As printed", "Tournament"] == [preset.title for preset in GAME.presets]
    for seats in GAME.seats:
        setups = [GAME.setup(seats, preset.options) for preset in GAME.presets]
        assert GAME.setup(seats) == setups[1]
        assert len(set(map(str, setups))) == 3


def test_the_bonus_is_told_with_the_rank_that_brings_it() -> None:
    tiles = {"calliope": "0,0 r5", "euterpe": "-1,0 b5", "clio": "0,1 r5", "thalia": "1,1 b4"}
    game = table(tiles, seats=2, powers="none").play("step calliope w", "turn-up")
    assert ["Rank 2 goes to Red: +1.", "The bonus goes with rank 2: +1."] == game.sentences()[-2:]


def test_what_is_laid_is_called_by_muse_cell_and_face() -> None:
    state = position({"calliope": "0,0 r1", "clio": "1,0 b1"}, hands=("erato thalia", "", ""))
    speaking, options = voice(state, Seat(0)), state.decisions()[0].options
    place = next(a for a in options if isinstance(a, Place) and str(a.cell) == "o12")
    assert ["Erato (1 sun)", "o12 beside Clio", "face up"] == [speaking.field(place, f) for f in field_types(Place)]
    assert "Erato on o12, face up" == speaking.label(place)
    assert "1 sun, swaps dice with a neighbor" == speaking.gloss(place)
