"""Errors quote long texts of users in part only, so each error stays a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from engine.core import GameSpec
from engine.errors import EngineError
from engine.games import discover
from engine.games.muses.muse_table import parse_table as read_muse_table
from engine.match import Match
from engine.record import Record, format_record, parse_record
from engine.texts import shortened
from playground.player import Player
from playground.wire import Json
from tests.bench.walk import finished_match
from tests.bot.app import App
from tests.bot.moderating import begin

MAX_CHARS = 600
"""Characters of an error at most."""

LONG_INPUTS = ["x" * 6000, "9" * 4000, "-" + "9" * 6000, "a " * 3000, "*`~|<>[]#@" * 600]
"""Discord's limit for a typed text."""

VERY_LONG = ["x" * 19_000, "9" * 4200]

every_game = pytest.mark.parametrize("spec", discover().values(), ids=lambda spec: spec.slug)


def refusal(work: Callable[[], object]) -> str:
    """The text of the refusal; empty without one."""
    try:
        work()
    except EngineError as error:
        return str(error.text)
    return ""


def test_quoted_words_are_cut_to_a_length() -> None:
    assert ["", "abc", "ab…"] == [shortened(words, 3) for words in ("", "abc", "abcd")]


# --- files ---


@cache
def export_of(slug: str) -> str:
    spec = discover()[slug]
    match = finished_match(spec, spec.seats[0], "long")
    assert match.outcome is not None, "it is finished"
    record = Record(spec, match.setup, {}, ("Ana",) * spec.seats[0], "long", tuple(match.entries))
    return format_record(record, match.outcome)


def records(spec: GameSpec, long: Any) -> Iterator[Json]:
    """Files of a game with something long in each place."""
    record: Json = json.loads(export_of(spec.slug))
    yield from (record | {field: long} for field in record)
    yield from (record | {"options": {name: value}} for name, value in _options(spec, long))
    seat, notation = next((seat, notation) for seat, notation in record["entries"] if seat >= 0)
    verb = notation.partition(" ")[0]
    for entry in ([seat, long], [long, notation], [seat, f"{verb} {str(long)[:150]}"], [seat, f"{str(long)[:150]} a"]):
        yield record | {"entries": [entry]}


def _options(spec: GameSpec, long: Any) -> Iterator[tuple[str, Any]]:
    yield str(long), 1
    for field in spec.options.__dataclass_fields__:
        yield field, long


@every_game
@pytest.mark.parametrize("number", range(3))
def test_an_error_about_a_record_with_overlong_values_stays_short(spec: GameSpec, number: int) -> None:
    long = [*VERY_LONG, int("9" * 4200)][number]
    raws = [json.dumps(record).encode() for record in records(spec, long)]
    refusals_of_file = [refusal(lambda raw=raw: parse_record(raw).match()) for raw in raws]
    assert len(list(filter(None, refusals_of_file))) > 5
    assert [] == [text for text in refusals_of_file if len(text) > MAX_CHARS]


WRONG_TABLES = [
    "[{long}]\n",
    "name = '{long}'\n",
    "name = 'x'\n[{long}]\n",
    "name = 'x'\n{long} = 1\n{long} = 2\n",
    "name = 'x'\n[{long}]\n[{long}]\n",
    "name = 'x'\n[Clio]\nsuns = '{long}'\n",
    "name = 'x'\n[Clio]\nsuns = {long}\n",
    "name = 'x'\n[Clio]\nsuns = 1\npower = '{long}'\n",
    "name = 'x'\n[Clio]\nsuns = 1\npower = 'none'\n{long} = 1\n",
]


@pytest.mark.parametrize("wrong", WRONG_TABLES)
@pytest.mark.parametrize("long", VERY_LONG)
def test_an_error_about_a_muse_table_with_overlong_values_stays_short(wrong: str, long: str) -> None:
    with pytest.raises(EngineError) as refused:
        read_muse_table(wrong.format(long=long[:9000]))
    assert len(str(refused.value.text)) <= MAX_CHARS


# --- commands ---


def free_words(commands: list[Json]) -> Iterator[tuple[str, list[str], list[str]]]:
    """The commands that take any words: their paths, and their options for those, the required ones apart."""
    for command in commands:
        for inner in command.get("options", []):
            options = inner.get("options", [])
            free = [o for o in options if o["type"] == 3 and not o.get("choices") and "max_length" not in o]
            if free:
                required = [o["name"] for o in options if o.get("required")]
                yield f"{command['name']} {inner['name']}", [o["name"] for o in free], required


async def refusals(app: App, person: Player, *games: str) -> Iterator[tuple[str, str]]:
    """Pairs of a command and its answer, when one of its options is long, and when all are."""
    sentences: list[tuple[str, str]] = []
    for path, names, required in free_words(app.local.discord.all_commands()):
        if path.split()[0] in games:
            for long in LONG_INPUTS:
                choices = (required, names, *([*required, name] for name in names))
                # with one option, or with required ones only, these are the same
                for filled in {frozenset(choice): choice for choice in choices}.values():
                    typed = dict.fromkeys(filled, long)
                    for options in [typed, *({**typed, name: "1"} for name in filled[:-1])]:
                        answer = await person.slash(path, **options) if options else None
                        sentences.append((f"{path} {[*options]} {long[:3]}", answer.text if answer else ""))
    return iter(sentences)


HELP = ("game why",)
"""Commands whose answer to what they do not understand tells how it is meant, game by game."""


async def test_an_error_about_overlong_command_options_stays_short(app: App) -> None:
    room = app.room()
    await begin(room, "Ana", "Ben", "Caro", game="muscat")
    sentences = list(await refusals(app, room.person("Ana"), "game"))
    assert len(sentences) > 10
    assert [] == [(what, len(text)) for what, text in sentences if len(text) > MAX_CHARS and not what.startswith(HELP)]
    assert [] == [what for what, text in sentences if any(long[:100] in text for long in LONG_INPUTS)]


@pytest.mark.parametrize("game", ["muses", "gangs"])
async def test_an_error_about_an_overlong_typed_move_stays_short(app: App, game: str) -> None:
    """Cells and prices are the longest words. Games' own refusals are tested above."""
    room = app.room()
    people = ["Ana", "Ben"]
    await begin(room, *people, game=game)
    for name in people:
        sentences = list(await refusals(app, room.person(name), game))
        assert len(sentences) > 1
        assert [] == [(what, len(text)) for what, text in sentences if len(text) > MAX_CHARS]


@every_game
def test_an_error_about_overlong_notation_stays_short(spec: GameSpec) -> None:
    match = Match.begin(spec, spec.setup(spec.seats[0]), "long")
    seat = match.state.decisions()[0].seat
    for verb in (*(cls.verb for cls in spec.actions), "dance"):
        for long in LONG_INPUTS:
            for words in (f"{verb} {long}", f"{verb} {long} {long}", f"{long} {verb}"):
                assert len(refusal(lambda words=words: match.play(seat, match.parse(words)))) <= MAX_CHARS
