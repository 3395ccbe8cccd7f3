"""Some of the simulated weeks; `make weeks` is about a thousand."""

from __future__ import annotations

import pytest

from bot import worker
from engine.games import discover
from tests.crowd.groups import simulate
from tests.engine.toys import TOYS


async def test_for_weeks_nobody_is_late_unfairly_or_disturbed_and_no_table_is_frozen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for slug, spec in TOYS.items():
        monkeypatch.setitem(discover(), slug, spec)  # taken back afterwards, as is the nap
    monkeypatch.setattr(worker, "NAP", worker.NAP)
    counts = await simulate("test/10") + await simulate("test/14")
    assert counts["moves"] > 100, counts
    assert counts["times a player was late"] > 3, counts
    assert counts["reminder messages"] > 10, counts
    assert counts["vote messages"] > 3, counts
    assert counts["morning messages"] > 3, counts
    assert counts["standing answers chosen"] > 3, counts
    assert counts["snoozed"] > 3, counts
    assert counts["turns planned"] > 3, counts
