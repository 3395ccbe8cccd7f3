"""Evaluation of the cave game: money in the purse, in the cave and to come, relative to the influence of luck."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt
from typing import NamedTuple

from engine.evaluation import Evaluation
from engine.games.alibaba.frames.danger import Announce, Draw
from engine.games.alibaba.frames.walk import Redeal, Walk
from engine.games.alibaba.prospects import MARKS_LEARNED, THOUSAND, free_gain, stake_prospect
from engine.games.alibaba.state import Cave
from engine.texts import Seat, Text
from engine.town.data import GROUPS, MARKS, WALK, Gang, Thief
from engine.town.thieves import GANGS, NUMBERS, THIEVES

NAMES = (
    "purse",  # safe money (4)
    "home",  # the stake in the cave, times the chance that it comes home (3.5)
    "later",  # the expected later stakes, with the thieves claimed so far (3.3, 3.6)
)
"""The features of a seat, all in units of the influence of luck (`scale`)."""

# Measured: in units of this spread instead of thousands, the log-loss fell from 0.67 to 0.60 (players/measurements.md).
LATER_SPREAD, STAKE_SPREAD, MIN_SPREAD = 0.9, 1.4, 0.5
"""The influence of luck: as a part of the later stakes, of the deviation of a stake, and the minimum in thousands."""

_MASKS = {thief: sum(1 << number for number in MARKS[thief]) for thief in THIEVES}
"""Type -> its numbers as a bit mask: bit n for number n."""

# All types of a gang bear equally many numbers (rule 2.4).
_CATCH = {gang: next(len(MARKS[thief]) for thief in THIEVES if thief.gang is gang) / len(NUMBERS) for gang in GANGS}
"""Gang -> the chance that one of its thieves catches a seat without claims."""

_FEW, _MANY = 1, 3
"""The number of thieves that a seat calls for if it has a stake in the cave, and if it has none (rule 3.5)."""


def progress(state: Cave) -> float:
    """The part of the camel's steps."""
    return min(1.0, state.walked / WALK)


class Fortune(NamedTuple):
    """The money of a seat in thousands: in its purse, expected from its stake (with the variance), and later."""

    purse: float
    home: float
    later: float
    variance: float


def features(state: Cave) -> list[tuple[float, ...]]:
    """The features of each seat."""
    fortunes = _fortunes(state)
    luck = _luck(fortunes)
    return [(purse / luck, home / luck, later / luck) for purse, home, later, _ in fortunes]


def scale(state: Cave) -> float:
    """The influence of luck in thousands."""
    return _luck(_fortunes(state))


def _luck(fortunes: list[Fortune]) -> float:
    # Lists are faster than generators here.
    later = sum([fortune.later for fortune in fortunes]) / len(fortunes)
    variance = sum([fortune.variance for fortune in fortunes]) / len(fortunes)
    return sqrt((LATER_SPREAD * later) ** 2 + STAKE_SPREAD**2 * variance + MIN_SPREAD**2)


def _fortunes(state: Cave) -> list[Fortune]:
    danger = _danger(state)
    return [_fortune(state, Seat(seat), danger) for seat in range(state.setup.seats)]


def _fortune(state: Cave, seat: Seat, danger: Danger) -> Fortune:
    # The last card may lead past Start.
    seats, steps, last = state.setup.seats, max(0, state.steps_left), state.safe_after[seat]
    claimed, purse = state.claimed[seat], state.purses[seat] / THOUSAND
    marks, wait = sum([len(MARKS[thief]) for thief in claimed]), (seat - state.turn) % seats
    if last is None:
        # A seat on turn that has already declined to steal can steal a round later at the earliest.
        staking = len(state.frames) == 1
        return Fortune(purse, 0.0, free_gain(seats, steps, wait if wait or staking else seats, marks), 0.0)
    # Once the camel has landed, `danger` covers this turn.
    stake, dangers = state.stakes[seat] / THOUSAND, range(not danger.before_landing, last - state.turn + 1)
    now, prospect = _safe_chance(claimed, danger), stake_prospect(seats, steps, wait, marks, dangers)
    caught = free_gain(seats, steps, wait or seats, marks + MARKS_LEARNED) if now < 1 else 0.0
    spared = now * prospect.spared
    return Fortune(
        purse, spared * stake, now * prospect.later + (1 - now) * caught, stake * stake * spared * (1 - spared)
    )


# --- The present danger ----------------------------------------------------------------------------------------------


class Danger(NamedTuple):
    """The numbers of the thieves already turned up, the gangs of those to come, and whether the camel has to move."""

    numbers: int
    due: tuple[Gang, ...]
    before_landing: bool


def _danger(state: Cave) -> Danger:
    encounter, frame = state.encounter, state.frames[-1]
    # Only before the roll, after which these thieves are harmless.
    if encounter and not encounter.over and not encounter.black:
        due = (frame.gang, *frame.then) if isinstance(frame, Draw) else ()
        return Danger(_numbers(encounter.thieves), due, before_landing=False)
    if isinstance(frame, Announce):
        each = _FEW if state.in_cave(state.on_turn) else _MANY
        return Danger(0, state.space.jewels * each, before_landing=False)
    return Danger(0, (), before_landing=len(state.frames) == 1 or isinstance(frame, Walk | Redeal))


def _numbers(thieves: Iterable[Thief]) -> int:
    numbers = 0
    for thief in thieves:
        numbers |= _MASKS[thief]
    return numbers


def _safe_chance(claimed: tuple[Thief, ...], danger: Danger) -> float:
    """The chance that a seat is not caught by the thieves turned up so far or those to come."""
    if not danger.numbers and not danger.due:
        return 1.0
    spared = 1 - (danger.numbers & ~_numbers(claimed)).bit_count() / len(NUMBERS)
    for gang in danger.due:
        feared = 1 - sum([thief.gang is gang for thief in claimed]) / len(GROUPS)
        spared *= 1 - feared * _CATCH[gang]
    return spared


PHRASES = {
    "purse": (Text("a fuller purse"), Text("an emptier purse")),
    "home": (Text("more expected from the cave"), Text("less expected from the cave")),
    "later": (Text("more to win later"), Text("less to win later")),
}
"""Feature -> the phrases for more and for less of it."""


EVALUATE = Evaluation(__package__, NAMES, features, progress, phrases=PHRASES, counted=("purse", "home"), scale=scale)
