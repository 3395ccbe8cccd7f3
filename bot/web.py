"""Two pages for monitoring: `/health`, and `/metrics` for Prometheus. They have numbers only, no names or secrets."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web
from prometheus_client import REGISTRY, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from bot.errors import StartError
from bot.features.admin.condition import Examiner


@asynccontextmanager
async def web_pages(examiner: Examiner, host: str, port: int) -> AsyncIterator[None]:
    """Serve the pages within the block. Raises `StartError` if the address cannot be used."""

    async def health(_: web.Request) -> web.Response:
        condition = await examiner.examine()
        body = {"well": not condition.faults, "faults": condition.faults, "servers": condition.servers}
        return web.json_response(body, status=503 if condition.faults else 200)

    async def metrics(_: web.Request) -> web.Response:
        await examiner.examine()
        return web.Response(body=generate_latest(REGISTRY), headers={"Content-Type": CONTENT_TYPE_LATEST})

    pages = web.Application()
    pages.add_routes([web.get("/health", health), web.get("/metrics", metrics)])
    # without an access log: requests every few seconds would fill it

    runner = web.AppRunner(pages, access_log=None)
    await runner.setup()
    try:
        await _listen(runner, host, port)
        yield
    finally:
        await runner.cleanup()


async def _listen(runner: web.AppRunner, host: str, port: int) -> None:
    try:
        await web.TCPSite(runner, host, port).start()
    except OSError as error:
        raise StartError(f"METRICS={host}:{port} cannot be served: {error.strerror}. Choose another port.") from None
