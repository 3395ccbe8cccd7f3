"""The loopback port: gateway, REST, files and the page at one address."""

from __future__ import annotations

import errno
from email.utils import formatdate
from functools import lru_cache

from aiohttp import web

from playground import rest
from playground.local import LocalDiscord
from playground.web import mount as mount_page

# Never a name or 0.0.0.0: only people on this machine may act here.
HOST = "127.0.0.1"


class PortTaken(Exception):
    """Another process listens on the requested port."""


class Server:
    """Serves a LocalDiscord; its `base_url` is set by `start`."""

    def __init__(self, local: LocalDiscord) -> None:
        self._local = local
        self._runner: web.AppRunner | None = None

    async def start(self, port: int) -> str:
        """Listen on loopback (0 picks a free port) and return the address. Raises PortTaken."""
        app = web.Application(client_max_size=rest.BODY_LIMIT)
        app.on_response_prepare.append(self._date)
        app.router.add_get("/gateway/", self._local.gateway.serve)
        app.router.add_get("/attachments/{channel_id}/{attachment_id}/{filename}", self._serve_file)
        app.router.add_get("/emojis/{emoji_id}", self._serve_emoji)
        rest.mount(app, self._local)
        mount_page(app, self._local)
        # By default, aiohttp waits 60 s for open connections, and the page never closes its own.
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        site = web.TCPSite(self._runner, HOST, port)
        try:
            await site.start()
        except OSError as error:
            await self._runner.cleanup()
            if error.errno != errno.EADDRINUSE:
                raise
            raise PortTaken(port) from None
        bound = self._runner.addresses[0][1]
        self._local.base_url = f"http://{HOST}:{bound}"
        return self._local.base_url

    async def stop(self) -> None:
        """Close every connection."""
        self._local.close()
        # 1001 (going away) lets the bot resume when the playground is back.
        await self._local.gateway.close(1001)
        if self._runner is not None:
            await self._runner.cleanup()

    async def _date(self, _: web.Request, response: web.StreamResponse) -> None:
        """Set the Date header by the local Discord's clock, which may be ahead of the system's."""
        response.headers["Date"] = _http_date(int(self._local.clock.now()))

    async def _serve_emoji(self, request: web.Request) -> web.Response:
        key = request.match_info["emoji_id"]
        emoji = self._local.world.emojis.get(int(key)) if key.isdecimal() and len(key) < 20 else None
        if emoji is None:
            raise web.HTTPNotFound
        headers = {"Cache-Control": "private, max-age=31536000, immutable"}
        return web.Response(body=emoji.image, content_type="image/png", headers=headers)

    async def _serve_file(self, request: web.Request) -> web.Response:
        attachment = self._local.world.attachment(request.match_info["channel_id"], request.match_info["attachment_id"])
        if attachment is None:
            raise web.HTTPNotFound
        return web.Response(
            body=attachment.data,
            content_type=attachment.content_type,
            headers={"Cache-Control": "private, max-age=31536000, immutable"},
        )


@lru_cache(maxsize=1)
def _http_date(second: int) -> str:
    return formatdate(second, usegmt=True)
