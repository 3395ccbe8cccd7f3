"""The arena and the soak: fair to every seat, repeatable, with correct statistics."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from engine.core import Action, State, View
from engine.games import discover
from engine.players import Choose, Player
from engine.players import discover as discover_players
from engine.story.telling import Play
from engine.texts import Seat
from tools.arena import __main__ as arena
from tools.arena import accuracy, soak
from tools.arena.figures import elo, wilson
from tools.arena.game import Game, play, seating

GAME = Game("jinns", discover()["jinns"].setup(2), ("easy", "uniform"), "luck", Seat(0))


def test_an_interval_is_the_wilson_interval() -> None:
    assert wilson(0.5, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert wilson(1.0, 20) == pytest.approx((0.8389, 1.0), abs=1e-4)


def test_the_elo_difference_of_an_equal_player_is_zero() -> None:
    assert elo(1 / 3, 1 / 3) == pytest.approx(0)
    assert elo(10 / 11, 1 / 2) == pytest.approx(400)
    assert (elo(0, 0.5), elo(1, 0.5)) == (float("-inf"), float("inf"))


def test_each_seed_is_played_from_each_seat() -> None:
    args = arena.arguments(["jinns", "--players", "points,uniform", "--games", "6"])
    played = list(arena.each_seat(args, discover()["jinns"].setup(3)))
    assert [game.players.index("points") for game in played] == [0, 1, 2, 0, 1, 2]
    assert [game.measured for game in played] == [0, 1, 2, 0, 1, 2]
    assert [len(set(luck)) for luck in ([g.seed for g in played[:3]], [g.seed for g in played[3:]])] == [1, 1]
    assert played[0].seed != played[3].seed


def test_the_same_seed_plays_the_same_game() -> None:
    first, again, other = play(GAME), play(GAME), play(replace(GAME, seed="other luck"))
    assert (first.outcome, first.plies) == (again.outcome, again.plies)
    assert (first.outcome, first.plies) != (other.outcome, other.plies)
    assert all(first.seconds), "each seat has decided something"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_arena_prints_the_share_of_wins(jobs: str, capsys: pytest.CaptureFixture[str]) -> None:
    few = ("--seats", "2", "--games", "4", "--jobs", jobs)
    arena.main(["jinns", "--players", "greedy,uniform", *few])
    heading, _, last = capsys.readouterr().out.splitlines()
    row = [cell.strip() for cell in last.strip("|").split("|")]
    assert heading.startswith("| game | seats | player |")
    assert row[:8] == ["jinns", "2", "greedy", "uniform", "4", "100.0%", "51.0% to 100.0%", "50.0%"]


@pytest.mark.parametrize("peeking", [False, True])
def test_a_player_with_little_thinking_time_still_beats_a_random_one(peeking: bool) -> None:
    game = replace(GAME, players=("strong", "uniform"), effort=0.01, peeking=peeking)
    assert play(game).outcome.returns == (1.0, 0.0)


def test_with_only_one_verb_the_player_makes_no_other_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    """One player of Jinns places, its opponent takes the first option there and makes all moves for both."""
    decided: list[tuple[str, str]] = []

    def noted(name: str) -> Choose:
        def choose(view: View[State], rng: Random) -> Action:
            decision = view.decision_of(view.viewer)
            assert decision is not None
            decided.append((name, decision.options[0].verb))
            return rng.choice(decision.options)

        return choose

    players = {name: Player(name, noted(name)) for name in ("greedy", "uniform")}
    for name, player in players.items():
        monkeypatch.setitem(discover_players(), name, player)
    played = play(replace(GAME, players=("greedy", "uniform"), only="place"))
    assert {("greedy", "place"), ("uniform", "move")} == set(decided)
    assert sum(verb == "place" for _, verb in decided) <= 16, "half of the pawns, but for those that luck places"
    assert played.plies > 32


@pytest.mark.parametrize(
    "wrong",
    [
        ("--players", "nobody,easy"),
        ("--players", "greedy,easy", "--effort", "0.5"),
        ("--players", "greedy,easy", "--only", "fly"),
    ],
)
def test_the_arena_refuses_unknown_players_and_meaningless_options(
    wrong: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        arena.main(["jinns", *wrong])
    output = capsys.readouterr().err
    assert any(why in output for why in ("there is no player nobody", "does not search", "jinns has no verb fly"))


def test_a_soak_has_all_games_and_players_and_at_most_one_thinker() -> None:
    rng, players = Random("any"), discover_players()
    games = [soak.any_game(rng, str(number)) for number in range(600)]
    assert {game.slug for game in games} == set(discover())
    assert {player for game in games for player in game.players} == set(players)
    for game in games:
        assert [seat for seat, player in enumerate(game.players) if players[player].level > 1] in ([], [game.measured])
    anyhow = sum(set(game.players) == {"uniform"} for game in games) / len(games)
    assert anyhow > 0.5, "most go astray"


def test_a_soak_counts_its_games(capsys: pytest.CaptureFixture[str]) -> None:
    soak.main(["--games", "3", "--seed", "short"])
    counts, memory = capsys.readouterr().out.strip().splitlines()
    tally = Counter({what: int(count) for count, what in (part.split(" ", 1) for part in counts[9:].split(", "))})
    assert sum(count for what, count in tally.items() if what.startswith("of ")) == 3
    assert sum(count for what, count in tally.items() if what.startswith("ended by ")) == 3
    assert tally["plies"] > 8
    assert memory.startswith("memory ")


def test_an_error_in_a_soak_names_its_game() -> None:
    with pytest.raises(KeyError, match="nobody") as raised:
        soak.play_and_count(replace(GAME, players=("nobody", "uniform"), seed="broken 0"))
    (note,) = raised.value.__notes__
    assert "broken 0" in note


def test_accuracy_is_computed_over_all_games_together() -> None:
    plays = [Play(3, 1, 0.1, 0.4), Play(1, 1, 0.0, 0.1), Play(0, 0, 0.0, 0.0)]
    assert 80 == pytest.approx(accuracy.accuracy(plays))
    assert 0 > accuracy.accuracy([Play(1, 0, 0.3, 0.2)])


def test_the_row_has_an_accuracy_for_each_player(capsys: pytest.CaptureFixture[str]) -> None:
    accuracy.main(["alibaba", "--games", "1", "--seconds", "0.01", "--players", "uniform", "easy"])
    title, games, *cells = [cell.strip() for cell in capsys.readouterr().out.strip().strip("|").split("|")]
    assert ("Ali Baba", "1", 2) == (title, games, len(cells))
    assert all(re.fullmatch(r"-?\d+ \(-?\d+ to -?\d+\)", cell) for cell in cells)


def test_the_measured_player_moves_to_the_next_seat_in_every_game() -> None:
    assert [seating("strong", "fair", 3, number) for number in range(4)] == [
        ("strong", "fair", "fair"),
        ("fair", "strong", "fair"),
        ("fair", "fair", "strong"),
        ("strong", "fair", "fair"),
    ]
