"""The expected share of the win of each seat, estimated from public knowledge."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engine.calibration import calibrate, calibration_for
from engine.core import GameSpec, State
from engine.evaluation import Shares
from engine.match import Match
from engine.players.greedy import worlds_of
from engine.texts import Seat

WORLDS = 6
"""Number of positions that spectators consider possible; the estimate is their average."""

EVEN_MARGIN = 0.05
"""Relative difference from an equal chance that still counts as even: no seat starts further behind in any game."""


def public_shares(match: Match) -> Shares:
    """The expected share of the win of each seat, estimated from public knowledge; shares sum to 1.

    They come from `GameSpec.evaluate`, calibrated by finished games, or from the public points if a game has no
    `evaluate`. Deterministic: equal positions have equal shares.
    """
    if match.outcome is not None:
        return match.outcome.returns
    seen = match.state.observe(None)
    if match.spec.evaluate is None:
        return _by_points(seen, match.setup.seats)
    worlds = worlds_of(seen, None, Random(match.ply), WORLDS)
    return _estimate(match.spec, worlds, match.setup.seats)


def companies_behind(shares: Sequence[float], companies: Sequence[int]) -> frozenset[Seat]:
    """The seats whose company's chance of winning is below an equal one by more than `EVEN_MARGIN` of it."""
    chances = company_chances(shares, companies)
    least = (1 - EVEN_MARGIN) / len(set(companies))
    return frozenset(Seat(seat) for seat, chance in enumerate(chances) if chance < least)


def company_chances(shares: Sequence[float], companies: Sequence[int]) -> tuple[float, ...]:
    """For each seat, the chance that its company wins."""
    seats = range(len(shares))
    return tuple(sum(shares[other] for other in seats if companies[other] == company) for company in companies)


def _estimate(spec: GameSpec, worlds: Sequence[State], seats: int) -> Shares:
    assert spec.evaluate is not None, "the caller has checked"
    estimates = [spec.evaluate(world) for world in worlds]
    means = [sum(estimate[seat] for estimate in estimates) / len(worlds) for seat in range(seats)]
    return calibrate(means, calibration_for(spec.slug, seats, worlds[0]))


def _by_points(seen: State, seats: int) -> Shares:
    """An equal share for each of the seats with the most points."""
    points = [seen.tally(Seat(seat)) for seat in range(seats)]
    best = max(points)
    return tuple((own == best) / points.count(best) for own in points)
