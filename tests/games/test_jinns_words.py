"""Notation and sentences of Jinns: coordinates as the log has them, and every event as its seat reads it."""

from __future__ import annotations

import copy
import pickle

import pytest

from engine.core import Event, field_types
from engine.games.jinns import events
from engine.games.jinns.pawns import EMPTY, PAWNS, TOPPED_BY, Color, Pawn, Pile
from engine.games.jinns.ring import RING, Square
from engine.texts import Seat
from engine.wording import say

ALL_PILES = (EMPTY, *TOPPED_BY[-1], Pile.parse("B4 G1 Y3 R2"))


@pytest.mark.parametrize("things", [RING, PAWNS, ALL_PILES], ids=["squares", "pawns", "piles"])
def test_notation_round_trips_through_text_and_pickle(things: tuple[Square | Pawn | Pile, ...]) -> None:
    assert things == tuple(type(thing).parse(str(thing)) for thing in things)
    assert things == pickle.loads(pickle.dumps(things)) == copy.deepcopy(things)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        *((Square, text) for text in ("", "x", "1.5", "Y3")),
        *((Pawn, text) for text in ("", "3", "Y", "Y5", "Y0", "P3", "y3", "Y3 ", "Y33")),
        *((Pile, text) for text in ("Y5", "B4,Y3", "B4Y3", "Y1 Y2", "Y1 B1 R1 G1 Y2", "none")),
    ],
)
def test_malformed_notation_is_refused(kind: type[Square | Pawn | Pile], text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (its text is the value itself)
        kind.parse(text)


def test_squares_outside_the_ring_parse_but_do_not_exist() -> None:
    assert [False, True, True, False] == [Square.parse(text).exists for text in ("-1", "0", "31", "32")]


def test_a_pile_lists_its_pawns_from_bottom_to_top() -> None:
    pile = Pile.parse("B4 G1 Y3")
    assert (Pawn(Color.BLUE, 4), Pawn(Color.GREEN, 1), Pawn(Color.YELLOW, 3)) == pile.pawns
    assert (3, Pawn.parse("Y3"), 9) == (pile.height, pile.top, pile.points)
    assert ["Y3", "G1 Y3", "B4 G1 Y3"] == [str(pile.upper(n)) for n in (1, 2, 3)]
    assert ["B4 G1", "B4", ""] == [str(pile.without_upper(n)) for n in (1, 2, 3)]
    assert "R2 B4 G1 Y3" == str(Pile.parse("R2").topped_with(pile))


ME, OTHER = Seat(0), Seat(2)
AT, TO = Square(3), Square(17)
SEATS = {Seat, tuple[Seat, ...]}
PAWN, PILE, BASE = Pawn.parse("Y3"), Pile.parse("G1 Y3"), Pile.parse("R2")

TOLD = [
    (events.Placed(ME, PAWN, AT), "You place Y3 on 3.", "Yellow places Y3 on 3."),
    (
        events.Filled(ME, (PAWN, PAWN), AT, TO),
        "Squares 3 to 17 are filled at random for you: Y3 and Y3.",
        "Squares 3 to 17 are filled at random for Yellow: Y3 and Y3.",
    ),
    (events.Chose(ME, Color.RED), "You will play red.", "Yellow will play red."),
    (events.Began(ME), "You make the first move.", "Yellow makes the first move."),
    (
        events.Moved(ME, AT, TO, PILE),
        "You move Y3 and G1 from 3 to 17.",
        "Yellow moves Y3 and G1 from 3 to 17.",
    ),
    (
        events.TookTower(ME, TO, PILE, 12),
        "A tower of four! 12 points for you.",
        "A tower of four! 12 points for Yellow.",
    ),
    (
        events.SharedTower(ME, OTHER, TO, events.Storeys.THREE, PILE, 6, BASE, 2),
        "A tower of three! You keep Y3 and G1: 6 points; Red gets R2: 2.",
        "A tower of three! Yellow keeps Y3 and G1: 6 points; Red gets R2: 2.",
    ),
    (
        events.SharedTower(OTHER, ME, TO, events.Storeys.FOUR, PILE, 6, PILE, 6),
        "A tower of four! Red keeps Y3 and G1: 6 points; you get Y3 and G1: 6.",
        "A tower of four! Red keeps Y3 and G1: 6 points; Yellow gets Y3 and G1: 6.",
    ),
    (events.Missed((OTHER, ME)), "Red and you cannot move.", "Red and Yellow cannot move."),
    (events.Alone(ME), "Nobody but you can move.", "Nobody but Yellow can move."),
]


@pytest.mark.parametrize(("event", "to_me", "to_others"), TOLD)
def test_an_event_addresses_its_own_seat_as_you(event: Event, to_me: str, to_others: str) -> None:
    names = ("Yellow", "Blue", "Red", "Green")
    assert to_me == say(event, names, you=ME)
    assert to_others == say(event, names) == say(event, names, you=Seat(1))


def test_every_event_about_a_seat_has_an_example() -> None:
    kinds = [kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, Event)]
    about_seats = {kind for kind in kinds if kind is not Event and SEATS & {*field_types(kind).values()}}
    assert about_seats == {type(event) for event, _, _ in TOLD}
