"""The bot as a process of its own: started through the launcher, its log read, ended by its own pid."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections import deque
from collections.abc import Callable, Mapping

from playground.notifier import HANG
from playground.wire import TOKEN_VARIABLE

LOG_LINES = 2_000
# the brackets are those of discord.py's own format
_LEVEL = re.compile(r"^\[?[\d-]+ [\d:,.]+\]? \[?(ERROR|CRITICAL)\b")
# asyncio's limit of 64 KiB a line would end the reading at a long traceback
_FIRST_LINE_LIMIT = 1 << 20


def is_error(line: str) -> bool:
    """Whether a log line has the level ERROR or CRITICAL."""
    return bool(_LEVEL.match(line))


class BotProcess:
    """One running bot. `log` holds its newest lines; `ended` tells how it went when it is over."""

    def __init__(self, process: asyncio.subprocess.Process, on_line: Callable[[str], None]) -> None:
        self._process = process
        self._on_line = on_line
        self.log: deque[str] = deque(maxlen=LOG_LINES)
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
        """Run `python -m playground.launch <base> <module>` with the given additions to the environment.

        Its clock is `ahead` of the machine's by so many seconds. The additions must name a `DATA_DIR`: its database is
        there, whatever the environment or a `.env` would have.
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
            # it closes when this process dies, and then the bot ends (`launch --with-parent`)
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            limit=_FIRST_LINE_LIMIT,
            start_new_session=True,  # Ctrl-C goes to the playground alone, which then ends the bot
        )
        return cls(process, on_line)

    @property
    def pid(self) -> int:
        """The process id of the bot itself."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether it has not ended yet."""
        return not self.ended.done()

    @property
    def returncode(self) -> int | None:
        """None while it runs; negative when a signal ended it."""
        return self._process.returncode

    def tail(self, lines: int = 25) -> str:
        """The end of its log."""
        return "\n".join(list(self.log)[-lines:])

    def advance(self, seconds: float) -> None:
        """Move its clock ahead."""
        if self.running and self._process.stdin is not None:
            self._process.stdin.write(f"{seconds}\n".encode())

    async def kill(self) -> None:
        """SIGKILL, as when the machine loses power."""
        await self._end(self._process.kill)

    async def stop(self, patience: float = HANG) -> None:
        """SIGTERM and wait; SIGKILL when it does not listen for so many seconds."""
        try:
            async with asyncio.timeout(patience):
                await self._end(self._process.terminate)
        except TimeoutError:
            await self.kill()

    async def _end(self, signal: Callable[[], None]) -> None:
        self.expected_end = True
        if self._process.returncode is None:
            signal()
        # a time limit of the caller must not stop the reading of the log
        await asyncio.shield(self.ended)

    async def _follow(self) -> int:
        """Read its output to the end; the result is its exit code."""
        assert self._process.stdout is not None
        async for raw in self._process.stdout:
            line = raw.decode(errors="replace").rstrip("\n")
            self.log.append(line)
            self._on_line(line)
        code = await self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()
        return code
