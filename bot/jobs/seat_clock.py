"""Job: check the clock of a seat, and act on it."""

from __future__ import annotations

from bot.features.deadlines.timeouts import Timeouts
from bot.features.services import Services
from bot.store.jobs import Job
from engine.texts import Seat


async def run(services: Services, job: Job) -> Job | None:
    """Check the clock; the next due time is written with it. Raises `DISCORD_ERRORS`."""
    await Timeouts(services, attempts=job.attempts).check(job.match_id, Seat(job.seat))
    # unchanged: another time written meanwhile counts, else the worker retries it
    return job
