"""The gateway: sessions, heartbeats, dispatches with a replay buffer, and connection failures."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum, IntFlag
from typing import Any

import orjson
from aiohttp import WSCloseCode, WSMsgType, web

from playground.clock import Clock
from playground.faults import Faults
from playground.oddities import Oddity
from playground.wire import SHARD_SHIFT, Json

ACK_DELAY = 0.05
"""Delay of a heartbeat's acknowledgment in seconds, so that discord.py can record the heartbeat first."""

HEARTBEAT_MS = 41_250  # discord.py gives up on a socket that is silent for 60 s
LATE_DELAY = 20.0
"""Delay of a late event in seconds: longer than any wait for a response."""

MAX_REPLAY = 5_000
# Discord closes a connection with 4008 after 120 events in a minute.
EVENTS_PER_MINUTE = 120
# https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes
FINAL_CODES = frozenset({4004, *range(4010, 4015)})
"""Close codes after which a session cannot be resumed."""


class Op(IntEnum):
    """Gateway opcodes."""

    # https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-opcodes
    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    PRESENCE = 3
    VOICE_STATE = 4
    RESUME = 6
    RECONNECT = 7
    REQUEST_MEMBERS = 8
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class Intent(IntFlag):
    """Kinds of events that a bot can subscribe to. Privileged ones must be granted."""

    # https://discord.com/developers/docs/events/gateway#list-of-intents
    NONE = 0
    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    GUILD_PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    GUILD_REACTIONS = 1 << 10
    DM_MESSAGES = 1 << 12
    DM_REACTIONS = 1 << 13
    MESSAGE_CONTENT = 1 << 15


PRIVILEGED = Intent.GUILD_MEMBERS | Intent.GUILD_PRESENCES | Intent.MESSAGE_CONTENT


class Refused(Exception):
    """A protocol violation by the client; its socket is closed with `code`."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


@dataclass(eq=False)
class Session:
    """A session, started by IDENTIFY. It outlives its connection, so that it can be resumed."""

    intents: int
    shard: tuple[int, int]
    id: str = field(default_factory=lambda: secrets.token_hex(16))
    seq: int = 0
    sent: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=MAX_REPLAY))
    connection: Connection | None = None

    def wants(self, intent: Intent) -> bool:
        """Whether the bot subscribed to this intent. Events with NONE go to every session."""
        return not intent or bool(self.intents & intent)

    def serves(self, guild_id: int) -> bool:
        """Whether a server's events belong to this shard. Events without a server go to shard 0."""
        number, count = self.shard
        return (guild_id >> SHARD_SHIFT) % count == number

    def dispatch(self, event: str, data: Json, oddity: Oddity | None = None) -> None:
        """Number the event, keep it for a replay and, if a socket is connected, send it, possibly varied."""
        self.seq += 1
        frame = {"op": Op.DISPATCH, "t": event, "s": self.seq, "d": data}
        text = orjson.dumps(frame).decode()
        self.sent.append((self.seq, text))
        if self.connection:
            self.connection.send_text(oddity.encode(frame) if oddity else text)

    def can_replay(self, seq: int) -> bool:
        """Whether all events after `seq` are still available."""
        # The client has received everything up to `seq`, so the next event is the first one needed.
        oldest = self.sent[0][0] if self.sent else self.seq + 1
        return oldest - 1 <= seq <= self.seq


class Connection:
    """A socket with an ordered outbox, so that a dispatch never blocks on the network."""

    def __init__(self, socket: web.WebSocketResponse, transport: asyncio.Transport | None) -> None:
        self.socket = socket
        self.closed_here = False
        self._transport = transport
        self._outbox: asyncio.Queue[str | bytes] = asyncio.Queue()
        self._writer = asyncio.create_task(self._write())

    def send(self, op: Op, data: Any = None, oddity: Oddity | None = None) -> None:
        """Queue a frame other than a dispatch."""
        frame = {"op": op, "d": data, "s": None, "t": None}
        self.send_text(oddity.encode(frame) if oddity else orjson.dumps(frame).decode())

    def send_text(self, text: str | bytes) -> None:
        """Queue an encoded frame."""
        self._outbox.put_nowait(text)

    async def close(self, code: int, reason: str = "") -> None:
        self.stop()
        self.closed_here = True
        await self.socket.close(code=code, message=reason.encode())

    def hang_up(self) -> None:
        """Cut the connection without a closing handshake, like a network failure."""
        self.stop()
        if self._transport:
            self._transport.abort()

    def stop(self) -> None:
        """Stop sending."""
        self._writer.cancel()

    async def _write(self) -> None:
        while True:
            text = await self._outbox.get()
            try:
                # Never compressed, even on request: discord.py accepts text frames too.
                await (self.socket.send_str(text) if isinstance(text, str) else self.socket.send_bytes(text))
            except ConnectionError:
                return  # the reader notices and cleans up


