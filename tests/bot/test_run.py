"""`python -m bot` ends with the error inside, or without one."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import AsyncIterator

import pytest

from bot import __main__ as program
from bot.config import Config
from bot.errors import StopError


@pytest.fixture(autouse=True)
async def left_as_it_was() -> AsyncIterator[None]:
    yield
    asyncio.get_running_loop().remove_signal_handler(signal.SIGTERM)
    gc.enable()


@pytest.mark.parametrize("trouble", [None, StopError("the roof leaks")])
async def test_an_error_inside_the_client_is_raised(tmp_path, monkeypatch, trouble):
    async def stay(client, _token, *, pause):
        client.start_error = trouble

    monkeypatch.setattr(program, "stay_connected", stay)
    run = program._run(
        Config("token", tmp_path, f"sqlite:///{tmp_path}/caravanserai.db", "processes:1", "uniform", "INFO")
    )
    if trouble is None:
        await run
    else:
        with pytest.raises(StopError, match="roof"):
            await run
