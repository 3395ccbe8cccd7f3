"""The question that opens a turn: sell bandits or walk; and the effect of the space (rules 3.1 to 3.3 and 3.6)."""

from __future__ import annotations

from dataclasses import replace

from engine.core import Action, Decision, Frame, Refusal
from engine.games.gangs import refusals
from engine.games.gangs.actions import Sell
from engine.games.gangs.builder import GangsBuilder, Result
from engine.games.gangs.data import ALMS, LAMP, TOLL
from engine.games.gangs.events import Sold, TollPaid
from engine.games.gangs.frames.danger import alarm
from engine.games.gangs.frames.hire import hire
from engine.games.gangs.state import GangsTable
from engine.games.gangs.words import HIRE_EARLY, OWNING, bandit_name, stop_gloss
from engine.texts import Seat, Text
from engine.town.actions import Play
from engine.town.data import Graffiti
from engine.town.events import Money, Rubbed, alms
from engine.town.thieves import THIEVES, VALUE
from engine.town.walk import destination, play_name, refuse_play, stop_advice, walk_decision

SELL = {thief: Sell(thief) for thief in THIEVES}
SELL_PROMPT = Text("Sell a bandit, or play a movement card.")


class Turn(Frame[GangsTable, Play | Sell]):
    """Play a card, or sell a bandit first. This frame is below all others; a turn begins whenever it comes up again."""

    rule = "2.2"

    def decisions(self, state: GangsTable) -> tuple[Decision, ...]:
        """The plays of the hand, and with the option `sell_to_bank` each type of the seat's bandits."""
        walk, bandits = walk_decision(state), state.bandits[state.on_turn]
        if not bandits or not state.setup.options.sell_to_bank:
            return walk
        sales = tuple(SELL[thief] for thief in dict.fromkeys(bandits))
        return (replace(walk[0], prompt=SELL_PROMPT, options=(*walk[0].options, *sales)),)

    def resolve(self, state: GangsTable, seat: Seat, action: Play | Sell) -> Result:
        """Walk and apply the space, or sell a bandit and ask again."""
        after = GangsBuilder(state)
        # No `answered()`: this frame comes up again after a sale, and in the next turn after a walk.
        if isinstance(action, Sell):
            # The price of hiring at the camel's present space (rule 3.9).
            price = state.price(action.bandit.gang)
            after.bring_back(seat, action.bandit)
            after.earn(seat, price)
            after.hired[seat] -= price
            after.tell(Sold(seat, action.bandit, Money(price)))
            return after.done()
        space = after.walk(seat, action)
        if space.jewels:
            return alarm(after, space.jewels)
        # Start does not count as empty, so hiring is impossible there.
        return hire(after) if space.empty else _read_graffiti(after)

    def gloss(self, state: GangsTable, action: Play | Sell) -> Text:
        """The consequence of stopping there, or the value of the bandit if it stayed."""
        if isinstance(action, Play):
            return stop_gloss(state, destination(state, action))
        return Text("worth {value} at a raid or at the end of the lap", value=VALUE[action.bandit])

    def named(self, state: GangsTable, action: Play | Sell, field: str = "") -> Text:
        """The destination of a card, or a sale with its price."""
        if isinstance(action, Play):
            return play_name(state, action, field)
        bandit, price = bandit_name(action.bandit), Money(state.price(action.bandit.gang))
        return bandit if field else Text("{bandit}, sold for {price}", bandit=bandit, price=price)

    def advice(self, state: GangsTable) -> tuple[Text, ...]:
        """Advice on where to stop."""
        return stop_advice(state), (OWNING if state.bandits[state.on_turn] else HIRE_EARLY)

    def why_not(self, state: GangsTable, seat: Seat, action: Action) -> Refusal | None:
        """Name the missing card or bandit, or the fork."""
        if isinstance(action, Play):
            return refuse_play(state, seat, action)
        return refusals.sell(state, action)


def _read_graffiti(after: GangsBuilder) -> Result:
    """Apply a graffito (rule 3.6); Start has none."""
    seat = after.before.on_turn
    match after.space.graffiti:
        case Graffiti.LAMP:
            after.earn(seat, LAMP)
            after.tell(Rubbed(seat, Money(LAMP)))
        case Graffiti.ALMS:
            after.tell(alms(seat, after.pay(seat, ALMS)))
        case Graffiti.TOLL:
            # All seats pay, limited by their purses (rule 3.6).
            for payer in after.before.clockwise:
                if bandits := after.bandits[payer]:
                    after.tell(TollPaid(payer, Money(after.pay(payer, TOLL * len(bandits)))))
        case Graffiti.RECRUIT:
            return hire(after, free=True)
    return after.end_turn()
