"""Job: remind somebody of a decision that waits for them; with it of all others that wait for them."""

from __future__ import annotations

from functools import partial

from bot.deadlines.reminders import Reminders
from bot.deadlines.sending import send_reminder
from bot.deadlines.waiting import Waiting, waiting_at
from bot.services import Services
from bot.store.jobs import Job


async def run(services: Services, job: Job) -> Job | None:
    """Remind its user of all that is due. When the next reminder is due is written by that. Raises `TROUBLE`."""

    async def look(match_id: int, user_id: int) -> Waiting | None:
        # after a start the board goes first: nobody should be reminded of a question that they have not seen
        await services.worker.board_tried(match_id)
        table = await services.tables.find(match_id)
        return waiting_at(table, user_id) if table else None

    channels = services.channels
    send = partial(send_reminder, channels, attempts=job.attempts)
    reminders = Reminders(services.store, services.clock, look, send, channels.delete, services.worker.rests)
    await reminders.serve(job.user_id)
    # as it was read: if another time is written by now, that one counts, else it is tried again
    return job
