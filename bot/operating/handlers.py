"""`/admin status`: how the bot is doing, for whoever runs it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version

import discord

from bot import figures
from bot.errors import Declined
from bot.interactions.parts import stamp
from bot.operating.condition import Condition, examine
from bot.reception import Errand
from bot.store.census import Count
from bot.store.matches import Status
from engine.texts import Text, joined

ONLY_OPERATORS = Text("This is for those who run me. In this server, `/server games` shows how the games are doing.")


async def show_status(errand: Errand) -> None:
    """The condition, and what was timed since the start. Raises `Declined` for who does not run the bot."""
    client: discord.Client = errand.answer.interaction.client
    if errand.user_id not in operators(client.application):
        raise Declined(ONLY_OPERATORS)
    condition = await examine(client, errand.court.store, errand.court.clock.now())
    await errand.answer.show_text(joined([*_told(condition), *_timed(), *_counted(errand)], "\n"))


def operators(application: discord.AppInfo | None) -> frozenset[int]:
    """The users to whom an application belongs."""
    if application is None:
        return frozenset()
    team = application.team.members if application.team else ()
    return frozenset({application.owner.id, *(member.id for member in team)})


def _told(condition: Condition) -> Iterator[Text]:
    yield Text("### Caravanserai {version}", version=version("caravanserai"))
    since = stamp(datetime.fromtimestamp(figures.value(figures.STARTED), UTC), "R")
    yield Text("-# Started {since}, in {n} {n:server|servers}", since=since, n=condition.servers)
    if condition.latency is not None:
        yield Text("**Discord** is {time} away.", time=_seconds(condition.latency))
    if condition.count is None:
        yield Text("**The database does not answer.** Look into the log.")
    else:
        yield from _games(condition.count)


def _games(count: Count) -> Iterator[Text]:
    running, lobby, over = (count.matches[status] for status in (Status.RUNNING, Status.LOBBY, Status.OVER))
    yield Text(
        "**Games**: {running} running, {lobby} with people gathering, {over} finished.",
        running=running,
        lobby=lobby,
        over=over,
    )
    for kind, backlog in count.jobs.items():
        if backlog.oldest is not None:
            yield Text(
                "**Jobs** ({kind}): {n} due, the oldest {since}; {failed} failed at the last attempt.",
                kind=kind.value,
                n=backlog.waiting,
                since=stamp(backlog.oldest, "R"),
                failed=backlog.failed,
            )


TIMED = {
    "Answers": figures.ANSWERS,
    "Commits": figures.COMMITS,
    "Pictures": figures.PICTURES,
    "Posting a board": figures.BOARDS,
    "Computers’ decisions": figures.THOUGHTS,
    "A turn of the event loop": figures.LAG,
}


def _timed() -> Iterator[Text]:
    """What was timed: half of it, and all but a hundredth, within how long."""
    for name, timed in TIMED.items():
        half, most = figures.quantile(timed, 0.5), figures.quantile(timed, 0.99)
        if half is not None and most is not None:
            yield Text(
                "**{name}**: half within {half}, 99 % within {most}, of {n}.",
                name=name,
                half=_seconds(half),
                most=_seconds(most),
                n=figures.count(timed),
            )


def _counted(errand: Errand) -> Iterator[Text]:
    """What was counted, and who works."""
    busy = int(figures.value(figures.BUSY))
    yield Text("**Workers**: {busy} of {n} {busy:thinks|think}.", busy=busy, n=errand.court.thinkers.number)
    yield Text(
        "**Since the start**: {moves} {moves:action|actions}, {failures} {failures:failure|failures} told to people, "
        "{refused} {refused:try|tries} to post refused.",
        moves=figures.total(figures.MOVES),
        failures=figures.total(figures.FAILURES),
        refused=figures.total(figures.REFUSED),
    )


def _seconds(value: float) -> Text:
    """A time as people read it."""
    if math.isinf(value):
        return Text("more than 5 s")
    if value >= 1:
        return Text("{n} s", n=f"{value:g}")
    return Text("{n} ms", n=f"{value * 1000:.0f}")
