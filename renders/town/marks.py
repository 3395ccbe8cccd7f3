"""Marks: where the last move began, and what the viewer may do now."""

from __future__ import annotations

from engine.core import View
from engine.town.actions import Play
from engine.town.events import Walked
from engine.town.state import Town
from engine.town.track import Space, landing
from engine.town.walk import plays
from renders.canvas import Canvas
from renders.house import brackets, plate_mark
from renders.town.layout import SPACE_H, SPACE_W, center
from renders.town.pieces import landing_mark
from renders.town.scene import Scene, T


def draw_origin(canvas: Canvas, view: View[Town]) -> None:
    """Dashes around the space that the figure left."""
    for walk in (event for event in view.events if isinstance(event, Walked)):
        canvas.put(plate_mark(SPACE_W + 4, SPACE_H + 4, 12, dashed=True), *center(walk.origin))


def draw_offers(canvas: Canvas, scene: Scene[T], view: View[T]) -> None:
    """Open turquoise corners on what the viewer may choose, and on the spaces the own cards reach."""
    if view.viewer is None:
        return
    for space in reachable(scene, view):
        canvas.put(landing_mark(), *center(space))
    own = view.decision_of(view.viewer)
    offered = view.offered or (own.options if own else ())
    targets = dict.fromkeys(target for action in offered for target in scene.targets(view, action))
    for x, y, w, h in targets:
        canvas.put(brackets(w, h), x, y)


def reachable(scene: Scene[T], view: View[T]) -> tuple[Space, ...]:
    """Where the viewer, who is about to walk, may land with the cards of the own hand."""
    own = view.decision_of(view.viewer)
    state = view.state
    # All options answer the same question, so one of them tells which.
    if view.viewer is None or own is None or not isinstance(own.options[0], scene.walking):
        return ()
    # While a card is being chosen, only what is still open is marked.
    chosen = [action for action in view.offered if isinstance(action, Play)]
    walks = chosen or plays(state.cards.hands[view.viewer], state.step)
    return tuple(dict.fromkeys(landing(state.space, walk.card, walk.route) for walk in walks))
