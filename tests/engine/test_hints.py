"""Hints are legal, ordered and calibrated, give true reasons, and depend only on the view of a seat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random

import pytest

from engine.calibration import Trust
from engine.core import GameSpec
from engine.evaluation import Evaluation, Weights
from engine.games import discover
from engine.match import Match
from engine.players import discover as discover_players
from engine.players.hints import MAX_HINTS, THINKER, Hint, _Reasons, _Term, hints
from engine.players.search import Effort, Ranked, rank_options
from engine.players.search.thinker import Thinker
from engine.texts import Seat, Text
from engine.wording import say
from tests.engine.toys import garden

LITTLE = Effort(60, worlds=3)


def after_some_moves(spec: GameSpec, seats: int, moves: int = 14) -> Match:
    """The first choice after `moves` plies, or the last one of a shorter game."""
    match, rng = Match.begin(spec, spec.setup(seats), "hints"), Random("hints")
    position = match.copy()
    while (decisions := match.state.decisions()) and (position.version < moves):
        if len(decisions[0].options) > 1:
            position = match.copy()
        match.play(decisions[0].seat, rng.choice(decisions[0].options))
    return position


@pytest.mark.parametrize("slug", discover())
def test_hints_are_legal_and_ordered_and_depend_only_on_the_view(slug: str) -> None:
    spec = discover()[slug]
    match = after_some_moves(spec, spec.seats[-1])
    decision = match.state.decisions()[0]
    view = match.view(decision.seat)
    result = hints(view, "seed", LITTLE)
    assert 1 <= len(result) <= min(MAX_HINTS, len(decision.options))
    assert all(hint.option in decision.options for hint in result)
    assert [hint.chance for hint in result] == sorted((hint.chance for hint in result), reverse=True)
    assert all(0 <= hint.chance <= 1 for hint in result)
    another_world = replace(view, state=match.state.determinize(decision.seat, Random(7)).observe(decision.seat))
    assert result == hints(another_world, "seed", LITTLE)


def with_words(value: float = 1.0) -> GameSpec:
    """The garden with an evaluation by fruit."""

    def fruit(state: garden.Garden) -> list[list[float]]:
        return [[fruit] for fruit in state.fruit]

    phrases = {"fruit": (Text("more fruit"), Text("less fruit"))}
    weights = {2: Weights({"fruit": (value,)}, (value,))}
    return replace(garden.GAME, evaluate=Evaluation("", ("fruit",), fruit, lambda _: 0.0, weights, phrases=phrases))


@pytest.fixture
def garden_match(monkeypatch: pytest.MonkeyPatch) -> Match:
    spec = with_words()
    monkeypatch.setitem(discover(), "garden", spec)
    return Match.begin(spec, spec.setup(2, {"size": 5}), "garden")


JUDGED = [spec for spec in discover().values() if isinstance(spec.evaluate, Evaluation)]


def test_a_reason_is_good_for_oneself_or_bad_for_a_rival() -> None:
    assert sum(map(reasons_in, JUDGED))


def reasons_in(spec: GameSpec) -> int:
    """The number of reasons in some hints of a game, each of which is right."""
    assert isinstance(spec.evaluate, Evaluation)
    phrases = {pair[n].template: (name, n == 0) for name, pair in spec.evaluate.phrases.items() for n in (0, 1)}
    reasons = 0
    for seats, moves in ((seats, moves) for seats in (spec.seats[0], spec.seats[-1]) for moves in (20, 45)):
        match = after_some_moves(spec, seats, moves)
        own = match.state.decisions()[0].seat
        weights = dict(zip(spec.evaluate.names, spec.evaluate.weights_at(match.state, seats), strict=True))
        for seat, phrase in changes_of(hint.why for hint in hints(match.view(own), "seed", LITTLE)):
            name, is_more = phrases[phrase.template]
            assert (seat == own) == ((weights[name] > 0) == is_more), (name, seat)
            reasons += 1
    return reasons


def changes_of(reasons: Iterable[Text | None]) -> Iterator[tuple[Seat, Text]]:
    """The seats of reasons, each with the phrase about it."""
    for fields in (dict(why.fields) for why in reasons if why):
        seats = fields.get("rivals") or ((fields["seat"],) if "seat" in fields else ())
        yield from ((seat, fields["first"]) for seat in seats)
        if "second" in fields:
            yield fields.get("other", fields["seat"]), fields["second"]


def test_less_of_a_harmful_feature_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = with_words(value=-1.0)
    monkeypatch.setitem(discover(), "garden", spec)
    best, *_ = hints(Match.begin(spec, spec.setup(2, {"size": 5}), "garden").view(Seat(0)), "seed", LITTLE)
    assert best.why is not None
    assert "you with less fruit" in say(best.why, you=Seat(0)) or "Blue with more fruit" in say(best.why, you=Seat(0))


def test_a_reason_names_the_changed_feature_and_its_seat(garden_match: Match) -> None:
    best, *_ = hints(garden_match.view(Seat(0)), "seed", LITTLE)
    assert "date" in str(best.option)
    assert best.why is not None
    assert "Compared with other moves, it leaves you with more fruit." == say(best.why, you=Seat(0))


@pytest.mark.parametrize(
    ("first", "second", "who"),
    [(1, 2, "leaves Blue and Yellow with less fruit."), (0, 2, "you with less fruit, and Yellow with less fruit.")],
)
def test_a_reason_that_holds_for_two_rivals_is_said_once(
    garden_match: Match, monkeypatch: pytest.MonkeyPatch, first: int, second: int, who: str
) -> None:
    less, more = Text("less fruit"), Text("more fruit")
    terms = [_Term(Seat(first), less, more, 0.3), _Term(Seat(second), less, more, 0.2)]
    assert reason_of(terms, garden_match, monkeypatch).endswith(who)


@pytest.mark.parametrize(
    ("rest", "who"),
    [
        ("fruit", "you with more fruit, and Blue with less fruit."),
        ("fruit on trees", "you with more fruit on trees; for Blue, it’s the other way around."),
    ],
)
def test_a_long_phrase_is_not_repeated_for_the_opposite(
    garden_match: Match, monkeypatch: pytest.MonkeyPatch, rest: str, who: str
) -> None:
    more, less = Text(f"more {rest}"), Text(f"less {rest}")
    terms = [_Term(Seat(0), more, less, 0.3), _Term(Seat(1), less, more, 0.2)]
    assert reason_of(terms, garden_match, monkeypatch).endswith(f"leaves {who}")
    unrelated = [terms[0], terms[1]._replace(phrase=Text("less to lose"), opposite=Text("more to lose"))]
    assert reason_of(unrelated, garden_match, monkeypatch).endswith("and Blue with less to lose.")


MORE, LESS = Text("more fruit"), Text("less fruit")
WATER = Text("more water"), Text("less water")


@pytest.mark.parametrize(
    ("gain", "second", "who"),
    [
        (0.3, 0.16, "it leaves you with more fruit, and with more water."),
        (0.3, 0.14, "it leaves you with more fruit."),
        (0.03, 0.019, "it leaves you with more fruit."),
    ],
)
def test_a_second_reason_is_told_if_it_weighs_enough(
    garden_match: Match, monkeypatch: pytest.MonkeyPatch, gain: float, second: float, who: str
) -> None:
    terms = [_Term(Seat(0), MORE, LESS, gain), _Term(Seat(0), *WATER, second)]
    assert reason_of(terms, garden_match, monkeypatch).endswith(who)


@pytest.mark.parametrize(
    ("chances", "reasons"),
    [
        ((0.6, 0.4, 0.4), ["It pays off a few moves later.", "None", "None"]),
        ((0.405, 0.4, 0.395), 3 * ["The moves are about equally good."]),
        ((0.4,), ["None"]),
    ],
)
def test_without_a_visible_reason_only_a_better_option_is_said_to_pay_off_later(
    garden_match: Match, monkeypatch: pytest.MonkeyPatch, chances: tuple[float, ...], reasons: list[str]
) -> None:
    options = garden_match.state.decisions()[0].options
    ranked = [Ranked(option, chance, 1) for option, chance in zip(options, chances, strict=False)]
    monkeypatch.setattr("engine.players.hints.rank_options", lambda *_: ranked)
    monkeypatch.setattr(_Reasons, "_terms", lambda *_: iter([_Term(Seat(0), MORE, LESS, 0.01)]))
    monkeypatch.setattr(_Reasons, "distinct_options", lambda _, candidates: iter(candidates))
    assert reasons == [str(hint.why) for hint in hints(garden_match.view(Seat(0)), "seed", LITTLE)]


def reason_of(terms: list[_Term], match: Match, monkeypatch: pytest.MonkeyPatch) -> str:
    """The reason of the best hint, if these are the changes."""
    monkeypatch.setattr(_Reasons, "_terms", lambda *_: iter(terms))
    best, *_ = hints(match.view(Seat(0)), "seed", LITTLE)
    assert best.why is not None
    return say(best.why, you=Seat(0))


def test_the_reason_says_if_all_options_are_about_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = with_words(value=0.0)
    monkeypatch.setitem(discover(), "garden", spec)
    result = hints(Match.begin(spec, spec.setup(2, {"size": 5}), "garden").view(Seat(0)), "seed", LITTLE)
    assert MAX_HINTS * ["The moves are about equally good."] == [str(hint.why) for hint in result]


@pytest.mark.parametrize(("apart", "hinted"), [(0.0, 1), (0.02, MAX_HINTS)])
def test_equivalent_options_are_one_hint(monkeypatch: pytest.MonkeyPatch, apart: float, hinted: int) -> None:
    """The empty markets for a first artist are all alike, unless the search finds one of them better."""
    spec = discover()["muscat"]
    match = Match.begin(spec, spec.setup(3), "markets")
    decision = match.state.decisions()[0]
    options = [Ranked(option, 0.4 - n * apart, 1) for n, option in enumerate(decision.options)]
    monkeypatch.setattr("engine.players.hints.rank_options", lambda *_: options)
    result = hints(match.view(decision.seat), "seed", LITTLE)
    assert [hint.option for hint in options[:hinted]] == [hint.option for hint in result]


def test_the_reason_says_that_a_winning_option_wins(garden_match: Match) -> None:
    for notation in ("plant a1 fallow", "plant a2 fallow", "plant a3 fallow"):
        garden_match.play(garden_match.state.decisions()[0].seat, garden_match.parse(notation))
    best, *_ = hints(garden_match.view(Seat(1)), "seed", LITTLE)
    assert (1.0, "It wins the game.") == (best.chance, str(best.why))


def test_an_option_that_wins_only_in_some_possible_positions_is_not_said_to_win(
    garden_match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    early = None
    for notation in ("plant a1 fallow", "plant a2 fallow", "plant a3 fallow"):
        early = early or (garden_match.state if garden_match.state.decisions()[0].seat == Seat(1) else None)
        garden_match.play(garden_match.state.decisions()[0].seat, garden_match.parse(notation))
    monkeypatch.setattr("engine.players.hints.worlds_of", lambda state, *_: (state, early))
    best, *_ = hints(garden_match.view(Seat(1)), "seed", LITTLE)
    assert "It wins the game." != str(best.why)


@pytest.mark.parametrize(
    ("chance", "words"),
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
def test_a_chance_is_rounded_to_its_accuracy(chance: float, words: str) -> None:
    assert words == say(Hint(garden.Plant(garden.Bed("a", 1), garden.Crop.FALLOW, None), chance, None).rounded)


def test_a_hint_thinks_longer_than_a_move() -> None:
    strong = discover_players()["strong"].choose
    assert isinstance(strong, Thinker)
    assert THINKER.seconds > 2 * strong.seconds


def test_hints_are_calibrated() -> None:
    match = after_some_moves(discover()["muscat"], 3)
    view = match.view(match.state.decisions()[0].seat)
    calibrated = hints(view, "seed", LITTLE)[0].chance
    estimate = rank_options(view, Random("seed"), LITTLE)[0].chance
    assert abs(calibrated - 1 / 3) < abs(estimate - 1 / 3)


@pytest.mark.parametrize("seats", [2, 4])
def test_the_calibration_limits_the_chance_of_a_hint(monkeypatch: pytest.MonkeyPatch, seats: int) -> None:
    """With four players there are two teams, each of which wins half of all games."""
    match = after_some_moves(discover()["muses"], seats)
    view = match.view(match.state.decisions()[0].seat)
    plain = hints(view, "seed", LITTLE)[0].chance
    monkeypatch.setattr("engine.players.hints.calibration_for", lambda *_: Trust(0.0, 0.0))
    assert 0.5 == pytest.approx(hints(view, "seed", LITTLE)[0].chance) != plain


@pytest.mark.parametrize(
    ("slug", "options"), [("muses", {"hands": 1}), ("jinns", {"setup": "random", "team_score": True})]
)
def test_a_company_wins_together(slug: str, options: dict[str, object]) -> None:
    spec = discover()[slug]
    match, rng = Match.begin(spec, spec.setup(4, options), "company"), Random(1)  # type: ignore[arg-type]
    while match.outcome is None:
        decision = match.state.decisions()[0]
        match.play(decision.seat, rng.choice(decision.options))
    companies = spec.companies(match.setup)
    assert 2 == len(set(companies))
    assert all(
        match.outcome.returns[seat] == match.outcome.returns[companies.index(company)]
        for seat, company in enumerate(companies)
    )
