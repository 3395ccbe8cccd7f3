"""What every computer player promises in every game: it knows its seat's view, and always has an answer."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass, replace
from functools import cache
from random import Random

import pytest

from engine.core import GameSpec
from engine.match import Match
from engine.players import Choose
from engine.players import discover as discover_players
from engine.players.search import Effort, ranked
from engine.players.search.thinker import Thinker
from engine.players.search.tree import WIDEST, Tree
from engine.texts import Seat
from tests.engine.playouts import SPECS

HURRY = 0.002
"""Seconds of thought in these tests; that is some forty steps."""
HANDED = 20_000
"""Bytes that a view may take on its way to another process."""


@dataclass(frozen=True, eq=False)
class Table:
    """A game with a number of seats, and the same luck in every run."""

    spec: GameSpec
    seats: int

    @property
    def name(self) -> str:
        return f"{self.spec.slug}-{self.seats}"

    def begun(self) -> Match:
        return Match.begin(self.spec, self.spec.setup(self.seats), self.name)


TABLES = [Table(spec, seats) for spec in SPECS for seats in spec.seats]
SMALL = [table for table in TABLES if table.spec.slug in ("lay", "sealed", "toll")]

at_all_tables = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
at_small_tables = pytest.mark.parametrize("table", SMALL, ids=lambda table: table.name)
every_player = pytest.mark.parametrize("name", discover_players())


def hurried(name: str) -> Choose:
    """The player; one that takes its time thinks as it always does, but not as long."""
    choose = discover_players()[name].choose
    return replace(choose, seconds=HURRY, worlds=3) if isinstance(choose, Thinker) else choose


def due(match: Match) -> Seat:
    """Who is asked, the last one where several are: what the others choose is not his to see."""
    return match.state.decisions()[-1].seat


@cache
def under_way(table: Table) -> Match:
    """A position with something to choose, after some random moves."""
    match, rng = table.begun(), Random(f"way of {table.name}")
    for _ in range(rng.randint(3, 24)):
        before = match.copy()
        decision = match.decision_of(due(match))
        match.play(decision.seat, rng.choice(decision.options))
        if match.outcome is not None:
            return before
    return match


@every_player
@at_all_tables
def test_a_choice_is_legal_and_the_same_with_the_same_seed(table: Table, name: str) -> None:
    match, choose = under_way(table), hurried(name)
    view = match.view(due(match))
    chosen = [choose(view, Random(name)) for _ in range(2)]
    assert chosen[0] == chosen[1]
    match.copy().play(due(match), chosen[0])


@every_player
@pytest.mark.parametrize("spec", [spec for spec in SPECS if spec.hands], ids=lambda spec: spec.slug)
def test_what_is_hidden_changes_no_choice(spec: GameSpec, name: str) -> None:
    match, choose = under_way(Table(spec, spec.seats[-1])), hurried(name)
    seat = due(match)
    other = copy.copy(match)
    worlds = (match.state.determinize(seat, Random(number)) for number in range(40))
    other.state = next(world for world in worlds if world != match.state)
    assert choose(match.view(seat), Random(1)) == choose(other.view(seat), Random(1))


@every_player
@at_small_tables
def test_whole_games_are_played_by_the_rules(table: Table, name: str) -> None:
    match, choose, rng = table.begun(), hurried(name), Random(name)
    while match.outcome is None:
        seat = due(match)
        match.play(seat, choose(match.view(seat), rng))


@at_all_tables
def test_a_view_is_handed_to_another_process_whole_and_at_little_cost(table: Table) -> None:
    match = under_way(table)
    view = match.view(due(match))
    packed = pickle.dumps(view, pickle.HIGHEST_PROTOCOL)
    assert view == pickle.loads(packed)
    assert len(packed) <= HANDED


# --- Thinking --------------------------------------------------------------------------------------------------------


@at_all_tables
def test_thinking_keeps_to_its_steps(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """All but the last walk, which may look at one place more in every world."""
    match, effort = under_way(table), Effort(60, worlds=2)
    taken: list[Tree] = []
    start = Tree.__init__
    monkeypatch.setattr(Tree, "__init__", lambda tree, *given: (taken.append(tree), start(tree, *given))[1])
    options = len(match.decision_of(due(match)).options)
    ranked(match.view(due(match)), Random(1), effort)
    (tree,) = taken
    assert tree.steps <= max(effort.steps, 2 * (options + 1)) + WIDEST + 1
