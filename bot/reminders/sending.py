"""How a reminder goes out: as a mention in the channel, or as a direct message."""

from __future__ import annotations

import logging
from collections.abc import Awaitable

import discord

from bot.errors import reason
from bot.interactions.parts import calling
from bot.posting.channels import Channels
from bot.reminders.layouts import reminder_layout
from bot.reminders.reminders import Due

_log = logging.getLogger(__name__)

FOR_GOOD = (400, 403, 404)
"""What Discord answers to a request that will not go better later; a proxy in between gives no code."""


async def send_reminder(channels: Channels, user_id: int, due: Due, direct: bool, nonce: str) -> Due:
    """Remind a user; in a channel only of what may be spoken of there.

    Returns what he was told of, or cannot be told. Raises `TROUBLE` for what may go better later.
    """
    layout = reminder_layout(user_id, due, direct=True)
    if direct and await taken(channels.send_direct(user_id, layout, nonce=nonce)):
        return due
    here = [(waiting, since) for waiting, since in due if waiting.place == due[0][0].place]
    layout = reminder_layout(user_id, here, direct=False)
    for channel_id in dict.fromkeys(waiting.channel_id for waiting, _ in here):
        if await taken(channels.send(channel_id, layout, mentions=calling([user_id]), nonce=nonce)):
            break
    return here


async def taken(sending: Awaitable[object]) -> bool:
    """Whether Discord has taken a message; if not, it never will."""
    try:
        await sending
    except discord.HTTPException as error:
        if error.status not in FOR_GOOD or not error.code:
            raise
        _log.info("a reminder finds a closed door: %s", reason(error))
        return False
    return True
