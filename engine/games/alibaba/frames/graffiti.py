"""The graffiti of the cave game, with the option `cave_graffiti` (rule 3.7)."""

from __future__ import annotations

from engine.core import Action, Decision, Frame, Refusal
from engine.games.alibaba.builder import CaveBuilder, Result
from engine.games.alibaba.data import CAVE_GRAFFITI
from engine.games.alibaba.events import Recruited, SentAway, TollTaken
from engine.games.alibaba.state import Cave
from engine.games.alibaba.words import RECRUIT_DEAR, RECRUIT_ONE
from engine.texts import Seat, Text
from engine.town.actions import Appear, Stop, Take
from engine.town.data import MARKS, Gang, Graffiti
from engine.town.events import Money, Rubbed, TookNone, alms
from engine.town.luck import TopCard
from engine.town.thieves import THIEVES

STOP = Stop()
RECRUIT_PROMPT = Text("Choose the deck to recruit a thief from, or none.")
# All types of a gang bear equally many numbers (rule 2.4).
MARKED_SQUARES = {gang: next(len(MARKS[thief]) for thief in THIEVES if thief.gang is gang) for gang in Gang}
"""Gang -> the number of numbers that each of its types bears."""


def read_graffiti(after: CaveBuilder) -> Recruit | None:
    """Apply a graffito, with the option `cave_graffiti`. Returns a question only for a recruit."""
    seat = after.before.on_turn
    if not after.before.setup.options.cave_graffiti:
        return None
    match after.space.graffiti:
        case Graffiti.LAMP:
            after.earn(seat, CAVE_GRAFFITI)
            after.tell(Rubbed(seat, Money(CAVE_GRAFFITI)))
        case Graffiti.ALMS:
            # Limited by the purse (rule 3.7).
            after.tell(alms(seat, after.pay(seat, CAVE_GRAFFITI)))
        case Graffiti.TOLL:
            _take_toll(after)
        case Graffiti.RECRUIT:
            gangs = tuple(filter(after.can_draw, Gang))
            return Recruit(gangs) if gangs else None
    return None


def _take_toll(after: CaveBuilder) -> None:
    for seat in after.stakers():
        # An empty stake stays in the cave (rule 3.7).
        toll = min(CAVE_GRAFFITI, after.stakes[seat])
        after.stakes[seat] -= toll
        after.tell(TollTaken(seat, Money(toll)))


class Recruit(Frame[Cave, Take | Stop]):
    """The deck from which the seat on turn recruits a thief, or none (rule 3.7)."""

    rule = "3.7"

    gangs: tuple[Gang, ...]

    def decisions(self, state: Cave) -> tuple[Decision, ...]:
        """The decks that have not run out, or none."""
        return (Decision(state.on_turn, RECRUIT_PROMPT, (*map(Take, self.gangs), STOP)),)

    def resolve(self, state: Cave, seat: Seat, action: Take | Stop) -> Result:
        """Turn up the top card of the deck."""
        after = CaveBuilder(state)
        after.answered()
        if isinstance(action, Take):
            # Before the draw, which does not look at the discards.
            after.refill(action.gang)
            after.ask(Join(action.gang))
            return after.done()
        after.tell(TookNone(seat))
        return after.end_turn()

    def named(self, state: Cave, action: Take | Stop, field: str = "") -> Text:
        """`Red thief`, or `No thief`."""
        return Text("{gang:^} thief", gang=action.gang) if isinstance(action, Take) else Text("No thief")

    def advice(self, state: Cave) -> tuple[Text, ...]:
        """The benefit of a recruit."""
        return RECRUIT_ONE, RECRUIT_DEAR

    def gloss(self, state: Cave, action: Take | Stop) -> Text | None:
        """The number of its numbers, and the number of cards in the deck."""
        if not isinstance(action, Take):
            return None
        marks = MARKED_SQUARES[action.gang]
        if cards := state.deck(action.gang):
            return Text("has {marks} of 36 numbers; {cards} in the deck", marks=marks, cards=cards)
        made = "has {marks} of 36 numbers; a new deck of {cards} discards"
        return Text(made, marks=marks, cards=state.discarded(action.gang))

    def why_not(self, state: Cave, seat: Seat, action: Action) -> Refusal | None:
        """Name the deck that has run out."""
        if isinstance(action, Take):
            sentence = "All {gang} thieves have been claimed; nobody is left to recruit."
            return Refusal(Text(sentence, gang=action.gang), self.rule)
        return None


class Join(TopCard[Cave, Appear]):
    """Turn up a recruit of a gang."""

    def resolve(self, state: Cave, seat: Seat, action: Appear) -> Result:
        """Give a new type to the seat on turn; discard a type that it has already (rule 3.7)."""
        # `seat` is CHANCE here.
        after, owner, thief = CaveBuilder(state), state.on_turn, action.thief
        after.answered()
        after.draw(thief)
        if thief in state.claimed[owner]:
            after.discard(thief)
            after.tell(SentAway(owner, thief))
        else:
            after.keep(owner, thief)
            after.tell(Recruited(owner, thief))
        return after.end_turn()
