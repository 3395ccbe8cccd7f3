"""`python -m tools.arena muscat --players strong,fair --games 200`: one row of a table, nothing is written."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain

from engine.core import OptionValue, Setup
from engine.games import discover
from engine.players import discover as discover_players
from engine.players.search.thinker import Thinker
from engine.texts import Seat, option_text
from tools.arena.figures import elo, percentile, wilson
from tools.arena.game import Game, Played, play, rotated

HEADINGS = ("game", "seats", "player", "against", "games", "share", "95 %", "fair", "Elo", "p50 ms", "p99 ms")


def main(given: Sequence[str] | None = None) -> None:
    asked = arguments(given)
    spec = discover()[asked.game]
    # Options are written as they are read, such as `hands=1`; `setup` refuses what is none.
    choices = {name: field.metadata["choices"] for name, field in spec.options.__dataclass_fields__.items()}
    chosen: dict[str, OptionValue] = {}
    for name, _, text in (option.partition("=") for option in asked.options):
        chosen[name] = next((value for value in choices.get(name, ()) if option_text(value) == text), text)
    setup = spec.setup(asked.seats or spec.seats[0], chosen)
    games = list(each_seat(asked, setup))
    with ProcessPoolExecutor(asked.jobs) as pool:
        # A pool begins no process before it has work.
        played = list(pool.map(play, games) if asked.jobs > 1 else map(play, games))
    if not asked.bare:
        print(_row(HEADINGS), _row(["---"] * len(HEADINGS)), sep="\n")
    print(_row(_cells(asked, games, played)))


def arguments(given: Sequence[str] | None = None) -> Namespace:
    """What is asked for on the command line."""
    parser = ArgumentParser(prog="python -m tools.arena", description=__doc__)
    parser.add_argument("game", choices=discover())
    parser.add_argument("--players", default="strong,fair", help="who is measured, and against whom")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seats", type=int, help="the fewest of the game if not given")
    parser.add_argument("--options", nargs="*", default=(), metavar="NAME=VALUE", help="options of the game")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--seed", default="arena")
    parser.add_argument("--peek", action="store_true", help="the first player sees what is hidden: the ceiling of luck")
    parser.add_argument("--effort", type=float, default=1.0, help="the part of its time that the first player thinks")
    parser.add_argument(
        "--only",
        default="",
        metavar="VERB",
        help="the first player decides only what this verb answers, where the second takes the first option; "
        "all else is decided by the second player for everybody",
    )
    parser.add_argument("--bare", action="store_true", help="without the heading of the table")
    asked = parser.parse_args(given)
    asked.first, asked.others = asked.players.split(",")
    for name in (asked.first, asked.others):
        if name not in discover_players():
            parser.error(f"there is no player {name}, but {', '.join(discover_players())}")
    if asked.only and asked.only not in (verbs := [action.verb for action in discover()[asked.game].actions]):
        parser.error(f"{asked.game} has no verb {asked.only}, but {', '.join(verbs)}")
    if not isinstance(discover_players()[asked.first].choose, Thinker) and (asked.peek or asked.effort != 1):
        parser.error(f"{asked.first} does not think ahead: it can neither use what it sees nor think for less time")
    return asked


def each_seat(asked: Namespace, setup: Setup) -> Iterator[Game]:
    """Each luck is played once in every seat."""
    for number in range(asked.games):
        # Measured in all seats with the same luck, nobody is favored by a lucky seat.
        players = rotated(asked.first, asked.others, setup.seats, number)
        luck, measured = f"{asked.seed} {number // setup.seats}", Seat(number % setup.seats)
        yield Game(asked.game, setup, players, luck, measured, asked.effort, asked.peek, asked.only)


def _cells(asked: Namespace, games: list[Game], played: list[Played]) -> list[str]:
    seats = games[0].setup.seats
    # As `rotated` seats the first player.
    own = [number % seats for number in range(len(games))]
    share = sum(one.outcome.returns[seat] for one, seat in zip(played, own, strict=True)) / len(games)
    low, high = wilson(share, len(games))
    times = list(chain.from_iterable(one.seconds[seat] for one, seat in zip(played, own, strict=True)))
    return [
        asked.game,
        str(seats),
        _named(asked),
        asked.others,
        str(len(games)),
        f"{share:.1%}",
        f"{low:.1%} to {high:.1%}",
        f"{1 / seats:.1%}",
        f"{elo(share, 1 / seats):+.0f}",
        f"{percentile(times, 50) * 1000:.1f}",
        f"{percentile(times, 99) * 1000:.1f}",
    ]


def _named(asked: Namespace) -> str:
    effort = "" if asked.effort == 1 else f" ({asked.effort:.0%} of its time)"
    only = f" (only {asked.only})" if asked.only else ""
    return f"{asked.first}{effort}{' (peeking)' if asked.peek else ''}{only}"


def _row(cells: list[str] | tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
