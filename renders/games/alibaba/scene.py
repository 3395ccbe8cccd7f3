"""What the game of the cave adds to the town."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engine.core import Action, View
from engine.games.alibaba import GAME
from engine.games.alibaba.actions import Claim, Extend, Steal, TurnUp
from engine.games.alibaba.state import Cave
from engine.games.alibaba.words import EMPTY_STAKE, safe_when
from engine.texts import Seat, Text
from engine.town.actions import Play, Take
from engine.town.data import WALK, Gang, Thief
from engine.town.events import Money
from engine.town.luck import cards_left
from engine.wording import say
from renders.canvas import Canvas
from renders.games.alibaba.cave import draw_cave, lay_hall, lay_mouth, lost_stakes, no_thieves, verdicts
from renders.games.alibaba.layout import CARDS_TOP, DECK_H, DECK_W, card_left, card_width, deck_center
from renders.town.layout import CARD_H
from renders.town.scene import Called, Scene, Target

LONGEST_VERDICT = 100
"""Where names make it longer, those caught are counted: what they lost follows each name."""


class CaveScene(Scene[Cave]):
    """The mouth of the cave, its stakes, and the thieves that turn up below it."""

    title = GAME.title
    # Those who steal or extend walk in the same turn (rule 3.2).
    walking = (Steal, Extend, Play)
    idle = (Text("nothing in the cave"),)
    legend = (
        Text("Players in the cave lose the stake if a thief turned up bears the number rolled, 1 to 36."),
        Text("Red thieves have 12 numbers, blue ones 9, green ones 6, yellow ones 4. A type never catches its owner."),
    )

    def facts(self, state: Cave) -> tuple[Text, ...]:
        """Steps of both laps."""
        if state.ended:
            return (Text("home again"),)
        n = state.walked
        return Text("walked {n} of {all}", n=n, all=WALK), Text("{n} of {all}", n=n, all=WALK), Text("{n}", n=n)

    def furnish(self, canvas: Canvas) -> None:
        """The open cave and the decks."""
        lay_hall(canvas)

    def furnishing(self, state: Cave) -> Callable[[Canvas], None]:
        """Only the mouth of the cave where thieves lie before it."""
        return self.furnish if no_thieves(state) else lay_mouth

    def draw(self, canvas: Canvas, view: View[Cave], labels: Sequence[str]) -> None:
        """Stakes, thieves, dice and the sizes of the decks."""
        draw_cave(canvas, view, labels)

    def targets(self, view: View[Cave], action: Action) -> Iterator[Target]:
        """The thieves to claim, the decks to draw from."""
        match action:
            case Claim(thief):
                yield from _lying(view.state, thief)
            case Take(gang):
                yield _deck(gang)
            case TurnUp():
                yield from map(_deck, view.state.space.jewels)

    def thieves(self, state: Cave, seat: Seat) -> tuple[Thief, ...]:
        """Those it has claimed."""
        return state.claimed[seat]

    def holding(self, thieves: Text | str) -> Text:
        """They never catch it again."""
        return Text("claimed {thieves}", thieves=thieves)

    def in_sight(self, state: Cave) -> tuple[Thief, ...]:
        """Those turned up last."""
        return state.encounter.thieves if state.encounter else ()

    def street(self, state: Cave, names: Sequence[str], called: Called) -> str:
        """Who turned up, what the roll did, and who claimed whom."""
        encounter = state.encounter
        if not encounter or not encounter.thieves:
            return ""
        claims = [
            Text("{name} has claimed {thief}.", name=names[seat], thief=called(thief))
            for seat, thief in encounter.claims
        ]
        # The last wording is short enough for any number of names.
        told = next(told for told in verdicts(encounter, names, called) if len(told) <= LONGEST_VERDICT)
        thieves = ", ".join(map(called, encounter.thieves))
        turned_up = Text("Turned up: {thieves}.", thieves=thieves)
        if encounter.number:
            rolled = "Turned up: {thieves}, number {number}. {told:^}."
            turned_up = Text(rolled, thieves=thieves, number=encounter.number, told=told)
        return " ".join(map(str, (turned_up, *claims)))

    def decks(self, state: Cave) -> str:
        """Cards face down and on the discards."""
        deck = "{gang} {deck} and {discarded}"
        decks = (Text(deck, gang=gang, deck=state.deck(gang), discarded=state.discarded(gang)) for gang in Gang)
        return str(Text("Decks and discards: {decks}.", decks=", ".join(map(str, decks))))

    def stock(self, state: Cave, gang: Gang) -> str:
        """The deck, group by group, and its discards."""
        left, discarded = cards_left(state, gang), state.discarded(gang)
        return str(Text("{left}; {n} discarded", left=left, n=discarded) if discarded else left)

    def until(self, state: Cave, seat: Seat, names: Sequence[str]) -> str:
        """The turn after which its stake comes home."""
        return say(safe_when(state, seat), names) if state.in_cave(seat) else ""

    def at_stake(self, state: Cave, seat: Seat) -> tuple[Text, ...]:
        """What it has just lost, and what lies in the cave."""
        lost, left = lost_stakes(state), state.turns_left(seat)
        gone = (Text("lost {amount}", amount=Money(lost[seat])),) if seat in lost else ()
        if not state.in_cave(seat):
            return gone
        # A toll may have left nothing of it (rule 3.7).
        stake = state.stakes[seat] or EMPTY_STAKE
        if not left:
            return *gone, Text("{stake} in the cave for this turn", stake=stake)
        return *gone, Text("{stake} in the cave for this turn and {left} more", stake=stake, left=left)


def _lying(state: Cave, thief: Thief) -> Iterator[Target]:
    """The cards of a type that nobody has claimed yet; the first ones have gone to the claimants."""
    encounter = state.encounter
    if encounter is None:
        return
    n = len(encounter.thieves)
    taken = [claimed for _, claimed in encounter.claims].count(thief)
    places = [k for k, kind in enumerate(encounter.thieves) if kind is thief][taken:]
    for k in places:
        w = int(card_width(n))
        yield card_left(n, k) + w / 2, CARDS_TOP + CARD_H / 2, w - 4, CARD_H - 6


def _deck(gang: Gang) -> Target:
    return (*deck_center(gang), DECK_W - 2, DECK_H)


SCENE = CaveScene()
