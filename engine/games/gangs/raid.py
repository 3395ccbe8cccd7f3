"""Loot and fines (rules 3.3 and 3.5)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.gangs.builder import GangsBuilder
from engine.games.gangs.data import FINE
from engine.games.gangs.events import Arrested, Raided, group_cards
from engine.games.gangs.state import Danger, Fate, group_value
from engine.texts import Seat
from engine.town.data import Thief
from engine.town.events import Money
from engine.town.thieves import bears


def settle(after: GangsBuilder) -> None:
    """Settle the danger for each owner, starting with the seat on turn: loot for a raid, fines for arrests."""
    danger = after.present_danger
    owners = (seat for seat in after.before.clockwise if after.bandits[seat])
    fates = [fate for seat in owners if (fate := _settle(after, seat, danger))]
    after.danger = danger._replace(over=True, fates=tuple(fates))


def _settle(after: GangsBuilder, seat: Seat, danger: Danger) -> Fate | None:
    bandits = after.bandits[seat]
    if not (endangered := [thief for thief in bandits if thief in danger.types]):
        return None
    arrested = tuple([thief for thief in endangered if bears(thief, danger.number)])
    raided = tuple([thief for thief in endangered if thief not in arrested])
    # Valued by the groups before the arrest: a full group doubles loot and fine (rule 3.5).
    loot, fine = _value(bandits, raided), FINE * _value(bandits, arrested)
    # Loot first, since it can pay for the fine (rule 3.3).
    if raided:
        after.bring(seat, loot)
        after.tell(Raided(seat, Money(loot)))
    paid = _arrest(after, seat, arrested, fine) if arrested else 0
    return Fate(seat, raided, arrested, loot, paid)


def _value(bandits: Sequence[Thief], some: Sequence[Thief]) -> int:
    return sum([group_value(bandits, thief) for thief in dict.fromkeys(some)])


def _arrest(after: GangsBuilder, seat: Seat, arrested: tuple[Thief, ...], fine: int) -> int:
    # In a fixed order, since the bottom of a stack is public (rules 4 and 6).
    for thief in arrested:
        after.bring_back(seat, thief)
    # Limited by the purse; the rest is forgiven (rule 3.3).
    paid = after.pay(seat, fine)
    after.fined[seat] += paid
    after.tell(Arrested(seat, group_cards(arrested), Money(paid)))
    return paid
