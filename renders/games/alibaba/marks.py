"""Marks: where the last move began, and what the viewer may do now."""

from __future__ import annotations

from collections.abc import Iterator

from engine import Action, View
from engine.games.alibaba import Cave, Gang, GangsTable, Space, Thief
from engine.games.alibaba import actions as act
from engine.games.alibaba.events import Walked
from engine.games.alibaba.thieves import NUMBER
from engine.games.alibaba.track import landing, space_at
from engine.games.alibaba.walk import plays
from renders.canvas import Canvas
from renders.games.alibaba.gangs import card_corner
from renders.games.alibaba.layout import (
    CARD_H,
    CARDS_TOP,
    DECK_H,
    DECK_W,
    GANG_H,
    GANG_W,
    GANGS_CARD_W,
    SPACE_H,
    SPACE_W,
    card_left,
    card_width,
    center,
    deck_center,
    gang_center,
)
from renders.house import brackets, plate_mark

Target = tuple[float, float, int, int]
"""A box to bracket: its middle, width and height."""

BEFORE_WALKING = (act.Steal, act.Extend, act.Play, act.Sell)


def draw_origin(canvas: Canvas, view: View) -> None:
    """Dashes around the space that the figure left."""
    for walk in (event for event in view.events if isinstance(event, Walked)):
        step = int(walk.origin.rstrip("b"))
        origin = space_at(step, walk.origin.endswith("b"))
        canvas.put(plate_mark(SPACE_W + 4, SPACE_H + 4, 12, dashed=True), *center(origin))


def draw_offers(canvas: Canvas, view: View) -> None:
    """Open turquoise corners on what the viewer may choose, and on the spaces the own cards reach."""
    if view.viewer is None:
        return
    for space in reachable(view):
        canvas.put(brackets(SPACE_W - 11, SPACE_H - 11), *center(space))
    own = view.decision_of(view.viewer)
    offered = view.offered or (own.options if own else ())
    targets = dict.fromkeys(target for action in offered for target in _targets(view, action))
    for x, y, w, h in targets:
        canvas.put(brackets(w, h), x, y)


def reachable(view: View) -> tuple[Space, ...]:
    """Where the viewer, who is about to walk, may land with the cards of the own hand."""
    own = view.decision_of(view.viewer)
    state = view.state
    if view.viewer is None or own is None or not isinstance(own.options[0], BEFORE_WALKING):
        return ()
    chosen = [action for action in view.offered if isinstance(action, act.Play)]
    walks = chosen or plays(state.cards.hands[view.viewer], state.step)
    return tuple(dict.fromkeys(landing(state.step, state.side, walk.card, walk.route) for walk in walks))


def _targets(view: View, action: Action) -> Iterator[Target]:
    state = view.state
    match action:
        case act.Claim(thief) if isinstance(state, Cave):
            yield from _lying(state, thief)
        case act.Return(thief) | act.Offer(thief) if isinstance(state, GangsTable) and state.danger:
            x, y = card_corner(state.danger, NUMBER[thief])
            yield x + GANGS_CARD_W / 2, y + CARD_H / 2, GANGS_CARD_W - 6, CARD_H - 6
        case act.Take(gang) if isinstance(state, GangsTable):
            yield (*gang_center(gang), GANG_W - 4, GANG_H - 4)
        case act.Take(gang):
            yield _deck(gang)
        case act.TurnUp():
            yield from map(_deck, state.space.jewels)


def _lying(state: Cave, thief: Thief) -> Iterator[Target]:
    """The cards of a type that nobody has claimed yet; the first ones have gone to the claimants."""
    met = state.encounter
    if met is None:
        return
    n = len(met.types)
    taken = [number for _, number in met.claims].count(NUMBER[thief])
    places = [k for k, number in enumerate(met.types) if number == NUMBER[thief]][taken:]
    for k in places:
        w = int(card_width(n))
        yield card_left(n, k) + w / 2, CARDS_TOP + CARD_H / 2, w - 4, CARD_H - 6


def _deck(gang: Gang) -> Target:
    return (*deck_center(gang), DECK_W - 2, DECK_H)
