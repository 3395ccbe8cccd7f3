"""What a player is told of the choices, of luck and of the end, in every position of random games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from random import Random
from statistics import median

import pytest

from engine.core import Action, Decision, Event, OptionValue, field_types
from engine.games.jinns import GAME
from engine.games.jinns.actions import Choose, Lay, Move, Place, Strength
from engine.games.jinns.events import EndReason
from engine.games.jinns.state import Jinns
from engine.texts import CHANCE, Seat, Text
from engine.wording import OPEN, Voice, say
from tests.games.jinns_positions import Table, fresh, set_up, table

GAMES = 4
NAMES = ("Maximilianxa", "Bartholomewx", "Annakatharin", "Xenophonathx")
MODES: tuple[dict[str, OptionValue], ...] = (
    {},
    {"edition": "later"},
    {"colors": "draft"},
    {"setup": "random", "team_score": True},
)

SEATS = pytest.mark.parametrize("seats", GAME.seats)
MODE = pytest.mark.parametrize("mode", range(len(MODES)), ids=["early", "later", "draft", "team"])

Step = tuple[Jinns, Decision | None, tuple[Event, ...]]


@cache
def steps(seats: int, mode: int) -> tuple[Step, ...]:
    """Every position of a few random games with what is asked there and what has just happened."""
    return tuple(step for seed in range(GAMES) for step in _playout(seats, MODES[mode], Random(f"{seats} {seed}")))


def _playout(seats: int, chosen: dict[str, OptionValue], rng: Random) -> Iterator[Step]:
    state, events = GAME.start(GAME.setup(seats, chosen)), ()
    assert isinstance(state, Jinns)
    while decisions := state.decisions():
        (decision,) = decisions
        yield state, decision, events
        action = state.sample(rng) if decision.seat == CHANCE else rng.choice(decision.options)
        state, events = state.apply(decision.seat, action)
    yield state, None, events


def asked(seats: int, mode: int) -> Iterator[tuple[Jinns, Decision, Voice]]:
    """The positions in which a seat is asked, with the voice that seat hears."""
    for state, decision, _ in steps(seats, mode):
        if decision and decision.seat != CHANCE:
            yield state, decision, Voice(NAMES, decision.seat, state)


def fields(action: Action) -> list[str]:
    return [name for name in field_types(type(action)) if getattr(action, name) is not None]


# --- options ---


@SEATS
@MODE
def test_options_read_differently_fit_on_a_button_and_are_in_words(seats: int, mode: int) -> None:
    for _, decision, voice in asked(seats, mode):
        told = [voice.label(option) for option in decision.options]
        assert len(set(told)) == len(told)
        assert max(map(len, told)) <= 50
        assert [] == [label for label in told if re.search(r"_|[a-z]\d|^[\d ]+$", label)]


@SEATS
@MODE
def test_the_values_of_a_field_are_named_differently_all_in_one_manner_and_none_by_its_number(
    seats: int, mode: int
) -> None:
    manners = {"square": r"[YBRG]\d on \d+(, over .+)?", "take": r"Top \d: .+", "keep": r"(Leave|Take|Keep) .+"}
    manners["to"] = manners["square"]
    for _, decision, voice in asked(seats, mode):
        told = {(name, getattr(o, name)): voice.field(o, name) for o in decision.options for name in fields(o)}
        if isinstance(decision.options[0], Move):
            assert [] == [words for (name, _), words in told.items() if not re.fullmatch(manners[name], words)]
            assert max(map(len, told.values())) <= 40
        one_by_one = {(name, str(words)) for (name, value), words in told.items() if name != "take"}
        assert len(one_by_one) == sum(name != "take" for name, _ in told)


def labels(t: Table) -> list[str]:
    return [Voice(t.match.names, t.due, t.state).label(option) for option in t.decision.options]


def test_a_move_names_the_pawns_that_go_and_the_piles_at_both_ends() -> None:
    t = table({0: "B4 G1 Y3", 5: "B2", 9: "G3", 12: "B1 R2"})
    voice, move = Voice(t.match.names, t.due, t.state), t.decision.options[0]
    assert ["Y3 on 0, over G1 and B4", "Top 1: Y3", "R2 on 12, over B1"] == [voice.field(move, n) for n in fields(move)]
    assert "Y3 on 0 → R2 on 12" == voice.label(move)
    assert f"Y3 on 0, over G1 and B4: {OPEN} → {OPEN} {OPEN}" == voice.beginning(move, 1)


def test_what_becomes_of_a_tower_is_named() -> None:
    assert [
        "Y1 on 0 → G1 on 5, leave tower",
        "Y1 on 0 → G1 on 5, take tower",
        "Y1 and B4 on 0 → G1 on 5, keep upper two",
        "Y1 and B4 on 0 → G1 on 5, keep lower two",
    ] == labels(table({0: "B4 Y1", 5: "R2 G1"}, seats=4))


def test_a_pawn_is_placed_by_its_name_and_luck_by_the_squares_it_fills() -> None:
    assert ["Y1 on 1", "Y2 on 1", "Y3 on 1", "Y4 on 1", "Luck fills 1 to 5"] == labels(fresh(3).play("place 1"))


# --- what options lead to ---


@SEATS
@MODE
def test_every_option_has_a_gloss_that_fits_beside_it(seats: int, mode: int) -> None:
    for _, decision, voice in asked(seats, mode):
        glosses = [voice.gloss(option) for option in decision.options]
        assert all(1 <= len(gloss) <= 80 for gloss in glosses), max(glosses, key=len)


@SEATS
@MODE
def test_the_gloss_of_a_move_tells_every_change_of_points_and_the_end(seats: int, mode: int) -> None:
    for state, decision, voice in asked(seats, mode):
        for option in (option for option in decision.options if isinstance(option, Move)):
            after, _ = state.apply(decision.seat, option)
            gloss = voice.gloss(option)
            for seat in map(Seat, range(seats)):
                points = after.score(seat) - state.score(seat)
                name = "you" if seat == decision.seat else NAMES[seat]
                told = f"{'+' if points > 0 else '−'}{abs(points)} for {name}"
                assert (told in gloss) if points else (f"for {name}" not in gloss)
            assert ("ends the game" in gloss) == (after.ended is not None) or gloss.count(" for ") > 3


def test_the_gloss_of_a_pawn_names_the_squares_that_its_first_move_reaches() -> None:
    """Whatever stands there when all 32 are placed."""
    for seats in GAME.seats:
        t = fresh(seats)
        while t.options("place"):
            option = t.decision.options[0]
            assert isinstance(option, Place)
            assert option.strength is not Strength.REST
            reached = re.findall(r"\w+ on (\d+)", Voice(t.match.names, t.due, t.state).gloss(option))
            assert set(map(int, reached)) == first_goals(seats, t.state.placed, int(option.strength))
            t.play(t.options()[0])


def first_goals(seats: int, square: int, strength: int) -> set[int]:
    """Where a pawn of this strength can go from a square of the full ring, by the moves of its owner."""
    full = set_up(seats).state
    color = full.board[square].top.color
    piles = {n: str(pile) for n, pile in enumerate(full.board)} | {square: f"{color}{strength}"}
    t = table(piles, seats=seats, turn=full.owner(color) or 0)
    return set(t.goals(square))


def test_a_color_is_offered_with_its_first_moves_and_its_fours() -> None:
    t = set_up(3, colors="draft", stop=32)
    while t.due == CHANCE:
        t.play(t.options()[0])
    gloss = Voice(t.match.names, t.due, t.state).gloss(Choose(t.state.board[0].top.color))
    moves, *fours = map(int, re.findall(r"\d+", gloss))
    assert ["Y4", "Y4"] == [str(t.state.board[square]) for square in fours]
    t.play("choose R", "choose B", "choose Y")
    yellow = [text for text in t.options("move") if t.state.board[int(text.split()[1])].top.color == "Y"]
    assert moves == len(yellow)


# --- coaching and odds ---


@SEATS
@MODE
def test_whoever_is_asked_gets_two_lines_of_advice(seats: int, mode: int) -> None:
    for state, _, voice in asked(seats, mode):
        lines = [voice.say(line) for line in state.advice()]
        assert 2 == len(lines)
        assert all(line[0].isupper() and line.endswith(".") and len(line) <= 112 for line in lines), lines


@pytest.mark.parametrize(
    ("piles", "line"),
    [
        ({0: "B4 Y1", 5: "R2 G1", 9: "B2"}, "You can complete a tower of four now"),
        ({0: "B4 R1 G1", 5: "B2", 9: "R3", 12: "G2"}, "The tower of three on 0 lacks only yellow"),
        ({0: "Y1", 5: "B2"}, "Whoever completes a tower of four takes it"),
        ({0: "Y1", 5: "B2", 9: "B3"}, "Only 3 piles are left: tops of strength 3 and 4 are stuck"),
        ({0: "Y1", 5: "B2", 9: "B3", 12: "B1", 14: "G1"}, "The top number says how many piles you go"),
    ],
)
def test_advice_goes_by_the_position(piles: dict[int, str], line: str) -> None:
    assert any(str(text).startswith(line) for text in table(piles).state.advice())


@SEATS
@MODE
def test_odds_are_those_of_the_draw(seats: int, mode: int) -> None:
    for state, decision, _ in steps(seats, mode):
        if decision is None or decision.seat != CHANCE:
            continue
        odds = state.odds()
        assert odds is not None
        assert str(sum(decision.weights)) in str(odds) or sum(decision.weights) == 1
        for count, pawn in re.findall(r"(\d) × (\w\d)", str(odds)):
            lays = [option for option in decision.options if isinstance(option, Lay) and str(option.pawn) == pawn]
            assert int(count) == decision.weights[decision.options.index(lays[0])]


def test_the_odds_of_a_round_that_luck_fills_name_the_pawns_that_are_left() -> None:
    t = fresh().play("place 2", "place rest")
    assert "Of 7 yellow pawns left: 2 × Y1, 1 × Y2, 2 × Y3 and 2 × Y4" == str(t.state.odds())


# --- the end ---


@SEATS
@MODE
def test_the_account_of_a_seat_adds_up_to_its_score(seats: int, mode: int) -> None:
    ends = [state for state, decision, _ in steps(seats, mode) if decision is None]
    assert GAMES == len(ends)
    for state in ends:
        outcome = state.outcome()
        assert outcome is not None
        accounts = [say(account(state, seat), NAMES) for seat in range(seats)]
        assert list(outcome.scores) == [sum(map(int, re.findall(r"\d+", text))) for text in accounts]
        assert max(map(len, accounts)) <= 60


def account(state: Jinns, seat: int) -> Text:
    told = state.account(Seat(seat))
    assert told is not None
    return told


@pytest.mark.parametrize("reason", EndReason)
def test_a_reason_is_a_whole_sentence(reason: EndReason) -> None:
    assert re.fullmatch(r"[A-Z].*\.", reason.label)


# --- stories ---


def stories(seats: int, mode: int) -> Iterator[str]:
    """What is told beside the boards: all between two points where a person has a choice."""
    told: list[str] = []
    for _, decision, events in steps(seats, mode):
        told += [say(event, NAMES) for event in events if not event.minor]
        if decision is None or not (decision.automatic or decision.seat == CHANCE):
            yield " ".join(told)
            told = []


@SEATS
@MODE
def test_the_story_beside_a_board_is_short(seats: int, mode: int) -> None:
    lengths = [len(story) for story in stories(seats, mode)]
    assert max(lengths) <= 600
    assert median(lengths) <= 60


@SEATS
@MODE
def test_every_sentence_begins_with_a_capital(seats: int, mode: int) -> None:
    you = Seat(seats - 1)
    told = {say(event, NAMES, you) for _, _, events in steps(seats, mode) for event in events}
    assert [] == [sentence for sentence in told if not sentence[0].isupper()]


# --- presets ---


def test_the_first_preset_is_for_beginners_and_all_can_be_played() -> None:
    assert ["First game", "As printed", "Later edition"] == [preset.title for preset in GAME.presets]
    for seats in GAME.seats:
        games = [GAME.start(GAME.setup(seats, preset.options)) for preset in GAME.presets]
        assert [True, False, True] == [game.decisions()[0].seat == CHANCE for game in games]
