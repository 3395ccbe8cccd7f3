"""Job: look at the clock of a seat, and do what is due by it."""

from __future__ import annotations

from bot.deadlines.timeouts import Timeouts
from bot.services import Services
from bot.store.jobs import Job
from engine.texts import Seat


async def run(services: Services, job: Job) -> Job | None:
    """Check it; the next due time is written with the clock. Raises `TROUBLE`."""
    await Timeouts(services, attempts=job.attempts).look(job.match_id, Seat(job.seat))
    # as it was read: if another time is written by now, that one counts, else it is tried again
    return job
