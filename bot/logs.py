"""What stands in the log, and what never does: tokens, seeds, and what only one person may see."""

from __future__ import annotations

import logging
import re
import sys

import discord

from bot.connection import OUTAGES
from bot.errors import reason

TELLTALES = ("aiosqlite", "discord.gateway", "discord.http", "discord.webhook")
"""Loggers that at DEBUG repeat all that comes and goes: seeds, hands, the tokens of interactions."""

CHATTY = ("alembic", "discord")
"""Loggers whose INFO is of no use to a host."""

_PASS = re.compile(r"(/(?:interactions|webhooks)/\d+/)[^/?\s'\"]+")


def set_up(level: str) -> None:
    """Write to the standard error what is at least of this level."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Discreet("%(asctime)s %(levelname)s %(name)s %(message)s", "%Y-%m-%d %H:%M:%S"))
    logging.basicConfig(level=level, handlers=[handler])
    debugging = level == "DEBUG"
    least = logging.INFO if debugging else max(logging.WARNING, logging.getLevelNamesMapping()[level])
    for name in TELLTALES if debugging else TELLTALES + CHATTY:
        logging.getLogger(name).setLevel(least)
    logging.getLogger("discord.shard").addFilter(brief)
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # no voice here, so nothing is missing


class Discreet(logging.Formatter):
    """Leaves out the tokens of interactions: an error of the network quotes the address, which holds one."""

    def format(self, record: logging.LogRecord) -> str:
        """The record with its traceback."""
        return _PASS.sub(r"\1…", super().format(record))


def brief(record: logging.LogRecord) -> bool:
    """Tell an outage in a line: discord.py, which tries again by itself, tells each try with a traceback."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, (*OUTAGES, discord.ConnectionClosed)):
        record.msg, record.args, record.exc_info = f"{record.getMessage()} ({reason(error)})", None, None
        record.levelno, record.levelname = logging.WARNING, "WARNING"
    return True
