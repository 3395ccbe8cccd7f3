"""Sends a reminder: as a mention in the channel, or as a direct message."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Sequence
from datetime import datetime
from functools import partial
from typing import TypeVar

import discord
from discord.ui import TextDisplay

from bot.errors import reason
from bot.features.deadlines.reminder_buttons import LABELS, ask_why, snooze
from bot.features.deadlines.reminders import Due, Sent
from bot.features.deadlines.waiting import Waiting
from bot.interactions.channels import Channels
from bot.interactions.parts import Layout, calling, layout, rows, stamp
from bot.interactions.refusals import is_final
from bot.store.jobs import NOBODY
from bot.tables.people import mention
from engine.texts import Text, joined

T = TypeVar("T")

_log = logging.getLogger(__name__)

MAX_CHANNELS = 8
"""Channels to try for one reminder, if the first ones are closed to the bot."""

MAX_NAMED_GAMES = 8
"""Games that one reminder names at most; it counts the others."""

# Discord: 4,000 characters in a message; with their links, eight questions of this length fit
MAX_QUESTION_LENGTH = 300

LAST_REMINDER = Text("-# This is my last reminder about this game. Reminders start again after the next move.")


async def send_reminder(
    channels: Channels, user_id: int, due: Due, direct: bool, nonce: str, *, attempts: int = 0
) -> Sent:
    """Remind a user. A reminder in a channel lists only games that may be named there, and needs a mention.

    Returns the games of the reminder, also if it can never be delivered.

    Raises:
        DISCORD_ERRORS: it may succeed later; `attempts` of this job have failed before.
    """
    # without a mention, a reminder in a channel would reach no one
    with_mention = [pair for pair in due if await channels.servers.may_call(pair[0].channel_id)]
    compose, tries = (
        partial(reminder_layout, user_id, due, direct=True),
        partial(send_unless_refused, attempts=attempts),
    )
    if (direct or not with_mention) and (sent := await tries(channels.send_direct(user_id, compose, nonce=nonce))):
        return Sent(due, sent)
    if not with_mention:
        return Sent(due)
    here = [pair for pair in with_mention if pair[0].place == with_mention[0][0].place]
    compose = partial(reminder_layout, user_id, here, direct=False)
    # the first channel that accepts it; `dict.fromkeys` keeps the order, a set would not
    for channel_id in list(dict.fromkeys(waiting.channel_id for waiting, _ in here))[:MAX_CHANNELS]:
        if message_id := await tries(channels.send(channel_id, compose, mentions=calling([user_id]), nonce=nonce)):
            return Sent(here, (channel_id, message_id))
    return Sent(here)


async def send_unless_refused(sending: Awaitable[T], *, attempts: int = 0) -> T | None:
    """The result of a request to send a message; `None` if Discord refuses it for good.

    Raises:
        DISCORD_ERRORS: it may succeed later; `attempts` of this job have failed before.
    """
    try:
        return await sending
    except discord.HTTPException as error:
        if not is_final(error, attempts):
            raise
        _log.info("a message was not delivered, and is given up: %s", reason(error))
        return None


def reminder_layout(user_id: int, due: Sequence[tuple[Waiting, datetime]], *, direct: bool) -> Layout:
    """The reminder of some decisions, each with the time since when it waits; `direct`: addressed to the user alone."""
    if direct:
        heading = Text("⏰ {games:A game is|Games are} waiting for you.", games=len(due))
    else:
        who = mention(user_id)
        heading = Text("⏰ {who}, {games:a game is|games are} waiting for you.", who=who, games=len(due))
    lines = [_game(waiting, since, direct=direct) for waiting, since in due[:MAX_NAMED_GAMES]]
    more = [Text("-# … and {more} more", more=len(due) - MAX_NAMED_GAMES)] if len(due) > MAX_NAMED_GAMES else []
    text = "\n".join(map(str, (heading, *lines, *more)))
    snoozes = [snooze.button(label, name=name, user_id=user_id) for name, label in LABELS.items()]
    # a league ends its games itself
    endable = [
        waiting for waiting, _ in due[:MAX_NAMED_GAMES] if waiting.is_last and waiting.table.row.host_id != NOBODY
    ]
    ends = [
        ask_why.button(Text("End {title}", title=waiting.table.title), match_id=waiting.match_id) for waiting in endable
    ]
    goes_on = any(not waiting.is_last for waiting, _ in due)
    return layout(TextDisplay(text), *rows([*(snoozes if goes_on else []), *ends]))


def _game(waiting: Waiting, since: datetime, *, direct: bool) -> Text:
    line = Text(
        "{question}\n-# asked {when} · [Go to board]({link})",
        question=waiting.question(direct=direct)[:MAX_QUESTION_LENGTH],
        when=stamp(since, "R"),
        link=waiting.link,
    )
    return joined([line, LAST_REMINDER], "\n") if waiting.is_last else line
