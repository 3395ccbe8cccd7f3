"""The groups of commands, with a decorator that makes a handler a command: `@game.command("log", "…")`."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import discord
from discord.app_commands import AppCommandContext, AppInstallationType, Command, Group

from bot.features.dispatcher import Interaction
from bot.features.handlers import FreeTap, TableRequest, TableTap

H = TypeVar("H", bound=Callable[..., Awaitable[None]])

SERVERS, ANYWHERE = AppInstallationType(guild=True), AppInstallationType(guild=True, user=True)
"""Installations of a command: by a server, or also by a user for all servers."""


HERE_OR_DIRECT = AppCommandContext(guild=True, dm_channel=True)
"""Contexts of a command: a server, or a direct message with the bot."""


class CommandGroup:
    """A group of commands."""

    def __init__(self, name: str, description: str, **more: Any) -> None:
        self.group = Group(name=name, description=description, **more)

    def command(self, name: str, description: str, *, also_over: bool = False) -> Callable[[H], H]:
        """Make a handler a command as well.

        The options of the command are the parameters of the handler after the request, unless it handles a control. A
        handler of a `TableRequest` runs at the open table of the channel; with `also_over`, also at its last one.
        """

        def add(handler: H) -> H:
            self.group.add_command(Command(name=name, description=description, callback=_callback(handler, also_over)))
            return handler

        return add


def _callback(handler: Callable[..., Awaitable[None]], also_over: bool) -> Any:
    """A callback for discord.py, with an option for each parameter of a handler."""
    function = handler.handler if isinstance(handler, TableTap | FreeTap) else handler
    request, *options = inspect.signature(function, eval_str=True).parameters.values()
    at_table = isinstance(handler, TableTap) or request.annotation is TableRequest

    async def callback(interaction: Interaction, **typed: Any) -> None:
        async def work(request: Any) -> None:
            await handler(request, **typed)

        dispatcher = interaction.client.dispatcher
        if at_table:
            await dispatcher.at_table(interaction, work, also_over=also_over)
        else:
            await dispatcher.anywhere(interaction, work)

    # the decorators of discord.py have set attributes of the handler
    callback.__dict__.update(function.__dict__)
    first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Interaction)
    # the fields of a control are not options
    parameters = [first] if function is not handler else [first, *options]
    callback.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # read by discord.py
    return callback


game = CommandGroup(
    name="game",
    description="Play and follow the game in this channel",
    allowed_installs=ANYWHERE,
)
"""Commands for the daily use of players."""

table = CommandGroup(
    name="table",
    description="Set up and manage a table for a game in this channel",
    allowed_installs=ANYWHERE,
)
"""Commands for hosts."""

me = CommandGroup(
    name="me",
    description="Your games, your settings, your data",
    allowed_installs=ANYWHERE,
)
"""Commands about a user's own games, settings and data."""

stats = CommandGroup(
    name="stats",
    description="Results, ratings and records in this server",
    allowed_installs=ANYWHERE,
)
"""Commands about the results of rated games."""

league = CommandGroup(
    name="league",
    description="Play a season of one game with the others in this server",
    guild_only=True,
)
"""Commands about leagues."""

server = CommandGroup(
    name="server",
    description="Manage the games in this server",
    # only a default, which a server can change: the bot checks the permission of the user again
    default_permissions=discord.Permissions(manage_guild=True),
    guild_only=True,
)

admin = CommandGroup(
    name="admin",
    description="For the operator of this bot",
    # Discord has no operators: the bot compares the user with the owners of the application
    default_permissions=discord.Permissions(administrator=True),
    guild_only=True,
)
