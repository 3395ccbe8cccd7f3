"""Keeping the bot running beside the page: back after a crash, silent never."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from playground.botprocess import BotProcess, is_error

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 30.0
LONG_ENOUGH = 60.0
PATIENCE = 8.0
"""Seconds for the bot to leave, while a person waits after Ctrl-C."""


class BotSupervisor:
    """Starts the bot, and starts it again when a signal ended it.

    `on_error` gets each error line of the bot's log, `on_end` one sentence whenever the bot has ended. `ahead` returns
    by how many seconds the clock of a bot that starts now is ahead of the machine's.
    """

    def __init__(
        self,
        base_url: str,
        module: str,
        *,
        token: str,
        env: Mapping[str, str],
        log: Path,
        on_error: Callable[[str], None],
        on_end: Callable[[str], None],
        pause: float = FIRST_PAUSE,
        ahead: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._base_url = base_url
        self._module = module
        self._token = token
        self._env = env
        self._log = log
        self._on_error = on_error
        self._on_end = on_end
        self._first_pause = pause
        self._ahead = ahead
        self._bot: BotProcess | None = None
        self._task: asyncio.Task[None] | None = None
        self._leaving = asyncio.Event()

    def start(self) -> None:
        """Begin to keep the bot running."""
        self._task = asyncio.create_task(self._keep())

    @property
    def pid(self) -> int | None:
        """The process id of the bot that runs now."""
        return self._bot.pid if self._bot is not None and self._bot.running else None

    def advance(self, seconds: float) -> None:
        """Move the clock of the bot ahead, if it runs; one that starts later is told by `ahead`."""
        if self._bot is not None:
            self._bot.advance(seconds)

    async def stop(self) -> None:
        """End the bot for good; its last words still reach the log."""
        self._leaving.set()
        if self._bot is not None:
            await self._bot.stop(PATIENCE)
        if self._task is not None:
            await self._task

    async def _keep(self) -> None:
        pause = self._first_pause
        self._log.parent.mkdir(parents=True, exist_ok=True)
        with self._log.open("w", encoding="utf-8") as log:

            def hear(line: str) -> None:
                log.write(line + "\n")
                log.flush()
                if is_error(line):
                    self._on_error(line)

            while not self._leaving.is_set():
                since = time.monotonic()
                bot = self._bot = await BotProcess.start(
                    self._base_url,
                    self._module,
                    token=self._token,
                    env=self._env,
                    on_line=hear,
                    ahead=self._ahead(),
                )
                # `stop` may have come while the process was being started, and have found none to end
                if self._leaving.is_set():
                    await bot.stop(PATIENCE)
                code = await bot.ended
                if bot.expected_end:
                    return
                # it ended by itself, with a sentence about why: another start would end the same way
                if code >= 0:
                    self._on_end(self._farewell(bot, code))
                    return
                # only a bot that dies soon is restarted more and more slowly
                lived_long = time.monotonic() - since > LONG_ENOUGH
                pause = self._first_pause if lived_long else min(2 * pause, LONGEST_PAUSE)
                self._on_end(f"The bot was ended by signal {-code}; it starts again in {pause:g} seconds.")
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._leaving.wait(), pause)

    def _farewell(self, bot: BotProcess, code: int) -> str:
        last = next((line for line in reversed(bot.log) if line.strip()), "it said nothing")
        return f"The bot has stopped with code {code} ({last.strip()}); its whole log is in {self._log}."
