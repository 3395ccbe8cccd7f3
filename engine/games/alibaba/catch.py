"""Whom the thieves catch, what it costs, and in which order the losers may claim (rules 3.5 and 3.6)."""

from __future__ import annotations

from dataclasses import replace

from engine.games.alibaba.data import RANSOM
from engine.games.alibaba.draft import Draft
from engine.games.alibaba.events import Caught, CaughtPenniless, NobodyCaught, Rolled, Spared
from engine.games.alibaba.state import Loss
from engine.texts import Seat
from engine.town.events import Money
from engine.town.thieves import THIEVES, members


def strike(draft: Draft, on_turn: Seat, black: int, white: int) -> None:
    """Roll, and catch everybody in the cave who has not claimed all the types that bear the number."""
    assert draft.encounter is not None, "thieves are turned up before the roll"
    met = replace(draft.encounter, black=black, white=white)
    bearers = met.striking
    draft.events.append(Rolled(black, white, met.number))
    losses: list[Loss] = []
    spared: list[Seat] = []
    seats = draft.setup.seats
    for seat in (Seat((on_turn + n) % seats) for n in range(seats)):
        if draft.dues[seat] is None or not bearers:
            continue
        if striking := bearers & ~draft.claimed[seat]:
            losses.append(_catch(draft, seat, striking))
        else:
            spared.append(seat)
            draft.events.append(Spared(seat, members(bearers)))
    if not losses:
        draft.events.append(NobodyCaught())
    draft.encounter = replace(met, losses=tuple(losses), spared=tuple(spared))


def _catch(draft: Draft, seat: Seat, striking: int) -> Loss:
    """The stake is lost, and something has to be paid."""
    thief = THIEVES[(striking & -striking).bit_length() - 1]
    stake, paid = draft.stakes[seat], min(RANSOM, draft.purses[seat])
    draft.clear_stake(seat)
    draft.pay(seat, -paid)
    if paid:
        draft.events.append(Caught(seat, thief, Money(stake), Money(paid)))
    else:
        draft.events.append(CaughtPenniless(seat, thief, Money(stake)))
    return Loss(seat, stake, paid)


def claimants(draft: Draft, on_turn: Seat) -> tuple[Seat, ...]:
    """Those caught, the greatest loss first; of equal ones the first clockwise, starting left of the seat on turn."""
    assert draft.encounter is not None, "somebody is caught by a thief"
    seats = draft.setup.seats
    losses = sorted(draft.encounter.losses, key=lambda loss: (-loss.total, (loss.seat - on_turn - 1) % seats))
    return tuple(loss.seat for loss in losses)
