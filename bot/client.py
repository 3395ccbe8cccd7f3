"""The Discord client: what it asks for, what it registers, where a tap goes."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import logging
from collections import OrderedDict
from pathlib import Path
from typing import Any

import discord
import orjson
from discord import app_commands

from bot import lobby, prompts  # noqa: F401  # to import them is to declare what their controls do
from bot.answers import Answer, Tap, answered
from bot.commands import all_commands
from bot.controls import HANDLERS, Control, ControlId, Menu, on
from bot.errors import Sorry
from bot.messages import Layout, text_layout
from bot.notify import Poster
from bot.pictures import Pictures, describe
from bot.rules import rules_text
from bot.store import Store
from bot.tables import Repeated, Table, Tables
from engine.games import discover

_log = logging.getLogger(__name__)

INVITE_PERMISSIONS = discord.Permissions(
    view_channel=True, send_messages=True, send_messages_in_threads=True, attach_files=True
)

REMEMBERED = 4096
"""Interactions whose repetition is noticed; Discord repeats one within seconds if at all."""

GRACE = 5.0
"""Seconds for work that should be finished before the bot comes or goes."""

REPLACES_LOBBY = frozenset({"join", "leave", "add", "start"})
"""Kinds of controls whose answer is the public message they stand on."""


class _Tree(app_commands.CommandTree["Caravanserai"]):
    """Commands that wait until the bot has moved in."""

    async def interaction_check(self, _interaction: discord.Interaction[Any], /) -> bool:
        """Called before a command is looked up."""
        await self.client.at_home.wait()
        return True


class Caravanserai(discord.AutoShardedClient):
    """The bot. Needs neither message content nor members: everything comes by interactions."""

    def __init__(self, store: Store, data_dir: Path) -> None:
        """`data_dir` may hold files of the host's own (see `files`)."""
        super().__init__(
            intents=discord.Intents(guilds=True),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            allowed_mentions=discord.AllowedMentions.none(),
            guild_ready_timeout=0.5,
        )
        self.tree = _Tree(self)
        self.at_home = asyncio.Event()
        self.store = store
        self.data_dir = data_dir
        self.tables = Tables(store)
        self.pictures = Pictures()
        self.poster = Poster(self, store, self.tables, self.pictures)
        self.trouble: BaseException | None = None
        self._seen: OrderedDict[int, None] = OrderedDict()
        self._working: set[asyncio.Task[Any]] = set()

    async def setup_hook(self) -> None:
        """Move in while the connection to Discord is made; whoever taps before that is done waits for it."""
        self.add_dynamic_items(Control, Menu)
        self._moving_in = self.loop.create_task(self._move_in())
        self._moving_in.add_done_callback(self._moved_in)

    async def _move_in(self) -> None:
        """Read the games, register their commands, and finish what the last process left undone."""
        await asyncio.to_thread(discover)
        for group in all_commands():
            self.tree.add_command(group)
        self.tree.error(_report)
        await self._sync_commands()
        catching_up = self.loop.create_task(self._catch_up())
        self.at_work(catching_up)
        # a board that waits should be out before anybody can act on the position after it
        await asyncio.wait({catching_up}, timeout=GRACE)
        # what is loaded by now stays for good; left out of collections, it no longer makes the loop wait for them
        gc.enable()
        gc.collect()
        gc.freeze()
        self.at_home.set()

    def _moved_in(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self.trouble = error
            self.at_work(self.loop.create_task(self.close()))

    def at_work(self, task: asyncio.Task[Any]) -> None:
        """Remember a task that must not be torn apart when the bot leaves."""
        self._working.add(task)
        task.add_done_callback(self._working.discard)

    async def close(self) -> None:
        """Finish what has begun, leave Discord and let the worker threads go."""
        if others := self._working - {asyncio.current_task()}:
            await asyncio.wait(others, timeout=GRACE)
        await super().close()
        self.pictures.close()

    async def on_ready(self) -> None:
        """Tell whoever runs the bot that it works, and how to invite it."""
        assert self.application_id is not None, "known since login"
        link = discord.utils.oauth_url(
            self.application_id, permissions=INVITE_PERMISSIONS, scopes=("bot", "applications.commands")
        )
        _log.info("ready in %d servers; invite me with %s", len(self.guilds), link)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Answer controls that nothing else would: without this, a tap on them would hang."""
        if interaction.type not in (discord.InteractionType.component, discord.InteractionType.modal_submit):
            return
        data: Any = interaction.data
        custom_id = str(data["custom_id"])
        if not any(item.__discord_ui_compiled_template__.fullmatch(custom_id) for item in (Control, Menu)):
            await Answer(interaction).say("This control is from another time; I do not know it any more.")

    async def tapped(self, interaction: discord.Interaction[Any], control: ControlId, values: tuple[str, ...]) -> None:
        """Carry out a tap on one of our controls, of any age."""
        message = interaction.message
        private = message is not None and message.flags.ephemeral
        answer = Answer(interaction, updates=private or control.kind in REPLACES_LOBBY)

        async def work() -> None:
            await self.at_home.wait()
            self.first_time(interaction)
            table = await self.tables.find(control.match)
            if table is None:
                raise Sorry("This game is not known here any more.")
            if control.kind not in HANDLERS:
                raise Sorry("This control is from another time; I do not know it any more.")
            await HANDLERS[control.kind](Tap(self, answer, table, control, values))

        await answered(answer, work)

    def first_time(self, interaction: discord.Interaction[Any]) -> None:
        """Raise `Repeated` for an interaction that was delivered before."""
        if interaction.id in self._seen:
            raise Repeated
        self._seen[interaction.id] = None
        if len(self._seen) > REMEMBERED:
            self._seen.popitem(last=False)

    def text(self, table: Table, user_id: int) -> str:
        """The long text twin of a position, as this user may know it."""
        match = table.playing()
        return describe(match.view(table.seat_of(user_id)), table.names)

    async def send(self, channel_id: int, layout: Layout) -> int:
        """A message in a channel, without mentions. Returns its id."""
        return (await self.get_partial_messageable(channel_id).send(view=layout)).id

    async def announce(self, table: Table, sentence: str) -> None:
        """Tell the channel of a table something; a channel that cannot be written any more is passed over."""
        try:
            await self.send(table.row.channel_id, text_layout(sentence))
        except discord.HTTPException as error:
            _log.warning("nothing could be said in the channel of match %d: %s", table.id, error)

    async def edit_message(self, channel_id: int, message_id: int, layout: Layout) -> None:
        """Replace a message of ours if it is still there."""
        try:
            await self.get_partial_messageable(channel_id).get_partial_message(message_id).edit(view=layout)
        except discord.HTTPException as error:
            _log.info("message %d stays as it is: %s", message_id, error)

    async def _sync_commands(self) -> None:
        """Tell Discord the commands, but only if they have changed since the last time."""
        commands = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        digest = hashlib.sha256(orjson.dumps(commands, option=orjson.OPT_SORT_KEYS)).hexdigest()
        known = await self.store.setting("bot", self.application_id or 0, "commands")
        if known != digest:
            await self.tree.sync()
            await self.store.set_setting("bot", self.application_id or 0, "commands", digest)
            _log.info("told Discord the commands")

    async def _catch_up(self) -> None:
        try:
            await self.poster.catch_up()
        except Exception:
            _log.exception("catching up after the start failed")


@on("rules")
async def _rules(tap: Tap) -> None:
    """*Rules*: the game in short."""
    await tap.answer.show(text_layout(rules_text(tap.table.spec, None)))


async def _report(interaction: discord.Interaction[Any], error: app_commands.AppCommandError) -> None:
    """Commands answer their own errors; what arrives here is a command Discord knows and we do not."""
    if isinstance(error, app_commands.CommandNotFound):
        await Answer(interaction).say("I do not know this command any more. Try `/game`.")
        return
    _log.error("command failed", exc_info=error)
