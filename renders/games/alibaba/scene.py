"""The town scene of Ali Baba."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engine.core import Action, View
from engine.games.alibaba import GAME
from engine.games.alibaba.actions import Claim, Extend, Steal, TurnUp
from engine.games.alibaba.frames.danger import ClaimOne
from engine.games.alibaba.state import Cave
from engine.games.alibaba.words import EMPTY_STAKE, safe_text
from engine.texts import Seat, Text
from engine.town.actions import Play, Take
from engine.town.data import WALK, Gang, Thief
from engine.town.events import Money
from engine.town.luck import cards_left
from engine.wording import say
from renders.canvas import Canvas
from renders.games.alibaba.cave import draw_cave, draw_hall_ground, draw_mouth, has_no_thieves, lost_stakes, verdicts
from renders.games.alibaba.layout import CARDS_TOP, DECK_H, DECK_W, card_left, card_width, deck_center
from renders.town.layout import CARD_H
from renders.town.scene import CloseUp, Scene, Target, ThiefNamer

MAX_VERDICT_CHARS = 100
"""Maximum length of a verdict, in characters. With long names, a shorter one counts the caught players instead."""


class CaveScene(Scene[Cave]):
    """The mouth of the cave with its stakes, and the thieves below it."""

    title = GAME.title
    # A seat that steals or extends also walks in the same turn (rule 3.2).
    walk_actions = (Steal, Extend, Play)
    no_stake = (Text("nothing in the cave"),)
    legend = (
        Text("Players in the cave lose the stake if a thief turned up has the number rolled, 1 to 36."),
        Text("Red thieves have 12 numbers, blue ones 9, green ones 6, yellow ones 4. A type never catches its owner."),
    )

    def facts(self, state: Cave) -> tuple[Text, ...]:
        """Number of steps walked in both laps."""
        if state.ended:
            return (Text("home again"),)
        n = state.walked
        return Text("walked {n} of {all}", n=n, all=WALK), Text("{n} of {all}", n=n, all=WALK), Text("{n}", n=n)

    def furnish(self, canvas: Canvas) -> None:
        """Draw the open cave and the decks."""
        draw_hall_ground(canvas)

    def furnishing(self, state: Cave) -> Callable[[Canvas], None]:
        """Only the mouth of the cave while thieves lie in front of it."""
        return self.furnish if has_no_thieves(state) else draw_mouth

    def draw(self, canvas: Canvas, view: View[Cave], labels: Sequence[str]) -> None:
        """Draw stakes, thieves, dice and the sizes of the decks."""
        draw_cave(canvas, view, labels)

    def targets(self, view: View[Cave], action: Action) -> Iterator[Target]:
        """The thieves to claim, or the decks to draw from."""
        match action:
            case Claim(thief):
                yield from _unclaimed_targets(view.state, thief)
            case Take(gang):
                yield _deck(gang)
            case TurnUp():
                yield from map(_deck, view.state.space.jewels)

    def close_up(self, view: View[Cave]) -> CloseUp | None:
        """The thieves that the viewer may claim, with the roll."""
        match view.state.frames[-1:]:
            case (ClaimOne(seat=seat, choice=choice),) if view.state.encounter and seat == view.viewer:
                encounter = view.state.encounter
                return CloseUp(choice, encounter.black, encounter.number, "")
        return None

    def thieves(self, state: Cave, seat: Seat) -> tuple[Thief, ...]:
        """The thieves that a seat has claimed."""
        return state.claimed[seat]

    def holdings(self, thieves: Text | str) -> Text:
        """Put claimed thieves into words."""
        return Text("claimed {thieves}", thieves=thieves)

    def in_sight(self, state: Cave) -> tuple[Thief, ...]:
        """The thieves turned up last."""
        return state.encounter.thieves if state.encounter else ()

    def street(self, state: Cave, names: Sequence[str], name_of: ThiefNamer) -> str:
        """Describe the thieves turned up, the result of the roll, and the claims."""
        encounter = state.encounter
        if not encounter or not encounter.thieves:
            return ""
        claims = [
            Text("{name} has claimed {thief}.", name=names[seat], thief=name_of(thief))
            for seat, thief in encounter.claims
        ]
        # The last wording is short enough for any number of names.
        result = next(text for text in verdicts(encounter, names, name_of) if len(text) <= MAX_VERDICT_CHARS)
        thieves = ", ".join(map(name_of, encounter.thieves))
        turned_up = Text("Turned up: {thieves}.", thieves=thieves)
        if encounter.number:
            rolled = "Turned up: {thieves}, number {number}. {told:^}."
            turned_up = Text(rolled, thieves=thieves, number=encounter.number, told=result)
        return " ".join(map(str, (turned_up, *claims)))

    def decks(self, state: Cave) -> str:
        """Number of cards in each deck and its discards."""
        deck = "{gang} {deck} and {discarded}"
        decks = (Text(deck, gang=gang, deck=state.deck(gang), discarded=state.discarded(gang)) for gang in Gang)
        return str(Text("Decks and discards: {decks}.", decks=", ".join(map(str, decks))))

    def stock(self, state: Cave, gang: Gang) -> str:
        """Describe a deck, group by group, and its discards."""
        remaining, discarded = cards_left(state, gang), state.discarded(gang)
        return str(Text("{left}; {n} discarded", left=remaining, n=discarded) if discarded else remaining)

    def safe_until(self, state: Cave, seat: Seat, names: Sequence[str]) -> str:
        """The turn after which a seat's stake is safe."""
        return say(safe_text(state, seat), names) if state.in_cave(seat) else ""

    def at_stake(self, state: Cave, seat: Seat) -> tuple[Text, ...]:
        """The stake a seat has just lost, and its stake in the cave."""
        lost, turns = lost_stakes(state), state.turns_left(seat)
        loss = (Text("lost {amount}", amount=Money(lost[seat])),) if seat in lost else ()
        if not state.in_cave(seat):
            return loss
        # A toll may have used up the stake (rule 3.7).
        stake = state.stakes[seat] or EMPTY_STAKE
        if not turns:
            return *loss, Text("{stake} in the cave for this turn", stake=stake)
        return *loss, Text("{stake} in the cave for this turn and {left} more", stake=stake, left=turns)


def _unclaimed_targets(state: Cave, thief: Thief) -> Iterator[Target]:
    """The unclaimed cards of a type; claimed ones come first."""
    encounter = state.encounter
    if encounter is None:
        return
    n = len(encounter.thieves)
    claim_count = [claimed for _, claimed in encounter.claims].count(thief)
    places = [k for k, kind in enumerate(encounter.thieves) if kind is thief][claim_count:]
    for k in places:
        w = int(card_width(n))
        yield card_left(n, k) + w / 2, CARDS_TOP + CARD_H / 2, w - 4, CARD_H - 6


def _deck(gang: Gang) -> Target:
    return (*deck_center(gang), DECK_W - 2, DECK_H)


SCENE = CaveScene()
