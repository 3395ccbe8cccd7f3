"""One strict playground and one bot for the tests of a module that leave it as it was.

Every test has a channel of its own and is blamed for its own faults.
"""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from playground.harness import Playground
from tests.e2e.rooms import Room
from tests.warm import warm_bots

_numbers = itertools.count(1)


@pytest.fixture(scope="module", autouse=True)
def warm() -> Iterator[None]:
    """Import everything once, so that no bot imports what another one has imported."""
    with warm_bots():
        yield


@pytest_asyncio.fixture(scope="module")
async def app(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Playground]:
    """A playground with a bot that the tests of a module share."""
    async with Playground(strict=True) as local:
        await local.start_bot("tests.e2e.steady_bot", env={"DATA_DIR": str(tmp_path_factory.mktemp("data"))})
        yield local


@pytest.fixture
def room(app: Playground) -> Iterator[Room]:
    """A new channel; broken rules since the test began fail it."""
    before = len(app.violations)
    channel = app.add_channel(f"room-{next(_numbers)}")
    yield Room(app, channel.name)
    broken = app.violations[before:]
    assert [] == broken, app.transcript(80)
