"""Marks: the start of the last move, and the viewer's options."""

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
    """Draw dashes around the space that the figure left."""
    for walk in (event for event in view.events if isinstance(event, Walked)):
        canvas.put(plate_mark(SPACE_W + 4, SPACE_H + 4, 12, dashed=True), *center(walk.origin))


def draw_offers(canvas: Canvas, scene: Scene[T], view: View[T]) -> None:
    """Draw turquoise corners on the viewer's options and on the spaces that the viewer's cards reach."""
    if view.viewer is None:
        return
    for space in reachable_landings(scene, view):
        canvas.put(landing_mark(), *center(space))
    own = view.decision_of(view.viewer)
    offered = view.offered or (own.options if own else ())
    targets = dict.fromkeys(target for action in offered for target in scene.targets(view, action))
    for x, y, w, h in targets:
        canvas.put(brackets(w, h), x, y)


def reachable_landings(scene: Scene[T], view: View[T]) -> tuple[Space, ...]:
    """The spaces where the viewer may land, or none if the decision is not about walking."""
    own = view.decision_of(view.viewer)
    state = view.state
    # All options answer the same question, so checking one is enough.
    if view.viewer is None or own is None or not isinstance(own.options[0], scene.walk_actions):
        return ()
    # Once a card is being chosen, only the remaining options count.
    chosen = [action for action in view.offered if isinstance(action, Play)]
    walks = chosen or plays(state.cards.hands[view.viewer], state.step)
    return tuple(dict.fromkeys(landing(state.space, walk.card, walk.route) for walk in walks))
