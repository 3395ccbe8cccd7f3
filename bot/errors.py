"""What the bot tells people when something cannot be done, and what may go wrong on the way to Discord."""

from __future__ import annotations

import traceback

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
