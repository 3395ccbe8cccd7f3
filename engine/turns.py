"""A match turn by turn: what a seat did in a row, with the luck that followed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core import Event
from engine.match import Match
from engine.texts import CHANCE, Seat


@dataclass(frozen=True, slots=True)
class Turn:
    """What a seat did in a row; CHANCE only where luck lays out the game.

    `first` and `end` are the plies it begins and ends before, `moves` the numbers of its first and last move as people
    count them: without luck, from 1 on. `events` are those that one viewer may know.
    """

    seat: Seat
    first: int
    end: int
    moves: tuple[int, int]
    events: tuple[Event, ...]


def turns_of(history: Sequence[tuple[Seat, Sequence[Event]]]) -> list[Turn]:
    """The turns of a history from the beginning of a match on, also those that its viewer knows nothing of.

    >>> turns = turns_of([(CHANCE, ()), (Seat(0), ()), (Seat(0), ()), (CHANCE, ()), (Seat(1), ())])
    >>> [(turn.seat, turn.first, turn.end, turn.moves) for turn in turns]
    [(-1, 0, 1, (0, 0)), (0, 1, 4, (1, 2)), (1, 4, 5, (3, 3))]
    """
    turns: list[Turn] = []
    for ply, (seat, events) in enumerate(history):
        move = (turns[-1].moves[1] if turns else 0) + (seat != CHANCE)
        if turns and seat in (CHANCE, turns[-1].seat):
            last = turns.pop()
            turns.append(Turn(last.seat, last.first, ply + 1, (last.moves[0], move), (*last.events, *events)))
        else:
            turns.append(Turn(seat, ply, ply + 1, (move, move), tuple(events)))
    return turns


def scenes_of(match: Match) -> list[Turn]:
    """What can be shown of a match to everybody: how it began, then each turn with something to show.

    A turn that only its own seat may know of is shown with the next one.
    """
    turns = turns_of(match.history(None))
    # A game in which luck lays out nothing has an opening all the same.
    opening = turns.pop(0) if turns and turns[0].seat == CHANCE else Turn(CHANCE, 0, 0, (0, 0), ())
    return [opening, *(turn for turn in turns if turn.events)]


LONGEST = 3
"""Turns of each seat in a round in which some have none any more."""


def round_of(scenes: Sequence[Turn], seats: int) -> int:
    """The number of the scene at which the last round begins: the shortest in which every seat has its turn.

    Where a seat has none any more, it is no longer than `LONGEST` turns of each.
    """
    begin, missing = len(scenes), set(map(Seat, range(seats)))
    # Scene 0 is the opening, which is nobody's turn.
    while missing and begin > max(1, len(scenes) - LONGEST * seats):
        begin -= 1
        missing.discard(scenes[begin].seat)
    return begin
