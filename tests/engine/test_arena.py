"""The arena and the soak: fair to every seat, repeatable, and honest about what they have seen."""

from __future__ import annotations

import re
import sys
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from engine.arena import __main__ as arena
from engine.arena import accuracy, soak
from engine.arena import match as match_module
from engine.arena.figures import elo, percentile, wilson
from engine.arena.match import Game, play, rotated
from engine.core import Action, State, View
from engine.games import discover
from engine.players import Choose, Player
from engine.players import discover as discover_players
from engine.story import telling as telling_module
from engine.story.telling import Play
from engine.texts import Seat

GAME = Game("jinns", discover()["jinns"].setup(2), ("easy", "uniform"), "luck", Seat(0))


def test_an_interval_is_that_of_wilson() -> None:
    assert wilson(0.5, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert wilson(1.0, 20) == pytest.approx((0.8389, 1.0), abs=1e-4)


def test_an_equal_player_has_no_elo_more_and_a_better_one_has() -> None:
    assert elo(1 / 3, 1 / 3) == pytest.approx(0)
    assert elo(10 / 11, 1 / 2) == pytest.approx(400)
    assert (elo(0, 0.5), elo(1, 0.5)) == (float("-inf"), float("inf"))


def test_a_percentile_is_one_of_the_values() -> None:
    assert [percentile([3, 1, 2, 4], percent) for percent in (0, 50, 99)] == [1, 3, 4]
    assert percentile([], 50) == 0


def test_everybody_plays_each_luck_from_each_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[Game] = []

    def noted(game: Game) -> object:
        played.append(game)
        return play(replace(game, players=("uniform",) * game.setup.seats))

    monkeypatch.setattr(arena, "play", noted)
    monkeypatch.setattr(arena, "ProcessPoolExecutor", InThisProcess)
    run(monkeypatch, arena.main, "jinns", "--seats", "3", "--players", "points,uniform", "--games", "6")
    assert [game.players.index("points") for game in played] == [0, 1, 2, 0, 1, 2]
    assert [game.measured for game in played] == [0, 1, 2, 0, 1, 2]
    assert [len(set(luck)) for luck in ([g.seed for g in played[:3]], [g.seed for g in played[3:]])] == [1, 1]
    assert played[0].seed != played[3].seed


def test_the_same_game_is_played_the_same() -> None:
    first, again, other = play(GAME), play(GAME), play(replace(GAME, seed="other luck"))
    assert (first.outcome, first.plies) == (again.outcome, again.plies)
    assert (first.outcome, first.plies) != (other.outcome, other.plies)
    assert all(first.seconds), "each seat has decided something"


def test_the_arena_tells_who_won_how_often(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(arena, "ProcessPoolExecutor", InThisProcess)
    run(monkeypatch, arena.main, "jinns", "--seats", "2", "--players", "greedy,uniform", "--games", "4", "--bare")
    row = [cell.strip() for cell in capsys.readouterr().out.strip().strip("|").split("|")]
    assert row[:8] == ["jinns", "2", "greedy", "uniform", "4", "100.0%", "51.0% to 100.0%", "50.0%"]


def test_who_decides_only_one_verb_is_measured_by_that_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """In Jinns the first player places, the other takes what is offered first; all moves are those of the other."""
    asked: list[tuple[str, str]] = []

    def noted(name: str) -> Choose:
        def choose(view: View[State], rng: Random) -> Action:
            decision = view.decision_of(view.viewer)
            assert decision is not None
            asked.append((name, decision.options[0].verb))
            return rng.choice(decision.options)

        return choose

    known = {name: Player(name, noted(name)) for name in ("greedy", "uniform")}
    monkeypatch.setattr(match_module, "discover_players", lambda: known)
    played = play(replace(GAME, players=("greedy", "uniform"), only="place"))
    assert {("greedy", "place"), ("uniform", "move")} == set(asked)
    assert sum(verb == "place" for _, verb in asked) <= 16, "half of the pawns, but for those that luck places"
    assert played.plies > 32


@pytest.mark.parametrize(
    "wrong",
    [
        ("--players", "nobody,easy"),
        ("--players", "greedy,easy", "--effort", "0.5"),
        ("--players", "greedy,easy", "--only", "fly"),
    ],
)
def test_the_arena_refuses_who_is_unknown_or_cannot_think_for_less_time(
    wrong: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run(monkeypatch, arena.main, "jinns", *wrong)
    told = capsys.readouterr().err
    assert any(why in told for why in ("there is no player nobody", "does not think ahead", "jinns has no verb fly"))


def test_a_soak_has_all_games_and_players_and_one_thinker_at_most() -> None:
    rng, known = Random("any"), discover_players()
    games = [soak.any_game(rng, str(number)) for number in range(600)]
    assert {game.slug for game in games} == set(discover())
    assert {player for game in games for player in game.players} == set(known)
    for game in games:
        assert [seat for seat, player in enumerate(game.players) if known[player].level > 1] in ([], [game.measured])
    anyhow = sum(set(game.players) == {"uniform"} for game in games) / len(games)
    assert anyhow > 0.5, "most go astray"


def test_a_soak_counts_what_it_played(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    run(monkeypatch, soak.main, "--games", "8", "--seed", "short")
    counts, memory = capsys.readouterr().out.strip().splitlines()
    told = Counter({what: int(count) for count, what in (part.split(" ", 1) for part in counts[9:].split(", "))})
    assert sum(count for what, count in told.items() if what.startswith("of ")) == 8
    assert sum(count for what, count in told.items() if what.startswith("ended by ")) == 8
    assert told["plies"] > 8
    assert memory.startswith("memory ")


def test_a_soak_says_in_which_game_something_broke(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Game) -> object:
        raise ValueError("no such rule")

    monkeypatch.setattr(soak, "play", broken)
    with pytest.raises(ValueError, match="no such rule") as raised:
        run(monkeypatch, soak.main, "--games", "1", "--seed", "broken")
    (note,) = raised.value.__notes__
    assert "broken 0" in note


def test_accuracy_is_that_of_all_games_together() -> None:
    plays = [Play(3, 1, 0.1, 0.4), Play(1, 1, 0.0, 0.1), Play(0, 0, 0.0, 0.0)]
    assert 80 == pytest.approx(accuracy.accuracy(plays))
    assert 0 > accuracy.accuracy([Play(1, 0, 0.3, 0.2)])


def test_all_who_sit_at_a_table_are_told_how_accurate_they_were(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(telling_module, "SECONDS", 0.4)
    monkeypatch.setattr(telling_module, "DOUBTS", 0)
    monkeypatch.setattr(accuracy, "PLAYERS", ("uniform", "easy"))
    run(monkeypatch, accuracy.main, "jinns", "--games", "2")
    title, games, *cells = [cell.strip() for cell in capsys.readouterr().out.strip().strip("|").split("|")]
    assert ("Jinns of the Lake", "2", 2) == (title, games, len(cells))
    assert all(re.fullmatch(r"-?\d+ \(-?\d+ to -?\d+\)", cell) for cell in cells)


def test_whoever_is_measured_sits_in_the_next_seat_with_every_game() -> None:
    assert [rotated("strong", "fair", 3, number) for number in range(4)] == [
        ("strong", "fair", "fair"),
        ("fair", "strong", "fair"),
        ("fair", "fair", "strong"),
        ("strong", "fair", "fair"),
    ]


class InThisProcess:
    """As much of a pool of processes as the arena uses."""

    def __init__(self, _jobs: int) -> None:
        self.map = map

    def __enter__(self) -> InThisProcess:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def run(monkeypatch: pytest.MonkeyPatch, main: object, *arguments: str) -> None:
    """Run a program with these arguments."""
    assert callable(main)
    monkeypatch.setattr(sys, "argv", ["program", *arguments])
    main()
