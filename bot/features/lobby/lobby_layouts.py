"""The layouts of a table before its game: the lobby, the ready check, and the closed lobby."""

from __future__ import annotations

from datetime import datetime

from discord.ui import TextDisplay

from bot.interactions.controls import Control
from bot.interactions.emojis import title_with_emblem
from bot.interactions.kinds import declare_at_table
from bot.interactions.parts import (
    PRIMARY,
    SUCCESS,
    Layout,
    card,
    layout,
    row,
    sealed_luck,
    stamp,
)
from bot.posting.board_layouts import rules, your_move_button
from bot.store.matches import Admission
from bot.store.shard_range import NO_SERVER
from bot.tables.lobbies import closes_at
from bot.tables.options import option_words, preset_of
from bot.tables.paces import PACES
from bot.tables.people import mention
from bot.tables.rated import ALONE, why_not_rated
from bot.tables.table import Table
from engine.core import GameSpec
from engine.texts import Seat, Text, joined

MAX_INVITED = 12
"""Maximum number of invited users that are named, newest first."""


@declare_at_table("join")
def join() -> None:
    """*Join*: take a seat, or ask for one."""


@declare_at_table("start")
def start() -> None:
    """*Start*."""


@declare_at_table("add")
def add_computer() -> None:
    """*Add computer*."""


@declare_at_table("ready")
def ready() -> None:
    """*Ready*."""


@declare_at_table("more")
def more() -> None:
    """*More*: the other actions at a table."""


@declare_at_table("calendar")
def calendar() -> None:
    """*Calendar*: a file with the start time, for the user's own calendar."""


def lobby_layout(table: Table, note: Text | None = None, absent: Text | None = None, *, is_due: bool = False) -> Layout:
    """The lobby: seats, options and *Start*; during a ready check, the players with their answers.

    `absent` is the line about absent players; `is_due` leaves out a start time, which has passed.
    """
    if table.row.ready is None:
        full, enough = table.is_full, len(table.row.holders) in table.spec.seats
        asks = table.row.admits is Admission.REQUEST
        controls = [
            Control(join.id(table), Text("Ask to join") if asks else Text("Join"), SUCCESS, disabled=full),
            Control(start.id(table), Text("a button\4Start"), PRIMARY, disabled=not enough),
            Control(add_computer.id(table), Text("Add computer"), disabled=full),
        ]
    else:
        controls = [ready.button(table, Text("Ready"), SUCCESS)]
    # a row has at most five buttons; the rare ones are behind *More*
    dated = [calendar.button(table, Text("Calendar"))] if table.row.starts_at and not is_due else []
    buttons = row(*controls, *dated, more.button(table, Text("More")))
    return layout(card(TextDisplay(_lobby_words(table, note, absent, is_due=is_due)), buttons))


def _lobby_words(table: Table, note: Text | None, absent: Text | None, *, is_due: bool) -> str:
    spec, stored, count = table.spec, table.row, len(table.row.holders)
    lines = [_seat_line(table, Seat(n)) for n in range(count)]
    # only the required seats: the game does not wait for optional ones
    lines += [Text("{seat}: free", seat=Seat(n)) for n in range(count, spec.seats[0])]
    lines += [absent] if absent else []
    lines += _option_lines(table)
    if stored.admits in ADMITS:
        lines.append(ADMITS[stored.admits])
    expected = [Text("{user}", user=mention(user_id)) for user_id in table.invited if user_id not in table.people]
    # during a ready check, no other players are expected
    if expected and stored.ready is None:
        lines.append(Text("-# Invited: {people}", people=joined(expected[-MAX_INVITED:], ", ")))
    if stored.starts_at and not is_due:
        lines.append(starts_text(stored.starts_at))
    # docs/luck.md: the commitment precedes all knowledge of the game
    lines += [sealed_luck(stored.secret), _state(table)]
    if note:
        lines.append(note)
    return "\n".join((f"## {title_with_emblem(spec)}", str(spec.about), "", *map(table.say, lines)))


def starts_text(starts_at: datetime) -> Text:
    """The line about a start time."""
    return Text("⏰ Starts on {time}, {wait}.", time=stamp(starts_at, "F"), wait=stamp(starts_at, "R"))


ADMITS = {
    Admission.REQUEST: Text("-# 🔑 On request: the host lets people in."),
    Admission.INVITATION: Text("-# 🔑 By invitation: the host invites people."),
}
"""The line of the lobby for each restricted admission."""


