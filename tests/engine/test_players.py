"""Promises of every computer player in every game: it knows its seat's view, and always has an answer."""

from __future__ import annotations

import copy
import gc
import pickle
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from statistics import mean

import pytest

from engine.core import GameSpec, State
from engine.evaluation import Evaluation, Shares
from engine.games import discover
from engine.match import Match
from engine.players import Choose
from engine.players import discover as discover_players
from engine.players.easy import choose as easy
from engine.players.easy import own_points, rival_lead, slip
from engine.players.search import (
    Effort,
    Ranked,
    evaluate_view,
    evaluation_of,
    rank_in_worlds,
    rank_options,
    within_loss,
)
from engine.players.search.thinker import Thinker
from engine.players.search.tree import GOLDEN, MAX_WIDTH, Tree, spread
from engine.texts import Seat
from tests.engine.playouts import SPECS
from tests.engine.toys import TOYS, toll
from tests.engine.toys.toll import Levy, Road
from tests.sampling import every

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


TABLES = [Table(spec, seats) for spec in SPECS for seats in (spec.seats[0], spec.seats[-1])]
SMALL = [table for table in TABLES if table.spec.slug in ("lay", "sealed", "toll")]

at_all_tables = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
at_small_tables = pytest.mark.parametrize("table", SMALL, ids=lambda table: table.name)
by_features = pytest.mark.parametrize(
    "spec", [s for s in discover().values() if isinstance(s.evaluate, Evaluation)], ids=lambda spec: spec.slug
)
every_player = pytest.mark.parametrize("name", discover_players())


def quick_player(name: str) -> Choose:
    """A player that thinks as always, but not as long."""
    choose = discover_players()[name].choose
    return replace(choose, seconds=HURRY, worlds=3) if isinstance(choose, Thinker) else choose


def due_seat(match: Match) -> Seat:
    """The seat to act, the last one where several are: what the others choose is not theirs to see."""
    return match.state.decisions()[-1].seat


@cache
def under_way(table: Table) -> Match:
    """A position with something to choose, after some random moves."""
    match, rng = table.begun(), Random(f"way of {table.name}")
    for _ in range(rng.randint(3, 24)):
        before = match.copy()
        decision = match.decision_of(due_seat(match))
        match.play(decision.seat, rng.choice(decision.options))
        if match.outcome is not None:
            return before
    return match


@every_player
@at_all_tables
def test_a_choice_is_legal_and_the_same_with_the_same_seed(table: Table, name: str) -> None:
    match, choose = under_way(table), quick_player(name)
    view = match.view(due_seat(match))
    actions = [choose(view, Random(name)) for _ in range(2)]
    assert actions[0] == actions[1]
    match.copy().play(due_seat(match), actions[0])


@every_player
@pytest.mark.parametrize("spec", [spec for spec in SPECS if spec.hands], ids=lambda spec: spec.slug)
def test_hidden_information_does_not_influence_a_choice(spec: GameSpec, name: str) -> None:
    match, choose = under_way(Table(spec, spec.seats[-1])), quick_player(name)
    seat = due_seat(match)
    other = copy.copy(match)
    worlds = (match.state.determinize(seat, Random(number)) for number in range(40))
    other.state = next(world for world in worlds if world != match.state)
    assert choose(match.view(seat), Random(1)) == choose(other.view(seat), Random(1))


@every_player
@at_small_tables
def test_whole_games_are_played_by_the_rules(table: Table, name: str) -> None:
    match, choose, rng = table.begun(), quick_player(name), Random(name)
    while match.outcome is None:
        seat = due_seat(match)
        match.play(seat, choose(match.view(seat), rng))


@at_all_tables
def test_a_view_is_transferred_to_another_process_completely_and_cheaply(table: Table) -> None:
    match = under_way(table)
    view = match.view(due_seat(match))
    packed = pickle.dumps(view, pickle.HIGHEST_PROTOCOL)
    assert view == pickle.loads(packed)
    assert len(packed) <= HANDED


