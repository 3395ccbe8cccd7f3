"""`python -m tests.games.sanity_jinns [games]`: figures of random games beside those a prototype has measured.

Everybody chooses uniformly, in the placement too (strengths only, never luck's help). The prototype played 2000 games
per number of seats, so its own figures are as uncertain as ours; the last column says by how much two such means may
differ: two standard errors of the difference.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from statistics import mean, stdev

from engine.core import Action, Event
from engine.games.jinns import GAME
from engine.games.jinns.actions import Move, Strength
from engine.games.jinns.events import Alone, EndReason, Missed, SharedTower, Storeys, TookTower
from engine.games.jinns.state import Jinns
from engine.texts import CHANCE

MEASURED = {
    ("early", 2): (40.8, 11.5, 20.0, 1.2, 17.4, 7.3, 0.0, 4.4, 3.9, 41, 52),
    ("early", 3): (46.2, 13.2, 24.0, 1.3, 22.8, 7.3, 0.0, 3.1, 7.0, 26, 39),
    ("early", 4): (29.4, 6.0, 10.0, 4.9, 8.2, 2.7, 4.8, 2.7, 7.4, 21, 29),
    ("later", 2): (42.6, 12.6, None, None, None, None, None, 4.5, 3.9, None, None),
    ("later", 3): (47.0, 13.5, None, None, None, None, None, 3.6, 8.9, None, None),
    ("later", 4): (40.4, 6.4, None, None, None, None, None, 3.1, 8.9, None, None),
}
"""Edition and seats -> the prototype's figures in the order of `Game`."""

RANGES = {
    ("early", 2): ("27-68", 29, "50/47"),
    ("early", 3): ("26-82", 34, "32/30/31"),
    ("early", 4): ("21-47", 25, "25/21/25/22"),
    ("later", 2): ("", 34, ""),
    ("later", 3): ("", 37, ""),
    ("later", 4): ("", 19, ""),
}
"""Edition and seats -> shortest and longest game, most legal moves, wins alone by seat in percent."""


@dataclass(frozen=True)
class Game:
    """What is counted in one game."""

    moves: float
    legal_moves: float
    first_moves: float
    misses: float
    splits: float
    towers: float
    threes: float
    repetition: float
    shared: float
    points: float
    winners_points: float

    def figures(self) -> tuple[float, ...]:
        return tuple(vars(self).values())


TITLES = (
    "moves a game",
    "legal moves",
    "legal first moves",
    "missed turns",
    "moves of a part",
    "towers of four",
    "towers of three taken",
    "ended by repetition, %",
    "first place shared, %",
    "points a seat",
    "points of the winner",
)


@dataclass(frozen=True)
class Played:
    """A game with what only makes sense over many."""

    game: Game
    most_legal: int
    winner: int | None


def play(edition: str, seats: int, seed: int) -> Played:
    """One random game."""
    rng = Random(f"{edition} {seats} {seed}")
    states, moves = [_start(edition, seats)], list[tuple[Move, int, int]]()
    events: list[Event] = []
    while decisions := states[-1].decisions():
        (decision,) = decisions
        action = states[-1].sample(rng) if decision.seat == CHANCE else rng.choice(_by_hand(decision.options))
        after, told = states[-1].apply(decision.seat, action)
        if isinstance(action, Move):
            moves.append((action, states[-1].board[action.square].height, len(decision.options)))
        states.append(after)
        events += told
    return _counted(states[-1], events, moves)


def _start(edition: str, seats: int) -> Jinns:
    state = GAME.start(GAME.setup(seats, {"edition": edition}))
    assert isinstance(state, Jinns)
    return state


def _by_hand(options: Sequence[Action]) -> Sequence[Action]:
    return [action for action in options if getattr(action, "strength", None) is not Strength.REST]


def _counted(last: Jinns, events: Sequence[object], moves: Sequence[tuple[Move, int, int]]) -> Played:
    outcome = last.outcome()
    assert outcome is not None
    threes = sum(isinstance(event, SharedTower) and event.storeys is Storeys.THREE for event in events)
    legal = [number for _, _, number in moves]
    game = Game(
        moves=len(moves),
        legal_moves=sum(legal),
        first_moves=legal[0],
        misses=sum(_misses(event, last.seats) for event in events),
        splits=sum(move.take < storeys for move, storeys, _ in moves),
        towers=sum(isinstance(event, TookTower | SharedTower) for event in events) - threes,
        threes=threes,
        repetition=100 * (outcome.reason == EndReason.REPETITION),
        shared=100 * (len(outcome.winners) > 1),
        points=mean(outcome.scores),
        winners_points=max(outcome.scores),
    )
    return Played(game, max(legal), outcome.winners[0] if len(outcome.winners) == 1 else None)


def _misses(event: object, seats: int) -> int:
    match event:
        case Missed(seats=missed):
            return len(missed)
        case Alone():
            return seats - 1
    return 0


def table(edition: str, seats: int, games: int) -> Iterator[str]:
    """Our figures beside the prototype's."""
    played = [play(edition, seats, seed) for seed in range(games)]
    yield f"\n{edition} edition, {seats} seats, {games} games"
    yield f"{'':24} {'prototype':>10} {'engine':>10} {'apart':>8} {'may be':>8}"
    columns = list(zip(*(p.game.figures() for p in played), strict=True))
    columns[1] = _per_move(columns[1], columns[0])
    for title, theirs, ours in zip(TITLES, MEASURED[edition, seats], columns, strict=True):
        yield _line(title, theirs, ours)
    lengths = [round(p.game.moves) for p in played]
    span, most, wins = RANGES[edition, seats]
    ours_won = "/".join(f"{100 * sum(p.winner == seat for p in played) / games:.0f}" for seat in range(seats))
    yield f"{'shortest to longest':24} {span:>10} {f'{min(lengths)}-{max(lengths)}':>10}"
    yield f"{'most legal moves':24} {most:>10} {max(p.most_legal for p in played):>10}"
    yield f"{'wins alone by seat, %':24} {wins:>12} {ours_won:>12}"


def _per_move(sums: Sequence[float], moves: Sequence[float]) -> tuple[float, ...]:
    """Numbers whose mean is the mean over all moves of all games, and whose spread is that of this ratio."""
    ratio = sum(sums) / sum(moves)
    return tuple(ratio + (one - ratio * number) / mean(moves) for one, number in zip(sums, moves, strict=True))


def _line(title: str, theirs: float | None, ours: Sequence[float]) -> str:
    if theirs is None:
        return f"{title:24} {'':>10} {mean(ours):10.1f}"
    error = 2 * stdev(ours) * (1 / len(ours) + 1 / 2000) ** 0.5
    return f"{title:24} {theirs:10.1f} {mean(ours):10.1f} {mean(ours) - theirs:+8.2f} {error:8.2f}"


def main(games: int) -> None:
    """Print all tables."""
    for edition, seats in MEASURED:
        for line in table(edition, seats, games):
            print(line, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
