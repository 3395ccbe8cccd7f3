"""Errors: refusals with a text for the user, and failures of requests to Discord."""

from __future__ import annotations

import linecache
import os
import re
import traceback
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

import aiohttp
import discord

from bot.start_error import StartError as StartError
from engine.texts import Text

DISCORD_ERRORS = (discord.HTTPException, OSError, aiohttp.ClientError)
"""The errors of a request to Discord; our timeouts and `UnreadableAnswer` are `OSError`s, too."""

INVALID_FORM = 50035
"""Discord's code for a request with fields that it does not accept."""

MAX_FIELDS = 3
"""Form fields that a line of the log names at most."""


class UserError(Exception):
    """A refusal of a user's request; `text` is the answer, shown to that user only."""

    def __init__(self, text: Text) -> None:
        super().__init__(text)
        self.text = text


class GameFault(UserError):
    """The code of a package's game has failed. The text is an apology without names of seats; the log has a line.

    `held_up_others`: it was an endless loop on the thread of the event loop.
    """

    held_up_others = False


class NonsenseError(Exception):
    """The code of a game has returned an impossible value. The message names the value, and quotes nothing of it."""


class GameStuck(BaseException):
    """The watchdog has ended an endless loop in the code of a game.

    Not an `Exception`, so that the code of the game is unlikely to catch it.
    """


class LoopStuck(GameStuck):
    """Like `GameStuck`, on the thread of the event loop, where it has held up all tables."""


class AlreadyHandled(Exception):
    """The interaction was handled before, and needs no answer."""


class QuestionAsked(Exception):
    """The user was asked to confirm the request, which ends the handler."""


class ShuttingDown(ConnectionError):
    """The bot is stopping, and a needed resource is closed already."""


class InteractionExpired(ConnectionError):
    """Discord no longer accepts an answer: it comes too late, or the user has dismissed its private message."""


class UnreadableData(ConnectionError):
    """Data from Discord that cannot be read. The message names a place in the code, never a value from the data."""


class UnreadableAnswer(UnreadableData):
    """The answer to a request cannot be read: the request may have taken effect.

    `status` is the HTTP status, 0 without one. `answer` is the parsed body if it is JSON; it may contain secrets, so it
    is not part of the text.
    """

    def __init__(self, status: int, problem: str, answer: object = None) -> None:
        super().__init__(f"unreadable answer ({status or 'no status'}, {problem})")
        self.status = status
        self.answer = answer

    @property
    def is_success(self) -> bool:
        """Whether the status says that the request has taken effect."""
        return 200 <= self.status < 300

    def object_id(self, *path: str) -> int | None:
        """The id of the created object, if it can be read; `path` leads to that object in the answer."""
        value = self.answer if self.is_success else None
        for key in (*path, "id"):
            value = value.get(key) if isinstance(value, dict) else None
        # Discord: ids are numbers of up to 64 bits, written as strings
        return int(value) if isinstance(value, str) and _ID.fullmatch(value) else None


_ID = re.compile(r"[1-9][0-9]{0,18}")


class StopError(Exception):
    """The bot has to stop; the message is a sentence for the operator."""


def reason(error: BaseException | None) -> str:
    """A short description of an error of a request: type, status and code, never a text from outside."""
    if isinstance(error, discord.HTTPException):
        status = " ".join(filter(None, (str(error.status), _PHRASES.get(error.status))))
        code = error.code if isinstance(error.code, int) else 0
        # discord.py: 0 if the answer was not JSON, for example an error page of a proxy
        return f"{status} ({', '.join([str(code), *_details(error, code)])})" if code else status
    if isinstance(error, aiohttp.ClientConnectorError):
        return f"Cannot connect to host {error.host}:{error.port}{_system_error(error)}"
    if error is None or type(error) is TimeoutError:
        return "no answer"
    # a `UserError` is for its user alone
    is_ours = type(error).__module__.startswith("bot.") and not isinstance(error, UserError)
    return str(error) if is_ours and str(error) else f"{type(error).__name__}{_system_error(error)}"


_PHRASES = {status.value: status.phrase for status in HTTPStatus}

_CODES = {
    10003: "Unknown Channel",
    10004: "Unknown Guild",
    10007: "Unknown Member",
    10008: "Unknown Message",
    10013: "Unknown User",
    10015: "Unknown Webhook",
    10062: "Unknown interaction",
    20016: "Slowmode",
    20028: "Rate limited in this channel",
    30046: "Too many edits of an old message",
    40005: "Request entity too large",
    40060: "Interaction already acknowledged",
    40333: "Internal network error",
    50001: "Missing Access",
    50006: "Empty message",
    50007: "Cannot send messages to this user",
    50013: "Missing Permissions",
    50027: "Invalid Webhook Token",
    50035: "Invalid Form Body",
    50083: "Thread is archived",
    160004: "Message already has a thread",
    160005: "Thread is locked",
}
"""Discord's codes with its own wording, not quoted from the answer: a proxy or a bug may put anything there."""

_FIELD = re.compile(r"^In ([a-z0-9_]{1,20}(?:\.[a-z0-9_]{1,20}){0,12}):", re.MULTILINE)
"""The path of a form field in an error of discord.py; the text after it may quote the value."""


def _details(error: discord.HTTPException, code: int) -> Iterator[str]:
    """The meaning of a code, and the invalid form fields."""
    if meaning := _CODES.get(code):
        yield meaning
    if code == INVALID_FORM and isinstance(error.text, str):
        yield from _FIELD.findall(error.text)[:MAX_FIELDS]


def _system_error(error: BaseException) -> str:
    """The system's description of an error, if it has a number."""
    number = error.errno if isinstance(error, OSError) else None
    return f" ({os.strerror(number)})" if isinstance(number, int) and number > 0 else ""


def is_refused(error: BaseException) -> bool:
    """Whether a request has certainly had no effect: only a 4xx guarantees that, except 408, a timeout of a proxy."""
    return isinstance(error, discord.HTTPException) and 400 <= error.status < 500 and error.status != 408


def outline(error: BaseException) -> str:
    """The traceback of an error and its causes, without their messages, which may quote a hand."""
    earlier, frames = error.__cause__ or error.__context__, traceback.format_tb(error.__traceback__)
    own = "".join([*frames, type(error).__name__])
    return f"{outline(earlier)}\n{own}" if earlier else own


def place_of(error: BaseException) -> str:
    """The type of an error and the line of code that raised it, with the missing field if the code names it.

    The error's message is left out, since it may quote a value: a name, a hand, a token.
    """
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return type(error).__name__
    frame = frames[-1]
    return f"{type(error).__name__}{_missing_field(error, frame)} at {Path(frame.filename).name}:{frame.lineno}"


def _missing_field(error: BaseException, frame: traceback.FrameSummary) -> str:
    """The key of a `KeyError`, if the failing line contains it as a literal, so that it cannot come from outside."""
    key = error.args[0] if isinstance(error, KeyError) and error.args else None
    line = linecache.getline(frame.filename, frame.lineno or 0)
    if isinstance(key, str) and (f"['{key}']" in line or f'["{key}"]' in line):
        return f" {key!r}"
    return ""
