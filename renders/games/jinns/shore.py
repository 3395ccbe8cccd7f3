"""Draw the path of the last move: an arc along the shore with a bead for each pile counted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import hypot

from engine.games.jinns.events import Moved
from engine.games.jinns.ring import SQUARES
from engine.games.jinns.state import Jinns
from renders.canvas import Canvas
from renders.games.jinns.ground import bead
from renders.games.jinns.layout import PLINTH_H, SHORE, foot, pile_height
from renders.sprites import Sprite, cached, sprite
from renders.theme import HEIGHT, INK, IVORY

Place = tuple[int, int]

MAX_BEND = 44
"""Maximum length of a straight run that a bend replaces, in px."""
HEAD_LENGTH = 17
"""Length of the arrowhead, in px."""

_LEFT, _TOP, _RIGHT, _BOTTOM = SHORE
# Squares 0 to 9 lie along the top, up to 15 on the right, up to 25 along the bottom, and the rest on the left.
_CORNERS = {0: (_LEFT, _TOP), 9: (_RIGHT, _TOP), 16: (_RIGHT, _BOTTOM), 25: (_LEFT, _BOTTOM)}
_NEAR_CORNER = {15: 16, 26: 25}
"""Squares that share the shore point of the corner square next to them."""


def squares_counted(state: Jinns, move: Moved) -> tuple[int, tuple[int, ...]] | None:
    """The direction of a move (1 for clockwise, -1 for counterclockwise) and the piles it passed.

    `state` is the position after the move; for any other position, the result is `None`. The top pawn counts one pile
    less than its strength before it lands. If both directions fit, the shorter one is returned.
    """
    ways = [(direction, _between(move.origin, move.target, direction)) for direction in (1, -1)]
    for direction, squares in sorted(ways, key=lambda way: len(way[1])):
        passed = tuple(square for square in squares if state.board[square])
        if len(passed) == move.pawns.top.strength - 1:
            return direction, passed
    return None


def _between(origin: int, target: int, direction: int) -> list[int]:
    """The squares between two squares in one direction, without the ends."""
    return [(origin + direction * n) % SQUARES for n in range(1, (target - origin) * direction % SQUARES)]


def draw_path(canvas: Canvas, state: Jinns, move: Moved) -> None:
    """Draw the arc and its beads."""
    route = squares_counted(state, move)
    if route is None:
        return
    direction, passed = route
    # From the quay to the shore, along it around corners, and back to the quay.
    corners = [_CORNERS[square] for square in _between(move.origin, move.target, direction) if square in _CORNERS]
    # An end of the move may itself be at a corner.
    shore = dict.fromkeys([station(move.origin), *corners, station(move.target)])
    path = [_quay(state, move.origin), *shore, _quay(state, move.target)]
    for part, (x, y) in _parts(path):
        canvas.put(part, x, y)
    for square in passed:
        canvas.put(bead(), *_bead_place(path, square))


def station(square: int) -> Place:
    """A square's point on the shore."""
    square = _NEAR_CORNER.get(square, square)
    if square in _CORNERS:
        return _CORNERS[square]
    x, y = foot(square)
    if square < 10:
        return round(x), _TOP
    if square < 16:
        return _RIGHT, round(y)
    return (round(x), _BOTTOM) if square < 26 else (_LEFT, round(y))


def _bead_place(path: list[Place], square: int) -> Place:
    """The point of the arc at a square; it is off the corner where the arc bends."""
    x, y = station(square)
    # Squares next to a corner square share its shore point, so their bead is moved beside the bend.
    if square in _NEAR_CORNER:
        return x, y - MAX_BEND
    if square not in _CORNERS:
        return x, y
    start, end = _bend_ends(path, path.index((x, y)))
    return round((start[0] + 2 * x + end[0]) / 4), round((start[1] + 2 * y + end[1]) / 4)


def _quay(state: Jinns, square: int) -> Place:
    """End of an arc at a square: just off its plinth or, along the bottom, off the tip of its pile."""
    x, y = foot(square)
    inward = 1 if x < 540 else -1
    if square in (0, 9):
        return round(x) + 52 * inward, round(y) + PLINTH_H + 9
    if square < 10:
        return round(x), round(y) + PLINTH_H + 6
    if square not in range(16, 26):
        return round(x) + 51 * inward, round(y) - (10 if square in _NEAR_CORNER else 0)
    # Along the bottom, the shore is above the piles, so the arc starts at their roofs.
    pile = state.board[square]
    roof = round(y - (pile_height(pile.height, pile.top.strength) if pile else 0)) - 9
    return (round(x) + 46 * inward, max(1236, roof)) if square in (16, 25) else (round(x), roof)


