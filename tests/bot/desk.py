"""Taps and commands at a bot without a gateway: each answer as lines, in a fraction of the time of a whole bot."""

from __future__ import annotations

import itertools
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator
from functools import partial
from types import ModuleType, SimpleNamespace
from typing import Any

import discord
import pytest

from bot.errors import UserError
from bot.features.dispatcher import Dispatcher
from bot.features.handlers import TableTap
from bot.interactions.controls import FIELDS, ControlId
from bot.jobs.kinds import all_work
from engine.texts import Text
from playground.components import SELECTS, Kind, walk
from tests.bot.refusing import CHANNEL, GUILD, HOST, House
from tests.bot.whole import whole

NAMES = {HOST: "Ana", 71: "Ben", 72: "Caro", 75: "Eva"}
COMMAND, TAP = discord.InteractionType.application_command, discord.InteractionType.component
AUTOCOMPLETE = discord.InteractionType.autocomplete
COLUMNS = {
    "id",
    "moderates",
    "locale",
    "permissions",
    "channel",
    "channel_id",
    "guild_id",
    "guild",
    "is_guild_integration",
    "user",
} | {"app_permissions"}
"""Fields of an interaction that a test may set; everything else is an option of the command."""

PRIVATE = SimpleNamespace(id=8, flags=SimpleNamespace(ephemeral=True))
PUBLIC = SimpleNamespace(id=9, flags=SimpleNamespace(ephemeral=False))


class Screen(list[str]):
    """The lines of an answer, and its parts: the text without controls, and the ids behind labels and rows."""

    def __init__(self, lines: Iterable[str], view: Any = None) -> None:
        super().__init__(lines)
        parts = [part for _, part in walk(view.to_components())] if view else []
        self.text = "\n".join(part["content"] for part in parts if part["type"] == Kind.TEXT_DISPLAY)
        self.buttons = {part["label"]: _control(part) for part in parts if part["type"] == Kind.BUTTON}
        self.menus = [(_control(part), _rows(part)) for part in parts if part["type"] in SELECTS]

    @property
    def labels(self) -> list[str]:
        return list(self.buttons)


def _control(part: Any) -> str:
    return str(part["custom_id"]).partition(":")[2]


def _rows(part: Any) -> dict[str, str]:
    """The rows of a menu: value -> label."""
    return {row["value"]: row["label"] for row in part.get("options") or ()}


class Answers:
    """All ways to answer an interaction. Each answer is recorded: how, and the lines of the message or form."""

    def __init__(self) -> None:
        self.lines: list[Screen] = []
        self.files: list[discord.File] = []

    def is_done(self) -> bool:
        return bool(self.lines)

    async def send_modal(self, form: Any) -> None:
        content = form.to_dict()
        fields = [field for part in content["components"] for field in _field(part)]
        self.lines.append(Screen(["form", content["title"], content["custom_id"], *fields]))

    async def _answer(
        self, how: str, *, view: Any = None, ephemeral: bool = False, allowed_mentions: Any = None, **options: Any
    ) -> SimpleNamespace:
        users = [f"@{user.id}" for user in getattr(allowed_mentions, "users", None) or ()]
        self.files += options.get("files") or options.get("attachments") or ()
        head = " ".join((how, *(["private"] if ephemeral else []), *users))
        self.lines.append(Screen([head, *(whole(view) if view else ())], view))
        return SimpleNamespace(message_id=88, id=88)

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        how = {"send_message": "new", "edit_message": "edit", "edit_original_response": "edit", "send": "new"}
        return partial(self._answer, how.get(name, name))


def _field(part: Any) -> Iterator[str]:
    """The line of a field of a form, with `?` if it may be empty or with its options, and the line about it."""
    field = part.get("component", part)
    if "style" in field:
        optional = "" if field.get("required", True) else "?"
        yield f"{field.get('placeholder') or ''}{optional} = {field.get('value') or ''}"
    if options := field.get("options"):
        yield " · ".join(option["value"] for option in options)
    if about := part.get("description"):
        yield str(about)


class Namespace(dict[str, str]):
    """The options of a command while the user types: like that of discord.py, iterated in pairs."""

    def __iter__(self) -> Any:
        return iter(self.items())

    def __getattr__(self, name: str) -> str | None:
        return self.get(name)


