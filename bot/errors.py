"""What the bot tells people when something cannot be done, and what may go wrong on the way to Discord."""

from __future__ import annotations

import linecache
import traceback
from pathlib import Path

import aiohttp
import discord

from engine.texts import Text

TROUBLE = (discord.HTTPException, OSError, aiohttp.ClientError)
"""What a request to Discord fails with; a time limit of ours is an `OSError` too."""


class UserError(Exception):
    """Something a person asked for that is not possible; `text` is the answer, shown to that person only."""

    def __init__(self, text: Text) -> None:
        super().__init__(text)
        self.text = text


class AlreadyHandled(Exception):
    """An interaction that was carried out before; there is nothing to answer."""


class ShuttingDown(ConnectionError):
    """The bot is leaving, and what this would take is gone already."""


class Unheard(ConnectionError):
    """An answer that nobody waits for any more: it comes too late, or its private message was dismissed."""


class UnreadableData(ConnectionError):
    """Data from Discord that cannot be read. The message names a place in the code, and no value from the data."""


class StartError(Exception):
    """A reason not to start at all: a sentence for the operator."""


class StopError(Exception):
    """A reason not to go on: a sentence for the operator."""


def reason(error: BaseException | None) -> str:
    """What went wrong on the way to Discord, in a few words; the text of a server's error may be a whole page."""
    if isinstance(error, discord.HTTPException):
        # discord.py: 0 where the answer was no JSON, as a page of Cloudflare's
        what = f" ({error.code}, {' '.join(error.text.split())[:200]})" if error.code else ""
        return f"{error.status} {error.response.reason}{what}"
    return str(error) if error and str(error) else "no answer"


def outline(error: BaseException) -> str:
    """The traceback of an error and of those it came from, without their messages: these may quote a hand."""
    earlier, frames = error.__cause__ or error.__context__, traceback.format_tb(error.__traceback__)
    own = "".join([*frames, type(error).__name__])
    return f"{outline(earlier)}\n{own}" if earlier else own


def place_of(error: BaseException) -> str:
    """The type of an error and the line of code that raised it, with the missing field if the code names it.

    The message of the error is left out, since it may quote a value: a name, a hand, a token.
    """
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return type(error).__name__
    frame = frames[-1]
    return f"{type(error).__name__}{_missing_field(error, frame)} at {Path(frame.filename).name}:{frame.lineno}"


def _missing_field(error: BaseException, frame: traceback.FrameSummary) -> str:
    """The key of a `KeyError`, if the failing line contains it as a literal: then it is not a value from outside."""
    key = error.args[0] if isinstance(error, KeyError) and error.args else None
    line = linecache.getline(frame.filename, frame.lineno or 0)
    if isinstance(key, str) and (f"['{key}']" in line or f'["{key}"]' in line):
        return f" {key!r}"
    return ""
