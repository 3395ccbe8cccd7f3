"""`python -m tests.bench [area ...] [--quick]`: measure, and print the table."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
import traceback
from importlib import import_module

from renders import prerendering
from tests.bench.measure import FULL, QUICK
from tests.bench.report import Row, table
from tests.bench.store import FOLDER
from tests.bytecode import compile_once

AREAS = (
    "engine",
    "pictures",
    "store",
    "moves",
    "load",
    "worst_user",
    "thinking",
    "effort",
    "startup",
    "restart",
    "memory",
)


def main() -> None:
    """Measure the areas that were asked for, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("areas", nargs="*", metavar="area", help=f"of {', '.join(AREAS)}; all if left out")
    parser.add_argument("--quick", action="store_true", help="a glance in under a minute: one process, few rounds")
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.areas if name not in AREAS]:
        parser.error(f"there is no area {unknown[0]}; there are {', '.join(AREAS)}")
    compile_once(FOLDER / "bytecode")  # an installed bot is compiled, and has its grounds
    prerendering.main()
    print(_machine(), flush=True)
    start = time.monotonic()
    rows = [row for area in arguments.areas or AREAS for row in _measure(area, quick=arguments.quick)]
    print(f"\n{table(rows)}\n\n{time.monotonic() - start:.0f} s; load at the end {os.getloadavg()[0]:.1f}")


def _measure(area: str, *, quick: bool) -> list[Row]:
    start = time.monotonic()
    try:
        rows: list[Row] = import_module(f"tests.bench.{area}").rows(QUICK if quick else FULL)
    except Exception as error:  # the other figures are worth having all the same
        traceback.print_exc()
        rows = [Row("", area, f"could not be measured: {type(error).__name__}", verdict="BROKEN")]
    print(f"{area}: {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
    return rows


def _machine() -> str:
    load = f"load at the start {os.getloadavg()[0]:.1f}"
    return f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores, {load}"


if __name__ == "__main__":
    main()
