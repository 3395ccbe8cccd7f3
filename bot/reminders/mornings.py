"""One direct message a day, in the morning, for whoever wants it: all his games, if one waits for him or has ended."""

from __future__ import annotations

import dataclasses
import logging
from datetime import datetime

from bot.courtyard import Courtyard
from bot.errors import TROUBLE, reason
from bot.habits.habits import Habits, habits_of
from bot.habits.times import morning_after, next_morning, when_free
from bot.interactions.parts import Layout, words_layout
from bot.look.mine import ROOM, games_of, link_to
from bot.posting.story import won_text
from bot.reminders.reminders import RETRY
from bot.reminders.sending import taken
from bot.rounds import Round
from bot.store.rows import Morning
from bot.tables.table import Table
from engine.texts import Text

_log = logging.getLogger(__name__)

NAMED = 8
"""Most games that have ended and are named; the others are counted."""


class Mornings:
    """Writes to whoever wants it, once a day.

    A message is noted after it was sent; until then its nonce stays the same, so that one that is sent again after a
    crash is the same message.
    """

    def __init__(self, court: Courtyard) -> None:
        self._court = court
        self._mornings = court.store.mornings

    def round(self) -> Round[int]:
        """Writes to everybody whose morning has come."""
        return Round(self._court.clock, self._court.store, self._mornings.ripe, self._mornings.earliest, self.serve)

    async def serve(self, user_id: int) -> None:
        """Tell a user of his games, if he still wants it and there is something to tell."""
        habits, now = await habits_of(self._court.store.settings, user_id), self._court.clock.now()
        morning = await self._mornings.of(user_id)
        if morning is None or not habits.summary:
            await self._mornings.drop(user_id)
        elif (free := when_free(habits, now)) > now:
            await self._mornings.move(morning, dataclasses.replace(morning, at=free))
        else:
            await self._mornings.move(morning, await self._told(morning, habits, now))

    async def _told(self, morning: Morning, habits: Habits, now: datetime) -> Morning:
        """Write if there is something to tell. Returns what comes next."""
        layout = await self._layout(morning)
        if layout is None:
            return dataclasses.replace(morning, at=next_morning(habits, now))
        later = dataclasses.replace(morning, at=morning_after(habits, now))
        sending = self._court.channels.send_direct(
            morning.user_id, layout, nonce=f"m{morning.user_id}-{morning.number % 10000}"
        )
        try:
            sent = await taken(sending)
        except TROUBLE as error:
            _log.info("user %d hears of his games a little later: %s", morning.user_id, reason(error))
            return dataclasses.replace(morning, at=now + RETRY)
        return dataclasses.replace(later, since=now, number=morning.number + 1) if sent else later

    async def _layout(self, morning: Morning) -> Layout | None:
        mine = await games_of(self._court, morning.user_id)
        ended = await self._ended(morning)
        if not mine.due and not ended:
            return None
        heading = Text(
            "☀️ {due}{ended}",
            due=Text("{due} of your games {due:waits|wait} for you.", due=mine.due) if mine.due else Text(""),
            ended=Text(" {ended} {ended:has|have} ended.", ended=len(ended)) if ended else Text(""),
        )
        last = [str(Text("### Over")), *ended[:NAMED]] if ended else []
        last += [str(Text("-# … and {more} more", more=len(ended) - NAMED))] if len(ended) > NAMED else []
        last.append(str(Text("-# Once a day at most; `/settings` ends it.")))
        room = ROOM - sum(map(len, last)) - len(last) - len(str(heading))
        return words_layout("\n".join(filter(None, (str(heading), mine.in_words(room), *last))))

    async def _ended(self, morning: Morning) -> list[str]:
        """The games that have ended since the last message, a line each."""
        ids = await self._court.store.matches.ended_for(morning.user_id, morning.since)
        tables = [await self._court.tables.find(match_id) for match_id in ids]
        return [_over(table, morning.user_id) for table in tables if table]


def _over(table: Table, user_id: int) -> str:
    outcome = table.match.outcome if table.match else None
    told = won_text(outcome) if outcome else Text("It was called off.")
    line = Text("**[{title}]({link})**: {told}", title=table.title, link=link_to(table), told=told)
    return table.say(line, table.seat_of(user_id))
