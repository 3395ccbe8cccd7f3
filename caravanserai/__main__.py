"""`caravanserai`, or `python -m caravanserai`: one command for all tasks of an operator."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module

from bot.start_error import StartError
from bot.version import current_version
from engine.values import Value

Run = Callable[[Sequence[str], str], int | None]
"""A command's function: takes the arguments and the program name for `--help`, returns the exit status (`None` is 0).

Raises `StartError` with a message for the operator.
"""


class Command(Value):
    """A command: a function, and its module, which is imported only when the command runs.

    With `draws`, missing drawings are made first, at the first use of an installation.
    """

    summary: str
    module: str
    function: str = "main"
    draws: bool = False

    def load(self) -> Run:
        """Import the module and return the function."""
        run: Run = getattr(import_module(self.module), self.function)
        return run


COMMANDS: Mapping[str, Command] = {
    "run": Command("run the bot on Discord", "bot.__main__", draws=True),
    "play": Command("run the bot in a local Discord: no token, no account", "caravanserai.playing", draws=True),
    "doctor": Command("check the settings and this machine", "caravanserai.doctor"),
    "backup": Command("copy the database to a file; the bot may be running", "caravanserai.database", "back_up"),
    "restore": Command("replace the database with a backup", "caravanserai.database", "restore"),
    "repost": Command("post all boards again after restoring a PostgreSQL database", "caravanserai.database", "repost"),
    "copy": Command("copy everything to another database", "caravanserai.database", "copy"),
    "rate": Command("recompute all ratings and records", "caravanserai.database", "rate"),
    "new-game": Command("write a package with a small game to start from", "kit.new_game"),
    "check": Command("check an installed game: contract, speed, pictures, languages", "kit.report"),
    "verify": Command("check the luck of an exported match", "engine.verify"),
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command. Exits with its status if that is not 0, or with the message of a `StartError`."""
    options, rest = _parser().parse_known_args(sys.argv[1:] if arguments is None else arguments)
    command = COMMANDS[options.command]
    if command.draws and not {"-h", "--help"} & set(rest):
        from caravanserai import drawings

        drawings.prepare()
    try:
        run = command.load()
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "playground":
            raise
        sys.exit("The local Discord is not part of this installation.")
    try:
        if status := run(rest, f"caravanserai {options.command}"):
            sys.exit(status)
    except StartError as error:
        sys.exit(str(error))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="caravanserai", description="Board games in Discord channels.")
    parser.add_argument("--version", action="version", version=f"%(prog)s {current_version()}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, command in COMMANDS.items():
        # each command parses its own arguments, including `--help`
        commands.add_parser(name, help=command.summary, add_help=False, prefix_chars="\0")
    return parser


if __name__ == "__main__":
    main()
