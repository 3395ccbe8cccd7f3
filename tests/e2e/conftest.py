"""Bots that start sooner."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.warm import warm_bots


@pytest.fixture(scope="module", autouse=True)
def warm() -> Iterator[None]:
    """Import everything once, so that no bot imports what another one has imported."""
    with warm_bots():
        yield
