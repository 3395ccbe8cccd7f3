"""Refusals of the cave game: the reason why an action is illegal, and its rule."""

from __future__ import annotations

from engine.core import Action, Refusal
from engine.games.alibaba.actions import Claim, Extend, Steal, TurnUp
from engine.games.alibaba.data import MAX_TURNED_UP, MAX_TURNS
from engine.games.alibaba.state import Cave
from engine.games.alibaba.words import stake_text
from engine.texts import Seat, Text

TOO_MANY_TURNS = (
    "{turns} turns are too many: the camel has {steps} {steps:step|steps} to go, "
    "so at most {steps} {steps:turn is|turns are} left."
)


def stake(state: Cave, seat: Seat, action: Action) -> Refusal | None:
    """The reason why a stake cannot be made or changed like this."""
    inside = state.in_cave(seat)
    match action:
        case Steal() if inside:
            have = "You already have {stake} in the cave; you may extend it."
            return Refusal(Text(have, stake=stake_text(state.stakes[seat])), "3.3")
        case Extend() if not inside:
            return Refusal(Text("You have no stake in the cave; steal first, then extend."), "3.4")
        case Steal(turns=turns) | Extend(turns=turns) if not 0 <= turns <= MAX_TURNS:
            return Refusal(Text("You can choose 0 to {most} turns, not {turns}.", most=MAX_TURNS, turns=turns), "3.3")
        case Steal(turns=turns) | Extend(turns=turns):
            return Refusal(Text(TOO_MANY_TURNS, turns=state.turns_left(seat) + turns, steps=state.steps_left), "3.3")
    return None


def turn_up(state: Cave, action: Action) -> Refusal | None:
    """The reason why this number of thieves cannot be turned up."""
    if not isinstance(action, TurnUp):
        return None
    if not state.asks_for_two_numbers:
        template = "Say one number from 1 to {most}: that many from each deck shown, here {gangs}."
        return Refusal(Text(template, most=MAX_TURNED_UP, gangs=state.space.jewels), "3.5")
    if action.second is None or not 1 <= action.cards + action.second <= MAX_TURNED_UP:
        first, second = state.space.jewels
        two = "Say a number for {first} and one for {second}, 1 to {most} in all."
        return Refusal(Text(two, first=first, second=second, most=MAX_TURNED_UP), "3.5")
    if min(action.cards, action.second) < 0:
        return Refusal(Text("You cannot turn up fewer than 0 thieves."), "3.5")
    # Both numbers are in range, so they are for empty decks.
    return Refusal(Text("No thief would be turned up: that deck is used up."), "3.5")


def claim(state: Cave, seat: Seat, action: Action) -> Refusal | None:
    """The reason why a thief cannot be claimed."""
    encounter = state.encounter
    if not isinstance(action, Claim) or encounter is None:
        return None
    # It is here, so the seat must have its type already (rule 3.6).
    if action.thief in encounter.unclaimed:
        already = "You have already claimed {thief}; you cannot claim the same type twice."
        return Refusal(Text(already, thief=action.thief), "3.6")
    if action.thief in encounter.thieves:
        return Refusal(Text("The {thief} turned up here has just been claimed.", thief=action.thief), "3.6")
    absent = "No {thief} was turned up, only {thieves}."
    return Refusal(Text(absent, thief=action.thief, thieves=encounter.unclaimed), "3.6")
