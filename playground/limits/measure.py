"""Generic checks shared by the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from playground.wire import Flaw


def check_length(path: str, value: Any, most: int, least: int = 0) -> Iterator[Flaw]:
    """Report a value that is not text, or is too long or too short. None is accepted."""
    if value is None:
        return
    if not isinstance(value, str):
        yield Flaw(path, "must be text")
    elif not least <= len(value) <= most:
        yield Flaw(path, f"must be {least} to {most} characters long, has {len(value)}")


def check_count(path: str, items: list[Any] | None, most: int, least: int = 0) -> Iterator[Flaw]:
    """Report a list with too many or too few entries."""
    if not least <= len(items or ()) <= most:
        yield Flaw(path, f"must have {least} to {most} entries, has {len(items or ())}")


def check_unique(pairs: Iterable[tuple[str, Any]], what: str) -> Iterator[Flaw]:
    """Report every value shared by several paths."""
    seen: Counter[Any] = Counter()
    for path, value in pairs:
        seen[value] += 1
        if seen[value] > 1:
            yield Flaw(path, f"{what} {value!r} is used twice")
