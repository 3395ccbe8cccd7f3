"""The contact sheets include every game."""

from __future__ import annotations

import pytest

from engine.games import discover
from tests.sheets import boards


@pytest.mark.parametrize("slug", discover())
def test_every_game_has_four_boards_for_its_contact_sheet(slug: str) -> None:
    public, choosing, preview, end = boards(slug)
    assert public.viewer is None
    assert choosing.offered
    assert preview.preview
    assert end.outcome
