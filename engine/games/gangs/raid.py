"""Loot and fines (rules 3.3 and 3.5)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.gangs.builder import GangsBuilder
from engine.games.gangs.data import FINE
from engine.games.gangs.events import Arrested, Raided, together
from engine.games.gangs.state import Danger, Fate, group_value
from engine.texts import Seat
from engine.town.data import Thief
from engine.town.events import Money
from engine.town.thieves import bears


def settle(after: GangsBuilder) -> None:
    """End the danger owner by owner, the seat on turn first: loot for those who got away, fines for those arrested."""
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
    # With all bandits as they were before the arrest: a full group doubles loot and fine (rule 3.5).
    loot, fine = _worth(bandits, raided), FINE * _worth(bandits, arrested)
    # Loot first, so that it helps to pay the fine (rule 3.3).
    if raided:
        after.bring(seat, loot)
        after.tell(Raided(seat, Money(loot)))
    paid = _arrest(after, seat, arrested, fine) if arrested else 0
    return Fate(seat, raided, arrested, loot, paid)


def _worth(bandits: Sequence[Thief], some: Sequence[Thief]) -> int:
    return sum([group_value(bandits, thief) for thief in dict.fromkeys(some)])


def _arrest(after: GangsBuilder, seat: Seat, arrested: tuple[Thief, ...], fine: int) -> int:
    # In the order of the types, since everybody knows the bottom of a stack (rules 4 and 6).
    for thief in arrested:
        after.bring_back(seat, thief)
    # What the purse cannot pay is forgiven (rule 3.3).
    paid = after.pay(seat, fine)
    after.fined[seat] += paid
    after.tell(Arrested(seat, together(arrested), Money(paid)))
    return paid
