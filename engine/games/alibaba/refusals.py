"""Why something cannot be done in the cave: what is in the way, and the section that says so."""

from __future__ import annotations

from engine.core import Action, Refusal
from engine.games.alibaba.actions import Claim, Extend, Steal, TurnUp
from engine.games.alibaba.data import MOST_TURNED_UP, MOST_TURNS
from engine.games.alibaba.state import Cave
from engine.games.alibaba.words import lying
from engine.texts import Seat
from engine.town.events import named
from engine.town.thieves import NUMBER, THIEVES


def stake(state: Cave, seat: Seat, action: Action) -> Refusal | None:
    """Why a stake cannot be made or changed like this."""
    inside = state.in_cave(seat)
    match action:
        case Steal() if inside:
            stake = lying(state.stakes[seat])
            return Refusal(f"You have {stake} in the cave already; you may extend it.", "3.3")
        case Extend() if not inside:
            return Refusal("Nothing of yours lies in the cave; steal first, then extend.", "3.4")
        case Steal(turns=turns) | Extend(turns=turns):
            return _too_long(state, seat, turns)
    return None


def _too_long(state: Cave, seat: Seat, turns: int) -> Refusal:
    if not 0 <= turns <= MOST_TURNS:
        return Refusal(f"The cave knows 0 to {MOST_TURNS} turns, not {turns}.", "3.3")
    steps, whole = state.left, state.turns_left(seat) + turns
    most = f"{steps} turns are left" if steps > 1 else "1 turn is left"
    to_go = f"the camel has {steps} step{'s' if steps > 1 else ''} to go"
    return Refusal(f"{whole} turns are too many: {to_go}, so at most {most}.", "3.3")


def announce(state: Cave, action: Action) -> Refusal | None:
    """Why that many thieves cannot be turned up."""
    if not isinstance(action, TurnUp):
        return None
    gangs = state.space.jewels
    if state.setup.options.multi_deck != "total" or len(gangs) == 1:
        shown = " and ".join(gangs)
        sentence = f"Say one number from 1 to {MOST_TURNED_UP}: so many from each deck shown, here {shown}."
        return Refusal(sentence, "3.5")
    if action.second is None or not 1 <= action.cards + action.second <= MOST_TURNED_UP:
        return Refusal(f"Say a number for {gangs[0]} and one for {gangs[1]}, 1 to {MOST_TURNED_UP} in all.", "3.5")
    if min(action.cards, action.second) < 0:
        return Refusal("Fewer than no thieves cannot be turned up.", "3.5")
    return Refusal("Not a single thief would be turned up: that deck is used up.", "3.5")


def claim(state: Cave, seat: Seat, action: Action) -> Refusal | None:
    """Why that thief cannot be claimed."""
    if not isinstance(action, Claim):
        return None
    met = state.encounter
    left = met.lying if met else ()
    number = NUMBER[action.thief]
    if number not in left:
        taken = next((q for q, n in met.claims if n == number), None) if met else None
        if taken is not None:
            return Refusal(f"The {action.thief} turned up here has just been claimed.", "3.6")
        here = named(tuple(THIEVES[n] for n in left))
        return Refusal(f"No {action.thief} was turned up; here lie{'s' if len(left) == 1 else ''} {here}.", "3.6")
    return Refusal(f"You have claimed {action.thief} already; one of a type is enough.", "3.6")
