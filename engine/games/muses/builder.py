"""The changes of a position in Dance of Muses: a builder for each phase of a hand."""

from __future__ import annotations

from dataclasses import replace

from engine.builder import Builder
from engine.games.muses.actions import Power, Step
from engine.games.muses.cells import CENTER, WAY_NUMBERS, cell_name
from engine.games.muses.events import NeutralLaid, PowerBorrowed, PowerUsed, Pushed, Stepped
from engine.games.muses.floor import EMPTY, NEUTRAL
from engine.games.muses.powers import resolve_power
from engine.games.muses.state import NEUTRAL_SECRET, Muses
from engine.games.muses.tiles import FIRST_HIDDEN, HIDDEN_NEUTRAL, TILES
from engine.texts import Seat


class HandBuilder(Builder[Muses]):
    """The changes before the first turn and at the end of a hand."""

    def __init__(self, before: Muses) -> None:
        super().__init__(before)
        self.hand = before.hand
        self.first = before.first
        self.turns = before.turns
        self.floor = before.floor
        self.secrets = list(before.secrets)
        self.points = list(before.points)
        self.bonuses = list(before.bonuses)
        self.finished = before.finished
        self.ended = before.ended

    def position(self) -> Muses:
        # `replace` is fast enough here, unlike in the two builders below, which are hot spots of searches.
        return replace(
            self.before,
            frames=tuple(self.frames),
            hand=self.hand,
            first=self.first,
            turns=self.turns,
            floor=self.floor,
            secrets=tuple(self.secrets),
            points=tuple(self.points),
            bonuses=tuple(self.bonuses),
            finished=self.finished,
            ended=self.ended,
        )


class LayoutBuilder(Builder[Muses]):
    """The changes while the Muses are dealt and laid out."""

    def __init__(self, before: Muses) -> None:
        super().__init__(before)
        self.floor = before.floor
        self.secrets = list(before.secrets)
        self.hands = list(before.hands)

    def position(self) -> Muses:
        before = self.before
        return Muses(
            frames=tuple(self.frames),
            setup=before.setup,
            hand=before.hand,
            first=before.first,
            turns=before.turns,
            floor=self.floor,
            secrets=tuple(self.secrets),
            hands=tuple(self.hands),
            points=before.points,
            bonuses=before.bonuses,
            finished=before.finished,
            ended=before.ended,
        )

    def lay_neutral(self, muse: int, *, down: bool) -> None:
        """Lay the Neutral tile in the middle (rule 3)."""
        # By its public name, so that the floor reveals nothing (rule 2.4).
        tile = HIDDEN_NEUTRAL if down else muse
        if down:
            self.secrets[NEUTRAL_SECRET] = muse
        self.floor = EMPTY.with_tile(tile, CENTER, NEUTRAL)
        self.tell(NeutralLaid(TILES[tile], cell_name(CENTER)))

    def lay(self, seat: Seat, muse: int, cell: int, *, down: bool) -> int:
        """Lay a Muse of a hand with a die of its company (rule 4). Returns the number of her tile."""
        hand = self.hands[seat]
        at = hand.index(muse)
        self.hands[seat] = hand[:at] + hand[at + 1 :]
        # The name of a face-down tile only reveals its owner (rule 2.4).
        tile = FIRST_HIDDEN + seat if down else muse
        if down:
            self.secrets[seat] = muse
        self.floor = self.before.floor.with_tile(tile, cell, self.before.company_of(seat))
        return tile


class DanceBuilder(Builder[Muses]):
    """The changes while the Muses dance."""

    def __init__(self, before: Muses) -> None:
        super().__init__(before)
        # Secrets, hands and points do not change before the end of the hand.
        self.turns = before.turns
        self.floor = before.floor

    def position(self) -> Muses:
        before = self.before
        return Muses(
            frames=tuple(self.frames),
            setup=before.setup,
            hand=before.hand,
            first=before.first,
            turns=self.turns,
            floor=self.floor,
            secrets=before.secrets,
            hands=before.hands,
            points=before.points,
            bonuses=before.bonuses,
            finished=before.finished,
            ended=before.ended,
        )

    def step(self, seat: Seat, action: Step) -> None:
        """Move a tile and the tiles that it pushes (rule 5)."""
        before, way = self.before.floor, WAY_NUMBERS[action.way]
        chain = before.chain(before.index(action.muse), way)
        self.floor = after = before.after_step(chain, way)
        origin, cell = cell_name(before.cells[chain[0]]), cell_name(after.cells[chain[0]])
        if len(chain) == 1:
            self.tell(Stepped(seat, action.muse, action.way, origin, cell))
        else:
            pushed = tuple(TILES[before.tiles[index]] for index in chain[1:])
            self.tell(Pushed(seat, action.muse, action.way, origin, cell, pushed))

    def use(self, seat: Seat, action: Power) -> None:
        """Use a power (rule 6)."""
        power, lender, on = resolve_power(self.before.muse_table.powers, action)
        before = self.before.floor
        self.floor, effect = power.use(before, before.index(action.muse), on)
        self.tell(PowerBorrowed(seat, action.muse, lender) if lender else PowerUsed(seat, action.muse), effect)
