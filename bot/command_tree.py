"""The tree of commands. It answers unreadable, outdated and unknown commands with a sentence."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from functools import partial
from typing import Any

import discord
from discord import app_commands

from bot.errors import DISCORD_ERRORS, reason
from bot.gateway.reports import report
from bot.interactions.responses import ANSWER_TIMEOUT, Response, reporting_errors
from engine.texts import Text

_log = logging.getLogger(__name__)

SUGGESTION_TIMEOUT = 2.0
"""Seconds; Discord's limit is three."""

UNKNOWN_COMMAND_TEXT = Text("That command no longer exists. Try `/game`.")

OUTDATED_COMMAND_TEXT = Text(
    "Your Discord app still shows an older version of this command. Please restart the app, then type it again."
)

UNREADABLE_TEXT = Text("I couldn’t read the data that Discord sent me, so nothing has changed. Please try again.")
"""The answer to an interaction with a missing or invalid part."""


class CommandTree(app_commands.CommandTree[Any]):
    """Commands that wait until the bot has started up, but are acknowledged at once."""

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Called before a command is looked up. Returns whether this process may run it."""
        if not await self.client.dispatcher.accepts(interaction):
            return False
        if self.client.dispatcher.ready.is_set():
            return True
        if interaction.type is discord.InteractionType.autocomplete:
            return await self._can_suggest(interaction)
        try:
            # Discord: within three seconds, and an answer announced as private stays private
            defer = partial(interaction.response.defer, ephemeral=True, thinking=True)
            await self.client.requests.change(defer, limit=ANSWER_TIMEOUT)
        # Discord shows the user that the command failed, so it must not run
        except DISCORD_ERRORS as error:
            _log.info(
                "interaction %d came during the start and is dropped, since it could not be acknowledged: %s",
                interaction.id,
                reason(error),
            )
            return False
        await self.client.dispatcher.ready.wait()
        return True

    async def _can_suggest(self, interaction: discord.Interaction[Any]) -> bool:
        """Wait for the start, or suggest nothing: requests for suggestions cannot be deferred."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.client.dispatcher.ready.wait(), SUGGESTION_TIMEOUT)
            return True
        await suggest_nothing(interaction)
        return False

    async def _call(self, interaction: discord.Interaction[Any]) -> None:
        """Find the command and its arguments in the data, and run it (seam: discord.py handles only its own errors)."""
        try:
            await super()._call(interaction)
        except app_commands.AppCommandError:
            raise
        # discord.py reads the data without checking it, so any error may come up; the log names the place
        except Exception as error:
            await refuse_unreadable(interaction, error)

    async def on_error(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError, /) -> None:
        """Answer a command that did not run. Running commands report their own errors."""
        if interaction.type is discord.InteractionType.autocomplete:
            await suggest_nothing(interaction)
        elif isinstance(error, app_commands.CommandNotFound):
            await reply(interaction, UNKNOWN_COMMAND_TEXT)
        # options that do not fit the parameters: the app still shows an earlier form of the command
        elif isinstance(error, app_commands.CommandSignatureMismatch | app_commands.TransformerError):
            await reply(interaction, OUTDATED_COMMAND_TEXT)
        elif interaction.response.is_done():
            _log.error("interaction %d failed", interaction.id, exc_info=error)
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
        await reply(interaction, UNREADABLE_TEXT)


async def reply(interaction: discord.Interaction[Any], text: Text) -> None:
    """Answer privately, outside the dispatcher."""
    async with reporting_errors(Response(interaction)) as response:
        await response.say(text)


async def suggest_nothing(interaction: discord.Interaction[Any]) -> None:
    """Answer a request for suggestions with an empty list, unless it has an answer."""
    with suppress(*DISCORD_ERRORS, discord.InteractionResponded):
        await interaction.client.requests.change(partial(interaction.response.autocomplete, []), limit=ANSWER_TIMEOUT)
