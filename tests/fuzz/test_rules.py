"""The engine: typed, chosen or stored values are legal, or cause an error for a person."""

from __future__ import annotations

from dataclasses import fields
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core import GameSpec
from engine.errors import BrokenLog, EngineError, NotationError, SetupError
from engine.games import discover
from engine.match import Entry, Match
from engine.notation import format_action, parse_action
from engine.texts import Seat
from tests.bench.walk import finished_match
from tests.fuzz.likely import tried, words_like

every_game = pytest.mark.parametrize("spec", discover().values(), ids=lambda spec: spec.slug)
any_value = st.none() | st.booleans() | st.integers(-3, 30) | st.text(max_size=40)


def has_words(error: EngineError) -> None:
    assert str(error.text)


@cache
def log(slug: str) -> tuple[Entry, ...]:
    """The log of a whole game."""
    spec = discover()[slug]
    return tuple(finished_match(spec, spec.seats[0], "fuzz").entries)


def notations(spec: GameSpec) -> list[str]:
    return sorted({entry.notation for entry in log(spec.slug)})


@every_game
@tried
@given(data=st.data())
def test_typed_words_are_one_action_or_a_clear_error(spec: GameSpec, data: st.DataObject) -> None:
    words = data.draw(words_like(notations(spec)))
    try:
        action = parse_action(words, (*spec.actions, *spec.chances))
    except NotationError as error:
        has_words(error)
    else:
        assert words == format_action(action)


@every_game
@tried
@given(data=st.data())
def test_options_are_valid_or_refused(spec: GameSpec, data: st.DataObject) -> None:
    names = st.sampled_from([field.name for field in fields(spec.options)] or ["none"]) | st.text(max_size=8)
    options, seats = data.draw(st.dictionaries(names, any_value, max_size=4)), data.draw(st.integers(-1, 9))
    try:
        setup = spec.setup(seats, options)
    except SetupError as error:
        has_words(error)
    else:
        Match.begin(spec, setup, "fuzz")


@every_game
@tried
@given(text=words_like(['[[board]]\nname = "x"\n', 'title = "A"\ncells = ["..x", "x.."]\n']))
def test_a_file_of_the_host_is_read_or_refused(spec: GameSpec, text: str) -> None:
    for field in fields(spec.options):
        if read := field.metadata.get("file"):
            try:
                assert isinstance(read(text), str)
            except EngineError as error:
                has_words(error)


@every_game
@tried
@given(data=st.data())
def test_a_tampered_log_is_replayed_or_reported_as_broken(spec: GameSpec, data: st.DataObject) -> None:
    entries = list(log(spec.slug)[: data.draw(st.integers(0, 40))])
    where = data.draw(st.integers(0, len(entries)))
    change = data.draw(st.sampled_from(["add", "drop", "swap", "seat"]))
    if change == "add":
        entries.insert(where, Entry(Seat(data.draw(st.integers(-2, 7))), data.draw(words_like(notations(spec)))))
    elif change == "drop":
        del entries[where : where + 1]
    elif change == "swap":
        entries[where : where + 2] = reversed(entries[where : where + 2])
    elif where < len(entries):
        entries[where] = Entry(Seat(data.draw(st.integers(-2, 7))), entries[where].notation)
    try:
        match = Match.replay(spec, spec.setup(spec.seats[0]), "fuzz", entries)
    except BrokenLog as error:
        has_words(error)
    else:
        assert entries == match.entries


@every_game
@tried
@given(data=st.data())
def test_a_refused_action_changes_nothing(spec: GameSpec, data: st.DataObject) -> None:
    length = data.draw(st.integers(0, len(log(spec.slug)) - 1))
    match = Match.replay(spec, spec.setup(spec.seats[0]), "fuzz", log(spec.slug)[:length])
    before = match.state, list(match.entries)
    try:
        action = match.parse(data.draw(words_like(notations(spec))))
        match.play(Seat(data.draw(st.integers(0, spec.seats[0] - 1))), action)
    except EngineError as error:
        has_words(error)
        assert before == (match.state, match.entries)
    else:
        assert len(before[1]) < len(match.entries)