def begin_games_meanwhile(monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> None:
    """Let the game of each lobby begin right before `module` takes a person out of it."""

    async def refuse(*_: object) -> None:
        raise UserError(Text("The game has begun."))

    monkeypatch.setattr(module, "leave_lobby", refuse)


class Desk:
    """Users at a bot. Each method returns the answers, a list of lines each; the first line says how it came."""

    def __init__(self, home: House) -> None:
        self.home = home
        self.dispatcher = Dispatcher(home.services, is_successor=False)
        self.dispatcher.ready.set()
        # as after a start; the worker does not look for jobs here
        worker: Any = home.services.worker
        worker._work = all_work(home.services)
        self.application: Any = None
        self.files: list[discord.File] = []
        self._ids = itertools.count(1000)

    async def tap(
        self, user_id: int, control: str, *values: str, message: Any = PRIVATE, **columns: Any
    ) -> list[Screen]:
        """Tap on a control by its id, or choose rows of a menu."""
        match = re.fullmatch(FIELDS, control)
        assert match is not None, control
        interaction = self._interaction(user_id, TAP, message=message, **columns)
        await self.dispatcher.handle_tap(interaction, ControlId.of(match), values)
        return self._answers(interaction)

    async def press(self, user_id: int, label: str, on: Screen, **columns: Any) -> Screen:
        """Tap on the button with this label on an earlier answer. Returns the first answer."""
        return (await self.tap(user_id, on.buttons[label], **columns))[0]

    async def choose(self, user_id: int, value: str, on: Screen, menu: int = 0, **columns: Any) -> Screen:
        """Choose a row of a menu on an earlier answer. Returns the first answer."""
        return (await self.tap(user_id, on.menus[menu][0], value, **columns))[0]

    async def submit(self, user_id: int, form: Screen, *values: str) -> Screen:
        """Send a form that was opened. Returns the first answer."""
        return (await self.tap(user_id, form[2].partition(":")[2], *values))[0]

    async def command(self, user_id: int, handler: Any, *, over: bool = False, **options: Any) -> list[Screen]:
        """Use a command by its handler."""
        columns = {name: options.pop(name) for name in COLUMNS & options.keys()}
        interaction = self._interaction(user_id, COMMAND, message=None, **columns)
        work = partial(_run, handler, options)
        if isinstance(handler, TableTap) or getattr(handler, "__annotations__", {}).get("request") == "TableRequest":
            await self.dispatcher.at_table(interaction, work, also_over=over)
        else:
            await self.dispatcher.anywhere(interaction, work)
        return self._answers(interaction)

    async def suggest(
        self, user_id: int, suggest: Any, current: str = "", *, channel_id: int = CHANNEL, **typed: str
    ) -> list[tuple[str, Any]]:
        """The name and value of each suggestion while a user types, beside the fields `typed` already."""
        namespace = Namespace(typed)
        interaction = self._interaction(user_id, AUTOCOMPLETE, message=None, namespace=namespace, channel_id=channel_id)
        return [(choice.name, choice.value) for choice in await suggest(interaction, current)]

    def _answers(self, interaction: Any) -> list[Screen]:
        self.files = interaction.response.files
        lines: list[Screen] = interaction.response.lines
        return lines

    def _interaction(
        self,
        user_id: int,
        kind: discord.InteractionType,
        *,
        message: Any,
        moderates: bool = False,
        locale: str = "en-US",
        channel_id: int = CHANNEL,
        data: Any = None,
        **changes: Any,
    ) -> Any:
        answers, guild = Answers(), self.home.services.channels.server(GUILD)
        services = self.home.services
        client = SimpleNamespace(
            requests=services.channels.requests,
            services=services,
            application=self.application,
            latency=0.05,
            guilds=[guild],
        )
        permissions = discord.Permissions(manage_guild=moderates)
        fields = {
            "id": next(self._ids) << 22,
            "type": kind,
            "locale": locale,
            "user": SimpleNamespace(id=user_id, display_name=NAMES.get(user_id, "Dan"), _roles=()),
            "guild_id": GUILD,
            "guild": guild,
            "channel_id": channel_id,
            "channel": guild.get_channel(channel_id) if guild else None,
            "message": message,
            "data": data or {},
            "permissions": permissions,
            "app_permissions": discord.Permissions.all(),
            "is_guild_integration": lambda: True,
            "application_id": 1,
            "client": client,
            "response": answers,
            "followup": answers,
            "edit_original_response": answers.edit_original_response,
        }
        return SimpleNamespace(**(fields | changes))


async def _run(handler: Any, options: dict[str, Any], request: Any) -> None:
    await handler(request, **options)
