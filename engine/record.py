"""The file format of exported matches. Reading a file validates everything in it.

A record is a JSON object with `format`, `version`, `game`, `rules_version`, `options`, `names` (one for each seat),
`seed`, `entries` (pairs of a seat, -1 for CHANCE, and a notation), an optional `proof` (an object with `secret`, `ids`
and `version`, see `engine.proof`) and an optional, informative `result`. Since it contains the seed, only finished
matches are exported, and any reader can check the draws (`engine.verify`).
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

from engine.core import GameSpec, OptionValue, Outcome, Setup
from engine.errors import BadRecord
from engine.games import discover
from engine.match import Entry, Match
from engine.proof import AS_STORED, VERSIONS, Proof
from engine.texts import CHANCE, Seat, Text, shortened
from engine.values import Value

FORMAT, VERSION = "caravanserai-match", 1

MAX_BYTES = 1_000_000
"""Maximum size of a file."""

MAX_ENTRIES, MAX_NOTATION, MAX_VALUE = 5_000, 200, 20_000
"""Maximum number of entries, and maximum characters of an entry and of the value of an option."""

MAX_COMMAS = 25_000
"""Maximum number of commas in a file, which limits its values: an entry has two, an option text some thousands."""

MAX_IDS = 20
"""Maximum number of ids in a proof: more than the seats of any table."""


class Result(Value):
    """The result that a file states. It may be wrong, so nothing is computed from it."""

    reason: str
    scores: tuple[int, ...]
    shares: tuple[float, ...]

    @classmethod
    def of(cls, outcome: Outcome) -> Result:
        """The result of a match that is over."""
        return cls(outcome.reason.value, tuple(outcome.scores), tuple(outcome.returns))


class Record(Value):
    """The content of a file: a known game, a valid setup, and an unchecked log.

    `seed` is a secret until the match is over.
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
        """The match at its end, or after its first `moves` effective entries and the draws that follow them.

        Raises:
            BrokenLog: an entry is illegal, or is not the draw of the seed.
            BadRecord: the log has fewer effective entries.
        """
        # Check the whole record, even if the caller needs only its beginning.
        whole = Match.replay(self.spec, self.setup, self.seed, self.entries, drawn=True)
        if moves is None:
            return whole
        effective = whole.effective
        if moves not in range(1, len(effective) + 1):
            raise BadRecord("moves", Text("The game in this file has {most} {most:move|moves}.", most=len(effective)))
        while moves < len(effective) and effective[moves].seat == CHANCE:
            moves += 1
        # The draws were checked above.
        return Match.replay(self.spec, self.setup, self.seed, effective[:moves])


def format_record(record: Record, outcome: Outcome) -> str:
    """The file of a finished match with this outcome. The seed of an unfinished match is a secret."""
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


def parse_record(raw: bytes) -> Record:
    """Parse a file.

    Raises:
        BadRecord: the file is too large or not a valid record.
        SetupError: the game does not allow this setup.
    """
    if len(raw) > MAX_BYTES:
        raise BadRecord("size", Text("This file has more than {most} bytes.", most=f"{MAX_BYTES:,}"))
    # Parsing blocks the whole process.
    if raw.count(b",") > MAX_COMMAS:
        raise _too_many()
    try:
        # Some editors put a byte order mark before the text.
        content = json.loads(raw.decode("utf-8-sig"))
        json.dumps(content, ensure_ascii=False).encode()  # raises for half a surrogate pair, which cannot be sent
    # Deep nesting exhausts the parser.
    except (ValueError, RecursionError):
        raise BadRecord("json", Text("This file is not JSON in UTF-8.")) from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise BadRecord("format", Text("This file has no game: *Export* under a log makes one that does."))
    spec = _spec(content)
    options = _options(content)
    # Names are only displayed, so the rest of the file is usable without them.
    called = _require(content, "names", list)
    names = tuple(name[:MAX_NOTATION] if isinstance(name, str) else "" for name in called)
    # Truncated, not rejected: the draws will not match a seed this long anyway.
    seed = _require(content, "seed", str)[:MAX_NOTATION]
    setup = spec.setup(len(names), options)
    return Record(spec, setup, options, names, seed, _entries(content), _proof(content), _result(content))


def _spec(content: Mapping[str, Any]) -> GameSpec:
    if content.get("version") != VERSION:
        raise BadRecord("version", Text("This file was written by another version of me; I read version 1."))
    spec = discover().get(slug := _require(content, "game", str))
    if spec is None:
        raise BadRecord("game", Text("I do not know the game “{game}”.", game=shortened(slug)))
    if content.get("rules_version") != spec.rules_version:
        raise BadRecord("rules", Text("This game was played under other rules of {title}.", title=spec.name))
    return spec


def _options(content: Mapping[str, Any]) -> dict[str, OptionValue]:
    options: dict[str, OptionValue] = _require(content, "options", dict)
    for name, value in options.items():
        if not isinstance(value, str | int | bool | None) or len(name) + len(str(value)) > MAX_VALUE:
            raise BadRecord("options", Text("The option “{name}” in this file makes no sense.", name=shortened(name)))
    return options


def _entries(content: Mapping[str, Any]) -> tuple[Entry, ...]:
    rows = _require(content, "entries", list)
    if len(rows) > MAX_ENTRIES:
        raise _too_many()
    return tuple(_entry(n, row) for n, row in enumerate(rows))


def _too_many() -> BadRecord:
    return BadRecord("entries", Text("This file has more than {most} moves.", most=f"{MAX_ENTRIES:,}"))


def _entry(n: int, row: Any) -> Entry:
    match row:
        # In Python, `true` is an integer, too.
        case [int(seat), str(notation)] if not isinstance(seat, bool) and len(notation) <= MAX_NOTATION:
            return Entry(Seat(seat), notation)
    raise BadRecord("entry", Text("Entry {entry} of this file is not a pair of a seat and a move.", entry=n))


def _proof(content: Mapping[str, Any]) -> Proof | None:
    match content.get("proof"):
        case None:
            return None
        case {"secret": str(secret), "ids": list(ids)} if len(secret) <= MAX_NOTATION and len(ids) <= MAX_IDS:
            # Files of the first version of the scheme do not state it.
            version = content["proof"].get("version", AS_STORED)
            # `type`: in Python, `true` is an integer, too.
            if all(type(number) is int for number in (*ids, version)) and version in VERSIONS:
                return Proof(secret, tuple(ids), version)
    raise BadRecord("proof", Text("The proof in this file makes no sense."))


def _result(content: Mapping[str, Any]) -> Result | None:
    match content.get("result"):
        case None:
            return None
        case {"reason": str(reason), "scores": list(scores), "shares": list(shares)}:
            numbers = (*scores, *shares)
            if len(numbers) <= 2 * MAX_IDS and all(type(number) in (int, float) for number in numbers):
                return Result(reason[:MAX_NOTATION], tuple(scores), tuple(shares))
    raise BadRecord("result", Text("The result in this file makes no sense."))


def _require(content: Mapping[str, Any], name: str, kind: type) -> Any:
    value = content.get(name)
    if not isinstance(value, kind):
        raise BadRecord("shape", Text("In this file “{name}” is missing or wrong.", name=name))
    return value
