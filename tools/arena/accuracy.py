"""`python -m tools.arena.accuracy muscat --games 40`: how accurately a story says that players of all strengths chose.

At each table one seat does anything, one is `easy`, one `fair` and one `strong`, and they change seats.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from random import Random

from engine.games import discover
from engine.match import Match
from engine.players import discover as discover_players
from engine.players.search.thinker import with_effort
from engine.story.looking import looked
from engine.story.telling import SECONDS, Play, Story, telling

PLAYERS = ("uniform", "easy", "fair", "strong")
"""Who plays, the weakest first."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, tell the stories, and print a row for the game."""
    parser = ArgumentParser(prog="python -m tools.arena.accuracy", description=__doc__)
    parser.add_argument("game", choices=discover())
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--effort", type=float, default=1.0, help="the part of their time that players think")
    parser.add_argument("--seed", default="accuracy")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long a story thinks over its positions")
    parser.add_argument("--players", nargs="*", default=PLAYERS, help="who plays")
    asked = parser.parse_args(arguments)
    plays: dict[str, list[Play]] = {player: [] for player in asked.players}
    for number in range(asked.games):
        players = [asked.players[(seat + number) % len(plays)] for seat in range(len(plays))]
        match = played(asked.game, players, f"{asked.seed} {number}", asked.effort)
        for player, play in zip(players, story_of(match, asked.seconds).plays, strict=True):
            plays[player].append(play)
    print(f"| {discover()[asked.game].title} | {asked.games} | {' | '.join(map(_cell, plays.values()))} |")


def played(game: str, players: list[str], seed: str, effort: float = 1.0) -> Match:
    """A game to its end."""
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
    """The story of a match that is over, all of it thought of here; accuracy goes by first looks alone."""
    teller = telling(match, seconds, doubts=0)
    looks = next(teller)
    while True:
        try:
            looks = teller.send(looked(match.spec.slug, match.setup.seats, looks, match.spec.slug))
        except StopIteration as end:
            story: Story = end.value
            return story


def accuracy(plays: list[Play]) -> float:
    """That of several games together, in a hundred; below 0 for who chose worse than any would."""
    usually = sum(play.usually for play in plays)
    return 100 * (1 - sum(play.lost for play in plays) / usually) if usually else 100.0


def _cell(plays: list[Play]) -> str:
    """The accuracy, and its interval of 95 % if games are drawn again (bootstrap)."""
    rng = Random(1)
    again = sorted(accuracy(rng.choices(plays, k=len(plays))) for _ in range(400))
    # The 2.5 % at either end of 400.
    return f"{accuracy(plays):.0f} ({again[10]:.0f} to {again[-11]:.0f})"


if __name__ == "__main__":
    main()
