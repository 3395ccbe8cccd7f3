"""Self-play of players that look one ply ahead, and sampling of the positions of their games."""

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
from engine.players.greedy import Evaluate, choose_best
from engine.texts import CHANCE

POSITIONS = 24
"""Number of sampled positions of each game."""

FORESIGHT = 0.97
"""The lambda of TD(lambda): the weight of later positions compared with that of the next one."""

WHIMS = 0.1
"""Probability of a random move, so that games vary."""

WORLDS, DRAWS = 1, 8
"""Limits of the players (see `engine.players.greedy`), lower than in real games so that more games can be played."""

T = TypeVar("T")

Done = Callable[[int], None]
"""Callback after each game, with the number of games played."""


def quietly(_games: int) -> None:
    """A callback that does nothing."""


class Sample(NamedTuple):
    """A position of a game: its progress, the features of each seat, and each seat's share of the win and score.

    `hindsight_shares` come from the players' estimates of later positions. They are empty if these estimates are not
    trusted.
    """

    progress: float
    rows: tuple[Row, ...]
    shares: tuple[float, ...]
    scores: tuple[int, ...]
    hindsight_shares: Shares = ()


@dataclass(frozen=True)
class Course:
    """The parameters of self-play: a game, a number of seats, the weights of the players, and a seed.

    If the weights are `trusted`, the estimates of later positions determine the value of a position in hindsight.
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
        """The evaluation of the players."""
        evaluation = self.spec.evaluate
        assert isinstance(evaluation, Evaluation), f"{self.slug} has no features to weigh"
        return evaluation.weighted({self.seats: self.weights})

    def luck(self, number: int) -> Random:
        """The random generator of a game, which does not depend on the process that plays it."""
        return Random(f"{self.seed}/{self.slug}/{self.seats}/{number}")

    def setup(self, rng: Random) -> Setup:
        """A random preset that is valid for the number of seats, or the default options if there is none."""
        presets: list[Setup] = []
        for preset in self.spec.presets:
            with suppress(SetupError):
                presets.append(self.spec.setup(self.seats, preset.options))
        return rng.choice(presets or [self.spec.setup(self.seats)])


def samples(course: Course, games: int, jobs: int, done: Done = quietly) -> list[list[Sample]]:
    """Play games between equal players. Returns sampled positions of each game."""
    return in_processes(partial(_sample_game, course), games, jobs, done)


def points_only(positions: Sequence[Sample], evaluation: Evaluation) -> list[Sample]:
    """The samples with the counted points as their only feature, and without hindsight."""
    return [
        position._replace(rows=tuple((evaluation.count(row),) for row in position.rows), hindsight_shares=())
        for position in positions
    ]


def trials(course: Course, games: int, jobs: int, done: Done = quietly) -> list[float]:
    """The shares of the win of a player who uses all features, in games against players who count points."""
    return in_processes(partial(_trial, course), games, jobs, done)


def in_processes(play: Callable[[int], T], games: int, jobs: int, done: Done = quietly) -> list[T]:
    """Call `play` with the number of each game, in several processes. Returns the results in order."""
    if jobs == 1:
        return _collect(map(play, range(games)), done)
    # `spawn` is available on all systems.
    with get_context("spawn").Pool(jobs) as pool:
        return _collect(pool.imap(play, range(games), chunksize=4), done)


def _collect(played: Iterable[T], done: Done) -> list[T]:
    results = []
    for number, result in enumerate(played, 1):
        results.append(result)
        done(number)
    return results


def _sample_game(course: Course, number: int) -> list[Sample]:
    rng, evaluation = course.luck(number), course.evaluation
    *before, last = _positions(course, [evaluation] * course.seats, rng, WHIMS)
    outcome = last.outcome()
    assert outcome is not None, "a game is played to its end"
    proved = hindsight(list(map(evaluation, before)), outcome.returns) if course.trusted else [()] * len(before)
    positions = rng.sample(list(zip(before, proved, strict=True)), min(POSITIONS, len(before)))
    return [
        Sample(
            evaluation.progress(state),
            tuple(map(tuple, evaluation.features(state))),
            outcome.returns,
            outcome.scores,
            value,
        )
        for state, value in positions
    ]


def hindsight(guesses: Sequence[Shares], ended: Shares) -> list[Shares]:
    """The value of each position of a game, from the estimates of all later positions and the result.

    These are the returns of TD(lambda) (R. S. Sutton, 1988), which depend less on luck than the result.
    """
    values = [ended]
    for guess in reversed(guesses[1:]):
        values.append(tuple(g + FORESIGHT * (later - g) for g, later in zip(guess, values[-1], strict=True)))
    return values[::-1]


def _trial(course: Course, number: int) -> float:
    # The measured player is equally often in every seat.
    evaluation, seat = course.evaluation, number % course.seats
    players: list[Evaluate] = [evaluation.by_points] * course.seats
    players[seat] = evaluation
    *_, last = _positions(course, players, course.luck(number), whims=0)
    outcome = last.outcome()
    assert outcome is not None, "a game is played to its end"
    return outcome.returns[seat]


def _positions(course: Course, players: Sequence[Evaluate], rng: Random, whims: float) -> Iterator[State]:
    """All positions of a game, including those with CHANCE due; the last one is over."""
    state = course.spec.start(course.setup(rng))
    yield state
    while decisions := state.decisions():
        decision = rng.choice(decisions)
        if decision.seat == CHANCE:
            action = state.sample(rng)
        elif rng.random() < whims:
            action = rng.choice(decision.options)
        else:
            # The seat sees only its own knowledge, as in real games.
            action = choose_best(state.observe(decision.seat), decision, players[decision.seat], rng, WORLDS, DRAWS)
        state, _ = state.apply(decision.seat, action)
        yield state
