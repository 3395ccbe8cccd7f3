"""The log: its formats, and filters that keep tokens, seeds and hands out of it."""

from __future__ import annotations

import json
import logging
import re
import sys
import traceback
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, TextIO

import discord

from bot.connection import OUTAGES
from bot.errors import DISCORD_ERRORS, outline, reason
from bot.interactions.refusals import Code, code_of, is_expired
from bot.interactions.responses import WORKING_ON

REVEALING = ("aiosqlite", "discord.gateway", "discord.http", "discord.webhook")
"""Loggers that quote all data at DEBUG: seeds, hands, the tokens of interactions."""

CHATTY = ("discord",)
"""Loggers whose INFO lines are useless to a host."""

NETWORK_ERRORS = (*OUTAGES, discord.ConnectionClosed)
"""Errors of the connection to Discord."""

_TOKEN = re.compile(r"(/(?:interactions|webhooks)/\d+/)[^/?\s'\"]+")


def set_up(level: str, form: str = "text") -> None:
    """Write lines of at least this level to the standard error; `form` is `text` or `json`."""
    debugging = level == "DEBUG"
    handler = _Handler(sys.stderr)
    handler.setFormatter(FORMATS[form])
    handler.addFilter(brief if not debugging else with_traceback)
    logging.basicConfig(level=level, handlers=[handler])
    least = logging.INFO if debugging else max(logging.WARNING, logging.getLevelNamesMapping()[level])
    for name in REVEALING if debugging else REVEALING + CHATTY:
        logging.getLogger(name).setLevel(least)
    logging.getLogger("discord.app_commands.tree").addFilter(matters)
    # discord.py logs unknown kinds of channels with the root logger
    for logger in (logging.getLogger("discord.gateway"), logging.getLogger()):
        logger.addFilter(quotes_nothing)
    # the bot has no voice features, so their missing libraries are fine
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False


class RedactingFormatter(logging.Formatter):
    """Removes the tokens of interactions, which network errors quote with the address of a request.

    A line about an interaction has its number, which players are asked to report.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Format a record with its traceback."""
        record.number = f" #{number}" if (number := WORKING_ON.get()) else ""
        return _TOKEN.sub(r"\1…", super().format(record))

    def formatException(self, ei: Any) -> str:
        """Format a traceback, without messages if it has a network error."""
        if any(isinstance(error, NETWORK_ERRORS) for error in _chain(ei[1])):
            return outline(ei[1])
        return super().formatException(ei)


class JsonFormatter(RedactingFormatter):
    """A line of JSON: `time` (UTC), `level`, `logger`, `interaction` (id or null), `message`."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record as a JSON object."""
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
"""LOG_FORMAT -> the formatter of lines."""


class _Handler(logging.StreamHandler[TextIO]):
    """Writes to a stream."""

    def handleError(self, record: logging.LogRecord) -> None:
        """Report a line that could not be formatted, without its arguments, which may come from Discord."""
        # logging must never raise, and a failure to write this line has nowhere to go
        with suppress(Exception):
            self.stream.write(f"ERROR bot.logs a line of {record.name} could not be formatted ({record.lineno})\n")


def brief(record: logging.LogRecord) -> bool:
    """Log a network error in one line, without its message, which may quote an answer, and so a hand."""
    if (error := _network_error(record)) is not None:
        _shorten(record, _summary(error))
    return True


def quotes_nothing(record: logging.LogRecord) -> bool:
    """Drop lines in which discord.py quotes an unknown value from Discord."""
    return not str(record.msg).startswith(("Unknown OP code", "Unknown channel type"))


def with_traceback(record: logging.LogRecord) -> bool:
    """Like `brief`, with the traceback below, for debugging."""
    if (error := _network_error(record)) is not None:
        _shorten(record, _summary(error), outline(error))
    return True


def _shorten(record: logging.LogRecord, *details: str) -> None:
    """Replace a traceback with details."""
    # asyncio puts the error into the second line of its message
    first_line = record.getMessage().partition("\n")[0]
    summary, *more = details
    record.msg, record.args = "\n".join([f"{first_line} ({summary})", *more]), None
    record.exc_info = record.exc_text = None
    # discord.py retries by itself, or goes on with the next event
    if record.name.startswith("discord") and record.levelno > logging.WARNING:
        record.levelno, record.levelname = logging.WARNING, "WARNING"


def _network_error(record: logging.LogRecord) -> BaseException | None:
    """The error of a record, if it is a network error, or if discord.py raised it while reading data."""
    error = record.exc_info[1] if record.exc_info else None
    if error is None or isinstance(error, NETWORK_ERRORS):
        return error
    modules = {name.partition(".")[0] for name in _modules_of(_root(error))}
    # our own bugs have a function of ours in their traceback
    return error if modules & {"discord", "aiohttp"} and not modules & {"bot", "engine", "renders"} else None


def _chain(error: BaseException) -> Iterator[BaseException]:
    """An error and its causes."""
    earlier: BaseException | None = error
    while earlier is not None:
        yield earlier
        earlier = earlier.__cause__ or earlier.__context__


def _root(error: BaseException) -> BaseException:
    """The first error of a chain: discord.py wraps errors of commands in one of its own."""
    return [*_chain(error)][-1]


def _modules_of(error: BaseException) -> list[str]:
    """The modules of the functions through which an error has passed."""
    return [str(frame.f_globals.get("__name__", "")) for frame, _ in traceback.walk_tb(error.__traceback__)]


def _summary(error: BaseException) -> str:
    """The reason of a network error; for other errors, the type and the function that raised it."""
    if isinstance(error, NETWORK_ERRORS):
        return reason(error)
    root = _root(error)
    *_, (frame, line) = traceback.walk_tb(root.__traceback__)
    return f"{type(root).__name__} in {frame.f_code.co_qualname}, line {line}"


def matters(record: logging.LogRecord) -> bool:
    """Drop errors of suggestions that did not arrive: further typing causes new ones.

    Invalid suggestions, and bugs in making them, are logged.
    """
    error = record.exc_info[1] if record.exc_info else None
    if not record.getMessage().startswith("Ignoring exception in autocomplete"):
        return True
    if isinstance(error, discord.HTTPException):
        return error.status < 500 and not is_expired(error) and code_of(error) != Code.UNKNOWN_MESSAGE
    # aiohttp raises a plain `RuntimeError` with this text once the bot has closed its session
    return not (isinstance(error, DISCORD_ERRORS) or str(error) == "Session is closed")
