"""Job: a daily direct message, in the morning, for users who want it: all their games, if one waits or has ended.

The message is recorded after it was sent. Until then its nonce stays the same, so a repetition after a crash is the
same message to Discord.
"""

from __future__ import annotations

from functools import partial

from bot.features.deadlines.sending import send_unless_refused
from bot.features.services import Services
from bot.features.view.my_games import MAX_LIST_CHARS, faulty_line, games_of, link_to
from bot.interactions.parts import Layout, words_layout
from bot.posting.board_texts import won_text
from bot.store.codec import time_at, time_of
from bot.store.jobs import Job
from bot.tables.faults import run_guarded
from bot.tables.hours import morning_after, next_morning, when_free
from bot.tables.preferences import preferences_of
from bot.tables.table import Table
from engine.texts import Text, joined

MAX_ENDED = 8
"""Ended games that the message names at most; it counts the others."""


async def run(services: Services, job: Job) -> Job | None:
    """Send the message, if its user still wants it and it has content. Raises `DISCORD_ERRORS`."""
    preferences, now = await preferences_of(services.store.settings, job.user_id), services.clock.now()
    if not preferences.summary:
        return None
    if (free := when_free(preferences, now)) > now:
        return job.at(free)
    layout = await _layout(services, job)
    if layout is None:
        return job.at(next_morning(preferences, now))
    number = job.state["number"]
    # Discord: a nonce has at most 25 characters and is forgotten within minutes, so four digits are enough
    sending = services.channels.send_direct(job.user_id, lambda: layout, nonce=f"m{job.user_id}-{number % 10000}")
    # `since` stays after a refusal, so the next message repeats the news
    later = job.at(morning_after(preferences, now))
    if await send_unless_refused(sending, attempts=job.attempts) is None:
        return later
    return later.at(later.due_at, since=time_of(now), number=number + 1)


async def _layout(services: Services, job: Job) -> Layout | None:
    # games in a server that is unavailable, or without the bot, cannot be played
    mine = await games_of(services, job.user_id, without=services.worker.rests)
    ended = await _results(services, job)
    if not mine.due and not ended:
        return None
    news = [
        *([Text("{due} of your games {due:is|are} waiting for you.", due=mine.due)] if mine.due else []),
        *([Text("{ended} {ended:game has|games have} ended.", ended=len(ended))] if ended else []),
    ]
    heading = Text("☀️ {news}", news=joined(news, " "))
    last = [str(Text("### Over")), *ended[:MAX_ENDED]] if ended else []
    last += [str(Text("-# … and {more} more", more=len(ended) - MAX_ENDED))] if len(ended) > MAX_ENDED else []
    last.append(str(Text("-# At most once a day; turn it off in `/me settings`.")))
    room = MAX_LIST_CHARS - len("\n".join((str(heading), "", *last)))
    return words_layout("\n".join(filter(None, (str(heading), mine.in_words(room), *last))))


async def _results(services: Services, job: Job) -> list[str]:
    """A line for each game that has ended since the last message."""
    ids = await services.store.matches.ids_ended_since(job.user_id, time_at(job.state["since"]))
    tables = [await services.tables.find(match_id) for match_id in ids]
    return [
        run_guarded(table, partial(_line, table, job.user_id), partial(faulty_line, table)) for table in tables if table
    ]


def _line(table: Table, user_id: int) -> str:
    outcome = table.match.outcome if table.match else None
    result = won_text(outcome) if outcome else Text("It was called off.")
    line = Text("**[{title}]({link})**: {told}", title=table.title, link=link_to(table), told=result)
    return table.say(line, table.seat_of(user_id))
