"""The contract of the kit, for our own games and for the toys."""

from __future__ import annotations

import pytest

from kit.contract import *  # noqa: F403
from tests.engine.playouts import SPECS


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Check every promise on every game."""
    metafunc.parametrize("spec", SPECS, ids=lambda spec: spec.slug)
