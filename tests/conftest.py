"""What all tests share."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bytecode import compile_once
from tests.server import Server, running_server

os.environ["COMPUTER"] = "uniform"  # the bots of the tests need not play well, but at once
os.environ["STORIES"] = "no"  # nor think their games over

TESTS = Path(__file__).parent
MEMORY = Path("/dev/shm")
ENOUGH = 2**30
"""Bytes: several times what a whole run leaves behind."""

LONGEST = ("e2e", "authors", "playground", "renders", "bot")
"""The folders whose files take longest; what is short fills the gaps at the end."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--bless` accepts new recorded output: pictures and playthroughs. A human looks at the difference."""
    parser.addoption("--bless", action="store_true", help="rewrite recorded pictures and playthroughs")


def pytest_configure(config: pytest.Config) -> None:
    """Let nobody wait for a disk, or compile over and over; workers and bots inherit both."""
    keep_files_in_memory()
    compile_once(config.rootpath / ".pytest_cache" / "bytecode")
    gc.set_threshold(100_000, 20, 20)  # many positions are kept, which are looked through each time
    config.option.loadscopereorder = False  # pytest-xdist would leave the whole games, few but long, for the end


def keep_files_in_memory() -> None:
    """Every commit of a database waits for its disk; a folder that is named for temporary files is used."""
    if "TMPDIR" not in os.environ and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ENOUGH:
        os.environ["TMPDIR"] = str(MEMORY)
        tempfile.tempdir = None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest, so that all workers end together."""
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> int:
    folder = item.path.relative_to(TESTS).parts[0]
    return LONGEST.index(folder) if folder in LONGEST else len(LONGEST)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A server of PostgreSQL, or no such test."""
    with running_server() as server:
        yield server


@pytest.fixture
def bless(request: pytest.FixtureRequest) -> bool:
    """Whether recorded output is to be rewritten."""
    return bool(request.config.getoption("--bless"))
