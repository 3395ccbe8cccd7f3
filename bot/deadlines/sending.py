"""How a reminder goes out: as a mention in the channel, or as a direct message."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Sequence
from datetime import datetime
from functools import partial
from typing import TypeVar

import discord
from discord.ui import TextDisplay

from bot.deadlines.reminder_buttons import LABELS, ask_why, snooze
from bot.deadlines.reminders import Due, Sent
from bot.deadlines.waiting import Waiting
from bot.errors import reason
from bot.interactions.channels import Channels
from bot.interactions.parts import Layout, calling, layout, rows, stamp
from bot.interactions.refusals import is_final
from bot.store.jobs import NOBODY
from bot.tables.people import mention
from engine.texts import Text, joined

T = TypeVar("T")

_log = logging.getLogger(__name__)

MAX_CHANNELS = 8
"""Channels that are tried for one reminder, where the first ones are closed to the bot."""

NAMED = 8
"""Most games that one reminder names; the others are counted."""

# Discord: 4,000 characters in a message; with titles and links, eight questions of this length fit
QUESTION_LENGTH = 250

LAST = Text("-# This is my last reminder of this game. Any move starts them again.")


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


def reminder_layout(user_id: int, due: Sequence[tuple[Waiting, datetime]], *, direct: bool) -> Layout:
    """The games that wait for a user, each with the time since when; in a direct message they speak to them."""
    if direct:
        heading = Text("⏰ {games:A game is|Games are} waiting for you.", games=len(due))
    else:
        who = mention(user_id)
        heading = Text("⏰ {who}, {games:a game is|games are} waiting for you.", who=who, games=len(due))
    lines = [_game(waiting, since, direct=direct) for waiting, since in due[:NAMED]]
    more = [Text("-# … and {more} more", more=len(due) - NAMED)] if len(due) > NAMED else []
    words = (heading, *lines, *more)
    snoozes = [snooze.button(label, name=name, user_id=user_id) for name, label in LABELS.items()]
    # a league decides itself what becomes of its games
    endable = [one for one, _ in due[:NAMED] if one.is_last and one.table.row.host_id != NOBODY]
    ends = [ask_why.button(Text("End {title}", title=one.table.title), match_id=one.match_id) for one in endable]
    goes_on = any(not waiting.is_last for waiting, _ in due)
    return layout(TextDisplay("\n".join(map(str, words))), *rows([*(snoozes if goes_on else []), *ends]))


def _game(waiting: Waiting, since: datetime, *, direct: bool) -> Text:
    line = Text(
        "**{title}**: {question}\n-# asked {when} · [Go to board]({link})",
        title=waiting.table.title,
        question=(waiting.asked if direct else waiting.question)[:QUESTION_LENGTH],
        when=stamp(since, "R"),
        link=waiting.link,
    )
    return joined([line, LAST], "\n") if waiting.is_last else line
