"""A bot without a gateway, in simulated time, whose requests fail in a chosen way; only the network is replaced."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Hashable, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import discord

from bot import worker
from bot.computers.thinkers import workers_of
from bot.features.deadlines.board_clocks import BoardClocks
from bot.features.services import Services
from bot.interactions.channels import Channels
from bot.interactions.servers import Servers
from bot.jobs.kinds import all_work
from bot.posting.pictures import Drawn, Pictures
from bot.store.jobs import Job, JobKind
from bot.store.matches import SeatHolder
from bot.store.store import Store
from bot.tables.table import Table
from bot.worker import Work
from engine.games import discover
from tests.crowd.database import in_memory
from tests.crowd.times import Time, Wheel

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
GUILD, CHANNEL, HOST, GUEST = 7, 2, 70, 71
LOOKS = 500
"""The worker has no reason to look more often at one moment."""

RUNNING: ContextVar[Hashable] = ContextVar("RUNNING", default=None)
"""The job that makes a request."""

Fault = Callable[[], Exception]


def refusal(status: int, code: int = 0, text: str = "no") -> discord.HTTPException:
    """The error of discord.py for a status; Discord answers with a code, a proxy on the way without one."""
    kind = {403: discord.Forbidden, 404: discord.NotFound, 503: discord.DiscordServerError}
    message = {"code": code, "message": text} if code else "<html>no</html>"
    return kind.get(status, discord.HTTPException)(SimpleNamespace(status=status, reason=text), message)


@dataclass
class Network:
    """All requests of a bot: they fail by `fault`, which stands for `cost` requests of discord.py, or succeed."""

    time: Time
    fault: Fault | None = None
    cost: int = 1
    spared: str | tuple[str, ...] = ""
    """The beginnings of the requests that succeed in spite of the fault."""
    sent: dict[Hashable, list[datetime]] = field(default_factory=lambda: defaultdict(list))
    """The times of the requests, for each job that makes them; `None`: outside of all jobs."""
    accepted: list[str] = field(default_factory=list)
    bodies: list[tuple[str, Any]] = field(default_factory=list)
    """The accepted requests with their addresses and what they sent."""
    answers: dict[str, Any] = field(default_factory=dict)
    """Answers other than the usual ones, by the name of the request."""

    async def request(self, route: discord.http.Route, **parameters: Any) -> Any:
        """Stand-in for `HTTPClient.request`."""
        await asyncio.sleep(0)
        name = f"{route.method} {route.path}"
        fails = self.fault is not None and not (self.spared and name.startswith(self.spared))
        self.sent[RUNNING.get()] += [self.time.now] * (self.cost if fails else 1)
        if fails and self.fault is not None:
            raise self.fault()
        self.accepted.append(name)
        self.bodies.append((f"{route.method} {route.url.removeprefix(route.BASE)}", _body(parameters)))
        return self.answers.get(name) or _answer(name)

    def most_in_an_hour(self) -> int:
        """The largest number of requests for one job within an hour, wherever that begins."""
        return max(map(_most_in_an_hour, self.sent.values()), default=0)


def _most_in_an_hour(times: Sequence[datetime]) -> int:
    first = most = 0
    for last, at in enumerate(times):
        while at - times[first] >= HOUR:
            first += 1
        most = max(most, last - first + 1)
    return most


def _track(work: Work) -> Work:
    """A copy of the work with requests counted for the job, or for all reminders of a user together."""

    async def run(job: Job) -> Job | None:
        RUNNING.set((job.kind, job.user_id) if job.kind is JobKind.REMINDER else job.key)
        return await work.run(job)

    return dataclasses.replace(work, run=run)


def _body(parameters: dict[str, Any]) -> Any:
    """The JSON of a request, also beside files."""
    form = {part["name"]: part["value"] for part in parameters.get("form") or ()}
    return json.loads(form["payload_json"]) if form else parameters.get("json")


def _answer(name: str) -> Any:
    user = {"id": "1", "username": "bot", "discriminator": "0", "avatar": None, "global_name": None}
    if name in ("GET /channels/{channel_id}/messages", "GET /guilds/{guild_id}/channels"):
        return []
    if name == "GET /channels/{channel_id}":
        return {"id": str(CHANNEL), "type": 1, "recipients": [user]}
    if name == "GET /guilds/{guild_id}/scheduled-events":
        return []
    if name == "POST /guilds/{guild_id}/scheduled-events":
        times = dict.fromkeys(("scheduled_start_time", "scheduled_end_time"), NOON.isoformat())
        return {
            "id": "9",
            "guild_id": str(GUILD),
            "name": "",
            "entity_type": 3,
            "privacy_level": 2,
            "status": 1,
            **times,
        }
    if name == "POST /users/@me/channels":
        return {"id": "900", "type": 1, "recipients": [user]}
    if "members" in name:
        return {"user": user, "roles": [], "joined_at": NOON.isoformat(), "deaf": False, "mute": False, "flags": 0}
    lists = ("mentions", "mention_roles", "attachments", "embeds", "components")
    times = {"timestamp": NOON.isoformat(), "edited_timestamp": None}
    flags = {"tts": False, "mention_everyone": False, "pinned": False, "content": "", "type": 0, "flags": 0}
    return {"id": "555", "channel_id": str(CHANNEL), "author": user} | times | flags | {name: [] for name in lists}


class BlankPictures(Pictures):
    """Pictures that show nothing, and what they were to show: the views, and whether with high contrast."""

    def __init__(self) -> None:
        super().__init__()
        self.drawings: list[tuple[Any, bool]] = []

    async def draw(self, view: Any, *_: Any, contrast: bool = False, **__: Any) -> Drawn:
        self.drawings.append((view, contrast))
        return Drawn(b"", "a.png", "a board")


class House:
    """A bot at work on its store, with one server that it knows."""

    def __init__(self, store: Store, time: Time) -> None:
        self.time, self.store, self.clock = time, store, Wheel(time)
        self.network = Network(time)
        client = discord.Client(intents=discord.Intents(guilds=True))
        http: Any = client.http
        http.request = self.network.request
        state: Any = client._connection
        guild: Any = {"id": str(GUILD), "name": "Home"}
        state._add_guild(discord.Guild(data=guild, state=state))
        servers = Servers(client, store)
        channels = Channels(client, servers, on_gone=lambda _: None, on_success=self._on_success)
        self.services = Services.of(
            channels,
            BlankPictures(),
            servers,
            store,
            self.clock,
            Path(),
            clocks=BoardClocks(store).changed_clocks,
            workers=workers_of("processes:1"),
            computer="uniform",
            stories=True,
            help_url="",
        )

    def _on_success(self) -> None:
        self.services.worker.retry_after_outage()

    def add_channel(self, channel_id: int) -> None:
        """Let the bot know a text channel of the server, without any permissions of its own."""
        guild = self.services.channels.server(GUILD)
        assert guild is not None
        data: Any = {"id": str(channel_id), "name": "games", "type": 0, "position": 0, "permission_overwrites": []}
        guild._add_channel(discord.TextChannel(state=guild._state, guild=guild, data=data))

    def let_make_events(self) -> None:
        """Let the bot be the owner of the server, so that it may make events."""
        guild: Any = self.services.channels.server(GUILD)
        user = {"id": "1", "username": "bot", "discriminator": "0", "avatar": None, "global_name": None}
        guild._state.user, guild.owner_id = discord.ClientUser(state=guild._state, data=user), 1
        everyone = {"id": str(GUILD), "name": "@everyone", "permissions": str(1 << 10), "color": 0, "position": 0}
        guild._add_role(discord.Role(guild=guild, state=guild._state, data=everyone | {"managed": False}))
        data = {"user": user, "roles": [], "joined_at": NOON.isoformat(), "deaf": False, "mute": False, "flags": 0}
        guild._add_member(discord.Member(data=data, guild=guild, state=guild._state))

    def successor(self) -> House:
        """The bot after a restart, with nothing in memory."""
        return House(self.store, self.time)

    async def begin(self) -> None:
        """Let the worker begin; it looks when `let_pass` says so."""
        work = {kind: _track(work) for kind, work in all_work(self.services).items()}
        await self.services.worker.start(work, _nothing)
        looking = self.services.worker._checking
        assert looking is not None
        looking.cancel()

    async def let_pass(self, time: timedelta) -> None:
        """Let all be done that is due within a time."""
        end = self.time.now + time
        # the checks that the worker makes without a due job would find nothing
        with patch.object(worker, "MAX_SLEEP", time.total_seconds()):
            while self.time.now < end:
                nap = await self._work()
                self.time.now = min(end, self.clock.next or end, self.time.now + max(nap, timedelta(milliseconds=1)))
                self.clock.ring()
            await self._work()

    async def _work(self) -> timedelta:
        jobs, tireless = self.store.jobs, self.services.worker
        for _ in range(LOOKS):
            jobs.asleep_until = None
            jobs.wake.clear()
            nap = timedelta(seconds=await tireless.start_due_jobs())
            jobs.asleep_until = self.clock.now() + nap
            while under_way := {*tireless._lanes.values(), *self.services.poster._under_way}:
                await asyncio.wait(under_way)
            if not jobs.wake.is_set():
                return nap
        raise AssertionError(f"{self.time.now}: the worker finds no rest")

    # --- what there is to be done ---

    async def lobby(self, channel_id: int = CHANNEL, *holders: SeatHolder, game: str = "sealed", **row: Any) -> Table:
        """A table with two people, or others."""
        people = holders or (SeatHolder(HOST, name="Ana"), SeatHolder(GUEST, name="Ben"))
        spec = discover()[game]
        place = {"guild_id": GUILD, "channel_id": channel_id, "options": {}, "host_id": HOST} | row
        return await self.services.lobbies.open_for(spec, people, **place)

    async def match(self, channel_id: int = CHANNEL, *holders: SeatHolder, game: str = "sealed", **row: Any) -> Table:
        """A game that has begun; its first board waits."""
        ready = [holder.user_id for holder in holders if holder.user_id] or [HOST, GUEST]
        table = await self.lobby(channel_id, *holders, game=game, **({"ready": ready} | row))
        await self.services.moves.start(table, 4711)
        return table

    async def posted(self, channel_id: int = CHANNEL, *holders: SeatHolder, game: str = "sealed", **row: Any) -> Table:
        """A game whose board was posted."""
        table = await self.match(channel_id, *holders, game=game, **row)
        fault, self.network.fault = self.network.fault, None
        await self.services.poster.post(table)
        self.network.fault = fault
        self.network.sent.clear()
        self.network.accepted.clear()
        return table

    async def put(self, job: Job) -> None:
        await self.store.jobs.put(job)


@asynccontextmanager
async def house() -> AsyncIterator[House]:
    """A bot whose worker has not begun."""
    async with in_memory() as database:
        opened = House(Store(database), Time(NOON))
        yield opened
        await opened.services.worker.close(grace=0)
        await opened.services.poster.close(grace=0)
        opened.services.pictures.close()


async def _nothing(_: datetime) -> None:
    """No work before the jobs."""
