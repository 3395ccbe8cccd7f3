"""`python -m bot`: run the bot until it is stopped."""

from __future__ import annotations

import gc

gc.disable()  # the start makes no garbage; the client enables collections when it has started up

import asyncio
import math
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from pathlib import Path

import discord

from bot import config, logs
from bot.client import Caravanserai
from bot.clock import Clock
from bot.computers.thinkers import workers_of
from bot.connection import stay_connected
from bot.errors import StartError, StopError
from bot.features.admin import installation
from bot.features.admin.condition import Examiner
from bot.metrics import LAG
from bot.store.failures import REMEDY, DatabaseUnavailable
from bot.store.handover import Handover
from bot.store.opening import open_database
from bot.store.store import Store
from bot.watchdog import Watchdog

LAG_INTERVAL = 1.0
"""Seconds between two measurements of the event loop."""

HEARTBEAT_INTERVAL = 30.0
"""Seconds."""


def main(arguments: Sequence[str] = (), prog: str = "python -m bot") -> None:
    """Run the bot. Exits with a sentence if it cannot start or has to stop."""
    if arguments:
        _explain_usage(arguments, prog)
    gc.freeze()  # later collections can skip the imported modules
    os.umask(0o077)  # only the owner can read new files
    try:
        settings = config.load(os.environ)
        logs.set_up(settings.log_level, settings.log_format)
        installation.check(settings.data_dir)
        with asyncio.Runner(loop_factory=_event_loop) as runner:
            runner.run(_run(settings))
    except StartError as error:
        sys.exit(f"Caravanserai cannot start. {error}")
    except StopError as error:
        sys.exit(f"Caravanserai has to stop. {error}")
    except DatabaseUnavailable as failure:
        sys.exit(f"Caravanserai has to stop. {failure}. {REMEDY[failure.kind]}")
    # Ctrl+C and SIGTERM: a normal end
    except (KeyboardInterrupt, asyncio.CancelledError):
        pass


def _explain_usage(arguments: Sequence[str], prog: str) -> None:
    """Exit with the help text, or with an error for any other argument."""
    import argparse  # not needed by a start

    description = "Run the bot until it is stopped. Its settings come from the environment or a file .env."
    argparse.ArgumentParser(prog=prog, description=description).parse_args(arguments)


def _event_loop() -> asyncio.AbstractEventLoop:
    """An event loop of uvloop, which is faster than Python's own. Windows has no uvloop."""
    if sys.platform == "win32":
        return asyncio.new_event_loop()
    import uvloop

    return uvloop.new_event_loop()


async def _run(settings: config.Config) -> None:
    running = asyncio.current_task()
    assert running is not None, "asyncio.run made one"
    with suppress(NotImplementedError):  # Windows has no such signals
        # the default would end Python at once, and interrupt running work; containers are stopped by this signal
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)
    clock, handover, watchdog = Clock(), Handover(), Watchdog()
    async with (
        open_database(settings.database_url, settings.share, handover) as database,
        Caravanserai(
            Store(database),
            clock,
            settings.data_dir,
            workers=workers_of(settings.search),
            computer=settings.computer,
            stories=settings.stories,
            emojis=settings.emojis,
            help_url=settings.help_url,
            handover=handover,
        ) as client,
        watchdog,
    ):
        connection = asyncio.create_task(stay_connected(client, settings.token, pause=clock.sleep))
        start_failed = asyncio.create_task(client.start_failed.wait())
        monitors = [
            asyncio.create_task(_heartbeat(client, clock, settings.data_dir / "alive")),
            asyncio.create_task(_measure_lag(clock)),
        ]
        try:
            async with _pages(client, clock, settings):
                # `wait`: discord.py ignores a cancellation while it reconnects, and a failed start until its last shard
                # has connected
                await asyncio.wait({connection, start_failed}, return_when=asyncio.FIRST_COMPLETED)
                if connection.done():
                    connection.result()
        finally:
            for task in (connection, start_failed, *monitors):
                task.cancel()
        # the start is a task of its own, whose error is raised here
        if client.start_error is not None:
            raise client.start_error


async def _heartbeat(client: discord.Client, clock: Clock, sign: Path) -> None:
    """Touch a file while the bot is connected to Discord, for the health check of a container."""
    while True:
        # discord.py: not a number without a shard, infinite until the first heartbeat is answered
        if math.isfinite(client.latency):
            with suppress(OSError):
                await asyncio.to_thread(sign.touch)
        await clock.sleep(HEARTBEAT_INTERVAL)


async def _measure_lag(clock: Clock) -> None:
    """Measure the time of one pass of the event loop, at intervals: slow work there delays all users."""
    while True:
        with LAG.time():
            await clock.sleep(0)
        await clock.sleep(LAG_INTERVAL)


def _pages(client: Caravanserai, clock: Clock, settings: config.Config) -> AbstractAsyncContextManager[None]:
    """The web pages for monitoring, if they are configured."""
    if not settings.metrics:
        return nullcontext()
    # loaded only if needed
    from bot.web import web_pages

    host, _, port = settings.metrics.rpartition(":")
    return web_pages(Examiner(client, client.services.store, clock), host, int(port))


if __name__ == "__main__":
    main(sys.argv[1:])
