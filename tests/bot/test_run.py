"""`python -m bot` ends with the error inside, or without one."""

from __future__ import annotations

import asyncio
import gc
import math
import re
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot import __main__ as program
from bot import metrics
from bot.config import Config
from bot.errors import StartError, StopError
from bot.store.failures import REMEDY, DatabaseUnavailable, FailureKind


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


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (StartError("No token."), "Caravanserai cannot start. No token."),
        (StopError("The roof leaks."), "Caravanserai has to stop. The roof leaks."),
        (
            DatabaseUnavailable(FailureKind.FULL, "full"),
            f"Caravanserai has to stop. DB-FULL: full. {REMEDY[FailureKind.FULL]}",
        ),
        (KeyboardInterrupt(), None),
        (asyncio.CancelledError(), None),
    ],
)
def test_the_program_ends_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, sentence: str | None
) -> None:
    steps: list[object] = []
    settings = Config("token", tmp_path, "sqlite:///x", "processes:1", "uniform", "ERROR", log_format="json")

    async def run(given: Config) -> None:
        steps.append(("run", given))
        raise error

    monkeypatch.setattr(program.config, "load", lambda environ: settings)
    monkeypatch.setattr(program.logs, "set_up", lambda *options: steps.append(options))
    monkeypatch.setattr(program.installation, "check", steps.append)
    monkeypatch.setattr(program.os, "umask", steps.append)
    monkeypatch.setattr(program.gc, "freeze", lambda: steps.append("frozen"))
    monkeypatch.setattr(program, "_run", run)
    if sentence is None:
        program.main()
    else:
        with pytest.raises(SystemExit, match=re.escape(sentence)):
            program.main()
    assert ["frozen", 0o077, ("ERROR", "json"), tmp_path, ("run", settings)] == steps


@pytest.mark.parametrize(("arguments", "code"), [(["--help"], 0), (["start"], 2)])
def test_the_program_has_no_arguments_but_explains_itself(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int
) -> None:
    monkeypatch.setattr(program.config, "load", lambda _: pytest.fail("it began"))
    with pytest.raises(SystemExit) as end:
        program.main(arguments, "caravanserai run")
    output = capsys.readouterr()
    assert (code, True) == (end.value.code, "usage: caravanserai run" in output.out + output.err)
    assert (code == 0) == ("Run the bot until it is stopped." in output.out)


class Naps:
    """A clock that ends the task after some pauses."""

    def __init__(self, most: int) -> None:
        self.most, self.pauses = most, list[float]()

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        if len(self.pauses) == self.most:
            raise asyncio.CancelledError


@pytest.mark.parametrize(("latency", "is_alive"), [(0.05, True), (math.inf, False), (math.nan, False)])
async def test_the_sign_of_life_is_touched_while_the_bot_is_connected(
    tmp_path: Path, latency: float, is_alive: bool
) -> None:
    client: Any = SimpleNamespace(latency=latency)
    clock: Any = Naps(2)
    with pytest.raises(asyncio.CancelledError):
        await program._heartbeat(client, clock, tmp_path / "alive")
    assert ([30, 30], is_alive) == (clock.pauses, (tmp_path / "alive").exists())
    with pytest.raises(asyncio.CancelledError):
        await program._heartbeat(client, Naps(1), tmp_path / "no folder" / "alive")  # type: ignore[arg-type]  # a clock


async def test_the_lag_of_the_event_loop_is_measured_at_intervals() -> None:
    before, clock = metrics.count(metrics.LAG), Naps(4)
    with pytest.raises(asyncio.CancelledError):
        await program._measure_lag(clock)  # type: ignore[arg-type]  # a clock
    assert ([0, 1, 0, 1], 2) == (clock.pauses, metrics.count(metrics.LAG) - before)


def test_the_pages_for_monitoring_are_optional(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[object] = []
    monkeypatch.setattr("bot.web.web_pages", lambda examiner, *address: calls.append(address))
    monkeypatch.setattr(program, "Examiner", lambda *parts: parts)
    client: Any = SimpleNamespace(services=SimpleNamespace(store="store"))
    for address in ("", "::1:9464"):
        settings = Config("token", tmp_path, "sqlite:///x", "processes:1", "uniform", "INFO", metrics=address)
        program._pages(client, None, settings)  # type: ignore[arg-type]  # no clock
    assert [("::1", 9464)] == calls
