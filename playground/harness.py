"""The Python interface for tests and benchmarks: the server in this process, the bot in another, and players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from tempfile import TemporaryDirectory
from types import MappingProxyType, TracebackType
from typing import Any, Self

from playground.botprocess import BotProcess, is_error
from playground.clock import Clock
from playground.faults import Fault
from playground.gateway import Gateway, Intent
from playground.guilds import Guilds
from playground.interactions import Interaction
from playground.journal import Journal, Timing
from playground.local import LocalDiscord
from playground.notifier import HANG
from playground.oddities import Oddity
from playground.permissions import Permission, permission_bits
from playground.player import Player
from playground.seen import Seen
from playground.server import Server
from playground.wire import ENTRY_POINT, SHARD_SHIFT, TOKEN, Json
from playground.world import Channel, ChannelKind, Overwrite, Role


class RulesBroken(AssertionError):
    """A strict run broke rules. The text lists them and ends with the transcript."""


class Playground:
    """A local Discord on a free loopback port for the duration of an `async with`.

    With `strict`, leaving the context raises RulesBroken if there are violations: an unknown route, a payload that
    breaks a limit or Discord's schema, an unanswered interaction, an error in the bot's log, an unexpected exit of the
    bot. `allow` permits expected ones.

    `patience` is the deadline of an initial response in seconds. It is long by default, so that a busy machine does not
    look like a slow bot; Discord's is 3 s (`interactions.PATIENCE`). `rate` is the number of `clock` seconds per real
    second.
    """

    def __init__(
        self,
        *,
        strict: bool = True,
        port: int = 0,
        bot_token: str = TOKEN,
        patience: float = HANG,
        rate: float = 1.0,
    ) -> None:
        self.strict = strict
        self.discord = LocalDiscord(token=bot_token, check_schema=strict, patience=patience, rate=rate)
        self.base_url = ""
        self._port = port
        self._server = Server(self.discord)
        self._bots: list[BotProcess] = []
        self._folder = ""
        self._exit_stack = ExitStack()

    async def __aenter__(self) -> Self:
        self.base_url = await self._server.start(self._port)
        self._folder = self._exit_stack.enter_context(TemporaryDirectory(prefix="games-"))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Faults first, since a deliberately hanging request would keep the bot from exiting.
        self.discord.faults.close()
        for bot in self._bots:
            await bot.stop()
        for interaction in self.discord.interactions.waiting:
            self.journal.blame(f"left unanswered: {interaction.user.name} did {interaction.label}")
        await self._server.stop()
        self._exit_stack.close()
        # A failed test must fail with its own error.
        if self.strict and error is None and self.violations:
            lines = "\n".join(f"- {violation}" for violation in self.violations)
            raise RulesBroken(f"rules were broken:\n{lines}\n\n{self.transcript()}")

    # records

    @property
    def journal(self) -> Journal:
        """The full record; the properties below give access to its parts."""
        return self.discord.journal

    @property
    def clock(self) -> Clock:
        """The clock. `clock.advance(900)` ages interactions, threads and messages by a quarter of an hour."""
        return self.discord.clock

    @property
    def gateway(self) -> Gateway:
        """The gateway: `reconnect()`, `invalidate(resumable=…)`, `await close(4000)`, `hang_up()`, `forget()`."""
        return self.discord.gateway

    @property
    def guilds(self) -> Guilds:
        """Server-level changes: `fail()`, `recover()`, `remove_bot()`, `invite_bot()`, `time_out(name, seconds)`."""
        return Guilds(self.discord)

    @property
    def violations(self) -> list[str]:
        """Broken rules, except those permitted by `allow`."""
        return self.journal.violations

    @property
    def timings(self) -> list[Timing]:
        """One entry per interaction: created, acknowledged and answered, in `time.monotonic()` seconds."""
        return self.journal.timings

    @property
    def arrivals(self) -> Mapping[str, list[float]]:
        """Arrival times of messages and edits by channel name, in `time.monotonic()` seconds."""
        channels = self.discord.world.channels
        return {channels[key].name: moments for key, moments in self.journal.arrivals.items() if key in channels}

    @property
    def requests(self) -> Mapping[str, int]:
        """Number of calls of each REST route, by `METHOD template`."""
        return self.journal.requests

    @property
    def last_interaction(self) -> Interaction | None:
        """The latest interaction other than a request for suggestions; for `repeat_interaction`."""
        return self.discord.interactions.latest

    def transcript(self, last: int | None = None) -> str:
        """A readable log of people's actions, the bot's responses, and REST calls with their status."""
        return self.journal.transcript(last)

    def allow(self, pattern: str) -> None:
        """Permit violations that match this regular expression anywhere."""
        self.journal.pardon(pattern)

    # the bot

    async def start_bot(
        self, module: str = "bot", *, env: Mapping[str, str] | None = None, token: str | None = None
    ) -> BotProcess:
        """Start `python -m <module>` through the launcher. Returns once it is connected and has registered commands.

        Its data folder is `DATA_DIR`, by default a temporary one that lasts as long as this playground. Raises
        RuntimeError with the end of its log if it exits before that.
        """
        # Another bot may already be connected, so count sessions.
        sessions_before = self.gateway.identified
        bot = await BotProcess.start(
            self.base_url,
            module,
            token=self.discord.token if token is None else token,
            env={"DATA_DIR": self._folder, **(env or {})},
            on_line=self._log_line,
        )
        self._bots.append(bot)
        self.discord.on_advance = bot.advance
        bot.ended.add_done_callback(lambda task: self._report_exit(bot))

        def ready() -> bool:
            listening = self.gateway.identified > sessions_before and bool(self.discord.all_commands())
            # Also check `running`, so that a bot that dies at once ends the wait.
            return listening or not bot.is_running

        try:
            await self.discord.notifier.until(ready)
        except TimeoutError:
            await bot.kill()
            raise RuntimeError(f"{module} was not ready in {HANG:g} s:\n{bot.tail()}") from None
        if not bot.is_running:
            raise RuntimeError(f"{module} ended with code {bot.returncode}:\n{bot.tail()}")
        return bot

    def _log_line(self, line: str) -> None:
        # Unlogged errors, such as one that ends the process, consist of a traceback only.
        if is_error(line) or line.startswith("Traceback (most recent call last)"):
            self.journal.blame(f"bot log: {line}")
        else:
            self.journal.say(f"    log: {line}")
        self.discord.notifier.notify()

    def _report_exit(self, bot: BotProcess) -> None:
        if not bot.expected_end:
            self.journal.blame(f"the bot ended by itself with code {bot.returncode}")
        # Another running process may still respond.
        if not any(other.is_running for other in self._bots):
            self.discord.interactions.abandon()
        self.discord.changed()

    # people

    def player(self, name: str, channel: str = "caravanserai") -> Player:
        """A person in a channel. A new person joins the guild first."""
        user = self.discord.world.user_named(name) or self.discord.add_member(name)
        return Player(self.discord, user, lambda: self.discord.world.channel_named(channel))

    def close_dms(self, name: str) -> None:
        """Turn off direct messages for this person (50007)."""
        user = self.discord.world.user_named(name)
        if user is None:
            raise ValueError(f"no user is called {name}")
        user.accepts_dms = False

    # places and permissions

    def channel(self, name: str) -> Channel:
        """A channel or thread by name. Raises ValueError if it does not exist."""
        channel = self.discord.world.channel_named(name)
        if channel is None:
            raise ValueError(f"there is no channel called {name}")
        return channel

    def add_channel(
        self, name: str, *, category: Channel | None = None, guild: int = 0, kind: ChannelKind = ChannelKind.TEXT
    ) -> Channel:
        """Create a channel, optionally in a category or in a server from `add_guild`."""
        parent = category.id if category else None
        new = Channel(self.discord.world.ids.next(), name, kind, parent_id=parent, branch=guild)
        return self.discord.open_channel(new)

    def add_guild(self, shard: int, count: int) -> int:
        """Add a server of a given shard, before the bot starts. It has the same people."""
        world = self.discord.world
        new = world.ids.next()
        # The next later id that belongs to this shard.
        new += (shard - (new >> SHARD_SHIFT)) % count << SHARD_SHIFT
        world.branches.append(new)
        return new

    def add_category(self, name: str) -> Channel:
        """Create a category for channels."""
        return self.discord.open_channel(Channel(self.discord.world.ids.next(), name, kind=ChannelKind.CATEGORY))

    def add_role(self, name: str, *permissions: str) -> Role:
        """Create a role with permissions such as MANAGE_GUILD."""
        return self.discord.add_role(Role(self.discord.world.ids.next(), name, permission_bits(*permissions)))

    def give_role(self, name: str, role: str) -> None:
        """Give a role to a person or the bot, both by name."""
        user, granted_role = self.discord.world.user_named(name), self.discord.world.role_named(role)
        if user is None or granted_role is None:
            raise ValueError(f"there is no {name}, or no role {role}")
        self.discord.give_role(user, granted_role)

    def leave(self, name: str) -> None:
        """Remove a person from the server."""
        user = self.discord.world.user_named(name)
        if user is None:
            raise ValueError(f"no user is called {name}")
        self.discord.remove_member(user)

    def add_foreign_channel(self, name: str) -> Channel:
        """Create a text channel in a server without the bot."""
        ids = self.discord.world.ids
        return self.discord.open_channel(Channel(ids.next(), name, outside=ids.next()))

    def install(self, name: str) -> None:
        """Install the app for this person's account, so that they can use it anywhere."""
        user = self.discord.world.user_named(name)
        if user is None:
            raise ValueError(f"no user is called {name}")
        user.installed = True

    def delete_channel(self, name: str) -> None:
        """Delete a channel or thread, as a moderator does."""
        self.discord.close_channel(self.channel(name))

    def delete_message(self, message: Seen) -> None:
        """Delete a message, as a moderator does."""
        self.discord.remove(message.record)

    def set_thread(self, name: str, *, archived: bool | None = None, locked: bool | None = None) -> None:
        """Archive or lock a thread, as a moderator does."""
        thread = self.channel(name)
        thread.archived = thread.archived if archived is None else archived
        thread.locked = thread.locked if locked is None else locked
        self.discord.change_channel(thread)

    def forbid(self, channel: str, *permissions: str, role: str | None = None) -> None:
        """Deny the bot, or a role, permissions such as ATTACH_FILES in one channel."""
        self._deny(channel, role, lambda denied: denied | permission_bits(*permissions))

    def permit(self, channel: str, *permissions: str, role: str | None = None) -> None:
        """Undo `forbid`."""
        self._deny(channel, role, lambda denied: denied & ~permission_bits(*permissions))

    def _deny(self, channel: str, role: str | None, change: Callable[[Permission], Permission]) -> None:
        world, place = self.discord.world, self.channel(channel)
        holder = world.role_named(role) if role else world.bot
        if holder is None:
            raise ValueError(f"there is no role {role}")
        before = place.overwrites.get(holder.id, Overwrite())
        self.discord.overwrite(place, allow=before.allow, deny=change(before.deny), whom=holder.id)

    # faults

    def fault(
        self,
        route: str,
        status: int | None = None,
        *,
        code: int = 0,
        message: str = "ordered",
        times: int | None = 1,
        after: bool = False,
        hang: bool | float = False,
        cut: bool = False,
        html: bool = False,
        retry_after: object = 0.05,
        is_global: bool = False,
        broken: str = "",
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> Fault:
        """Let the next requests to a route fail: `fault("POST /channels/*/messages", 502, after=True)`.

        With `after`, the request takes effect first. `times=None` lasts until `lift`. `hang` delays the response by
        that many seconds on the clock, or with True until `release`; `cut` closes the connection; `html` responds like
        a proxy; `broken` breaks the response to a served request in one of the ways in `BROKEN`,
        and `headers` adds headers to it. The result counts in `struck` how often the fault occurred.
        """
        more: dict[str, Any] = {
            "retry_after": retry_after,
            "is_global": is_global,
            "broken": broken,
            "headers": headers,
        }
        fault = Fault(route, status, code, message, times, after, hang, cut, html, **more)
        return self.discord.faults.order(fault)

    def vary(self, route: str, path: str, change: str, *, times: int | None = 1) -> Fault:
        """Vary the next events or responses of a route at one place: `vary("EVENT READY", "d.shard", "missing")`."""
        return self.discord.faults.order(Fault(route, times=times, oddity=Oddity(path, change)))

    def switch_on_activities(self) -> Json:
        """Add the Entry Point command, as Discord does when an operator enables Activities."""
        world = self.discord.world
        command = {
            "id": str(world.ids.next()),
            "application_id": str(world.bot.id),
            "version": str(world.ids.next()),
            "type": ENTRY_POINT,
            "name": "launch",
            "name_localizations": {"de": "starten"},
            "description": "",
            "handler": 2,
            "contexts": [0, 1, 2],
            "integration_types": [0, 1],
            "default_member_permissions": None,
        }
        world.commands.append(command)
        return command

    async def wait_for_fault(self, fault: Fault, times: int = 1) -> None:
        """Wait until a fault has occurred `times` times."""
        await self.discord.notifier.until(lambda: fault.struck >= times)

    def lift(self, route: str | None = None) -> None:
        """Cancel the faults ordered for a route, named as in `fault`, or all faults. Held requests stay held."""
        self.discord.faults.lift(route)

    def release(self, route: str | None = None) -> None:
        """Release the requests held on a route, or all held requests. Those of disconnected clients have no effect."""
        self.discord.faults.release(route)

    async def reset_token(self) -> None:
        """Invalidate the bot's token (REST 401, gateway 4004). Bots started afterward get the new one."""
        self.discord.token += "-reset"
        await self.gateway.close(4004)

    def grant_intents(self, *names: str) -> None:
        """Grant privileged intents, such as `grant_intents("GUILD_MEMBERS")`. None is granted by default."""
        for name in names:
            self.gateway.granted |= Intent[name]

    def repeat_interaction(self, interaction: Interaction | None = None) -> Interaction:
        """Deliver an interaction (default: the latest) again with the same id, and return it.

        `callbacks_tried` has the status of each of the bot's attempts to acknowledge it.
        """
        again = interaction or self.last_interaction
        if again is None:
            raise ValueError("no interaction yet")
        self.journal.say(f"again: {again.user.name} {again.label}")
        self.discord.deliver(again)
        return again
