"""`python -m tools.computer_ratings muscat`: measure the fixed ratings of a game's computer players."""

from __future__ import annotations

import tomllib
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from importlib.resources import files
from math import log, sqrt
from pathlib import Path

from bot.store.tally import NEWCOMER_POINTS, SCALE
from engine.games import discover
from engine.players import offered_players
from tools.arena.figures import wilson
from tools.arena.game import Game, play, seating

PLACE = Path(str(files("bot.store") / "computer_ratings.toml"))
AVERAGE, MIN_MARGIN = "fair", 60
"""The player with the rating of a newcomer by definition, and the smallest margin of any player."""

BETA = 25 / 6
"""The standard deviation of performances, the default of `openskill`."""


def main(command_line: Sequence[str] | None = None, place: Path = PLACE) -> None:
    """Measure the ratings of a game and write its rows."""
    parser = ArgumentParser(prog="python -m tools.computer_ratings", description=__doc__)
    parser.add_argument("game", choices=discover())
    parser.add_argument("--games", type=int, default=200, help="games of each player")
    parser.add_argument(
        "--players", nargs="*", choices=offered_players(), default=offered_players(), help="default: all"
    )
    args = parser.parse_args(command_line)
    text = place.read_text("utf-8")
    ratings = tomllib.loads(text)
    new = {player: measure_rating(args.game, player, args.games) for player in args.players}
    ratings[args.game] = ratings.get(args.game, {}) | new
    heading = text.partition("\n\n")[0]
    place.write_text("\n\n".join([heading, *(_section(game, rows) for game, rows in ratings.items())]) + "\n", "utf-8")


def measure_rating(slug: str, player: str, games: int) -> tuple[int, int]:
    """The rating and the margin of a player, measured against `fair` players with the minimum number of seats."""
    if player == AVERAGE:
        return NEWCOMER_POINTS, MIN_MARGIN
    setup = discover()[slug].setup(discover()[slug].seats[0])
    matches = [
        play(Game(slug, setup, seating(player, AVERAGE, setup.seats, n), f"rating {n // setup.seats}"))
        for n in range(games)
    ]
    # The player changes seats from game to game, so that no seat is an advantage.
    share = sum(match.outcome.returns[n % setup.seats] for n, match in enumerate(matches)) / games
    # A share of 0 or 1 would be an infinite difference.
    least, most = 1 / (4 * games), 1 - 1 / (4 * games)
    low, high = (difference(min(max(end, least), most), setup.seats) for end in wilson(share, games))
    return NEWCOMER_POINTS + (low + high) // 2, max(MIN_MARGIN, (high - low) // 2)


def difference(share: float, seats: int) -> int:
    """The rating advantage of a player with this share of the wins over opponents of equal strength, in points."""
    # Plackett-Luce: a player wins with the probability e^(mu/c) / sum over all players, c = sqrt(seats) * beta.
    return round(SCALE * sqrt(seats) * BETA * log(share * (seats - 1) / (1 - share)))


def _section(game: str, rows: Mapping[str, Sequence[int]]) -> str:
    return "\n".join([f"[{game}]", *(f"{player} = [{rating}, {margin}]" for player, (rating, margin) in rows.items())])


if __name__ == "__main__":
    main()
