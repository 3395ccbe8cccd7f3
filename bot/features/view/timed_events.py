"""The tables and leagues of a server that begin at a time, as events for all of its members."""

from __future__ import annotations

from datetime import datetime

import discord

from bot.features.services import Services
from bot.interactions.audience import everyone_sees
from bot.store.leagues import LeagueStatus
from bot.store.matches import Admission, Status
from bot.tables.scheduled_events import TimedEvent
from engine.games import discover
from engine.texts import Text, term


async def timed_events(services: Services, guild: discord.Guild, now: datetime) -> dict[str, TimedEvent]:
    """The events of a server by key, without those in places that some members cannot see."""
    return {**await _events_of_tables(services, guild, now), **await _events_of_leagues(services, guild, now)}


async def _events_of_tables(services: Services, guild: discord.Guild, now: datetime) -> dict[str, TimedEvent]:
    return {
        f"table {table.id}": _event(guild, _title(table.game), table.starts_at, table.channel_id)
        for table in await services.store.open_tables.of_server(guild.id)
        if table.status is Status.LOBBY
        and table.admits is not Admission.INVITATION
        and table.starts_at is not None
        and table.starts_at > now
        and everyone_sees(guild, table.channel_id, table.parent_id if table.own_thread else None)
    }


async def _events_of_leagues(services: Services, guild: discord.Guild, now: datetime) -> dict[str, TimedEvent]:
    return {
        f"league {league.id}": _event(guild, _league_title(league.game), league.closes_at, league.channel_id)
        for league in await services.store.leagues.of_server(guild.id)
        if league.status is LeagueStatus.SIGN_UP
        and league.closes_at > now
        and everyone_sees(guild, league.channel_id, None)
    }


def _event(guild: discord.Guild, title: Text, starts_at: datetime, channel_id: int) -> TimedEvent:
    # Discord: 100 characters
    return TimedEvent(str(title)[:100], starts_at, f"https://discord.com/channels/{guild.id}/{channel_id}")


def _title(game: str) -> Text:
    spec = discover().get(game)
    return spec.name if spec else term(game)


def _league_title(game: str) -> Text:
    return Text("{title} League, round {round}", title=_title(game), round=1)
