"""Tables without repeated meetings, by backtracking: swaps alone sometimes miss the last of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from random import Random

TRIES, MAX_STEPS = 20, 3000
"""A search in a dead end takes very long, and a new one succeeds quickly: at most TRIES searches of MAX_STEPS steps."""


def tables_of_strangers(
    strangers: Mapping[int, Collection[int]],
    sizes: Sequence[int],
    random: Random,
    fit: Mapping[int, Collection[int]] | None = None,
) -> list[list[int]] | None:
    """Tables of these sizes; `None` if the search finds none.

    `strangers` has, for each player, the players that they have not met, the best first. `fit` has the players that may
    sit at a table of each size; without it, all may.
    """
    order = {user_id: list(others) for user_id, others in strangers.items()}
    for _ in range(TRIES):
        if tables := _Search(order, fit or dict.fromkeys(sizes, frozenset(order))).tables(frozenset(order), sizes):
            return tables
        for others in order.values():
            random.shuffle(others)
    return None


class _Search:
    def __init__(self, order: Mapping[int, Sequence[int]], fit: Mapping[int, Collection[int]]) -> None:
        self._order = order
        self._fit = fit
        self._strangers = {user_id: frozenset(others) for user_id, others in order.items()}
        self._steps = MAX_STEPS

    def tables(self, unseated: frozenset[int], sizes: Sequence[int]) -> list[list[int]] | None:
        """Tables for all unseated players; `None` if the search finds none."""
        if not unseated:
            return []
        # the player with the fewest strangers first
        first = min(unseated, key=lambda user_id: len(self._strangers[user_id] & unseated))
        for size in sorted(set(sizes), reverse=True):
            if first not in self._fit[size]:
                continue
            fit = [other for other in self._order[first] if other in unseated and other in self._fit[size]]
            others = list(sizes)
            others.remove(size)
            if tables := self._fill(unseated - {first}, [first], fit, size, others):
                return tables
        return None

    def _fill(
        self, unseated: frozenset[int], table: list[int], fit: Sequence[int], size: int, sizes: Sequence[int]
    ) -> list[list[int]] | None:
        """This table, filled with players in `fit`, and all later tables; `None` if the search finds none."""
        self._steps -= 1
        if self._steps < 0:
            return None
        if len(table) == size:
            rest = self.tables(unseated, sizes)
            return None if rest is None else [table, *rest]
        for n, user_id in enumerate(fit):
            later = [other for other in fit[n + 1 :] if other in self._strangers[user_id]]
            if tables := self._fill(unseated - {user_id}, [*table, user_id], later, size, sizes):
                return tables
        return None
