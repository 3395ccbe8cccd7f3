"""The tree of commands: an unreadable, outdated or unknown command is answered in a sentence."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from functools import partial
from typing import Any

import discord
from discord import app_commands

from bot.errors import TROUBLE, reason
from bot.gateway.reports import report
from bot.interactions.responses import LIMIT, Response, reporting_errors
from engine.texts import Text

_log = logging.getLogger(__name__)

SUGGESTING = 2.0
"""Seconds that a typing user waits for suggestions; Discord gives up after three."""

UNKNOWN_COMMAND = Text("That command no longer exists. Try `/game`.")

OUTDATED_COMMAND = Text(
    "Your Discord app still shows an older form of this command. Please restart the app, then type it again."
)

UNREADABLE = Text("I could not read what Discord sent me, so nothing has changed. Please try again.")
"""The answer to an interaction of which a part is missing or has an unexpected form."""


class CommandTree(app_commands.CommandTree[Any]):
    """Commands that wait until the bot has started up; each is acknowledged at once."""

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Called before a command is looked up. Returns whether this process may carry it out."""
        if not await self.client.dispatcher.admits(interaction):
            return False
        if self.client.dispatcher.opened.is_set():
            return True
        if interaction.type is discord.InteractionType.autocomplete:
            return await self._can_suggest(interaction)
        try:
            # Discord: within three seconds, and who sees the answer cannot be changed later
            defer = partial(interaction.response.defer, ephemeral=True, thinking=True)
            await self.client.requests.change(defer, limit=LIMIT)
        # Discord has told the user that it failed, so nothing may happen
        except TROUBLE as error:
            _log.info("interaction %d came before the bot was there: %s", interaction.id, reason(error))
            return False
        await self.client.dispatcher.opened.wait()
        return True

    async def _can_suggest(self, interaction: discord.Interaction[Any]) -> bool:
        """Suggestions cannot be announced: none are better than silence."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.client.dispatcher.opened.wait(), SUGGESTING)
            return True
        await suggest_nothing(interaction)
        return False

    async def _call(self, interaction: discord.Interaction[Any]) -> None:
        """Find the command and its arguments in the data, and run it (seam: discord.py handles only its own errors)."""
        try:
            await super()._call(interaction)
        except app_commands.AppCommandError:
            raise
        except Exception as error:
            await refuse_unreadable(interaction, error)

    async def on_error(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError, /) -> None:
        """Answer a command that did not run. Commands that run answer their own errors."""
        if interaction.type is discord.InteractionType.autocomplete:
            await suggest_nothing(interaction)
        elif isinstance(error, app_commands.CommandNotFound):
            await reply(interaction, UNKNOWN_COMMAND)
        # options that do not fit the parameters: the app shows a command as it was registered before
        elif isinstance(error, app_commands.CommandSignatureMismatch | app_commands.TransformerError):
            await reply(interaction, OUTDATED_COMMAND)
        elif interaction.response.is_done():
            _log.error("command failed", exc_info=error)
        else:
            async with reporting_errors(Response(interaction)):
                raise error


async def refuse_unreadable(interaction: discord.Interaction[Any], error: Exception) -> None:
    """Log that the data of an interaction cannot be read, and answer it."""
    report("INTERACTION_CREATE", error, "it is answered with an apology")
    await apologize_unreadable(interaction)


async def apologize_unreadable(interaction: discord.Interaction[Any]) -> None:
    """Answer an interaction that cannot be read, in the language of its user if that is known."""
    if interaction.type is discord.InteractionType.autocomplete:
        await suggest_nothing(interaction)
    elif not interaction.response.is_done():
        await reply(interaction, UNREADABLE)


async def reply(interaction: discord.Interaction[Any], text: Text) -> None:
    """Answer in private, outside of the dispatcher."""
    async with reporting_errors(Response(interaction)) as response:
        await response.say(text)


async def suggest_nothing(interaction: discord.Interaction[Any]) -> None:
    """Answer a request for suggestions with an empty list, if it was not answered before."""
    with suppress(*TROUBLE, discord.InteractionResponded):
        await interaction.client.requests.change(partial(interaction.response.autocomplete, []), limit=LIMIT)
