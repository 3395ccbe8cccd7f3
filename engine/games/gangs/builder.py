"""The changes of a position in the gangs game."""

from __future__ import annotations

from engine.core import Event
from engine.games.gangs.data import LAPS
from engine.games.gangs.events import EndReason, LapEnded, LapPaid
from engine.games.gangs.state import Danger, GangsTable, group_value
from engine.texts import Seat
from engine.town.actions import Play
from engine.town.builder import TownBuilder
from engine.town.cards import Cards
from engine.town.data import LAP, Gang, Thief
from engine.town.events import Money
from engine.town.luck import DealAll
from engine.town.thieves import FULL_DECK, sort_thieves
from engine.town.track import Space

Result = tuple[GangsTable, tuple[Event, ...]]
"""The return type of `Frame.resolve`."""


class GangsBuilder(TownBuilder[GangsTable]):
    """A position of the gangs while one ply changes it."""

    def __init__(self, before: GangsTable) -> None:
        super().__init__(before)
        self.bandits = list(before.bandits)
        self.tails = list(before.tails)
        self.danger = before.danger
        self.fined = list(before.fined)
        self.hired = list(before.hired)
        self.returned = list(before.returned)

    def position(self) -> GangsTable:
        return GangsTable(
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
            bandits=tuple(self.bandits),
            tails=tuple(self.tails),
            danger=self.danger,
            fined=tuple(self.fined),
            hired=tuple(self.hired),
            returned=tuple(self.returned),
        )

    def walk(self, seat: Seat, play: Play) -> Space:
        """Play a card, move the camel, and clear the danger of the last turn."""
        self.danger = None
        return super().walk(seat, play)

    @property
    def present_danger(self) -> Danger:
        """The danger of this turn; there must be one."""
        assert self.danger is not None, "windows, dice and raids need bandits in danger"
        return self.danger

    def in_danger(self, seat: Seat) -> bool:
        """Whether a seat has bandits in danger now."""
        return bool(self.present_danger.among(self.bandits[seat]))

    # --- bandits ---

    def join(self, seat: Seat, thief: Thief) -> None:
        """Add a bandit to a seat."""
        # Sorted, so that equal bandits are equal values.
        self.bandits[seat] = sort_thieves((*self.bandits[seat], thief))

    def leave(self, seat: Seat, thief: Thief) -> None:
        """Remove a bandit from a seat."""
        others = list(self.bandits[seat])
        others.remove(thief)
        self.bandits[seat] = tuple(others)

    def bring_back(self, seat: Seat, thief: Thief) -> None:
        """Put a bandit at the bottom of its stack."""
        self.leave(seat, thief)
        self.tails[thief.gang.place] += (thief,)

    def draw(self, thief: Thief) -> None:
        """Remove a card of a type from its stack: from the deck, or from the tail if the deck is empty."""
        gang = thief.gang.place
        # The deck is above the returned cards (rule 4).
        if any(self.decks[gang]):
            super().draw(thief)
        else:
            self.tails[gang] = self.tails[gang][1:]

    # --- the end of a turn ---

    def end_turn(self) -> Result:
        """Pass the turn on, and end the lap after its last card."""
        self.turn += 1
        # A lap ends when its 24 cards are played (rule 3.1); with five seats, the last one has one turn less.
        if not any(self.cards.hands):
            self._end_lap()
        return self.done()

    def _end_lap(self) -> None:
        """Pay for the bandits, take them back, and start the next lap or end the game (rule 3.7)."""
        # An exact quotient, since the cards of a lap add up to 52 steps (rule 2.1).
        lap = self.walked // LAP
        self.tell(LapEnded(lap))
        for seat in map(Seat, range(self.before.seats)):
            if bandits := self.bandits[seat]:
                # Once for each type, since `group_value` covers all cards of a type.
                amount = sum(group_value(bandits, thief) for thief in dict.fromkeys(bandits))
                self.bring(seat, amount)
                self.tell(LapPaid(seat, Money(amount)))
        # All bandits are shuffled into their decks, so all tails are empty (rule 3.7).
        self.bandits = [()] * self.before.seats
        self.decks = [FULL_DECK] * len(Gang)
        self.tails = [()] * len(Gang)
        # The first seat begins again (rule 3.7).
        self.turn = 0
        if lap == LAPS:
            self.end(EndReason.LAPS)
        else:
            # All movement cards are dealt again for the second lap (rule 3.7).
            self.cards = Cards.undealt(self.before.seats)
            self.ask(DealAll())
