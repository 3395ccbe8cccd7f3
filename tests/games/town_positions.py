"""Positions of both games of the town, written down as on paper, and a match played from one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.core import OptionValue
from engine.games import alibaba
from engine.games import gangs as raiders
from engine.games.alibaba.state import Cave
from engine.games.gangs.state import GangsTable
from engine.texts import Seat
from engine.town.cards import Cards
from engine.town.data import HAND_SIZES, Gang, Thief
from engine.town.state import Town
from engine.town.thieves import FULL_DECK, Deck, sort_thieves, with_card
from engine.town.track import Route
from engine.wording import Voice, say
from tests.games import tables

RICH = (1,) * 9 + (2,) * 7 + (3,) * 4 + (4,) * 3 + (5,)


def hands_with(seats: int, hand: Sequence[int], seat: int) -> Cards:
    """A fresh deal in which a seat begins with these cards; the others get the rest."""
    rest = list(RICH)
    for value in hand:
        rest.remove(value)
    sizes = HAND_SIZES[seats]
    dealt: list[int] = []
    for owner in range(seats):
        own = list(hand)[: sizes[owner]] if owner == seat else []
        own += [rest.pop(0) for _ in range(sizes[owner] - len(own))]
        dealt += own
    return Cards.undealt(seats).deal(dealt)


def cave(
    seats: int = 4,
    *,
    turn: int = 0,
    walked: int = 0,
    route: Route = Route.MAIN,
    hand: Sequence[int] = (1, 2, 3, 4),
    purses: Sequence[int] | None = None,
    stakes: Mapping[int, tuple[int, int]] | None = None,
    claimed: Mapping[int, str] | None = None,
    decks: Mapping[str, Deck] | None = None,
    piles: Mapping[str, Deck] | None = None,
    **options: OptionValue,
) -> Cave:
    """The start of a turn: `stakes` are amount and turn due by seat, `claimed` types by seat, decks by gang."""
    state = alibaba.start(alibaba.GAME.setup(seats, options))
    lying = stakes or {}
    return replace(
        state,
        frames=state.frames[:1],
        turn=turn,
        walked=walked,
        route=route,
        cards=hands_with(seats, hand, turn % seats),
        purses=tuple(purses) if purses else state.purses,
        stakes=tuple(lying.get(seat, (0, 0))[0] for seat in range(seats)),
        safe_after=tuple(lying[seat][1] if seat in lying else None for seat in range(seats)),
        claimed=tuple(sort_thieves(_thieves(claimed, seat)) for seat in range(seats)),
        decks=tuple((decks or {}).get(gang, deck) for gang, deck in zip(Gang, state.decks, strict=True)),
        piles=tuple((piles or {}).get(gang, pile) for gang, pile in zip(Gang, state.piles, strict=True)),
    )


def gangs(
    seats: int = 4,
    *,
    turn: int = 0,
    walked: int = 0,
    route: Route = Route.MAIN,
    hand: Sequence[int] = (1, 2, 3, 4),
    purses: Sequence[int] | None = None,
    owned: Mapping[int, str] | None = None,
    tails: Mapping[str, str] | None = None,
    unseen: Mapping[str, Deck] | None = None,
    **options: OptionValue,
) -> GangsTable:
    """The start of a turn: `owned` bandits by seat, such as `R1 R1 R3`; they come out of the unseen parts."""
    state = raiders.start(raiders.GAME.setup(seats, options))
    held = [sort_thieves(_thieves(owned, seat)) for seat in range(seats)]
    below = [_thieves(tails, gang) for gang in Gang]
    rest = [FULL_DECK] * len(Gang)
    for thief in (thief for row in (*held, *below) for thief in row):
        rest[thief.gang.place] = with_card(rest[thief.gang.place], thief, -1)
    return replace(
        state,
        frames=state.frames[:1],
        turn=turn,
        walked=walked,
        route=route,
        cards=hands_with(seats, hand, turn % seats),
        purses=tuple(purses) if purses else state.purses,
        bandits=tuple(held),
        tails=tuple(below),
        decks=tuple((unseen or {}).get(gang, deck) for gang, deck in zip(Gang, rest, strict=True)),
    )


def _thieves(told: Mapping[Any, str] | None, owner: Any) -> tuple[Thief, ...]:
    return tuple(map(Thief, (told or {}).get(owner, "").split()))


class Table(tables.Table[Any]):
    """Luck comes as told, or as it likes."""

    def __init__(self, state: Town, *luck: str) -> None:
        game = alibaba.GAME if isinstance(state, Cave) else raiders.GAME
        super().__init__(game, state.setup, state, list(luck))

    @property
    def prompt(self) -> str:
        """The question of the present decision as a sentence."""
        return say(self.decision.prompt, self.match.names)

    def gloss(self, notation: str, you: Seat | None = None) -> str:
        """The gloss of an option, for the reader `you`; empty if its label says it all."""
        return Voice(self.match.names, you, self.state).gloss(self.match.parse(notation))

    def named(self, notation: str, field: str = "") -> str:
        """The name of an option or of its field in this position; empty if its label says it."""
        text = self.state.named(self.match.parse(notation), field)
        return say(text, self.match.names) if text else ""


def at_cave(*luck: str, **told: Any) -> Table:
    """A table at a position of the cave."""
    return Table(cave(**told), *luck)


def at_gangs(*luck: str, **told: Any) -> Table:
    """A table at a position of the gangs."""
    return Table(gangs(**told), *luck)


def bandits_of(state: GangsTable, seat: int) -> str:
    """The bandits of a seat, as `gangs` takes them."""
    return " ".join(state.bandits[seat])
