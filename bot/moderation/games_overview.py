"""The open games of a server as moderators see them: who is due since when, and what is the matter with each."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

import discord

from bot.errors import TROUBLE, reason
from bot.interactions.members import Members
from bot.interactions.permissions import Finding
from bot.interactions.places import findings_in
from bot.interactions.refusals import is_closed, is_gone
from bot.services import Services
from bot.store.matches import Status
from bot.tables.people import escaped, mention
from bot.tables.table import Table
from bot.view.my_games import waiting_since
from engine.texts import Seat, Text

ROOM = 3500
"""Characters of a list; a message holds some more."""


@dataclass(frozen=True, slots=True)
class Overview:
    """A game, since when it has waited for the first of those who are due, and what is the matter with it.

    `findings` are the doctor's, of its channel; `trouble` is everything else.
    """

    table: Table
    since: datetime | None
    trouble: tuple[Text, ...]
    findings: tuple[Finding, ...]

    @property
    def is_ill(self) -> bool:
        """Whether anything is the matter."""
        return bool(self.trouble or self.findings)

    def people(self) -> tuple[Text, ...]:
        """Who sits at the table; of one that cannot be read, only the people."""
        holders = self.table.row.holders
        if self.table.problem:
            # its seats and computers are called by the game, which may not be known any more
            return tuple(Text("{user}", user=mention(holder.user_id)) for holder in holders if holder.user_id)
        return self.table.persons_on(Seat(n) for n in range(len(holders)))


async def overview(services: Services, guild: discord.Guild, table: Table) -> Overview:
    """What a moderator has to know about a game."""
    asked = table.match.state.decisions() if table.match and table.row.status is Status.RUNNING else ()
    since = await waiting_since(services, table, asked) if asked else None
    trouble, findings = await _place_trouble(services, guild, table.row.channel_id)
    told = [table.problem, *trouble] if table.problem else list(trouble)
    if error := services.poster.trouble(table.id):
        told.append(Text("Its board can’t be posted. Discord says: {why}.", why=escaped(reason(error))))
    return Overview(table, since, tuple(told), findings)


async def _place_trouble(
    services: Services, guild: discord.Guild, channel_id: int
) -> tuple[tuple[Text, ...], tuple[Finding, ...]]:
    """The trouble with the channel of a game, and the findings of the doctor there."""
    try:
        return (), await findings_in(services.channels.requests, guild, channel_id)
    except TROUBLE as error:
        if is_gone(error):
            return (Text("Its channel is gone."),), ()
        if is_closed(error):
            return (Text("I can’t see its channel."),), ()
        return (), ()  # an outage is not a problem of the game


async def who_left(
    members: Members, guild: discord.Guild, user_ids: Collection[int], *, asked_by: int
) -> frozenset[int]:
    """Those who are certainly not in a server any more; none of them if Discord does not answer."""
    try:
        here = await members.names(guild, user_ids, asked_by=asked_by, anew=True)
    except TROUBLE:
        return frozenset()
    return frozenset(user_ids) - here.keys()