# --- Thinking --------------------------------------------------------------------------------------------------------


@at_all_tables
def test_a_search_stays_within_its_steps(table: Table) -> None:
    """All but the last walk, which may look at one place more in every world. A position valued is a step."""
    match, effort, rng = under_way(table), Effort(60, worlds=2), Random(1)
    view, valued = match.view(due_seat(match)), list[State]()
    value = evaluation_of(view, rng)
    rank_options(view, rng, effort, lambda state: (valued.append(state), value(state))[1])
    options = len(match.decision_of(due_seat(match)).options)
    assert 0 < len(valued) <= max(effort.steps, 2 * (options + 1)) + MAX_WIDTH + 1


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.slug)
def test_a_search_makes_no_garbage_that_only_the_collector_can_free(spec: GameSpec) -> None:
    match = under_way(Table(spec, spec.seats[0]))
    gc.freeze()  # older objects do not count
    rank_options(match.view(due_seat(match)), Random(1), Effort(30, worlds=2))
    unreachable = gc.collect()
    gc.unfreeze()
    assert 0 == unreachable


def test_the_garbage_collector_pauses_until_a_search_ends_or_fails() -> None:
    during: list[bool] = []

    def value(state: State) -> Shares:
        during.append(gc.isenabled())
        if len(during) == 8:
            raise ArithmeticError
        return even_chances(state)

    gc.enable()
    with pytest.raises(ArithmeticError):
        rank_in_worlds([at_the_gate((1, 5), (2, 1))], Seat(0), Random(1), Effort(400), value)
    assert ({False}, True) == ({*during}, gc.isenabled())


def at_the_gate(places: tuple[int, int], coins: tuple[int, int]) -> Road:
    """A position in which Red decides whether Blue, standing at a gate, has to pay."""
    return Road((toll.Turn(Seat(0)), toll.Gate(Seat(1))), places, coins, road=8, fast=False)


def even_chances(_: State) -> Shares:
    return (0.5, 0.5)


def test_a_search_finds_the_winning_end() -> None:
    """Taking the last coin ends the game, so Red should only do that if it is ahead."""
    for places, wins in (((6, 5), True), ((1, 5), False)):
        best = rank_in_worlds([at_the_gate(places, (2, 1))], Seat(0), Random(1), Effort(400), even_chances)[0]
        assert Levy(wins) == best.option
    assert 0 < best.chance < 0.5


def test_a_search_stops_when_the_choice_is_clear() -> None:
    """Nearly all visits go to an immediate win; more steps would change nothing."""
    best, other = rank_in_worlds([at_the_gate((6, 5), (2, 1))], Seat(0), Random(1), Effort(100_000), even_chances)
    assert (1.0, Levy(True)) == (best.chance, best.option)
    assert best.visits + other.visits < 50_000


def test_a_hidden_choice_does_not_split_the_nodes_of_others() -> None:
    """Both bid at once: for Blue, all bids of Red lead to the same node."""
    spec = TOYS["sealed"]
    tree = Tree(even_chances, Random(1))
    root = tree.new_place(Match.begin(spec, spec.setup(2, {"rounds": 1}), "bids").state)
    tree.expand(root, Seat(0))
    for _ in range(60):
        tree.visit(root)
    assert [Seat(0), Seat(1)] == [seat for seat, _ in tree.nodes]


def test_outcomes_are_drawn_by_weight_from_any_start() -> None:
    """Camels walk one, two or three steps with weights 3, 2 and 1."""
    (walk,) = Road((toll.Turn(Seat(1)), toll.Walking(Seat(0))), (0, 0), (2, 2), road=8, fast=False).decisions()
    draws = Counter(spread(walk, n * GOLDEN) for n in range(600))
    assert [pytest.approx(draws[n], abs=2) for n in range(3)] == [300, 200, 100]
    starts = Counter(spread(walk, n / 12) for n in range(12))
    assert {0: 6, 1: 4, 2: 2} == starts


