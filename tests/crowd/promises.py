"""A promise of the bot: a generator over the record of a simulation, which yields the evidence of each breach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Concatenate, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Breach(AssertionError):
    """The bot has broken a promise."""


@dataclass
class Promises:
    """Checks promises. `counts` has the number of checks of each, `breaches` the evidence with the time of `when`."""

    when: Callable[[], str] = lambda: ""
    counts: Counter[str] = field(default_factory=Counter)
    breaches: list[str] = field(default_factory=list)

    def check(
        self, promise: Callable[Concatenate[R, P], Iterator[str]], record: R, *facts: P.args, **more: P.kwargs
    ) -> None:
        """Note all breaches of a promise."""
        name = promise.__name__.strip("_").replace("_", " ")
        self.counts[f"checked: {name}"] += 1
        for evidence in promise(record, *facts, **more):
            self.note(f"{name}: {evidence}")

    def note(self, breach: str) -> None:
        """Note a breach with its time. Nothing is raised, since the bot would only log the error."""
        self.breaches.append(f"{self.when()}{breach}")

    def require(self, record: R, *promises: Callable[[R], Iterator[str]]) -> None:
        """Check promises one after the other. Raises `Breach` at the first breach."""
        for promise in promises:
            self.check(promise, record)
            self.raise_breaches()

    def raise_breaches(self) -> None:
        """Raise `Breach` with the noted breaches, if there are any, and forget them."""
        if breaches := [*self.breaches]:
            self.breaches.clear()
            raise Breach("\n".join(breaches))
