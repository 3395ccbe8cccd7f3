"""Small measures shared by the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from playground.wire import Flaw


def longer(path: str, value: Any, most: int, least: int = 0) -> Iterator[Flaw]:
    """Complain about a text that is too long, too short or no text at all; absent is fine."""
    if value is None:
        return
    if not isinstance(value, str):
        yield Flaw(path, "must be text")
    elif not least <= len(value) <= most:
        yield Flaw(path, f"must be {least} to {most} characters long, has {len(value)}")


def counted(path: str, items: list[Any] | None, most: int, least: int = 0) -> Iterator[Flaw]:
    """Complain about a list with too many or too few entries."""
    if not least <= len(items or ()) <= most:
        yield Flaw(path, f"must have {least} to {most} entries, has {len(items or ())}")


def repeated(pairs: Iterable[tuple[str, Any]], what: str) -> Iterator[Flaw]:
    """Complain about every value that several paths share."""
    seen: Counter[Any] = Counter()
    for path, value in pairs:
        seen[value] += 1
        if seen[value] > 1:
            yield Flaw(path, f"{what} {value!r} is used twice")
