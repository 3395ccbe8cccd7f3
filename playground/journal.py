"""The record of a run: readable transcript, broken rules, and timings for benchmarks."""

from __future__ import annotations

import re
import time
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field
from typing import Any

MAX_LINES = 4000


@dataclass(slots=True)
class Timing:
    """Timing of an interaction in monotonic seconds; `acknowledged` and `answered` are None until then."""

    interaction_id: int
    label: str
    created: float
    acknowledged: float | None = None
    answered: float | None = None


@dataclass(slots=True)
class Journal:
    """The record of a run. `answers` has the latest response body of each REST route."""

    lines: deque[str] = field(default_factory=lambda: deque(maxlen=MAX_LINES))
    timings: list[Timing] = field(default_factory=list)
    arrivals: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    requests: Counter[str] = field(default_factory=Counter)
    answers: dict[str, Any] = field(default_factory=dict)
    refusals: Counter[int] = field(default_factory=Counter)
    _broken: list[str] = field(default_factory=list)
    _pardoned: list[re.Pattern[str]] = field(default_factory=list)
    _start: float = field(default_factory=time.monotonic)

    def say(self, text: str) -> None:
        """Add a line to the transcript, with the seconds since the start."""
        self.lines.append(f"{time.monotonic() - self._start:8.3f}  {text}")

    def blame(self, text: str) -> None:
        """Record a broken rule. Strict tests fail on it unless it is pardoned."""
        self._broken.append(text)
        self.say(f"!! {text}")

    def pardon(self, pattern: str) -> None:
        """Ignore broken rules that match this regular expression anywhere, including earlier ones."""
        self._pardoned.append(re.compile(pattern))

    @property
    def violations(self) -> list[str]:
        """Broken rules that have not been pardoned, in order."""
        return [text for text in self._broken if not any(pattern.search(text) for pattern in self._pardoned)]

    def transcript(self, last: int | None = None) -> str:
        """Actions and responses, one line each; `last` limits the output to the latest lines."""
        lines = list(self.lines)
        return "\n".join(lines[-last:] if last else lines)