def _parts(path: list[Place]) -> Iterator[tuple[Sprite, Place]]:
    """The arc as cacheable sprites with their positions: bends and straight runs."""
    bends = [_bend_ends(path, n) for n in range(1, len(path) - 1)]
    for n, (start, end) in enumerate(bends, 1):
        here = path[n]
        head = _relative(here, path[n + 1]) if n == len(bends) else None
        yield _bend(_relative(here, start), _relative(here, end), head), here
    # Adjacent bends need no straight run between them.
    for (_, start), (end, _) in pairwise(bends):
        if start != end:
            yield _run(*_relative(start, end)), start


def _bend_ends(path: list[Place], n: int) -> tuple[Place, Place]:
    """Start and end of the bend at a point: all of the first or last leg, at most half of the others."""
    before, here, after = path[n - 1 : n + 2]
    back, ahead = (round(hypot(*_relative(here, other))) for other in (before, after))
    back = back if n == 1 else min(MAX_BEND, back // 2)
    # The last bend leaves space for the arrowhead, but has a minimum length on even the shortest leg.
    ahead = max(4, ahead - HEAD_LENGTH) if n == len(path) - 2 else min(MAX_BEND, ahead // 2)
    return _point_towards(here, before, back), _point_towards(here, after, ahead)


def _relative(here: Place, there: Place) -> Place:
    return there[0] - here[0], there[1] - here[1]


def _point_towards(here: Place, there: Place, length: int) -> Place:
    """The point `length` px along the line from `here` to `there`."""
    dx, dy = _relative(here, there)
    whole = max(1.0, hypot(dx, dy))
    return round(here[0] + dx * length / whole), round(here[1] + dy * length / whole)


@cached
def _bend(start: Place, end: Place, tip: Place | None) -> Sprite:
    """A bend around the origin from start to end; the last one has an arrowhead up to `tip`."""
    path = f"M{start[0]} {start[1]}Q0 0 {end[0]} {end[1]}"
    drawing = _line(path, INK, 11) + _line(path, IVORY, 5.5)
    # The curve stays within the bounding box of its three points.
    points = [start, end, (0, 0)]
    # Draw the ink of line and head first, so that no seam shows between them.
    if tip:
        drawing = _line(path, INK, 11) + _arrow_head(end, tip, f'stroke="{INK}" stroke-width="6"')
        drawing += _line(path, IVORY, 5.5) + _arrow_head(end, tip, "")
        points.append(tip)
    xs, ys = ([point[axis] for point in points] for axis in (0, 1))
    return sprite(drawing, min(xs) - 16, min(ys) - 16, max(xs) + 16, max(ys) + 16)


def _line(path: str, color: str, width: float) -> str:
    return f'<path d="{path}" fill="none" stroke="{color}" stroke-width="{width}"/>'


def _arrow_head(base: Place, tip: Place, edge: str) -> str:
    dx, dy = _relative(base, tip)
    length = max(1.0, hypot(dx, dy))
    ux, uy = dx / length, dy / length
    x, y = tip[0] - ux * HEAD_LENGTH, tip[1] - uy * HEAD_LENGTH
    wings = f"{x - 10 * uy:.1f},{y + 10 * ux:.1f} {x + 10 * uy:.1f},{y - 10 * ux:.1f}"
    return f'<polygon points="{tip[0]},{tip[1]} {wings}" fill="{IVORY}" stroke-linejoin="round" {edge}/>'


@cached
def _run(dx: int, dy: int) -> Sprite:
    """A straight run along the shore, cropped from a long strip."""
    strip = _strip(upright=not dx)
    wide, high = abs(dx) or strip.width, abs(dy) or strip.height
    x0, y0 = (strip.dx, min(0, dy)) if not dx else (min(0, dx), strip.dy)
    return Sprite(strip.picture.crop((0, 0, wide, high)), x0, y0)


@cached
def _strip(*, upright: bool) -> Sprite:
    path = f"M0 0{'V' if upright else 'H'}{HEIGHT}"
    box = (-6, 0, 6, HEIGHT) if upright else (0, -6, HEIGHT, 6)
    return sprite(_line(path, INK, 11) + _line(path, IVORY, 5.5), *box)
