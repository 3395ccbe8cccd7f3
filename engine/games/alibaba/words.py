"""Texts about stakes and the time until they are safe (rule 3.3), and advice for beginners."""

from __future__ import annotations

from collections.abc import Iterable

from engine.games.alibaba.data import CAVE, CAVE_GRAFFITI
from engine.games.alibaba.risk import stakers
from engine.games.alibaba.state import Cave
from engine.texts import Seat, Text
from engine.town.data import CARD_COUNTS, LAP, MARKS, Graffiti, Thief
from engine.town.events import Money
from engine.town.track import MAIN, Space

SPELLED = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
ENDINGS = {1: "{n}st", 2: "{n}nd", 3: "{n}rd"}


class Ordinal(int):
    """An ordinal number, displayed as `second`, `21st`, `112th`."""

    __slots__ = ()

    @property
    def label(self) -> Text:
        """The ordinal as a text; small ones are spelled out."""
        if self < len(SPELLED):
            return Text(SPELLED[self])
        teens = self // 10 % 10 == 1
        return Text("{n}th" if teens else ENDINGS.get(self % 10, "{n}th"), n=str(int(self)))


# --- Stakes ----------------------------------------------------------------------------------------------------------

EMPTY_STAKE = Text("an empty stake")


def safe_text(state: Cave, seat: Seat, turns: int = 0) -> Text:
    """`safe after Blue’s second turn from now`, for the stake of a seat extended by some turns."""
    remaining = state.turns_left(seat) + turns
    if not remaining:
        return Text("safe when this turn is over")
    # The number of the guard's turns until then, rounded up.
    last = Ordinal(-(-remaining // state.seats))
    later = "safe after {guard:@’s|your} {last:next turn|@ turn from now}"
    return Text(later, guard=Seat((state.turn + remaining) % state.seats), last=last)


def stake_text(amount: int) -> Text:
    """`a stake of 28,000`, or `an empty stake`, which a toll may leave (rule 3.7)."""
    return Text("a stake of {amount}", amount=Money(amount)) if amount else EMPTY_STAKE


def steal_name(turns: int) -> Text:
    """`28,000 for 7 more turns`: beside the turn in which it is stolen."""
    if not turns:
        return Text("Steal nothing")
    return Text("{amount} for {turns} more {turns:turn|turns}", amount=CAVE[turns], turns=turns)


def extend_name(turns: int) -> Text:
    """`3,000 more for 2 more turns`."""
    if not turns:
        return Text("Leave it as it is")
    return Text("{amount} more for {turns} more {turns:turn|turns}", amount=CAVE[turns], turns=turns)


def thief_name(thief: Thief) -> Text:
    """The label of a thief as an option: `Red thief 3`."""
    return Text("{gang:^} thief {group}", gang=thief.gang, group=thief.group)


# --- Spaces ----------------------------------------------------------------------------------------------------------

WRITINGS = {
    Graffiti.LAMP: Text("the lamp gives {amount}", amount=CAVE_GRAFFITI),
    Graffiti.ALMS: Text("{amount} goes to the poor, if you have that much", amount=CAVE_GRAFFITI),
    Graffiti.TOLL: Text("every stake in the cave loses {amount}", amount=CAVE_GRAFFITI),
    Graffiti.RECRUIT: Text("a thief may be recruited there"),
}


def stop_gloss(state: Cave, space: Space) -> Text:
    """The consequence of stopping on a space."""
    if not space.jewels:
        counts = state.setup.options.cave_graffiti
        return WRITINGS[space.graffiti] if space.graffiti and counts else Text("nothing happens there")
    inside = stakers(state)
    if not inside:
        return Text("nobody is in the cave, so no thief comes")
    if not any(state.deck(gang) or state.discarded(gang) for gang in space.jewels):
        return Text("all its thieves are claimed")
    if len(inside) <= MAX_NAMED:
        return Text("thieves come for {seats}", seats=inside)
    if inside[0] != state.on_turn:
        return Text("thieves come for {n} others", n=len(inside))
    return Text("thieves come for {seat} and {n} others", seat=inside[0], n=len(inside) - 1)


MAX_NAMED = 3
"""Maximum number of players named in a line."""

# --- Advice for beginners --------------------------------------------------------------------------------------------

USUAL_STEP = 3
"""Average number of steps in a turn, rounded."""

NEAR_THE_END = 26
"""Number of steps to go below which advice is about the end of the game."""

# without numbers: how long pays best depends on the position, as the search sees it
STAY_LONG = Text("Longer stays bring much more, at a higher risk.")
STAY_SHORT = Text("A stake has to be safe before the end: steal for a short time now, or not at all.")
STAY_CLEAR = Text("You are in the cave: stop on a space without jewels if you can, so that no thief comes.")
SEND_THIEVES = Text("Others are in the cave and you are not: where there are jewels, thieves come only for them.")
NO_HURRY = Text("Nobody is in the cave, so no thief comes now: save the cards that skip jewels for later.")
CALL_FEW = Text("You are in danger here yourself: the fewer thieves turn up, the safer you are.")
CALL_MANY = Text("You are not in the cave: every thief that turns up is a danger to the others, never to you.")
HOW_THEY_STRIKE = Text("A number from 1 to 36 is rolled; if a thief here has it, you lose the stake and 1,000 more.")
KEEP_ONE = Text("A thief you keep never catches you again, nor does any other of the same color and number.")
RECRUIT_ONE = Text("The top card of a deck comes to you: its type never catches you again.")
RECRUIT_DEAR = Text("A type you already have goes away. Red ones have the most numbers, so choose red if you can.")


def claim_advice(choice: Iterable[Thief]) -> tuple[Text, ...]:
    """Advice to keep the thief with the most numbers."""
    best = max(choice, key=lambda thief: len(MARKS[thief]))
    keep = "It costs nothing. {thief} has {n} of the 36 numbers; no other thief here has more."
    return KEEP_ONE, Text(keep, thief=thief_name(best), n=len(MARKS[best]))


def stake_advice(state: Cave) -> tuple[Text, ...]:
    """Advice before stealing or extending."""
    seat = state.on_turn
    if state.in_cave(seat):
        turns = state.turns_left(seat)
        if not turns:
            return Text("It is yours if no thief catches you in this turn. Each added turn is a risk."), _outlook(state)
        lies = "It is yours if no thief catches you in this turn and {left} more. Each added turn is a risk."
        return Text(lies, left=turns), _outlook(state)
    if state.steps_left <= NEAR_THE_END:
        return STAY_SHORT, _outlook(state)
    return STAY_LONG, _outlook(state)


def _outlook(state: Cave) -> Text:
    if state.steps_left > NEAR_THE_END:
        # Counts the main route only, since side streets are optional (rule 2.3).
        jewels = sum(bool(MAIN[(state.step + card) % LAP].jewels) for card in CARD_COUNTS)
        return Text("{n} of the next 5 steps {n:has|have} jewels, where thieves turn up.", n=jewels)
    ends = "Careful: you have only about {turns} more {turns:turn|turns}. Stakes in the cave at the end are lost."
    return Text(ends, turns=state.steps_left // (USUAL_STEP * state.seats))
