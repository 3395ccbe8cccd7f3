"""What all of the lobby shares: who may, and the message that shows the table as it is now."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

import discord

from bot.courtyard import Courtyard
from bot.errors import Declined
from bot.interactions.answers import Answer, together
from bot.interactions.parts import SILENT, Layout, invitation, text_layout
from bot.lobby.layouts import closed_lobby_layout, lobby_layout
from bot.reception import Visit
from bot.store.rows import Chair
from bot.tables.people import presentable
from bot.tables.table import Table, mention
from engine.texts import Text

IN_PLACE = frozenset({"join", "leave", "add", "shuffle", "start", "ready", "notyet", "full", "keep"})
"""Controls of the lobby's public message: the answer is that message, as it is now."""

FURTHER_DOWN = Text("-# This table stands further down.")


def is_thread(interaction: discord.Interaction[Any]) -> bool:
    """Whether an interaction comes from a thread."""
    return isinstance(interaction.channel, discord.Thread)


def is_in_charge(visit: Visit) -> bool:
    """Whether the user is the host or may manage the channel's messages."""
    return visit.user_id == visit.table.row.host_id or visit.answer.interaction.permissions.manage_messages


def require_host(visit: Visit) -> None:
    """Raise `Declined` unless the user is the host or a moderator."""
    if not is_in_charge(visit):
        host = mention(visit.table.row.host_id)
        raise Declined(Text("Only the host, {host}, or a moderator can do that.", host=host))


def chair_of(user: discord.User | discord.Member) -> Chair:
    """The chair of a user with the name he has in the server."""
    return Chair(user_id=user.id, name=presentable(user.display_name))


async def show_lobby(
    court: Courtyard,
    answer: Answer,
    table: Table,
    kept: Text,
    mentions: discord.AllowedMentions = SILENT,
    note: Text | None = None,
) -> None:
    """Show a table in a new message, which takes the place of the one before; `kept` says what has been done."""
    before, answer.kept = table.row.lobby_message_id, kept
    layout = lobby_layout(table, note or _alone(answer.interaction))
    message_id = await answer.publish(layout, await court.channels.permitted(table.row.channel_id, mentions))
    if message_id is None:
        message_id = await court.channels.send(table.row.channel_id, layout, mentions=mentions)
        await answer.say(kept)
    await court.lobbies.note_lobby_message(table, message_id)
    if before is not None:
        await court.channels.refresh(table.row.channel_id, before, text_layout(FURTHER_DOWN, table.say))


def _alone(interaction: discord.Interaction[Any]) -> Text | None:
    """In a direct message: how to play with friends."""
    if interaction.guild_id is not None:
        return None
    link = invitation(interaction.application_id)
    return Text("-# Here you play against computers. To play with friends, [invite me to a server]({link}).", link=link)


async def done(visit: Visit, text: Text, *rest: Awaitable[None]) -> None:
    """Tell a user that something is done for good; whatever follows from it does not wait for that answer."""
    visit.answer.kept = text
    await together(visit.answer.show_text(text), *rest)


async def changed(visit: Visit, text: Text, *rest: Awaitable[None], closing: Text | None = None) -> None:
    """Show the table as it is now: in place where its button was pressed, else with a word to whoever asked for it."""
    if visit.is_command or visit.control.kind not in IN_PLACE:
        await done(visit, text, refresh_lobby(visit, closing), *rest)
    else:
        visit.answer.kept = text
        await together(visit.answer.show(_lobby(visit.table, closing)), *rest)


async def refresh_lobby(visit: Visit, closing: Text | None = None) -> None:
    """Bring the public lobby message up to date."""
    await update_lobby(visit.court, visit.table, closing)


async def update_lobby(court: Courtyard, table: Table, closing: Text | None = None) -> None:
    """The same without a visit; the message may be gone."""
    row = table.row
    if row.lobby_message_id is not None:
        await court.channels.refresh(row.channel_id, row.lobby_message_id, _lobby(table, closing))


def _lobby(table: Table, closing: Text | None) -> Layout:
    return lobby_layout(table) if closing is None else closed_lobby_layout(table, closing)
