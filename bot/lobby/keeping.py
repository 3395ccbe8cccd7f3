"""Tables that nobody tends: lobbies that expire, threads that are laid aside, channels that are gone."""

from __future__ import annotations

import dataclasses
import logging
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial

from bot.courtyard import Courtyard
from bot.errors import TROUBLE, Declined, reason
from bot.interactions.answers import together
from bot.interactions.parts import calling, stamp, text_layout
from bot.lobby.layouts import warning_layout
from bot.lobby.showing import lobby_updated, update_lobby
from bot.posting.channels import passes
from bot.reception import Handler, Visit
from bot.rounds import Round
from bot.store.rows import Status, Timer, TimerKind
from bot.tables.table import Table, mention
from engine.texts import Text

_log = logging.getLogger(__name__)

EXPIRES, WARNED = timedelta(hours=24), timedelta(hours=1)
"""A lobby that nobody touches is closed after so long; its host hears of it so long before."""

LAID_ASIDE = timedelta(hours=24)
"""So long a thread stays open after its game, for a rematch and a look at the log."""

LOOK_AGAIN = timedelta(hours=1)
"""Until somebody looks again whether the game of a thread is over."""

RETRY = timedelta(minutes=1)
"""Until what Discord did not take is tried again."""


def keeping_of(court: Courtyard) -> Round[Timer]:
    """A round through the lobbies and the threads of a house."""
    timers, kinds = court.store.timers, tuple(LOOKS)
    return Round(
        court.clock,
        court.store,
        partial(timers.ripe_tables, kinds),
        partial(timers.earliest, *kinds),
        partial(_look_after, court),
    )


async def _look_after(court: Courtyard, timer: Timer) -> None:
    table = await court.tables.find(timer.match_id)
    after = await LOOKS[timer.kind](court, table, timer) if table else None
    if after != timer:
        await court.store.timers.settle([(timer, after)])


# --- lobbies ---


async def _look_after_lobby(court: Courtyard, table: Table, timer: Timer) -> Timer | None:
    """Warn, close or wait, whatever it is time for. Returns when to look again."""
    if table.row.status is not Status.LOBBY:
        return None
    now, warned = court.clock.now(), timer.reminded
    if now < (due := warned + WARNED if warned else timer.since + EXPIRES - WARNED):
        return dataclasses.replace(timer, at=due)
    if warned is None:
        return await _warn(court, table, timer, now)
    if await court.lobbies.expire(table, timer) and not table.problem:
        await update_lobby(court, table)
    return timer


async def _warn(court: Courtyard, table: Table, timer: Timer, now: datetime) -> Timer:
    """Tell the host; until that is noted, a repetition is the same message. Who cannot be told has his hour too."""
    layout, nonce = warning_layout(table, timer.since, now + WARNED), f"l{table.id}-{timer.since.timestamp():.0f}"
    try:
        await court.channels.send(table.row.channel_id, layout, mentions=calling([table.row.host_id]), nonce=nonce)
    except TROUBLE as error:
        _log.info("the host of table %d is not warned: %s", table.id, reason(error))
        if passes(error):
            return dataclasses.replace(timer, at=now + RETRY)
    return dataclasses.replace(timer, reminded=now, at=now + WARNED)


async def _look_after_closed(court: Courtyard, table: Table, timer: Timer) -> Timer | None:
    """Let the message of a lobby that is over say so. Returns when to try again."""
    if table.problem or await lobby_updated(court, table):
        return None
    return dataclasses.replace(timer, at=court.clock.now() + RETRY)


async def keep_open(visit: Visit) -> None:
    """*Keep it open*, for whoever sits at the table."""
    table = visit.table
    table.seated(visit.user_id)
    await visit.court.lobbies.keep(table)
    until = stamp(visit.court.clock.now() + EXPIRES)
    told = Text("{who} keeps this table of **{title}** open.", who=mention(visit.user_id), title=table.title)
    visit.answer.kept = Text("{told}\n-# Without a change it is closed on {until}.", told=told, until=until)
    await visit.answer.show_text(visit.answer.kept)


# --- threads ---


async def _look_after_thread(court: Courtyard, table: Table, timer: Timer) -> Timer | None:
    """Lay a thread aside a while after its game was over. Returns when to look again."""
    now, over = court.clock.now(), timer.version == 1
    if table.is_open:
        return dataclasses.replace(timer, at=now + LOOK_AGAIN)
    if not over:
        return dataclasses.replace(timer, version=1, since=now, at=now + LAID_ASIDE)
    if now < timer.since + LAID_ASIDE:
        return dataclasses.replace(timer, at=timer.since + LAID_ASIDE)
    return await _lay_aside(court, table, timer, now)


async def _lay_aside(court: Courtyard, table: Table, timer: Timer, now: datetime) -> Timer | None:
    """Archive a thread, unless another game is played there by now."""
    if await court.store.matches.open_in(table.row.channel_id) is not None:
        return dataclasses.replace(timer, version=0, at=now + LOOK_AGAIN)
    try:
        await court.channels.archive(table.row.channel_id)
    except TROUBLE as error:
        _log.info("thread %d is not laid aside: %s", table.row.channel_id, reason(error))
        if passes(error):
            return dataclasses.replace(timer, at=now + RETRY)
    return None


LOOKS = {
    TimerKind.LOBBY: _look_after_lobby,
    TimerKind.CLOSING: _look_after_closed,
    TimerKind.ARCHIVE: _look_after_thread,
}
"""What is done when a timer of a kind falls due."""


# --- channels that are gone ---


async def close_gone(court: Courtyard, channel_id: int) -> None:
    """A channel or thread was deleted: whatever was open there, or in a thread of it, is closed, and everybody told."""
    for match_id in await court.store.matches.open_under(channel_id):
        if table := await court.tables.find(match_id):
            with suppress(Declined):  # somebody was faster
                await _close(court, table)


async def _close(court: Courtyard, table: Table) -> None:
    in_lobby = table.row.status is Status.LOBBY
    await court.seats.end(table, at=court.clock.now())
    await together(court.lobbies.note_closed(table), court.poster.retire(table))
    told = Text(
        "The channel of your game of **{title}** was deleted, so {what}.",
        title=table.title,
        what=Text("the table is closed") if in_lobby else Text("the game was called off; its log is kept"),
    )
    layout = text_layout(told, table.say)
    for n, user_id in enumerate(dict.fromkeys((table.row.host_id, *table.people))):
        try:
            await court.channels.send_direct(user_id, layout, nonce=f"gone-{table.id}-{n}")
        except TROUBLE as error:
            _log.info("user %d does not hear that table %d is gone: %s", user_id, table.id, reason(error))


HANDLERS: dict[str, Handler] = {"keep": keep_open}
"""What the controls of this room do that keep a table open."""
