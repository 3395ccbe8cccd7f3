"""Keep the bot running beside the page, restart it after a crash, and report why it is away."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from playground.botprocess import BotProcess, is_error

FIRST_PAUSE = 1.0
MAX_PAUSE = 30.0
STABLE_AFTER = 60.0
PATIENCE = 8.0
"""Seconds that the bot has to exit after Ctrl-C, while a person waits."""


class BotSupervisor:
    """Starts the bot, and restarts it if a signal ended it.

    `on_error` gets each error line of the bot's log, `on_end` a sentence after each exit. `ahead` returns the offset in
    seconds of a new bot's clock from the system's.
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
        self._stopping = asyncio.Event()

    def start(self) -> None:
        """Start the bot and keep it running."""
        self._task = asyncio.create_task(self._run())

    @property
    def pid(self) -> int | None:
        """The process id of the running bot, if any."""
        return self._bot.pid if self._bot is not None and self._bot.is_running else None

    def advance(self, seconds: float) -> None:
        """Advance the clock of the running bot. A bot started later gets the offset from `ahead`."""
        if self._bot is not None:
            self._bot.advance(seconds)

    async def restart(self) -> None:
        """Stop the bot and start it again at once, also if it has stopped by itself."""
        if self._task is None or self._task.done():
            self.start()
        elif self._bot is not None:
            await self._bot.stop(PATIENCE)

    async def stop(self) -> None:
        """Stop the bot for good. Its last lines still reach the log."""
        self._stopping.set()
        if self._bot is not None:
            await self._bot.stop(PATIENCE)
        if self._task is not None:
            await self._task

    async def _run(self) -> None:
        pause = self._first_pause
        self._log.parent.mkdir(parents=True, exist_ok=True)
        with self._log.open("w", encoding="utf-8") as log:

            def on_line(line: str) -> None:
                log.write(line + "\n")
                log.flush()
                if is_error(line):
                    self._on_error(line)

            while not self._stopping.is_set():
                since = time.monotonic()
                bot = self._bot = await BotProcess.start(
                    self._base_url,
                    self._module,
                    token=self._token,
                    env=self._env,
                    on_line=on_line,
                    ahead=self._ahead(),
                )
                # `stop` may have been called during the start, before there was a process to end.
                if self._stopping.is_set():
                    await bot.stop(PATIENCE)
                code = await bot.ended
                if self._stopping.is_set():
                    return
                if bot.expected_end:
                    continue
                # It exited by itself and logged why; a restart would end the same way.
                if code >= 0:
                    self._on_end(self._exit_message(bot, code))
                    return
                # The pause grows only for a bot that dies soon after its start.
                lived_long = time.monotonic() - since > STABLE_AFTER
                pause = self._first_pause if lived_long else min(2 * pause, MAX_PAUSE)
                self._on_end(f"The bot was ended by signal {-code}; it starts again in {pause:g} seconds.")
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._stopping.wait(), pause)

    def _exit_message(self, bot: BotProcess, code: int) -> str:
        last = next((line for line in reversed(bot.log) if line.strip()), "it logged nothing")
        return f"The bot has stopped with code {code} ({last.strip()}); its whole log is in {self._log}."
