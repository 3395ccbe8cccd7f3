"""The turns of a match: consecutive plies of a seat, with the draws that follow them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from engine.core import Event
from engine.match import Match
from engine.texts import CHANCE, Seat
from engine.values import Value


class Turn(Value):
    """Consecutive plies of a seat, with the draws that follow; of CHANCE only for the initial layout.

    The turn has the plies `first` up to, but not including, `end`. `moves` are the numbers of its first and last move,
    counted from 1 without draws. `events` are those visible to one viewer.
    """

    seat: Seat
    first: int
    end: int
    moves: tuple[int, int]
    events: tuple[Event, ...]


NO_OPENINGS: Mapping[int, Seat] = MappingProxyType({})


def turns_of(history: Sequence[tuple[Seat, Sequence[Event]]], openings: Mapping[int, Seat] = NO_OPENINGS) -> list[Turn]:
    """The turns of a history that starts at the beginning of a match, including turns without visible events.

    `openings` are the plies of chance that begin the turn of a seat; all others belong to the turn before them.

    >>> turns = turns_of([(CHANCE, ()), (Seat(0), ()), (Seat(0), ()), (CHANCE, ()), (Seat(1), ())])
    >>> [(turn.seat, turn.first, turn.end, turn.moves) for turn in turns]
    [(-1, 0, 1, (0, 0)), (0, 1, 4, (1, 2)), (1, 4, 5, (3, 3))]
    """
    turns: list[Turn] = []
    for ply, (seat, events) in enumerate(history):
        owner = openings.get(ply, seat)
        move = (turns[-1].moves[1] if turns else 0) + (seat != CHANCE)
        if turns and owner in (CHANCE, turns[-1].seat):
            last = turns.pop()
            turns.append(Turn(last.seat, last.first, ply + 1, (last.moves[0], move), (*last.events, *events)))
        else:
            # the first move of a turn that an opening begins is still to come
            turns.append(Turn(owner, ply, ply + 1, (move + (seat != owner), move), tuple(events)))
    return turns


def scenes_of(match: Match) -> list[Turn]:
    """The public scenes of a match: the opening, then each turn with public events.

    A turn without public events becomes part of the next scene.
    """
    turns = turns_of(match.history(None))
    # There is always an opening, even if luck lays out nothing.
    opening = turns.pop(0) if turns and turns[0].seat == CHANCE else Turn(CHANCE, 0, 0, (0, 0), ())
    return [opening, *(turn for turn in turns if turn.events)]


MAX_TURNS = 3
"""Maximum turns of each seat in a last round in which some seats have no turn."""


def round_of(scenes: Sequence[Turn], seats: int) -> int:
    """The index of the scene at which the last round begins: the shortest one in which every seat has a turn.

    If a seat has no more turns, the round is limited to `MAX_TURNS` turns for each seat.
    """
    begin, missing = len(scenes), set(map(Seat, range(seats)))
    # Scene 0 is the opening, which is not a turn.
    while missing and begin > max(1, len(scenes) - MAX_TURNS * seats):
        begin -= 1
        missing.discard(scenes[begin].seat)
    return begin


def turn_starts(match: Match) -> list[tuple[int, Seat | None]]:
    """The turns of a match with the versions at which they began, in order; the last one is the present turn.

    In a phase without a seat on turn, where several seats are due at once, the seat is `None`. Draws belong to the turn
    before them.
    """
    starts: list[tuple[int, Seat | None]] = []
    for version, seat in match.seats_on_turn():
        if seat != CHANCE and (not starts or starts[-1][1] != seat):
            starts.append((version, seat))
    return starts


def seats_before(starts: Sequence[tuple[int, Seat | None]], seat: Seat, seats: int) -> tuple[Seat, ...]:
    """The seats with a turn before the next one of `seat`, from the present turn on; empty if that is not known.

    The order is that of the last round, so that seats without turns are left out; in the first round, it is the order
    of play. `starts` are those of `turn_starts`, `seats` is the number of seats.

    >>> seats_before([(0, Seat(2)), (1, Seat(0)), (2, Seat(1)), (3, Seat(2))], Seat(1), 3)
    (2, 0)
    >>> seats_before([(0, Seat(1))], Seat(0), 3)
    (1, 2)
    >>> seats_before([(0, Seat(1)), (3, None), (5, Seat(1))], Seat(0), 3)
    ()
    """
    *earlier, now = (begun for _, begun in starts) if starts else (None,)
    if now is None:
        return ()
    if now in earlier:
        last_round = earlier[len(earlier) - 1 - earlier[::-1].index(now) :]
    else:
        last_round = [Seat((now + n) % seats) for n in range(seats)]
    # without a fixed order, a seat may have several turns in a round
    if None in last_round or seat not in last_round or len(set(last_round)) < len(last_round):
        return ()
    return tuple(other for other in last_round[: last_round.index(seat)] if other is not None)