def test_luck_on_the_path_does_not_favor_an_option() -> None:
    """Red walks one to three steps, and then Blue: the estimate does not depend on Red's draw."""
    tree = Tree(by_places, Random(1))
    root = tree.new_place(Road((toll.Turn(Seat(1)), toll.Walking(Seat(0))), (0, 0), (2, 2), road=8, fast=False))
    mean, walks = 0.5 + 10 / 6 / 32, [tree.visit(root)[0] for _ in range(9)]
    assert all(pytest.approx(mean) == walk or pytest.approx(0.5) == walk for walk in walks)


def test_a_search_walk_continues_past_luck() -> None:
    """Red's draw comes first; the visit goes on to the decision after it."""
    tree = Tree(by_places, Random(1))
    tree.visit(tree.new_place(Road((toll.Turn(Seat(1)), toll.Walking(Seat(0))), (0, 0), (2, 2), road=8, fast=False)))
    assert 1 == len(tree.nodes)


def test_an_option_that_leads_to_a_draw_is_ranked_by_its_outcomes() -> None:
    """Traveling means one to three steps, which an estimate before the draw does not include."""
    tree = Tree(by_places, Random(1))
    root = tree.new_place(Road((toll.Turn(Seat(0)),), (0, 0), (2, 2), road=8, fast=False))
    tree.expand(root, Seat(0))
    assert root.node is not None
    assert max(root.node.priors) == pytest.approx(0.5 + 10 / 6 / 32)


def by_places(state: State) -> Shares:
    assert isinstance(state, Road)
    share = 0.5 + (state.places[0] - state.places[1]) / 32
    return (share, 1 - share)


def test_exploring_a_bad_option_does_not_lower_the_value_of_a_position() -> None:
    """A visit by an option that is not the most visited one tells of that one."""
    tree = Tree(by_places, Random(1))
    root = tree.new_place(at_the_gate((6, 5), (2, 1)))
    tree.expand(root, Seat(0))
    assert root.node is not None
    root.node.update(0, (0.8, 0.2), root.children[0].value)
    root.node.update(0, (0.8, 0.2), root.children[0].value)
    root.node.update(1, (0.1, 0.9), root.children[1].value)
    best = root.node.chance(0)
    assert (0.8, 0.2) == root.node.backup(0, (0.8, 0.2))
    assert pytest.approx((best, 1 - best)) == root.node.backup(1, (0.1, 0.9))


def test_a_position_is_worth_more_to_the_seat_it_favors_and_a_result_equals_its_returns() -> None:
    spec = TOYS["toll"]
    match = Match.begin(spec, spec.setup(2), "worth")
    match.state = at_the_gate((6, 5), (2, 1))
    shares = evaluate_view(match.view(None), Random(1), Effort(400))
    assert 1 == pytest.approx(sum(shares))
    assert shares[0] > 0.9
    match.state = match.state.apply(Seat(0), Levy(True))[0]
    assert (1.0, 0.0) == evaluate_view(match.view(None), Random(1), Effort(400))


def test_a_slip_takes_a_random_option_that_is_nearly_as_good() -> None:
    slipping, match = Thinker(HURRY, worlds=3, slips=1), under_way(Table(discover()["muses"], 2))
    view = match.view(due_seat(match))
    exact, searched = (
        {player(view, Random(seed)) for seed in range(40)} for player in (replace(slipping, slips=0), slipping)
    )
    assert len(exact) < len(searched)
    spec = TOYS["toll"]
    match = Match.begin(spec, spec.setup(2), "slips")
    match.state = at_the_gate((5, 7), (2, 1))
    assert {Levy(True)} == {slipping(match.view(Seat(0)), Random(seed)) for seed in range(40)}


def test_the_easy_player_never_gives_the_game_away() -> None:
    options = tuple(Ranked(Levy(True), chance, 0) for chance in (0.6, 0.5, 0.4, 0.38, 0.1))
    assert (0.6, 0.5) == tuple(option.chance for option in within_loss(options, 0.25))
    assert within_loss(options[4:], 0.25) == options[4:]


