"""A turn of the gangs: sell, walk, and what the space does (rules 3.1 to 3.3 and 3.6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core import Action, Decision, Frame, Refusal
from engine.games.gangs import refusals
from engine.games.gangs.actions import Sell
from engine.games.gangs.data import ALMS, LAMP, TOLL
from engine.games.gangs.draft import Draft, Result
from engine.games.gangs.events import Sold, TollPaid
from engine.games.gangs.flow import end_turn
from engine.games.gangs.frames.danger import alarm
from engine.games.gangs.frames.hire import hire
from engine.games.gangs.state import GangsTable
from engine.texts import Seat
from engine.town.actions import Play
from engine.town.data import Graffiti
from engine.town.events import GaveAlms, Money, Rubbed, money
from engine.town.thieves import NUMBER, THIEVES, gang_of
from engine.town.walk import PROMPT, plays, refuse_play, walk_decision, where

SELLS = tuple(Sell(thief) for thief in THIEVES)
SELL_PROMPT = "Sell a bandit, or play a movement card; the camel walks as many steps."


@dataclass(frozen=True, slots=True)
class Turn(Frame[GangsTable, Play | Sell]):
    """Play a card, perhaps sell before. It lies below all other questions, and to come back to it is the next turn."""

    rule = "2.2"

    def decisions(self, state: GangsTable) -> tuple[Decision, ...]:
        """Each value of the hand; each type of bandit with the option `sell_to_bank`."""
        seat = state.on_turn
        options = plays(state.cards.hands[seat], state.step)
        if state.setup.options.sell_to_bank:
            sales = tuple(sell for sell, count in zip(SELLS, state.owned[seat], strict=True) if count)
            return walk_decision(seat, options + sales, SELL_PROMPT if sales else PROMPT)
        return walk_decision(seat, options)

    def resolve(self, state: GangsTable, seat: Seat, action: Play | Sell) -> Result:
        """Walk and see what is there, or sell a bandit and be asked again."""
        draft = Draft(state)
        if isinstance(action, Sell):
            price = state.price(gang_of(action.thief))
            draft.bring_back(seat, NUMBER[action.thief])
            draft.pay(seat, price)
            draft.events.append(Sold(seat, action.thief, Money(price)))
            return draft.asking()
        space = draft.walk(state, seat, action)
        if space.jewels:
            return alarm(draft)
        return hire(draft) if space.empty else _read_graffiti(draft)

    def gloss(self, state: GangsTable, action: Play | Sell, names: Sequence[str]) -> str:
        """Where a card leads, or what the bank pays."""
        if isinstance(action, Play):
            return where(state, action)
        return f"for {money(state.price(gang_of(action.thief)))}"

    def why_not(self, state: GangsTable, seat: Seat, action: Action) -> Refusal | None:
        """Name the card, the fork or the bandit."""
        if isinstance(action, Play):
            return refuse_play(state, seat, action)
        return refusals.sell(state, seat, action)


def _read_graffiti(draft: Draft) -> Result:
    """Do what a writing says (rule 3.6); Start says nothing."""
    seat = draft.on_turn
    match draft.space.graffiti:
        case Graffiti.LAMP:
            draft.pay(seat, LAMP)
            draft.events.append(Rubbed(seat, Money(LAMP)))
        case Graffiti.ALMS:
            draft.events.append(GaveAlms(seat, Money(draft.pay_at_most(seat, ALMS))))
        case Graffiti.TOLL:
            for payer in draft.clockwise():
                if bandits := sum(draft.owned[payer]):
                    paid = draft.pay_at_most(payer, TOLL * bandits)
                    draft.events.append(TollPaid(payer, Money(paid)))
        case Graffiti.RECRUIT:
            return hire(draft, free=True)
    return end_turn(draft)
