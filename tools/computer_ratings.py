"""`python -m tools.computer_ratings muscat`: measure the fixed ratings of the computer players of a game anew."""

from __future__ import annotations

import tomllib
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from importlib.resources import files
from math import log, sqrt
from pathlib import Path

from bot.store.tally import NEWCOMER, SCALE
from engine.games import discover
from engine.players import for_people
from tools.arena.figures import wilson
from tools.arena.game import Game, play, rotated

PLACE = Path(str(files("bot.store") / "computer_ratings.toml"))
AVERAGE, ITS_MARGIN = "fair", 60
"""The player who has the rating of a newcomer, and its margin."""

BETA = 25 / 6
"""How much luck is in a game, as `openskill` has it."""


def main(given: Sequence[str] | None = None, place: Path = PLACE) -> None:
    """Play, and write the rows of a game."""
    parser = ArgumentParser(prog="python -m tools.computer_ratings", description=__doc__)
    parser.add_argument("game", choices=discover())
    parser.add_argument("--games", type=int, default=200, help="against each other kind of player")
    parser.add_argument("--players", nargs="*", choices=for_people(), default=for_people(), help="all if left out")
    asked = parser.parse_args(given)
    text = place.read_text("utf-8")
    ratings = tomllib.loads(text)
    new = {player: measured(asked.game, player, asked.games) for player in asked.players}
    ratings[asked.game] = ratings.get(asked.game, {}) | new
    heading = text.partition("\n\n")[0]
    place.write_text("\n\n".join([heading, *(_section(game, rows) for game, rows in ratings.items())]) + "\n", "utf-8")


def measured(slug: str, player: str, games: int) -> tuple[int, int]:
    """The rating and margin of a player, one against others that are `fair`, with the fewest seats of the game."""
    if player == AVERAGE:
        return NEWCOMER, ITS_MARGIN
    setup = discover()[slug].setup(discover()[slug].seats[0])
    played = [
        play(Game(slug, setup, rotated(player, AVERAGE, setup.seats, n), f"rating {n // setup.seats}"))
        for n in range(games)
    ]
    # the player sits elsewhere in each game, so that no seat is an advantage
    share = sum(one.outcome.returns[n % setup.seats] for n, one in enumerate(played)) / games
    # who wins all games or none is stronger or weaker than can be measured
    least, most = 1 / (4 * games), 1 - 1 / (4 * games)
    low, high = (difference(min(max(end, least), most), setup.seats) for end in wilson(share, games))
    return NEWCOMER + (low + high) // 2, max(ITS_MARGIN, (high - low) // 2)


def difference(share: float, seats: int) -> int:
    """By how many points a player is stronger than others of a kind if they win this share of the games."""
    # Plackett and Luce: each wins with e^(mu/c) over the sum of all, where c is sqrt(seats) * beta; solved for mu
    return round(SCALE * sqrt(seats) * BETA * log(share * (seats - 1) / (1 - share)))


def _section(game: str, rows: Mapping[str, Sequence[int]]) -> str:
    return "\n".join([f"[{game}]", *(f"{player} = [{rating}, {margin}]" for player, (rating, margin) in rows.items())])


if __name__ == "__main__":
    main()
