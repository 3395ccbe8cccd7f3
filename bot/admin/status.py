"""`/admin status`: how the bot is doing, for its operator."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC, datetime

import discord

from bot import metrics
from bot.admin.condition import Condition, examine
from bot.errors import UserError
from bot.groups import admin
from bot.handlers import Request
from bot.interactions.clock_check import MAX_OFFSET
from bot.interactions.parts import stamp
from bot.store.matches import Status
from bot.store.store import Count
from bot.version import current_version
from engine.texts import Text, joined

ONLY_OPERATORS = Text("This is for those who run me. In this server, `/server games` shows how the games are doing.")


@admin.command("status", "How the bot is doing: games, boards, times, workers")
async def show_status(request: Request) -> None:
    """The condition, and what was timed since the start. Raises `UserError` for everyone who does not run the bot."""
    client: discord.Client = request.response.interaction.client
    if request.user_id not in operators(client.application):
        raise UserError(ONLY_OPERATORS)
    condition = await examine(client, request.services.store, request.services.clock.now())
    await request.response.show_text(joined([*_overview(condition), *_timed(), *_counted(request)], "\n"))


def operators(application: discord.AppInfo | None) -> frozenset[int]:
    """The users to whom an application belongs."""
    if application is None:
        return frozenset()
    # an application of a team has a made-up user as its owner, so its members count, too
    team = application.team.members if application.team else ()
    return frozenset({application.owner.id, *(member.id for member in team)})


def _overview(condition: Condition) -> Iterator[Text]:
    yield Text("### Caravanserai {version}", version=current_version())
    since = stamp(datetime.fromtimestamp(metrics.value(metrics.STARTED), UTC), "R")
    yield Text("-# Started {since}, in {n} {n:server|servers}", since=since, n=condition.servers)
    if condition.latency is not None:
        yield Text("**Discord** answers within {time}.", time=_seconds(condition.latency))
    yield from _clock()
    if condition.is_stuck:
        yield Text("**Discord does not answer requests.** See the log.")
    if condition.count is None:
        yield Text("**The database doesn’t answer.** See the log.")
    else:
        yield from _games(condition.count)


def _clock() -> Iterator[Text]:
    """The offset of the machine's clock, if it is too large."""
    offset = metrics.value(metrics.CLOCK_OFFSET)
    minutes = max(round(abs(offset) / 60), 1)
    if offset > MAX_OFFSET.total_seconds():
        yield Text(
            "**The clock of my machine** is {n} {n:minute|minutes} ahead of Discord’s. Let a time server set it.",
            n=minutes,
        )
    elif offset < -MAX_OFFSET.total_seconds():
        yield Text(
            "**The clock of my machine** is {n} {n:minute|minutes} behind Discord’s. Let a time server set it.",
            n=minutes,
        )


def _games(count: Count) -> Iterator[Text]:
    running, lobby, over = (count.matches[status] for status in (Status.RUNNING, Status.LOBBY, Status.OVER))
    yield Text(
        "**Games**: {running} running, {lobby} waiting for players, {over} finished.",
        running=running,
        lobby=lobby,
        over=over,
    )
    for kind, backlog in count.jobs.items():
        if backlog.oldest is not None:
            yield Text(
                "**Jobs** ({kind}): {n} due, the oldest {since}; {failed} failed on the last attempt.",
                kind=kind.value,
                n=backlog.waiting,
                since=stamp(backlog.oldest, "R"),
                failed=backlog.failed,
            )


TIMED = {
    "Answers": metrics.ANSWERS,
    "Commits": metrics.COMMITS,
    "Pictures": metrics.PICTURES,
    "Posting a board": metrics.BOARDS,
    "Computers’ decisions": metrics.THOUGHTS,
    "One pass of the event loop": metrics.LAG,
}


def _timed() -> Iterator[Text]:
    """What was timed: half of it, and all but a hundredth, within how long."""
    for name, timed in TIMED.items():
        half, most = metrics.quantile(timed, 0.5), metrics.quantile(timed, 0.99)
        if half is not None and most is not None:
            yield Text(
                "**{name}**: median {half}, 99th percentile {most}, of {n}.",
                name=name,
                half=_seconds(half),
                most=_seconds(most),
                n=metrics.count(timed),
            )


def _counted(request: Request) -> Iterator[Text]:
    """What was counted, and who works."""
    busy = int(metrics.value(metrics.BUSY))
    yield Text("**Workers**: {busy} of {n} busy.", busy=busy, n=request.services.thinkers.number)
    yield Text(
        "**Since the start**: {moves} {moves:action|actions}, {failures} {failures:failure|failures} reported to "
        "people, {refused} {refused:attempt|attempts} to post refused.",
        moves=metrics.total(metrics.MOVES),
        failures=metrics.total(metrics.FAILURES),
        refused=metrics.total(metrics.REFUSED),
    )


def _seconds(value: float) -> Text:
    """A time as people read it."""
    if math.isinf(value):
        return Text("more than 5 s")
    if value >= 1:
        return Text("{n} s", n=f"{value:g}")
    return Text("{n} ms", n=f"{value * 1000:.0f}")
