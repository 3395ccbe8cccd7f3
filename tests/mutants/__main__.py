"""`python -m tests.mutants`: make one change at a time in a copy of the tree, and see that its test fails.

Each CPU core has a copy of its own.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from queue import SimpleQueue

from tests.mutants.mutant import Mutant, all_mutants

ROOT = Path(__file__).parents[2]
PARTS = (
    "bot",
    "caravanserai",
    "engine",
    "kit",
    "locales",
    "playground",
    "renders",
    "tests",
    "tools",
    "docs",
    "pyproject.toml",
    "README.md",
)
TEST_TIMEOUT = 600
"""Seconds after which a change has made the tests hang, which is noticed as well."""

_stamps = count(int(time.time()) - 10**6, 2)
"""Times of changed sources: compiled files are known by the second."""


def main() -> None:
    """Try all changes, or those whose names contain a word. Fails if one of them is not noticed."""
    parser = argparse.ArgumentParser("python -m tests.mutants", description=__doc__)
    parser.add_argument("word", nargs="?", default="", help="only changes whose names contain this")
    word = parser.parse_args().word
    mutants = [mutant for mutant in all_mutants() if word in mutant.name]
    if not mutants:
        sys.exit(f"no change has {word!r} in its name")
    cores = os.cpu_count() or 1
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder, ThreadPoolExecutor(cores) as pool:
        trees = SimpleQueue[Path]()
        for number in range(cores):
            trees.put(_copy(Path(folder) / str(number)))
        if trouble := _first_failure(Path(folder) / "0", *sorted({mutant.test for mutant in mutants})):
            sys.exit(f"the tests fail without any change: {trouble}")
        unnoticed = list(pool.map(lambda mutant: _is_noticed(trees, mutant), mutants)).count(False)
    sys.exit(f"{unnoticed} of these changes are not noticed" if unnoticed else 0)


def _copy(tree: Path) -> Path:
    tree.mkdir()
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, tree / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / part, tree / part)
    return tree


def _is_noticed(trees: SimpleQueue[Path], mutant: Mutant) -> bool:
    tree = trees.get()
    source = (tree / mutant.file).read_text(encoding="utf-8")
    _write(tree / mutant.file, source.replace(mutant.old, mutant.new))
    by = _first_failure(tree, mutant.test)
    _write(tree / mutant.file, source)
    trees.put(tree)
    print(f"{mutant.name}: {by or 'NOT NOTICED'}", flush=True)
    return bool(by)


def _write(path: Path, source: str) -> None:
    path.write_text(source, encoding="utf-8")
    stamp = next(_stamps)
    os.utime(path, (stamp, stamp))


def _first_failure(tree: Path, *tests: str) -> str:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-rfE", "-n", "0", "-p", "no:cacheprovider", *tests]
    try:
        run = subprocess.run(command, cwd=tree, capture_output=True, text=True, timeout=TEST_TIMEOUT)
    except subprocess.TimeoutExpired:
        return "the tests hang"
    failed = [line for line in run.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return failed[0].partition(" ")[2].partition(" - ")[0] if failed else run.stdout[-1000:] if run.returncode else ""


if __name__ == "__main__":
    main()
