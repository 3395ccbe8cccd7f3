"""`python -m tests.mutants --sample 100 --seed 1 bot`: one small change at a time, and whether a test minds."""

from __future__ import annotations

import argparse
import difflib
import queue
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

from tests.mutants.changes import Change, changes, places
from tests.mutants.places import SECRECY
from tests.mutants.scratch import ROOT, Scratch

Place = tuple[str, Change]
"""A file, and what is changed in it."""

PATIENCE = 3
"""A run takes at most so many times what it takes without a change, and some seconds."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Report every change that no test minds, and the share of those that were noticed."""
    asked = _parser().parse_args(arguments)
    found = _secrecy() if asked.only else _under(asked.paths)
    if asked.sample:
        found = sorted(Random(asked.seed).sample(found, min(asked.sample, len(found))), key=_order)
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        runs = [tests for tests in (asked.tests, asked.then) if tests]
        noticed = _try_all(found, runs, [Scratch(Path(folder) / str(n)) for n in range(asked.jobs)])
    print(f"{noticed} of {len(found)} changes were noticed, {noticed / len(found):.0%}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tests.mutants", description=__doc__)
    parser.add_argument("paths", nargs="*", default=["bot"], help="files or folders to change")
    parser.add_argument("--sample", type=int, help="so many changes, drawn at random; all if left out")
    parser.add_argument("--seed", default="1", help="which sample")
    parser.add_argument("--only", choices=["secrecy"], help="the places kept in places.py")
    parser.add_argument("--tests", nargs="+", default=["tests/bot"], help="what has to notice")
    parser.add_argument("--then", nargs="*", default=[], help="slower tests, for what those did not notice")
    parser.add_argument("--jobs", type=int, default=2, help="how many are tried at a time")
    return parser


def _under(paths: Sequence[str]) -> list[Place]:
    roots = [ROOT / path for path in paths]
    files = [file for root in roots for file in (root.rglob("*.py") if root.is_dir() else [root])]
    return [(_name(file), change) for file in sorted(files) for change in changes(file.read_text(encoding="utf-8"))]


def _secrecy() -> list[Place]:
    found: list[Place] = []
    for name, functions in SECRECY.items():
        source = (ROOT / name).read_text(encoding="utf-8")
        if gone := set(functions) - places(source):
            sys.exit(f"places.py names what is not in {name} any more: {', '.join(sorted(gone))}")
        found += [(name, change) for change in changes(source) if _is_within(change.place, functions)]
    return found


def _is_within(place: str, functions: Sequence[str]) -> bool:
    return any(f"{place}.".startswith(f"{function}.") for function in functions)


def _try_all(found: Sequence[Place], runs: Sequence[Sequence[str]], scratches: Sequence[Scratch]) -> int:
    """Try the changes, one at a time in each copy of the tree. Returns how many were noticed."""
    timed = [(tests, PATIENCE * _time_of(tests, scratches[0]) + 20) for tests in runs]
    free: queue.SimpleQueue[Scratch] = queue.SimpleQueue()
    for scratch in scratches:
        free.put(scratch)

    def attempt(place: Place) -> bool:
        scratch = free.get()
        try:
            return _try(place, scratch, timed)
        finally:
            free.put(scratch)

    with ThreadPoolExecutor(len(scratches)) as pool:
        return sum(pool.map(attempt, found))


def _time_of(tests: Sequence[str], scratch: Scratch) -> float:
    start = time.monotonic()
    if trouble := scratch.run(tests):
        sys.exit(f"The tests fail without any change: {trouble}")
    return time.monotonic() - start


def _try(place: Place, scratch: Scratch, timed: Sequence[tuple[Sequence[str], float]]) -> bool:
    name, change = place
    source = scratch.read(name)
    scratch.write(name, change.applied_to(source))
    by = next(filter(None, (scratch.run(tests, limit) for tests, limit in timed)), "")
    scratch.write(name, source)
    verdict = f"noticed by {by}" if by else f"SURVIVED\n{_difference(source, change.applied_to(source))}"
    print(f"{name}:{change.line} {change.what}: {verdict}", flush=True)
    return bool(by)


def _difference(before: str, after: str) -> str:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=1, lineterm="")
    return "\n".join(f"    {line}" for line in list(lines)[3:])


def _order(place: Place) -> tuple[str, int]:
    return place[0], place[1].start


def _name(file: Path) -> str:
    return str(file.relative_to(ROOT))


if __name__ == "__main__":
    main()
