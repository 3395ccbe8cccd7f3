"""What the game of gangs adds to the town."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engine.core import Action, View
from engine.games.gangs import GAME
from engine.games.gangs.actions import Offer, Return, Sell
from engine.games.gangs.state import GangsTable
from engine.texts import Seat
from engine.town.actions import Play, Take
from engine.town.data import Gang, Thief
from engine.town.luck import cards_left
from engine.wording import say
from renders.canvas import Canvas
from renders.games.gangs.layout import IN_ROW, STALL_H, STALL_W, card_width, stall_center
from renders.games.gangs.raid import card_corner, draw_gangs, lay_small_stacks, lay_stacks, lay_stalls, verdict
from renders.games.gangs.theme import THEME
from renders.town.layout import CARD_H
from renders.town.scene import Called, Scene, Target


class GangsScene(Scene[GangsTable]):
    """The stacks with their prices, and the bandits in danger."""

    title = GAME.title
    land = THEME
    lights = "gangs-night"
    walking = (Play, Sell)
    holding = "bandits"
    legend = (
        "Bandits of the colors on a space are in danger; those that bear the number rolled, 1 to 36, are arrested.",
        "A red one is worth 160 and has 12 numbers, a blue one 80 and 9, a green one 40 and 6, a yellow one 20 and 4.",
    )

    def facts(self, state: GangsTable) -> tuple[str, ...]:
        """The lap and the steps of it."""
        if state.ended:
            return "Both laps over", "2 laps"
        return f"Lap {state.lap}, step {state.step}", f"Step {state.step}"

    def furnish(self, canvas: Canvas) -> None:
        """The stalls where bandits are hired."""
        lay_stalls(canvas)

    def furnishing(self, state: GangsTable) -> Callable[[Canvas], None]:
        """Only the stacks while bandits are in danger."""
        if state.danger is None:
            return self.furnish
        # One arrangement for each layout, since the ground is cached by it.
        return lay_stacks if len(state.danger.types) <= IN_ROW else lay_small_stacks

    def draw(self, canvas: Canvas, view: View[GangsTable], labels: Sequence[str]) -> None:
        """Prices, and the danger of this turn."""
        draw_gangs(canvas, view)

    def targets(self, view: View[GangsTable], action: Action) -> Iterator[Target]:
        """The bandits in danger, the stacks to hire from."""
        match action:
            case Return(thief) | Offer(thief) if view.state.danger:
                (x, y), w = card_corner(view.state.danger, thief), card_width(len(view.state.danger.types))
                yield x + w / 2, y + CARD_H / 2 - 11, w - 6, CARD_H - 28  # clear of the owners below
            case Take(gang):
                yield (*stall_center(gang), STALL_W - 6, STALL_H - 8)

    def thieves(self, state: GangsTable, seat: Seat) -> tuple[Thief, ...]:
        """Its bandits."""
        return state.bandits[seat]

    def in_sight(self, state: GangsTable) -> tuple[Thief, ...]:
        """Those in danger."""
        return state.endangered

    def street(self, state: GangsTable, names: Sequence[str], called: Called) -> str:
        """Who is in danger, or what became of it."""
        danger = state.danger
        if not danger:
            return ""
        if danger.over:
            return f"The danger is over. {verdict(danger, names)}."
        return f"In danger: {', '.join(map(called, state.endangered)) or 'nobody any more'}. {verdict(danger)}."

    def decks(self, state: GangsTable) -> str:
        """What a bandit costs here, and how many are left."""
        return (
            "Price and stack: " + ", ".join(f"{gang} {state.price(gang)}, {state.stack(gang)}" for gang in Gang) + "."
        )

    def stock(self, state: GangsTable, gang: Gang) -> str:
        """The price, the unknown part of the stack group by group, and those returned below it in their order."""
        price, tail = state.price(gang), state.tails[gang.place]
        below = f"; below them {', '.join(thief.label for thief in tail)}" if tail else ""
        return f"{say(cards_left(state, gang))}{below}; {f'{price} each' if price else 'free'} in this quarter"


SCENE = GangsScene()
