"""What happened: the readable transcript, the broken rules, and the figures for benchmarks."""

from __future__ import annotations

import re
import time
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field
from typing import Any

LINES_KEPT = 4000


@dataclass(slots=True)
class Timing:
    """One interaction in monotonic seconds; `acknowledged` and `answered` stay None until it happens."""

    interaction_id: int
    label: str
    created: float
    acknowledged: float | None = None
    answered: float | None = None


@dataclass(slots=True)
class Journal:
    """The memory of one run. `answers` has the last body of each route of the REST interface."""

    lines: deque[str] = field(default_factory=lambda: deque(maxlen=LINES_KEPT))
    timings: list[Timing] = field(default_factory=list)
    arrivals: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    requests: Counter[str] = field(default_factory=Counter)
    answers: dict[str, Any] = field(default_factory=dict)
    refusals: Counter[int] = field(default_factory=Counter)
    _broken: list[str] = field(default_factory=list)
    _pardoned: list[re.Pattern[str]] = field(default_factory=list)
    _start: float = field(default_factory=time.monotonic)

    def say(self, text: str) -> None:
        """Add a line to the transcript, stamped with the seconds since the start."""
        self.lines.append(f"{time.monotonic() - self._start:8.3f}  {text}")

    def blame(self, text: str) -> None:
        """Note a broken rule; strict tests fail on it unless it was pardoned."""
        self._broken.append(text)
        self.say(f"!! {text}")

    def pardon(self, pattern: str) -> None:
        """Broken rules that contain a match of this regular expression do not count, earlier ones included."""
        self._pardoned.append(re.compile(pattern))

    @property
    def violations(self) -> list[str]:
        """Broken rules that nobody pardoned, in order."""
        return [text for text in self._broken if not any(pattern.search(text) for pattern in self._pardoned)]

    def transcript(self, last: int | None = None) -> str:
        """Who did what and what came back, one line each; `last` keeps only the newest lines."""
        lines = list(self.lines)
        return "\n".join(lines[-last:] if last else lines)
