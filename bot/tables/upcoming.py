"""The number of turns until a seat's next one, its estimated time by the pace of the table, and notices of it.

All of it follows from the public log: the seats on turn, and the times at which their turns began. Hands, drafts and
planned turns play no part.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from statistics import median

from bot.store.jobs import Job, JobKind
from bot.store.log import Log
from bot.store.matches import Status
from bot.store.settings import Settings
from bot.tables.faults import run_guarded
from bot.tables.hours import zone_of
from bot.tables.preferences import Preferences, preferences_of
from bot.tables.table import Table
from engine.match import Match
from engine.texts import Seat, Text
from engine.turns import seats_before, turn_starts

MIN_TURNS, MAX_TURNS = 2, 5
"""Finished turns of a seat that show its pace; older ones do not count."""

EVENING = 18
"""The hour at which the evening begins."""

NOTICE_DELAY = timedelta(minutes=10)
"""From the beginning of the turn before one's own to its notice. In a fast game, the turn is over by then."""


def turns_before(table: Table, seat: Seat) -> tuple[Seat, ...]:
    """The seats with a turn before the next one of `seat`, from the present turn on; empty if that is not known."""
    if table.match is None or table.row.status is not Status.RUNNING:
        return ()
    return seats_before(turn_starts(table.match), seat, len(table.row.holders))


async def next_turn_text(log: Log, table: Table, seat: Seat, preferences: Preferences, now: datetime) -> Text | None:
    """The number of turns until the next one of a seat and its likely time; `None` if neither is known."""
    before = turns_before(table, seat)
    if not before:
        return None
    expected = await _expected_time(log, table, before)
    when = _time_words(max(expected, now), preferences, now) if expected else None
    # with one opponent, only the time is news
    if when is None and len(table.row.holders) == 2:
        return None
    turns = Text("You’re next") if len(before) == 1 else Text("{turns} turns until yours", turns=len(before))
    return Text("{turns}, likely {when}", turns=turns, when=when) if when else turns


def turn_if_next(table: Table, match: Match, seat: Seat) -> int | None:
    """The number of the present turn, if the next one is of `seat`; `None` also if the last one was.

    With two seats left in the game, this is always `None`, since each of them is next at any time.
    """
    starts = turn_starts(match)
    is_next = len(seats_before(starts, seat, len(table.row.holders))) == 1
    return len(starts) if is_next and len(starts) > 1 and starts[-2][1] != seat else None


async def next_notices(settings: Settings, table: Table, match: Match, now: datetime) -> list[Job]:
    """The jobs of notices for the players of a position whose turn is next, if they want them.

    Their `version` is the number of the turn, which is the same after an undo. A fault of the game costs only the
    notices.
    """
    if match.outcome is not None or len(table.users) == 1:
        return []
    # first the preferences: few users want notices, and the turns are looked up in the whole log
    wanting = [seat for seat, user_id in table.users.items() if (await preferences_of(settings, user_id)).next_notice]
    turns = [(seat, run_guarded(table, partial(turn_if_next, table, match, seat), lambda _: None)) for seat in wanting]
    at = now + NOTICE_DELAY
    return [
        Job(JobKind.NEXT_NOTICE, at, table.id, table.users[seat], state={"version": turn, "sent": False})
        for seat, turn in turns
        if turn is not None
    ]


async def _expected_time(log: Log, table: Table, before: Sequence[Seat]) -> datetime | None:
    """When the turns `before` will be over if each seat takes its usual time; `None` if that is not known."""
    starts = turn_starts(table.require_match())[-MAX_TURNS * len(table.row.holders) - 1 :]
    # a turn begins with the entry before it
    at = await log.times(table.id, [version - 1 for version, _ in starts])
    # in seconds, since `median` does not accept intervals
    durations: dict[Seat, list[float]] = {seat: [] for seat in before}
    for (version, seat), (end, _) in itertools.pairwise(starts):
        if seat in durations and version - 1 in at and end - 1 in at:
            durations[seat].append((at[end - 1] - at[version - 1]).total_seconds())
    began = at.get(starts[-1][0] - 1)
    if began is None or any(len(of_seat) < MIN_TURNS for of_seat in durations.values()):
        return None
    return began + timedelta(seconds=sum(map(median, durations.values())))


def _time_words(expected: datetime, preferences: Preferences, now: datetime) -> Text:
    zone = zone_of(preferences)
    local, today = expected.astimezone(zone), now.astimezone(zone).date()
    days = (local.date() - today).days
    if expected - now < timedelta(hours=1):
        return Text("within the hour")
    if days == 0:
        return Text("this evening") if local.hour >= EVENING else Text("later today")
    return Text("tomorrow") if days == 1 else Text("in {days} days", days=days)
