"""The companies, and which seat plays for which (rule 2.3)."""

from __future__ import annotations

from enum import IntEnum

from engine.core import Setup
from engine.texts import SEAT_COLORS, Seat, seats_called

TEAMS = 2
"""How many companies there are with four players."""


class Company(IntEnum):
    """Seats that win together, by the color of their dice."""

    RED = 0
    BLUE = 1
    YELLOW = 2

    @property
    def label(self) -> str:
        """How people read it: `Red`."""
        return SEAT_COLORS[self]


def company_count(seats: int) -> int:
    """How many companies there are: with four players two teams."""
    return TEAMS if seats == 4 else seats


def company_of(seat: int, seats: int) -> Company:
    """The company a seat plays for: team mates sit opposite each other."""
    return _COMPANIES[seats][seat]


_COMPANIES = {seats: tuple(Company(seat % company_count(seats)) for seat in range(seats)) for seats in (2, 3, 4)}


def members(company: int, seats: int) -> tuple[Seat, ...]:
    """The seats that play for a company."""
    return _MEMBERS[seats][company]


_MEMBERS = {
    seats: tuple(
        tuple(Seat(seat) for seat in range(seats) if of_seats[seat] == company)
        for company in range(company_count(seats))
    )
    for seats, of_seats in _COMPANIES.items()
}


def seat_colors(setup: Setup) -> tuple[str, ...]:
    """The colors of the companies they play for."""
    return tuple(company_of(seat, setup.seats).label for seat in range(setup.seats))


def seat_names(setup: Setup) -> tuple[str, ...]:
    """The colors; with four players the color of the company and a number."""
    colors = seats_called(seat_colors(setup))
    if setup.seats != 4:
        return colors
    return tuple(f"{color} {seat // TEAMS + 1}" for seat, color in enumerate(colors))


def companies(setup: Setup) -> tuple[int, ...]:
    """The company of every seat."""
    return _COMPANIES[setup.seats]
