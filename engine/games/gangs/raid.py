"""Loot and fines (rules 3.3 and 3.5)."""

from __future__ import annotations

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
    fates = [fate for seat in after.before.clockwise if (fate := _settle(after, seat, danger))]
    after.danger = danger._replace(over=True, fates=tuple(fates))


def _settle(after: GangsBuilder, seat: Seat, danger: Danger) -> Fate | None:
    bandits = after.bandits[seat]
    loot = fine = 0
    raided: list[Thief] = []
    arrested: list[Thief] = []
    for thief in (thief for thief in danger.types if thief in bandits):
        cards, value = bandits.count(thief), group_value(bandits, thief)
        if bears(thief, danger.number):
            fine += FINE * value
            arrested += [thief] * cards
        else:
            loot += value
            raided += [thief] * cards
    if not raided and not arrested:
        return None
    if raided:
        after.bring(seat, loot)
        after.tell(Raided(seat, Money(loot)))
    paid = _arrest(after, seat, tuple(arrested), fine) if arrested else 0
    return Fate(seat, tuple(raided), tuple(arrested), loot, paid)


def _arrest(after: GangsBuilder, seat: Seat, arrested: tuple[Thief, ...], fine: int) -> int:
    for thief in arrested:
        after.bring_back(seat, thief)
    paid = after.pay(seat, fine)
    after.fined[seat] += paid
    after.tell(Arrested(seat, together(arrested), Money(paid)))
    return paid
