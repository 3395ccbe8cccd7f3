"""Cells and targets in notation, and events in the words for their player."""

from __future__ import annotations

import pytest

from engine.core import Event, field_types
from engine.games.muses import GAME, events
from engine.games.muses.actions import Power, Target
from engine.games.muses.cells import CENTER, Cell, Way, cell_at, cell_name, coordinates_of, nearest_number
from engine.games.muses.companies import Company
from engine.games.muses.events import (
    Began,
    Placed,
    PlacedFaceDown,
    PlacedUnseen,
    PowerBorrowed,
    PowerUsed,
    Pushed,
    RanksWon,
    Stepped,
)
from engine.games.muses.tiles import Muse, Tile
from engine.texts import Seat
from engine.wording import label, say

RED, BLUE = Seat(0), Seat(1)
M13, N13 = Cell("m", 13), Cell("n", 13)


# --- Coordinates -----------------------------------------------------------------------------------------------------


def test_every_cell_round_trips_through_text() -> None:
    cells = {cell_name(cell_at(x, y)) for x in range(26) for y in range(26)}
    assert 26 * 26 == len(cells)
    assert all(Cell.parse(str(cell)) == cell for cell in cells)
    assert "m13" == str(cell_name(CENTER))


@pytest.mark.parametrize("text", ["", "m", "13", "m0", "m27", "m013", "M13", "mm13", "9Z", "ä1", "m１", "clio"])
def test_malformed_cells_are_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (that it is one is the contract of parse)
        Cell.parse(text)


def test_cell_names_wrap_after_column_z_and_row_26_and_mean_the_nearest_cell() -> None:
    assert ["z", "a", "y"] == [cell_name(cell_at(x, 0)).column for x in (13, 14, -14)]
    assert [26, 1, 25] == [cell_name(cell_at(0, y)).row for y in (13, 14, -14)]
    for x, y in ((0, 0), (13, -20), (-40, 60)):
        home = cell_at(x, y)
        for dx, dy in ((0, 0), (8, 8), (-8, 3), (12, -12)):
            number = cell_at(x + dx, y + dy)
            assert (number, (x + dx, y + dy)) == (nearest_number(cell_name(number), home), coordinates_of(number))


TARGETS = {
    "clio": (Target((Tile.CLIO,)), "on Clio"),
    "clio,hiddenN": (Target((Tile.CLIO, Tile.HIDDEN_NEUTRAL)), "on Clio and the hidden Neutral tile"),
    "clio,n13": (Target((Tile.CLIO,), N13), "on Clio to N13"),
    "hidden1": (Target((Tile.HIDDEN1,)), "on Blue’s hidden Muse"),
    "melpomene": (Target((Tile.MELPOMENE,), lent=True), "as Melpomene"),
    "thalia,clio,erato": (Target((Tile.THALIA, Tile.CLIO, Tile.ERATO), lent=True), "as Thalia on Clio and Erato"),
    "urania,clio,n13": (Target((Tile.URANIA, Tile.CLIO), N13, lent=True), "as Urania on Clio to N13"),
}


@pytest.mark.parametrize("text", TARGETS)
def test_every_target_round_trips_through_text_and_has_a_label(text: str) -> None:
    target, read = TARGETS[text]
    assert (text, target) == (str(target), Target.parse(text))
    assert f"Power: Polyhymnia {read}" == label(Power(Tile.POLYHYMNIA, target))


@pytest.mark.parametrize("text", ["", "x", "clio,", ",clio", "n13,clio", "clio,n13,n14", "klio", "Clio", "clio, erato"])
def test_malformed_targets_are_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (that it is one is the contract of parse)
        Target.parse(text)


# --- Events ----------------------------------------------------------------------------------------------------------

CLIO, ERATO, HIDDEN = Tile.CLIO, Tile.ERATO, Tile.HIDDEN0

TOLD: list[tuple[Event, str, str]] = [
    (Began(RED), "Red goes first.", "You go first."),
    (Placed(RED, CLIO, N13), "Red lays Clio on N13.", "You lay Clio on N13."),
    (
        PlacedUnseen(RED, HIDDEN, N13),
        "Red lays a Muse face down on N13.",
        "You lay a Muse face down on N13.",
    ),
    (
        Stepped(RED, Tile.HIDDEN0, Way.E, M13, N13),
        "Red’s hidden Muse steps east to N13.",
        "You let the Muse you hid step east to N13.",
    ),
    (
        Stepped(RED, Tile.HIDDEN1, Way.E, M13, N13),
        "Red: Blue’s hidden Muse steps east to N13.",
        "You let Blue’s hidden Muse step east to N13.",
    ),
    (
        Pushed(RED, Tile.HIDDEN0, Way.E, M13, N13, (Tile.HIDDEN1,)),
        "Red’s hidden Muse steps east to N13 and pushes Blue’s hidden Muse.",
        "You let the Muse you hid step east to N13 and push Blue’s hidden Muse.",
    ),
    (Stepped(RED, CLIO, Way.E, M13, N13), "Red: Clio steps east to N13.", "You let Clio step east to N13."),
    (
        Pushed(RED, CLIO, Way.E, M13, N13, (ERATO, HIDDEN)),
        "Red: Clio steps east to N13 and pushes Erato and their own hidden Muse.",
        "You let Clio step east to N13 and push Erato and the Muse you hid.",
    ),
    (
        Pushed(RED, Tile.HIDDEN1, Way.E, M13, N13, (HIDDEN,)),
        "Red: Blue’s hidden Muse steps east to N13 and pushes Red’s hidden Muse.",
        "You let Blue’s hidden Muse step east to N13 and push the Muse you hid.",
    ),
    (PowerUsed(RED, CLIO), "Red uses Clio’s power.", "You use Clio’s power."),
    (
        PowerBorrowed(RED, Tile.POLYHYMNIA, CLIO),
        "Red lets Polyhymnia use Clio’s power.",
        "You let Polyhymnia use Clio’s power.",
    ),
]


@pytest.mark.parametrize(("event", "others", "you"), TOLD, ids=lambda told: type(told).__name__)
def test_an_event_addresses_its_own_seat_as_you(event: Event, others: str, you: str) -> None:
    assert (others, you) == (say(event), say(event, you=RED))


def test_every_event_about_a_seat_has_an_example() -> None:
    classes = [thing for thing in vars(events).values() if isinstance(thing, type) and issubclass(thing, Event)]
    assert {kind for kind in classes if Seat in field_types(kind).values()} == {type(event) for event, _, _ in TOLD}


def test_an_event_visible_only_to_its_owner_addresses_the_owner_as_you() -> None:
    assert "You lay Clio face down on N13." == say(PlacedFaceDown(Muse.CLIO, HIDDEN, N13))


def test_a_company_is_named_by_its_seats_and_its_color() -> None:
    assert "Ranks 1 and 3 go to Blue: +2." == say(RanksWon(Company.BLUE, (BLUE,), (1, 3), 2))
    setup = GAME.setup(4)
    assert ("Red", "Blue", "Red", "Blue") == GAME.seat_colors(setup)
    assert ("Red 1", "Blue 1", "Red 2", "Blue 2") == GAME.seat_names(setup)
    assert ("Red", "Blue", "Yellow") == GAME.seat_colors(GAME.setup(3)) == GAME.seat_names(GAME.setup(3))
