"""Contact sheets of all boards for `docs/pictures`, to be looked at: `python -m tests.sheets`."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from PIL import Image

import renders
from engine.core import View
from engine.games import discover
from engine.match import Match
from engine.texts import CHANCE
from tests.renders.color_vision import VIEWS, looks_like
from tests.renders.positions import play_randomly

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
LARGE, MIDDLE, SMALL = 360, 146, 262
"""Widths in px; a chat on a narrow phone shows a picture 262 px wide."""
GAP = 6


def boards(slug: str) -> Iterator[View[Any]]:
    """Views of four boards: the public one, one of a seat that chooses, a preview, and the end."""
    spec = discover()[slug]
    game = [match.copy() for match in play_randomly(spec, spec.seats[len(spec.seats) // 2], 5)]
    acted = [n for n, match in enumerate(game) if has_decision(match) and match.entries[-1].seat != CHANCE]
    seen, choosing, previewed = (game[acted[len(acted) * k // 8]] for k in (4, 5, 6))
    yield seen.view(None, since=max(0, seen.version - 3))
    decision = choosing.state.decisions()[0]
    yield choosing.view(decision.seat, offered=decision.options)
    decision = previewed.state.decisions()[0]
    yield previewed.preview(decision.seat, decision.options[0])
    yield game[-1].view(None)


def has_decision(match: Match) -> bool:
    """Whether a seat is due, and a seat has acted."""
    decisions = match.state.decisions()
    return bool(decisions) and decisions[0].seat != CHANCE and bool(match.entries)


def board_image(view: View[Any], *, contrast: bool = False) -> Image.Image:
    """A board as an image with a palette."""
    picture = renders.draw(view, discover()[view.game].seat_names(view.setup))
    return Image.open(io.BytesIO(renders.png(picture, contrast=contrast)))


def seen_by(image: Image.Image, sight: str) -> Image.Image:
    """The sheet for another kind of sight: only the colors of the palette change."""
    colors = image.getpalette() or []
    named = (f"#{bytes(colors[n : n + 3]).hex()}" for n in range(0, len(colors), 3))
    changed = image.copy()
    changed.putpalette(b"".join(bytes.fromhex(looks_like(color, sight)[1:]) for color in named))
    return changed


def sheet(rows: Sequence[Sequence[Image.Image]], width: int) -> Image.Image:
    """Pictures side by side and below each other, each `width` px wide."""
    height = width * 4 // 3
    size = (len(rows[0]) * (width + GAP) - GAP, len(rows) * (height + GAP) - GAP)
    whole = Image.new("RGB", size, "#FFFFFF")
    for n, row in enumerate(rows):
        for k, image in enumerate(row):
            small = image.convert("RGB").resize((width, height), Image.Resampling.LANCZOS)
            whole.paste(small, (k * (width + GAP), n * (height + GAP)))
    return whole.quantize(128, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def main() -> None:
    """Write one sheet a game, one of all kinds of sight and in high contrast, and one as small as it gets."""
    sheets = {slug: list(boards(slug)) for slug in discover()}
    for slug, views in sheets.items():
        sheet([[board_image(view) for view in views]], LARGE).save(FOLDER / f"{slug}.png", optimize=True)
    firsts = [views[0] for views in sheets.values()]
    sight = [
        [*(seen_by(board_image(view), vision) for vision in VIEWS), board_image(view, contrast=True)] for view in firsts
    ]
    sheet(sight, MIDDLE).save(FOLDER / "sight.png", optimize=True)
    sheet([[board_image(view) for view in firsts]], SMALL).save(FOLDER / "small.png", optimize=True)


if __name__ == "__main__":
    main()
