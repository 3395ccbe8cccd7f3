"""A bot without discord.py, for protocol tests: a gateway socket and plain REST calls."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

import aiohttp

from playground.harness import Playground
from playground.notifier import HANG
from playground.wire import TOKEN

GUILDS_AND_MESSAGES = 1 | 1 << 9 | 1 << 12


class RawBot:
    """Identifies on entering; `events` has every dispatch in order."""

    def __init__(self, local: Playground, *, intents: int = GUILDS_AND_MESSAGES, token: str = TOKEN) -> None:
        self._local = local
        self._token = token
        self.intents = intents
        self.events: list[tuple[str, Any]] = []
        self.other: list[dict[str, Any]] = []
        self.seq: int | None = None
        self._arrived = asyncio.Condition()

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession()
        await self.connect()
        await self.send(2, {"token": self._token, "intents": self.intents, "properties": {}})
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._reader.cancel()
        await self.socket.close()
        await self._session.close()

    async def connect(self) -> None:
        """Open a socket. HELLO is the first frame in `other`."""
        self.socket = await self._session.ws_connect(self._local.base_url + "/gateway/?v=10&encoding=json")
        self._reader = asyncio.create_task(self._read(self.socket))

    async def send(self, op: int, data: Any) -> None:
        await self.socket.send_json({"op": op, "d": data})

    async def event(self, name: str, fits: Callable[[Any], bool] = lambda data: True) -> Any:
        """Wait for the first dispatch with this name, which may have arrived already."""

        def search() -> Any:
            return next((data for event, data in self.events if event == name and fits(data)), None)

        return await self._wait(search)

    async def opcode(self, op: int) -> dict[str, Any]:
        """Wait for the first frame with this opcode, which may have arrived already."""
        frame: dict[str, Any] = await self._wait(lambda: next((f for f in self.other if f["op"] == op), None))
        return frame

    async def closed(self) -> int | None:
        """Wait until the socket is closed, and return the close code."""
        await asyncio.wait_for(self._reader, HANG)
        return self.socket.close_code

    async def rest(self, method: str, path: str, body: Any = None, *, token: str | None = None) -> tuple[int, Any]:
        """Send a JSON request. Returns status and response."""
        headers = {"Authorization": f"Bot {token or self._token}"}
        async with self._session.request(
            method, f"{self._local.base_url}/api/v10{path}", json=body, headers=headers
        ) as response:
            text = await response.text()
            return response.status, json.loads(text) if text else None

    async def answer(self, interaction: Any, kind: int, data: Any = None) -> tuple[int, Any]:
        """Send an initial response to an INTERACTION_CREATE."""
        path = f"/interactions/{interaction['id']}/{interaction['token']}/callback?with_response=1"
        return await self.rest("POST", path, {"type": kind, **({"data": data} if data is not None else {})})

    async def webhook(self, interaction: Any, method: str, rest: str, body: Any = None) -> tuple[int, Any]:
        """Call an interaction's webhook: `webhook(i, "PATCH", "/messages/@original", {...})`."""
        return await self.rest(method, f"/webhooks/{interaction['application_id']}/{interaction['token']}{rest}", body)

    async def register(self, *commands: dict[str, Any]) -> None:
        """Register slash commands."""
        ready = await self.event("READY")
        plain = [{"description": "A command", **command} for command in commands]
        status, _ = await self.rest("PUT", f"/applications/{ready['application']['id']}/commands", plain)
        assert status == 200

    async def _wait(self, look: Callable[[], Any]) -> Any:
        async with asyncio.timeout(HANG), self._arrived:
            await self._arrived.wait_for(lambda: look() is not None)
        return look()

    async def _read(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        async for frame in socket:
            message = json.loads(frame.data)
            async with self._arrived:
                if message["op"] == 0:
                    self.seq = message["s"]
                    self.events.append((message["t"], message["d"]))
                else:
                    self.other.append(message)
                self._arrived.notify_all()
