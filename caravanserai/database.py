"""Database commands. Each raises `StartError` with a message if it fails."""

from __future__ import annotations

import asyncio
import os
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from bot import config
from bot.clock import Clock
from bot.errors import StartError
from bot.store import backup, copying, restoring
from bot.store.opening import open_database, place_of
from bot.store.ratings import Ratings
from bot.store.server_address import is_server
from bot.store.store import Store

PRIVATE = "It holds secrets: keep it to yourself."


def back_up(arguments: Sequence[str], prog: str) -> int:
    """`caravanserai backup TO`: copy an SQLite database to a new file."""
    parser = ArgumentParser(prog=prog, description="Copy an SQLite database to a new file. The bot may be running.")
    parser.add_argument("target", metavar="TO", help="a file that does not exist yet")
    parser.add_argument("--from", dest="source", default="", help=f"{PLACE}{DEFAULT}")
    options = parser.parse_args(arguments)
    if not options.target:
        raise StartError("Name the file to copy to.")
    backup.back_up(_file(options.source), Path(options.target))
    print(f"{options.target} is a sound copy of all games. {PRIVATE}")
    return 0


def restore(arguments: Sequence[str], prog: str) -> int:
    """`caravanserai restore FROM`: replace the database with a backup."""
    parser = ArgumentParser(prog=prog, description="Replace the database with a backup. The bot must not be running.")
    parser.add_argument("backup", metavar="FROM", type=Path, help="a file that `caravanserai backup` made")
    parser.add_argument("--to", dest="target", default="", help=f"{PLACE}{DEFAULT}")
    options = parser.parse_args(arguments)
    place = _file(options.target)
    replaced = restoring.restore(options.backup, place)
    print(f"{place} is restored. At the next start, the bot posts the boards of all running games again.")
    if replaced is not None:
        print(f"The database that was there is now {replaced}. {PRIVATE}")
    return 0


def repost(arguments: Sequence[str], prog: str) -> int:
    """`caravanserai repost`: make all boards due, as after `restore`."""
    description = (
        "Make the bot post the boards of all running games again at its next start. Use this after pg_restore or psql "
        "has restored a PostgreSQL database. The bot must not be running."
    )
    parser = ArgumentParser(prog=prog, description=description)
    parser.add_argument("address", nargs="?", default="", help=f"the address of the database{DEFAULT}")
    address = _address(parser.parse_args(arguments).address)
    print(f"Boards that the bot posts again at its next start: {asyncio.run(_repost(address))}.")
    return 0


async def _repost(address: str) -> int:
    async with open_database(address) as database:
        return await Store(database).resume_restored(Clock().now(), is_restored=True)


def copy(arguments: Sequence[str], prog: str) -> int:
    """`caravanserai copy FROM TO`: copy everything to another, empty database."""
    description = "Copy everything to an empty database, of SQLite or PostgreSQL. The bot must not be running."
    parser = ArgumentParser(prog=prog, description=description)
    parser.add_argument("source", metavar="FROM", help="the address of the database, as in DATABASE_URL")
    parser.add_argument("target", metavar="TO", help="the address of the empty database")
    options = parser.parse_args(arguments)
    counts = asyncio.run(_copy(options.source, options.target))
    for table, rows in counts.items():
        print(f"{rows:>10} {table}")
    print(f"{sum(counts.values()):>10} rows copied. Set DATABASE_URL to the second address.")
    return 0


async def _copy(source: str, target: str) -> dict[str, int]:
    counts = await copying.copy(source, target)
    async with open_database(target) as database:
        # Do this before the bot starts: with several processes, each would see only the matches of its own shards.
        await Store(database).resume_restored(Clock().now())
    return counts


def rate(arguments: Sequence[str], prog: str) -> int:
    """`caravanserai rate`: recompute all ratings and records from the results of rated games."""
    description = "Recompute all ratings and records from the results of rated games. The bot must not be running."
    parser = ArgumentParser(prog=prog, description=description)
    parser.add_argument("address", nargs="?", default="", help=f"the address of the database{DEFAULT}")
    address = _address(parser.parse_args(arguments).address)
    print(f"All ratings are recomputed, from {asyncio.run(_rate(address))} rated games.")
    return 0


async def _rate(address: str) -> int:
    async with open_database(address) as database:
        return await Ratings(database).compute()


PLACE = "the file of the database, or its address"
DEFAULT = " (default: that of the settings)"


def _address(address: str) -> str:
    return address or config.database_url(os.environ)


def _file(address: str) -> Path:
    """The database file, given its path, its address, or "" for the settings."""
    if address and "://" not in address and not is_server(address):
        return Path(address)
    return place_of(_address(address))
