"""`python -m tools.arena.accuracy muscat --games 40`: the accuracy that stories report for players of each strength.

Each table has a random player, an `easy`, a `fair` and a `strong` one, who change seats from game to game.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from random import Random

from engine.games import discover
from engine.match import Match
from engine.players import discover as discover_players
from engine.players.search.thinker import with_effort
from engine.story.looking import analyze
from engine.story.telling import SECONDS, Play, Story, tell_story

PLAYERS = ("uniform", "easy", "fair", "strong")
"""The players, the weakest first."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Play the games, compute their stories, and print a table row."""
    parser = ArgumentParser(prog="python -m tools.arena.accuracy", description=__doc__)
    parser.add_argument("game", choices=discover())
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--effort", type=float, default=1.0, help="part of their thinking time that players use")
    parser.add_argument("--seed", default="accuracy")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="CPU time for the analysis of a game")
    parser.add_argument("--players", nargs="*", default=PLAYERS, help="the players at the table")
    args = parser.parse_args(arguments)
    plays: dict[str, list[Play]] = {player: [] for player in args.players}
    for number in range(args.games):
        players = [args.players[(seat + number) % len(plays)] for seat in range(len(plays))]
        match = play_match(args.game, players, f"{args.seed} {number}", args.effort)
        for player, play in zip(players, story_of(match, args.seconds).plays, strict=True):
            plays[player].append(play)
    print(f"| {discover()[args.game].title} | {args.games} | {' | '.join(map(_cell, plays.values()))} |")


def play_match(game: str, players: list[str], seed: str, effort: float = 1.0) -> Match:
    """Play a game to its end."""
    spec, rng = discover()[game], Random(f"players of {seed}")
    match = Match.begin(spec, spec.setup(len(players)), seed)
    while match.outcome is None:
        decision = match.state.decisions()[0]
        action = decision.options[0]
        if not decision.automatic:
            choose = with_effort(discover_players()[players[decision.seat]].choose, effort)
            action = choose(match.view(decision.seat), rng)
        match.play(decision.seat, action)
    return match


def story_of(match: Match, seconds: float) -> Story:
    """The story of a finished match without second looks, on which accuracy does not depend."""
    teller = tell_story(match, seconds, max_second_looks=0)
    looks = next(teller)
    while True:
        try:
            looks = teller.send(analyze(match.spec.slug, match.setup.seats, looks, match.spec.slug))
        except StopIteration as end:
            story: Story = end.value
            return story


def accuracy(plays: list[Play]) -> float:
    """The accuracy over several games, up to 100; negative if choices were worse than random ones."""
    usually = sum(play.usually for play in plays)
    return 100 * (1 - sum(play.lost for play in plays) / usually) if usually else 100.0


def _cell(plays: list[Play]) -> str:
    """The accuracy with its 95 % bootstrap interval over games."""
    rng = Random(1)
    again = sorted(accuracy(rng.choices(plays, k=len(plays))) for _ in range(400))
    # 2.5 % of 400 samples are cut off at either end.
    return f"{accuracy(plays):.0f} ({again[10]:.0f} to {again[-11]:.0f})"


if __name__ == "__main__":
    main()
