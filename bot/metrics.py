"""The metrics of the bot for Prometheus.

No metric identifies a user, a server or a secret: labels are games, kinds of work and computer players.
"""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram
from prometheus_client.samples import Sample

_STEPS = (0.001, 0.002, 0.003, 0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5)
"""Seconds; Discord waits three for a first answer."""


def _times(name: str, description: str, *labels: str) -> Histogram:
    return Histogram(f"caravanserai_{name}_seconds", description, labels, buckets=_STEPS)


ANSWERS = _times("answer", "From the arrival of an interaction until Discord has taken the first answer")
COMMITS = _times("commit", "Transactions that write")
PICTURES = _times("picture", "Drawing, from the request to the bytes")
BOARDS = _times("board", "Sending a board to its channel")
THOUGHTS = _times("thought", "Decisions of computers, the wait for a worker included", "player")
LAG = _times("loop_lag", "One turn of the event loop, looked at now and then")

MOVES = Counter("caravanserai_moves", "Actions after the start of a game, luck included", ["game"])
FAILURES = Counter("caravanserai_failures", "Interactions that ended with an apology")
REFUSED = Counter("caravanserai_boards_refused", "Tries to send a board that Discord did not take")
UNREADABLE = Counter("caravanserai_answers_unreadable", "Answers of Discord that could not be read")
STUCK = Gauge("caravanserai_requests_stuck", "Whether no request has got through to Discord for a minute")

MATCHES = Gauge("caravanserai_matches", "Matches by how they stand", ["status"])
JOBS = Gauge("caravanserai_jobs_waiting", "Jobs that are due and not done", ["kind"])
JOBS_AGE = Gauge("caravanserai_jobs_oldest_seconds", "How long the oldest of them has been due", ["kind"])
JOBS_FAILED = Gauge("caravanserai_jobs_failed", "Jobs whose last attempt failed", ["kind"])
DATABASE_FAILURES = Gauge("caravanserai_database_failure", "Whether the database has a failure of a kind", ["kind"])
BUSY = Gauge("caravanserai_workers_busy", "Workers that think")
STARTED = Gauge("caravanserai_started_time_seconds", "When the bot was started, in seconds since 1970")
CLOCK_OFFSET = Gauge("caravanserai_clock_offset_seconds", "How far the clock of this machine is ahead of Discord's")
SERVERS = Gauge("caravanserai_servers", "Servers that the bot is a member of")


def value(gauge: Gauge) -> float:
    """The value of a gauge without labels."""
    (sample,) = _samples(gauge, "")
    return sample.value


def total(counter: Counter) -> int:
    """The count since the start, over all labels."""
    return int(sum(sample.value for sample in _samples(counter, "_total")))


def count(histogram: Histogram) -> int:
    """The number of measurements since the start, over all labels."""
    return int(sum(sample.value for sample in _samples(histogram, "_count")))


def quantile(histogram: Histogram, share: float) -> float | None:
    """The quantile of a share of all measurements, in seconds, rounded up to a bucket; None without measurements.

    Times beyond the last bucket count as infinite.
    """
    totals: dict[float, float] = {}
    for sample in _samples(histogram, "_bucket"):
        bound = float(sample.labels["le"])
        totals[bound] = totals.get(bound, 0) + sample.value
    # buckets of Prometheus are cumulative, so the first one with enough measurements is the answer
    target = share * count(histogram)
    return next((bound for bound in sorted(totals) if totals[bound] >= target), None) if target else None


def _samples(metric: Counter | Histogram | Gauge, end: str) -> list[Sample]:
    return [sample for family in metric.collect() for sample in family.samples if sample.name.endswith(end)]
