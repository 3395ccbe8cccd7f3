"""Tables at which nobody meets anybody again, by backtracking: swaps alone miss the last of them now and then."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from random import Random

TRIES, STEPS = 20, 3000
"""A search that has gone astray takes for ever, and another one a moment: so many, each with so many steps."""


def tables_of_strangers(
    strangers: Mapping[int, Collection[int]],
    sizes: Sequence[int],
    random: Random,
    fit: Mapping[int, Collection[int]] | None = None,
) -> list[list[int]] | None:
    """Tables of these sizes; nothing if none are found. `strangers` has whom everybody has not met, the best first.

    `fit` has who may sit at a table of each size; without it, everyone may.
    """
    ways = {user_id: list(others) for user_id, others in strangers.items()}
    for _ in range(TRIES):
        if found := _Search(ways, fit or dict.fromkeys(sizes, frozenset(ways))).tables(frozenset(ways), sizes):
            return found
        for others in ways.values():
            random.shuffle(others)
    return None


class _Search:
    def __init__(self, ways: Mapping[int, Sequence[int]], fit: Mapping[int, Collection[int]]) -> None:
        self._ways = ways
        self._fit = fit
        self._known = {user_id: frozenset(others) for user_id, others in ways.items()}
        self._steps = STEPS

    def tables(self, left: frozenset[int], sizes: Sequence[int]) -> list[list[int]] | None:
        """Tables for all who are left; nothing if none are found."""
        if not left:
            return []
        # somebody has to sit at the next table: whoever has the least choice
        first = min(left, key=lambda user_id: len(self._known[user_id] & left))
        for size in sorted(set(sizes), reverse=True):
            if first not in self._fit[size]:
                continue
            fit = [other for other in self._ways[first] if other in left and other in self._fit[size]]
            others = list(sizes)
            others.remove(size)
            if found := self._filled(left - {first}, [first], fit, size, others):
                return found
        return None

    def _filled(
        self, left: frozenset[int], table: list[int], fit: Sequence[int], size: int, sizes: Sequence[int]
    ) -> list[list[int]] | None:
        """This table with some of those who `fit`, and the others; nothing if none are found."""
        self._steps -= 1
        if self._steps < 0:
            return None
        if len(table) == size:
            rest = self.tables(left, sizes)
            return None if rest is None else [table, *rest]
        for n, chosen in enumerate(fit):
            later = [other for other in fit[n + 1 :] if other in self._known[chosen]]
            if found := self._filled(left - {chosen}, [*table, chosen], later, size, sizes):
                return found
        return None
