"""Job: tell a user who wants it, in a silent direct message, that the turn before theirs has begun.

A notice is optional: it lapses when its turn is over. After it is sent, its job stays for a while as a record, so that
an undone move and another one do not send it twice in a round.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

from bot.features.deadlines.sending import send_unless_refused
from bot.features.services import Services
from bot.features.view.my_games import link_to
from bot.interactions.parts import Layout, words_layout
from bot.store.jobs import Job
from bot.store.matches import Status
from bot.tables.hours import when_free
from bot.tables.preferences import Preferences, preferences_of
from bot.tables.table import Table
from bot.tables.upcoming import next_turn_text, turn_if_next
from engine.texts import Seat, Text

RECORD_TIME = timedelta(days=7)
"""The time for which the job stays after its notice was sent."""


async def run(services: Services, job: Job) -> Job | None:
    """Send the notice, unless its turn is over or its user no longer wants it. Raises `DISCORD_ERRORS`."""
    # after a start the board goes first: it may show that the turn is over
    await services.worker.wait_for_board(job.match_id)
    table = None if job.state["sent"] else await services.tables.find(job.match_id)
    preferences, now = await preferences_of(services.store.settings, job.user_id), services.clock.now()
    seat = _current_seat(table, job) if table and preferences.next_notice else None
    if table is None or seat is None:
        return None
    if (free := when_free(preferences, now)) > now:
        return job.at(free)
    await _send(services, job, table, seat, preferences, now)
    return job.at(now + RECORD_TIME, sent=True)


def _current_seat(table: Table, job: Job) -> Seat | None:
    """The seat of the user, if the turn of the job still runs and the next one is theirs."""
    seat = table.seat_of(job.user_id)
    if seat is None or table.match is None or table.row.status is not Status.RUNNING:
        return None
    return seat if turn_if_next(table, table.match, seat) == job.state["version"] else None


async def _send(
    services: Services, job: Job, table: Table, seat: Seat, preferences: Preferences, now: datetime
) -> None:
    """Send the notice; it is dropped if Discord refuses it for good. Raises `DISCORD_ERRORS`."""
    text = await next_turn_text(services.store.log, table, seat, preferences, now)
    compose = partial(_layout, table, text or Text("You’re next"))
    # Discord: a nonce has at most 25 characters
    nonce = f"n{table.id}-{seat}-{job.state['version']}"
    sending = services.channels.send_direct(job.user_id, compose, nonce=nonce, silent=True)
    await send_unless_refused(sending, attempts=job.attempts)


def _layout(table: Table, text: Text) -> Layout:
    notice = Text(
        "⏳ **{title}**: {next_turn}\n-# [Go to board]({link}) · At most once a round; turn it off in `/me settings`.",
        title=table.title,
        next_turn=text,
        link=link_to(table),
    )
    return words_layout(str(notice))
