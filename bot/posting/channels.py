"""Messages in the channels of Discord, each request with a time limit of ours."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Sequence

import discord

from bot.customs.customs import Servers
from bot.errors import TROUBLE, reason
from bot.interactions.parts import SILENT, Layout, text_layout
from bot.tables.table import Table
from engine.texts import Text

_log = logging.getLogger(__name__)

SEND_LIMIT, EDIT_LIMIT = 20.0, 10.0
"""Seconds that Discord gets for a message, and for an edit."""


class Channels:
    """All channels that the bot is in."""

    def __init__(self, client: discord.Client, servers: Servers) -> None:
        self._client = client
        self._servers = servers

    async def send(
        self,
        channel_id: int,
        layout: Layout,
        *,
        files: Sequence[discord.File] = (),
        mentions: discord.AllowedMentions = SILENT,
        nonce: str = "",
    ) -> int:
        """A new message, by default one that calls nobody; sent twice with a nonce, it is one. Returns its id.

        Nor does it call anybody in a server that does not want that.

        Raises:
            TROUBLE: Discord does not take it, or does not answer.
        """
        mentions = await self.permitted(channel_id, mentions)
        channel = self._client.get_partial_messageable(channel_id)
        async with asyncio.timeout(SEND_LIMIT):
            sent = await channel.send(
                view=layout, files=files, allowed_mentions=mentions, nonce=nonce or secrets.randbits(63)
            )
        return sent.id

    async def permitted(self, channel_id: int, mentions: discord.AllowedMentions) -> discord.AllowedMentions:
        """Those of some mentions that the customs of a channel's server leave: all, or none."""
        return mentions if not mentions.users or await self.may_call(channel_id) else SILENT

    async def may_call(self, channel_id: int) -> bool:
        """Whether people may be called by mentions in a channel."""
        return await self._servers.may_call(channel_id)

    async def send_direct(
        self, user_id: int, layout: Layout, *, mentions: discord.AllowedMentions = SILENT, nonce: str
    ) -> None:
        """The same as a direct message. Raises `TROUBLE`; `discord.Forbidden` for somebody who takes none."""
        async with asyncio.timeout(SEND_LIMIT):
            conversation = await self._client.create_dm(discord.Object(user_id))
        await self.send(conversation.id, layout, mentions=mentions, nonce=nonce)

    async def edit(self, channel_id: int, message_id: int, layout: Layout, file: discord.File | None = None) -> None:
        """Replace a message of ours, its picture too if there is a new one; edits call nobody. Raises `TROUBLE`."""
        message = self._client.get_partial_messageable(channel_id).get_partial_message(message_id)
        files = discord.utils.MISSING if file is None else [file]
        async with asyncio.timeout(EDIT_LIMIT):
            await message.edit(view=layout, attachments=files, allowed_mentions=SILENT)

    async def announce(self, table: Table, text: Text) -> bool:
        """Say something to everybody at a table. Returns whether that was possible; if not, it is passed over."""
        try:
            await self.send(table.row.channel_id, text_layout(text, table.say))
        except TROUBLE as error:
            _log.warning("nothing could be said in channel %d: %s", table.row.channel_id, reason(error))
            return False
        return True

    async def refresh(self, channel_id: int, message_id: int, layout: Layout) -> None:
        """Replace a message of ours if it is still there."""
        try:
            await self.edit(channel_id, message_id, layout)
        except TROUBLE as error:
            _log.info("message %d stays as it is: %s", message_id, reason(error))
