"""Hints: the best options of a seat, its chances of winning, and reasons. They use only the seat's own knowledge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from operator import sub
from random import Random
from typing import NamedTuple

from engine.calibration import calibrate_one, calibration_for
from engine.core import Action, State, View
from engine.evaluation import Evaluation
from engine.games import discover
from engine.players.greedy import worlds_of
from engine.players.search import Effort, Ranked, evaluation_of, rank_options
from engine.players.search.thinker import Thinker
from engine.texts import Seat, Text
from engine.values import Value

MAX_HINTS = 3

THINKER = Thinker(seconds=1.5, worlds=24)
"""Thinks up to three times as long as the strongest computer player."""

MAX_COMPARED = 24
"""Maximum number of options with which an option is compared, to find out how it differs."""

WORLDS = 6
"""Number of worlds in which options are compared."""

MIN_EFFECT = 0.02
"""Minimum relative change of the seat's share for a term to be mentioned: half a percentage point of 25%."""

ROUNDING = 5
"""Chances are rounded to multiples of this percentage, which is about their accuracy."""

MAX_CANDIDATES = 12
"""Number of options among which hints are chosen."""

DIGITS = 9
"""Number of decimal digits to which equivalent options agree in their features."""

MIN_DIFFERENCE = 0.01
"""An option must be better than the mean by this much; otherwise all options are considered equal."""

SECOND_TERM_RATIO = 0.5
"""A second term is mentioned if it has at least this part of the effect of the first one."""

MAX_REPEATED_WORDS = 3
"""A phrase with more words is not repeated for the opposite: “more points”, but not “more piles that can move”."""


class Hint(Value):
    """An option, the chance of winning of the seat's company after it, 0 to 1, and a reason, if one can be stated.

    The chance is calibrated, but still an estimate: `rounded` is as precise as the estimate.
    """

    option: Action
    chance: float
    why: Text | None

    @property
    def rounded(self) -> Text:
        """The chance as a text: `about 60%`, never 0% or 100%."""
        percent = ROUNDING * round(100 * self.chance / ROUNDING)
        if not 0 < percent < 100:
            return Text("over {most}%", most=100 - ROUNDING) if percent else Text("under {least}%", least=ROUNDING)
        return Text("about {near}%", near=percent)


