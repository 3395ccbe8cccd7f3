"""Pictures of a view, and the same in words. Pure: no clock, no luck, no network, no chat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from types import ModuleType

from engine.core import State, View
from renders.canvas import Canvas
from renders.persons import drawable
from renders.picture import Picture, picture_of
from renders.plain import picture_module
from renders.strips import with_colors
from renders.theme import Box


def draw(view: View[State], labels: Sequence[str], persons: Sequence[str] = ()) -> Picture:
    """The board as this viewer may see it, 1080 x 1440, and the same in words.

    `labels` has one short name per seat; `persons` who plays it, as they call themselves: "" or missing for nobody.
    """
    artist = _artist(view.game)
    canvas: Canvas = artist.paint(view, labels, drawable(persons, len(labels)))
    return picture_of(canvas, artist.alt(view, labels))


def paint_all(views: Sequence[View[State]], labels: Sequence[str], persons: Sequence[str] = ()) -> Iterator[Canvas]:
    """The boards of a series before they become pictures; what they share stays where it is on all of them."""
    people, artist = drawable(persons, len(labels)), _artist(views[0].game)
    # Only a game whose series need the same scale on all boards has one.
    if together := getattr(artist, "paint_all", None):
        yield from together(views, labels, people)
    else:
        yield from (artist.paint(view, labels, people) for view in views)


def panels(view: View[State]) -> Sequence[Box]:
    """Where the panels of the seats, or of the companies, lie on its board: names of people are nowhere else."""
    boxes: Sequence[Box] = _artist(view.game).panels(view)
    return boxes


def tell(view: View[State], labels: Sequence[str]) -> str:
    """The position in words, complete enough to play from; Markdown-light, under 3500 characters."""
    text: str = _artist(view.game).tell(view, labels)
    return text


def png(picture: Picture, *, contrast: bool = False) -> bytes:
    """The picture as an 8-bit PNG of at most 250 kB; with `contrast` in stronger colors, for those who need them."""
    return with_colors(picture.png, picture.contrast) if contrast and picture.contrast else picture.png


@lru_cache(maxsize=64)
def _artist(game: str) -> ModuleType:
    """The module that draws a game, or the plain one."""
    return import_module(picture_module(game) or "renders.plain")
