"""The connection to Discord: outages are retried, a refusal ends the program with a sentence."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

import discord

from bot.errors import DISCORD_ERRORS, StartError, StopError, UnreadableData, place_of, reason

_log = logging.getLogger(__name__)

LOGIN_TIMEOUT = 60.0
"""Seconds for one attempt to log in."""

MIN_PAUSE, MAX_PAUSE = 1, 300
"""Seconds between two attempts: they double from the shortest to the longest."""

OUTAGES = (*DISCORD_ERRORS, discord.GatewayNotFound)
"""Temporary errors of the network or Discord's servers."""

Pause = Callable[[float], Awaitable[object]]

T = TypeVar("T")

_NEW_TOKEN = "Get a new one on the Bot page of your application and put it into .env as DISCORD_TOKEN."


async def stay_connected(client: discord.Client, token: str, *, pause: Pause, patience: float = LOGIN_TIMEOUT) -> None:
    """Log in and stay connected until the client is closed; a login attempt may take `patience` seconds.

    Raises:
        StartError: Discord does not accept the token.
        StopError: Discord closed the connection and does not accept it again.
    """
    try:
        await retry_outages(client, lambda: _log_in(client, token, patience), pause)
        await retry_outages(client, client.connect, pause)
    except discord.LoginFailure:
        raise StartError(f"Discord does not accept the token. {_NEW_TOKEN}") from None
    except discord.PrivilegedIntentsRequired:
        raise StopError(_why_closed(4014)) from None
    except discord.ConnectionClosed as closed:
        raise StopError(_why_closed(closed.code)) from None


async def retry_outages(client: discord.Client, step: Callable[[], Awaitable[T]], pause: Pause) -> T | None:
    """Repeat a step, with growing pauses, while it fails with a temporary error. Returns its result.

    Returns `None` if the client was closed before the step succeeded.

    Raises:
        discord.LoginFailure: Discord does not accept the token.
    """
    wait = MIN_PAUSE
    while not client.is_closed():
        try:
            return await step()
        except OUTAGES as outage:
            # discord.py wraps each error of its first request to the gateway in this one
            error = outage.__cause__ if isinstance(outage, discord.GatewayNotFound) else outage
            # as `login` does; the token may be reset between the login and the request for the gateway
            if isinstance(error, discord.HTTPException) and error.status == 401:
                raise discord.LoginFailure from None
            _log.warning("Discord is out of reach (%s); trying again in %d s", reason(error), wait)
        await pause(wait)
        wait = min(2 * wait, MAX_PAUSE)
    return None


async def _log_in(client: discord.Client, token: str, patience: float) -> None:
    try:
        async with asyncio.timeout(patience):
            await client.login(token)
    except discord.LoginFailure:
        raise
    # discord.py fails in many ways at an unreadable answer; the caller logs each failure and tries again
    except Exception as error:
        # the next attempt opens a new session on a new connector, since a connector closes with its session
        await client.http.close()
        client.http.connector = discord.utils.MISSING
        if isinstance(error, OUTAGES):
            raise
        # discord.py reads the answers within `login`: any other error is about their content
        raise UnreadableData(f"unreadable answer to the login: {place_of(error)}") from error


def _why_closed(code: int) -> str:
    # 4004: wrong token, 4013 and 4014: intents (https://docs.discord.com/developers/topics/opcodes-and-status-codes)
    if code == 4004:
        return f"Discord no longer accepts the token, which was probably reset. {_NEW_TOKEN}"
    if code in (4013, 4014):
        return (
            f"Discord refuses the intents of the bot ({code}), though none of them is privileged. "
            "Check on the Bot page of your application whether it is restricted, and update the program."
        )
    return f"Discord no longer accepts connections of this version ({code}). Update the program."
