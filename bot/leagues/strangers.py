"""Tables at which nobody meets anybody again, by backtracking: swaps alone miss the last of them now and then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

STEPS = 20_000
"""Tried at most, which takes a tenth of a second: then there may be such tables, and nobody finds them."""


@dataclass
class Search:
    """A search for tables of strangers; those who cost less come first (`weights`, below `again` for strangers)."""

    weights: Mapping[int, Mapping[int, int]]
    again: int
    steps: int = STEPS

    def __post_init__(self) -> None:
        self._choice = {a: sum(cost < self.again for cost in row.values()) for a, row in self.weights.items()}

    def tables(self, left: frozenset[int], sizes: Sequence[int]) -> list[list[int]] | None:
        """Tables of these sizes for all who are left; nothing if none are found."""
        if not left:
            return []
        # somebody has to sit at the next table: whoever has the least choice
        first = min(left, key=lambda a: (self._choice[a], a))
        for size in sorted(set(sizes), reverse=True):
            others = list(sizes)
            others.remove(size)
            if found := self._filled(left - {first}, [first], self._strangers(first, left), size, others):
                return found
        return None

    def _strangers(self, user_id: int, among: frozenset[int] | Sequence[int]) -> list[int]:
        row = self.weights[user_id]
        fit = [b for b in among if b != user_id and row[b] < self.again]
        return sorted(fit, key=lambda b: (row[b], self._choice[b], b))

    def _filled(
        self, left: frozenset[int], table: list[int], fit: Sequence[int], size: int, sizes: Sequence[int]
    ) -> list[list[int]] | None:
        """This table with some of those who `fit`, and the others; nothing if none are found."""
        self.steps -= 1
        if self.steps < 0:
            return None
        if len(table) == size:
            rest = self.tables(left, sizes)
            return None if rest is None else [table, *rest]
        for n, chosen in enumerate(fit):
            later = [b for b in fit[n + 1 :] if self.weights[chosen][b] < self.again]
            if found := self._filled(left - {chosen}, [*table, chosen], later, size, sizes):
                return found
        return None
