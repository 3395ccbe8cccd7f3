"""Random playouts of a game with every option, on which the contract is checked."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, wraps
from random import Random

from engine.core import Action, Decision, Event, GameSpec, OptionValue, Setup, State
from engine.errors import SetupError
from engine.match import Match
from engine.notation import parse_action
from engine.texts import CHANCE, Seat, option_text

HEAVY, LIGHT = 2000, 400
"""Minimum number of options that the playouts of a case offer: with the defaults, and with one option changed."""
MAX_PLIES = 5000
"""Maximum length of a playout."""


@dataclass(frozen=True, eq=False)
class Case:
    """A game with a number of seats and one set of options."""

    name: str
    spec: GameSpec
    setup: Setup
    weight: int
    """Minimum number of options that its playouts offer: short games are played more often."""

    @property
    def viewers(self) -> tuple[Seat | None, ...]:
        return (None, *map(Seat, range(self.setup.seats)))


@dataclass(frozen=True)
class Step:
    """An entry of the log with the positions before and after it."""

    ply: int
    before: State
    seat: Seat
    action: Action
    after: State
    events: tuple[Event, ...]

    @cached_property
    def decisions(self) -> tuple[Decision, ...]:
        return self.before.decisions()

    @property
    def is_automatic(self) -> bool:
        """Whether the decision of the seat was automatic."""
        return next(decision for decision in self.decisions if decision.seat == self.seat).automatic


@dataclass(frozen=True)
class Playout:
    """A match played to its end, the state after each call of `play`, and its log folded step by step."""

    case: Case
    seed: str
    match: Match
    live: dict[int, State]
    steps: tuple[Step, ...]
    options: int

    def at(self, ply: int) -> Match:
        """The match at a ply. The contract compares some of them with a replayed log, which takes far longer."""
        return self.match.until(ply)

    def some(self, number: int) -> list[Step]:
        """A few steps in which a seat acts, spread over the playout."""
        steps = [step for step in self.steps if step.seat != CHANCE]
        return Random(self.seed).sample(steps, min(number, len(steps)))


Promise = Callable[[Case], None]


_CASES: dict[int, tuple[Case, ...]] = {}
"""Cases by the id of their game, which they keep alive; a `GameSpec` has no hash."""


def cases_of(spec: GameSpec) -> tuple[Case, ...]:
    """A game with every number of seats and its defaults, and with one option changed with two of them."""
    return _CASES.get(id(spec)) or _CASES.setdefault(id(spec), tuple(_cases(spec)))


def _cases(spec: GameSpec) -> Iterator[Case]:
    for seats in spec.seats:
        yield Case(f"{spec.slug}-{seats}", spec, spec.setup(seats), HEAVY)
    for number, (name, value) in enumerate(_other_values(spec)):
        allowed = [(seats, setup) for seats in spec.seats if (setup := _setup(spec, seats, {name: value}))]
        for seats, setup in dict.fromkeys((allowed[number % len(allowed)], allowed[-1])):
            yield Case(f"{spec.slug}-{seats}-{name}={option_text(value)}", spec, setup, LIGHT)


def _other_values(spec: GameSpec) -> Iterator[tuple[str, OptionValue]]:
    for option in dataclasses.fields(spec.options):
        yield from ((option.name, choice) for choice in option.metadata["choices"] if choice != option.default)


def _setup(spec: GameSpec, seats: int, chosen: dict[str, OptionValue]) -> Setup | None:
    try:
        return spec.setup(seats, chosen)
    except SetupError:
        return None


@cache
def playouts(case: Case) -> tuple[Playout, ...]:
    """One to twelve playouts, until they have offered `weight` options."""
    played: list[Playout] = []
    while not played or (len(played) < 12 and sum(playout.options for playout in played) < case.weight):
        played.append(play_out(case, f"{case.name} {len(played)}"))
    return tuple(played)


def play_out(case: Case, seed: str) -> Playout:
    rng = Random(f"hands of {seed}")
    match = Match.begin(case.spec, case.setup, seed)
    live = {match.ply: match.state}
    options = 0
    while decisions := match.state.decisions():
        assert match.ply < MAX_PLIES, f"{seed}: no end after {MAX_PLIES} plies"
        decision = rng.choice(decisions)
        options += len(decision.options)
        match.play(decision.seat, rng.choice(decision.options))
        live[match.ply] = match.state
    return Playout(case, seed, match, live, tuple(_fold(match)), options)


def _fold(match: Match) -> Iterator[Step]:
    state = match.spec.start(match.setup)
    for ply, entry in enumerate(match.entries):
        verbs = match.spec.chances if entry.seat == CHANCE else match.spec.actions
        action = parse_action(entry.notation, verbs)
        after, events = state.apply(entry.seat, action)
        yield Step(ply, state, entry.seat, action, after, events)
        state = after


def in_every_case(promise: Promise) -> Callable[[GameSpec], None]:
    """A test of a game that checks a promise in all its cases; a failure names the case."""

    @wraps(promise)
    def test(spec: GameSpec) -> None:
        for case in cases_of(spec):
            try:
                promise(case)
            # failures of pytest are no `Exception`; all are raised again with the case
            except BaseException as error:
                error.add_note(f"in {case.name}")
                raise

    # pytest reads the parameters of the wrapped function otherwise
    del test.__wrapped__
    return test


def steps_of(spec: GameSpec) -> Iterator[Step]:
    """All steps of the playouts of a game, with every number of seats and every option."""
    return (step for case in cases_of(spec) for step in every_step(case))


def every_step(case: Case) -> Iterator[Step]:
    return itertools.chain.from_iterable(playout.steps for playout in playouts(case))


def some_steps(case: Case, number: int) -> Iterator[tuple[Playout, Step]]:
    """About `number` steps of seats, from all playouts of the case; fewer for a case with a changed option."""
    played = playouts(case)
    each = -(-number * case.weight // (HEAVY * len(played)))
    for playout in played:
        yield from ((playout, step) for step in playout.some(each))


def setups_near_the_default(spec: GameSpec) -> list[Setup]:
    """Every number of seats with one option at a time at every value."""
    fields = dataclasses.fields(spec.options)
    option_sets: list[dict[str, OptionValue]] = [
        {},
        *({f.name: value} for f in fields for value in f.metadata["choices"]),
    ]
    return [Setup(seats, spec.options(**options)) for seats in spec.seats for options in option_sets]
