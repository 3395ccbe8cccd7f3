"""A game as files: its log in words and, once it is over, the complete record for programs."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Iterator

import discord
from discord.ui import File, TextDisplay

from bot.features.handlers import Answer, TableRequest, at_table
from bot.interactions.parts import layout
from bot.posting import story_layouts
from bot.store.matches import Status
from bot.tables.options import plain_option_words
from bot.tables.table import Table
from engine.errors import BrokenLog
from engine.match import Entry, Match
from engine.notation import parse_action
from engine.record import Record, format_record
from engine.texts import CHANCE, Seat, Text
from engine.wording import Voice

AS_YOU_KNOW_IT = Text(
    "-# It contains everything you’re allowed to know about the game. Once the game is over, there is a "
    "file for programs, too."
)
TO_PLAY_ON = Text("-# With the second file `/table continue` lets you continue this game from any move.")
NOT_FROM_HERE = Text("-# This game began in the middle of another one, so there’s no file to continue from.")


# *Export*, under a log and a story, leaves the page where it is
@at_table(story_layouts.export, Answer.NEW)
async def export(request: TableRequest) -> None:
    """The game as this user may know it, in files that only they get."""
    table = request.table
    with request.services.limits.exports.one(request.user_id):
        match, name, note = table.viewable_match(), f"{table.spec.slug}-{table.id}", AS_YOU_KNOW_IT
        files = {f"{name}.txt": "\n".join(_lines(table, match, table.seat_of(request.user_id)))}
        if table.row.status is Status.OVER:
            # the match is replayed for it: that takes too long for the event loop
            record = await asyncio.to_thread(_file_if_fair, table, match)
            note = TO_PLAY_ON if record else NOT_FROM_HERE
            files |= {f"{name}.json": record} if record else {}
        text = table.say(Text("### {title}\n{note}", title=table.title, note=note))
        page = layout(TextDisplay(text), *(File[discord.ui.LayoutView](f"attachment://{file}") for file in files))
        sent = [discord.File(io.BytesIO(text.encode()), file) for file, text in files.items()]
        await request.response.show(page, sent)


def record_of(table: Table) -> Record:
    """The match as it is exported, finished or not."""
    row, match = table.row, table.viewable_match()
    names = tuple(holder.name for holder in row.holders)
    return Record(match.spec, match.setup, row.options, names, row.seed, tuple(match.entries), row.proof)


def _file_if_fair(table: Table, match: Match) -> str:
    """The JSON file of a match; empty if its luck does not follow from its seed, as in a game continued from a file."""
    assert match.outcome is not None, "the match is over"
    record = record_of(table)
    try:
        record.match()
    except BrokenLog:
        return ""
    return format_record(record, match.outcome)


def _lines(table: Table, match: Match, seat: Seat | None) -> Iterator[str]:
    """The title, the players, the events as seen from a seat, and the result."""
    voice = Voice(table.plain_names, seat)
    yield str(table.title)
    yield from (voice.say(plain_option_words(table.spec, name, value)) for name, value in table.row.options.items())
    yield from table.plain_names
    lines = (" ".join(map(voice.say, events)) for _, events in match.history(seat))
    if match.outcome is None:  # a number would tell that something was done unseen
        yield from filter(None, lines)
        return
    for number, (entry, line) in enumerate(zip(match.effective, lines, strict=True), 1):
        yield f"{number}. {line or _without_events(match, entry, voice)}"
    yield voice.say(Text("The end: {reason}", reason=match.outcome.summary))
    scores = zip(table.plain_names, match.outcome.scores, strict=True)
    yield from (f"{name}: {score}" for name, score in scores)


def _without_events(match: Match, entry: Entry, voice: Voice) -> str:
    """An entry of which no event tells, by its label; an outcome of luck without a label in notation."""
    is_luck = entry.seat == CHANCE
    action = parse_action(entry.notation, match.spec.chances) if is_luck else match.parse(entry.notation)
    move = voice.label(action) if action.label or not is_luck else entry.notation
    return voice.say(Text("{seat}: {move}", seat=entry.seat, move=move))
