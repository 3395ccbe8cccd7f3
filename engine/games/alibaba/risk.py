"""How likely thieves are to catch somebody, from what everybody can see (rule 3.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import reduce
from math import comb

from engine.games.alibaba.state import Cave
from engine.texts import Seat, Text
from engine.town.data import MARKS, Gang, Thief
from engine.town.thieves import BEARERS, NUMBERS, Deck


def stakers(state: Cave) -> tuple[Seat, ...]:
    """The seats with a stake in the cave, the one on turn first."""
    return tuple(seat for seat in state.clockwise if state.in_cave(seat))


def catching(state: Cave, seat: Seat, thieves: Iterable[Thief]) -> int:
    """How many of the 36 numbers catch a seat where these thieves lie."""
    return len({number for thief in thieves if thief not in state.claimed[seat] for number in MARKS[thief]})


def risk(state: Cave, seat: Seat, due: Sequence[Gang]) -> int:
    """How likely a seat is caught, in percent, when so many more cards turn up and the dice are rolled."""
    # Those of a finished encounter lie on the discards.
    lying = state.encounter.thieves if state.encounter and not state.encounter.over else ()
    drawn = [(gang, state.decks[gang.place], state.piles[gang.place], n) for gang, n in Counter(due).items()]
    safe = sum(_spared(state.claimed[seat], number, lying, drawn) for number in NUMBERS)
    return round(100 * (1 - safe / len(NUMBERS)))


def _spared(
    claimed: Sequence[Thief], number: int, lying: Sequence[Thief], drawn: Sequence[tuple[Gang, Deck, Deck, int]]
) -> float:
    """How likely no thief that this number may strike with is or comes to lie there.

    `drawn` has gangs with their decks, their discards, and how many cards of them turn up.
    """
    feared = [thief for thief in BEARERS[number] if thief not in claimed]
    chance = 0.0 if set(feared).intersection(lying) else 1.0
    for gang, deck, pile, cards in drawn:
        groups = tuple(thief.group for thief in feared if thief.gang is gang)
        # Cards beyond the deck come from its discards (rule 3.5).
        chance *= _missed(deck, groups, cards) * _missed(pile, groups, cards - sum(deck))
    return chance


def _missed(deck: Deck, groups: tuple[int, ...], cards: int) -> float:
    """How likely none of some groups is among the first cards of a deck."""
    drawn, bad = max(0, min(cards, sum(deck))), sum(deck[group - 1] for group in groups)
    # Hypergeometric: cards are drawn without replacement.
    return comb(sum(deck) - bad, drawn) / comb(sum(deck), drawn)


# --- In words --------------------------------------------------------------------------------------------------------


def risks_told(state: Cave, due: Sequence[Gang]) -> Text:
    """`Risk of being caught: 56% for Red and Blue; 41% for Green`."""
    groups = _grouped((seat, risk(state, seat, due)) for seat in stakers(state))
    told = [Text("{percent}% for {seats}", percent=percent, seats=seats) for percent, seats in groups]
    return Text("Risk of being caught: {told}", told=reduce(_and, told))


def numbers_told(state: Cave) -> Text:
    """`18 of 36 numbers catch Red and Blue; 12 of 36 numbers catch Green`."""
    thieves = state.encounter.thieves if state.encounter else ()
    groups = _grouped((seat, catching(state, seat, thieves)) for seat in stakers(state))
    return reduce(_and, [Text("{n} of 36 numbers catch {seats}", n=n, seats=seats) for n, seats in groups])


def _and(some: Text, more: Text) -> Text:
    return Text("{some}; {more}", some=some, more=more)


def _grouped(pairs: Iterable[tuple[Seat, int]]) -> list[tuple[int, tuple[Seat, ...]]]:
    """Those who share a figure together, the greatest first."""
    groups: dict[int, list[Seat]] = {}
    for seat, figure in pairs:
        groups.setdefault(figure, []).append(seat)
    return [(figure, tuple(groups[figure])) for figure in sorted(groups, reverse=True)]


def prospect(state: Cave, due: Sequence[Gang]) -> Text:
    """The same in brief, for the seat that says how many turn up: `56% risk for you, 41% to 56% for others`."""
    seats, caught = stakers(state), [risk(state, seat, due) for seat in stakers(state)]
    if seats[0] != state.on_turn:
        return _others(seats, caught)
    own = Text("{percent}% risk for {seat}", seat=seats[0], percent=caught[0])
    return _and(own, _others(seats[1:], caught[1:])) if seats[1:] else own


def _others(seats: Sequence[Seat], caught: Sequence[int]) -> Text:
    low, high = min(caught), max(caught)
    if len(seats) == 1:
        return Text("{percent}% risk for {seat}", seat=seats[0], percent=low)
    if low == high:
        return Text("{percent}% for {n} others", n=len(seats), percent=low)
    return Text("{low}% to {high}% for {n} others", n=len(seats), low=low, high=high)
