"""Secrets, and the knowledge of each player (rule 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from math import comb
from random import Random

import pytest

from engine.errors import BrokenLog
from engine.games.alibaba import GAME
from engine.match import Entry, Match
from engine.texts import CHANCE, Seat
from engine.town.cards import DECK, Cards
from engine.town.data import HAND_SIZES
from engine.town.luck import random_deal
from engine.town.state import Town
from tests.sampling import every


def deal(cards: Cards, *hands: tuple[int, ...]) -> Cards:
    return cards.deal([value for hand in hands for value in hand])


FIRST = ((1, 1, 1, 1, 1, 1, 1, 1), (1, 2, 2, 2, 2, 2, 2, 2), (3, 3, 3, 3, 4, 4, 4, 5))
"""A deal among three."""


def first_deal() -> Cards:
    return deal(Cards.undealt(3), *FIRST)


def redealt() -> Cards:
    """Cards of which each seat has played two, which are dealt again: Red gets 2 and 5, Blue 1 and 1, Yellow 1 and
    2.
    """
    cards = first_deal()
    for seat, value in ((0, 1), (1, 2), (2, 5), (0, 1), (1, 2), (2, 3)):
        cards = cards.play(Seat(seat), value)
    return deal(cards, (2, 5), (1, 1), (2, 3))


def worlds(cards: Cards, viewer: int | None, number: int = 60) -> Iterator[Cards]:
    seat = None if viewer is None else Seat(viewer)
    seen = cards.observe(seat)
    for n in range(number):
        world = seen.guess(seat, Random(n))
        assert seen == world.observe(seat)
        yield world


def test_a_player_sees_only_their_own_hand_and_the_size_of_others() -> None:
    seen = redealt().observe(Seat(1))
    assert ((0,) * 8, redealt().hands[1], (0,) * 8) == seen.hands
    assert all(not any(hand) for deal in seen.dealt for seat, hand in enumerate(deal) if seat != 1)


def test_with_two_players_both_hands_follow_from_one_hand_and_the_discards() -> None:
    rng = Random(3)
    match = Match.begin(GAME, GAME.setup(2), "two")
    while (decisions := match.state.decisions()) and isinstance(state := match.state, Town):
        for viewer in (0, 1):
            assert [state.cards] == [*dict.fromkeys(worlds(state.cards, viewer, 2), 0)]
        match.play(decisions[0].seat, rng.choice(decisions[0].options))


def test_sampled_hands_keep_known_redealt_cards_apart_from_older_ones() -> None:
    """Red has 2 and 5 of 1 1 2 2 3 5 dealt again, so that Blue and Yellow share 1 1 2 3."""
    for world in worlds(redealt(), 0):
        assert Counter((1, 1, 2, 3)) == Counter(world.dealt[1][1] + world.dealt[1][2])
        assert (2, 2) == (len(world.dealt[1][1]), len(world.dealt[1][2]))
        older = Counter(world.hands[1] + world.hands[2]) - Counter((1, 1, 2, 3))
        assert Counter((1, 2, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4)) == older


def test_every_sampled_world_gives_the_other_hands_the_same_cards_in_total() -> None:
    cards = redealt()
    true = Counter(cards.hands[1] + cards.hands[2])
    assert [true] * 20 == [Counter(world.hands[1] + world.hands[2]) for world in worlds(cards, 0, 20)]


def test_sampled_hands_contain_every_card_that_was_played() -> None:
    cards = redealt()
    for seat, value in ((0, 5), (1, 1), (2, 2), (0, 2), (1, 1), (2, 3)):
        cards = cards.play(Seat(seat), value)
    for viewer in (None, 0, 1, 2):
        for world in worlds(cards, viewer):
            for seat in range(3):
                held = Counter(world.dealt[0][seat] + world.dealt[1][seat])
                played = Counter(cards.past[0][seat] + cards.played[seat])
                assert held - played == Counter(world.hands[seat])
                assert not Counter(cards.past[0][seat]) - Counter(world.dealt[0][seat])


def test_each_possible_hand_is_sampled_about_as_often_as_it_is_likely() -> None:
    """All places are alike before any redeal: Red sees eight 1s, and Blue has eight of the 16 other cards."""
    hands, rest = [world.hands[1] for world in worlds(first_deal(), 0, 2000)], Counter(FIRST[1] + FIRST[2])
    for value, number in rest.items():
        for held in range(number + 1):
            likely = comb(number, held) * comb(16 - number, 8 - held) / comb(16, 8)
            assert abs(sum(hand.count(value) == held for hand in hands) / 2000 - likely) < 0.05, (value, held)


def test_any_two_places_of_a_deal_get_each_pair_of_cards_as_often_as_it_is_likely() -> None:
    cards, rng = Cards.undealt(3), Random(5)
    deals, deck = [random_deal(cards, rng).cards for _ in range(2000)], Counter(cards.to_deal)
    places = list(combinations(range(deck.total()), 2))
    pairs = Counter((n, m, deal[n], deal[m]) for deal in deals for n, m in places)
    for (n, m), first, second in product(places, deck, deck):
        likely = deck[first] * (deck[second] - (first == second)) / (24 * 23)
        assert abs(pairs[n, m, first, second] / 2000 - likely) < 0.06, (n, m, first, second)


def test_sampled_hands_follow_the_likelihood_of_their_past() -> None:
    """Blue plays a 3 that may come from the first deal or from the redeal, which makes old 3s less likely."""
    cards = Cards.undealt(3).deal([*FIRST[0], *(1, 2, 2, 2, 2, 2, 2, 3), *(2, 3, 3, 3, 4, 4, 4, 5)])
    for seat, value in ((1, 3), (2, 3)):
        cards = cards.play(Seat(seat), value)
    cards = cards.play(Seat(0), 1)
    cards = deal(cards, (1,), (3,), (3,)).play(Seat(1), 3)
    hidden = [Counter(world.hands[1])[3] for world in worlds(cards, 0, 3000)]
    exact = exact_share(cards)
    assert abs(sum(map(bool, hidden)) / 3000 - exact) < 0.05


def exact_share(cards: Cards) -> float:
    """Probability that Blue still holds a 3, by trying random deals and random plays until they look like this."""
    rng, shares = Random(5), []
    rest = list((Counter(DECK) - Counter(FIRST[0])).elements())
    while len(shares) < 400:
        rng.shuffle(rest)
        blue, yellow = rest[:8], rest[8:]
        if 3 not in blue or 3 not in yellow:
            continue
        weight = blue.count(3) / 8 * yellow.count(3) / 8
        if rng.random() > weight:
            continue
        blue.remove(3)
        blue.append(3)  # both cards dealt again and not seen by Red are 3s
        if rng.random() < blue.count(3) / 8:
            shares.append(blue.count(3) > 1)
    return sum(shares) / len(shares)


@pytest.mark.parametrize("seats", HAND_SIZES)
def test_a_possible_past_is_found_quickly_even_late_in_a_game(seats: int) -> None:
    rng = Random(seats)
    match = Match.begin(GAME, GAME.setup(seats), f"late {seats}")
    while (decisions := match.state.decisions()) and isinstance(state := match.state, Town):
        match.play(decisions[0].seat, rng.choice(decisions[0].options))
        if len(state.cards.dealt) > 2 and match.ply % every(3) == 0:
            for viewer in (None, *range(seats)):
                assert 1 == len(list(worlds(state.cards, viewer, 1)))


def test_a_deal_of_impossible_cards_is_a_broken_log() -> None:
    setup = GAME.setup(3)
    with pytest.raises(BrokenLog, match="does not fit"):
        Match.replay(GAME, setup, "deal", [Entry(CHANCE, f"deal {','.join('1' * 24)}")])


def test_each_seat_learns_only_its_own_deal() -> None:
    match = Match.begin(GAME, GAME.setup(3), "deal")
    ((seat, public),) = match.history(None)
    assert (CHANCE, 1) == (seat, len(public))
    own = [match.history(Seat(n))[0][1][1] for n in range(3)]
    assert isinstance(match.state, Town)
    assert list(match.state.cards.hands) == [event.cards for event in own]  # type: ignore[attr-defined]
