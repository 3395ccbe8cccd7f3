"""Hints are legal, in order, and say what is so; they are made of a view, and so of what a seat knows."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from engine.calibration import Trust
from engine.core import GameSpec
from engine.evaluation import Evaluation, Weights
from engine.games import discover
from engine.match import Match
from engine.players import discover as discover_players
from engine.players.hints import MAX_HINTS, THINKER, Hint, hints
from engine.players.search import Effort, ranked
from engine.players.search.thinker import Thinker
from engine.texts import Seat, Text
from engine.wording import say
from tests.engine.toys import garden

LITTLE = Effort(60, worlds=3)


def after_some_moves(spec: GameSpec, seats: int, moves: int = 14) -> Match:
    """The first choice after so many moves, or the last one of a game that is over before."""
    match, rng = Match.begin(spec, spec.setup(seats), "hints"), Random("hints")
    chosen = match.copy()
    while (decisions := match.state.decisions()) and (chosen.version < moves):
        if len(decisions[0].options) > 1:
            chosen = match.copy()
        match.play(decisions[0].seat, rng.choice(decisions[0].options))
    return chosen


@pytest.mark.parametrize("slug", discover())
def test_hints_are_legal_and_in_order_and_the_same_for_the_same_view(slug: str) -> None:
    spec = discover()[slug]
    match = after_some_moves(spec, spec.seats[-1])
    decision = match.state.decisions()[0]
    view = match.view(decision.seat)
    found = hints(view, "seed", LITTLE)
    assert 1 <= len(found) == min(MAX_HINTS, len(decision.options))
    assert all(one.option in decision.options for one in found)
    assert [one.chance for one in found] == sorted((one.chance for one in found), reverse=True)
    assert all(0 <= one.chance <= 1 for one in found)
    hidden_otherwise = replace(view, state=match.state.determinize(decision.seat, Random(7)).observe(decision.seat))
    assert found == hints(hidden_otherwise, "seed", LITTLE)


def with_words(value: float = 1.0) -> GameSpec:
    """The garden, valued by its fruit."""

    def fruit(state: garden.Garden) -> list[list[float]]:
        return [[fruit] for fruit in state.fruit]

    said = {"fruit": (Text("more fruit"), Text("less fruit"))}
    weights = {2: Weights({"fruit": (value,)}, (value,))}
    return replace(garden.GAME, evaluate=Evaluation("", ("fruit",), fruit, lambda _: 0.0, weights, said=said))


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> Match:
    spec = with_words()
    monkeypatch.setitem(discover(), "garden", spec)
    return Match.begin(spec, spec.setup(2, {"size": 5}), "garden")


def test_it_is_told_what_an_option_changes_and_for_whom(known: Match) -> None:
    best, *_ = hints(known.view(Seat(0)), "seed", LITTLE)
    assert "date" in str(best.option)
    assert best.why is not None
    assert "Compared with other moves, it leaves you with more fruit." == say(best.why, you=Seat(0))


def test_of_each_it_is_told_that_there_is_little_to_choose(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = with_words(value=0.0)
    monkeypatch.setitem(discover(), "garden", spec)
    found = hints(Match.begin(spec, spec.setup(2, {"size": 5}), "garden").view(Seat(0)), "seed", LITTLE)
    assert MAX_HINTS * ["The moves are about equally good."] == [str(one.why) for one in found]


def test_a_winning_option_is_told_to_win(known: Match) -> None:
    for notation in ("plant a1 fallow", "plant a2 fallow", "plant a3 fallow"):
        known.play(known.state.decisions()[0].seat, known.parse(notation))
    best, *_ = hints(known.view(Seat(1)), "seed", LITTLE)
    assert (1.0, "It wins the game.") == (best.chance, str(best.why))


@pytest.mark.parametrize(
    ("chance", "told"),
    [
        (0.0, "under 5%"),
        (0.01, "under 5%"),
        (0.62, "about 60%"),
        (0.63, "about 65%"),
        (0.97, "about 95%"),
        (0.99, "over 95%"),
        (1.0, "over 95%"),
    ],
)
def test_a_chance_is_told_as_exactly_as_it_is_known(chance: float, told: str) -> None:
    assert told == say(Hint(garden.Plant(garden.Bed("a", 1), garden.Crop.FALLOW, None), chance, None).told)


def test_a_hint_thinks_longer_than_a_move() -> None:
    strong = discover_players()["strong"].choose
    assert isinstance(strong, Thinker)
    assert THINKER.seconds > 2 * strong.seconds


def test_hints_are_calibrated() -> None:
    match = after_some_moves(discover()["muscat"], 3)
    view = match.view(match.state.decisions()[0].seat)
    told = hints(view, "seed", LITTLE)[0].chance
    found = ranked(view, Random("seed"), LITTLE)[0].chance
    assert abs(told - 1 / 3) < abs(found - 1 / 3)


def test_a_hint_is_no_surer_than_the_game_is_believed_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    match = after_some_moves(discover()["muses"], 2)
    view = match.view(match.state.decisions()[0].seat)
    plain = hints(view, "seed", LITTLE)[0].chance
    monkeypatch.setattr("engine.players.hints.trust", lambda *_: Trust(0.0, 0.0))
    assert 0.5 == pytest.approx(hints(view, "seed", LITTLE)[0].chance) != plain


@pytest.mark.parametrize(
    ("slug", "chosen"), [("muses", {"hands": 1}), ("jinns", {"setup": "random", "team_score": True})]
)
def test_a_company_wins_together(slug: str, chosen: dict[str, object]) -> None:
    spec = discover()[slug]
    match, rng = Match.begin(spec, spec.setup(4, chosen), "company"), Random(1)  # type: ignore[arg-type]
    while match.outcome is None:
        decision = match.state.decisions()[0]
        match.play(decision.seat, rng.choice(decision.options))
    companies = spec.companies(match.setup)
    assert 2 == len(set(companies))
    assert all(
        match.outcome.returns[seat] == match.outcome.returns[companies.index(company)]
        for seat, company in enumerate(companies)
    )
