"""Evaluation of Muscat: artists by level and by the effect of a cycle on them."""

from __future__ import annotations

from operator import add, getitem

from engine.evaluation import Evaluation
from engine.games.muscat.artists import ARTISTS
from engine.games.muscat.board import HOLDERS, NUMBERS, TRIO
from engine.games.muscat.city import LEVELS
from engine.games.muscat.state import LEVEL_POINTS, PALACE_POINTS, Muscat, OpensTurn, palace_limit
from engine.games.muscat.verbs.remove import GiveUp
from engine.texts import Text

FREE, THREATENED, RISES, FALLS = ROLES = ("free", "threatened", "rises", "falls")
"""The roles of artists on a market: by rank if it is full, otherwise by the presence of a threat (rule 5.1)."""

NAMES = (
    "points",  # 7
    *ROLES,  # artists on markets (5.1 to 5.3) ...
    *(f"{role}_levels" for role in ROLES),  # ... and their levels added up
    "streets",  # artists in the streets, which can go back to work or pay (4.3, 4.7) ...
    "streets_levels",  # ... and the sum of their street numbers
    "palace",  # 5.5
    "reserve",  # artists not brought in yet; a seat without any ends the game (4.1, 6.2)
    "to_place",  # a drawn artist that must be placed (4.1)
    "owing",  # whether the price of 4.7 is due
    "next",  # whether the seat has the next turn,
    "next_rises",  # and the highest level from which one of its artists could rise at once
    "later",  # distance of the seat's turn
    "last_turn",  # whether the seat still has a turn in the last round (6.1)
)

ROUNDS, ALL_OF_A_SEAT = 25, 16
"""The usual length of a game in rounds, and the number of artists of a seat."""

_POINTS, _ROLES, _HEIGHTS = 0, 1, 5
_RISES = _ROLES + ROLES.index(RISES)
_STREETS, _STREETS_HEIGHT, _PALACE, _RESERVE, _TO_PLACE, _OWING, _NEXT, _NEXT_RISES, _LATER, _LAST = range(9, 19)
_NOTHING = (0.0,) * (len(NAMES) - _STREETS)
"""The columns that do not follow from the markets, at the beginning."""


def _roles(code: int) -> tuple[tuple[int, int], ...]:
    """The seat and the role index of each artist on a market."""
    here = [(seat, field) for field, seat in enumerate(HOLDERS[code]) if seat is not None]
    return tuple((int(seat), ROLES.index(_role(code, field))) for seat, field in here)


def _role(code: int, field: int) -> str:
    if trio := TRIO[code]:
        return FALLS if trio.weakest.field == field else RISES
    hunter = (field - 1) % len(ARTISTS)
    return FREE if HOLDERS[code][hunter] is None else THREATENED


_ROLES_ON = tuple(map(_roles, range(len(HOLDERS))))
"""Code -> the seat and the role index of each artist on a market."""

_RISING = tuple(frozenset(seat for seat, role in roles if ROLES[role] == RISES) for roles in _ROLES_ON)
"""Code -> the seats of the artists that would rise."""


def _counts(level: int, code: int) -> int:
    """The part of a market in the first columns of all seats: a number with a byte for each column of each seat."""
    counts = 0
    for seat, role in _ROLES_ON[code]:
        for column, number in ((_POINTS, LEVEL_POINTS * level), (_ROLES + role, 1), (_HEIGHTS + role, level)):
            counts += number << 8 * (seat * _STREETS + column)
    return counts


_ON_LEVEL = {level: tuple(_counts(level, code) for code in range(len(HOLDERS))) for level in LEVELS}
_ON_BOARD = {seats: tuple(_ON_LEVEL[market.level] for market in numbers) for seats, numbers in NUMBERS.items()}
"""Number of seats -> for each market of a board, code -> its counts."""


def progress(state: Muscat) -> float:
    """The mean of the part of rounds, and of the progress towards the end: a full palace (6.1) or no reserves (6.2)."""
    seats = state.setup.seats
    rounds, palace = state.clock / (ROUNDS * seats), sum(state.courtiers) / palace_limit(seats)
    # Measured (players/measurements.md): without the reserves, games that end by rule 6.2 seemed half over until their
    # last turn.
    least: int = min(map(add, map(sum, state.piles), map(bool, state.shown_tokens)))
    return (min(1.0, rounds) + min(1.0, max(palace, 1 - least / ALL_OF_A_SEAT))) / 2


