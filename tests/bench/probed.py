"""A bot under observation: `python -m tests.bench.probed` runs the module named in BENCH_MODULE.

BENCH_NOTES   a file for the notes so far, one a line, written at SIGUSR1:
              `commit <monotonic> <cpu s>` and `lag <monotonic> <s>`
BENCH_LAG     seconds between two looks at how late the event loop is
BENCH_PICTURE a PNG that is given out instead of every picture (anchor B0)
"""

from __future__ import annotations

import asyncio
import itertools
import os
import runpy
import secrets
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import uvloop

from engine.proof import Proof
from tests.luck import seed_by_secret

Note = Callable[[str], object]


def main() -> None:
    """Install the probes of the environment, then run the bot."""
    module = os.environ["BENCH_MODULE"]
    noticed: list[str] = []
    note = noticed.append
    signal.signal(signal.SIGUSR1, lambda *_: write_down(noticed, Path(os.environ["BENCH_NOTES"])))
    numbers = itertools.count(1)
    secrets.token_hex = lambda nbytes=None: f"{next(numbers):032x}"  # the same games in every run
    Proof.seed = seed_by_secret  # type: ignore[assignment, method-assign]
    if module == "bot":
        type_at_once()
        lift_limits()
        watch_commits(note)
        if "BENCH_PICTURE" in os.environ:
            give_out(Path(os.environ["BENCH_PICTURE"]).read_bytes())
    if "BENCH_LAG" in os.environ:
        watch_loop(note, float(os.environ["BENCH_LAG"]))
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def write_down(noticed: list[str], place: Path) -> None:
    """All at once and on request: writing each line would add to the measured time."""
    (unfinished := place.with_suffix(".new")).write_text("\n".join(noticed), encoding="ascii")
    unfinished.replace(place)


def type_at_once() -> None:
    """Play typed moves at once, to measure the move and not its preview."""
    from bot.tables import preferences

    preferences.USUAL = preferences.Preferences(at_once=True)


def watch_commits(note: Note) -> None:
    """Note the CPU of every commit of a move; it is its own as long as commits do not overlap."""
    from bot.store.store import Store

    write = Store.write

    async def watched(*args: Any, **kwargs: Any) -> Any:
        start, busy = time.monotonic(), time.process_time()
        try:
            return await write(*args, **kwargs)
        finally:
            note(f"commit {start:.6f} {time.process_time() - busy:.6f}")

    Store.write = watched  # type: ignore[method-assign]


def lift_limits() -> None:
    """Let one server hold all tables, and think about every hint, also about the same one again."""
    from bot.computers import questions
    from bot.tables import guild_settings

    guild_settings.USUAL = guild_settings.DIRECT
    questions.Questions.__init__.__kwdefaults__["remembered"] = 0  # type: ignore[index]


def give_out(data: bytes) -> None:
    """Ready bytes instead of drawing and encoding; all the rest of a move stays."""
    import renders
    from renders.picture import Picture

    picture = Picture(data, "A board. " * 80)
    renders.draw = lambda view, labels, persons=(): picture
    renders.png = lambda picture, contrast=False: data  # type: ignore[misc]


def watch_loop(note: Note, every: float) -> None:
    """Have each new event loop look regularly at how much later than due it gets to run something."""

    def watched(loop: asyncio.AbstractEventLoop) -> asyncio.AbstractEventLoop:
        def look(due: float) -> None:
            now = time.monotonic()
            note(f"lag {now:.6f} {now - due:.6f}")
            loop.call_later(every, look, now + every)

        loop.call_soon(look, time.monotonic())
        return loop

    # the bot makes its own loop, and the other programs let asyncio make it
    make, make_plain = uvloop.new_event_loop, asyncio.new_event_loop
    uvloop.new_event_loop = lambda: watched(make())  # type: ignore[assignment, return-value]
    asyncio.events.new_event_loop = lambda: watched(make_plain())


if __name__ == "__main__":
    main()