@by_features
def test_the_easy_player_slips_more_often_if_a_rival_is_ahead(spec: GameSpec) -> None:
    match, rng, seen = Match.begin(spec, spec.setup(spec.seats[-1]), "heart"), Random(3), 0
    while match.outcome is None:
        assert isinstance(spec.evaluate, Evaluation)
        for seat in map(Seat, range(match.setup.seats)) if match.ply % every(3) == 0 else ():
            shares = spec.evaluate.by_points(match.state.determinize(seat, Random(1)))
            first = rival_lead(match.view(seat), Random(1))
            assert (first == 0) == (shares[seat] == max(shares))
            seen += first > 0.01
        decision = match.state.decisions()[0]
        match.play(decision.seat, match.state.sample(rng) if decision.seat < 0 else rng.choice(decision.options))
    assert seen, "somebody has been ahead"


def test_the_easy_player_chooses_carefully_unless_a_rival_is_ahead() -> None:
    spec, rng, care = discover()["muscat"], Random(4), {True: list[float](), False: list[float]()}
    match = Match.begin(spec, spec.setup(3), "care")
    while match.outcome is None:
        decision = match.state.decisions()[0]
        if decision.seat >= 0 and len(decision.options) == 3:
            view = match.view(decision.seat)
            counts = Counter(easy(view, Random(seed)) for seed in range(30))
            care[rival_lead(view, rng) > 0.05].append(max(counts.values()) / 30)
        match.play(decision.seat, match.state.sample(rng) if decision.seat < 0 else rng.choice(decision.options))
    assert mean(care[True]) < 0.53 < mean(care[False])


def test_every_other_slip_of_the_easy_player_is_the_better_of_two_options() -> None:
    """The better of three options is thus taken in 4 of 9 slips, and the worst one in 2 of 9."""
    match = under_way(Table(discover()["gangs"], 3))
    view = match.view(due_seat(match))
    best, *_, worst = options = rank_options(view, Random(1), Effort(0))[:3]
    slips = Counter(slip(view, Random(seed), options) for seed in range(600))
    assert slips[best.option] / 600 == pytest.approx(4 / 9, abs=0.05)
    assert slips[worst.option] / 600 == pytest.approx(2 / 9, abs=0.05)


@by_features
def test_the_easy_player_counts_only_its_own_points(spec: GameSpec) -> None:
    """Its share grows with its own points and does not depend on those of rivals."""
    match, seat = Match.begin(spec, spec.setup(spec.seats[0]), "own points"), Seat(0)
    value = own_points(match.view(seat), Random(1))
    evaluate, seen = spec.evaluate, list[tuple[float, float]]()
    assert isinstance(evaluate, Evaluation)
    rng = Random(2)
    while match.outcome is None:
        seen.append((evaluate.by_points.logits(match.state)[seat], value(match.state)[seat]))
        decision = match.state.decisions()[0]
        match.play(decision.seat, match.state.sample(rng) if decision.seat < 0 else rng.choice(decision.options))
    assert sorted(share for _, share in seen) == pytest.approx([share for _, share in sorted(seen)])
    assert 1 < len({share for _, share in seen}), "points go up, or down"


def test_users_are_offered_three_characters_ordered_by_strength() -> None:
    offered = sorted((player.level, name) for name, player in discover_players().items() if player.for_people)
    assert [(1, "easy"), (2, "fair"), (3, "strong")] == offered


@pytest.mark.parametrize("spec", [s for s in discover().values() if s.computers], ids=lambda spec: spec.slug)
def test_a_game_that_names_characters_names_all_that_users_meet_in_it(
    spec: GameSpec,
) -> None:
    assert {name for name, player in discover_players().items() if player.for_people} == spec.computers.keys()
    names = [name for kind in spec.computers.values() for name in kind]
    assert len(set(names)) == len(names)
    assert all(1 <= len(name) <= 32 for name in names)
    assert all(len(kind) >= spec.seats[-1] for kind in spec.computers.values()), "one for every seat"
