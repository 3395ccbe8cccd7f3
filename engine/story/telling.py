"""The story of a match, assembled from looks at its positions, which may run in other processes."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Self, TypeAlias

from engine.core import Action, State
from engine.evaluation import Shares
from engine.match import Match
from engine.notation import format_action
from engine.story.looking import Look, LookResult
from engine.texts import CHANCE, Seat
from engine.values import Value

SECONDS = 8.0
"""CPU time of the first looks at all positions of a match, on the machine on which `step_costs` were measured."""

MAX_SECONDS = 0.1
"""Maximum CPU time of a first look at one position, so that the stories of short matches are ready sooner."""

SECOND_LOOK_SECONDS = 0.5
"""CPU time of a second look at a costly choice, in seconds."""

MAX_SECOND_LOOKS = 12
"""Maximum number of second looks; the costliest choices come first."""

BATCH_SECONDS = 1.0
"""Duration of a batch of looks, in seconds: computers at other tables wait no longer than this."""

MAX_GOOD_LOSS = 0.02
"""A choice that costs at most this share of the win counts as good."""

MIN_STAKE = 0.01
"""A choice counts for accuracy if a random option would cost at least this share of the win."""

MIN_TURNING = 0.03
"""Minimum loss at a turning point, and minimum gain by the luckiest draw."""

MAX_TURNINGS = 3
"""Maximum number of turning points in a story, and of the mistakes of each seat."""

MIN_CHOICES = 10
"""A match with fewer choices has no story."""

Telling: TypeAlias = Generator[tuple[Look, ...], tuple[LookResult, ...], "Story"]
"""Yields batches of looks, receives their results, and returns the story."""

OwnedPlies: TypeAlias = Sequence[Collection[int]]
"""For each seat, the plies at which its owner played it."""


class Turning(Value):
    """A costly choice: the lost share of the win of the seat's company, and the notation of a better choice."""

    ply: int
    seat: Seat
    loss: float
    better: str


class Lucky(Value):
    """A draw, and the share of the win that the seat's company gained by it."""

    ply: int
    seat: Seat
    gain: float


class Play(Value):
    """The quality of a seat's choices that mattered: their number, and the number of good ones.

    `lost` is the total share of the win that its choices cost, `usually` the expected total for random options.
    """

    choices: int
    good: int
    lost: float
    usually: float

    @property
    def accuracy(self) -> int | None:
        """The accuracy from 0 (random choices or worse) to 100 (always the best); `None` if no choice mattered."""
        return max(0, round(100 * (1 - self.lost / self.usually))) if self.choices else None


class Story(Value):
    """The analysis of a finished match.

    `course` has the chance of each seat's company to win, 0 to 1, before every ply and at the end. `turnings` are in
    the order of the match. `plays` covers all choices made for each seat, `own_plays` only those of its owner.
    `mistakes` are the costliest choices of each owner, also in the order of the match.
    """

    course: tuple[Shares, ...]
    turnings: tuple[Turning, ...]
    plays: tuple[Play, ...]
    lucky: Lucky | None
    own_plays: tuple[Play, ...] = ()
    mistakes: tuple[Turning, ...] = ()

    def mistakes_of(self, seat: Seat) -> tuple[Turning, ...]:
        """The costliest choices of the owner of a seat, the costliest first."""
        mistakes = [mistake for mistake in self.mistakes if mistake.seat == seat]
        return tuple(sorted(mistakes, key=lambda mistake: -mistake.loss))

    def stored(self) -> dict[str, Any]:
        """The story as JSON."""
        return dataclasses.asdict(self)

    @classmethod
    def of(cls, stored: dict[str, Any]) -> Self:
        """Restore a story from JSON."""
        lucky = stored["lucky"]
        return cls(
            # JSON converts tuples to lists and seats to numbers.
            tuple(map(tuple, stored["course"])),
            _turnings_of(stored["turnings"]),
            tuple(Play(**play) for play in stored["plays"]),
            Lucky(**lucky | {"seat": Seat(lucky["seat"])}) if lucky else None,
            # Stories of older versions have neither.
            tuple(Play(**play) for play in stored.get("own_plays", ())),
            _turnings_of(stored.get("mistakes", ())),
        )


def _turnings_of(stored: Iterable[dict[str, Any]]) -> tuple[Turning, ...]:
    return tuple(Turning(**turning | {"seat": Seat(turning["seat"])}) for turning in stored)


