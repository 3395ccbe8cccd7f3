"""`python -m playground`: the page and the bot, ready to play. No token, no account, no network."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
import sys
import webbrowser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

import platformdirs

from playground.local import LocalDiscord
from playground.server import PortTaken, Server
from playground.snapshot import BrokenSnapshot, Snapshot
from playground.supervisor import BotSupervisor


class Companion(Protocol):
    """Work beside the bot for as long as the playground is open."""

    @property
    def environment(self) -> Mapping[str, str]:
        """Additional environment variables of the bot."""

    async def run(self, local: LocalDiscord, supervisor: BotSupervisor) -> None:
        """Work until canceled."""


def main(arguments: Sequence[str] | None = None, prog: str = "python -m playground") -> int:
    """Serve until Ctrl-C. Returns 1 if the port is taken."""
    return run(argument_parser(prog).parse_args(arguments))


def argument_parser(prog: str) -> argparse.ArgumentParser:
    """The parser of the options for `run`."""
    parser = argparse.ArgumentParser(prog=prog, description="Play Caravanserai in a local Discord.")
    parser.add_argument("--port", type=int, default=8765, help="where the page is served (default: 8765)")
    parser.add_argument("--data", type=Path, default=None, metavar="DIR", help="where games and chat are kept")
    parser.add_argument("--bot", default="bot", metavar="MODULE", help="the bot to run (default: bot)")
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser window")
    parser.add_argument("--no-bot", action="store_true", help="serve only; start the bot yourself")
    return parser


def default_data() -> Path:
    """The folder for games and chat, unless `--data` names another one."""
    return platformdirs.user_data_path("caravanserai-playground")


def run(options: argparse.Namespace, companion: Companion | None = None) -> int:
    """Serve until Ctrl-C. Returns 1 if the port is taken."""
    try:
        return asyncio.run(_serve(options, companion))
    # On Windows, where `_until_stopped` cannot handle signals.
    except KeyboardInterrupt:
        return 0


async def _serve(arguments: argparse.Namespace, companion: Companion | None) -> int:
    data: Path = (arguments.data or default_data()).resolve()
    local = LocalDiscord()
    snapshot = Snapshot(data, local.world, lambda: local.base_url)
    server = Server(local)
    try:
        address = await server.start(arguments.port)
    except PortTaken:
        _print_aside(
            f"Port {arguments.port} is taken, perhaps by another playground. "
            f"Choose another one: make play PORT={arguments.port + 5}"
        )
        return 1
    try:
        # After the port is known, since it is part of image URLs.
        snapshot.restore()
    except BrokenSnapshot as broken:
        _print_aside(str(broken))
    # Set after `restore`, since an earlier change would save the empty world over the old one.
    local.on_change = snapshot.note_change
    supervisor = _supervisor(
        arguments, address, local, {"DATA_DIR": str(data), **(companion.environment if companion else {})}
    )
    local.on_advance = supervisor.advance
    if not arguments.no_bot:
        supervisor.start()
    print(f"Caravanserai is open: {address}/", flush=True)
    if not arguments.no_browser:
        _open_browser(address)
    beside = asyncio.create_task(companion.run(local, supervisor)) if companion else None
    await _until_stopped()
    if beside is not None:
        beside.cancel()
    try:
        # The bot first, so that its last messages are saved too.
        await supervisor.stop()
    finally:
        local.on_change = lambda: None
        await snapshot.finish()
        await server.stop()
    return 0


def _supervisor(
    arguments: argparse.Namespace, address: str, local: LocalDiscord, env: Mapping[str, str]
) -> BotSupervisor:
    def report_end(sentence: str) -> None:
        _print_aside(sentence)
        local.explain_absence(sentence)

    return BotSupervisor(
        address,
        arguments.bot,
        token=local.token,
        env=env,
        log=Path(env["DATA_DIR"], "bot.log"),
        on_error=_print_aside,
        on_end=report_end,
        ahead=lambda: local.clock.ahead,
    )


def _print_aside(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def _open_browser(address: str) -> None:
    """Open the page if there is a display; never open a text browser in this terminal, never fail."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    with contextlib.suppress(webbrowser.Error, OSError):
        webbrowser.open(address)


async def _until_stopped() -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # on Windows, Ctrl-C arrives as KeyboardInterrupt instead
            loop.add_signal_handler(sign, stop.set)
    await stop.wait()


if __name__ == "__main__":
    sys.exit(main())
