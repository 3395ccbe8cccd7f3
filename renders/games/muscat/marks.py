"""Marks: the results of the last move, and the viewer's options."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine.core import Action, Event, View
from engine.games.muscat.artists import Artist
from engine.games.muscat.city import Market
from engine.games.muscat.state import Muscat
from engine.games.muscat.verbs.change import Change, Moved
from engine.games.muscat.verbs.cycle import Cycle, CycleRan, Fell
from engine.games.muscat.verbs.expel import Expel, Expelled
from engine.games.muscat.verbs.pick import Pick
from engine.games.muscat.verbs.place import Place, Placed, Stranded
from engine.games.muscat.verbs.reemploy import Reemploy, Reemployed
from engine.games.muscat.verbs.remove import Remove, Removed
from engine.games.muscat.verbs.rise import EnteredPalace, Jumped, Rise, Rose
from engine.games.muscat.verbs.transform import Transform, Transformed
from engine.texts import Seat
from renders.canvas import Canvas
from renders.chosen import chosen_token
from renders.games.muscat.arrows import draw_arrows
from renders.games.muscat.board import slot
from renders.games.muscat.ground import ghost, open_field
from renders.games.muscat.layout import (
    FIELD_H,
    FIELD_W,
    ICONS,
    MARKET_H,
    MARKET_W,
    PALACE,
    STREET_LEFT,
    Location,
    Piece,
    PiecesByPlace,
    Rows,
    Street,
    field_center,
    market_center,
    pile_left,
    street_y,
)
from renders.house import brackets, plate_mark
from renders.theme import TURQUOISE
from renders.tokens import ring

TokenKey = tuple[Location, Seat, Artist]
"""A token, identified by place, seat and artist."""

Target = tuple[float, float, int, int]
"""A box to bracket: its center, width and height, in px."""


REMOVED_R = 20
"""Optical radius of the ghost of a removed token."""


class Field(NamedTuple):
    """An artist's field on a market."""

    market: Market
    artist: Artist


# --- The last move ---------------------------------------------------------------------------------------------------


def draw_origins(canvas: Canvas, view: View[Muscat], places: PiecesByPlace) -> None:
    """Draw dashes around the markets and fields that the last move emptied, and the arrows from there."""
    for market in dict.fromkeys(remaining for event in view.events for remaining in _emptied_markets(event)):
        # A market that was filled again needs no dashes.
        if not places[market]:
            canvas.put(plate_mark(MARKET_W, MARKET_H, 14, dashed=True), *market_center(view.state.seats, market))
    for moved in (event for event in view.events if isinstance(event, Moved)):
        rest = {piece.artist for piece in places[moved.origin]}
        # The field may have been taken since.
        if rest and moved.artist not in rest:
            middle = field_center(market_center(view.state.seats, moved.origin), moved.artist)
            canvas.put(plate_mark(FIELD_W, FIELD_H, 12, dashed=True), *middle)
    draw_arrows(canvas, view, _arrivals(view, places))
    _draw_removed(canvas, view, places)


def _draw_removed(canvas: Canvas, view: View[Muscat], places: PiecesByPlace) -> None:
    """Draw a broken ring with the ghost of each removed token, at the end of its street."""
    for event in view.events:
        if isinstance(event, Removed):
            remaining = places[Street(event.street)]
            x = remaining[-1].x + 62 if remaining else STREET_LEFT + 31
            canvas.put(ring(event.seat, REMOVED_R, broken=True), x, street_y(event.street))
            canvas.put(ghost(ICONS[event.artist]), x, street_y(event.street))


def _emptied_markets(event: Event) -> Iterator[Market]:
    match event:
        case CycleRan(market=market):
            yield market
        case Rose() | Jumped() | EnteredPalace() | Fell() | Moved():
            yield event.origin


def draw_arrivals(canvas: Canvas, view: View[Muscat], places: PiecesByPlace) -> None:
    """Draw a solid ring around everything that the last move brought to its place."""
    for piece in dict.fromkeys(piece for _, piece in _arrivals(view, places)):
        canvas.put(ring(piece.seat, piece.r), piece.x, piece.y)


def _arrivals(view: View[Muscat], places: PiecesByPlace) -> list[tuple[Event, Piece]]:
    """Events with the piece that each brought to its place."""
    keys = ((event, key) for event in view.events for key in _arrivals_of(event))
    return [(event, piece) for event, key in keys if (piece := _find(places, key))]


