"""The story of a match, put together from looks at its positions, which may be made anywhere."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

from engine.core import Action, State
from engine.evaluation import Shares
from engine.match import Match
from engine.notation import format_action
from engine.story.looking import Look, Looked
from engine.texts import CHANCE, Seat

SECONDS = 8.0
"""Of CPU for a first look at all positions of a match, on the machine that games were measured on."""

LONGEST = 0.1
"""Most of them for one position; the stories of short matches are ready sooner."""

CLOSELY = 0.5
"""Seconds for a second look at a choice that seems to have cost something."""

DOUBTS = 12
"""Choices that are looked at again, those that seem to have cost most."""

SLICE = 1.0
"""Seconds that are thought in one piece, so that computers at other tables need not wait for long."""

SMALL = 0.02
"""A choice that costs no more than this share of the win is as good as the best one."""

MATTERS = 0.01
"""A choice counts for accuracy where any option would cost so much of the win, in the mean of all."""

NOTABLE = 0.03
"""A turning point has cost at least so much, and the luckiest draw has brought it."""

TURNS = 3
"""Most turning points in a story."""

LEAST = 10
"""A match with fewer choices has no story."""

Telling: TypeAlias = Generator[tuple[Look, ...], tuple[Looked, ...], "Story"]
"""Yields what is to be looked at next, is sent what was found, and returns the story."""

OwnedPlies: TypeAlias = Sequence[Collection[int]]
"""By seat, the plies at which its owner played it."""


@dataclass(frozen=True, slots=True)
class Turning:
    """A choice that has cost a seat and its company so much of the win; `better` is the notation of a better one."""

    ply: int
    seat: Seat
    loss: float
    better: str


@dataclass(frozen=True, slots=True)
class Lucky:
    """A draw, and how much of the win it has brought to a seat and its company."""

    ply: int
    seat: Seat
    gain: float


@dataclass(frozen=True, slots=True)
class Play:
    """How a seat has chosen where it mattered: how often it could, and how often as good as best.

    `lost` is how much of the win its choices have cost, added up, and `usually` how much any options would have.
    """

    choices: int
    good: int
    lost: float
    usually: float

    @property
    def accuracy(self) -> int | None:
        """0 for choosing at random, 100 for always choosing the best; nothing where no choice mattered."""
        return max(0, round(100 * (1 - self.lost / self.usually))) if self.choices else None


@dataclass(frozen=True, slots=True)
class Story:
    """How a match went.

    `course` has the chances of each seat to win (with its company), 0 to 1, before every ply and at the end.
    `turnings` are in the order of the match. `plays` are of all that was chosen in each seat, `own_plays` of what its
    owner chose.
    """

    course: tuple[Shares, ...]
    turnings: tuple[Turning, ...]
    plays: tuple[Play, ...]
    lucky: Lucky | None
    own_plays: tuple[Play, ...] = ()

    def stored(self) -> dict[str, Any]:
        """As JSON."""
        return dataclasses.asdict(self)

    @classmethod
    def of(cls, stored: dict[str, Any]) -> Self:
        """From JSON."""
        lucky = stored["lucky"]
        return cls(
            # JSON has turned tuples into lists and seats into numbers.
            tuple(map(tuple, stored["course"])),
            tuple(Turning(**turning | {"seat": Seat(turning["seat"])}) for turning in stored["turnings"]),
            tuple(Play(**play) for play in stored["plays"]),
            Lucky(**lucky | {"seat": Seat(lucky["seat"])}) if lucky else None,
            # Stories of before have none.
            tuple(Play(**play) for play in stored.get("own_plays", ())),
        )


@dataclass(frozen=True, slots=True)
class _Moment:
    """A ply: the position before it, who acted and what they did, out of how many possibilities (0: too many to
    list).
    """

    ply: int
    state: State
    seat: Seat
    action: Action
    options: int

    @property
    def forced(self) -> bool:
        """Whether nothing else could happen."""
        return self.options == 1

    @property
    def chosen(self) -> bool:
        """Whether a seat had a choice."""
        return self.seat != CHANCE and not self.forced


def worth_telling(match: Match) -> bool:
    """Whether a match is over, and long enough to have a story."""
    return match.outcome is not None and sum(moment.chosen for moment in _moments(match)) >= LEAST


def telling(
    match: Match,
    seconds: float = SECONDS,
    *,
    closely: float = CLOSELY,
    doubts: int = DOUBTS,
    matters: float = MATTERS,
    owned: OwnedPlies = (),
) -> Telling:
    """The story of a match that is over, by what could be known at each ply.

    `seconds` are for the first look at all positions, `closely` for the second look at each of `doubts` choices; a
    choice counts for accuracy where any option would cost `matters` of the win. `owned` are the plies of `own_plays`.
    """
    moments = list(_moments(match))
    found: dict[int, Looked] = {}
    for slice_ in _slices(match, _first_looks(match, moments, seconds)):
        found |= {one.ply: one for one in (yield slice_)}
    for slice_ in _slices(match, _second_looks(match, moments, found, closely, doubts)):
        for one in (yield slice_):
            # Accuracy goes by first looks, which all choices have: `lost` and `usually` stay.
            found[one.ply] = dataclasses.replace(found[one.ply], loss=one.loss, better=one.better)
    return _told(match, moments, found, matters, owned)


def _moments(match: Match) -> Iterator[_Moment]:
    for ply, (seat, _) in enumerate(match.history(None)):
        state, action = match.choice_at(ply)
        options = next(len(decision.options) for decision in state.decisions() if decision.seat == seat)
        yield _Moment(ply, state, seat, action, options)


# --- what is looked at ---


def first_looks(match: Match) -> list[Look]:
    """The looks at all positions of a match in which something could have gone another way."""
    return _first_looks(match, list(_moments(match)), SECONDS)


def _first_looks(match: Match, moments: Sequence[_Moment], seconds: float) -> list[Look]:
    """Every position in which something could have gone another way."""
    open_ = [moment for moment in moments if not moment.forced]
    steps = _steps(match, min(LONGEST, seconds / max(1, len(open_))) / 3)  # a choice takes three times a position
    mates = _mates(match)
    return [
        Look(one.ply, one.state, one.seat, one.action if one.chosen else None, steps, mates=mates[one.seat])
        for one in open_
    ]


def _second_looks(
    match: Match, moments: Sequence[_Moment], found: dict[int, Looked], seconds: float, most: int
) -> list[Look]:
    """The choices that seem to have cost most."""
    doubtful = sorted((one for one in found.values() if one.loss > SMALL), key=lambda one: one.loss, reverse=True)
    # One for the position, two for ranking, two for both options played on: see `_looked`.
    steps = _steps(match, seconds / 5)
    again = [moments[one.ply] for one in doubtful[:most]]
    mates = _mates(match)
    return [Look(one.ply, one.state, one.seat, one.action, steps, closely=True, mates=mates[one.seat]) for one in again]


def _mates(match: Match) -> list[int]:
    """For each seat how many seats win together with it; itself is one of them."""
    companies = match.spec.companies(match.setup)
    return [companies.count(company) for company in companies]


def _steps(match: Match, seconds: float) -> int:
    return max(1, int(seconds * 1e6 / match.spec.step_cost(match.setup.seats)))


def _slices(match: Match, looks: Sequence[Look]) -> Iterator[tuple[Look, ...]]:
    """The looks in pieces that take about as long as they may."""
    # Five as above: no look takes longer, and the first ones take less.
    size = max(1, int(_steps(match, SLICE) / (5 * looks[0].steps))) if looks else 1
    return (tuple(looks[n : n + size]) for n in range(0, len(looks), size))


# --- what the story says ---


def _told(
    match: Match, moments: Sequence[_Moment], found: dict[int, Looked], matters: float, owned: OwnedPlies
) -> Story:
    mates = _mates(match)
    course = _course(match, len(moments), found, mates)
    plays = tuple(_play(moments, found, Seat(seat), matters) for seat in range(match.setup.seats))
    owned_moments = [[one for one in moments if one.ply in plies] for plies in owned]
    own_plays = tuple(_play(own, found, Seat(seat), matters) for seat, own in enumerate(owned_moments))
    losses = [
        Turning(ply, moments[ply].seat, round(one.loss, 4), format_action(one.better))
        for ply, one in found.items()
        if one.better is not None
    ]
    return Story(course, _turnings(moments, losses), plays, _luckiest(moments, course), own_plays)


def _course(match: Match, plies: int, found: dict[int, Looked], mates: Sequence[int]) -> tuple[Shares, ...]:
    """Where nothing could go another way, it is worth what follows."""
    assert match.outcome is not None
    course = [match.outcome.returns]
    for ply in reversed(range(plies)):
        course.append(found[ply].shares if ply in found else course[-1])
    chances = (tuple(round(share * n, 4) for share, n in zip(shares, mates, strict=True)) for shares in course)
    return tuple(chances)[::-1]


def _play(moments: Sequence[_Moment], found: dict[int, Looked], seat: Seat, matters: float) -> Play:
    looks = [found[one.ply] for one in moments if one.seat == seat and one.chosen]
    mattered = [look for look in looks if look.usually >= matters]
    lost, usually = sum(look.lost for look in mattered), sum(look.usually for look in mattered)
    return Play(len(mattered), sum(look.lost == 0 for look in mattered), round(lost, 4), round(usually, 4))


def _turnings(moments: Sequence[_Moment], losses: Sequence[Turning]) -> tuple[Turning, ...]:
    """Those that have cost most, of each turn only one."""
    kept: dict[int, Turning] = {}
    for one in sorted(losses, key=lambda one: one.loss, reverse=True):
        # A turn is everything since somebody else has acted; luck is nobody else.
        others = (n for n in reversed(range(one.ply)) if moments[n].seat not in (CHANCE, one.seat))
        # The worst come first, so each turn keeps its worst choice.
        if len(kept) < TURNS and one.loss >= NOTABLE:
            kept.setdefault(next(others, -1), one)
    return tuple(sorted(kept.values(), key=lambda one: one.ply))


def _luckiest(moments: Sequence[_Moment], course: Sequence[Shares]) -> Lucky | None:
    """The draw that has brought somebody most, once somebody had acted."""
    begun = next((one.ply for one in moments if one.seat != CHANCE), len(moments))
    draws = [one.ply for one in moments[begun:] if one.seat == CHANCE and not one.forced]
    gains = [
        Lucky(ply, Seat(seat), round(after - before, 4))
        for ply in draws
        for seat, (before, after) in enumerate(zip(course[ply], course[ply + 1], strict=True))
    ]
    best = max(gains, key=lambda one: one.gain, default=None)
    return best if best is not None and best.gain >= NOTABLE else None
