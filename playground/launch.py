"""Start an unchanged bot against a local Discord: `python -m playground.launch http://127.0.0.1:8765 bot`.

discord.py reads its addresses from class attributes, which are set here before the bot's module runs. Only a loopback
address is accepted, and a token in the environment is never passed on, so the bot cannot reach the real Discord. With
`--with-parent`, the bot ends when the pipe at its standard input closes; until then, each input line is a number of
seconds by which to advance its clock.
"""

from __future__ import annotations

import argparse
import os
import runpy
import signal
import sys
import threading

import discord
import discord.asset
import discord.gateway
import yarl

from playground.time_travel import TravelClock
from playground.wire import TOKEN, TOKEN_VARIABLE, is_loopback


def point_at(base: str) -> None:
    """Direct discord.py to `base`. Raises ValueError unless it is an http address on loopback."""
    url = yarl.URL(base)
    if url.scheme != "http" or not is_loopback(url.host):
        raise ValueError(f"{base} is not an http address on this machine's loopback interface")
    root = base.rstrip("/")
    discord.http.Route.BASE = f"{root}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = url.with_scheme("ws").with_path("/gateway/")
    discord.asset.Asset.BASE = f"{root}/cdn"


def main(arguments: list[str]) -> None:
    """Run the bot's module against the given address."""
    parser = argparse.ArgumentParser(prog="python -m playground.launch", description="Start a bot in a local Discord.")
    parser.add_argument("base", help="where the local Discord is, such as http://127.0.0.1:8765")
    parser.add_argument("module", help="the bot to run, such as bot")
    parser.add_argument("--with-parent", action="store_true", help="end when the standard input closes")
    parser.add_argument("--ahead", type=float, default=0.0, metavar="SECONDS", help="how far ahead its clock is")
    options = parser.parse_args(arguments)
    try:
        point_at(options.base)
    except ValueError as error:
        sys.exit(str(error))
    # always overwritten: a real token in the environment must never reach the bot
    os.environ["DISCORD_TOKEN"] = os.environ.pop(TOKEN_VARIABLE, TOKEN)
    clock = TravelClock(options.ahead)
    clock.install(options.module)
    if options.with_parent:
        threading.Thread(target=_follow_parent, args=(clock,), daemon=True).start()
    # The bot must see its own command line, not the launcher's.
    sys.argv = [options.module]
    runpy.run_module(options.module, run_name="__main__", alter_sys=True)


def _follow_parent(clock: TravelClock) -> None:
    """Advance the clock by each number from the pipe. When the pipe closes, send SIGTERM to this process."""
    # A thread, since the bot's event loop is not under our control.
    with open(0, closefd=False) as orders:
        for seconds in orders:
            clock.advance(float(seconds))
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main(sys.argv[1:])
