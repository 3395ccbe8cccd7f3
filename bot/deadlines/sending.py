"""How a reminder goes out: as a mention in the channel, or as a direct message."""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from functools import partial
from typing import TypeVar

import discord

from bot.deadlines.reminder_layouts import reminder_layout
from bot.deadlines.reminders import Due, Sent
from bot.errors import reason
from bot.interactions.channels import Channels
from bot.interactions.parts import calling
from bot.interactions.refusals import is_final

T = TypeVar("T")

_log = logging.getLogger(__name__)

MAX_CHANNELS = 8
"""Channels that are tried for one reminder, where the first ones are closed to the bot."""


async def send_reminder(
    channels: Channels, user_id: int, due: Due, direct: bool, nonce: str, *, attempts: int = 0
) -> Sent:
    """Remind a user; in a channel only of games that may be named there, and where mentions are allowed.

    Returns the games of the reminder, or of one that never arrives.

    Raises:
        TROUBLE: it may arrive later; this number of attempts failed before.
    """
    # without a mention, a reminder in a channel would reach no one
    calling_there = [one for one in due if await channels.servers.may_call(one[0].channel_id)]
    compose, tries = partial(reminder_layout, user_id, due, direct=True), partial(accepted, attempts=attempts)
    if (direct or not calling_there) and (sent := await tries(channels.send_direct(user_id, compose, nonce=nonce))):
        return Sent(due, sent)
    if not calling_there:
        return Sent(due)
    here = [one for one in calling_there if one[0].place == calling_there[0][0].place]
    compose = partial(reminder_layout, user_id, here, direct=False)
    # the first channel that accepts it; `dict.fromkeys` keeps the order, a set would not
    for channel_id in list(dict.fromkeys(waiting.channel_id for waiting, _ in here))[:MAX_CHANNELS]:
        if message_id := await tries(channels.send(channel_id, compose, mentions=calling([user_id]), nonce=nonce)):
            return Sent(here, (channel_id, message_id))
    return Sent(here)


async def accepted(sending: Awaitable[T], *, attempts: int = 0) -> T | None:
    """The message that Discord has accepted; `None` if it refuses it for good.

    Raises:
        TROUBLE: it may succeed later; this number of attempts failed before.
    """
    try:
        return await sending
    except discord.HTTPException as error:
        if not is_final(error, attempts):
            raise
        _log.info("a message is not delivered: %s", reason(error))
        return None
