"""The marks on the picture of Muscat, and facts that its long description states."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

import renders
from engine.core import Action, View
from engine.games.muscat.city import Market
from engine.games.muscat.verbs.change import Change
from engine.games.muscat.verbs.expel import Expel
from engine.games.muscat.verbs.reemploy import Reemploy
from engine.games.muscat.verbs.remove import Removed
from engine.games.muscat.verbs.transform import Transform
from engine.texts import Seat
from renders.canvas import Canvas
from renders.chosen import chosen_token
from renders.games.muscat import paint
from renders.games.muscat.ground import ground, open_field
from renders.games.muscat.layout import (
    ICONS,
    MARKET_H,
    MARKET_W,
    PiecesByPlace,
    Street,
    market_center,
    pieces_by_place,
)
from renders.games.muscat.marks import draw_arrivals
from renders.house import plate_mark
from renders.sprites import Sprite
from renders.strips import Layer
from renders.tokens import ring
from renders.words import word
from tests.renders.positions import LABELS, MUSCAT, play_randomly, views

ACTING = (Reemploy, Change, Expel, Transform)
"""Actions by artists in a street or on a market."""


def tokens_by_place(places: PiecesByPlace) -> Counter[tuple[Any, Seat, Any]]:
    """The artists at each place; in streets and in the palace, equal ones share a piece."""
    return Counter({(place, p.seat, p.artist): p.count for place, pieces in places.items() for p in pieces})


def moves(seats: int, seed: int) -> Iterator[tuple[PiecesByPlace, PiecesByPlace, View[Any]]]:
    """The pieces before and after each of the first actions of a game, with the view after it."""
    before, since = None, 0
    for match in islice(play(seats, seed), 200):
        after = pieces_by_place(match.state)
        if before is not None:
            yield before, after, match.view(None, since=since)
        before, since = after, match.version


def play(seats: int, seed: int) -> Iterator[Any]:
    return (match for match in play_randomly(MUSCAT, seats, seed) if not match.outcome)


@pytest.mark.parametrize("seats", [3, 5])
def test_everything_that_came_to_a_place_is_ringed_there(seats: int) -> None:
    rings = 0
    for before, after, view in moves(seats, 2):
        arrived = tokens_by_place(after) - tokens_by_place(before)
        marks, expected = Canvas(ground()), Canvas(ground())
        draw_arrivals(marks, view, after)
        for place, seat, artist in arrived:
            piece = next(p for p in after[place] if (p.seat, p.artist) == (seat, artist))
            expected.put(ring(seat, piece.r), piece.x, piece.y)
        assert {layer[1:] for layer in expected.layers} <= {layer[1:] for layer in marks.layers}, view.events
        rings += len(expected.layers)
    assert rings > 60


def test_the_dashes_of_an_empty_market_show_where_the_last_move_began() -> None:
    emptied = 0
    for before, after, view in islice(moves(3, 2), 0, None, 2):
        places = {market: dashes_at(market)[1:] for market in after if isinstance(market, Market) and not after[market]}
        begun_at = {places[market] for market in places if before[market]}
        marks = {layer[1:] for layer in paint(view, LABELS[:3]).layers if shows(layer, DASHES)}
        assert begun_at <= marks <= set(places.values()), view.events
        emptied += len(begun_at)
    assert emptied > 5


def shows(layer: Layer, *sprites: Sprite) -> bool:
    """Whether a layer shows one of these, by its pixels: sprites are drawn again once their cache is full."""
    return any(layer.sprite.picture == sprite.picture for sprite in sprites)


DASHES = plate_mark(MARKET_W, MARKET_H, 14, dashed=True)


def dashes_at(market: Market) -> Layer:
    canvas = Canvas(ground())
    canvas.put(DASHES, *market_center(3, market))
    return canvas.layers[-1]


def choices() -> Iterator[tuple[Any, list[Action]]]:
    for match in play(3, 3):
        (decision,) = match.state.decisions()
        for kind in ACTING:
            if options := [option for option in decision.options if isinstance(option, kind)]:
                yield match, options


def chosen_on(match: Any, options: list[Action]) -> int:
    canvas = paint(match.view(match.state.turn, offered=tuple(options)), LABELS[:3])
    radii = {piece.r for pieces in pieces_by_place(match.state).values() for piece in pieces}
    marks = [chosen_token(match.state.turn, r) for r in radii]
    return sum(shows(layer, *marks) for layer in canvas.layers)


def test_the_artist_who_acts_is_marked_as_chosen_once_it_is_settled() -> None:
    kinds = set()
    for match, options in islice(choices(), 0, 120, 4):
        assert 1 == chosen_on(match, options[:1])
        actors = {(str(o).split()[1], getattr(o, "origin", None) or getattr(o, "street", None)) for o in options}
        if len(actors) > 1 and type(options[0]) in (Change, Expel):
            assert 0 == chosen_on(match, options), "any of them may act"
        kinds.add(type(options[0]))
    assert kinds >= {Reemploy, Change, Expel}


def test_marks_cover_neither_a_rival_to_expel_nor_artists_beside_a_removed_one() -> None:
    fields = {open_field(ICONS[artist]) for artist in ICONS}
    for match, options in islice(choices(), 0, 160):
        if isinstance(options[0], Expel):
            canvas = paint(match.view(match.state.turn, offered=tuple(options)), LABELS[:3])
            assert not [layer for layer in canvas.layers if shows(layer, *fields)]
    removals = 0
    for _, after, view in moves(3, 2):
        for event in (event for event in view.events if isinstance(event, Removed)):
            mark, layers = ring(event.seat, 20, broken=True), paint(view, LABELS[:3]).layers
            ghosts = [layer for layer in layers if shows(layer, mark)]
            ends = [piece.x + piece.r for piece in after[Street(event.street)]]
            assert all((layer.x0 + layer.x1) / 2 > max(ends, default=0) for layer in ghosts)
            removals += len(ghosts)
    assert removals


def progress(view: View[Any]) -> str:
    n = view.state.round
    if view.outcome:
        return f"ended in round {n}"
    if not n:
        return "setting up"
    return f"round {n}, the last" if view.state.last_round else f"round {n}"


@pytest.mark.parametrize("seats", [3, 5])
def test_the_long_description_states_progress_scores_and_what_everyone_drew(seats: int) -> None:
    marks = 0
    for view in views(seats, 5, step=3):
        state, text = view.state, renders.tell(view, LABELS[:seats])
        assert text.startswith(f"**Muscat**, {progress(view)}. ")
        for seat in map(Seat, range(seats)):
            own = state.drawn if state.drawn and state.drawn.seat == seat else None
            face = state.faceup(seat)
            drew = f", drawn: {word(own.artist)}" if own else ""
            you = " (you)" if seat == view.viewer else ""
            shows = f"face up: {word(face) if face else 'nobody'}{drew}, pile: {state.pile(seat)} hidden"
            assert re.search(rf"^\*\*{LABELS[seat]}\*\*{re.escape(you)}: score [^,]*, {shows}$", text, re.MULTILINE)
            marks += bool(own)
        for level in range(1, 5):
            assert f"**Level {level}** (+{2 * level} each)" in text
            assert f"Street {level} (−{level} each)" in text
        assert f"(+10 each; {state.palace_count} so far, {state.palace_limit} trigger the last round)" in text
        rows = re.findall(r"^(\w+) [\w -]+ rises from (\w+),", text, re.MULTILINE)
        assert rows == [(LABELS[riser.seat], str(riser.origin)) for riser in state.rising]
    assert marks
