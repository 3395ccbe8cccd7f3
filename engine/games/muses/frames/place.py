"""Laying out the tiles (rule 4)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core import Action, Decision, Event, Refusal, all_but, only
from engine.games.muses import refusals, words
from engine.games.muses.actions import Place
from engine.games.muses.builder import LayoutBuilder
from engine.games.muses.cells import CENTER, nearest
from engine.games.muses.events import Placed, PlacedFaceDown, PlacedUnseen
from engine.games.muses.frames.dance import Turn
from engine.games.muses.made import Placings
from engine.games.muses.shape import border
from engine.games.muses.state import UNSEEN, Muses, Question
from engine.games.muses.tiles import NUMBERS, TILES, Face
from engine.texts import Seat, Text

_EITHER, _DOWN, _UP = (Face.UP, Face.DOWN), (Face.DOWN,), (Face.UP,)
_LAY_ONE, _LAY_THE_LAST = Text("Lay a Muse."), Text("Lay your last Muse.")


@dataclass(frozen=True, slots=True)
class Placing(Question[Place]):
    """Which Muse of its hand a seat lays where, and which side up."""

    rule = "4"

    opens_turn = True

    seat: Seat

    def decisions(self, state: Muses) -> tuple[Decision, ...]:
        """Muse by cell by face; the options are the hand, so they are private."""
        hand = state.hands[self.seat]
        # Beside another tile; the first of all in the middle (rule 4).
        cells = border(state.floor.cells) or (CENTER,)
        hides = state.secrets[self.seat] is None
        # Everybody hides exactly one Muse, so it is the last one if none was hidden before (rule 4.1).
        faces = _EITHER if hides and len(hand) > 1 else _DOWN if hides else _UP
        prompt = _LAY_ONE if len(hand) > 1 else _LAY_THE_LAST
        # Others look at this hand, too, in positions that do not show it to them.
        known = [muse for muse in hand if muse != UNSEEN]
        return (Decision(self.seat, prompt, Placings(known, cells, faces), private=True),)

    def resolve(self, state: Muses, seat: Seat, action: Place) -> tuple[Muses, tuple[Event, ...]]:
        """Lay it with a die of its company; only the seat itself learns who lies face down."""
        after, down = LayoutBuilder(state), action.face is Face.DOWN
        after.answered()
        # Names of cells begin anew after 26 (rule 2.2); while tiles are laid, the one nearest to the middle is meant.
        tile = TILES[after.lay(seat, NUMBERS[action.muse], nearest(action.cell), down=down)]
        if down:
            # Complementary audiences: only the owner hears who lies there.
            after.tell(PlacedFaceDown(action.muse, tile, action.cell, audience=only(seat)))
            after.tell(PlacedUnseen(seat, tile, action.cell, audience=all_but(seat, seats=state.seats)))
        else:
            after.tell(Placed(seat, tile, action.cell))
        if any(after.hands):
            after.ask(Placing(state.next_seat(seat)))
        else:
            assert state.first is not None, "somebody has begun the hand"
            # Who began the layout also takes the first turn (rule 5).
            after.ask(Turn(state.first))
        return after.done()

    def named(self, state: Muses, action: Place, field: str = "") -> Text | None:
        """A Muse with her suns, or a cell with what lies beside it."""
        return words.placing(state, action, field)

    def gloss(self, state: Muses, action: Place) -> Text | None:
        """The suns of the Muse and what she can do."""
        return words.placing_gloss(state, action)

    def advice(self, state: Muses) -> tuple[Text, ...]:
        """Where dice grow, and whom to hide."""
        return words.advice_on_placing(state, self.seat)

    def why_not(self, state: Muses, seat: Seat, action: Action) -> Refusal | None:
        """Name what is not in the hand, the cell that does not do, or the rule of the one face-down tile."""
        return refusals.place(state, seat, action) if isinstance(action, Place) else None
