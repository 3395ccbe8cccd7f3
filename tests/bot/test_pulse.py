"""The sign of life that a container is watched by."""

from __future__ import annotations

from tests.bot.inn import Inn


async def next_sign(inn: Inn, after: int) -> int:
    """When the next sign was given, in nanoseconds; it comes every half a minute."""
    sign = inn.folder / "alive"
    for _ in range(10):  # a worker thread gives it, which may be late
        await inn.let_pass(30)
        if sign.exists() and sign.stat().st_mtime_ns > after:
            return sign.stat().st_mtime_ns
    raise AssertionError("no sign of life")


async def test_there_is_a_sign_of_life_again_and_again(inn: Inn) -> None:
    await next_sign(inn, await next_sign(inn, 0))
