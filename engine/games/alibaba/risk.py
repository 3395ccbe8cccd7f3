"""The risk of being caught by thieves, from public knowledge (rule 3.5)."""

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
    """The seats with a stake in the cave, starting with the one on turn."""
    return tuple(seat for seat in state.clockwise if state.in_cave(seat))


def count_catching(state: Cave, seat: Seat, thieves: Iterable[Thief]) -> int:
    """The number of the 36 rolls that catch a seat if these thieves are turned up."""
    return len({number for thief in thieves if thief not in state.claimed[seat] for number in MARKS[thief]})


def risk(state: Cave, seat: Seat, due: Sequence[Gang]) -> int:
    """The chance in percent that a seat is caught by the roll, after one more card of each gang in `due`."""
    lying = state.encounter.thieves if state.encounter else ()
    draws = [(gang, state.decks[gang.place], state.piles[gang.place], n) for gang, n in Counter(due).items()]
    safe = sum(_safe_chance(state.claimed[seat], number, lying, draws) for number in NUMBERS)
    return round(100 * (1 - safe / len(NUMBERS)))


def _safe_chance(
    claimed: Sequence[Thief], number: int, lying: Sequence[Thief], draws: Sequence[tuple[Gang, Deck, Deck, int]]
) -> float:
    """The chance that no unclaimed thief with this number is among those turned up so far and those to come.

    `draws` has gangs with their decks, their discards, and the number of cards to turn up.
    """
    feared = [thief for thief in BEARERS[number] if thief not in claimed]
    chance = 0.0 if set(feared).intersection(lying) else 1.0
    for gang, deck, pile, cards in draws:
        groups = tuple(thief.group for thief in feared if thief.gang is gang)
        # Cards beyond the deck come from its discards (rule 3.5).
        chance *= _miss_chance(deck, groups, cards) * _miss_chance(pile, groups, cards - sum(deck))
    return chance


def _miss_chance(deck: Deck, groups: tuple[int, ...], cards: int) -> float:
    """The chance that none of some groups is among the first cards of a deck."""
    size, bad = max(0, min(cards, sum(deck))), sum(deck[group - 1] for group in groups)
    # Hypergeometric, since cards are drawn without replacement.
    return comb(sum(deck) - bad, size) / comb(sum(deck), size)


# --- Texts -----------------------------------------------------------------------------------------------------------


def risks_text(state: Cave, due: Sequence[Gang]) -> Text:
    """`Risk of being caught: 56% for Red and Blue; 41% for Green`."""
    groups = _group_by_figure((seat, risk(state, seat, due)) for seat in stakers(state))
    risks = [Text("{percent}% for {seats}", percent=percent, seats=seats) for percent, seats in groups]
    return Text("Risk of being caught: {told}", told=reduce(_join, risks))


def numbers_text(state: Cave) -> Text:
    """`18 of 36 numbers catch Red and Blue; 12 of 36 numbers catch Green`."""
    thieves = state.encounter.thieves if state.encounter else ()
    groups = _group_by_figure((seat, count_catching(state, seat, thieves)) for seat in stakers(state))
    return reduce(_join, [Text("{n} of 36 numbers catch {seats}", n=n, seats=seats) for n, seats in groups])


def _join(some: Text, more: Text) -> Text:
    return Text("{some}; {more}", some=some, more=more)


def _group_by_figure(pairs: Iterable[tuple[Seat, int]]) -> list[tuple[int, tuple[Seat, ...]]]:
    """The seats grouped by figure, the greatest figure first."""
    groups: dict[int, list[Seat]] = {}
    for seat, figure in pairs:
        groups.setdefault(figure, []).append(seat)
    return [(figure, tuple(groups[figure])) for figure in sorted(groups, reverse=True)]


def risk_gloss(state: Cave, due: Sequence[Gang]) -> Text:
    """The risks for the seat that chooses the number: `56% risk for you; 41% to 56% risk for 2 others`."""
    seats, caught = stakers(state), [risk(state, seat, due) for seat in stakers(state)]
    if seats[0] != state.on_turn:
        return _others(seats, caught)
    own = Text("{percent}% risk for {seat}", seat=seats[0], percent=caught[0])
    return _join(own, _others(seats[1:], caught[1:])) if seats[1:] else own


def _others(seats: Sequence[Seat], caught: Sequence[int]) -> Text:
    low, high = min(caught), max(caught)
    if len(seats) == 1:
        return Text("{percent}% risk for {seat}", seat=seats[0], percent=low)
    if low == high:
        return Text("{percent}% risk for {n} others", n=len(seats), percent=low)
    return Text("{low}% to {high}% risk for {n} others", n=len(seats), low=low, high=high)
