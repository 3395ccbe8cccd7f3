"""The overview of a server: one message with its open games, and the players whom each of them waits for."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from datetime import datetime

import discord
from discord.ui import TextDisplay
from discord.utils import format_dt, snowflake_time

from bot.errors import GameFault
from bot.features.services import Services
from bot.features.view.my_games import list_mine, that_fit
from bot.interactions.audience import readers_see
from bot.interactions.controls import Control
from bot.interactions.parts import Layout, layout, row, stamp
from bot.store.matches import Admission, Status
from bot.store.open_tables import OpenTable
from bot.tables.faults import guarding
from bot.tables.people import mention
from engine.games import discover
from engine.texts import Seat, Text, joined, term

MAX_CHARS = 3500
"""Characters of the list; Discord allows 4,000 in a message."""

HEADING = Text("### Games in this server")
NO_GAMES = Text("No game is open at the moment. `/table new` sets up a table.")


async def visible_tables(services: Services, guild: discord.Guild, channel_id: int) -> list[OpenTable]:
    """The open tables of a server whose places all readers of a channel can see, with their due players."""
    return [
        dataclasses.replace(table, due=await _due_now(services, table)) if table.has_moved else table
        for table in await services.store.open_tables.of_server(guild.id)
        if readers_see(guild, channel_id, table.channel_id, table.parent_id if table.own_thread else None)
    ]


async def _due_now(services: Services, open_table: OpenTable) -> tuple[Seat, ...]:
    """The due seats of a match of which some have decided since its board; those of the board if its game fails."""
    table = await services.tables.find(open_table.id)
    if table is None or table.match is None:
        return open_table.due
    try:
        with guarding(table):
            return tuple(decision.seat for decision in table.require_match().state.decisions())
    except GameFault:
        return open_table.due


def overview_words(guild_id: int, tables: Sequence[OpenTable]) -> str:
    """The list of some tables: running games first, then tables that wait for players."""
    running = [_running_line(guild_id, table) for table in tables if table.status is Status.RUNNING]
    # by invitation: no reader could join
    waiting = [table for table in tables if table.status is Status.LOBBY and table.admits is not Admission.INVITATION]
    lobbies = [_lobby_line(guild_id, table) for table in waiting]
    lines = [*map(str, running), *_section(Text("### Waiting for players"), lobbies)]
    fitting = list(that_fit(lines, MAX_CHARS))
    hidden = len(lines) - len(fitting)
    more = [str(Text("-# … and {more} more {more:game|games}", more=hidden))] if hidden else []
    return "\n".join((str(HEADING), *(fitting or [str(NO_GAMES)]), *more))


def _section(heading: Text, lines: Sequence[Text]) -> list[str]:
    return [f"{heading}\n{line}" if n == 0 else str(line) for n, line in enumerate(lines)]


def overview_layout(words: str, changed: datetime, number: int) -> Layout:
    """The message of the overview, with the time of its last change; `number` is that of the message."""
    note = Text("-# Changes show here within three minutes. Last change: {when}", when=stamp(changed, "R"))
    return layout(TextDisplay(f"{words}\n{note}"), row(my_games_button(number)))


def my_games_button(number: int) -> Control:
    """The button of the overview, by whose number the bot finds a message that it may have sent."""
    return list_mine.button(Text("My games"), number=number)


def _running_line(guild_id: int, table: OpenTable) -> Text:
    title = _title(guild_id, table)
    if not table.due or table.message_id is None:
        return Text("{title} in {channel}", title=title, channel=f"<#{table.channel_id}>")
    people = joined([_person(table, seat) for seat in table.due], ", ")
    since = format_dt(snowflake_time(table.message_id), "R")
    return Text(
        "{title} in {channel}: waiting for {people} · {when}",
        title=title,
        channel=f"<#{table.channel_id}>",
        people=people,
        when=since,
    )


def _lobby_line(guild_id: int, table: OpenTable) -> Text:
    spec = discover().get(table.game)
    present, most = len(table.users), spec.seats[-1] if spec else len(table.users)
    start = Text(" · ⏰ {time}", time=stamp(table.starts_at)) if table.starts_at else Text("")
    return Text(
        "{title} in {channel}: {present} of {most} {most:player|players}{start}",
        title=_title(guild_id, table),
        channel=f"<#{table.channel_id}>",
        present=present,
        most=most,
        start=start,
    )


def _title(guild_id: int, table: OpenTable) -> Text:
    spec = discover().get(table.game)
    link = f"https://discord.com/channels/{guild_id}/{table.channel_id}"
    address = f"{link}/{table.message_id}" if table.message_id else link
    return Text("**[{title}]({link})**", title=spec.name if spec else term(table.game), link=address)


def _person(table: OpenTable, seat: Seat) -> Text:
    user_id = table.users[seat] if seat < len(table.users) else None
    return Text("{user}", user=mention(user_id)) if user_id is not None else Text("a computer")
