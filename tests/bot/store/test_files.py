"""A saved copy of a lost database, which takes its place at the next start."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.errors import StartError
from bot.store.files import rescue_path, restore_rescue_copy
from bot.store.restoring import _replace


def test_a_copy_takes_the_place_of_a_lost_database_without_its_old_journal(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    place, copy = tmp_path / "games.db", rescue_path(tmp_path / "games.db")
    restore_rescue_copy(place)
    assert [] == [*tmp_path.iterdir()]
    for path in (copy, Path(f"{place}-wal"), Path(f"{place}-shm")):
        path.touch()
    restore_rescue_copy(place)
    assert [place] == [*tmp_path.iterdir()]
    copy.touch()
    restore_rescue_copy(place)
    assert {place, copy} == {*tmp_path.iterdir()}
    assert [
        f"{place} was gone, so the copy that was saved of it takes its place",
        f"{copy} is a copy of a database that was lost; move it away if it is not needed",
    ] == caplog.messages
    with pytest.raises(StartError, match="is a copy of a database that was lost"):
        _replace(place, place)
