"""What the bot tells people when something cannot be done."""

from __future__ import annotations

import aiohttp
import discord

TROUBLE = (discord.HTTPException, OSError, aiohttp.ClientError)
"""What a request to Discord fails with; a time limit of ours is an `OSError` too."""


class Sorry(Exception):
    """Something a person asked for that is not possible; the message is the answer, shown to that person only."""


class StartError(Exception):
    """A reason not to start at all: a sentence for whoever runs the bot."""


class StopError(Exception):
    """A reason not to go on: a sentence for whoever runs the bot."""
