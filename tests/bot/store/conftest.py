"""Stores on both databases."""

from __future__ import annotations

import pytest

from bot.store.opening import open_database
from bot.store.store import Store
from tests.server import Server


@pytest.fixture(params=["sqlite", "postgresql"])
def on(request) -> Server | None:
    """The server on which a test keeps its games; or none, but a file."""
    return None if request.param == "sqlite" else request.getfixturevalue("server")


@pytest.fixture
async def place(on, tmp_path) -> str:
    """The address of a database that is empty and new."""
    return await on.database() if on else f"sqlite:///{tmp_path}/caravanserai.db"


@pytest.fixture
async def database(on, folder):
    """A database that was opened before, and is open and empty."""
    address = f"sqlite:///{folder}/caravanserai.db" if on is None else await on.database(await used(on))
    async with open_database(address) as database:
        yield database


async def used(server: Server) -> str:
    """The name of a database that is like those, to be copied: making all tables anew takes long."""
    if not server.used:
        address = await server.database()
        async with open_database(address):
            server.used = address.partition("?")[0].rpartition("/")[2]
    return server.used


@pytest.fixture
def store(database):
    return Store(database)
