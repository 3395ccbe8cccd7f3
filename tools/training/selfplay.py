"""Games that one-ply players play against each other, and the positions seen in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from random import Random
from typing import NamedTuple, TypeVar

from engine.core import GameSpec, Setup, State
from engine.errors import SetupError
from engine.evaluation import Evaluation, Row, Shares, Weights
from engine.games import discover
from engine.players.greedy import Evaluate, best
from engine.texts import CHANCE

POSITIONS = 24
"""Positions kept of each game, spread over all of it."""

FORESIGHT = 0.97
"""How much of what a position turns out to be worth comes from everything later, not from the very next position."""

WHIMS = 0.1
"""How often a player does just anything, so that not all games are alike."""

WORLDS, DRAWS = 1, 8
"""What players look at here: less than in earnest, so that more games are played."""

T = TypeVar("T")

Done = Callable[[int], None]
"""Hears after each game how many have been played."""


def quietly(_games: int) -> None:
    """Tells nobody."""


class Sample(NamedTuple):
    """A position seen in a game: when, the features of all seats, and how the game ended for them.

    `turned_out` is what it proved to be worth to them, by the guesses of those who played on; empty if those
    are not to be trusted.
    """

    progress: float
    rows: tuple[Row, ...]
    shares: tuple[float, ...]
    scores: tuple[int, ...]
    turned_out: Shares = ()


@dataclass(frozen=True)
class Course:
    """What is played: a game, its number of seats, the weights that players go by, and a seed of the luck.

    Where these weights are `trusted`, what they say of the positions to come tells what a position is worth.
    """

    slug: str
    seats: int
    weights: Weights
    seed: str
    trusted: bool = False

    @property
    def spec(self) -> GameSpec:
        """The game."""
        return discover()[self.slug]

    @property
    def evaluation(self) -> Evaluation:
        """How its players value positions."""
        evaluation = self.spec.evaluate
        assert isinstance(evaluation, Evaluation), f"{self.slug} has no features to weigh"
        return evaluation.weighted({self.seats: self.weights})

    def luck(self, number: int) -> Random:
        """The luck of a game of this course, the same in whichever process it is played."""
        return Random(f"{self.seed}/{self.slug}/{self.seats}/{number}")

    def setup(self, rng: Random) -> Setup:
        """Options as people choose them: a preset that goes with the number of seats; the usual ones if none does."""
        presets: list[Setup] = []
        for preset in self.spec.presets:
            with suppress(SetupError):
                presets.append(self.spec.setup(self.seats, preset.options))
        return rng.choice(presets or [self.spec.setup(self.seats)])


def samples(course: Course, games: int, jobs: int, done: Done = quietly) -> list[list[Sample]]:
    """The positions of so many games of players that all value positions alike."""
    return in_processes(partial(_sampled, course), games, jobs, done)


def counted(positions: Sequence[Sample], evaluation: Evaluation) -> list[Sample]:
    """The same with one feature, the points that somebody counts, who knows no more of a game than how it ended."""
    return [one._replace(rows=tuple((evaluation.count(row),) for row in one.rows), turned_out=()) for one in positions]


def trials(course: Course, games: int, jobs: int, done: Done = quietly) -> list[float]:
    """What share of each win one player got who goes by all features, among others who count points."""
    return in_processes(partial(_tried, course), games, jobs, done)


def in_processes(play: Callable[[int], T], games: int, jobs: int, done: Done = quietly) -> list[T]:
    """What came of each of so many games."""
    if jobs == 1:
        return _noted(map(play, range(games)), done)
    # The way to start processes that every system has.
    with get_context("spawn").Pool(jobs) as pool:
        return _noted(pool.imap(play, range(games), chunksize=4), done)


def _noted(played: Iterable[T], done: Done) -> list[T]:
    results = []
    for number, result in enumerate(played, 1):
        results.append(result)
        done(number)
    return results


def _sampled(course: Course, number: int) -> list[Sample]:
    rng, evaluation = course.luck(number), course.evaluation
    *before, last = _positions(course, [evaluation] * course.seats, rng, WHIMS)
    outcome = last.outcome()
    assert outcome is not None, "a game is played to its end"
    proved = hindsight(list(map(evaluation, before)), outcome.returns) if course.trusted else [()] * len(before)
    kept = rng.sample(list(zip(before, proved, strict=True)), min(POSITIONS, len(before)))
    return [
        Sample(
            evaluation.progress(state),
            tuple(map(tuple, evaluation.features(state))),
            outcome.returns,
            outcome.scores,
            value,
        )
        for state, value in kept
    ]


def hindsight(guesses: Sequence[Shares], ended: Shares) -> list[Shares]:
    """What each position of a game proved to be worth by the guesses of those after it and by its end.

    These are the returns of TD(lambda) (R. S. Sutton, 1988), which owe less to luck than how the game ended.
    """
    found = [ended]
    for guess in reversed(guesses[1:]):
        found.append(tuple(g + FORESIGHT * (later - g) for g, later in zip(guess, found[-1], strict=True)))
    return found[::-1]


def _tried(course: Course, number: int) -> float:
    # Every seat as often as any other.
    evaluation, seat = course.evaluation, number % course.seats
    players: list[Evaluate] = [evaluation.by_points] * course.seats
    players[seat] = evaluation
    *_, last = _positions(course, players, course.luck(number), whims=0)
    outcome = last.outcome()
    assert outcome is not None, "a game is played to its end"
    return outcome.returns[seat]


def _positions(course: Course, players: Sequence[Evaluate], rng: Random, whims: float) -> Iterator[State]:
    """All positions of a game, those where luck is due among them; the last one is over."""
    state = course.spec.start(course.setup(rng))
    yield state
    while decisions := state.decisions():
        decision = rng.choice(decisions)
        if decision.seat == CHANCE:
            action = state.sample(rng)
        elif rng.random() < whims:
            action = rng.choice(decision.options)
        else:
            # Only what the seat may see, as in earnest.
            action = best(state.observe(decision.seat), decision, players[decision.seat], rng, WORLDS, DRAWS)
        state, _ = state.apply(decision.seat, action)
        yield state
