"""Job: remind a user of a due decision, together with all others that wait for them."""

from __future__ import annotations

from functools import partial

from bot.features.deadlines.reminders import Reminders
from bot.features.deadlines.sending import send_reminder
from bot.features.deadlines.waiting import Waiting, waiting_at
from bot.features.services import Services
from bot.store.jobs import Job
from bot.tables.faults import run_guarded


async def run(services: Services, job: Job) -> Job | None:
    """Remind the user of all due decisions; `Reminders` stores the next due times. Raises `DISCORD_ERRORS`."""

    async def look(match_id: int, user_id: int) -> Waiting | None:
        # after a start the board goes first: a reminder must not come before the question itself
        await services.worker.wait_for_board(match_id)
        table = await services.tables.find(match_id)
        return run_guarded(table, lambda: waiting_at(table, user_id), lambda _: None) if table else None

    channels = services.channels
    send = partial(send_reminder, channels, attempts=job.attempts)
    reminders = Reminders(services.store, services.clock, look, send, channels.delete, services.worker.rests)
    await reminders.serve(job.user_id)
    # unchanged: another time written meanwhile counts, else the worker retries it
    return job
