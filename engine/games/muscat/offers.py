"""The options of the questions: the actions of a turn, and the possible markets of artists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.core import Action, Setup
from engine.games.muscat.actions import Draw, Place
from engine.games.muscat.board import CAPACITY, COUNT, OPEN, OWN, RIVALS, TRIO, VACANT, Idler, Token
from engine.games.muscat.city import Market, Start
from engine.games.muscat.options import SHARE
from engine.games.muscat.repertoire import Repertoire, repertoire_for
from engine.games.muscat.state import Muscat
from engine.texts import Seat

DRAW = Draw()
IN_STREET = Place(Start.STREET)


def places(board: Sequence[int], token: Token, repertoire: Repertoire) -> tuple[Place, ...]:
    """The markets of level 1 with room for a new token; if empty, it must go to street 1 (rule 4.1)."""
    room = OPEN[token.field]
    choices = zip(repertoire.places, board, strict=False)  # the board begins with level 1
    return tuple([place for place, code in choices if room[code]])


def turn_options(state: Muscat) -> tuple[Action, ...]:
    """The actions of the seat on turn (rule 4), in the order of the rulebook."""
    seat, board, repertoire = state.turn, state.board, repertoire_for(state.setup.seats)
    # tests/perft/naive_muscat.py checks them with an independent program.
    options: list[Action] = []
    if token := state.shown[seat]:
        options += places(board, token, repertoire) or (IN_STREET,)
    if any(state.piles[seat]):
        options.append(DRAW)
    full = [market for market, code in enumerate(board) if TRIO[code]]
    # Any full market (rule 4.2), unless the option requires an artist of the seat there (rule 9).
    own = OWN[seat] if state.setup.options.cycle_needs_own_token else None
    options += [repertoire.cycles[market] for market in full if own is None or own[board[market]]]
    # All of these need an artist in a street (rules 4.3 to 4.7). Equal ones are one option (rule 2.1).
    if idlers := dict.fromkeys(state.idlers[seat]):
        options += reemployments(board, idlers, repertoire)
        options += _changes_and_expulsions(board, seat, repertoire)
        options += _transformations(board, seat, idlers, repertoire, full)
    return tuple(options)


def reemployments(board: Sequence[int], idlers: Iterable[Idler], repertoire: Repertoire) -> list[Action]:
    """The re-employments of never-do-wells (rule 4.3): from a street to the level above it."""
    options: list[Action] = []
    for idler in idlers:
        room = OPEN[idler.field]
        options += [action for market, action in repertoire.reemployments[idler] if room[board[market]]]
    return options


def higher_markets(
    board: Sequence[int], setup: Setup, origin: Market, token: Token, taken: Market | None
) -> tuple[Market, ...]:
    """The markets for a riser: those with room on the lowest possible level (rules 5.3 and 5.4); empty = the palace.

    The second artist can follow the strongest only to the last market left, with the option `blocked_second`.

    Args:
        board: codes of all markets, with that of the cycle already empty.
        setup: the setup of the match.
        origin: the market of the cycle.
        token: the riser.
        taken: the market that the strongest artist of this cycle has entered, if any.
    """
    room = OPEN[token.field]
    for level in repertoire_for(setup.seats).levels[origin.level :]:
        markets = [market for number, market in level if room[board[number]]]
        if taken in markets and not (setup.options.blocked_second == SHARE and len(markets) == 1):
            markets.remove(taken)
        if markets:
            return tuple(markets)
    return ()


def _changes_and_expulsions(board: Sequence[int], seat: Seat, repertoire: Repertoire) -> list[Action]:
    """The changes of place and expulsions (rules 4.4 and 4.5), for each ordered pair of markets of a level."""
    own, rivals = OWN[seat], RIVALS[seat]
    changes: list[Action] = []
    expulsions: list[Action] = []
    for origin, here in enumerate(board):
        if mine := own[here]:
            full = COUNT[here] == CAPACITY
            for target, change, expel in repertoire.neighbors[origin]:
                there = board[target]
                count = COUNT[there]
                # A change of place goes to a market with two artists (rule 4.4).
                if count == CAPACITY - 1:
                    changes += change[mine & VACANT[there]]
                # One of the two markets must be full (rule 4.5).
                if full or count == CAPACITY:
                    expulsions += expel[mine & rivals[there]]
    return changes + expulsions


def _transformations(
    board: Sequence[int], seat: Seat, idlers: Iterable[Idler], repertoire: Repertoire, full: Iterable[int]
) -> list[Action]:
    """The transformations (rule 4.6): the seat has the weakest artist, and the missing kind in a street."""
    return [
        repertoire.transformations[market, idler.street]
        for market in full
        if (trio := TRIO[board[market]]) and trio.weakest.seat == seat
        for idler in idlers
        if idler.field == trio.missing
    ]
