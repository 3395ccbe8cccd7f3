"""Check the luck of an exported match: `python -m engine.verify game.json`.

It needs only Python. The exit status is 1 if a draw is wrong or cannot be checked, and 2 if the file cannot be read.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.core import Event
from engine.errors import BrokenLog, EngineError
from engine.match import Draw, Match
from engine.proof import commitment
from engine.record import Record, Result, parse_record
from engine.texts import Text
from engine.values import Value
from engine.wording import Voice

CONTRADICTION = Text("The result in this file is not the result of its moves.")
"""Verdict if the file states a winner, points or a reason that do not follow from its log."""


class Check(Value):
    """The result of a check: the first `fault`, if any, and all draws with the outcomes that the seed produces."""

    record: Record
    draws: tuple[Draw, ...] = ()
    fault: Text | None = None
    is_over: bool = False

    @property
    def verdict(self) -> Text:
        """The result in one sentence."""
        good = Text("Every draw matches the seed ({n} {n:draw|draws} checked).", n=len(self.draws))
        return self.fault or good


def check_record(record: Record) -> Check:
    """Check a match, finished or not."""
    if record.proof is None:
        return Check(record, fault=Text("This game has no proof: its luck cannot be checked."))
    if record.proof.seed(record.spec, record.options) != record.seed:
        return Check(record, fault=Text("The seed was not made from this secret, these ids, and this game."))
    try:
        match = Match.replay(record.spec, record.setup, record.seed, record.entries, drawn=True)
    except BrokenLog as broken:
        return Check(record, fault=broken.text)
    result = None if match.outcome is None else Result.of(match.outcome)
    fault = CONTRADICTION if record.result not in (None, result) else None
    return Check(record, match.draws(), fault, is_over=match.outcome is not None)


def report(check: Check) -> Iterator[str]:
    """The full report, line by line, with shell commands that compute the hashes."""
    yield from map(str, _about(check.record))
    for draw in check.draws:
        words = " ".join(_words(event, check.record.names) for event in draw.events)
        line = Text(
            "Draw {n}: {words}\n  the log: {log}\n  the seed: {seed}",
            n=draw.ply,
            words=words,
            log=draw.notation,
            seed=draw.expected,
        )
        yield str(line)
    yield str(check.verdict)
    yield from map(str, _unchecked(check))


def _unchecked(check: Check) -> Iterator[Text]:
    """The limits of a check."""
    if not check.is_over:
        yield Text("The log does not reach the end of the game: moves may be missing after the last one.")
    yield Text(
        "Not checked: the names of the players, whether these are the moves that they made, and whether the log is "
        "the whole game. Compare them with the messages in the channel."
    )


def _about(record: Record) -> Iterator[Text]:
    spec, proof = record.spec, record.proof
    yield Text("{title}, rules {version}", title=spec.name, version=spec.rules_version)
    if proof is None:
        return
    hashes = commitment(proof.secret), record.seed
    commands = proof.commands(spec, record.options)
    sources = (
        Text("Announced when the table was set up:"),
        Text("The seed, with the ids that Discord made when players sat down and when the game started:"),
    )
    for source, digest, command in zip(sources, hashes, commands, strict=True):
        yield Text("{source}\n  {found}\n  {command}", source=source, found=digest, command=command)


def _words(event: Event, names: Sequence[str]) -> str:
    """The sentence of an event; a secret one is repeated for each seat in its audience."""
    if event.visible_to(None):
        return Voice(names).say(event)
    audience = sorted(seat for seat in event.audience or () if seat is not None)
    sentences = (Text("({who}) {what}", who=names[seat], what=Voice(names, seat).say(event)) for seat in audience)
    return " ".join(map(str, sentences))


def main(arguments: Sequence[str] | None = None, prog: str = "python -m engine.verify") -> int:
    """Check a file and print the report. Returns the exit status."""
    parser = ArgumentParser(prog=prog, description="Check the luck of a match. It needs nothing but Python.")
    parser.add_argument("file", type=Path, help="a file that Export made in /game log")
    path: Path = parser.parse_args(arguments).file
    try:
        check = check_record(parse_record(path.read_bytes()))
    except OSError as error:
        print(Text("This file cannot be read: {why}.", why=error.strerror))
        return 2
    except EngineError as error:
        print(error)
        return 1
    print("\n".join(report(check)))
    return 0 if check.fault is None else 1


if __name__ == "__main__":
    sys.exit(main())
