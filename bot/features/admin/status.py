"""`/admin status`: the condition of the bot, for its operator."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC, datetime

import discord

from bot import metrics
from bot.errors import UserError
from bot.features.admin.condition import Condition, examine
from bot.features.groups import admin
from bot.features.handlers import Request
from bot.interactions.clock_check import MAX_OFFSET
from bot.interactions.parts import stamp
from bot.store.matches import Status
from bot.store.store import Count
from bot.version import current_version
from engine.texts import Text, joined

OPERATORS_ONLY_TEXT = Text(
    "This is for those who run me. In this server, `/server games` shows how the games are doing."
)


@admin.command("status", "How the bot is doing: games, boards, times, workers")
async def show_status(request: Request) -> None:
    """Show the condition, and the times measured since the start. Raises `UserError` unless the user is an operator."""
    client: discord.Client = request.response.interaction.client
    if request.user_id not in operators(client.application):
        raise UserError(OPERATORS_ONLY_TEXT)
    condition = await examine(client, request.services.store, request.services.clock.now())
    await request.response.show_text(joined([*_overview(condition), *_times(), *_totals(request)], "\n"))


def operators(application: discord.AppInfo | None) -> frozenset[int]:
    """The owners of an application."""
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
        yield Text("**Discord isn’t answering requests.** See the log.")
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
            "**The clock of my machine** is {n} {n:minute|minutes} ahead of Discord’s. Sync it with a time server.",
            n=minutes,
        )
    elif offset < -MAX_OFFSET.total_seconds():
        yield Text(
            "**The clock of my machine** is {n} {n:minute|minutes} behind Discord’s. Sync it with a time server.",
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


HISTOGRAMS = {
    "Answers": metrics.ANSWERS,
    "Commits": metrics.COMMITS,
    "Pictures": metrics.PICTURES,
    "Posting a board": metrics.BOARDS,
    "Computers’ decisions": metrics.THOUGHTS,
    "One pass of the event loop": metrics.LAG,
}


def _times() -> Iterator[Text]:
    """The median and the 99th percentile of each measured time."""
    for name, histogram in HISTOGRAMS.items():
        half, most = metrics.quantile(histogram, 0.5), metrics.quantile(histogram, 0.99)
        if half is not None and most is not None:
            yield Text(
                "**{name}**: median {half}, 99th percentile {most}, of {n}.",
                name=name,
                half=_seconds(half),
                most=_seconds(most),
                n=metrics.count(histogram),
            )


def _totals(request: Request) -> Iterator[Text]:
    """The busy workers, and the counters since the start."""
    busy = int(metrics.value(metrics.BUSY))
    yield Text("**Workers**: {busy} of {n} busy.", busy=busy, n=request.services.thinkers.number)
    yield Text(
        "**Since the start**: {moves} {moves:action|actions}, {failures} {failures:failure|failures} reported to "
        "users, {refused} refused {refused:attempt|attempts} to post.",
        moves=metrics.total(metrics.MOVES),
        failures=metrics.total(metrics.FAILURES),
        refused=metrics.total(metrics.REFUSED),
    )


def _seconds(value: float) -> Text:
    """A time in the unit that suits it."""
    if math.isinf(value):
        return Text("more than 5 s")
    if value >= 1:
        return Text("{n} s", n=f"{value:g}")
    return Text("{n} ms", n=f"{value * 1000:.0f}")
