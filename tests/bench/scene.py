"""Folder on disk and ready picture of the benchmarks with real bots."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import renders
from engine.games import discover
from tests.bench.store import FOLDER
from tests.bench.walk import late_boards

T = TypeVar("T")


def in_scene(work: Callable[[Path, Path], Awaitable[T]]) -> T:
    """Run `work(folder, picture)` with an empty folder and a file with the bytes of a late board."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER) as name:
        picture = Path(name) / "ready.png"
        picture.write_bytes(_late_board())
        return asyncio.run(_await(work(Path(name), picture)))


async def _await(work: Awaitable[T]) -> T:
    return await work


def _late_board() -> bytes:
    spec = next(iter(discover().values()))
    view = late_boards(spec, spec.seats[-1], "ready")[-2]
    return renders.png(renders.draw(view, spec.seat_names(view.setup)))