def features(state: Muscat) -> list[list[float]]:
    """The features of each seat."""
    seats = state.setup.seats
    # A byte cannot overflow: 16 artists have at most 128 points on markets (rule 2.1).
    counts = sum(map(getitem, _ON_BOARD[seats], state.board)).to_bytes(seats * _STREETS, "little")
    rows: list[list[float]] = [
        [*counts[first : first + _STREETS], *_NOTHING] for first in range(0, seats * _STREETS, _STREETS)
    ]
    _count_people(rows, state)
    _count_pending(rows, state)
    _count_turns(rows, state)
    return rows


def _count_people(rows: list[list[float]], state: Muscat) -> None:
    """Add the artists in the streets, in the palace and in reserve."""
    for row, idlers, pile, token in zip(rows, state.idlers, state.piles, state.shown_tokens, strict=True):
        if idlers:
            streets = sum([street for street, _ in idlers])
            row[_POINTS] -= streets
            row[_STREETS] = len(idlers)
            row[_STREETS_HEIGHT] = streets
        row[_RESERVE] = sum(pile) + (token is not None)
    if any(state.courtiers):
        kinds = len(ARTISTS)
        for seat, row in enumerate(rows):
            row[_PALACE] = courtiers = sum(state.courtiers[seat * kinds : (seat + 1) * kinds])
            row[_POINTS] += PALACE_POINTS * courtiers


def _count_pending(rows: list[list[float]], state: Muscat) -> None:
    """Add the tokens of pending questions. Risers count as if they had arrived."""
    question = state.frames[-1]
    if isinstance(question, OpensTurn):
        return
    if token := question.drawn():
        rows[token.seat][_TO_PLACE] = 1
    for riser in question.rising(state):
        # Its neighbors are not known yet, so it counts as free.
        row, level = rows[riser.seat], min(riser.origin.level + 1, LEVELS[-1])
        row[_POINTS] += LEVEL_POINTS * level
        row[_ROLES] += 1
        row[_HEIGHTS] += level
    # The first frame is `Turn`, and the price of its action is asked last.
    if isinstance(state.frames[1], GiveUp):
        rows[state.turn][_OWING] = 1


def _count_turns(rows: list[list[float]], state: Muscat) -> None:
    """Add the features of the next turns, without the current one."""
    seats = len(rows)
    # In the middle of a turn, the next seat has the next turn.
    clock = state.clock + (not isinstance(state.frames[-1], OpensTurn))
    first = (state.setup.options.start_player + clock) % seats
    rows[first][_NEXT] = 1
    # Most seats have no riser, so the markets are searched only if needed.
    if rows[first][_RISES]:
        rows[first][_NEXT_RISES] = _highest_riser(state.board, first, seats)
    # In the last turn of a round, it is `seats`: no seat has another turn in this round (rule 6.1).
    in_round = clock % seats if clock == state.clock else (clock - 1) % seats + 1
    for seat, row in enumerate(rows):
        wait = (seat - first) % seats
        row[_LATER] = wait / seats
        if state.last_round:
            row[_LAST] = in_round + wait < seats


def _highest_riser(board: tuple[int, ...], seat: int, seats: int) -> int:
    """The level of the highest artist of a seat that would rise, 0 if there is none."""
    for number in range(len(board) - 1, -1, -1):
        if seat in _RISING[board[number]]:
            return number // seats + 1
    return 0


PHRASES = {
    "points": (Text("more points"), Text("fewer points")),
    "free": (Text("more artists whom nobody threatens"), Text("fewer artists whom nobody threatens")),
    "threatened": (Text("more artists under threat"), Text("fewer artists under threat")),
    "rises": (Text("more artists who would rise"), Text("fewer artists who would rise")),
    "falls": (Text("more artists who would fall"), Text("fewer artists who would fall")),
    "free_levels": (Text("safe artists higher up"), Text("safe artists further down")),
    "threatened_levels": (Text("threatened artists higher up"), Text("threatened artists further down")),
    "rises_levels": (Text("artists ready to rise from higher up"), Text("artists ready to rise from further down")),
    "falls_levels": (Text("more to lose on high levels"), Text("less to lose on high levels")),
    "streets": (Text("more artists in the streets"), Text("fewer artists in the streets")),
    "palace": (Text("more artists in the palace"), Text("fewer artists in the palace")),
    "reserve": (Text("more artists still to bring in"), Text("fewer artists still to bring in")),
    "next_rises": (Text("an artist that can rise next turn"), Text("no artist that can rise next turn")),
}
"""Feature -> the phrases for more and for less of it."""


EVALUATE = Evaluation(__package__, NAMES, features, progress, phrases=PHRASES)
