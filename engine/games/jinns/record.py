"""How often each position has come (rule 6.2), noted at the same cost however long a match stalls.

A record is a value like all of a position, so every move makes a new one. A few positions are a plain tuple. More of
them lie in a tree, and two records in a row share all of it but one branch.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.games.jinns.pawns import Pile
from engine.texts import Seat

Standing = tuple[Seat, tuple[Pile, ...]]
"""What must come up again to be a repetition: who is to move, and every pile."""

BUCKET = 16
"""Positions that are kept side by side."""
_DIGIT = 4
_BRANCHES = 1 << _DIGIT
_HASH = 64
"""Bits of a hash; when they are used up nothing tells positions apart any more, and a bucket may grow."""


@dataclass(frozen=True, slots=True)
class Parted:
    """Sixteen smaller records: a position lies where the next digit of its hash leads, from the lowest on."""

    parts: tuple[Record, ...]


Record = tuple[Standing, ...] | Parted
"""Positions, each as often as it has come. The hash of numbers is the same in every process, so it can be pickled."""


def noted(record: Record, standing: Standing) -> Record:
    """The record with a position once more."""
    return _noted(record, standing, hash(standing), 0)


def times(record: Record, standing: Standing) -> int:
    """How often a position has come."""
    place = hash(standing)
    while not isinstance(record, tuple):
        record, place = record.parts[place % _BRANCHES], place >> _DIGIT
    return record.count(standing)


def _noted(record: Record, standing: Standing, place: int, used: int) -> Record:
    """`place` is what is left of the hash after so many bits were `used`."""
    if isinstance(record, tuple):
        if len(record) < BUCKET or used == _HASH:
            return (*record, standing)
        record = _parted(record, used)
    digit, parts = place % _BRANCHES, record.parts
    below = _noted(parts[digit], standing, place >> _DIGIT, used + _DIGIT)
    return Parted((*parts[:digit], below, *parts[digit + 1 :]))


def _parted(bucket: tuple[Standing, ...], used: int) -> Parted:
    parts: list[list[Standing]] = [[] for _ in range(_BRANCHES)]
    for standing in bucket:
        parts[(hash(standing) >> used) % _BRANCHES].append(standing)
    return Parted(tuple(map(tuple, parts)))
