"""The moderators' log, a channel of the server: a line for each action of a moderator or a vote."""

from __future__ import annotations

import secrets
from datetime import datetime

from bot.store.jobs import NO_MATCH, NOBODY, Job, JobKind
from bot.store.table_events import TableEvent, TableEventKind
from bot.tables.people import escaped, mention
from bot.tables.table import Table
from engine.core import GameSpec
from engine.proof import commitment
from engine.texts import Text, to_json

OF_ITS_SERVER = 0
"""Takes the place of a channel in the lines about a match: they go where its server wants them when they are posted."""


def line_job(
    line: Text, at: datetime, *, by: int | None, match_id: int = NO_MATCH, channel_id: int = OF_ITS_SERVER
) -> Job:
    """A job that posts a line about what a user did, at a time, for `Jobs.extend`. A line that is not about a match
    needs its channel.
    """
    # the nonce is stored with the line, so that a line that is sent again after a crash is one message
    # 20 characters: Discord takes up to 25 as a nonce
    state = {"lines": [[channel_id, f"log-{secrets.token_hex(8)}", to_json(line)]]}
    return Job(JobKind.MODERATION_LOG, at, match_id, by or NOBODY, state=state)


def table_job(table: Table, text: Text, at: datetime, *, by: int | None) -> Job:
    """A line about a table."""
    line = Text("**{title}**, {channel}: {told}", title=table.title, channel=f"<#{table.row.channel_id}>", told=text)
    return line_job(line, at, by=by, match_id=table.id)


def luck_job(spec: GameSpec, secret: str, at: datetime, *, match_id: int, channel_id: int) -> Job:
    """A job that posts the whole commitment of a new table, which no later edit of another message can change."""
    sealed = Text("luck sealed: {digits}", digits=f"`{commitment(secret)}`")
    line = Text("**{title}**, {channel}: {told}", title=spec.name, channel=f"<#{channel_id}>", told=sealed)
    return line_job(line, at, by=None, match_id=match_id)


def moderation_lines(table: Table, *events: TableEvent) -> list[Job]:
    """Lines about some events at a table for the log of the moderators, whom most events do not concern."""
    lines = [(event, text) for event in events if (text := _log_line(table, event))]
    return [table_job(table, text, event.at, by=event.user_id) for event, text in lines]


def _log_line(table: Table, event: TableEvent) -> Text | None:
    user = mention(event.user_id or NOBODY)
    match event.kind:
        case TableEventKind.CLOSED if event.user_id not in (None, table.row.host_id):
            why = Text(": “{words}”", words=escaped(event.words)) if event.words else ""
            return Text("{user} ended it{why}", user=user, why=why)
        case TableEventKind.UNSTUCK:
            return Text("{user} unstuck it", user=user)
        case TableEventKind.REPLACED if event.seat is not None:
            other = mention(table.row.holders[event.seat].user_id or NOBODY)
            return Text("{user} gave {other}’s seat to a computer", user=user, other=other)
        case TableEventKind.HELD | TableEventKind.LAPSED | TableEventKind.INVITED:
            by_pace, by_vote = Text("too many late turns"), Text("by a vote of the others")
            why = by_pace if event.kind is TableEventKind.LAPSED else by_vote
            return Text("a computer takes over {user}’s seat: {why}", user=user, why=why)
    return None
