"""`caravanserai doctor`: check whether the bot would run well on this machine, without starting it."""

from __future__ import annotations

import asyncio
import base64
import binascii
import multiprocessing
import os
import re
import shutil
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path

import aiohttp
import discord

from bot import config
from bot.errors import StartError
from bot.features.admin.installation import PRERENDERED
from bot.store.file_systems import ADVICE, network_file_system
from bot.store.inspection import describe
from engine.games import discover_all
from engine.values import Value
from renders.lettering import NOTO

MIN_FREE_BYTES = 100 * 2**20

MAX_SKEW = 30.0
"""Maximum difference between this machine's clock and Discord's, in seconds."""

TIMEOUT = 5.0
"""Timeout of the request to Discord, in seconds."""

FONT_PACKAGES = sorted({"font_source_sans_pro", "font_source_serif_pro", *(package for package, _ in NOTO.values())})


class Result(StrEnum):
    """Result of a check, as printed."""

    GOOD = "ok"
    WARNING = "warning"
    BAD = "FAULT"
    UNKNOWN = "not checked"


class Finding(Value):
    """Result of a check, with a sentence for the operator."""

    result: Result
    sentence: str


def main(arguments: Sequence[str] | None = None, prog: str = "caravanserai doctor") -> int:
    """Print a line for each check. Returns 1 if the bot could not run well, else 0."""
    description = "Check the settings and this machine. Nothing is changed, and the bot may run meanwhile."
    ArgumentParser(prog=prog, description=description).parse_args(arguments)
    findings = list(examine())
    for finding in findings:
        print(f"{finding.result:>11}  {finding.sentence}")
    return int(any(finding.result is Result.BAD for finding in findings))


def examine() -> Iterator[Finding]:
    """Run all checks."""
    yield from _check_settings()
    yield from _check_games()
    yield from map(_run_check, (_check_fonts, _check_drawings, _check_shared_memory, _check_clock))


def _run_check(check: Callable[[], Finding]) -> Finding:
    try:
        return check()
    except StartError as error:
        return Finding(Result.BAD, str(error))


def _check_settings() -> Iterator[Finding]:
    try:
        settings = config.load(os.environ)
    except StartError as error:
        yield Finding(Result.BAD, str(error))
        yield Finding(Result.UNKNOWN, "The token, the data folder and the database: the settings come first.")
        return
    yield Finding(Result.GOOD, "The settings can be read.")
    yield _check_token(settings.token)
    yield _check_folder(settings.data_dir)
    yield _run_check(lambda: Finding(Result.GOOD, describe(settings.database_url)))


def _check_token(token: str) -> Finding:
    """Check the form of a token: a user id in base64, a timestamp and a signature. Only Discord can validate it."""
    user, *rest = token.split(".")
    try:
        user_id = base64.urlsafe_b64decode(user + "=" * (-len(user) % 4)).decode()
    except (binascii.Error, UnicodeDecodeError):
        user_id = ""
    if len(rest) != 2 or not re.fullmatch(r"\d{17,20}", user_id):
        sentence = "DISCORD_TOKEN does not have the form of a bot’s token: three parts with dots in between."
        return Finding(Result.BAD, f"{sentence} Copy it from the Bot page of your application.")
    return Finding(Result.GOOD, "The token has the right form. Whether Discord accepts it shows at the start.")


def _check_folder(folder: Path) -> Finding:
    """Check that the data folder, or the closest existing parent, is writable."""
    place = folder
    while not os.path.exists(place) and place != place.parent:
        place = place.parent
    try:
        with tempfile.TemporaryFile(dir=place):
            free = shutil.disk_usage(place).free
    except OSError as error:
        return Finding(Result.BAD, f"DATA_DIR, {folder}, cannot be written: {error.strerror}. Check who owns it.")
    if kind := network_file_system(folder):
        return Finding(Result.BAD, f"DATA_DIR, {folder}, is on a network file system ({kind}). {ADVICE}")
    if free < MIN_FREE_BYTES:
        return Finding(Result.BAD, f"The disk of DATA_DIR, {folder}, is almost full: {free // 2**20} MB are free.")
    return Finding(Result.GOOD, f"DATA_DIR, {folder}, can be written.")


def _check_games() -> Iterator[Finding]:
    """Report the games of installed packages, and problems with them."""
    discovery = discover_all()
    packages = sorted(
        f"{source.slug} of {source.package} ({discovery.games[source.slug].grade or 'no grade'})"
        for source in discovery.sources.values()
        if source.package
    )
    added = f", {len(packages)} of them from packages: {', '.join(packages)}" if packages else ""
    yield Finding(Result.GOOD, f"{len(discovery.games)} games are there{added}.")
    yield from (Finding(Result.WARNING, problem) for problem in discovery.problems)


def _check_fonts() -> Finding:
    if missing := [package for package in FONT_PACKAGES if find_spec(package) is None]:
        return Finding(Result.BAD, f"Fonts are missing: {', '.join(missing)}. Install the program again.")
    return Finding(Result.GOOD, "All fonts are there.")


def _check_drawings() -> Finding:
    if any(PRERENDERED.glob("*.png")):
        return Finding(Result.GOOD, "The drawings are prerendered.")
    return Finding(Result.WARNING, "No drawings are prerendered, so the first pictures take longer: see the README.")


def _check_shared_memory() -> Finding:
    """Check for semaphores, which worker processes need and Linux keeps in /dev/shm."""
    try:
        multiprocessing.get_context("spawn").Lock()
    except OSError as error:
        reason = f"Shared memory cannot be used ({error.strerror}), and computers need it to think."
        return Finding(Result.BAD, f"{reason} Mount /dev/shm so that this user can write to it.")
    return Finding(Result.GOOD, "Shared memory can be used.")


def _check_clock() -> Finding:
    try:
        skew = asyncio.run(_measure_skew())
    except (aiohttp.ClientError, OSError, ValueError):
        return Finding(Result.UNKNOWN, "The clock: Discord cannot be reached from here.")
    if abs(skew) > MAX_SKEW:
        sentence = f"The clock of this machine is {abs(skew):.0f} s {'ahead of' if skew > 0 else 'behind'} Discord’s."
        return Finding(Result.BAD, f"{sentence} Set it, and switch on its synchronization.")
    return Finding(Result.GOOD, "The clock agrees with Discord’s.")


async def _measure_skew() -> float:
    """Seconds by which this machine is ahead of the Discord server. Raises `ValueError` for a reply without a date."""
    timeout = aiohttp.ClientTimeout(total=TIMEOUT)
    async with (
        aiohttp.ClientSession(timeout=timeout) as session,
        session.get(f"{discord.http.Route.BASE}/gateway") as response,
    ):
        return (datetime.now(UTC) - parsedate_to_datetime(response.headers.get("Date", ""))).total_seconds()
