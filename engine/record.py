"""A match as a file that can be carried elsewhere, and read again without trusting a word of it.

A record is JSON: an object with `format`, `version`, `game`, `rules_version`, `options`, `names` (one a seat), `seed`,
`entries` (pairs of a seat, -1 for luck, and a notation), perhaps `proof` (an object with `secret`, `ids` and `version`,
see `engine.proof`), and perhaps `result`, which nothing depends on. Since the seed is in it, it is for matches that are
over, and any reader can check that luck did what it should (`engine.verify`).
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.core import GameSpec, OptionValue, Outcome, Setup
from engine.errors import BadRecord
from engine.games import discover
from engine.match import Entry, Match
from engine.proof import AS_STORED, VERSIONS, Proof
from engine.texts import CHANCE, Seat, Text, shortened

FORMAT, VERSION = "caravanserai-match", 1

LARGEST = 1_000_000
"""Most bytes of a file."""

MOST_ENTRIES, LONGEST_NOTATION, LONGEST_VALUE = 5_000, 200, 20_000
"""Most entries, and most characters of one and of the value of an option."""

MOST_VALUES = 25_000
"""Most values of a file, counted by commas: an entry has two of them, the texts of options may have some thousands."""

MOST_IDS = 20
"""Most ids in a proof: more than people at any table."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a file says about the end of its match: nothing is computed from it, so it may be wrong."""

    reason: str
    scores: tuple[int, ...]
    shares: tuple[float, ...]

    @classmethod
    def of(cls, outcome: Outcome) -> Result:
        """The result of a match that is over."""
        return cls(outcome.reason.value, tuple(outcome.scores), tuple(outcome.returns))


@dataclass(frozen=True, slots=True)
class Record:
    """The content of a file: a game that this program knows, a setup that it allows, and what is said to have happened.

    `seed` is a secret as long as the match goes on.
    """

    spec: GameSpec
    setup: Setup
    options: Mapping[str, OptionValue]
    names: tuple[str, ...]
    seed: str
    entries: tuple[Entry, ...]
    proof: Proof | None = None
    result: Result | None = None

    def match(self, moves: int | None = None) -> Match:
        """The match at its end, or after some entries that count, with the luck that followed at once.

        Raises:
            BrokenLog: an entry was not possible, or is not what luck draws from the seed.
            BadRecord: there are not so many.
        """
        # The whole record is checked, even if only its beginning is wanted.
        whole = Match.replay(self.spec, self.setup, self.seed, self.entries, drawn=True)
        if moves is None:
            return whole
        kept = whole.effective
        if moves not in range(1, len(kept) + 1):
            raise BadRecord("moves", Text("The game in this file has {most} {most:move|moves}.", most=len(kept)))
        while moves < len(kept) and kept[moves].seat == CHANCE:
            moves += 1
        # Its draws were checked above.
        return Match.replay(self.spec, self.setup, self.seed, kept[:moves])


def written(record: Record, outcome: Outcome) -> str:
    """The file of a match that has ended like this; before the end, its seed is a secret."""
    proof = record.proof
    content = {
        "format": FORMAT,
        "version": VERSION,
        "game": record.spec.slug,
        "rules_version": record.spec.rules_version,
        "options": dict(record.options),
        "names": record.names,
        "seed": record.seed,
        **({"proof": dataclasses.asdict(proof)} if proof else {}),
        "entries": [[entry.seat, entry.notation] for entry in record.entries],
        "result": dataclasses.asdict(Result.of(outcome)),
    }
    return json.dumps(content, ensure_ascii=False)


