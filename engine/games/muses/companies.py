"""The companies and their seats (rule 2.3)."""

from __future__ import annotations

from enum import IntEnum

from engine.core import Setup
from engine.texts import SEAT_COLORS, Seat, seats_called

TEAMS = 2
"""Number of companies with four players."""


class Company(IntEnum):
    """A company: seats that win together, named by the color of their dice."""

    RED = 0
    BLUE = 1
    YELLOW = 2

    @property
    def label(self) -> str:
        """The color: `Red`."""
        return SEAT_COLORS[self]


def company_count(seats: int) -> int:
    """The number of companies: one for each seat, but two teams with four players."""
    return TEAMS if seats == 4 else seats


COMPANIES = {seats: tuple(Company(seat % company_count(seats)) for seat in range(seats)) for seats in (2, 3, 4)}
"""COMPANIES[seats][seat]: the company of a seat; team mates sit opposite each other (rule 2.3)."""

MEMBERS = {
    seats: tuple(
        tuple(Seat(seat) for seat in range(seats) if of_seats[seat] == company)
        for company in range(company_count(seats))
    )
    for seats, of_seats in COMPANIES.items()
}
"""MEMBERS[seats][company]: the seats of a company."""


def seat_colors(setup: Setup) -> tuple[str, ...]:
    """The color of each seat's company."""
    return tuple(company.label for company in COMPANIES[setup.seats])


def seat_names(setup: Setup) -> tuple[str, ...]:
    """The color of each seat; with four players, followed by a number."""
    colors = seats_called(seat_colors(setup))
    if setup.seats != 4:
        return colors
    # Team mates share a color (rule 2.3), so a number distinguishes them.
    return tuple(f"{color} {seat // TEAMS + 1}" for seat, color in enumerate(colors))


def companies(setup: Setup) -> tuple[int, ...]:
    """The company of each seat."""
    return COMPANIES[setup.seats]
