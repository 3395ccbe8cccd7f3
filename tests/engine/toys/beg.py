"""Beg: a decision for a seat that is not on turn, about its hidden hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from random import Random

from engine.builder import Builder
from engine.core import (
    Action,
    Aside,
    Decision,
    Event,
    Frame,
    GameSpec,
    Options,
    Outcome,
    Setup,
    State,
    describe,
    only,
    option,
)
from engine.rulebook import Rulebook
from engine.texts import CHANCE, Seat, Text

HAND = 2
UNSEEN = 0
"""A card that is hidden from the viewer."""


class Reason(StrEnum):
    TURNS = "turns"


class BegOptions(Options):
    turns: int = option(6, "How many turns are played", 6, 4)


class Deal(Action):
    """Deal two cards to each seat."""

    cards: tuple[int, ...]


class Beg(Action):
    """Ask the next seat for a card."""

    label = "Beg for {card}"

    card: int = describe("the card you want")


class Give(Action):
    """Give the card away."""


class Deny(Action):
    """Say that you do not have it."""


class Dealt(Event):
    template = "You hold {cards}."

    cards: tuple[int, ...]


class Begged(Event):
    template = "{seat} {seat:begs|beg} {other} for {card}."

    seat: Seat
    other: Seat
    card: int


class Given(Event):
    template = "{seat} {seat:gives|give} {card} away."

    seat: Seat
    card: int


class Denied(Event):
    template = "{seat} {seat:has|have} nothing to give."

    seat: Seat


class Dealing(Frame["Alms", Deal]):
    def decisions(self, state: Alms) -> tuple[Decision, ...]:
        return (Decision(CHANCE, Text("The cards are dealt."), ()),)

    def sample(self, state: Alms, rng: Random) -> Action:
        return Deal(tuple(rng.sample(state.deck, len(state.deck))))

    def resolve(self, state: Alms, seat: Seat, action: Deal) -> tuple[Alms, tuple[Event, ...]]:
        after = AlmsBuilder(state)
        after.answered()
        after.hands = [action.cards[HAND * n : HAND * (n + 1)] for n in range(state.seats)]
        after.tell(*(Dealt(hand, audience=only(Seat(n))) for n, hand in enumerate(after.hands)))
        return after.done()


class Turn(Frame["Alms", Beg]):
    rule = "2"

    def decisions(self, state: Alms) -> tuple[Decision, ...]:
        return (Decision(state.turn_of(), Text("Beg for a card."), tuple(map(Beg, state.deck))),)

    def resolve(self, state: Alms, seat: Seat, action: Beg) -> tuple[Alms, tuple[Event, ...]]:
        after, other = AlmsBuilder(state), Seat((seat + 1) % state.seats)
        after.tell(Begged(seat, other, action.card))
        after.ask(Answering(other, action.card))
        return after.done()


BEGGED = Aside("begged", Text("whether I give a card away"), "3", decline=Deny)


class Answering(Frame["Alms", Give | Deny]):
    """The seat may deny having the card even if it has it, so its options are private."""

    rule, aside = "3", BEGGED

    seat: Seat
    card: int

    def decisions(self, state: Alms) -> tuple[Decision, ...]:
        gives = (Give(),) if self.card in state.hands[self.seat] else ()
        return (Decision(self.seat, Text("Give {card}, or say no.", card=self.card), (*gives, Deny()), private=True),)

    def resolve(self, state: Alms, seat: Seat, action: Give | Deny) -> tuple[Alms, tuple[Event, ...]]:
        after, beggar = AlmsBuilder(state), state.turn_of()
        after.answered()
        if isinstance(action, Give):
            after.hands[seat] = tuple(card for card in after.hands[seat] if card != self.card)
            after.hands[beggar] = (*after.hands[beggar], self.card)
            after.tell(Given(seat, self.card))
        else:
            after.tell(Denied(seat))
        after.turn += 1
        if after.turn == state.turns:
            after.frames.clear()
        return after.done()


class Alms(State):
    hands: tuple[tuple[int, ...], ...]
    turn: int
    turns: int

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def deck(self) -> range:
        return range(1, HAND * self.seats + 1)

    def turn_of(self) -> Seat:
        return Seat(self.turn % self.seats)

    def outcome(self) -> Outcome | None:
        if self.frames:
            return None
        scores = tuple(map(len, self.hands))
        share = 1 / scores.count(max(scores))
        return Outcome(tuple(share if score == max(scores) else 0.0 for score in scores), scores, Reason.TURNS)

    def observe(self, viewer: Seat | None) -> Alms:
        return self._with_cards(viewer, lambda: UNSEEN)

    def determinize(self, viewer: Seat | None, rng: Random) -> Alms:
        own = () if viewer is None else self.hands[viewer]
        unseen = [card for card in self.deck if card not in own]
        rng.shuffle(unseen)
        return self._with_cards(viewer, unseen.pop)

    def _with_cards(self, viewer: Seat | None, card: Callable[[], int]) -> Alms:
        hands = (hand if n == viewer else tuple(card() for _ in hand) for n, hand in enumerate(self.hands))
        return replace(self, hands=tuple(hands))


class AlmsBuilder(Builder[Alms]):
    def __init__(self, before: Alms) -> None:
        super().__init__(before)
        self.hands = list(before.hands)
        self.turn = before.turn

    def position(self) -> Alms:
        return replace(self.before, frames=tuple(self.frames), hands=tuple(self.hands), turn=self.turn)


def start(setup: Setup) -> Alms:
    return Alms((Turn(), Dealing()), ((),) * setup.seats, 0, setup.options.turns)


GAME = GameSpec(
    slug="beg",
    title="Beg",
    summary="Beg your neighbor for cards that they may not have, or may not want to give.",
    seats=(2, 3),
    options=BegOptions,
    actions=(Beg, Give, Deny),
    chances=(Deal,),
    rules_version=1,
    rulebook=Rulebook.parse(
        "## 1 Aim\nHold most cards after {turns=4: four | six} turns.\n\n"
        "## 2 Beg\nFor any card.\n\n"
        "## 3 Give\nIf you have it."
    ),
    start=start,
    hands=True,
    asides=(BEGGED,),
)
