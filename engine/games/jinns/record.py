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
"""Bits of a hash that choose a branch."""
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
    return _noted(record, standing, 0)


def times(record: Record, standing: Standing) -> int:
    """How often a position has come."""
    used = 0
    while not isinstance(record, tuple):
        record, used = record.parts[_branch(standing, used)], used + _DIGIT
    return record.count(standing)


def _branch(standing: Standing, used: int) -> int:
    """Where the next digit of its hash leads, after so many bits were used."""
    return (hash(standing) >> used) % _BRANCHES


def _noted(record: Record, standing: Standing, used: int) -> Record:
    if isinstance(record, tuple):
        if len(record) < BUCKET or used == _HASH:
            return (*record, standing)
        record = _parted(record, used)
    branch, parts = _branch(standing, used), record.parts
    below = _noted(parts[branch], standing, used + _DIGIT)
    return Parted((*parts[:branch], below, *parts[branch + 1 :]))


def _parted(bucket: tuple[Standing, ...], used: int) -> Parted:
    parts: list[list[Standing]] = [[] for _ in range(_BRANCHES)]
    for standing in bucket:
        parts[_branch(standing, used)].append(standing)
    return Parted(tuple(map(tuple, parts)))
