"""`python -m bot.store`: what the host does with a database from outside the bot."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from bot.errors import StartError
from bot.store.backup import back_up
from bot.store.copying import copy
from bot.store.opening import opened, place_of
from bot.store.ratings import Ratings


def main() -> None:
    """Do what was asked for, or say in a sentence why not."""
    asked = _parser().parse_args()
    try:
        print(asyncio.run(asked.do(asked)))
    except StartError as error:
        sys.exit(str(error))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bot.store", description="Look after the database of the bot.")
    tasks = parser.add_subparsers(required=True)
    backup = tasks.add_parser("backup", help="copy a database to a new file, also while the bot runs")
    backup.add_argument("source", metavar="FROM", help="the file of the database, or its address")
    backup.add_argument("target", metavar="TO", help="a file that does not exist yet")
    backup.set_defaults(do=_backup)
    moving = tasks.add_parser("copy", help="copy everything to another database, which is empty; the bot must not run")
    moving.add_argument("source", metavar="FROM", help="its address, as in DATABASE_URL")
    moving.add_argument("target", metavar="TO", help="the address of the other one")
    moving.set_defaults(do=_copy)
    rating = tasks.add_parser("rate", help="compute all ratings and records anew; the bot must not run")
    rating.add_argument("source", metavar="FROM", help="the address of the database, as in DATABASE_URL")
    rating.set_defaults(do=_rate)
    return parser


async def _backup(asked: argparse.Namespace) -> str:
    if not asked.target:  # as `make backup` gives it without TO
        raise StartError("Name the file to copy to: make backup TO=games.db")
    if not asked.source:
        raise StartError("Name the database to copy.")
    back_up(place_of(asked.source) if "://" in asked.source else Path(asked.source), Path(asked.target))
    return f"{asked.target} is a sound copy of all games. It holds secrets: keep it to yourself."


async def _copy(asked: argparse.Namespace) -> str:
    copied = await copy(asked.source, asked.target)
    lines = [f"{rows:>10} {table}" for table, rows in copied.items()]
    return "\n".join([*lines, f"{sum(copied.values()):>10} rows copied. Set DATABASE_URL to the second address."])


async def _rate(asked: argparse.Namespace) -> str:
    async with opened(asked.source) as database:
        return f"All ratings are computed anew, from {await Ratings(database).compute()} rated games."


if __name__ == "__main__":
    main()
