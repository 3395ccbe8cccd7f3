"""Hints: the best options of a seat with its chances of winning, and why. They know no more than the seat does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import sub
from random import Random
from typing import NamedTuple

from engine.calibration import calibrated_alone, trust
from engine.core import Action, State, View
from engine.evaluation import Evaluation
from engine.games import discover
from engine.players.greedy import worlds_of
from engine.players.search import Effort, Ranked, evaluation_of, ranked
from engine.players.search.thinker import Thinker
from engine.texts import Seat, Text

MOST = 3
"""Options that are hinted at."""

THINKER = Thinker(seconds=1.5, worlds=24)
"""Thinks three times as long as the best computer player, and less where the best option is clear."""

COMPARED = 24
"""Options that one is compared with, to tell what is special about it."""

WORLDS = 6
"""Worlds in which that is done."""

NOTABLE = 0.02
"""What a term must change, in odds, to be worth telling; so much is half a point of a hundred."""

ROUNDED = 5
"""Chances are rounded to steps of so many percent, which is about how far they can be trusted."""

APART = 0.01
"""An option whose chance is no better than the mean by this much is as good as any."""

BESIDE = 0.5
"""A second term is mentioned if it changes at least this part of what the first one does."""


@dataclass(frozen=True, slots=True)
class Hint:
    """An option, the chance of winning it promises to the seat and its company, 0 to 1, and why, if that can be said.

    The chance is calibrated, but still only an estimate: `told` rounds it accordingly.
    """

    option: Action
    chance: float
    why: Text | None

    @property
    def told(self) -> Text:
        """`about 60 %`; a guess is never sure."""
        near = ROUNDED * round(100 * self.chance / ROUNDED)
        if not 0 < near < 100:
            return Text("over {most}%", most=100 - ROUNDED) if near else Text("under {least}%", least=ROUNDED)
        return Text("about {near}%", near=near)


def hints(view: View[State], seed: str, effort: Effort | None = None) -> tuple[Hint, ...]:
    """The three best options of the viewer, who must be due, the best one first; the same seed says the same."""
    assert view.viewer is not None, "only a seat can choose"
    spec, rng = discover().get(view.game), Random(seed)
    found = ranked(view, rng, effort or THINKER.effort(view))
    companies = spec.companies(view.setup) if spec else tuple(range(view.setup.seats))
    reasons = _Reasons(view, rng, companies, found)
    mates, least, told = companies.count(companies[view.viewer]), 1.0, []
    believed = trust(view.game, view.setup.seats, reasons.world)
    for one in found[:MOST]:  # their order is that of the search; one looked into less may seem a little better
        least = min(least, calibrated_alone(one.chance * mates, view.setup.seats // mates, believed))
        told.append(Hint(one.option, least, reasons.why(one)))
    return tuple(told)


class _Term(NamedTuple):
    """A feature of a seat that an option changes: in words, and its effect on the odds of the hinted seat."""

    seat: Seat
    said: Text
    gain: float


class _Reasons:
    """Knows what all options come to in some worlds, so that it can tell what is special about one."""

    def __init__(self, view: View[State], rng: Random, companies: Sequence[int], found: Sequence[Ranked]) -> None:
        assert view.viewer is not None
        self._seat, self._companies = view.viewer, companies
        self._worlds = worlds_of(view.state, view.viewer, rng, WORLDS)
        self.world = self._worlds[0]
        """A full position that may be."""
        evaluate = evaluation_of(view, rng)
        self._evaluation = evaluate if isinstance(evaluate, Evaluation) else None
        options, chances = [one.option for one in found], [one.chance for one in found]
        self._average = sum(chances) / len(chances)
        self._even = len(found) > 1 and max(chances) < self._average + APART
        compared = rng.sample(options, COMPARED) if len(options) > COMPARED else options
        self._usual = _mean([row for option in compared if (row := self._rows(option))])

    def why(self, one: Ranked) -> Text | None:
        """Why an option is good; its gloss says what it means by itself."""
        after = [world.apply(self._seat, one.option)[0] for world in self._worlds]
        # Cheap test first: only a position without frames is over.
        outcomes = [None if state.frames else state.outcome() for state in after]
        if all(outcome is not None and self._seat in outcome.winners for outcome in outcomes):
            return Text("It wins the game.")
        if compared := self._compared(one.option):
            return compared
        # It is good, though nothing of it shows at once.
        if one.chance >= self._average + APART:
            return Text("It pays off a few moves later.")
        return Text("The moves are about equally good.") if self._even else None

    def _compared(self, option: Action) -> Text | None:
        """What it leaves seats with, compared with other moves."""
        terms = sorted(self._terms(option), key=lambda term: term.gain, reverse=True)[:2]
        if not terms or terms[0].gain < NOTABLE:
            return None
        (seat, first), (other, second) = ((term.seat, term.said) for term in (terms[0], terms[-1]))
        if terms[-1].gain < max(NOTABLE, BESIDE * terms[0].gain):
            return Text("Compared with other moves, it leaves {seat} with {first}.", seat=seat, first=first)
        if seat == other:
            both = "Compared with other moves, it leaves {seat} with {first}, and with {second}."
            return Text(both, seat=seat, first=first, second=second)
        each = "Compared with other moves, it leaves {seat} with {first}, and {other} with {second}."
        return Text(each, seat=seat, first=first, other=other, second=second)

    def _terms(self, option: Action) -> Iterator[_Term]:
        """What an option changes, for one seat of each company."""
        rows = self._rows(option)
        if self._evaluation is None or not rows or not self._usual:
            return
        own, seats = self._companies[self._seat], len(self._companies)
        whole, shares = self._evaluation.scale(self.world), self._evaluation(self.world)
        # `unscaled` multiplies features by the scale, so their weights are divided by it.
        weights = [weight / whole for weight in self._evaluation.weights_at(self.world, seats)]
        for company in dict.fromkeys((own, *self._companies)):
            seat = self._seat if company == own else Seat(self._companies.index(company))
            for name, change, weight in zip(
                self._evaluation.names, map(sub, rows[seat], self._usual[seat]), weights, strict=True
            ):
                if name in self._evaluation.said:
                    more, less = self._evaluation.said[name]
                    # How the log of the own share changes with a worth (softmax): 1 - share for its own, -share for a
                    # rival's.
                    part = 1 - shares[seat] if company == own else -shares[seat]
                    yield _Term(seat, more if change > 0 else less, change * weight * part)

    def _rows(self, option: Action) -> Rows:
        """The features of all seats after an option, in the mean of the worlds; none if the game may be over then."""
        if self._evaluation is None:
            return ()
        after = [world.apply(self._seat, option)[0] for world in self._worlds]
        return _mean([self._evaluation.unscaled(state) for state in after]) if all(s.frames for s in after) else ()


Rows = Sequence[Sequence[float]]
"""Seat -> its features."""


def _mean(several: Sequence[Rows]) -> Rows:
    """Of each feature of each seat."""
    return [[sum(values) / len(several) for values in zip(*rows, strict=True)] for rows in zip(*several, strict=True)]
