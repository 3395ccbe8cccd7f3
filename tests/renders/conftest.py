"""Fixtures for tests of pictures."""

from __future__ import annotations

from typing import Any

import pytest

from renders.canvas import Canvas
from renders.lettering import Face
from tests.renders.positions import WrittenLine


@pytest.fixture
def written_lines(monkeypatch: pytest.MonkeyPatch) -> list[WrittenLine]:
    """All lines of text written on pictures during the test."""
    lines: list[WrittenLine] = []
    write = Canvas.text

    def noting(canvas: Canvas, x: float, y: float, text: str, face: Face, *args: Any, **more: Any) -> float:
        length = write(canvas, x, y, text, face, *args, **more)
        lines.append(WrittenLine(text, face.size, y, canvas, canvas.layers[-1] if text else None))
        return length

    monkeypatch.setattr(Canvas, "text", noting)
    return lines
