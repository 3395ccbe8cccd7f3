"""Options and fixtures of all tests."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine.games
from tests import rasters
from tests.bytecode import compile_once
from tests.server import Server, running_server

os.environ["COMPUTER"] = "uniform"  # the bots of the tests need not play well, but at once
os.environ["STORIES"] = "no"  # nor think their games over

TESTS = Path(__file__).parent
MEMORY = Path("/dev/shm")
ENOUGH = 2**30
"""Bytes: several times what a whole run leaves behind."""

SLOWEST_PATHS = (
    *("authors", "e2e", "engine", "perft", "playground", "fuzz", "renders", "games", "caravanserai", "kit"),
    *("bot/test_", "bot/leagues", ""),
)
"""The beginnings of the paths that come first: long files at the end would leave other workers idle."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--bless` accepts new recorded output: pictures and playthroughs. A human looks at the difference."""
    parser.addoption("--bless", action="store_true", help="rewrite recorded pictures and playthroughs")


def pytest_configure(config: pytest.Config) -> None:
    """Keep files in memory, and compile and rasterize only once."""
    keep_files_in_memory()
    compile_once(config.rootpath / ".pytest_cache" / "bytecode")
    rasters.keep_rasters(rasters.FOLDER)
    gc.set_threshold(100_000, 20, 20)  # many positions are kept, which are looked through each time
    engine.games.installed_sources = lambda: iter(())  # games of packages beside ours have tests of their own
    config.option.loadscopereorder = False  # pytest-xdist would leave the whole games, few but long, for the end
    begin_elsewhere(config)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """Two workers more than processors, or as many as the variable of xdist says: some wait for bots and browsers."""
    return None if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else (os.cpu_count() or 1) + 2


def begin_elsewhere(config: pytest.Config) -> None:
    """Let each worker collect the files in another order: in a fresh clone, all would compile the same ones else."""
    worker = getattr(config, "workerinput", None)
    if worker and config.args == config.getini("testpaths"):
        files = sorted(map(str, TESTS.rglob("test_*.py")))
        begin = len(files) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
        config.args[:] = files[begin:] + files[:begin]


def keep_files_in_memory() -> None:
    """Keep named temporary folders in memory: every commit of a database waits for its disk."""
    if "TMPDIR" not in os.environ and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ENOUGH:
        os.environ["TMPDIR"] = str(MEMORY)
        tempfile.tempdir = None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest, so that all workers end together."""
    items.sort(key=_turn)


def pytest_collection_finish() -> None:
    """Let later collections of garbage skip what stays for good: the modules and the tests."""
    gc.freeze()


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Let later collections of garbage skip what a module leaves in caches, such as many positions."""
    if nextitem is not None and nextitem.path != item.path:
        gc.freeze()


def pytest_sessionfinish() -> None:
    """Collect garbage once: pytest does so ten times more, through all positions that are kept, for its warnings."""
    gc.collect()
    gc.freeze()


def _turn(item: pytest.Item) -> tuple[int, str]:
    path = item.path.relative_to(TESTS).as_posix()
    return next(turn for turn, beginning in enumerate(SLOWEST_PATHS) if path.startswith(beginning)), path


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A server of PostgreSQL, or no such test."""
    with running_server() as server:
        yield server


@pytest.fixture
def bless(request: pytest.FixtureRequest) -> bool:
    """Whether recorded output is to be rewritten."""
    return bool(request.config.getoption("--bless"))