def _seat_line(table: Table, seat: Seat) -> Text:
    host = table.row.holders[seat].user_id == table.row.host_id
    label = Text("{person} · host" if host else "{person}", person=table.person(seat))
    if table.row.ready is None:
        return label
    return Text("{mark} {told}", mark="⏳" if table.row.holders[seat].user_id in table.unready else "✅", told=label)


def _option_lines(table: Table) -> list[Text]:
    """A line with the chosen options, as a preset or one by one, and the time for a turn. Games usually count, so it
    marks only those that do not.
    """
    spec, options = table.spec, table.row.options
    named = preset_of(spec, options)
    each = [option_words(spec, name, value) for name, value in options.items()]
    labels = each if named is None else [named.about]
    if (pace := PACES.get(table.row.pace)) is not None:
        labels.append(Text("⏳ {time} per turn", time=pace.turn))
    if table.row.guild_id != NO_SERVER and why_not_rated(table) not in (None, ALONE):
        labels.append(Text("Not rated"))
    return [Text("-# {chosen}", chosen=joined(labels, " · "))] if labels else []


def _state(table: Table) -> Text:
    """The last line of the lobby: the missing players, or during a ready check the unready ones."""
    if table.row.ready is None:
        return _player_count(table.spec, len(table.row.holders), when_full=table.row.when_full)
    people = tuple(map(mention, table.unready))
    question = Text("**Ready?** The game begins when everyone is. Waiting for {people}.", people=people)
    if (closing := closes_at(table)) is None:
        return question
    # with a deadline, so that players do not think that they must all be online at once
    until = stamp(closing)
    return Text("{asked}\n-# You have until {until}; then the table closes.", asked=question, until=until)


def _player_count(spec: GameSpec, present: int, *, when_full: bool) -> Text:
    """The player counts of the game, and the number of players still missing."""
    players = Text("{range} {most:player|players}.", range=spec.seat_range, most=spec.seats[-1])
    missing = min((seats - present for seats in spec.seats if seats >= present), default=0)
    state = Text("{missing} more needed.", missing=missing) if missing else Text("Start when everyone is here.")
    if when_full and present < spec.seats[-1]:
        full = Text("It starts as soon as {most} players are here.", most=spec.seats[-1])
        return Text("-# {players} {state} {full}", players=players, state=state, full=full)
    return Text("-# {players} {state}", players=players, state=state)


def in_own_thread(table: Table) -> Text:
    """A link to a game's own thread, to follow a word; empty for a game in the channel itself."""
    return Text(" in <#{thread}>", thread=str(table.row.channel_id)) if table.row.own_thread else Text("")


def first_game(table: Table) -> Text:
    """The announcement of a first game with advice."""
    begins = Text("Your first game of {title} has begun{where}", title=table.spec.name, where=in_own_thread(table))
    return Text("{begins}. You’ll get advice along the way, each idea once.", begins=begins)


def _in_short(table: Table) -> list[Text]:
    """The game in three lines under the options of this table; empty for a game without a summary."""
    short = table.spec.short_in(table.setup)
    if short is None:
        return []
    return [
        Text("**Goal** – {goal}", goal=short.goal),
        Text("**Turn** – {turn}", turn=short.turn),
        Text("**End** – {end}", end=short.end),
    ]


def first_game_layout(table: Table) -> Layout:
    """The announcement of a first game, with its goal, a turn and its end in three lines.

    It has no buttons for a game in its own thread, since a tap belongs to the channel of its message.
    """
    lines = [*_in_short(table), Text("-# {begins}", begins=first_game(table))]
    controls = [your_move_button(table), rules.button(Text("Rules"), match_id=table.id)]
    # a control finds its table by the channel
    ways = [] if table.row.own_thread else [row(*controls)]
    return layout(TextDisplay("\n".join(map(table.say, lines))), *ways)


def closed_lobby_layout(table: Table, text: Text, *, introduced: bool = False) -> Layout:
    """A lobby after its game began or was called off. `introduced` adds a summary of the game for newcomers."""
    players = list(table.persons_on(Seat(n) for n in range(len(table.row.holders))))
    about = ["", *map(table.say, _in_short(table))] if introduced else []
    words = "\n".join((f"## {title_with_emblem(table.spec)}", table.say(text), "", *map(table.say, players), *about))
    return layout(card(TextDisplay(words)))
