"""Loot and fines (rules 3.3 and 3.5)."""

from __future__ import annotations

from dataclasses import replace

from engine.games.gangs.data import FINE, FULL_GROUP
from engine.games.gangs.draft import Draft
from engine.games.gangs.events import Arrested, Raided
from engine.games.gangs.state import Danger, Fate, full
from engine.texts import Seat
from engine.town.events import Money
from engine.town.thieves import BEARS, THIEVES, VALUE


def settle(draft: Draft) -> None:
    """End the danger owner by owner, the seat on turn first: loot for those who got away, fines for those arrested."""
    danger = draft.danger
    assert danger is not None, "there is a raid only after danger"
    fates = [fate for seat in draft.clockwise() if (fate := _settle(draft, seat, danger))]
    draft.danger = replace(danger, over=True, fates=tuple(fates))


def _settle(draft: Draft, seat: Seat, danger: Danger) -> Fate | None:
    owned = draft.owned[seat]
    loot = fine = 0
    raided: list[int] = []
    arrested: list[int] = []
    for number in (n for n in danger.types if owned[n]):
        value = VALUE[number] * owned[number] * (FULL_GROUP if full(owned, number) else 1)
        if danger.number and BEARS[number][danger.number]:
            fine += FINE * value
            arrested += [number] * owned[number]
        else:
            loot += value
            raided += [number] * owned[number]
    if not raided and not arrested:
        return None
    if raided:
        draft.pay(seat, loot)
        draft.events.append(Raided(seat, Money(loot)))
    paid = _arrest(draft, seat, arrested, fine) if arrested else 0
    return Fate(seat, tuple(raided), tuple(arrested), loot, paid)


def _arrest(draft: Draft, seat: Seat, arrested: list[int], fine: int) -> int:
    for number in arrested:
        draft.bring_back(seat, number)
    paid = draft.pay_at_most(seat, fine)
    draft.events.append(Arrested(seat, tuple(THIEVES[number] for number in arrested), Money(paid)))
    return paid
