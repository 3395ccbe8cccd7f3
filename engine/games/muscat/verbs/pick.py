"""The choice between two full markets after an expulsion (rule 4.5)."""

from __future__ import annotations

from engine.core import Action, Decision, Event, Refusal, describe
from engine.games.muscat.board import trio_of
from engine.games.muscat.builder import MuscatBuilder
from engine.games.muscat.city import Market
from engine.games.muscat.ending import finish
from engine.games.muscat.state import Muscat
from engine.games.muscat.verb import Choice, Verb
from engine.games.muscat.verbs.cycle import run_cycle
from engine.games.muscat.verbs.remove import price_gloss
from engine.texts import Seat, Text

_ONE_OF_TWO = Text("The weakest of three is the one that threatens nobody there: it falls, the others climb.")
_OTHER_STAYS = Text("The other market stays full, and can be set in motion on any later turn.")


class Pick(Verb):
    """Choose which of the two full markets runs its cycle after an expulsion."""

    label = "Set {market} in motion"

    market: Market = describe("one of the two markets of the expulsion", "Which market?")

    def title(self, state: Muscat) -> Text:
        """The market."""
        return Text("Set {market} in motion", market=self.market)

    def gloss(self, state: Muscat) -> Text:
        """The effect of the cycle, and the price of the expulsion, which is paid after it (rule 4.7)."""
        return price_gloss(state, (self.market, trio_of(state.code(self.market))))


class PickCycle(Choice[Pick]):
    """The choice of the seat on turn."""

    rule = "4.5"

    one: Market
    other: Market

    def decisions(self, state: Muscat) -> tuple[Decision, ...]:
        """The two markets."""
        prompt = Text("Set {one} or {other} in motion.", one=self.one, other=self.other)
        return (Decision(state.turn, prompt, (Pick(self.one), Pick(self.other))),)

    def resolve(self, state: Muscat, seat: Seat, action: Pick) -> tuple[Muscat, tuple[Event, ...]]:
        """Run the cycle of the market."""
        after = MuscatBuilder(state)
        after.answered()
        run_cycle(after, seat, action.market)
        return finish(after)

    def advice(self, state: Muscat) -> tuple[Text, ...]:
        """Advice on the artists that fall."""
        return _ONE_OF_TWO, _OTHER_STAYS

    def why_not(self, state: Muscat, seat: Seat, action: Action) -> Refusal | None:
        """Name the two markets of the expulsion."""
        if not isinstance(action, Pick):
            return None
        text = "The expulsion was between {one} and {other}; one of them is set in motion."
        return Refusal(Text(text, one=self.one, other=self.other), "4.5")
