"""The open games of a server with their due players and problems, for moderators."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

import discord

from bot.errors import DISCORD_ERRORS, GameFault, reason
from bot.features.services import Services
from bot.features.view.my_games import waiting_since
from bot.interactions.members import Members
from bot.interactions.permissions import Finding
from bot.interactions.places import findings_in
from bot.interactions.refusals import is_closed, is_gone
from bot.store.matches import Status
from bot.tables.faults import FAULT_TEXT, guarding
from bot.tables.people import escaped, mention
from bot.tables.table import Table
from engine.texts import Seat, Text
from engine.values import Value

MAX_CHARS = 3500
"""Characters of a list; Discord allows 4,000 in a message."""


class Overview(Value):
    """A game, with the time since when it waits for the first due player, and its problems.

    `findings` are those of the doctor in its channel; `problems` are all others.
    """

    table: Table
    since: datetime | None
    problems: tuple[Text, ...]
    findings: tuple[Finding, ...]

    @property
    def is_faulty(self) -> bool:
        """Whether the game has a problem or a finding."""
        return bool(self.problems or self.findings)

    def people(self) -> tuple[Text, ...]:
        """The holders of the seats; only the people at a table that cannot be read."""
        holders = self.table.row.holders
        if self.table.problem:
            # the game names seats and computers, and may not be installed any more
            return tuple(Text("{user}", user=mention(holder.user_id)) for holder in holders if holder.user_id)
        return self.table.persons_on(Seat(n) for n in range(len(holders)))


async def overview(services: Services, guild: discord.Guild, table: Table) -> Overview:
    """Collect the due players and the problems of a game."""
    since, faults = await _since(services, table)
    channel_problems, findings = await _channel_problems(services, guild, table.row.channel_id)
    problems = [*([table.problem] if table.problem else faults), *channel_problems]
    if error := services.poster.last_error(table.id):
        problems.append(Text("Its board can’t be posted. Discord says: {why}.", why=escaped(reason(error))))
    return Overview(table, since, tuple(problems), findings)


async def _since(services: Services, table: Table) -> tuple[datetime | None, list[Text]]:
    """When the first due player was asked, and a problem if the code of the game fails."""
    try:
        with guarding(table):
            is_running = table.match and table.row.status is Status.RUNNING
            decisions = table.require_match().state.decisions() if is_running else ()
            return await waiting_since(services, table, decisions) if decisions else None, []
    except GameFault:
        return None, [FAULT_TEXT]


async def _channel_problems(
    services: Services, guild: discord.Guild, channel_id: int
) -> tuple[tuple[Text, ...], tuple[Finding, ...]]:
    """The problems of the channel of a game, and the doctor's findings there."""
    try:
        return (), await findings_in(services.channels.requests, guild, channel_id)
    except DISCORD_ERRORS as error:
        if is_gone(error):
            return (Text("Its channel is gone."),), ()
        if is_closed(error):
            return (Text("I can’t see its channel."),), ()
        return (), ()  # an outage is not a problem of the game


async def former_members(
    members: Members, guild: discord.Guild, user_ids: Collection[int], *, asked_by: int
) -> frozenset[int]:
    """The users that have certainly left a server; empty if Discord does not answer."""
    try:
        here = await members.names(guild, user_ids, asked_by=asked_by, anew=True)
    except DISCORD_ERRORS:
        return frozenset()
    return frozenset(user_ids) - here.keys()
