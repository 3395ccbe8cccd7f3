"""What is in the log, and what never is: tokens, seeds, and what only one person may see."""

from __future__ import annotations

import json
import logging
import re
import sys
from datetime import UTC, datetime

import discord

from bot.connection import OUTAGES
from bot.errors import TROUBLE, reason
from bot.interactions.refusals import Code, code_of, is_expired
from bot.interactions.responses import WORKING_ON

REVEALING = ("aiosqlite", "discord.gateway", "discord.http", "discord.webhook")
"""Loggers that at DEBUG repeat all that comes and goes: seeds, hands, the tokens of interactions."""

CHATTY = ("discord",)
"""Loggers whose INFO is of no use to a host."""

_TOKEN = re.compile(r"(/(?:interactions|webhooks)/\d+/)[^/?\s'\"]+")


def set_up(level: str, form: str = "text") -> None:
    """Write to the standard error what is at least of this level; `form` is text for people or json for machines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(FORMATS[form])
    logging.basicConfig(level=level, handlers=[handler])
    debugging = level == "DEBUG"
    least = logging.INFO if debugging else max(logging.WARNING, logging.getLevelNamesMapping()[level])
    for name in REVEALING if debugging else REVEALING + CHATTY:
        logging.getLogger(name).setLevel(least)
    logging.getLogger("discord.shard").addFilter(brief)
    logging.getLogger("discord.app_commands.tree").addFilter(matters)
    # discord.py logs unknown kinds of channels by the root logger
    for quoting in (logging.getLogger("discord.gateway"), logging.getLogger()):
        quoting.addFilter(quotes_nothing)
    # no voice here, so nothing is missing
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False


class RedactingFormatter(logging.Formatter):
    """Leaves out the tokens of interactions: an error of the network quotes the address, which holds one.

    A line that is about an interaction has its number, which is what a player is asked to report.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The record with its traceback."""
        record.number = f" #{number}" if (number := WORKING_ON.get()) else ""
        return _TOKEN.sub(r"\1…", super().format(record))


class JsonFormatter(RedactingFormatter):
    """The same as a line of JSON: `time` (UTC), `level`, `logger`, `interaction` or null, `message`."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as an object of JSON."""
        return json.dumps(
            {
                "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
                "level": record.levelname,
                "logger": record.name,
                "interaction": WORKING_ON.get(),
                "message": super().format(record),
            },
            ensure_ascii=False,
        )


FORMATS = {
    "text": RedactingFormatter("%(asctime)s %(levelname)s %(name)s%(number)s %(message)s", "%Y-%m-%d %H:%M:%S"),
    "json": JsonFormatter("%(message)s"),
}
"""LOG_FORMAT -> how a line is written."""


def brief(record: logging.LogRecord) -> bool:
    """Log an outage in one line: discord.py, which tries again by itself, logs each attempt with a traceback."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, (*OUTAGES, discord.ConnectionClosed)):
        record.msg, record.args, record.exc_info = f"{record.getMessage()} ({reason(error)})", None, None
        record.levelno, record.levelname = logging.WARNING, "WARNING"
    return True


def quotes_nothing(record: logging.LogRecord) -> bool:
    """Leave out the lines in which discord.py quotes an unknown value from Discord, which it ignores."""
    return not str(record.msg).startswith(("Unknown OP code", "Unknown channel type"))


def matters(record: logging.LogRecord) -> bool:
    """Leave out suggestions that did not arrive, which discord.py logs with a traceback: typing on brings others.

    What is wrong with them, and what fails in making them, is logged.
    """
    error = record.exc_info[1] if record.exc_info else None
    if not record.getMessage().startswith("Ignoring exception in autocomplete"):
        return True
    if isinstance(error, discord.HTTPException):
        return error.status < 500 and not is_expired(error) and code_of(error) != Code.UNKNOWN_MESSAGE
    # aiohttp raises a plain `RuntimeError` with this text once the bot has closed its session
    return not (isinstance(error, TROUBLE) or str(error) == "Session is closed")