def read(raw: bytes) -> Record:
    """The content of a file.

    Raises:
        BadRecord: it is too large, no record, or one of another program.
        SetupError: the game cannot be set up like this.
    """
    if len(raw) > LARGEST:
        raise BadRecord("size", Text("This file has more than {most} bytes.", most=f"{LARGEST:,}"))
    # The parser holds up everything else in the process until it has read all of them.
    if raw.count(b",") > MOST_VALUES:
        raise _too_many()
    try:
        # Some editors put a byte order mark before the text.
        found = json.loads(raw.decode("utf-8-sig"))
        json.dumps(found, ensure_ascii=False).encode()  # half a surrogate pair in it could not be sent to anybody
    # Deep nesting exhausts the parser before it is found to be no record.
    except (ValueError, RecursionError):
        raise BadRecord("json", Text("This file is not JSON in UTF-8.")) from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise BadRecord("format", Text("This file has no game: *Export* under a log makes one that does."))
    spec = _spec(found)
    options = _options(found)
    # Names are only for people, so a bad one is no reason to refuse a game.
    called = _of(found, "names", list)
    names = tuple(name[:LONGEST_NOTATION] if isinstance(name, str) else "" for name in called)
    # Cut, not refused: a seed this long is none of ours, and what was drawn will not fit it.
    seed = _of(found, "seed", str)[:LONGEST_NOTATION]
    return Record(
        spec, spec.setup(len(names), options), options, names, seed, _entries(found), _proof(found), _result(found)
    )


def _spec(found: Mapping[str, Any]) -> GameSpec:
    if found.get("version") != VERSION:
        raise BadRecord("version", Text("This file was written by another version of me; I read version 1."))
    spec = discover().get(slug := _of(found, "game", str))
    if spec is None:
        raise BadRecord("game", Text("I do not know the game “{game}”.", game=shortened(slug)))
    if found.get("rules_version") != spec.rules_version:
        raise BadRecord("rules", Text("This game was played under other rules of {title}.", title=spec.name))
    return spec


def _options(found: Mapping[str, Any]) -> dict[str, OptionValue]:
    options: dict[str, OptionValue] = _of(found, "options", dict)
    for name, value in options.items():
        if not isinstance(value, str | int | bool | None) or len(name) + len(str(value)) > LONGEST_VALUE:
            raise BadRecord("options", Text("The option “{name}” in this file makes no sense.", name=shortened(name)))
    return options


def _entries(found: Mapping[str, Any]) -> tuple[Entry, ...]:
    rows = _of(found, "entries", list)
    if len(rows) > MOST_ENTRIES:
        raise _too_many()
    return tuple(_entry(n, row) for n, row in enumerate(rows))


def _too_many() -> BadRecord:
    return BadRecord("entries", Text("This file has more than {most} moves.", most=f"{MOST_ENTRIES:,}"))


def _entry(n: int, row: Any) -> Entry:
    match row:
        # In Python, `true` is an integer, too.
        case [int(seat), str(notation)] if not isinstance(seat, bool) and len(notation) <= LONGEST_NOTATION:
            return Entry(Seat(seat), notation)
    raise BadRecord("entry", Text("Entry {entry} of this file is not a pair of a seat and a move.", entry=n))


def _proof(found: Mapping[str, Any]) -> Proof | None:
    match found.get("proof"):
        case None:
            return None
        case {"secret": str(secret), "ids": list(ids)} if len(secret) <= LONGEST_NOTATION and len(ids) <= MOST_IDS:
            # Files from before there were versions have none.
            version = found["proof"].get("version", AS_STORED)
            # `type`: in Python, `true` is an integer, too.
            if all(type(one) is int for one in (*ids, version)) and version in VERSIONS:
                return Proof(secret, tuple(ids), version)
    raise BadRecord("proof", Text("The proof in this file makes no sense."))


def _result(found: Mapping[str, Any]) -> Result | None:
    match found.get("result"):
        case None:
            return None
        case {"reason": str(reason), "scores": list(scores), "shares": list(shares)}:
            numbers = (*scores, *shares)
            if len(numbers) <= 2 * MOST_IDS and all(type(one) in (int, float) for one in numbers):
                return Result(reason[:LONGEST_NOTATION], tuple(scores), tuple(shares))
    raise BadRecord("result", Text("The result in this file makes no sense."))


def _of(found: Mapping[str, Any], name: str, kind: type) -> Any:
    value = found.get(name)
    if not isinstance(value, kind):
        raise BadRecord("shape", Text("In this file “{name}” is missing or wrong.", name=name))
    return value
