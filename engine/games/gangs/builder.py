"""What a ply of the gangs changes."""

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
from engine.town.thieves import FULL_DECK, in_order
from engine.town.track import Space

Result = tuple[GangsTable, tuple[Event, ...]]
"""What the answer to a question returns."""


class GangsBuilder(TownBuilder[GangsTable]):
    """A position of the gangs while one ply changes it."""

    def __init__(self, before: GangsTable) -> None:
        super().__init__(before)
        self.bandits = list(before.bandits)
        self.tails = list(before.tails)
        self.danger = before.danger
        self.fined = list(before.fined)

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
        )

    def walk(self, seat: Seat, play: Play) -> Space:
        """Play a card and move the camel; the danger of the last turn is forgotten."""
        self.danger = None
        return super().walk(seat, play)

    @property
    def present_danger(self) -> Danger:
        """What the space of this turn has brought."""
        assert self.danger is not None, "windows, dice and raids need somebody in danger"
        return self.danger

    def in_danger(self, seat: Seat) -> bool:
        """Whether a seat has bandits in danger now."""
        return bool(self.present_danger.among(self.bandits[seat]))

    # --- bandits ---

    def join(self, seat: Seat, thief: Thief) -> None:
        """A bandit comes to a seat."""
        # In order, so that the same bandits make equal positions.
        self.bandits[seat] = in_order((*self.bandits[seat], thief))

    def leave(self, seat: Seat, thief: Thief) -> None:
        """A bandit goes away from a seat."""
        left = list(self.bandits[seat])
        left.remove(thief)
        self.bandits[seat] = tuple(left)

    def bring_back(self, seat: Seat, thief: Thief) -> None:
        """A bandit goes to the bottom of its stack."""
        self.leave(seat, thief)
        self.tails[thief.gang.place] += (thief,)

    def draw(self, thief: Thief) -> None:
        """Take a card of a type off its stack: off the deck, or off the tail once that is used up."""
        gang = thief.gang.place
        # The deck lies above the cards brought back (rule 4).
        if any(self.decks[gang]):
            super().draw(thief)
        else:
            self.tails[gang] = self.tails[gang][1:]

    # --- the end of a turn ---

    def end_turn(self) -> Result:
        """Pass the turn on; after the last card of a lap comes its end, and a new deal."""
        self.turn += 1
        # A lap is over when its 24 cards are played (rule 3.1); with five seats the last one has then had a turn less.
        if not any(self.cards.hands):
            self._end_lap()
        return self.done()

    def _end_lap(self) -> None:
        """Pay for the bandits and take them back; then comes the next lap or the end (rule 3.7)."""
        # Exact, since the cards of a lap add up to 52 steps (rule 2.1).
        lap = self.walked // LAP
        self.tell(LapEnded(lap))
        for seat in map(Seat, range(self.before.seats)):
            if bandits := self.bandits[seat]:
                # Type by type, since `group_value` has all cards of one.
                amount = sum(group_value(bandits, thief) for thief in dict.fromkeys(bandits))
                self.bring(seat, amount)
                self.tell(LapPaid(seat, Money(amount)))
        # All go back and are shuffled, so no tail is left (rule 3.7).
        self.bandits = [()] * self.before.seats
        self.decks = [FULL_DECK] * len(Gang)
        self.tails = [()] * len(Gang)
        # The first seat begins again (rule 3.7).
        self.turn = 0
        if lap == LAPS:
            self.end(EndReason.LAPS)
        else:
            # All movement cards are dealt anew for the second lap (rule 3.7).
            self.cards = Cards.undealt(self.before.seats)
            self.ask(DealAll())