def hints(view: View[State], seed: str, effort: Effort | None = None) -> tuple[Hint, ...]:
    """The best options of the viewer, who must be due, in order. Deterministic for a seed."""
    assert view.viewer is not None, "only a seat can choose"
    spec, rng = discover().get(view.game), Random(seed)
    options = rank_options(view, rng, effort or THINKER.effort(view))
    companies = spec.companies(view.setup) if spec else tuple(range(view.setup.seats))
    reasons = _Reasons(view, rng, companies, options)
    mates, least, result = companies.count(companies[view.viewer]), 1.0, []
    calibration = calibration_for(view.game, view.setup.seats, reasons.world)
    # `min`, since the search ranks by visits: a later option may have a higher chance.
    for ranked in islice(reasons.distinct_options(options), MAX_HINTS):
        least = min(least, calibrate_one(ranked.chance * mates, view.setup.seats // mates, calibration))
        result.append(Hint(ranked.option, least, reasons.why(ranked)))
    return tuple(result)


class _Term(NamedTuple):
    """The change of a seat's feature by an option: a phrase, and its effect on the log of the hinted seat's share.

    `opposite` is the phrase for the opposite change.
    """

    seat: Seat
    phrase: Text
    opposite: Text
    gain: float


class _Reasons:
    """Compares the features after an option with the mean over all options, in a few worlds."""

    def __init__(self, view: View[State], rng: Random, companies: Sequence[int], candidates: Sequence[Ranked]) -> None:
        assert view.viewer is not None
        self._seat, self._companies = view.viewer, companies
        self._worlds = worlds_of(view.state, view.viewer, rng, WORLDS)
        self.world = self._worlds[0]
        """A full position that is consistent with the seat's knowledge."""
        evaluate = evaluation_of(view, rng)
        self._evaluation = evaluate if isinstance(evaluate, Evaluation) else None
        options, chances = [ranked.option for ranked in candidates], [ranked.chance for ranked in candidates]
        self._average = sum(chances) / len(chances)
        self._even = len(candidates) > 1 and max(chances) < self._average + MIN_DIFFERENCE
        compared = rng.sample(options, MAX_COMPARED) if len(options) > MAX_COMPARED else options
        self._usual = _mean([row for option in compared if (row := self._rows(option))])

    def distinct_options(self, candidates: Sequence[Ranked]) -> Iterator[Ranked]:
        """The best options without those equivalent to a better one, such as squares that mirror each other."""
        hinted = list[tuple[Rows, float]]()
        for ranked in candidates[:MAX_CANDIDATES]:
            rows = _round_rows(self._rows(ranked.option))
            alike = (
                abs(chance - ranked.chance) < MIN_DIFFERENCE for others, chance in hinted if rows and rows == others
            )
            if not any(alike):
                hinted.append((rows, ranked.chance))
                yield ranked

    def why(self, ranked: Ranked) -> Text | None:
        """The reason why an option is good, in addition to its gloss."""
        after = [world.apply(self._seat, ranked.option)[0] for world in self._worlds]
        # `frames` is a cheap test: a position with frames is not over.
        outcomes = [None if state.frames else state.outcome() for state in after]
        if all(outcome is not None and self._seat in outcome.winners for outcome in outcomes):
            return Text("It wins the game.")
        if compared := self._comparison(ranked.option):
            return compared
        # It is good, but its features do not show it yet.
        if ranked.chance >= self._average + MIN_DIFFERENCE:
            return Text("It pays off a few moves later.")
        return Text("The moves are about equally good.") if self._even else None

    def _comparison(self, option: Action) -> Text | None:
        """The one or two main differences from other moves."""
        terms = sorted(self._terms(option), key=lambda term: term.gain, reverse=True)[:2]
        if not terms or terms[0].gain < MIN_EFFECT:
            return None
        (seat, first), (other, second) = ((term.seat, term.phrase) for term in (terms[0], terms[-1]))
        if terms[-1].gain < max(MIN_EFFECT, SECOND_TERM_RATIO * terms[0].gain):
            return Text("Compared with other moves, it leaves {seat} with {first}.", seat=seat, first=first)
        if seat == other:
            both = "Compared with other moves, it leaves {seat} with {first}, and with {second}."
            return Text(both, seat=seat, first=first, second=second)
        if first == second and self._seat not in (seat, other):
            rivals = (seat, other)
            return Text("Compared with other moves, it leaves {rivals} with {first}.", rivals=rivals, first=first)
        if first == terms[-1].opposite and len(first.template.split()) > MAX_REPEATED_WORDS:
            swap = "Compared with other moves, it leaves {seat} with {first}; for {other}, it’s the other way around."
            return Text(swap, seat=seat, first=first, other=other)
        each = "Compared with other moves, it leaves {seat} with {first}, and {other} with {second}."
        return Text(each, seat=seat, first=first, other=other, second=second)

    def _terms(self, option: Action) -> Iterator[_Term]:
        """The changes by an option, for one seat of each company."""
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
                if name in self._evaluation.phrases:
                    more, less = self._evaluation.phrases[name]
                    # The derivative of the log of the seat's share (softmax): 1 - share for its own logit, -share for a
                    # rival's.
                    part = 1 - shares[seat] if company == own else -shares[seat]
                    yield _Term(seat, *((more, less) if change > 0 else (less, more)), change * weight * part)

    def _rows(self, option: Action) -> Rows:
        """The mean features of all seats after an option over the worlds; empty if the game may be over then."""
        if self._evaluation is None:
            return ()
        after = [world.apply(self._seat, option)[0] for world in self._worlds]
        return _mean([self._evaluation.unscaled(state) for state in after]) if all(s.frames for s in after) else ()


Rows = Sequence[Sequence[float]]
"""The features of each seat."""


def _round_rows(rows: Rows) -> Rows:
    return [[round(value, DIGITS) for value in row] for row in rows]


def _mean(several: Sequence[Rows]) -> Rows:
    """The mean of each feature of each seat."""
    return [[sum(values) / len(several) for values in zip(*rows, strict=True)] for rows in zip(*several, strict=True)]
