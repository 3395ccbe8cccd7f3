"""`python -m bot`: run the bot until it is told to stop."""

from __future__ import annotations

import gc

gc.disable()  # nothing that is loaded at the start is garbage; the client turns it on again when it has moved in

import asyncio
import logging
import math
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

import discord

from bot import config
from bot.client import Caravanserai
from bot.errors import StartError
from bot.store import Store, opened

PULSE = 30.0
"""Seconds between two signs of life."""


def main() -> None:
    """Start, and explain in a sentence what prevents it."""
    try:
        settings = config.load(os.environ)
        _set_up_logging(settings.log_level)
        asyncio.run(_run(settings))
    except StartError as error:
        sys.exit(f"Caravanserai cannot start. {error}")
    except (KeyboardInterrupt, asyncio.CancelledError):
        pass


async def _run(settings: config.Config) -> None:
    running = asyncio.current_task()
    assert running is not None, "asyncio.run made one"
    with suppress(NotImplementedError):  # Windows has no such signals
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)
    async with opened(settings.database_url) as engine, Caravanserai(Store(engine), settings.data_dir) as client:
        pulse = asyncio.create_task(_pulse(client, settings.data_dir / "alive"))
        try:
            await client.start(settings.token)
        except discord.LoginFailure:
            raise StartError(
                "Discord does not accept the token. Get a new one on the Bot page of your application "
                "and put it into .env as DISCORD_TOKEN."
            ) from None
        finally:
            pulse.cancel()
        if client.trouble is not None:
            raise client.trouble


async def _pulse(client: discord.Client, sign: Path) -> None:
    """Touch a file while Discord is within reach: the sign of life that a container is watched by."""
    while True:
        if math.isfinite(client.latency):
            with suppress(OSError):
                await asyncio.to_thread(sign.touch)
        await asyncio.sleep(PULSE)


def _set_up_logging(level: str) -> None:
    logging.basicConfig(
        stream=sys.stderr,
        level=level,
        format="%(asctime)s %(levelname)s %(name)s %(message)s",
        datefmt="%Y-%m-%d %H:%M:%S",
    )
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # no voice here, so nothing is missing
    logging.getLogger("aiosqlite").setLevel(logging.INFO)  # below, it tells every parameter, seeds included
    if level != "DEBUG":
        for chatty in ("discord", "alembic"):
            logging.getLogger(chatty).setLevel(logging.WARNING)


if __name__ == "__main__":
    main()
