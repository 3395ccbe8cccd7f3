"""Faults of games from packages: an error in the code of such a game costs its own table an apology, and no other.

Code that a package brings may raise anything anywhere, also `SystemExit`, return nonsense, or loop until the watchdog
ends it (`bot.watchdog`). All such errors become a `GameFault` here, with one line in the log. Errors of built-in games
are bugs of this program, and stay what they are.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TypeVar

from bot.errors import (
    DISCORD_ERRORS,
    AlreadyHandled,
    GameFault,
    GameStuck,
    LoopStuck,
    NonsenseError,
    QuestionAsked,
    UserError,
    outline,
    place_of,
)
from bot.store.database import Conflict
from bot.store.failures import DatabaseUnavailable
from bot.tables.loaded import LoadedMatch
from engine.core import Decision, Outcome
from engine.errors import BrokenLog, EngineError, SetupError
from engine.games import discover_all
from engine.match import Match
from engine.texts import CHANCE, Text, joined, term

T = TypeVar("T")

_log = logging.getLogger(__name__)

EXPECTED_ERRORS = (
    UserError,
    EngineError,
    AlreadyHandled,
    QuestionAsked,
    DatabaseUnavailable,
    Conflict,
    *DISCORD_ERRORS,
)
"""Errors with a meaning of their own, unless the code of a game raises them."""

FAULT_TEXT = Text("The code of this game has failed.")

STUCK_TEXT = Text("The code of this game got stuck in an endless loop.")

WAY_OUT_TEXT = Text("It can’t continue, but its log is kept. The host can close it with `/table end`.")

MAX_SCORE = 2**31
"""The limit of an integer in PostgreSQL."""

MAX_REMEMBERED = 1000
"""Faults that are in the log already, and are not logged again."""

_logged: set[tuple[str, int, str]] = set()


def package_of(game: str) -> str:
    """The top-level module of the package that brings a game; `""` for a built-in game."""
    source = discover_all().sources.get(game)
    return source.module.partition(".")[0] if source and source.package else ""


def game_of(frame: FrameType) -> str:
    """The game whose code a frame runs, if a package brings it; `""` for all other code."""
    module = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    return next((slug for slug in discover_all().sources if package_of(slug) == module), "")


def fault_of(error: BaseException, game: str = "", match_id: int = 0) -> GameFault | None:
    """Log an error that the code of a package's game has caused, and return it as a fault; `None` for other errors.

    At a match of such a `game`, an error without a meaning of its own counts, too: the game may have returned nonsense.
    """
    if isinstance(error, GameFault):
        return error
    origin, place = _origin(error)
    if not origin and package_of(game) and _is_unexpected(error):
        origin, place = game, place_of(error)
    # the game has returned in this very moment
    if not origin and isinstance(error, GameStuck):
        origin, place = game or "unknown", place_of(error)
    if not origin:
        return None
    _report(error, origin, match_id, str(error) if isinstance(error, NonsenseError) else place)
    fault = GameFault(_apology(origin, match_id))
    fault.held_up_others = isinstance(error, LoopStuck)
    return fault


@contextmanager
def guarding(table: LoadedMatch) -> Iterator[None]:
    """Raise `GameFault` in place of an error that the code of the table's game causes within the block.

    A table whose game has run in an endless loop cannot go on until it is read again: each loop holds up all tables.
    """
    try:
        yield
    # the code of a game may raise anything, even `SystemExit`; `fault_of` logs it, or it is raised again
    except BaseException as error:
        fault = fault_of(error, table.row.game, table.id)
        if fault is None:
            raise
        if fault.held_up_others:
            table.match, table.problem = None, joined([STUCK_TEXT, WAY_OUT_TEXT])
        # the messages of the original error may quote a hand
        raise fault from None


@contextmanager
def guarding_match(game: str = "", match_id: int = 0) -> Iterator[None]:
    """Raise `GameFault` in place of an error that the code of a game causes within the block."""
    try:
        yield
    # as in `guarding`
    except BaseException as error:
        if fault := fault_of(error, game, match_id):
            raise fault from None
        raise


async def run_contained(work: Awaitable[T]) -> T:
    """The result of work in a task of its own. Raises `GameFault` where `SystemExit` would end the event loop."""
    with guarding_match():
        return await work


def run_guarded(table: LoadedMatch, work: Callable[[], T], otherwise: Callable[[GameFault], T]) -> T:
    """The result of work with the code of a table's game, or else what `otherwise` makes of the fault."""
    try:
        with guarding(table):
            return work()
    except GameFault as fault:
        return otherwise(fault)


