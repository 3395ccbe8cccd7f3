"""Ways to measure that a noisy machine cannot decide: neighbours in time, fresh processes, medians of medians."""

from __future__ import annotations

import multiprocessing
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from engine.values import Value

T = TypeVar("T")

Clock = Callable[[], float]
CPU: Clock = time.process_time
WALL: Clock = time.perf_counter


class Effort(Value):
    """Extent of a measurement: fresh processes, and a factor on the rounds within each."""

    processes: int
    share: float

    def rounds(self, number: int) -> int:
        """The number of rounds, at least two."""
        return max(2, round(number * self.share))


FULL, QUICK = Effort(3, 1.0), Effort(1, 0.12)


class Pair(Value):
    """A contender's cost, and its anchor's as the mean of the two neighbours in time."""

    cost: float
    anchor: float

    @property
    def ratio(self) -> float:
        return self.cost / self.anchor


def seconds(work: Callable[[], object], clock: Clock) -> float:
    """Duration of one call in seconds, by this clock."""
    start = clock()
    work()
    return clock() - start


def alternate(anchor: Callable[[], float], contender: Callable[[], Iterable[float]], rounds: int) -> list[Pair]:
    """Anchor, contender, anchor, contender, ..., anchor. Each returns its own cost; a contender may return several."""
    pairs: list[Pair] = []
    before = anchor()
    for _ in range(rounds):
        costs = list(contender())
        after = anchor()
        pairs += (Pair(cost, (before + after) / 2) for cost in costs)
        before = after
    return pairs


def percentile(values: Sequence[float], percent: float) -> float:
    """The value that `percent` of the values do not exceed (nearest rank)."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(len(ranked) * percent / 100))]


class Spread(Value):
    """A median of several measurements with their range."""

    mid: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread:
        figures = list(values)
        return cls(statistics.median(figures), min(figures), max(figures))

    def scaled(self, factor: float) -> Spread:
        """These figures in another unit."""
        return Spread(self.mid * factor, self.low * factor, self.high * factor)

    def inverse(self) -> Spread:
        """Reciprocal: speed instead of cost."""
        return Spread(1 / self.mid, 1 / self.high, 1 / self.low)

    def __str__(self) -> str:
        if self.low == self.high:
            return short(self.mid)
        return f"{short(self.mid)} [{short(self.low)}–{short(self.high)}]"


class Beside(Value):
    """A contender beside its anchor: medians of the processes' medians (or of another percentile of them)."""

    ratio: Spread
    cost: Spread
    anchor: Spread

    @classmethod
    def of(cls, runs: Sequence[Sequence[Pair]], percent: float = 50) -> Beside:
        """Summarize the pairs of each process."""
        return cls(
            Spread.of(percentile([pair.ratio for pair in pairs], percent) for pairs in runs),
            Spread.of(percentile([pair.cost for pair in pairs], percent) for pairs in runs),
            Spread.of(percentile([pair.anchor for pair in pairs], 50) for pairs in runs),
        )


def short(value: float) -> str:
    """A number with three figures at most."""
    if value == 0 or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def in_fresh_processes(effort: Effort, work: Callable[..., T], *args: Any) -> list[T]:
    """The results of the same work in several processes, one after the other, each with its own heap and caches."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context, max_tasks_per_child=1) as pool:
        return [pool.submit(work, *args).result() for _ in range(effort.processes)]


def cpu_seconds(pid: int) -> float:
    """User and system time another process has used in all its threads (its Linux CPU clock)."""
    return time.clock_gettime(~pid << 3 | 2)


def resident_mb(pid: int) -> float:
    """Physical memory another process holds."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024
