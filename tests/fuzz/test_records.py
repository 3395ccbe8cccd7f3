"""Exported matches with changes: a game that continues, or a sentence about the error."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.core import GameSpec
from engine.errors import EngineError
from engine.games import discover
from engine.record import Record, format_record, parse_record
from tests.bench.walk import finished_match
from tests.fuzz.likely import json_like, tried, words_like

FIELDS = ["format", "version", "game", "rules_version", "options", "names", "seed", "entries", "result"]
LUCK = -1


@cache
def export_game(slug: str) -> str:
    """The file of a whole game."""
    spec = discover()[slug]
    match = finished_match(spec, spec.seats[0], "fuzz")
    assert match.outcome is not None, "it is finished"
    record = Record(spec, match.setup, {}, ("Ana",) * spec.seats[0], "fuzz", tuple(match.entries))
    return format_record(record, match.outcome)


def can_be_told(error: EngineError) -> None:
    assert str(error.text).encode()


def played_on(raw: bytes, moves: int | None) -> None:
    """Read a file and go on from it, as `/game learn` does."""
    try:
        record = parse_record(raw)
        match = record.match(moves)
    except EngineError as error:
        can_be_told(error)
    else:
        assert moves is not None or list(record.entries) == match.entries
        assert match.version <= len(record.entries)


@st.composite
def changed_exports(draw: st.DrawFn, slug: str) -> bytes:
    """A file in which a field is another value, or an entry another one, is missing or stands in another place."""
    record: dict[str, Any] = json.loads(export_game(slug))
    entries: list[Any] = record["entries"]
    where, seat = draw(st.integers(0, len(entries) - 1)), draw(st.integers(LUCK, 6) | json_like)
    match draw(st.sampled_from(["field", "entry", "drop", "swap", "none"])):
        case "field":
            record[draw(st.sampled_from(FIELDS))] = draw(json_like)
        case "entry":
            entries[where] = [seat, draw(words_like([notation for _, notation in entries]))]
        case "drop":
            del entries[where]
        case "swap":
            entries[where : where + 2] = reversed(entries[where : where + 2])
    return json.dumps(record).encode()


@pytest.mark.parametrize("spec", discover().values(), ids=lambda spec: spec.slug)
@tried
@given(data=st.data())
def test_a_changed_file_is_continued_or_refused(spec: GameSpec, data: st.DataObject) -> None:
    raw, moves = data.draw(changed_exports(spec.slug)), data.draw(st.none() | st.integers(-2, 80))
    played_on(raw, moves)


@tried
@given(words_like(['{"format": "caravanserai-match", "version": 1, "game": "muses"}', export_game("jinns")[:400]]))
@example('{"format": "caravanserai-match", "version": 1, "game": "\\ud800"}')
@example(export_game("muses").replace('"seed": "fuzz"', '"seed": "\\ud800"'))
def test_any_text_is_accepted_as_a_file_or_refused(text: str) -> None:
    played_on(text.encode(errors="surrogatepass"), None)
