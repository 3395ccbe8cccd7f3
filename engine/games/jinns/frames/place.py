"""The questions and draws of the setup (rule 3)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress

from engine.core import Action, Decision, Event, Refusal
from engine.games.jinns import refusals, words
from engine.games.jinns.actions import Lay, Place, Strength
from engine.games.jinns.builder import JinnsBuilder
from engine.games.jinns.events import Filled, LaidOut, Placed
from engine.games.jinns.pattern import next_square, placements, stock
from engine.games.jinns.pawns import COPIES, PAWNS, PAWNS_OF, Color
from engine.games.jinns.ring import LAST, Square
from engine.games.jinns.state import Jinns, Question
from engine.texts import CHANCE, Seat, Text

*_PLACES, _REST = map(Place, Strength)
_LAYS = tuple(map(Lay, PAWNS))
_LAYS_OF = {color: tuple(map(Lay, pawns)) for color, pawns in PAWNS_OF.items()}
_LUCK = Text("The next pawn is drawn at random.")


class Placing(Question[Place]):
    """The strength of the pawn for the next square (rule 3.1). This frame is below `Filling`."""

    rule = "3.1"

    def decisions(self, state: Jinns) -> tuple[Decision, ...]:
        """The strengths in stock, or a random rest of the block if it can be filled in several ways."""
        square = next_square(state.board)
        here, placed = placements(state.terms.seats)[square], state.board[:square]
        stocks = [stock(placed, color) for color in here.colors]
        # At least two squares, and more than one way to fill them (rule 3.1).
        fillable = here.block_end - square > 1 and any(numbers.count(0) < len(numbers) - 1 for numbers in stocks)
        options = tuple(place for place, number in zip(_PLACES, stocks[0], strict=True) if number)
        prompt = Text("Choose the {color} pawn for square {square}.", color=here.color, square=square)
        return (Decision(here.placer, prompt, (*options, _REST) if fillable else options),)

    def resolve(self, state: Jinns, seat: Seat, action: Place) -> tuple[Jinns, tuple[Event, ...]]:
        """Place the pawn, or fill the rest of the block at random."""
        after, square = JinnsBuilder(state), next_square(state.board)
        here = placements(state.terms.seats)[square]
        if action.strength is Strength.REST:
            after.ask(Filling(seat, square, here.block_end))
            return after.done()
        pawn = PAWNS_OF[here.color][action.strength.number - 1]
        after.place(square, pawn)
        after.tell(Placed(seat, pawn, square))
        if square == LAST:
            after.begin()
        return after.done()

    def named(self, state: Jinns, action: Place, field: str = "") -> Text:
        """The pawn and its square, or the squares to fill at random."""
        return words.placement_name(state, action)

    def gloss(self, state: Jinns, action: Place) -> Text:
        """The first squares on which the pawn could land."""
        return words.placement_gloss(state, action)

    def advice(self, state: Jinns) -> tuple[Text, ...]:
        """The use of strengths, and of filling at random."""
        (decision,) = self.decisions(state)
        return words.SPREAD, words.MIX_OR_LUCK if _REST in decision.options else words.MIX

    def why_not(self, state: Jinns, seat: Seat, action: Action) -> Refusal | None:
        """Name the pawns in stock."""
        return refusals.placing(state, action)


class Filling(Question[Lay]):
    """Fill the rest of a block at random for a seat, one pawn after another (rule 3.1).

    `first` is its first square, `end` the square after the block.
    """

    rule = "3.1"

    seat: Seat
    first: Square
    end: int

    def decisions(self, state: Jinns) -> tuple[Decision, ...]:
        """The pawns of the color in stock, all equally likely."""
        color, in_stock = self._stock(state)
        return _draw(_LAYS_OF[color], in_stock)

    def odds(self, state: Jinns) -> Text:
        """The pawns of the color in stock."""
        return words.stock_odds(*self._stock(state))

    def _stock(self, state: Jinns) -> tuple[Color, tuple[int, ...]]:
        square = next_square(state.board)
        color = placements(state.terms.seats)[square].color
        return color, stock(state.board[:square], color)

    def resolve(self, state: Jinns, seat: Seat, action: Lay) -> tuple[Jinns, tuple[Event, ...]]:
        """Place the pawn. One event reports the whole block after its last pawn."""
        after, square = JinnsBuilder(state), next_square(state.board)
        after.place(square, action.pawn)
        if square == self.end - 1:
            after.answered()
            pawns = tuple(pile.top for pile in after.board[self.first : self.end])
            after.tell(Filled(self.seat, pawns, self.first, square))
        if square == LAST:
            after.begin()
        return after.done()


class LayingOut(Question[Lay]):
    """Draw all pawns of a random setup, square by square (rule 3.3)."""

    rule = "3.3"

    counts: tuple[int, ...] = (COPIES,) * len(PAWNS)
    """The number of each of `PAWNS` in stock."""

    def decisions(self, state: Jinns) -> tuple[Decision, ...]:
        """The pawns in stock, all equally likely."""
        return _draw(_LAYS, self.counts)

    def odds(self, state: Jinns) -> Text:
        """The number of pawns in stock."""
        text = "{pawns:The last pawn is left|Each of the @ pawns left is as likely as any other}"
        return Text(text, pawns=sum(self.counts))

    def resolve(self, state: Jinns, seat: Seat, action: Lay) -> tuple[Jinns, tuple[Event, ...]]:
        """Place the pawn. After the last one, colors are chosen, or the game begins."""
        after, square = JinnsBuilder(state), next_square(state.board)
        after.place(square, action.pawn)
        if square < LAST:
            number = action.pawn.number
            in_stock = (*self.counts[:number], self.counts[number] - 1, *self.counts[number + 1 :])
            after.frames = [*state.frames[:-1], LayingOut(in_stock)]
            return after.done()
        after.answered()
        after.tell(LaidOut())
        if not state.terms.colors_chosen:
            after.begin()
        return after.done()


def _draw(lays: Iterable[Lay], in_stock: tuple[int, ...]) -> tuple[Decision, ...]:
    return (Decision(CHANCE, _LUCK, tuple(compress(lays, in_stock)), weights=tuple(filter(None, in_stock))),)
