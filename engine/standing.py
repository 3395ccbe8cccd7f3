"""How a match stands by what everyone can know: the share of the win that each seat can expect."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engine.calibration import calibrated, trust
from engine.core import GameSpec, State
from engine.evaluation import Shares
from engine.match import Match
from engine.players.greedy import worlds_of
from engine.texts import Seat

WORLDS = 6
"""Positions that onlookers hold possible, over which the estimate is averaged."""

EVEN = 0.05
"""Chances this close to an equal one are even: no set-up of any game gives a seat less at the start."""


def public_shares(match: Match) -> Shares:
    """The share of the win that each seat can expect, by public knowledge only; they sum to 1.

    The estimate is that of the game (`GameSpec.evaluate`), calibrated by finished games. A game without one goes by the
    points that its board shows. The same position always has the same shares.
    """
    if match.outcome is not None:
        return match.outcome.returns
    seen = match.state.observe(None)
    if match.spec.evaluate is None:
        return _by_points(seen, match.setup.seats)
    worlds = worlds_of(seen, None, Random(match.ply), WORLDS)
    return _evaluated(match.spec, worlds, match.setup.seats)


def companies_behind(shares: Sequence[float], companies: Sequence[int]) -> frozenset[Seat]:
    """The seats whose company has less than an equal chance to win, by more than `EVEN` of it."""
    chances = company_chances(shares, companies)
    least = (1 - EVEN) / len(set(companies))
    return frozenset(Seat(seat) for seat, chance in enumerate(chances) if chance < least)


def company_chances(shares: Sequence[float], companies: Sequence[int]) -> tuple[float, ...]:
    """By seat, the chance that its company wins."""
    seats = range(len(shares))
    return tuple(sum(shares[other] for other in seats if companies[other] == company) for company in companies)


def _evaluated(spec: GameSpec, worlds: Sequence[State], seats: int) -> Shares:
    assert spec.evaluate is not None, "the caller has checked"
    estimates = [spec.evaluate(world) for world in worlds]
    means = [sum(estimate[seat] for estimate in estimates) / len(worlds) for seat in range(seats)]
    return calibrated(means, trust(spec.slug, seats, worlds[0]))


def _by_points(seen: State, seats: int) -> Shares:
    """An equal share for each of the seats with the most points."""
    points = [seen.tally(Seat(seat)) for seat in range(seats)]
    best = max(points)
    return tuple((own == best) / points.count(best) for own in points)