def require_playable(table: LoadedMatch) -> None:
    """Raise `GameFault` for a table that cannot go on: its jobs pause until its game is back or repaired."""
    if table.problem:
        raise GameFault(table.problem)


def require_sense(match: Match) -> None:
    """Raise `NonsenseError` if the code of a package's game has led to a position that cannot be stored or played."""
    if not package_of(match.spec.slug):
        return
    outcome, decisions = match.outcome, match.state.decisions()
    if outcome is None:
        _require_decisions(match, decisions)
    else:
        _require_outcome(match, outcome)


def _require_decisions(match: Match, decisions: object) -> None:
    if not isinstance(decisions, tuple) or not decisions:
        raise NonsenseError("decisions() returns no decisions, and the game is not over")
    for decision in decisions:
        if not isinstance(decision, Decision) or not isinstance(decision.prompt, Text):
            raise NonsenseError("decisions() returns a value that is not a decision with a text")
        if decision.seat != CHANCE and decision.seat not in range(match.setup.seats):
            raise NonsenseError("decisions() asks a seat that does not exist")
        if decision.seat != CHANCE and not decision.options:
            raise NonsenseError("decisions() returns a decision without options")


def _require_outcome(match: Match, outcome: object) -> None:
    if not isinstance(outcome, Outcome):
        raise NonsenseError("outcome() returns a value that is not an outcome")
    if {len(outcome.returns), len(outcome.scores)} != {match.setup.seats}:
        raise NonsenseError("outcome() has not one return and one score for each seat")
    if not all(isinstance(value, int | float) and 0 <= value <= 1 for value in outcome.returns):
        raise NonsenseError("outcome() has a return that is not a number from 0 to 1")
    if not all(type(score) is int and abs(score) < MAX_SCORE for score in outcome.scores):
        raise NonsenseError("outcome() has a score that is not an integer of up to 32 bits")


def _report(error: BaseException, game: str, match_id: int, place: str) -> None:
    if (game, match_id, place) in _logged:
        return
    if len(_logged) >= MAX_REMEMBERED:
        _logged.clear()
    _logged.add((game, match_id, place))
    at_match = f" at match {match_id}" if match_id else ""
    _log.error("the code of the game %s failed%s: %s", game, at_match, place)
    _log.debug("it failed here: %s", outline(error))


def _apology(game: str, match_id: int) -> Text:
    apology = Text(
        "Something went wrong in the code of **{title}**, which is not a part of me. The game is safe.",
        title=term(discover_all().games[game].title if game in discover_all().games else game),
    )
    number = Text("-# Report this number if it happens again: {number}", number=str(match_id))
    return joined([apology, number], "\n") if match_id else apology


def _is_unexpected(error: BaseException) -> bool:
    return isinstance(error, Exception) and not isinstance(error, EXPECTED_ERRORS)


def _origin(error: BaseException) -> tuple[str, str]:
    """The package game whose code has raised an error, and the place there; empty for errors that it may raise."""
    if isinstance(error, BrokenLog):
        return _origin(error.__cause__) if error.__cause__ else ("", "")
    if isinstance(error, SetupError):
        return "", ""
    game, place = "", ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        if slug := game_of(frame):
            game, place = slug, f"{type(error).__name__} at {Path(frame.f_code.co_filename).name}:{line}"
    return game, place
