"""The roll: seats caught by the thieves, their losses, and the order of claims (rules 3.5 and 3.6)."""

from __future__ import annotations

from engine.games.alibaba.builder import CaveBuilder
from engine.games.alibaba.data import RANSOM
from engine.games.alibaba.events import Borne, Caught, CaughtPenniless, NobodyCaught, Rolled, Spared
from engine.games.alibaba.state import Loss
from engine.texts import Seat
from engine.town.events import Money


def roll_and_catch(after: CaveBuilder, black: int, white: int) -> None:
    """Roll, and catch all seats in the cave that have not claimed all types that bear the number."""
    encounter = after.present_encounter._replace(black=black, white=white)
    bearers = encounter.bearers
    after.tell(Rolled(black, white, encounter.number))
    if bearers:
        after.tell(Borne(encounter.number, bearers))
    losses: list[Loss] = []
    spared: list[Seat] = []
    # This is only the order of the events; `claimants` decides who claims first.
    for seat in after.before.clockwise if bearers else ():
        # Not by the amount: a toll may leave an empty stake, which is still in danger (rule 3.7).
        if after.safe_after[seat] is None:
            continue
        if any(thief not in after.claimed[seat] for thief in bearers):
            losses.append(_catch(after, seat))
        else:
            spared.append(seat)
            after.tell(Spared(seat, bearers))
    if not bearers:
        after.tell(NobodyCaught(encounter.number))
    after.encounter = encounter._replace(losses=tuple(losses), spared=tuple(spared))


def _catch(after: CaveBuilder, seat: Seat) -> Loss:
    """Take away the stake, and a ransom."""
    stake, paid = after.clear_stake(seat), after.pay(seat, RANSOM)
    if paid:
        after.tell(Caught(seat, Money(stake), Money(paid)))
    else:
        after.tell(CaughtPenniless(seat, Money(stake)))
    return Loss(seat, stake, paid)


def claimants(after: CaveBuilder) -> tuple[Seat, ...]:
    """The seats caught, the greatest loss first; of equal losses, the first clockwise from the seat on turn's left."""
    on_turn, *others = after.before.clockwise
    left_first = (*others, on_turn)
    losses = sorted(after.present_encounter.losses, key=lambda loss: (-loss.total, left_first.index(loss.seat)))
    return tuple(loss.seat for loss in losses)
