"""`python -m tools.arena muscat --players strong,fair --games 200`: print the strength of a player as a table row."""

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
from tools.arena.game import Game, GameResult, play, seating

HEADINGS = ("game", "seats", "player", "against", "games", "share", "95 %", "fair", "Elo", "p50 ms", "p99 ms")


def main(command_line: Sequence[str] | None = None) -> None:
    """Play the games and print the row."""
    args = arguments(command_line)
    spec = discover()[args.game]
    # Options have their displayed values, such as `hands=1`; `setup` rejects all others.
    choices = {name: field.metadata["choices"] for name, field in spec.options.__dataclass_fields__.items()}
    options: dict[str, OptionValue] = {}
    for name, _, text in (option.partition("=") for option in args.options):
        options[name] = next((value for value in choices.get(name, ()) if option_text(value) == text), text)
    setup = spec.setup(args.seats or spec.seats[0], options)
    games = list(each_seat(args, setup))
    with ProcessPoolExecutor(args.jobs) as pool:
        # A pool does not start processes until it has work.
        matches = list(pool.map(play, games) if args.jobs > 1 else map(play, games))
    if not args.bare:
        print(_row(HEADINGS), _row(["---"] * len(HEADINGS)), sep="\n")
    print(_row(_cells(args, games, matches)))


def arguments(command_line: Sequence[str] | None = None) -> Namespace:
    """Parse and check the command line."""
    parser = ArgumentParser(prog="python -m tools.arena", description=__doc__)
    parser.add_argument("game", choices=discover())
    parser.add_argument("--players", default="strong,fair", help="the measured player, and its opponents")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seats", type=int, help="default: the minimum of the game")
    parser.add_argument("--options", nargs="*", default=(), metavar="NAME=VALUE", help="options of the game")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--seed", default="arena")
    parser.add_argument("--peek", action="store_true", help="show hidden cards to the first player: an upper bound")
    parser.add_argument(
        "--effort", type=float, default=1.0, help="part of its thinking time that the first player uses"
    )
    parser.add_argument(
        "--only",
        default="",
        metavar="VERB",
        help="measure only decisions for this verb: the first player makes them, its opponents take the first option, "
        "and the second player makes all other decisions for all seats",
    )
    parser.add_argument("--bare", action="store_true", help="omit the header of the table")
    args = parser.parse_args(command_line)
    args.first, args.others = args.players.split(",")
    for name in (args.first, args.others):
        if name not in discover_players():
            parser.error(f"there is no player {name}, only {', '.join(discover_players())}")
    if args.only and args.only not in (verbs := [action.verb for action in discover()[args.game].actions]):
        parser.error(f"{args.game} has no verb {args.only}, only {', '.join(verbs)}")
    if not isinstance(discover_players()[args.first].choose, Thinker) and (args.peek or args.effort != 1):
        parser.error(f"{args.first} does not search: --peek and --effort have no effect on it")
    return args


def each_seat(args: Namespace, setup: Setup) -> Iterator[Game]:
    """The games to play: each seed once with the measured player in every seat."""
    for number in range(args.games):
        # With the same seed in all seats, a lucky seat favors neither side.
        players = seating(args.first, args.others, setup.seats, number)
        luck, measured = f"{args.seed} {number // setup.seats}", Seat(number % setup.seats)
        yield Game(args.game, setup, players, luck, measured, args.effort, args.peek, args.only)


def _cells(args: Namespace, games: list[Game], played: list[GameResult]) -> list[str]:
    seats = games[0].setup.seats
    # The seat of the first player, as in `seating`.
    own = [number % seats for number in range(len(games))]
    share = sum(match.outcome.returns[seat] for match, seat in zip(played, own, strict=True)) / len(games)
    low, high = wilson(share, len(games))
    times = list(chain.from_iterable(match.seconds[seat] for match, seat in zip(played, own, strict=True)))
    return [
        args.game,
        str(seats),
        _player_cell(args),
        args.others,
        str(len(games)),
        f"{share:.1%}",
        f"{low:.1%} to {high:.1%}",
        f"{1 / seats:.1%}",
        f"{elo(share, 1 / seats):+.0f}",
        f"{percentile(times, 50) * 1000:.1f}",
        f"{percentile(times, 99) * 1000:.1f}",
    ]


def _player_cell(args: Namespace) -> str:
    effort = "" if args.effort == 1 else f" ({args.effort:.0%} of its time)"
    only = f" (only {args.only})" if args.only else ""
    return f"{args.first}{effort}{' (peeking)' if args.peek else ''}{only}"


def _row(cells: list[str] | tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
