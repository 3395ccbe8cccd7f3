"""What the game of gangs adds to the town."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core import Action, View
from engine.games.gangs import GAME
from engine.games.gangs.actions import Offer, Return, Sell
from engine.games.gangs.state import GangsTable
from engine.texts import Seat, listed
from engine.town.actions import Play, Take
from engine.town.data import Gang, Thief
from renders.canvas import Canvas
from renders.games.gangs.layout import CARD_W, GANG_H, GANG_W, gang_center
from renders.games.gangs.pieces import gang_chip
from renders.games.gangs.raid import card_corner, draw_gangs, verdict
from renders.town.layout import CARD_H
from renders.town.scene import Scene, Target


class GangsScene(Scene[GangsTable]):
    """The stacks with their prices, and the bandits in danger."""

    title = GAME.title
    walking = (Play, Sell)
    holding = "bandits"

    def facts(self, state: GangsTable) -> tuple[str, ...]:
        """The lap and the steps of it."""
        return f"Lap {state.lap}, step {state.step}", f"Step {state.step}"

    def furnish(self, canvas: Canvas) -> None:
        """The stacks."""
        for gang in Gang:
            canvas.put(gang_chip(gang), *gang_center(gang))

    def draw(self, canvas: Canvas, state: GangsTable, labels: Sequence[str]) -> None:
        """Prices, and the danger of this turn."""
        draw_gangs(canvas, state)

    def targets(self, view: View[GangsTable], action: Action) -> Iterator[Target]:
        """The bandits in danger, the stacks to hire from."""
        match action:
            case Return(thief) | Offer(thief) if view.state.danger:
                x, y = card_corner(view.state.danger, thief)
                yield x + CARD_W / 2, y + CARD_H / 2, CARD_W - 6, CARD_H - 6
            case Take(gang):
                yield (*gang_center(gang), GANG_W - 4, GANG_H - 4)

    def thieves(self, state: GangsTable, seat: Seat) -> tuple[Thief, ...]:
        """Its bandits."""
        return state.bandits[seat]

    def in_sight(self, state: GangsTable) -> tuple[Thief, ...]:
        """Those in danger."""
        return state.endangered

    def street(self, state: GangsTable, names: Sequence[str]) -> str:
        """Who is in danger, or what became of it."""
        danger = state.danger
        if not danger:
            return ""
        if danger.over:
            return f"The danger is over. {verdict(danger)}."
        return f"In danger: {' '.join(state.endangered) or 'nobody any more'}. {verdict(danger)}."

    def decks(self, state: GangsTable) -> str:
        """What a bandit costs here, and how many are left."""
        return (
            "Price and stack: " + ", ".join(f"{gang} {state.price(gang)}, {state.stack(gang)}" for gang in Gang) + "."
        )

    def tails(self, state: GangsTable) -> str:
        """Those brought back, in their order."""
        rows = [f"{gang} {' '.join(tail)}" for gang, tail in zip(Gang, state.tails, strict=True) if tail]
        return f"At the bottom of the stacks: {listed(rows)}." if rows else ""


SCENE = GangsScene()
