"""The Discord client: it registers the commands, receives all events, and passes them on."""

from __future__ import annotations

import asyncio
import gc
import itertools
import logging
from collections.abc import Coroutine
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import discord

import renders
from bot import metrics
from bot.clock import Clock, backoff
from bot.command_tree import CommandTree, apologize_unreadable, refuse_unreadable, reply
from bot.commands import all_commands
from bot.computers.thinkers import Workers
from bot.errors import GameFault
from bot.features.admin.installation import load_games
from bot.features.deadlines.absences import Absences
from bot.features.deadlines.board_clocks import BoardClocks
from bot.features.deadlines.heartbeat import Heartbeat
from bot.features.dispatcher import Dispatcher
from bot.features.groups import HERE_OR_DIRECT, SERVERS
from bot.features.leagues import rounds as league_rounds
from bot.features.lobby import deleted_channels
from bot.features.services import Services
from bot.gateway.client import ResilientClient
from bot.interactions.channels import Channels
from bot.interactions.clock_check import ClockCheck
from bot.interactions.controls import used_control
from bot.interactions.emojis import Emojis, use_emojis
from bot.interactions.forms import read_form
from bot.interactions.kinds import OUTDATED_TEXT
from bot.interactions.localizations import CommandTranslator
from bot.interactions.parts import invitation
from bot.interactions.requests import Requests, forget_limits
from bot.interactions.servers import Servers
from bot.jobs.kinds import all_work
from bot.posting.pictures import Pictures
from bot.registration import Registration
from bot.store.failures import DatabaseUnavailable
from bot.store.handover import Handover
from bot.store.shard_range import NO_SERVER, WHOLE, ShardRange
from bot.store.store import Store
from bot.tables.faults import guarding_match
from engine.games import discover
from engine.texts import Text
from renders.symbols import Symbol

T = TypeVar("T")

_log = logging.getLogger(__name__)

SERVED = "served"
"""The name of a stored value of each shard: the ids of its last interactions, for the next process."""


