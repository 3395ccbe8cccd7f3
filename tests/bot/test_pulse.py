"""The sign of life that a container is watched by."""

from __future__ import annotations

from tests.bot.app import App


async def next_sign(app: App, after: int) -> int:
    """The time of the next sign, in nanoseconds; one comes every half a minute."""
    sign = app.folder / "alive"
    for _ in range(10):  # a worker thread gives it, which may be late
        await app.let_pass(30)
        if sign.exists() and sign.stat().st_mtime_ns > after:
            return sign.stat().st_mtime_ns
    raise AssertionError("no sign of life")


async def test_the_heartbeat_is_updated_repeatedly(app: App) -> None:
    await next_sign(app, await next_sign(app, 0))
