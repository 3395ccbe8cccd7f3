"""The question of a turn: exactly one action (rule 4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from engine.core import Action, Advice, Advised, Decision, Event, Refusal
from engine.games.muscat.builder import MuscatBuilder
from engine.games.muscat.ending import finish
from engine.games.muscat.state import Muscat, OpensTurn
from engine.games.muscat.verb import Choice, TurnVerb
from engine.games.muscat.verbs.change import Change
from engine.games.muscat.verbs.cycle import Cycle, opportunities
from engine.games.muscat.verbs.draw import Draw
from engine.games.muscat.verbs.expel import Expel
from engine.games.muscat.verbs.place import Place
from engine.games.muscat.verbs.reemploy import Reemploy
from engine.games.muscat.verbs.transform import Transform
from engine.texts import Seat, Text

TurnAction = Place | Draw | Cycle | Reemploy | Change | Expel | Transform
"""The actions of a turn, in the order of the rulebook."""

TURN_VERBS: tuple[type[TurnVerb], ...] = get_args(TurnAction)

_OFFERS = tuple(verb.offers for verb in TURN_VERBS)
_OFFERS_WITHOUT_IDLER = tuple(verb.offers for verb in TURN_VERBS if not verb.needs_idler)

_ACTION = Text("Choose one action.")

_LAST_ROUND = Text("This is the last round: climb once more, and get whom you can out of the streets.")
_TRICK = Text("On a market with three, look for the empty space: the next one clockwise is the strongest.")
_NOBODY_LEFT = Text("You have nobody left to bring in: only the artists in the city can bring you points now.")
_STREETS = Text("Artists in a street cost points. They can go back to work, or pay for a special action.")
_SUPPLY = Text("Bring in your face-up artist beside one that it threatens, or try your luck with a hidden one.")
_LAST_ONE = Text("Bring in the last of your pile beside an artist that it threatens, or use those in the city.")


class Turn(Choice[TurnAction], OpensTurn):
    """The action of the seat on turn. This frame is below all others; a turn begins whenever it comes up again."""

    rule = "4"

    def decisions(self, state: Muscat) -> tuple[Decision, ...]:
        """All actions. Empty only until `finish` ends the game because of it."""
        # tests/perft/naive_muscat.py checks them with an independent program.
        seat = state.turn
        options: list[Action] = []
        for offers in _OFFERS if state.idlers[seat] else _OFFERS_WITHOUT_IDLER:
            options += offers(state, seat)
        return (Decision(seat, _ACTION, tuple(options)),)

    def resolve(self, state: Muscat, seat: Seat, action: TurnAction) -> tuple[Muscat, tuple[Event, ...]]:
        """Carry out the action."""
        after = MuscatBuilder(state)
        action.carry_out(after, seat)
        return finish(after)

    def advice(self, state: Muscat) -> Advice:
        """An opportunity, and the available means."""
        return *_occasions(state), _means(state)

    def why_not(self, state: Muscat, seat: Seat, action: Action) -> Refusal | None:
        """Name the condition that fails and the artist in the way."""
        return action.refusal(state, seat) if isinstance(action, TurnVerb) else None


def _occasions(state: Muscat) -> Iterator[Text | Advised]:
    """The approaching end, markets that lift or threaten artists of the seat on turn, and how to find one."""
    if state.last_round:
        yield _LAST_ROUND
        return
    # A cycle can bring two artists into the palace (rule 5.5).
    if (courtiers := state.palace_count) >= state.palace_limit - 2:
        template = "The palace holds {held} of the {limit} artists that bring the last round: climb now."
        yield Text(template, held=courtiers, limit=state.palace_limit)
        return
    yield from opportunities(state, state.turn)
    yield _TRICK


def _means(state: Muscat) -> Text:
    """The artists that the seat on turn can use."""
    seat = state.turn
    if state.idlers[seat]:
        return _STREETS
    if state.pile(seat):
        return _SUPPLY
    return _LAST_ONE if state.shown_tokens[seat] else _NOBODY_LEFT
