"""Start an unchanged bot against a local Discord: `python -m playground.launch http://127.0.0.1:8765 bot`.

discord.py reads its addresses from class attributes, so they can be set before the bot's module runs. Only a
loopback address is accepted, and a token from the environment never gets through: nothing here can reach the
real Discord. With `--with-parent` the bot ends when the pipe at its standard input closes.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
import threading

import discord
import discord.asset
import discord.gateway
import yarl

from playground.wire import TOKEN, TOKEN_VARIABLE, is_loopback


def point_at(base: str) -> None:
    """Direct discord.py to `base`; raises ValueError unless that is an http address on loopback."""
    url = yarl.URL(base)
    if url.scheme != "http" or not is_loopback(url.host):
        raise ValueError(f"{base} is not an http address on this machine's loopback interface")
    root = base.rstrip("/")
    discord.http.Route.BASE = f"{root}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = url.with_scheme("ws").with_path("/gateway/")
    discord.asset.Asset.BASE = f"{root}/cdn"


def main(arguments: list[str]) -> None:
    """Run the module named after the base address."""
    with_parent = "--with-parent" in arguments
    rest = [argument for argument in arguments if argument != "--with-parent"]
    if len(rest) != 2:
        sys.exit("usage: python -m playground.launch <base> <module> [--with-parent]")
    base, module = rest
    try:
        point_at(base)
    except ValueError as error:
        sys.exit(str(error))
    # overwritten, not set if missing: a real token in the environment must never reach the bot
    os.environ["DISCORD_TOKEN"] = os.environ.pop(TOKEN_VARIABLE, TOKEN)
    if with_parent:
        threading.Thread(target=_end_with_parent, daemon=True).start()
    # so that the bot finds its own command line, not the launcher's
    sys.argv = [module]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def _end_with_parent() -> None:
    """Wait for the other end of the pipe to close, then ask this process to end."""
    # in a thread, and by `os.read`: the bot's own event loop knows nothing of this
    while os.read(0, 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main(sys.argv[1:])
