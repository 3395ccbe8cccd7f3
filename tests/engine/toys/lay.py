"""Lay: secret hands, a draw with too many outcomes to list, partners with four seats, several hands in a match."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from random import Random

from engine.builder import Builder
from engine.core import (
    Action,
    Decision,
    Event,
    Frame,
    GameSpec,
    Options,
    Outcome,
    Setup,
    State,
    all_but,
    describe,
    only,
    option,
)
from engine.rulebook import Rulebook
from engine.texts import CHANCE, Seat, Text

DECK = range(1, 25)
HAND = 3
UNSEEN = 0
"""A card that is hidden from the viewer."""


class Reason(StrEnum):
    HANDS = "hands"


class LayOptions(Options):
    hands: int = option(2, "How many hands are played", 2, 1)


class Deal(Action):
    """Deal three cards to each seat."""

    cards: tuple[int, ...]


class Lay(Action):
    """Lay a card of your hand face down."""

    label = "Lay {card}"

    card: int = describe("A card of your hand")


class TurnUp(Action):
    """Turn up all cards on the table."""


class Dealt(Event):
    template = "You hold {cards}."

    cards: tuple[int, ...]


class Laid(Event):
    template = "You have laid {card}."

    card: int


class LaidUnseen(Event):
    template = "{seat} has laid a card."

    seat: Seat


class TurnedUp(Event):
    template = "{cards} were laid; {winner} wins them."

    cards: tuple[int, ...]
    winner: Seat


class Dealing(Frame["Table", Deal]):
    """A deal too large to list: neither options nor weights."""

    def decisions(self, state: Table) -> tuple[Decision, ...]:
        return (Decision(CHANCE, Text("The cards are dealt."), ()),)

    def sample(self, state: Table, rng: Random) -> Action:
        return Deal(tuple(rng.sample(DECK, HAND * state.seats)))

    def resolve(self, state: Table, seat: Seat, action: Deal) -> tuple[Table, tuple[Event, ...]]:
        hands = tuple(action.cards[HAND * i : HAND * (i + 1)] for i in range(state.seats))
        dealt = tuple(Dealt(hand, audience=only(Seat(i))) for i, hand in enumerate(hands))
        after = TableBuilder(state)
        after.hands, after.turned_up = list(hands), []
        after.hands_left -= 1
        after.answered()
        after.ask(Laying((None,) * state.seats))
        after.tell(*dealt)
        return after.done()


class Laying(Frame["Table", Lay]):
    """The card laid by each seat, `None` = not yet. The options reveal a hand, so they are private."""

    rule = "2"

    laid: tuple[int | None, ...]

    def decisions(self, state: Table) -> tuple[Decision, ...]:
        return tuple(
            Decision(Seat(i), Text("Lay a card."), tuple(Lay(card) for card in state.hands[i]), private=True)
            for i, card in enumerate(self.laid)
            if card is None
        )

    def resolve(self, state: Table, seat: Seat, action: Lay) -> tuple[Table, tuple[Event, ...]]:
        laid = (*self.laid[:seat], action.card, *self.laid[seat + 1 :])
        after = TableBuilder(state)
        after.hands[seat] = tuple(card for card in state.hands[seat] if card != action.card)
        after.tell(Laid(action.card, audience=only(seat)))
        after.tell(LaidUnseen(seat, audience=all_but(seat, seats=state.seats)))
        after.answered()
        after.ask(Laying(laid) if None in laid else Turning(laid))
        return after.done()


class Turning(Frame["Table", TurnUp]):
    """All seats have laid a card. An action of a seat must not reveal the cards, so CHANCE does."""

    laid: tuple[int | None, ...]

    def decisions(self, state: Table) -> tuple[Decision, ...]:
        return (Decision(CHANCE, Text("The cards are turned up."), (TurnUp(),)),)

    def resolve(self, state: Table, seat: Seat, action: TurnUp) -> tuple[Table, tuple[Event, ...]]:
        cards = tuple(card for card in self.laid if card is not None)
        winner = Seat(cards.index(max(cards)))
        after = TableBuilder(state)
        after.tricks[winner] += 1
        after.turned_up += cards
        after.answered()
        if any(after.hands):
            after.ask(Laying((None,) * state.seats))
        elif after.hands_left:
            after.ask(Dealing())
        after.tell(TurnedUp(cards, winner))
        return after.done()


class Table(State):
    hands: tuple[tuple[int, ...], ...]
    turned_up: tuple[int, ...]
    tricks: tuple[int, ...]
    hands_left: int

    @property
    def seats(self) -> int:
        return len(self.tricks)

    def outcome(self) -> Outcome | None:
        if self.frames:
            return None
        points = tuple(sum(self.tricks[seat % 2 :: 2]) for seat in range(self.seats))
        share = 1 / points.count(max(points))
        return Outcome(tuple(share if own == max(points) else 0.0 for own in points), points, Reason.HANDS)

    def observe(self, viewer: Seat | None) -> Table:
        return self._with_cards(viewer, lambda: UNSEEN)

    def determinize(self, viewer: Seat | None, rng: Random) -> Table:
        seen = self.observe(viewer)
        visible = {*seen.turned_up, *(card for hand in (*seen.hands, *seen.laid()) for card in hand)}
        unseen = [card for card in DECK if card not in visible]
        rng.shuffle(unseen)
        return seen._with_cards(viewer, unseen.pop)

    def laid(self) -> tuple[tuple[int, ...], ...]:
        frame = self.frames[-1] if self.frames else None
        laid = frame.laid if isinstance(frame, Laying | Turning) else (None,) * self.seats
        return tuple(() if card is None else (card,) for card in laid)

    def _with_cards(self, viewer: Seat | None, card: Callable[[], int]) -> Table:
        """This position with every card that is hidden from the viewer replaced."""
        hands = tuple(h if i == viewer else tuple(card() for _ in h) for i, h in enumerate(self.hands))
        frames = self.frames
        if frames and isinstance(frame := frames[-1], Laying | Turning):
            laid = (c if c is None or i == viewer else card() for i, c in enumerate(frame.laid))
            frames = (replace(frame, laid=tuple(laid)),)
        return replace(self, hands=hands, frames=frames)


class TableBuilder(Builder[Table]):
    def __init__(self, before: Table) -> None:
        super().__init__(before)
        self.hands = list(before.hands)
        self.turned_up = list(before.turned_up)
        self.tricks = list(before.tricks)
        self.hands_left = before.hands_left

    def position(self) -> Table:
        return replace(
            self.before,
            frames=tuple(self.frames),
            hands=tuple(self.hands),
            turned_up=tuple(self.turned_up),
            tricks=tuple(self.tricks),
            hands_left=self.hands_left,
        )


def start(setup: Setup) -> Table:
    no_cards = ((),) * setup.seats
    return Table((Dealing(),), no_cards, (), (0,) * setup.seats, setup.options.hands)


GAME = GameSpec(
    slug="lay",
    title="Lay",
    summary="Lay cards face down; the highest wins them for its partners.",
    seats=(2, 4),
    options=LayOptions,
    actions=(Lay,),
    chances=(Deal, TurnUp),
    rules_version=1,
    rulebook=Rulebook.parse(
        "## 1 Aim\nWin cards with your partner in {hands=1: one hand | two hands}.\n\n"
        "## 2 Laying\nEverybody lays a card."
    ),
    start=start,
    hands=True,
)
