"""The games of a server, page by page, for moderators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord.ui import TextDisplay

from bot.interactions.controls import NO_TABLE, Control, ControlId, Menu
from bot.interactions.parts import DANGER, PRIMARY, Layout, layout, row, stamp
from bot.moderation.games_overview import Overview
from bot.store.matches import Status
from bot.tables.people import mention
from bot.tables.table import Table
from bot.view.my_games import link_to, that_fit
from engine.texts import Text, joined

ROOM = 3500
"""Characters of a list; a message holds some more."""

UNSTICK_RUNNING = Text(
    "**Unstick** – I reload the game from its record, drop unconfirmed choices and any open undo request, let "
    "computers continue, and post the board again. Moves already played stay, and nobody is mentioned twice."
)
UNSTICK_LOBBY = Text("**Unstick** – I reload the table, and post it again.")
UNSTICK_BROKEN = Text("**Unstick** – I try to reload the record of the game.")
END = Text(
    "**End it** – for everyone and for good. You can give a reason, which is shown in the channel and kept in the log."
)
HAND_OVER = Text(
    "**Hand a seat to a computer** – for somebody who doesn’t come back. As long as nobody else has taken the seat, "
    "they can return with `/game join`."
)


def games_layout(games: Sequence[Overview], guild: discord.Guild, more: int) -> Layout:
    """The open games of a server, to choose one from; `more` are not listed."""
    told = [str(Text("### Games in this server")), *that_fit([_in_short(game) for game in games], ROOM)]
    if more:
        told.append(str(Text("-# … and {more} newer {more:game|games}", more=more)))
    rows = tuple((str(game.table.id), _label(game, guild)) for game in games)
    menu = Menu(ControlId("ofserver", NO_TABLE), rows, str(Text("Manage a game")))
    barred = Control(ControlId("bars", NO_TABLE), str(Text("Barred people")))
    return layout(TextDisplay("\n".join(told)), row(menu), row(barred))


def _told(game: Overview) -> Text:
    """A game in a few lines: where, with whom, who is due since when, and what is the matter."""
    row, people = game.table.row, game.people()
    heading = Text(
        "**[{title}]({link})** in {channel} · {people}",
        title=game.table.title,
        link=link_to(game.table),
        channel=f"<#{row.channel_id}>",
        people=joined(people, ", ") if people else Text("nobody"),
    )
    return joined([heading, _due(game), *(Text("⚠️ {what}", what=what) for what in game.trouble)], "\n")


def _in_short(game: Overview) -> str:
    """The same for a list, where what is missing in its channel is only named."""
    missing = tuple(Text("**{need}**", need=finding.need.name) for finding in game.findings if finding.need)
    lacking = [Text("⚠️ I’m missing {missing} in its channel.", missing=missing)] if missing else []
    closed = [Text("⚠️ {closed}", closed=finding.text) for finding in game.findings if not finding.need]
    return game.table.say(joined([_told(game), *lacking, *closed], "\n"))


def _due(game: Overview) -> Text:
    if game.table.problem:
        return Text("It can’t continue.")
    if game.table.row.status is Status.LOBBY:
        return Text("Waiting for players; it hasn’t begun.")
    due = game.table.due_sentence()
    return Text("{due} Asked {when}.", due=due, when=stamp(game.since, "R")) if game.since else due


def _label(game: Overview, guild: discord.Guild) -> str:
    """The row of a menu."""
    row = game.table.row
    channel = guild.get_channel_or_thread(row.channel_id)
    names = ", ".join(holder.name for holder in row.holders if holder.name)
    sign = "⚠️ " if game.is_ill else ""
    return f"{sign}{game.table.title} · #{channel.name if channel else '…'} · {names}"


def game_layout(game: Overview, left: frozenset[int], note: Text | None) -> Layout:
    """All that can be done about a game, each with what it does; `left` are not in the server any more."""
    table = game.table
    lines = [note, _told(game)] if note else [_told(game)]
    if left:
        people = tuple(mention(user_id) for user_id in sorted(left))
        lines.append(Text("⚠️ {people} {people:has|have} left the server.", people=people))
    lines += [Text("⚠️ {finding}", finding=finding.text) for finding in game.findings]
    unstick = UNSTICK_LOBBY if table.row.status is Status.LOBBY else UNSTICK_RUNNING
    return layout(
        TextDisplay(table.say(joined(lines, "\n"))),
        TextDisplay(str(UNSTICK_BROKEN if table.problem else unstick)),
        row(Control(ControlId("unstick", table.id), str(Text("Unstick")), PRIMARY)),
        TextDisplay(str(END)),
        row(Control(ControlId("calloff", table.id), str(Text("End it…")), DANGER)),
        *_handing(table, left),
        row(Control(ControlId("games", NO_TABLE), str(Text("All games")))),
    )


def _handing(table: Table, left: frozenset[int]) -> list[discord.ui.Item[Any]]:
    """The menu of those for whom a computer could play on."""
    # neither at a table that waits for players, who can be removed there, nor in a game that cannot continue
    if table.problem or table.match is None:
        return []
    rows = [
        (str(holder.user_id), f"{name}{GONE if holder.user_id in left else ''}")
        for holder, name in zip(table.row.holders, table.plain_names, strict=False)
        if holder.user_id is not None
    ]
    menu = Menu(ControlId("handing", table.id), tuple(rows), str(Text("Whose seat?")))
    return [TextDisplay(str(HAND_OVER)), row(menu)]


GONE = Text(" – has left the server")


def hand_over_layout(table: Table, user_id: int) -> Layout:
    """A question before somebody's seat is handed to a computer."""
    others = len(table.people) - 1
    question = Text("Let a computer play for {user} from now on?", user=mention(user_id))
    if not others:
        question = Text("{question} Nobody else plays in this game, so this ends it.", question=question)
    return layout(
        TextDisplay(str(question)),
        row(
            Control(ControlId("handover", table.id, text=str(user_id)), str(Text("Hand it over")), DANGER),
            Control(ControlId("again", table.id), str(Text("Back to the game"))),
        ),
    )
