"""Rules 2, 3 and 8: the city, the start, and what everybody knows."""

from __future__ import annotations

from random import Random

import pytest

from engine.games.muscat import GAME
from engine.games.muscat.artists import Artist
from engine.games.muscat.city import Market, Start, markets, markets_on, starts
from engine.games.muscat.state import Muscat
from engine.games.muscat.verbs.draw import Drew
from engine.games.muscat.verbs.turn_up import TurnedUp
from engine.match import Match
from engine.texts import CHANCE, Seat
from tests.games.muscat_positions import position

SEATS = pytest.mark.parametrize("seats", GAME.seats)


def begin_match(seats: int, **options: object) -> Match:
    """A match at the first decision of a seat."""
    return Match.begin(GAME, GAME.setup(seats, options), "start")  # type: ignore[arg-type]


def place_everybody(match: Match) -> Muscat:
    """The position before the first turn, everybody on the first free market."""
    while isinstance(match.state, Muscat) and match.state.round == 0:
        (decision,) = match.state.decisions()
        match.play(decision.seat, decision.options[0])
    assert isinstance(match.state, Muscat)
    return match.state


@SEATS
def test_a_player_has_16_artists_four_of_each_kind(seats: int) -> None:
    state = GAME.start(GAME.setup(seats))
    assert ((4, 4, 4, 4),) * seats == state.piles


@SEATS
def test_a_level_has_as_many_markets_as_players(seats: int) -> None:
    state = GAME.start(GAME.setup(seats))
    for level in range(1, 5):
        assert [(None,) * 4] * seats == [state.market(market) for market in markets_on(level, seats)]


def test_the_text_of_a_market_is_its_level_and_its_letter() -> None:
    assert str(Market(2, "B")) == "2B"
    for market in markets(5):
        assert market == Market.parse(str(market))


@pytest.mark.parametrize("text", ["", "2", "5A", "0A", "2F", "B2", "2BB", "2b", "²B", "2B\n"])
def test_malformed_market_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no market"):
        Market.parse(text)


def test_a_new_artist_starts_on_a_market_of_level_1_or_in_the_street() -> None:
    assert all(start is Start(str(start)) for start in Start)
    assert markets_on(1, 5) == tuple(start.market for start in starts(5))
    assert [Start.STREET] == [start for start in Start if start.market is None]
    with pytest.raises(ValueError, match="1A"):
        Start("1A")


@SEATS
def test_each_player_turns_up_an_artist_before_the_first_draw(seats: int) -> None:
    events = begin_match(seats).view(None).events
    assert [TurnedUp] * seats + [Drew] == [type(event) for event in events]


@SEATS
def test_the_first_artist_starts_on_an_empty_market_of_level_1(seats: int) -> None:
    match = begin_match(seats)
    for free in range(seats, 0, -1):
        (decision,) = match.state.decisions()
        assert free == len(decision.options)
        match.play(decision.seat, decision.options[-1])


@SEATS
def test_each_player_starts_with_1_artist_on_the_board_1_face_up_and_14_face_down(seats: int) -> None:
    state = place_everybody(begin_match(seats))
    for seat in map(Seat, range(seats)):
        assert sum(state.market(market).count(seat) for market in markets_on(1, seats)) == 1
        assert state.faceup(seat) is not None
        assert state.pile(seat) == 14
    assert (state.turn, state.round) == (0, 1)


@SEATS
def test_order_of_play_is_by_seat(seats: int) -> None:
    match = begin_match(seats)
    results = []
    while (state := match.state).decisions() and len(results) < 2 * seats:
        (decision,) = state.decisions()
        results.append(decision.seat)
        match.play(decision.seat, decision.options[0])
    assert [*range(seats), *range(seats)] == results


def test_the_drawn_artist_is_public() -> None:
    state = begin_match(3).state
    assert isinstance(state, Muscat)
    assert state.drawn is not None
    assert (state.drawn.seat, type(state.drawn.artist)) == (0, Artist)
    assert sum(state.piles[state.drawn.seat]) == 14


def test_the_state_has_no_hidden_information() -> None:
    state = position()
    assert state.observe(None) is state.observe(Seat(1)) is state.determinize(Seat(2), Random(1)) is state


def test_each_token_of_a_pile_is_equally_likely_to_be_drawn() -> None:
    state = position(piles={0: "PPPE"}, faceup={0: "S"})
    (action,) = (a for a in state.decisions()[0].options if a.verb == "draw")
    drawing, events = state.apply(Seat(0), action)
    (decision,) = drawing.decisions()
    assert events == ()
    assert decision.seat == CHANCE
    assert [("P", 3), ("E", 1)] == [
        (option.artist, weight) for option, weight in zip(decision.options, decision.weights, strict=True)
    ]
    rng = Random(7)
    artists = [drawing.sample(rng).artist for _ in range(400)]
    assert 270 < artists.count(Artist.PIPER) < 330