class Caravanserai(ResilientClient):
    """The bot. It needs neither message content nor members: users act by interactions only."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        data_dir: Path,
        *,
        workers: Workers,
        computer: str,
        stories: bool = True,
        emojis: bool = True,
        help_url: str = "",
        handover: Handover | None = None,
    ) -> None:
        """`data_dir` may contain the host's own files (see `bot.features.lobby.option_files`) and caches of pictures.
        `workers` run the searches of computers, and the player with the id `computer` takes empty seats. `stories`:
        whether finished games get a story; `emojis`: whether the bot uploads drawings of pieces. For `help_url` see
        `bot.features.services`. A process with a `handover` may have to wait for its predecessor.
        """
        clock_check = ClockCheck(clock)
        self.requests = Requests(repair=lambda: forget_limits(self.http))
        super().__init__(
            pause=clock.sleep,
            http_trace=clock_check.trace(self.requests.trace),
            **_connection_options(),
            **_shard_options(store.shard_range),
        )
        metrics.STARTED.set(clock.now().timestamp())
        self.tree = CommandTree(self, allowed_installs=SERVERS, allowed_contexts=HERE_OR_DIRECT)
        self._handover, self._clock_check = handover or Handover(), clock_check
        servers = Servers(self, store)
        self.services = Services.of(
            self._make_channels(servers),
            Pictures(),
            servers,
            store,
            clock,
            data_dir,
            clocks=BoardClocks(store).changed_clocks,
            workers=workers,
            computer=computer,
            stories=stories,
            help_url=help_url,
        )
        self.dispatcher = Dispatcher(self.services, is_successor=self._handover.waits)
        self._emojis, self._wants_emojis = Emojis(), emojis
        self._absences = Absences(self.services)
        self._heartbeat = Heartbeat(self.services, clock_check.offset)
        self.start_error: BaseException | None = None
        self.start_failed = asyncio.Event()
        self._finishing: set[asyncio.Task[Any]] = set()
        self._starting_up: asyncio.Task[None] | None = None

    def _make_channels(self, servers: Servers) -> Channels:
        return Channels(
            self,
            servers,
            on_gone=self._check_channel,
            # a lambda, since the worker is made after the channels
            on_success=lambda: self.services.worker.retry_after_outage(),
            requests=self.requests,
        )

    async def setup_hook(self) -> None:
        """Start up while discord.py connects; interactions wait until the start is complete."""
        # in this task, from which all others of the bot descend
        use_emojis(self._emojis)
        # a task, since discord.py connects only when this method returns
        self._starting_up = self.loop.create_task(self._start_up())
        self._starting_up.add_done_callback(self._record_start_error)

    async def _start_up(self) -> None:
        """Load the games and their commands, and start the worker on the jobs of the previous process."""
        await asyncio.to_thread(load_games)
        for group in all_commands():
            self.tree.add_command(group)
        await self.tree.set_translator(CommandTranslator())
        # as late as possible: until then the old process still answers
        await self._take_over()
        await self.services.store.ratings.bring_up_to_date()
        if boards := await self.services.store.resume_restored(self.services.clock.now()):
            _log.warning("the database was restored from a backup; the bot posts %d boards again", boards)
        # before `ready`, so that `wait_for_board` knows the pending boards
        await self.services.worker.start(all_work(self.services), self._before_jobs, self._absences)
        # objects that exist by now stay for good; without them, collections block the event loop for less time
        gc.enable()
        gc.collect()
        gc.freeze()
        self.dispatcher.ready.set()
        # one process registers the commands for all
        if self.services.store.shard_range.has(NO_SERVER):
            registration = Registration(self.tree, self.services.store.settings, self.services.clock, self._to_its_end)
            await registration.keep_up_to_date()
        if self._wants_emojis:
            symbols = await asyncio.to_thread(_symbols)
            uploads = self.services.store.shard_range.has(NO_SERVER)
            await self._emojis.keep_up_to_date(self, symbols, self.services.clock, uploads=uploads)

    async def _before_jobs(self, now: datetime) -> None:
        """Take downtimes out of the clocks: first those of the bot, then those of servers."""
        await self._heartbeat.check(now)
        await self._absences.check(now)

    async def _take_over(self) -> None:
        """Wait for the previous process, if there is one, and adopt the ids of the interactions that it handled."""
        if self._handover.waits:
            await self._handover.take_over()
            store = self.services.store
            self.dispatcher.adopt_seen(await store.settings.get("shard", store.shard_range.first, SERVED) or [])

    def _record_start_error(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self.start_error = error
            self.start_failed.set()

    async def close(self) -> None:
        """Finish running work, disconnect from Discord and stop the worker threads."""
        self.dispatcher.stopping = True
        if self._starting_up is not None:
            await self._wait_for_start(self._starting_up)
            self._starting_up.cancel()  # by now it only registers the commands, which can wait for the next start
        if self._finishing:
            await asyncio.wait(self._finishing)
        # from here on in the order in which one causes the next: taps, searches, jobs, boards, requests
        await self.dispatcher.close()
        if self.dispatcher.ready.is_set():
            # for the next process; `_take_over` reads it
            store = self.services.store
            with suppress(DatabaseUnavailable):  # it may have the database already; the rest of the shutdown goes on
                await store.settings.put("shard", store.shard_range.first, SERVED, self.dispatcher.recent_ids)
        self.services.computers.close()
        await self.services.stories.close()
        await self.services.worker.close()
        await self.services.poster.close()
        await self.requests.close()
        await super().close()
        self.services.pictures.close()

    async def _wait_for_start(self, starting_up: asyncio.Task[None]) -> None:
        """Wait for the start: canceling it in the middle of a statement would break the connection to the database.

        A start that still waits for another process to leave the database is canceled.
        """
        if self._handover.waits:
            starting_up.cancel()
        ready = self.loop.create_task(self.dispatcher.ready.wait())
        await asyncio.wait({starting_up, ready}, return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()

    async def on_ready(self) -> None:
        """Log that the bot is ready, with its invitation link."""
        assert self.application_id is not None, "known since login"
        # Discord may call this again after a lost session, so nothing is started here
        servers = Text("{n} {n:server|servers}", n=len(self.guilds))
        _log.info("ready in %s; invite me with %s", servers, invitation(self.application_id))

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Handle taps on controls and submitted forms; the command tree handles commands."""
        is_form = interaction.type is discord.InteractionType.modal_submit
        if not is_form and interaction.type is not discord.InteractionType.component:
            return
        try:
            used = (read_form if is_form else used_control)(interaction.data)
            # with an answer in any case, or the tap would seem to hang
            await (self.dispatcher.handle_tap(interaction, *used) if used else reply(interaction, OUTDATED_TEXT))
        # data of any shape: a foreign id, or a form that Discord fills in differently; the log names the place
        except Exception as error:
            await refuse_unreadable(interaction, error)

    async def on_unreadable_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Apologize for an interaction that discord.py could not read."""
        if await self.dispatcher.accepts(interaction):
            await apologize_unreadable(interaction)

    # --- servers that come and go ---

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Send an event of discord.py to its listeners."""
        # here, since a listener runs later: the first servers may have arrived by then
        if event == "shard_connect":
            self.services.servers.known.note_listed(*args)
        super().dispatch(event, *args, **kwargs)

    async def on_shard_ready(self, _: int) -> None:
        """All servers of a shard have arrived, except those with an outage."""
        self._absences.note_complete()

    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        """A server has an outage."""
        self._absences.begin(guild.id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was removed from a server."""
        _log.info("removed from server %d: its games wait until I am invited again", guild.id)
        self._absences.begin(guild.id)

    # --- reasons to retry failed jobs ---

    async def _permissions_changed(self, _: object, after: discord.abc.GuildChannel | discord.Role) -> None:
        """A channel or a role has changed."""
        self.services.worker.retry_in_server(after.guild.id)

    # discord.py finds them by these names
    on_guild_channel_update = on_guild_role_update = _permissions_changed

    async def on_member_update(self, _: discord.Member, after: discord.Member) -> None:
        """The bot's own roles or time-out have changed; Discord sends no events about other members."""
        self.services.worker.retry_in_server(after.guild.id)
        if after.timed_out_until is not None and after.is_timed_out():
            # Discord sends no event when a time-out expires
            remaining = after.timed_out_until - self.services.clock.now()
            self.services.clock.later(
                remaining.total_seconds(), partial(self.services.worker.retry_in_server, after.guild.id)
            )

    async def on_raw_thread_update(self, event: discord.RawThreadUpdateEvent) -> None:
        """A thread may have been reopened, or archived, which blocks its buttons for players without permissions."""
        self.services.worker.retry_in_server(event.guild_id)
        metadata: Any = event.data.get("thread_metadata")
        # discord.py sends this event before it reads the thread
        if isinstance(metadata, dict) and metadata.get("archived"):
            self._check_channel(event.thread_id)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A server is available: after a start, after an outage, or since the bot was invited."""
        self.services.servers.known.note_arrived(guild.id)
        self.services.worker.retry_in_server(guild.id)
        self.services.worker.wake()
        # this process may have to wait for the database until the previous one has stopped
        await self.dispatcher.ready.wait()
        await self._check_channels(guild)

    on_guild_join = on_guild_available

    # --- deletions ---

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel was deleted, with its threads."""
        self._close_games_in(channel.id)

    async def on_raw_thread_delete(self, event: discord.RawThreadDeleteEvent) -> None:
        """A thread was deleted."""
        self._close_games_in(event.thread_id)

    def _close_games_in(self, channel_id: int) -> None:
        """Close the games and leagues of a deleted channel in the background, once the bot has started up."""

        async def close() -> None:
            await self.dispatcher.ready.wait()
            # leagues first: the loss of its threads must not end a round
            await league_rounds.end_leagues_in(self.services, channel_id)
            await deleted_channels.channel_deleted(self.services, channel_id)

        self.services.poster.start(close())

    async def _check_channels(self, guild: discord.Guild) -> None:
        """Check which channels of a server were deleted; during an outage of the database, retry until it is over."""
        failures = itertools.count()
        while not self.is_closed():
            try:
                await deleted_channels.check_server(self.services, guild)
            except DatabaseUnavailable:
                await self.services.clock.sleep(backoff(next(failures)))
            else:
                break

    def _check_channel(self, channel_id: int) -> None:
        """Check in the background a channel that Discord reports as unknown."""
        self.services.poster.start(deleted_channels.check_channel(self.services, channel_id))

    # --- internals ---

    async def _to_its_end(self, work: Coroutine[Any, Any, T]) -> T:
        """Run work with the database to its end, even if its task is canceled, which would break the connection."""
        task = self.loop.create_task(work)
        self._finishing.add(task)
        task.add_done_callback(self._finishing.discard)
        return await asyncio.shield(task)


def _symbols() -> dict[str, Symbol]:
    """The small drawings of all games, without those of a package whose module of the picture fails."""
    symbols: dict[str, Symbol] = {}
    for slug in discover():
        with suppress(GameFault), guarding_match(slug):
            symbols |= renders.symbols([slug])
    return symbols


def _connection_options() -> dict[str, Any]:
    """The options of discord.py: the bot receives, caches and waits for as little as possible."""
    return {
        # without privileged intents: Discord reviews bots that have 10,000 users and request one
        "intents": discord.Intents(guilds=True),
        "member_cache_flags": discord.MemberCacheFlags.none(),
        "chunk_guilds_at_startup": False,
        # without the cache of 1,000 messages, whose content is not read
        "max_messages": None,
        # names and texts of users may contain mentions: each message lists the users that it pings
        "allowed_mentions": discord.AllowedMentions.none(),
        # discord.py's wait after the last server; its default of 2 s was most of a start (measured: 2.2 s in all)
        "guild_ready_timeout": 0.5,
    }


def _shard_options(share: ShardRange) -> dict[str, Any]:
    # a single process has as many shards as Discord recommends
    return {} if share == WHOLE else {"shard_ids": [*share.shards], "shard_count": share.count}
