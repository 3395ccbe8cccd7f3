"""`python -m bot.store copy FROM TO`: what a host does with a database while the bot does not run."""

from __future__ import annotations

import argparse
import asyncio
import sys

from bot.errors import StartError
from bot.store.copying import copy


def main() -> None:
    """Do it, and say how it went."""
    parser = argparse.ArgumentParser(prog="python -m bot.store", description=__doc__)
    commands = parser.add_subparsers(required=True)
    copying = commands.add_parser("copy", help="copy everything to another database, which is empty")
    for name in ("FROM", "TO"):
        copying.add_argument(name, help="an address as in DATABASE_URL")
    copying.set_defaults(do=_copy)
    given = parser.parse_args()
    try:
        given.do(given)
    except StartError as error:
        sys.exit(str(error))


def _copy(given: argparse.Namespace) -> None:
    copied = asyncio.run(copy(given.FROM, given.TO))
    for table, rows in copied.items():
        print(f"{rows:>10} {table}")
    print(f"{sum(copied.values()):>10} rows copied. Set DATABASE_URL to the second address, and start the bot.")


if __name__ == "__main__":
    main()