class Gateway:
    """All sessions of the bot. `greet` returns READY and the events after it."""

    def __init__(
        self,
        clock: Clock,
        faults: Faults,
        *,
        greet: Callable[[Session], list[tuple[str, Json]]],
        members: Callable[[Json], Json],
        blame: Callable[[str], None],
        token: Callable[[], str],
    ) -> None:
        self._clock = clock
        self._faults = faults
        self._greet = greet
        self._members = members
        self._blame = blame
        self._token = token
        self._sessions: dict[str, Session] = {}
        self._connections: set[Connection] = set()
        self._behind: list[Callable[[], None]] = []
        self._closing: set[asyncio.Task[None]] = set()
        self.granted = Intent.NONE
        self.identified = 0
        self.resumed = 0
        self.on_change: Callable[[], None] = lambda: None

    @property
    def is_connected(self) -> bool:
        """Whether a bot is connected."""
        return any(session.connection for session in self._sessions.values())

    def dispatch(self, event: str, data: Json, intent: Intent = Intent.NONE) -> None:
        """Send an event to every session with its intent and its server's shard."""
        self.dispatch_each(event, intent, lambda _: data)

    def dispatch_each(self, event: str, intent: Intent, data: Callable[[Session], Json]) -> None:
        """Send an event like `dispatch`, with data that depends on the session."""

        fault = self._faults.strike("EVENT", event)

        def send() -> None:
            for session in self._sessions.values():
                payload = data(session)
                # On Discord, events without a server, such as those of direct messages, go to shard 0.
                guild_id = payload["id"] if event in ("GUILD_CREATE", "GUILD_DELETE") else payload.get("guild_id")
                if session.wants(intent) and session.serves(int(guild_id or 0)):
                    session.dispatch(event, payload, fault.oddity if fault else None)

        self._deliver(send, fault.fate if fault else "")

    def _deliver(self, send: Callable[[], None], fate: str) -> None:
        """Send an event according to its fate, then those that were delayed behind it."""
        # Swapped before sending: an event that is delayed behind the next must not wait for itself.
        behind, self._behind = self._behind, []
        if fate == "late":
            self._clock.call_later(LATE_DELAY, send)
        elif fate == "behind the next":
            self._behind.append(send)
        elif fate != "lost":
            for _ in range(2 if fate == "twice" else 1):
                send()
        for sends in behind:
            sends()
        self._break(fate)

    def _break(self, fate: str) -> None:
        """Apply the part of a fate that affects the connection."""
        if fate in ("resumable", "invalid"):
            self.invalidate(resumable=fate == "resumable")
        elif fate == "reconnect":
            self.reconnect()
        elif fate == "deaf":
            # No heartbeats either, until the bot reconnects.
            for connection in self._connections:
                connection.stop()
        elif fate.isdigit():
            closing = asyncio.create_task(self.close(int(fate)))
            # keep a reference, since the event loop has only weak references to tasks
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)
        elif fate in ("hang up", "forgotten"):
            if fate == "forgotten":
                self.forget()
            self.hang_up()

    def reconnect(self) -> None:
        """Ask the bot to reconnect and resume (op 7)."""
        self._send_to_all(Op.RECONNECT)

    def invalidate(self, *, resumable: bool) -> None:
        """Declare the sessions invalid (op 9)."""
        self._send_to_all(Op.INVALID_SESSION, resumable)
        if not resumable:
            self._sessions.clear()

    async def close(self, code: int) -> None:
        """Close every socket with this code. Sessions stay resumable unless the code is final."""
        if code in FINAL_CODES:
            self._sessions.clear()
        for connection in list(self._connections):
            await connection.close(code)

    def hang_up(self) -> None:
        """Cut every connection, like a network failure."""
        for connection in list(self._connections):
            connection.hang_up()

    def forget(self) -> None:
        """Lose all sessions, as after a long outage: the next RESUME gets op 9."""
        self._sessions.clear()

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one connection from HELLO to its end."""
        # No limit: Discord, not aiohttp, decides how large a frame may be.
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(request)
        connection = Connection(socket, request.transport)
        self._connections.add(connection)
        # The bot counts real seconds, but this clock may be faster.
        interval = round(HEARTBEAT_MS / self._clock.rate)
        connection.send(Op.HELLO, {"heartbeat_interval": interval}, self._oddity("HELLO"))
        try:
            await self._listen(connection)
        except Refused as refusal:
            self._blame(f"gateway closed with {refusal.code}: {refusal}")
            await connection.close(refusal.code, str(refusal))
        finally:
            connection.stop()
            self._connections.discard(connection)
            self._detach(connection)
        return socket

    async def _listen(self, connection: Connection) -> None:
        session: Session | None = None
        # One more than allowed: the first and the last tell whether a minute has passed.
        recent: deque[float] = deque(maxlen=EVENTS_PER_MINUTE + 1)
        async for frame in connection.socket:
            if frame.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                continue
            recent.append(self._clock.now())
            if len(recent) > EVENTS_PER_MINUTE and recent[-1] - recent[0] < 60:
                raise Refused(4008, "more than 120 gateway events in a minute")
            session = self._receive(connection, session, _parse(frame.data))

    def _receive(self, connection: Connection, session: Session | None, frame: Json) -> Session | None:
        data = frame.get("d")
        match frame.get("op"):
            case Op.HEARTBEAT:
                # On the event loop rather than `Clock`, since `advance` would acknowledge it too soon.
                asyncio.get_running_loop().call_later(ACK_DELAY, connection.send, Op.HEARTBEAT_ACK)
            case Op.IDENTIFY:
                if session:
                    raise Refused(4005, "IDENTIFY sent twice")
                return self._identify(connection, data or {})
            case Op.RESUME:
                return self._resume(connection, data or {})
            case Op.PRESENCE | Op.VOICE_STATE if session:
                pass
            case Op.REQUEST_MEMBERS if session:
                session.dispatch("GUILD_MEMBERS_CHUNK", self._members(data or {}))
            case Op.PRESENCE | Op.VOICE_STATE | Op.REQUEST_MEMBERS:
                raise Refused(4003, "sent before IDENTIFY")
            case other:
                raise Refused(4001, f"unknown opcode {other}")
        return session

    def _identify(self, connection: Connection, data: Json) -> Session:
        self._check_token(data)
        intents = int(data.get("intents", 0))
        # With 4014 the bot stops: discord.py raises `PrivilegedIntentsRequired`.
        if intents & PRIVILEGED & ~self.granted:
            raise Refused(4014, f"privileged intents that are not granted: {Intent(intents & PRIVILEGED)!r}")
        number, count = data.get("shard") or (0, 1)
        if not 0 <= number < count:
            raise Refused(4010, f"no shard {number} of {count}")
        # A new IDENTIFY ends the shard's old sessions, except connected ones: two bots may run side by side.
        self._sessions = {key: old for key, old in self._sessions.items() if old.shard[0] != number or old.connection}
        session = Session(intents, (number, count))
        session.connection = connection
        self._sessions[session.id] = session
        for event, payload in self._greet(session):
            session.dispatch(event, payload, self._oddity(event))
        self.identified += 1
        self.on_change()
        return session

    def _resume(self, connection: Connection, data: Json) -> Session | None:
        self._check_token(data)
        session = self._sessions.get(str(data.get("session_id")))
        seq = int(data.get("seq") or 0)
        # `False` means not resumable: discord.py identifies again after 5 s.
        if session is None or not session.can_replay(seq):
            connection.send(Op.INVALID_SESSION, False)
            return None
        # The old connection may hang and still look open.
        if session.connection:
            session.connection.stop()
        session.connection = connection
        for number, text in session.sent:
            if number > seq:
                connection.send_text(text)
        session.dispatch("RESUMED", {"_trace": []}, self._oddity("RESUMED"))
        self.resumed += 1
        self.on_change()
        return session

    def _oddity(self, event: str) -> Oddity | None:
        """The oddity ordered for an event at the start of a connection."""
        fault = self._faults.strike("EVENT", event, odd_only=True)
        return fault.oddity if fault else None

    def _check_token(self, data: Json) -> None:
        if str(data.get("token", "")).removeprefix("Bot ") != self._token():
            raise Refused(4004, "authentication failed")

    def _send_to_all(self, op: Op, data: Any = None) -> None:
        for connection in self._connections:
            connection.send(op, data)

    def _detach(self, connection: Connection) -> None:
        for key, session in list(self._sessions.items()):
            if session.connection is connection:
                session.connection = None
                # discord.py closes with 1000 only to leave; all other closes can be resumed
                if not connection.closed_here and connection.socket.close_code in (
                    WSCloseCode.OK,
                    WSCloseCode.GOING_AWAY,
                ):
                    del self._sessions[key]  # the client left, so the session is over
        self.on_change()


def _parse(raw: str | bytes) -> Json:
    try:
        frame = json.loads(raw)
    except ValueError:
        raise Refused(4002, "frame is not JSON") from None
    if not isinstance(frame, dict):
        raise Refused(4002, "frame is not an object")
    return frame
