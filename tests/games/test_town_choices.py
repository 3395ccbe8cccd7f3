"""What somebody is offered and told in the town: options by name, with advice, odds that are true, in few words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from statistics import median
from typing import Any

from engine.core import Action, Decision, Event, Frame, State, field_types
from engine.games.alibaba.frames.danger import Draw as CaveDraw
from engine.games.alibaba.frames.danger import Rolling
from engine.games.alibaba.risk import catching, risk, stakers
from engine.games.gangs.frames.danger import BlackDie, WhiteDie
from engine.games.gangs.words import arresting
from engine.texts import CHANCE, Seat
from engine.town.data import Thief
from engine.town.luck import TopCard
from engine.wording import Voice, say
from tests.games.test_town_playouts import CHOSEN, GAMES, NAMES, SEATS, steps
from tests.games.town_positions import at_cave

PEOPLE = tuple(f"Scheherazad{letter}" for letter in "abcdef")
CODE = re.compile(r"_|`|\b[YGBR][1-4]\b|hidden\d")


def asked(seats: int, number: int) -> Iterator[tuple[Any, Decision, Voice]]:
    """Every fifth question of some random games, as the one who is asked sees it."""
    positions = (state for state, seat, *_ in steps(seats, number, 2) if seat != CHANCE)
    for state in list(positions)[::5]:
        (decision,) = state.decisions()
        seen = state.observe(decision.seat)
        yield seen, decision, Voice(PEOPLE, decision.seat, seen)


@SEATS
@CHOSEN
def test_options_stand_alone_and_can_be_told_apart(seats: int, number: int) -> None:
    for _, decision, voice in asked(seats, number):
        labels = [voice.label(action) for action in decision.options]
        assert len(labels) == len(set(labels)), labels
        for label in labels:
            assert len(label) <= 50, label
            assert label[0].isupper() or label[0].isdigit(), label
            assert not CODE.search(label), label


@SEATS
@CHOSEN
def test_every_value_of_a_field_has_a_name_of_its_own(seats: int, number: int) -> None:
    for state, decision, voice in asked(seats, number):
        told: dict[tuple[object, ...], str] = {}
        for action in decision.options:
            known: tuple[object, ...] = (type(action),)
            for name in [name for name in field_types(type(action)) if getattr(action, name) is not None]:
                assert state.named(action, name), action
                known = (*known, getattr(action, name))
                told[known] = voice.field(action, name)
        assert all(len(name) <= 45 and not CODE.search(name) for name in told.values())
        siblings = Counter((key[:-1], name) for key, name in told.items())
        assert 1 == max(siblings.values(), default=1), siblings.most_common(2)


@SEATS
@CHOSEN
def test_what_an_option_leads_to_is_short(seats: int, number: int) -> None:
    for _, decision, voice in asked(seats, number):
        for gloss in map(voice.gloss, decision.options):
            assert len(gloss) <= 80, gloss
            assert not CODE.search(gloss), gloss


@SEATS
@CHOSEN
def test_every_question_comes_with_two_lines_of_advice(seats: int, number: int) -> None:
    for state, _, voice in asked(seats, number):
        lines = [voice.say(line) for line in state.advice()]
        assert 2 == len(lines)
        assert all(len(line) <= 110 and line[0].isupper() | line[0].isdigit() for line in lines), lines
        assert all(line.endswith((".", "?")) for line in lines), lines


@SEATS
@CHOSEN
def test_nothing_that_is_told_depends_on_what_the_reader_may_not_know(seats: int, number: int) -> None:
    for n, (state, seat, *_) in enumerate(steps(seats, number, 1)):
        if n % 9:
            continue
        for viewer in {seat if seat != CHANCE else Seat(0), Seat(n % seats)}:
            decision = next((d for d in state.decisions() if d.seat == viewer), None)
            options = decision.options if decision else ()
            here, there = (told(world, options) for world in (state, state.determinize(viewer, Random(n))))
            assert here == there == told(state.observe(viewer), options)


def told(state: State, options: Sequence[Action]) -> list[object]:
    """All that is said of a position and its options."""
    named = [(state.named(action), state.gloss(action)) for action in options]
    return [named, state.odds(), state.advice()]


# --- Odds ------------------------------------------------------------------------------------------------------------


def luck(seats: int, number: int, kind: type[Frame[Any, Any]]) -> Iterator[Any]:
    """Positions in which luck decides a question of this kind."""
    found = [state for state, *_ in steps(seats, number, 2) if isinstance(state.frames[-1], kind)]
    assert found
    return iter(found[:12])


@SEATS
def test_a_roll_catches_as_often_as_is_told(seats: int) -> None:
    for state in luck(seats, 0, Rolling):
        (decision,) = state.decisions()
        after = [state.apply(CHANCE, action)[0].encounter for action in decision.options]
        caught = Counter(loss.seat for encounter in after for loss in encounter.losses)
        assert {seat: caught[seat] for seat in stakers(state)} == {
            seat: catching(state, seat, state.encounter.thieves) for seat in stakers(state)
        }
        assert set(caught.values()) | {36} >= {int(n) for n in re.findall(r"(\d+) of 36", say(state.odds()))} - {0}


@SEATS
def test_cards_and_dice_catch_as_likely_as_is_told(seats: int) -> None:
    for state in [state for state in luck(seats, 0, CaveDraw) if len(state.frames[-1].then) < 2][:3]:
        due = (state.frames[-1].gang, *state.frames[-1].then)
        for seat in stakers(state):
            assert abs(risk(state, seat, due) - 100 * _caught(state, seat)) <= 0.51
            assert f"{risk(state, seat, due)}%" in say(state.odds())


def _caught(state: Any, seat: Seat) -> float:
    """How likely a seat is caught in the end, by going through all that luck may do."""
    (decision,) = state.decisions()
    if decision.seat != CHANCE or state.encounter is None or state.encounter.number:
        return float(seat in [loss.seat for loss in state.encounter.losses])
    weights = decision.weights or (1,) * len(decision.options)
    ways = (
        weight * _caught(state.apply(CHANCE, action)[0], seat)
        for action, weight in zip(decision.options, weights, strict=True)
    )
    return sum(ways) / sum(weights)


def test_a_new_deck_counts_where_the_old_one_runs_out() -> None:
    decks = {"decks": {"red": (1, 0, 0, 0)}, "piles": {"red": (0, 1, 0, 1)}}
    t = at_cave(walked=18, hand=(1,), stakes={1: (3_000, 9)}, **decks).play("steal 0", "play 1")
    assert "Blue is caught with 61%" == t.gloss("turn-up 2"), "red 1 for sure, and red 2 or red 4"
    assert "Blue is caught with 33%" == t.gloss("turn-up 1")


@SEATS
def test_dice_arrest_as_often_as_is_told(seats: int) -> None:
    for kind in (BlackDie, WhiteDie):
        for state in list(luck(seats, 4, kind))[:6]:
            rolls = list(_rolls(state))
            for seat in (seat for seat in state.clockwise if state.in_danger(seat)):
                hit = sum(any(fate.seat == seat and fate.arrested for fate in danger.fates) for danger in rolls)
                assert (hit, len(rolls)) == (arresting(state, state.in_danger(seat)), 36 if kind is BlackDie else 6)
                assert re.search(rf"\b{hit} arrests? bandits of {PEOPLE[seat]}", say(state.odds(), PEOPLE))


def _rolls(state: Any) -> Iterator[Any]:
    """The danger after every roll of the dice that are left; a die that is not rolled counts six times."""
    (decision,) = state.decisions()
    for action in decision.options:
        after = state.apply(CHANCE, action)[0]
        if isinstance(after.frames[-1], WhiteDie):
            yield from _rolls(after)
        else:
            yield from [after.danger] * (6 if not after.danger.white else 1)


@SEATS
@CHOSEN
def test_the_cards_left_of_a_type_are_those_that_luck_draws_from(seats: int, number: int) -> None:
    for state in (state for state, *_ in steps(seats, number, 1) if isinstance(state.frames[-1], TopCard)):
        (decision,) = state.decisions()
        if isinstance(state.frames[-1], CaveDraw):
            continue
        left = {thief: int(n) for n, thief in re.findall(r"(\d+) of (\w+ \d)", say(state.odds()))}
        assert {a.thief.label: w for a, w in zip(decision.options, decision.weights, strict=True)} == left  # type: ignore[attr-defined]


# --- Scores ----------------------------------------------------------------------------------------------------------


@SEATS
@CHOSEN
def test_the_account_of_a_score_sums_up(seats: int, number: int) -> None:
    ends = [after for *_, after, _ in steps(seats, number) if after.ended]
    assert 4 == len(ends)
    for end in ends:
        outcome = end.outcome()
        assert outcome is not None
        for seat, score in enumerate(outcome.scores):
            account = say(end.account(Seat(seat)))  # type: ignore[arg-type]
            parts = [int(n.replace(",", "").replace("−", "-")) for n in re.findall(r"(−?[\d,]+\d|−?\d) ", account)]
            assert (score, True) == (sum(parts), len(account) <= 60), account


def test_the_reason_of_the_end_is_a_sentence() -> None:
    for number in (0, 3):
        *_, (_, _, _, end, _) = steps(2, number, 1)
        assert re.fullmatch(r"[A-Z].*\.", end.ended.label)  # type: ignore[union-attr]


# --- Stories ---------------------------------------------------------------------------------------------------------


@cache
def stories(seats: int, number: int, persons: frozenset[Seat]) -> list[str]:
    """What a board tells since somebody else was asked, the doings of computers included."""
    told: list[list[Event]] = []
    last: Seat | None = None
    for state, seat, _, _, events in steps(seats, number, 8):
        (decision,) = state.decisions()
        begins = not state.walked and not state.cards.dealt
        if begins or (seat in persons and seat != last and not decision.automatic):
            told.append([])
        if seat != CHANCE and not decision.automatic:
            last = seat
        told[-1] += [event for event in events if not event.minor and event.visible_to(None)]
    return [" ".join(say(event, PEOPLE) for event in events) for events in told if events]


@SEATS
@CHOSEN
def test_the_story_of_a_board_is_short(seats: int, number: int) -> None:
    lengths = sorted(map(len, stories(seats, number, frozenset(map(Seat, range(seats))))))
    assert median(lengths) <= 350
    assert lengths[-1] <= 600


@SEATS
@CHOSEN
def test_the_story_of_a_round_of_computers_is_short(seats: int, number: int) -> None:
    assert median(map(len, stories(seats, number, frozenset({Seat(0)})))) <= 400


def test_what_is_told_begins_with_a_capital() -> None:
    for number in range(len(GAMES)):
        for story in stories(3, number, frozenset(map(Seat, range(3)))):
            assert all(re.match(r"[A-Z]", sentence) for sentence in re.split(r"(?<=[.!?]) ", story)), NAMES[number]


def test_a_thief_is_called_by_its_color_and_its_group() -> None:
    assert ["yellow 1", "red 4"] == [Thief.Y1.label, Thief.R4.label]
