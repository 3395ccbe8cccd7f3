"""The question of laying out the tiles (rule 4)."""

from __future__ import annotations

from engine.core import Action, Decision, Event, Refusal, all_but, only
from engine.games.muses import refusals, words
from engine.games.muses.action_cache import Placings
from engine.games.muses.actions import Place
from engine.games.muses.builder import LayoutBuilder
from engine.games.muses.cells import CENTER, nearest_number
from engine.games.muses.events import Placed, PlacedFaceDown, PlacedUnseen
from engine.games.muses.frames.dance import Turn
from engine.games.muses.shape import border
from engine.games.muses.state import UNSEEN, Muses, Question
from engine.games.muses.tiles import NUMBERS, TILES, Face
from engine.texts import Seat, Text

_EITHER, _DOWN, _UP = (Face.UP, Face.DOWN), (Face.DOWN,), (Face.UP,)
_LAY_ONE, _LAY_THE_LAST = Text("Lay a Muse."), Text("Lay your last Muse.")


class Placing(Question[Place]):
    """The Muse that a seat lays, her cell, and her side."""

    rule = "4"

    opens_turn = True

    seat: Seat

    def decisions(self, state: Muses) -> tuple[Decision, ...]:
        """All combinations of Muse, cell and face. They reveal the hand, so the decision is private."""
        hand = state.hands[self.seat]
        # Beside another tile; the first one in the middle (rule 4).
        cells = border(state.floor.cells) or (CENTER,)
        hides = state.secrets[self.seat] is None
        # Each seat hides exactly one Muse, so the last one must be hidden if no other was (rule 4.1).
        faces = _EITHER if hides and len(hand) > 1 else _DOWN if hides else _UP
        prompt = _LAY_ONE if len(hand) > 1 else _LAY_THE_LAST
        # In a position observed by another seat, the hand is hidden.
        visible = [muse for muse in hand if muse != UNSEEN]
        return (Decision(self.seat, prompt, Placings(visible, cells, faces), private=True),)

    def resolve(self, state: Muses, seat: Seat, action: Place) -> tuple[Muses, tuple[Event, ...]]:
        """Lay the Muse with a die of its company; a face-down one is a secret of the seat."""
        after, down = LayoutBuilder(state), action.face is Face.DOWN
        after.answered()
        # Names of cells repeat after 26 (rule 2.2); while tiles are laid, the one nearest to the middle is meant.
        tile = TILES[after.lay(seat, NUMBERS[action.muse], nearest_number(action.cell), down=down)]
        if down:
            # Complementary audiences: only the owner learns the Muse.
            after.tell(PlacedFaceDown(action.muse, tile, action.cell, audience=only(seat)))
            after.tell(PlacedUnseen(seat, tile, action.cell, audience=all_but(seat, seats=state.seats)))
        else:
            after.tell(Placed(seat, tile, action.cell))
        if any(after.hands):
            after.ask(Placing(state.next_seat(seat)))
        else:
            assert state.first is not None, "a seat has begun the hand"
            # The seat that began the layout also has the first turn (rule 5).
            after.ask(Turn(state.first))
        return after.done()

    def named(self, state: Muses, action: Place, field: str = "") -> Text | None:
        """A Muse with her suns, or a cell with the tiles beside it."""
        return words.placing(state, action, field)

    def gloss(self, state: Muses, action: Place) -> Text | None:
        """The suns and the power of the Muse."""
        return words.placing_gloss(state, action)

    def advice(self, state: Muses) -> tuple[Text, ...]:
        """Advice on good cells, and on the Muse to hide."""
        return words.advice_on_placing(state, self.seat)

    def why_not(self, state: Muses, seat: Seat, action: Action) -> Refusal | None:
        """Name the missing Muse, the impossible cell, or the rule of the face-down tile."""
        return refusals.place(state, seat, action) if isinstance(action, Place) else None
