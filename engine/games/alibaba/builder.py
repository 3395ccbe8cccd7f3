"""The changes of a position in the cave game."""

from __future__ import annotations

from engine.core import Event
from engine.games.alibaba.events import CameHome, EndReason, LeftBehind, Reshuffled
from engine.games.alibaba.state import Cave, Encounter
from engine.texts import Seat
from engine.town.actions import Play
from engine.town.builder import TownBuilder
from engine.town.data import WALK, Gang, Thief
from engine.town.events import Money
from engine.town.thieves import EMPTY_DECK, sort_thieves, with_card
from engine.town.track import Space

Result = tuple[Cave, tuple[Event, ...]]
"""The return type of `Frame.resolve`."""


class CaveBuilder(TownBuilder[Cave]):
    """A position of the cave while one ply changes it."""

    def __init__(self, before: Cave) -> None:
        super().__init__(before)
        self.stakes = list(before.stakes)
        self.safe_after = list(before.safe_after)
        self.claimed = list(before.claimed)
        self.piles = list(before.piles)
        self.encounter = before.encounter

    def position(self) -> Cave:
        return Cave(
            frames=tuple(self.frames),
            setup=self.before.setup,
            turn=self.turn,
            walked=self.walked,
            route=self.route,
            cards=self.cards,
            purses=tuple(self.purses),
            brought=tuple(self.brought),
            decks=tuple(self.decks),
            ended=self.ended,
            stakes=tuple(self.stakes),
            safe_after=tuple(self.safe_after),
            claimed=tuple(self.claimed),
            piles=tuple(self.piles),
            encounter=self.encounter,
        )

    def walk(self, seat: Seat, play: Play) -> Space:
        """Play a card, move the camel, and clear the thieves of the last turn."""
        self.encounter = None
        return super().walk(seat, play)

    # --- stakes ---

    def set_stake(self, seat: Seat, amount: int, safe_after: int) -> None:
        """Put a stake into the cave, or replace it by a greater one."""
        self.stakes[seat] = amount
        self.safe_after[seat] = safe_after

    def clear_stake(self, seat: Seat) -> int:
        """Remove a stake from the cave. Returns its amount."""
        amount = self.stakes[seat]
        self.stakes[seat] = 0
        self.safe_after[seat] = None
        return amount

    def stakers(self) -> tuple[Seat, ...]:
        """The seats with a stake in the cave."""
        return tuple(Seat(seat) for seat, last in enumerate(self.safe_after) if last is not None)

    # --- thieves ---

    @property
    def present_encounter(self) -> Encounter:
        """The encounter of this turn; there must be one."""
        assert self.encounter is not None, "thieves are turned up, rolled for and claimed in an encounter"
        return self.encounter

    def can_draw(self, gang: Gang) -> bool:
        """Whether a deck has a card, its discards included."""
        return any(self.decks[gang.place]) or any(self.piles[gang.place])

    def refill(self, gang: Gang) -> bool:
        """Refill an empty deck from its discards (rule 3.5). False if the deck stays empty."""
        if any(self.decks[gang.place]):
            return True
        if not any(self.piles[gang.place]):
            return False
        # The thieves of this turn are not in the discards yet, so they stay out of the new deck (rule 3.5).
        self.decks[gang.place], self.piles[gang.place] = self.piles[gang.place], EMPTY_DECK
        self.tell(Reshuffled(gang))
        return True

    def discard(self, thief: Thief) -> None:
        """Put a card of a type on the discards of its gang."""
        self.piles[thief.gang.place] = with_card(self.piles[thief.gang.place], thief)

    def keep(self, seat: Seat, thief: Thief) -> None:
        """Give a card of a type to a seat permanently."""
        self.claimed[seat] = sort_thieves((*self.claimed[seat], thief))

    def claim(self, seat: Seat, thief: Thief) -> None:
        """Give one of the thieves of this encounter to a seat (rule 3.6)."""
        self.keep(seat, thief)
        encounter = self.present_encounter
        self.encounter = encounter._replace(claims=(*encounter.claims, (seat, thief)))

    # --- the end of a turn ---

    def end_turn(self) -> Result:
        """Discard the thieves, pay out safe stakes, and pass the turn on or end the game (rules 3.5 to 3.9)."""
        if self.encounter:
            for thief in self.encounter.unclaimed:
                self.discard(thief)
            self.encounter = self.encounter._replace(over=True)
        # After the roll, which clears the stakes of those caught, and on every kind of space (rules 3.2 and 6).
        if self.turn in self.safe_after:
            self._pay_out()
        self.turn += 1
        # Only now: the turn in which the camel comes home is completed (rule 3.9).
        if self.walked >= WALK:
            # Stakes that are not safe by now are lost (rule 3.9).
            for seat in self.stakers():
                self.tell(LeftBehind(seat, Money(self.clear_stake(seat))))
            self.end(EndReason.HOME)
        return self.done()

    def _pay_out(self) -> None:
        for seat in self.stakers():
            if self.safe_after[seat] == self.turn:
                amount = self.clear_stake(seat)
                self.bring(seat, amount)
                self.tell(CameHome(seat, Money(amount)))
