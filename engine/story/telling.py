"""The story of a match, assembled from looks at its positions, which may run in other processes."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

from engine.core import Action, State
from engine.evaluation import Shares
from engine.match import Match
from engine.notation import format_action
from engine.story.looking import Look, Looked
from engine.texts import CHANCE, Seat

SECONDS = 8.0
"""CPU time of the first looks at all positions of a match, on the machine on which `step_costs` were measured."""

MAX_SECONDS = 0.1
"""Maximum CPU time of a first look at one position, so that the stories of short matches are ready sooner."""

CLOSELY = 0.5
"""CPU time of a second look at a costly choice, in seconds."""

DOUBTS = 12
"""Maximum number of second looks; the costliest choices come first."""

SLICE = 1.0
"""Duration of a batch of looks, in seconds: computers at other tables wait no longer than this."""

SMALL = 0.02
"""A choice that costs at most this share of the win counts as good."""

MATTERS = 0.01
"""A choice counts for accuracy if a random option would cost at least this share of the win."""

NOTABLE = 0.03
"""Minimum loss at a turning point, and minimum gain by the luckiest draw."""

MAX_TURNINGS = 3
"""Maximum number of turning points in a story, and of the mistakes of each seat."""

MIN_CHOICES = 10
"""A match with fewer choices has no story."""

Telling: TypeAlias = Generator[tuple[Look, ...], tuple[Looked, ...], "Story"]
"""Yields batches of looks, receives their results, and returns the story."""

OwnedPlies: TypeAlias = Sequence[Collection[int]]
"""For each seat, the plies at which its owner played it."""


@dataclass(frozen=True, slots=True)
class Turning:
    """A costly choice: the lost share of the win of the seat's company, and the notation of a better choice."""

    ply: int
    seat: Seat
    loss: float
    better: str


@dataclass(frozen=True, slots=True)
class Lucky:
    """A draw, and the share of the win that the seat's company gained by it."""

    ply: int
    seat: Seat
    gain: float


@dataclass(frozen=True, slots=True)
class Play:
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


@dataclass(frozen=True, slots=True)
class Story:
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
        return tuple(sorted((one for one in self.mistakes if one.seat == seat), key=lambda one: -one.loss))

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


@dataclass(frozen=True, slots=True)
class _Moment:
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


def worth_telling(match: Match) -> bool:
    """Whether a match is over, and long enough to have a story."""
    return match.outcome is not None and sum(moment.chosen for moment in _moments(match)) >= MIN_CHOICES


def telling(
    match: Match,
    seconds: float = SECONDS,
    *,
    closely: float = CLOSELY,
    doubts: int = DOUBTS,
    matters: float = MATTERS,
    owned: OwnedPlies = (),
) -> Telling:
    """Tell the story of a finished match from the knowledge that the seats had at each ply.

    `seconds` is the CPU time of the first looks at all positions, `closely` that of each second look, of which there
    are at most `doubts`. A choice counts for accuracy if a random option would cost `matters` of the win. `owned` are
    the plies that count for `own_plays`.
    """
    moments = list(_moments(match))
    results: dict[int, Looked] = {}
    for slice_ in _slices(match, _first_looks(match, moments, seconds)):
        results |= {one.ply: one for one in (yield slice_)}
    second = _second_looks(match, moments, results, owned, closely, doubts)
    for slice_ in _slices(match, second):
        for one in (yield slice_):
            # Accuracy is based on first looks, which all choices have, so `lost` and `usually` stay.
            results[one.ply] = dataclasses.replace(results[one.ply], loss=one.loss, better=one.better)
    return _story(match, moments, results, matters, owned, {look.ply for look in second})


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
        Look(one.ply, one.state, one.seat, one.action if one.chosen else None, steps, mates=mates[one.seat])
        for one in open_
    ]


def _second_looks(
    match: Match,
    moments: Sequence[_Moment],
    results: dict[int, Looked],
    owned: OwnedPlies,
    seconds: float,
    most: int,
) -> list[Look]:
    """Second looks at the costliest choices of all, and at those of each owner."""
    costly = sorted((one for one in results.values() if one.loss > SMALL), key=lambda one: one.loss, reverse=True)
    doubtful = [moments[one.ply] for one in costly]
    own = [[one for one in doubtful if one.seat == seat and _is_own(one, owned)] for seat in range(match.setup.seats)]
    again = dict.fromkeys(one.ply for some in (doubtful[:most], *(each[:MAX_TURNINGS] for each in own)) for one in some)
    return [_second_look(match, moments[ply], seconds) for ply in again]