def _arrivals_of(event: Event) -> Iterator[TokenKey]:
    match event:
        case Placed(seat, artist, market) | Reemployed(seat, artist, market):
            yield market, seat, artist
        case Rose(seat, artist, _, market) | Jumped(seat, artist, _, market) | Moved(seat, artist, _, market):
            yield market, seat, artist
        case Expelled(seat, rival, artist, origin, market):
            yield market, seat, artist
            yield origin, rival, artist
        case Transformed(seat, artist, _, market, _):
            yield market, seat, artist
        case EnteredPalace(seat, artist, _):
            yield PALACE, seat, artist
        case Fell(seat, artist, _, street):
            yield Street(street), seat, artist
        case Stranded(seat, artist):
            yield Street(1), seat, artist


def _find(places: PiecesByPlace, key: TokenKey) -> Piece | None:
    place, seat, artist = key
    matches = [piece for piece in places.get(place, ()) if (piece.seat, piece.artist) == (seat, artist)]
    # The last of several equal pieces is the new one.
    return matches[-1] if matches else None


# --- What may be done ------------------------------------------------------------------------------------------------


def draw_offers(canvas: Canvas, view: View[Muscat], places: PiecesByPlace, rows: Rows) -> None:
    """Mark the targets of the viewer's options: free fields in turquoise, everything else with open corners.

    The acting piece is marked too: as selected once it is settled, with a ring while there is a choice.
    """
    seat = view.viewer if view.viewer is not None else view.state.turn
    for target in dict.fromkeys(_target(view.state, seat, action, places, rows) for action in view.offered):
        _draw_target(canvas, view.state, target, places)
    acting = dict.fromkeys(key for action in view.offered for key in _acting_tokens(seat, action, places))
    pieces = [piece for key in acting if (piece := _find(places, key))]
    for piece in pieces:
        # It is settled if only one piece can act.
        mark = chosen_token(seat, piece.r) if len(pieces) == 1 else ring(piece.seat, piece.r, TURQUOISE)
        canvas.put(mark, piece.x, piece.y)


def _draw_target(canvas: Canvas, state: Muscat, target: Target | Field, places: PiecesByPlace) -> None:
    if isinstance(target, Field):
        x, y = field_center(market_center(state.seats, target.market), target.artist)
        # An expulsion targets an occupied field (rule 4.5), whose piece must stay visible.
        if all(piece.artist is not target.artist for piece in places[target.market]):
            canvas.put(open_field(ICONS[target.artist]), x, y)
            return
        target = x, y, FIELD_W + 8, FIELD_H + 6
    x, y, w, h = target
    canvas.put(brackets(w, h), x, y)


def _target(state: Muscat, seat: Seat, action: Action, places: PiecesByPlace, rows: Rows) -> Target | Field:
    match action:
        case Place(start):
            return _start(state, seat, start.market)
        case Rise(market):
            return Field(market, state.rising[0].artist)
        case Reemploy(artist, market) | Change(artist, _, market) | Expel(artist, _, market):
            return Field(market, artist)
        case Transform(market, _):
            return Field(market, _missing_artist(places[market]))
        case Remove(artist, street):
            piece = _find(places, (Street(street), seat, artist))
            return (piece.x, piece.y, round(2 * piece.r + 12), round(2 * piece.r + 8)) if piece else _street(street)
        case Cycle(market) | Pick(market):
            return _market(state, market)
    # The remaining action is `draw`, from the pile.
    x, y = pile_left(state.seats, seat, rows)
    return x + 38, y, 92, 42


def _acting_tokens(seat: Seat, action: Action, places: PiecesByPlace) -> Iterable[TokenKey]:
    match action:
        case Reemploy(artist, market):
            return [(Street(market.level), seat, artist)]
        case Change(artist, origin, _) | Expel(artist, origin, _):
            return [(origin, seat, artist)]
        case Transform(market, street):
            return [(Street(street), seat, _missing_artist(places[market]))]
    return []


def _start(state: Muscat, seat: Seat, market: Market | None) -> Target | Field:
    if market is None:
        return _street(1)
    artist = slot(state, seat)[0]
    return Field(market, artist) if artist else _market(state, market)


def _market(state: Muscat, market: Market) -> Target:
    return (*market_center(state.seats, market), MARKET_W, MARKET_H)


def _street(level: int) -> Target:
    return 63, street_y(level), 56, 42


def _missing_artist(pieces: Iterable[Piece]) -> Artist:
    present = {piece.artist for piece in pieces}
    return next(artist for artist in ICONS if artist not in present)
