"""What the tests of pictures share."""

from __future__ import annotations

from typing import Any

import pytest

from renders.canvas import Canvas
from renders.lettering import Face
from tests.renders.positions import Written
from tests.true_colors import keep_colors

keep_colors()


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[Written]:
    """Every line that is written on a picture while the test runs."""
    lines: list[Written] = []
    write = Canvas.text

    def noting(canvas: Canvas, x: float, y: float, text: str, face: Face, *args: Any, **more: Any) -> float:
        length = write(canvas, x, y, text, face, *args, **more)
        lines.append(Written(text, face.size, y, canvas, canvas.layers[-1] if text else None))
        return length

    monkeypatch.setattr(Canvas, "text", noting)
    return lines
