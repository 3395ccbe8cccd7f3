"""The message that reminds somebody."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from discord.ui import TextDisplay

from bot.deadlines.reminder_buttons import LABELS, ask_why, snooze
from bot.deadlines.waiting import Waiting
from bot.interactions.parts import Layout, layout, rows, stamp
from bot.store.jobs import NOBODY
from bot.tables.people import mention
from engine.texts import Text, joined

NAMED = 8
"""Most games that one reminder names; the others are counted."""

# Discord: 4,000 characters in a message; with titles and links, eight questions of this length fit
QUESTION_LENGTH = 250

LAST = Text("-# This is my last reminder of this game. Any move starts them again.")


def reminder_layout(user_id: int, due: Sequence[tuple[Waiting, datetime]], *, direct: bool) -> Layout:
    """The games that wait for a user, each with the time since when; in a direct message they speak to them."""
    if direct:
        heading = Text("⏰ {games:A game is|Games are} waiting for you.", games=len(due))
    else:
        who = mention(user_id)
        heading = Text("⏰ {who}, {games:a game is|games are} waiting for you.", who=who, games=len(due))
    lines = [_game(waiting, since, direct=direct) for waiting, since in due[:NAMED]]
    more = [Text("-# … and {more} more", more=len(due) - NAMED)] if len(due) > NAMED else []
    words = (heading, *lines, *more)
    snoozes = [snooze.button(label, name=name, user_id=user_id) for name, label in LABELS.items()]
    # a league decides itself what becomes of its games
    endable = [one for one, _ in due[:NAMED] if one.is_last and one.table.row.host_id != NOBODY]
    ends = [ask_why.button(Text("End {title}", title=one.table.title), match_id=one.match_id) for one in endable]
    goes_on = any(not waiting.is_last for waiting, _ in due)
    return layout(TextDisplay("\n".join(map(str, words))), *rows([*(snoozes if goes_on else []), *ends]))


def _game(waiting: Waiting, since: datetime, *, direct: bool) -> Text:
    line = Text(
        "**{title}**: {question}\n-# asked {when} · [Go to board]({link})",
        title=waiting.table.title,
        question=(waiting.asked if direct else waiting.question)[:QUESTION_LENGTH],
        when=stamp(since, "R"),
        link=waiting.link,
    )
    return joined([line, LAST], "\n") if waiting.is_last else line