class _Moment(Value):
    """A ply: the position before it, the acting seat, its action, and the number of options (0: too many to list)."""

    ply: int
    state: State
    seat: Seat
    action: Action
    options: int

    @property
    def forced(self) -> bool:
        """Whether there was only one option."""
        return self.options == 1

    @property
    def chosen(self) -> bool:
        """Whether a seat made a choice that can be judged: searches skip talk, so they have no value for it."""
        return self.seat != CHANCE and not self.forced and not self.action.talk


def has_story(match: Match) -> bool:
    """Whether a match is over, and long enough to have a story."""
    return match.outcome is not None and sum(moment.chosen for moment in _moments(match)) >= MIN_CHOICES


def tell_story(
    match: Match,
    seconds: float = SECONDS,
    *,
    second_look_seconds: float = SECOND_LOOK_SECONDS,
    max_second_looks: int = MAX_SECOND_LOOKS,
    min_stake: float = MIN_STAKE,
    owned: OwnedPlies = (),
) -> Telling:
    """Tell the story of a finished match from the knowledge that the seats had at each ply.

    `seconds` is the CPU time of the first looks at all positions, `second_look_seconds` that of each of the at most
    `max_second_looks` second looks. A choice counts for accuracy if a random option would cost `min_stake` of the win.
    `owned` are the plies that count for `own_plays`.
    """
    moments = list(_moments(match))
    results: dict[int, LookResult] = {}
    for batch in _batches(match, _first_looks(match, moments, seconds)):
        results |= {result.ply: result for result in (yield batch)}
    second = _second_looks(match, moments, results, owned, second_look_seconds, max_second_looks)
    for batch in _batches(match, second):
        for result in (yield batch):
            # Accuracy is based on first looks, which all choices have, so `lost` and `usually` stay.
            results[result.ply] = dataclasses.replace(results[result.ply], loss=result.loss, better=result.better)
    return _story(match, moments, results, min_stake, owned, {look.ply for look in second})


def _moments(match: Match) -> Iterator[_Moment]:
    for ply, (seat, _) in enumerate(match.history(None)):
        state, action = match.choice_at(ply)
        options = next(len(decision.options) for decision in state.decisions() if decision.seat == seat)
        yield _Moment(ply, state, seat, action, options)


# --- looks ---


def first_looks(match: Match) -> list[Look]:
    """A first look at every position with more than one option."""
    return _first_looks(match, list(_moments(match)), SECONDS)


def _first_looks(match: Match, moments: Sequence[_Moment], seconds: float) -> list[Look]:
    open_ = [moment for moment in moments if not moment.forced]
    # The analysis of a choice takes three times as long as that of a position.
    steps = _steps(match, min(MAX_SECONDS, seconds / max(1, len(open_))) / 3)
    mates = _mates(match)
    return [
        Look(
            moment.ply,
            moment.state,
            moment.seat,
            moment.action if moment.chosen else None,
            steps,
            mates=mates[moment.seat],
        )
        for moment in open_
    ]


def _second_looks(
    match: Match,
    moments: Sequence[_Moment],
    results: dict[int, LookResult],
    owned: OwnedPlies,
    seconds: float,
    max_looks: int,
) -> list[Look]:
    """Second looks at the costliest choices of all, and at those of each owner."""
    costly = [result for result in results.values() if result.loss > MAX_GOOD_LOSS]
    doubtful = [moments[result.ply] for result in sorted(costly, key=lambda result: result.loss, reverse=True)]
    own = [
        [moment for moment in doubtful if moment.seat == seat and _is_own(moment, owned)]
        for seat in range(match.setup.seats)
    ]
    costliest = chain(doubtful[:max_looks], *(of_owner[:MAX_TURNINGS] for of_owner in own))
    return [_second_look(match, moments[ply], seconds) for ply in dict.fromkeys(moment.ply for moment in costliest)]


def _second_look(match: Match, moment: _Moment, seconds: float = SECOND_LOOK_SECONDS) -> Look:
    # One part for the position, two for ranking, and one for the position after each compared option: see `_analyze`.
    steps = _steps(match, seconds / 5)
    mates = _mates(match)[moment.seat]
    return Look(moment.ply, moment.state, moment.seat, moment.action, steps, is_deep=True, mates=mates)


def look_at(match: Match, ply: int) -> Look:
    """A look at the choice of a seat, as close as the second looks of a story."""
    state, action = match.choice_at(ply)
    return _second_look(match, _Moment(ply, state, match.effective[ply].seat, action, 0))


def _mates(match: Match) -> list[int]:
    """The size of each seat's company."""
    companies = match.spec.companies(match.setup)
    return [companies.count(company) for company in companies]


def _steps(match: Match, seconds: float) -> int:
    return max(1, int(seconds * 1e6 / match.spec.step_cost(match.setup.seats)))


