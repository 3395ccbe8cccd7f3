"""A real server of PostgreSQL for the tests, from the package of the system: in memory, behind a socket of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest

PACKAGES = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
"""Folders where Debian and others keep the programs; no version of them is found by its name."""

NEEDED = "NEED_POSTGRES"
"""Set where a machine without the package is a failure."""

OWNER = "postgres"

IN_MEMORY = ("fsync=off", "full_page_writes=off", "autovacuum=off", "shared_buffers=16MB")


class Server:
    """A running server; every test may have a database of its own."""

    def __init__(self, folder: Path, tools: Path) -> None:
        self.folder = folder
        self._tools = tools
        self._user: dict[str, Any] = {"user": OWNER, "group": OWNER, "extra_groups": []} if os.geteuid() == 0 else {}
        self._databases = 0
        self.used = ""  # a database that tests have made to be copied

    def make(self) -> None:
        """The files of a server that has never run."""
        quick = ("--no-sync", "--no-locale", "--encoding=UTF8", "--auth=trust", "--no-instructions")
        self._run("initdb", "--pgdata", self.data, "--username", OWNER, *quick)

    @property
    def data(self) -> Path:
        """Folder of the server's files."""
        return self.folder / "data"

    def start(self) -> None:
        """Let it run until it takes connections."""
        settings = (f"unix_socket_directories={self.folder}", "listen_addresses=", *IN_MEMORY)
        options = " ".join(f"-c {setting}" for setting in settings)
        log = self.folder / "log"
        self._run("pg_ctl", "start", "--wait", "--pgdata", self.data, "--log", log, "--options", options)

    def stop(self) -> None:
        """Cut everybody off and end it."""
        self._run("pg_ctl", "stop", "--mode=immediate", "--pgdata", self.data)

    async def database(self, template: str = "template1") -> str:
        """The address of a new database, as empty as another one."""
        self._databases += 1
        name = f"test{self._databases}"
        await self.tell("postgres", f"CREATE DATABASE {name} TEMPLATE {template}")
        return f"postgresql://{OWNER}:hush@/{name}?host={self.folder}"

    async def tell(self, database: str, statement: str) -> list[tuple[Any, ...]]:
        """Run a statement in a database; returns its rows."""
        connection = await asyncpg.connect(host=str(self.folder), user=OWNER, database=database)
        try:
            return [tuple(row) for row in await connection.fetch(statement)]
        finally:
            await connection.close()

    def _run(self, tool: str, *arguments: object) -> None:
        command = [str(self._tools / tool), *map(str, arguments)]
        subprocess.run(command, cwd=self.folder, stdout=subprocess.DEVNULL, check=True, **self._user)


def tools() -> Path | None:
    """Folder of a server's programs, if they are installed."""
    result = shutil.which("initdb")
    folders = [*PACKAGES, *([Path(result).resolve().parent] if result else [])]
    return folders[-1] if folders else None


@contextmanager
def running_server() -> Iterator[Server]:
    """A server of its own, which is gone afterwards; where there is none to be had, the test is skipped."""
    if (programs := tools()) is None:
        (pytest.fail if os.environ.get(NEEDED) else pytest.skip)("there is no PostgreSQL: apt install postgresql")
    folder = Path(tempfile.mkdtemp(prefix="postgres-"))
    if os.geteuid() == 0:
        shutil.chown(folder, OWNER, OWNER)
    server = Server(folder, programs)
    try:
        server.make()
        server.start()
        yield server
        server.stop()
    finally:
        shutil.rmtree(folder)
