"""Discovery of games in the folder `engine/games` and in installed packages.

A package offers a game by an entry point in the group `caravanserai.games`: its name is the slug of the game, its value
the module with the `GAME`. An unusable game of a package is left out with a sentence for the operator, while a broken
built-in game is an error. Otherwise, both kinds are treated alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from engine.core import INTERFACE, GameSpec
from engine.match import Match
from engine.values import Value

GROUP = "caravanserai.games"
"""The group of the entry points."""

SLUG = re.compile("[a-z][a-z0-9]{1,19}")
"""Pattern of a slug, which is the name of a command, a folder and a catalog."""

RESERVED_SLUGS = frozenset({"admin", "game", "league", "me", "server", "stats", "table", "bot", "engine", "renders"})
"""Names of other commands and of other catalogs."""


class Source(Value):
    """The module with the `GAME`, and the installed package that contains it, or `""` for a built-in game."""

    slug: str
    module: str
    package: str = ""


class Discovered(Value):
    """The games and their sources by slug, and a sentence for the operator about each unusable game."""

    games: dict[str, GameSpec]
    sources: Mapping[str, Source]
    problems: tuple[str, ...] = ()


class UnusableGame(Exception):
    """The game of a package is unusable. The text completes the sentence `The game nard of … is left out: …`."""


def installed_sources() -> Iterator[Source]:
    """The games of installed packages, sorted by slug and package."""
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        package = f"{point.dist.name} {point.dist.version}" if point.dist else "an unknown package"
        yield Source(point.name, point.value, package)


def load_games(sources: Iterable[Source]) -> Discovered:
    """Load games; of several with the same slug, only the first one. Errors of built-in games are not caught."""
    games: dict[str, GameSpec] = {}
    loaded: dict[str, Source] = {}
    problems = []
    for source in sources:
        try:
            if source.slug in games:
                raise UnusableGame(f"{loaded[source.slug].package or 'this bot'} has a game of that name already")
            games[source.slug] = _load(source)
            loaded[source.slug] = source
        except UnusableGame as error:
            problems.append(f"The game {source.slug} of {source.package} is left out: {error}.")
    return Discovered(dict(sorted(games.items())), loaded, tuple(problems))


def _load(source: Source) -> GameSpec:
    if not source.package:
        spec: GameSpec = import_module(source.module).GAME
        return spec
    if not SLUG.fullmatch(source.slug):
        raise UnusableGame("its name must be 2 to 20 lower-case letters and digits")
    if source.slug in RESERVED_SLUGS:
        raise UnusableGame("this bot uses that name for something else")
    game = _import_game(source)
    if game.slug != source.slug:
        raise UnusableGame(f"its entry point and its slug, {game.slug}, differ")
    if game.interface != INTERFACE:
        raise UnusableGame(
            f"it was written for version {game.interface} of the interface, and this bot has version {INTERFACE}; "
            "install versions of both that fit"
        )
    _begin_each(game)
    return game


def _import_game(source: Source) -> GameSpec:
    try:
        game: Any = getattr(import_module(source.module), "GAME", None)
    # third-party code may raise anything, but must not prevent the bot from starting; the sentence names the error
    except (Exception, SystemExit) as error:
        raise UnusableGame(f"{source.module} cannot be imported ({_error_text(error)})") from error
    if not isinstance(game, GameSpec):
        raise UnusableGame(f"{source.module} has no GAME that is a GameSpec")
    return game


def _begin_each(game: GameSpec) -> None:
    """Begin a match for each number of seats. Raises `UnusableGame` if that fails."""
    try:
        for seats in game.seats:
            if not Match.begin(game, game.setup(seats), "").state.decisions():
                raise UnusableGame(f"a match for {seats} begins without a decision")
    except UnusableGame:
        raise
    # as in `_import_game`
    except (Exception, SystemExit) as error:
        raise UnusableGame(f"no match of it can begin ({_error_text(error)})") from error


def _error_text(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
