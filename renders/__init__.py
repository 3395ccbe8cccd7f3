"""Draw a view as a picture and describe it in words. Pure: no clock, no randomness, no network, no Discord."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from types import ModuleType
from typing import Any

from engine.core import Action, State, View
from renders.canvas import Canvas
from renders.persons import drawable_names
from renders.picture import Picture, picture_of
from renders.plain import picture_module
from renders.strips import with_colors
from renders.symbols import SEAT_SYMBOLS, Symbol
from renders.theme import Box


def draw(view: View[State], labels: Sequence[str], persons: Sequence[str] = ()) -> Picture:
    """Draw the board as the viewer may see it, 1080 x 1440 px, with its alt text.

    `labels` has one short name per seat. `persons` has the player's own name per seat; "" or no entry means none.
    """
    return _draw_with(_artist(view.game), view, labels, persons)


def draw_plainly(view: View[State], labels: Sequence[str], persons: Sequence[str] = ()) -> Picture:
    """Draw the board like `draw`, as if its game had no picture of its own."""
    return _draw_with(import_module("renders.plain"), view, labels, persons)


def _draw_with(artist: ModuleType, view: View[State], labels: Sequence[str], persons: Sequence[str]) -> Picture:
    canvas: Canvas = artist.paint(view, labels, drawable_names(persons, len(labels)))
    return picture_of(canvas, artist.alt(view, labels))


def paint_all(views: Sequence[View[State]], labels: Sequence[str], persons: Sequence[str] = ()) -> Iterator[Canvas]:
    """Paint a series of boards, not yet encoded. Shared elements keep their place on every board."""
    people, artist = drawable_names(persons, len(labels)), _artist(views[0].game)
    # Only games whose boards must share a scale define `paint_all`.
    if together := getattr(artist, "paint_all", None):
        yield from together(views, labels, people)
    else:
        yield from (artist.paint(view, labels, people) for view in views)


def panels(view: View[State]) -> Sequence[Box]:
    """Boxes of the seats' (or companies') panels on the board. People's names appear only inside them."""
    boxes: Sequence[Box] = _artist(view.game).panels(view)
    return boxes


def tell(view: View[State], labels: Sequence[str]) -> str:
    """Describe the position in words, completely enough to play from; simple Markdown, under 3500 characters."""
    text: str = _artist(view.game).tell(view, labels)
    return text


def png(picture: Picture, *, contrast: bool = False) -> bytes:
    """Encode the picture as an 8-bit PNG of at most 250 kB, in high-contrast colors if `contrast` is set."""
    return with_colors(picture.png, picture.contrast) if contrast and picture.contrast else picture.png


def symbol(game: str, state: State, action: Action) -> Symbol | None:
    """The small drawing of the piece that an option is about, if its game has one."""
    of_game: Callable[[State, Action], Symbol | None] | None = getattr(_artist(game), "symbol", None)
    return of_game(state, action) if of_game else None


def piece(game: str, value: Any) -> Symbol | None:
    """The small drawing of a piece that a sentence names, if its game has one."""
    pieces: Mapping[Any, Symbol] = getattr(_artist(game), "PIECES", {})
    return pieces.get(value) if isinstance(value, Hashable) else None


def emblem(game: str) -> Symbol | None:
    """The small drawing beside the name of a game, if it has one."""
    return getattr(_artist(game), "EMBLEM", None)


def symbols(games: Iterable[str]) -> dict[str, Symbol]:
    """All small drawings of some games by their names, those of the seats first."""
    pieces = [piece for game in games for piece in getattr(_artist(game), "PIECES", {}).values()]
    emblems = filter(None, map(emblem, games))
    return {symbol.name: symbol for symbol in (*SEAT_SYMBOLS, *pieces, *emblems)}


@lru_cache(maxsize=64)
def _artist(game: str) -> ModuleType:
    """The module that draws a game, or `renders.plain` if it has none."""
    return import_module(picture_module(game) or "renders.plain")
