"""Weight of a game with computers in ratings: what ratings say of known strengths, and how far newcomers fall.

People of known strength play games in which some seats are computers', of three strengths. Strengths are those of
`openskill`; who wins is drawn as Plackett and Luce have it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from random import Random
from statistics import mean, quantiles

from bot.store.tally import Credit, RatedMatch, RatedSeat, Rating, computer_ratings, people_share, points_of, rate
from tools.computer_ratings import BETA

GAME = "muscat"
PEOPLE, SPREAD = 30, 6.0
BEGINNER = 17.0
"""The mean strength: most people lose to a `fair` computer at first, whose rating is that of a newcomer."""

Weigh = Callable[[int, int], float]

WAYS: Mapping[str, Weigh] = {
    "all of it": lambda people, computers: 1.0,
    "as people play": people_share,
    "nothing with more computers": lambda people, computers: float(computers <= people),
    "as opponents are people": lambda people, computers: (people - 1) / (people + computers - 1),
}


@dataclass(frozen=True)
class Found:
    """Quality of a weight: how well ratings order strengths (Spearman), and how far the unluckiest twentieth falls in
    two games.
    """

    order: float
    fall: float


def compare(rounds: int, servers: int) -> Iterator[tuple[str, Found]]:
    """Every way to weigh, over the same servers with that many rounds of games."""
    for name, weigh in WAYS.items():
        results = [simulate(Random(seed), rounds, weigh) for seed in range(servers)]
        yield name, Found(mean(result.order for result in results), mean(result.fall for result in results))


def simulate(rng: Random, rounds: int, weigh: Weigh) -> Found:
    """A server whose people all play in every round."""
    strengths = {user: rng.gauss(BEGINNER, SPREAD) for user in range(1, PEOPLE + 1)}
    ratings, played, falls = dict.fromkeys(strengths, Rating()), dict.fromkeys(strengths, 0), list[int]()
    for _ in range(rounds):
        for match in _round(rng, strengths):
            people = [*match.people()]
            ratings |= rate(match, {user: ratings[user] for user in people}, weigh)
            for user in people:
                played[user] += 1
                falls += [points_of(ratings[user].mu) - points_of(Rating().mu)] if played[user] == 2 else []
    return Found(_spearman(strengths, {user: rating.mu for user, rating in ratings.items()}), quantiles(falls, n=20)[0])


def _round(rng: Random, strengths: Mapping[int, float]) -> Iterator[RatedMatch]:
    waiting = rng.sample(sorted(strengths), len(strengths))
    while len(waiting) > 1:
        size = rng.choice((2, 2, 2, 3, 4))
        people, waiting = waiting[:size], waiting[size:]
        if len(people) > 1:
            yield _match(rng, {user: strengths[user] for user in people})


def _match(rng: Random, strengths: Mapping[int, float]) -> RatedMatch:
    computers = rng.choices(("easy", "fair", "fair", "strong"), k=rng.choice((0, 0, 0, 1, 2, 3)))
    fixed = computer_ratings()[GAME]
    all_strengths = [*strengths.values(), *(fixed[player].mu for player in computers)]
    # Gumbel: the best of these wins with the chance of Plackett and Luce
    scale = sqrt(len(all_strengths)) * BETA
    merits = [strength - scale * log(-log(rng.random())) for strength in all_strengths]
    whose: list[tuple[int | None, str | None]] = [(user, None) for user in strengths]
    whose += [(None, player) for player in computers]
    seats = [
        RatedSeat(Credit(*who, seat, 1 + sum(other > merits[seat] for other in merits)), 0, 0.0)
        for seat, who in enumerate(whose)
    ]
    return RatedMatch(1, 1, GAME, 1, 1, tuple(seats))


def _spearman(one: Mapping[int, float], other: Mapping[int, float]) -> float:
    first, second = _ranks(one), _ranks(other)
    count = len(one)
    squares = sum((first.index(user) - second.index(user)) ** 2 for user in one)
    return 1 - 6 * squares / (count * (count**2 - 1))


def _ranks(values: Mapping[int, float]) -> Sequence[int]:
    return sorted(values, key=lambda user: values[user])
