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


COMPANIES = {seats: tuple(Company(seat % company_count(seats)) for seat in range(seats)) for seats in (2, 3, 4)}
"""COMPANIES[seats][seat]: the company a seat plays for; team mates sit opposite each other (rule 2.3)."""

MEMBERS = {
    seats: tuple(
        tuple(Seat(seat) for seat in range(seats) if of_seats[seat] == company)
        for company in range(company_count(seats))
    )
    for seats, of_seats in COMPANIES.items()
}
"""MEMBERS[seats][company]: the seats that play for a company."""


def seat_colors(setup: Setup) -> tuple[str, ...]:
    """The colors of the companies they play for."""
    return tuple(company.label for company in COMPANIES[setup.seats])


def seat_names(setup: Setup) -> tuple[str, ...]:
    """The colors; with four players the color of the company and a number."""
    colors = seats_called(seat_colors(setup))
    if setup.seats != 4:
        return colors
    # Team mates have one color (rule 2.3), so a number tells them apart.
    return tuple(f"{color} {seat // TEAMS + 1}" for seat, color in enumerate(colors))


def companies(setup: Setup) -> tuple[int, ...]:
    """The company of every seat."""
    return COMPANIES[setup.seats]
