"""The registration of commands with Discord."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import logging
from collections.abc import Awaitable, Coroutine, Iterator
from typing import Any, Protocol

import discord
import orjson
from discord import app_commands
from discord.http import Route

from bot.clock import Clock, backoff
from bot.errors import DISCORD_ERRORS, UnreadableData, place_of, reason
from bot.interactions.localizations import sources_digest
from bot.store.settings import Settings
from locales import load_all

_log = logging.getLogger(__name__)

ENTRY_POINT = 4
"""Discord's type of the command that opens an Activity. Discord adds it when the operator enables Activities."""

WRITABLE = (
    "id",
    "type",
    "name",
    "name_localizations",
    "description",
    "description_localizations",
    "handler",
    "contexts",
    "integration_types",
    "default_member_permissions",
    "nsfw",
)
"""The fields of an Entry Point command that Discord accepts; it adds others when it lists commands."""


REFUSED = (
    "Discord refuses the commands (%s). Games go on with the commands that it already knows; new and changed ones are "
    "missing. Update the program, or report this line. The next try is at the next start."
)


class Uncancelable(Protocol):
    """Runs work with the database to its end, even if the caller is canceled."""

    def __call__(self, work: Coroutine[Any, Any, Any], /) -> Awaitable[Any]: ...


class Registration:
    """Registers the commands of a tree when they have changed since Discord last accepted them."""

    def __init__(
        self,
        tree: app_commands.CommandTree[Any],
        settings: Settings,
        clock: Clock,
        run_to_completion: Uncancelable,
    ) -> None:
        self._tree = tree
        self._settings = settings
        self._clock = clock
        self._to_its_end = run_to_completion

    async def keep_up_to_date(self) -> None:
        """Register the commands if they have changed. Retries with growing pauses, unless Discord refuses them."""
        for failures in itertools.count():
            try:
                await self._register_changes()
                return
            except DISCORD_ERRORS as error:
                # the same commands would be refused again
                if isinstance(error, discord.HTTPException) and error.status == 400:
                    _log.error(REFUSED, reason(error))
                    return
                _log.error("the commands are not registered; next try in %g s: %s", backoff(failures), reason(error))
            await self._clock.sleep(backoff(failures))

    async def _register_changes(self) -> None:
        # in English, with the digest of the translations: translating takes longer than the rest of the start
        commands = [command.to_dict(self._tree) for command in self._tree.get_commands()]
        digest = hashlib.sha256(orjson.dumps([commands, sources_digest()], option=orjson.OPT_SORT_KEYS)).hexdigest()
        key = ("bot", self._application_id, "commands")
        # Discord limits how many commands are created a day (200), however often the bot restarts
        if await self._to_its_end(self._settings.get(*key)) != digest:
            await self._register(await self._translate())
            await self._to_its_end(self._settings.put(*key, digest))
            _log.info("registered the commands")

    @property
    def _application_id(self) -> int:
        return self._tree.client.application_id or 0

    async def _translate(self) -> list[Any]:
        translator = self._tree.translator
        assert translator is not None, "set before the commands are registered"
        # in a thread: reading all catalogs takes a quarter of a second
        await asyncio.to_thread(load_all)
        return [await command.get_translated_payload(self._tree, translator) for command in self._tree.get_commands()]

    async def _register(self, commands: list[Any]) -> None:
        """Replace all registered commands, except for the Entry Point command."""
        http, application_id = self._tree.client.http, self._application_id
        route = Route("GET", "/applications/{application_id}/commands", application_id=application_id)
        try:
            registered = await http.request(route, params={"with_localizations": "true"})
            payload = [*commands, *_entry_points(registered)]
            await http.bulk_upsert_global_commands(application_id, payload=payload)
        except DISCORD_ERRORS:
            raise
        # an answer of any shape; the caller logs it and tries again
        except Exception as error:
            raise UnreadableData(f"unreadable answer about the commands: {place_of(error)}") from error


def _entry_points(commands: Any) -> Iterator[dict[str, Any]]:
    """The Entry Point command, unchanged: Discord refuses to replace the commands without it (400, code 50240)."""
    for command in commands:
        if command["type"] == ENTRY_POINT:
            yield {field: command[field] for field in WRITABLE if command.get(field) is not None}