def _batches(match: Match, looks: Sequence[Look]) -> Iterator[tuple[Look, ...]]:
    """The looks in batches of about BATCH_SECONDS."""
    # Five, as in `_second_looks`; first looks take less.
    size = max(1, int(_steps(match, BATCH_SECONDS) / (5 * looks[0].steps))) if looks else 1
    return (tuple(looks[n : n + size]) for n in range(0, len(looks), size))


# --- the story ---


def _story(
    match: Match,
    moments: Sequence[_Moment],
    results: dict[int, LookResult],
    min_stake: float,
    owned: OwnedPlies,
    second_look_plies: Collection[int],
) -> Story:
    """The story, from the results of all looks; `second_look_plies` are the plies that had a second look."""
    mates = _mates(match)
    course = _course(match, len(moments), results, mates)
    plays = tuple(_play(moments, results, Seat(seat), min_stake) for seat in range(match.setup.seats))
    owned_moments = [[moment for moment in moments if moment.ply in plies] for plies in owned]
    own_plays = tuple(_play(own, results, Seat(seat), min_stake) for seat, own in enumerate(owned_moments))
    losses = [
        Turning(ply, moments[ply].seat, round(result.loss, 4), format_action(result.better))
        for ply, result in results.items()
        if result.better is not None
    ]
    # First looks are too rough to blame a player for a single choice.
    certain = [loss for loss in losses if loss.ply in second_look_plies]
    mistakes = [
        mistake
        for seat in range(match.setup.seats)
        for mistake in _turnings(moments, [loss for loss in certain if loss.seat == seat and _is_own(loss, owned)])
    ]
    return Story(
        course,
        _turnings(moments, losses),
        plays,
        _luckiest(moments, course),
        own_plays,
        tuple(sorted(mistakes, key=lambda mistake: mistake.ply)),
    )


def _is_own(choice: _Moment | Turning, owned: OwnedPlies) -> bool:
    """Whether the owner of the seat made a choice; without `owned`, all choices are their own."""
    return not owned or choice.ply in owned[choice.seat]


def _course(match: Match, plies: int, results: dict[int, LookResult], mates: Sequence[int]) -> tuple[Shares, ...]:
    """The chances before every ply and at the end. A forced ply has those of the next one."""
    assert match.outcome is not None
    course = [match.outcome.returns]
    for ply in reversed(range(plies)):
        course.append(results[ply].shares if ply in results else course[-1])
    chances = (tuple(round(share * n, 4) for share, n in zip(shares, mates, strict=True)) for shares in course)
    return tuple(chances)[::-1]


def _play(moments: Sequence[_Moment], results: dict[int, LookResult], seat: Seat, min_stake: float) -> Play:
    looks = [results[moment.ply] for moment in moments if moment.seat == seat and moment.chosen]
    mattered = [look for look in looks if look.usually >= min_stake]
    lost, usually = sum(look.lost for look in mattered), sum(look.usually for look in mattered)
    return Play(len(mattered), sum(look.lost == 0 for look in mattered), round(lost, 4), round(usually, 4))


def _turnings(moments: Sequence[_Moment], losses: Sequence[Turning]) -> tuple[Turning, ...]:
    """The costliest choices, at most one for each turn."""
    worst: dict[int, Turning] = {}
    for turning in sorted(losses, key=lambda turning: turning.loss, reverse=True):
        # A turn is identified by the last act of another seat before it.
        others = (n for n in reversed(range(turning.ply)) if moments[n].seat not in (CHANCE, turning.seat))
        # The costliest come first, so `setdefault` keeps the costliest choice of each turn.
        if len(worst) < MAX_TURNINGS and turning.loss >= MIN_TURNING:
            worst.setdefault(next(others, -1), turning)
    return tuple(sorted(worst.values(), key=lambda turning: turning.ply))


def _luckiest(moments: Sequence[_Moment], course: Sequence[Shares]) -> Lucky | None:
    """The draw with the largest gain for a seat, after the first act of any seat."""
    opening = next((moment.ply for moment in moments if moment.seat != CHANCE), len(moments))
    draws = [moment.ply for moment in moments[opening:] if moment.seat == CHANCE and not moment.forced]
    gains = [
        Lucky(ply, Seat(seat), round(after - before, 4))
        for ply in draws
        for seat, (before, after) in enumerate(zip(course[ply], course[ply + 1], strict=True))
    ]
    best = max(gains, key=lambda lucky: lucky.gain, default=None)
    return best if best is not None and best.gain >= MIN_TURNING else None