def _second_look(match: Match, one: _Moment, seconds: float = CLOSELY) -> Look:
    # One part for the position, two for ranking, and one for the position after each compared option: see `_looked`.
    steps = _steps(match, seconds / 5)
    return Look(one.ply, one.state, one.seat, one.action, steps, closely=True, mates=_mates(match)[one.seat])


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


def _slices(match: Match, looks: Sequence[Look]) -> Iterator[tuple[Look, ...]]:
    """The looks in batches of about `SLICE` seconds."""
    # Five, as in `_second_looks`; first looks take less.
    size = max(1, int(_steps(match, SLICE) / (5 * looks[0].steps))) if looks else 1
    return (tuple(looks[n : n + size]) for n in range(0, len(looks), size))


# --- the story ---


def _story(
    match: Match,
    moments: Sequence[_Moment],
    results: dict[int, Looked],
    matters: float,
    owned: OwnedPlies,
    closely: Collection[int],
) -> Story:
    """The story, from the results of all looks; `closely` has the plies of the second ones."""
    mates = _mates(match)
    course = _course(match, len(moments), results, mates)
    plays = tuple(_play(moments, results, Seat(seat), matters) for seat in range(match.setup.seats))
    owned_moments = [[one for one in moments if one.ply in plies] for plies in owned]
    own_plays = tuple(_play(own, results, Seat(seat), matters) for seat, own in enumerate(owned_moments))
    losses = [
        Turning(ply, moments[ply].seat, round(one.loss, 4), format_action(one.better))
        for ply, one in results.items()
        if one.better is not None
    ]
    # First looks are too rough to blame a player for a single choice.
    certain = [one for one in losses if one.ply in closely]
    mistakes = [
        mistake
        for seat in range(match.setup.seats)
        for mistake in _turnings(moments, [one for one in certain if one.seat == seat and _is_own(one, owned)])
    ]
    return Story(
        course,
        _turnings(moments, losses),
        plays,
        _luckiest(moments, course),
        own_plays,
        tuple(sorted(mistakes, key=lambda one: one.ply)),
    )


def _is_own(one: _Moment | Turning, owned: OwnedPlies) -> bool:
    """Whether the owner of the seat made a choice; without `owned`, all choices are their own."""
    return not owned or one.ply in owned[one.seat]


def _course(match: Match, plies: int, results: dict[int, Looked], mates: Sequence[int]) -> tuple[Shares, ...]:
    """The chances before every ply and at the end. A forced ply has those of the next one."""
    assert match.outcome is not None
    course = [match.outcome.returns]
    for ply in reversed(range(plies)):
        course.append(results[ply].shares if ply in results else course[-1])
    chances = (tuple(round(share * n, 4) for share, n in zip(shares, mates, strict=True)) for shares in course)
    return tuple(chances)[::-1]


def _play(moments: Sequence[_Moment], results: dict[int, Looked], seat: Seat, matters: float) -> Play:
    looks = [results[one.ply] for one in moments if one.seat == seat and one.chosen]
    mattered = [look for look in looks if look.usually >= matters]
    lost, usually = sum(look.lost for look in mattered), sum(look.usually for look in mattered)
    return Play(len(mattered), sum(look.lost == 0 for look in mattered), round(lost, 4), round(usually, 4))


def _turnings(moments: Sequence[_Moment], losses: Sequence[Turning]) -> tuple[Turning, ...]:
    """The costliest choices, at most one for each turn."""
    worst: dict[int, Turning] = {}
    for one in sorted(losses, key=lambda one: one.loss, reverse=True):
        # A turn is identified by the last act of another seat before it.
        others = (n for n in reversed(range(one.ply)) if moments[n].seat not in (CHANCE, one.seat))
        # The costliest come first, so `setdefault` keeps the costliest choice of each turn.
        if len(worst) < MAX_TURNINGS and one.loss >= NOTABLE:
            worst.setdefault(next(others, -1), one)
    return tuple(sorted(worst.values(), key=lambda one: one.ply))


def _luckiest(moments: Sequence[_Moment], course: Sequence[Shares]) -> Lucky | None:
    """The draw with the largest gain for a seat, after the first act of any seat."""
    opening = next((one.ply for one in moments if one.seat != CHANCE), len(moments))
    draws = [one.ply for one in moments[opening:] if one.seat == CHANCE and not one.forced]
    gains = [
        Lucky(ply, Seat(seat), round(after - before, 4))
        for ply in draws
        for seat, (before, after) in enumerate(zip(course[ply], course[ply + 1], strict=True))
    ]
    best = max(gains, key=lambda one: one.gain, default=None)
    return best if best is not None and best.gain >= NOTABLE else None
