"""The bot as a separate process, started through the launcher, with its log captured."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections import deque
from collections.abc import Callable, Mapping

from playground.notifier import HANG
from playground.wire import TOKEN_VARIABLE

MAX_LOG_LINES = 2_000
# discord.py's own log format has brackets.
_LEVEL = re.compile(r"^\[?[\d-]+ [\d:,.]+\]? \[?(ERROR|CRITICAL)\b")
# asyncio's default limit of 64 KiB per line would stop the reader at a long traceback.
_FIRST_LINE_LIMIT = 1 << 20


def is_error(line: str) -> bool:
    """Whether a log line has level ERROR or CRITICAL."""
    return bool(_LEVEL.match(line))


class BotProcess:
    """A bot process. `log` has its latest lines; `ended` is a task that returns its exit code."""

    def __init__(self, process: asyncio.subprocess.Process, on_line: Callable[[str], None]) -> None:
        self._process = process
        self._on_line = on_line
        self.log: deque[str] = deque(maxlen=MAX_LOG_LINES)
        self.expected_end = False
        self.ended = asyncio.create_task(self._follow())

    @classmethod
    async def start(
        cls,
        base_url: str,
        module: str,
        *,
        token: str,
        env: Mapping[str, str],
        on_line: Callable[[str], None] = lambda line: None,
        ahead: float = 0.0,
    ) -> BotProcess:
        """Run `python -m playground.launch <base> <module>` with additional environment variables.

        Its clock is `ahead` seconds ahead of the system's. `env` must contain `DATA_DIR`, where its database goes,
        regardless of the inherited environment or a `.env` file.
        """
        database = f"sqlite:///{env['DATA_DIR']}/caravanserai.db"
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "playground.launch",
            base_url,
            module,
            "--with-parent",
            f"--ahead={ahead}",
            env={**os.environ, "PYTHONUNBUFFERED": "1", "DATABASE_URL": database, **env, TOKEN_VARIABLE: token},
            # the pipe closes when this process dies, which ends the bot (`launch --with-parent`)
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            limit=_FIRST_LINE_LIMIT,
            start_new_session=True,  # Ctrl-C reaches only the playground, which then stops the bot
        )
        return cls(process, on_line)

    @property
    def pid(self) -> int:
        """The bot's process id."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether the process is still running."""
        return not self.ended.done()

    @property
    def returncode(self) -> int | None:
        """None while it runs; negative if a signal ended it."""
        return self._process.returncode

    def tail(self, lines: int = 25) -> str:
        """The last lines of its log."""
        return "\n".join(list(self.log)[-lines:])

    def advance(self, seconds: float) -> None:
        """Advance its clock."""
        if self.is_running and self._process.stdin is not None:
            self._process.stdin.write(f"{seconds}\n".encode())

    async def kill(self) -> None:
        """Send SIGKILL, as in a power failure."""
        await self._end(self._process.kill)

    async def stop(self, patience: float = HANG) -> None:
        """Send SIGTERM and wait; send SIGKILL after `patience` seconds."""
        try:
            async with asyncio.timeout(patience):
                await self._end(self._process.terminate)
        except TimeoutError:
            await self.kill()

    async def _end(self, signal: Callable[[], None]) -> None:
        self.expected_end = True
        if self._process.returncode is None:
            signal()
        # A caller's timeout must not stop the log reader.
        await asyncio.shield(self.ended)

    async def _follow(self) -> int:
        """Read the output to the end and return the exit code."""
        assert self._process.stdout is not None
        async for raw in self._process.stdout:
            line = raw.decode(errors="replace").rstrip("\n")
            self.log.append(line)
            self._on_line(line)
        code = await self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()
        return code
