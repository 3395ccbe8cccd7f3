"""Pictures that a human has looked at and blessed."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageChops

import renders
from engine.core import View
from tests.renders.positions import GOLDEN, LABELS, recorded


def offered(name: str) -> View:
    """The end of a recorded game; where somebody is due, as that seat sees it with all its options open."""
    match = recorded(name)
    due = next(iter(match.state.decisions()), None)
    return match.view(due.seat, offered=due.options) if due else match.view(None)


@pytest.mark.parametrize("name", ["start", "middle", "end"])
def test_the_picture_is_the_blessed_one(name: str, bless: bool, tmp_path: Path) -> None:
    """Start placement of four, a crowded cycle of five with risers waiting, the end of three."""
    view, path = offered(name), GOLDEN / f"{name}.png"
    now = renders.png(renders.draw(view, LABELS[: view.setup.seats]))
    if bless:
        path.write_bytes(now)
    (tmp_path / path.name).write_bytes(now)
    with Image.open(path) as blessed, Image.open(tmp_path / path.name) as drawn:
        apart = ImageChops.difference(blessed.convert("RGB"), drawn.convert("RGB")).convert("L")
    assert sum(apart.histogram()[6:]) < 100, f"{tmp_path / path.name} differs from {path}; bless it if it is right"
