"""The town scene of Ali Baba’s Gangs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engine.core import Action, View
from engine.games.gangs import GAME
from engine.games.gangs.actions import Offer, Return, Sell
from engine.games.gangs.frames.danger import Window
from engine.games.gangs.frames.trade import Answer, ChooseBuyer, NamePrice
from engine.games.gangs.state import GangsTable
from engine.texts import Seat, Text
from engine.town.actions import Play, Take
from engine.town.data import Gang, Thief
from engine.town.luck import cards_left
from renders.canvas import Canvas
from renders.games.gangs.layout import MAX_IN_ROW, STALL_H, STALL_W, card_width, stall_center
from renders.games.gangs.raid import card_corner, draw_gangs, draw_small_stacks, draw_stacks, draw_stalls, verdict
from renders.games.gangs.theme import THEME
from renders.town.layout import CARD_H
from renders.town.scene import CloseUp, Scene, Target, ThiefNamer
from renders.words import word


class GangsScene(Scene[GangsTable]):
    """The gangs' stacks with their prices, and the bandits in danger."""

    title = GAME.title
    theme = THEME
    lights = "gangs-night"
    # Bandits may be sold before a card is played (rule 3.9).
    walk_actions = (Play, Sell)
    legend = (
        Text(
            "Bandits of the colors on a space are in danger; those that have the number rolled, 1 to 36, are arrested."
        ),
        Text(
            "A red one is worth 160 and has 12 numbers, a blue one 80 and 9, a green one 40 and 6, a yellow one 20 and"
            " 4."
        ),
    )

    def facts(self, state: GangsTable) -> tuple[Text, ...]:
        """The lap, and the step within it."""
        if state.ended:
            return Text("both laps over"), Text("2 laps")
        return Text("lap {lap}, step {n}", lap=state.lap, n=state.step), Text("step {n}", n=state.step)

    def furnish(self, canvas: Canvas) -> None:
        """Draw the stalls where bandits are hired."""
        draw_stalls(canvas)

    def furnishing(self, state: GangsTable) -> Callable[[Canvas], None]:
        """Only the stacks while bandits are in danger."""
        if state.danger is None:
            return self.furnish
        # One function per layout, since the ground is cached by it.
        return draw_stacks if len(state.danger.types) <= MAX_IN_ROW else draw_small_stacks

    def draw(self, canvas: Canvas, view: View[GangsTable], labels: Sequence[str]) -> None:
        """Draw prices and this turn's danger."""
        draw_gangs(canvas, view)

    def targets(self, view: View[GangsTable], action: Action) -> Iterator[Target]:
        """The bandits in danger, or the stacks to hire from."""
        match action:
            case Return(thief) | Offer(thief) if view.state.danger:
                (x, y), w = card_corner(view.state.danger, thief), card_width(len(view.state.danger.types))
                yield x + w / 2, y + CARD_H / 2 - 11, w - 6, CARD_H - 28  # clear of the owners below
            case Take(gang):
                yield (*stall_center(gang), STALL_W - 6, STALL_H - 8)

    def close_up(self, view: View[GangsTable]) -> CloseUp | None:
        """The own bandits in danger; of a trade, the one that is offered."""
        danger = view.state.danger
        match view.state.frames[-1:]:
            case (Window(seat=seat),) if danger and seat == view.viewer:
                bandits = view.state.in_danger(seat)
            case (ChooseBuyer(thief=thief) | NamePrice(thief=thief) | Answer(thief=thief),):
                bandits = (thief,)
            case _:
                return None
        return CloseUp(bandits, danger.black, danger.number, verdict(danger)) if danger else None

    def thieves(self, state: GangsTable, seat: Seat) -> tuple[Thief, ...]:
        """A seat's bandits."""
        return state.bandits[seat]

    def holdings(self, thieves: Text | str) -> Text:
        """Put bandits into words."""
        return Text("bandits {thieves}", thieves=thieves)

    def in_sight(self, state: GangsTable) -> tuple[Thief, ...]:
        """The bandits in danger."""
        return state.endangered

    def street(self, state: GangsTable, names: Sequence[str], name_of: ThiefNamer) -> str:
        """Describe the bandits in danger, or the result of the alarm."""
        danger = state.danger
        if not danger:
            return ""
        if danger.over:
            return str(Text("The danger is over. {verdict}.", verdict=verdict(danger, names)))
        endangered = ", ".join(map(name_of, state.endangered)) or Text("none left")
        return str(Text("In danger: {thieves}. {verdict}.", thieves=endangered, verdict=verdict(danger)))

    def decks(self, state: GangsTable) -> str:
        """A bandit's current price and the number left, by gang."""
        gangs = ", ".join(f"{word(gang)} {state.price(gang)}, {state.stack(gang)}" for gang in Gang)
        return str(Text("Price and stack: {gangs}.", gangs=gangs))

    def stock(self, state: GangsTable, gang: Gang) -> str:
        """The price, the unknown part of the stack by group, and the bandits returned below it, in order."""
        price, tail = state.price(gang), state.tails[gang.place]
        remaining: Text = cards_left(state, gang)
        if tail:
            remaining = Text("{left}; below them {thieves}", left=remaining, thieves=", ".join(map(word, tail)))
        each = "{left}; {price} each in this quarter" if price else "{left}; free in this quarter"
        return str(Text(each, left=remaining, price=price))


SCENE = GangsScene()
