"""Positions of both games of the town, written down as on paper, and a match played from one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.core import Decision, Event, OptionValue
from engine.errors import IllegalAction
from engine.games import alibaba
from engine.games import gangs as raiders
from engine.games.alibaba.state import Cave
from engine.games.gangs.state import GangsTable
from engine.match import Match
from engine.notation import format_action, parse_action
from engine.texts import CHANCE, Seat
from engine.town.cards import Cards
from engine.town.data import HAND_SIZES, Gang, Thief
from engine.town.state import Town
from engine.town.thieves import FULL_DECK, Deck, in_order, with_card
from engine.town.track import Route
from engine.wording import say

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
        claimed=tuple(in_order(_thieves(claimed, seat)) for seat in range(seats)),
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
    held = [in_order(_thieves(owned, seat)) for seat in range(seats)]
    below = [_thieves(tails, gang) for gang in Gang]
    left = [FULL_DECK] * len(Gang)
    for thief in (thief for row in (*held, *below) for thief in row):
        left[thief.gang.place] = with_card(left[thief.gang.place], thief, -1)
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
        decks=tuple((unseen or {}).get(gang, deck) for gang, deck in zip(Gang, left, strict=True)),
    )


def _thieves(told: Mapping[Any, str] | None, owner: Any) -> tuple[Thief, ...]:
    return tuple(map(Thief, (told or {}).get(owner, "").split()))


class Table:
    """A match that goes on from a position; luck comes as told, or as it likes."""

    def __init__(self, state: Town, *luck: str) -> None:
        self.spec = alibaba.GAME if isinstance(state, Cave) else raiders.GAME
        self.match = Match(self.spec, state.setup, "seed of a test")
        self.match.state = state
        self.luck = list(luck)
        self.told: list[Event] = []
        self._rng = Random(1)

    @property
    def state(self) -> Any:
        return self.match.state

    @property
    def decision(self) -> Decision:
        (decision,) = self.state.decisions()
        return decision

    @property
    def prompt(self) -> str:
        """What is asked, as people read it."""
        return say(self.decision.prompt, self.match.names)

    def gloss(self, notation: str) -> str:
        """What an option means, as people read it; empty if its label says it all."""
        text = self.state.gloss(self.match.parse(notation))
        return say(text, self.match.names) if text else ""

    def named(self, notation: str, field: str = "") -> str:
        """What an option or a field of it is called in this position; empty if its label says it."""
        text = self.state.named(self.match.parse(notation), field)
        return say(text, self.match.names) if text else ""

    @property
    def due(self) -> Seat:
        return self.decision.seat

    def options(self, verb: str = "") -> list[str]:
        """What may be done now, as notations; only those of a verb, if one is given."""
        notations = [format_action(action) for action in self.decision.options]
        return [text for text in notations if not verb or text.split()[0] == verb]

    def play(self, *notations: str) -> Table:
        """Let whoever is due do this, one after the other, with luck in between."""
        for notation in notations:
            assert notation in self.options(), (notation, self.options())
            self._apply(parse_action(notation, self.spec.actions))
            while self.state.decisions() and self.due == CHANCE:
                told = parse_action(self.luck.pop(0), self.spec.chances) if self.luck else None
                self._apply(told or self.state.sample(self._rng))
        return self

    def _apply(self, action: Any) -> None:
        assert not self.decision.options or action in self.decision.options, (action, self.decision)
        self.match.state, events = self.state.apply(self.due, action)
        self.told += events

    def refusal(self, notation: str) -> tuple[str, str]:
        """The sentence and the section that a refused action is answered with; nothing may change."""
        before = self.state
        with pytest.raises(IllegalAction) as caught:
            self.match.play(self.due, self.match.parse(notation))
        assert self.state == before
        assert caught.value.rule in self.spec.rulebook.sections
        return say(caught.value.text, self.match.names), caught.value.rule

    def sentences(self) -> list[str]:
        """What happened so far, as people read it."""
        return [say(event, self.match.names) for event in self.told]

    def shown(self, *kinds: type[Event]) -> list[Any]:
        """The events of these kinds so far."""
        return [event for event in self.told if isinstance(event, kinds)]


def at_cave(*luck: str, **told: Any) -> Table:
    """A table at a position of the cave."""
    return Table(cave(**told), *luck)


def at_gangs(*luck: str, **told: Any) -> Table:
    """A table at a position of the gangs."""
    return Table(gangs(**told), *luck)


def owned(state: GangsTable, seat: int) -> str:
    """The bandits of a seat, as `gangs` takes them."""
    return " ".join(state.bandits[seat])
