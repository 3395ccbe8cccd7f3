"""The table before the game: who plays, against which computers, with which options."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import Field, fields
from typing import Any

import discord

from bot.courtyard import Courtyard
from bot.errors import Sorry
from bot.interactions.answers import Answer, together
from bot.interactions.parts import Layout, confirm_layout
from bot.lobby.files import OwnFiles, own_files
from bot.lobby.layouts import (
    KEPT,
    OWN_FILE,
    closed_lobby_layout,
    lobby_layout,
    options_layout,
    remove_layout,
    unusable,
)
from bot.posting.story import person
from bot.reception import Handler, Tap, channel_of
from bot.store.rows import Chair, Status
from bot.tables.table import Table, mention
from bot.tables.tables import DEFAULT_COMPUTER
from engine.core import GameSpec, OptionValue
from engine.texts import Text

PERMISSIONS = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "attach_files": "Attach Files",
}
"""What the bot needs where a game is played; `THREAD_PERMISSIONS` in a thread."""

THREAD_PERMISSIONS = {
    "view_channel": "View Channel",
    "send_messages_in_threads": "Send Messages in Threads",
    "attach_files": "Attach Files",
}

BEGUN = Text("The game has begun.")
EVERYBODY_LEFT = Text("Everybody left; the table is free again.")
CALLED_OFF = Text("The game was called off before it began.")
DONE = Text("Done.")


def require_permissions(interaction: discord.Interaction[discord.Client]) -> None:
    """Raise `Sorry` naming every permission the bot lacks in the channel of an interaction."""
    wanted = THREAD_PERMISSIONS if isinstance(interaction.channel, discord.Thread) else PERMISSIONS
    missing = [f"**{name}**" for flag, name in wanted.items() if not getattr(interaction.app_permissions, flag)]
    if missing:
        text = Text(
            "I cannot hold a game here: in this channel I lack {permissions}. "
            "Somebody who manages the server can grant it under the channel’s permissions.",
            permissions=", ".join(missing),
        )
        raise Sorry(text)


async def new(court: Courtyard, answer: Answer, spec: GameSpec) -> None:
    """Set a table for a game in the channel of an interaction."""
    interaction = answer.interaction
    channel_id = channel_of(interaction)
    require_permissions(interaction)
    table = await court.tables.open(
        spec.slug, guild_id=interaction.guild_id or 0, channel_id=channel_id, host_id=interaction.user.id
    )
    answer.kept = Text("The table is set.")
    message_id = await answer.publish(lobby_layout(table))
    if message_id is None:
        message_id = await court.channels.send(channel_id, lobby_layout(table))
        await answer.say(answer.kept)
    await court.tables.note_lobby_message(table, message_id)
    await court.pictures.warm_up(spec)


async def join(tap: Tap) -> None:
    """Take the next free seat."""
    await tap.court.tables.change_chairs(tap.table, lambda chairs: _with_user(tap.table, chairs, tap.user_id))
    await _changed(tap, Text("You are in. Press **Start** when everybody is here."))


async def leave(tap: Tap) -> None:
    """Give the seat back; the host hands the table on, and the last one closes it."""
    table, user_id = tap.table, tap.user_id

    def without(chairs: Sequence[Chair]) -> list[Chair]:
        if not any(chair.user_id == user_id for chair in chairs):
            raise Sorry(Text("You are not at this table."))
        left = [chair for chair in chairs if chair.user_id != user_id]
        return left if any(chair.user_id for chair in left) else []

    if table.row.status is Status.RUNNING:
        raise Sorry(Text("The game has begun. `/game resign` lets a computer play on for you."))
    await tap.court.tables.change_chairs(table, without)
    await tap.court.tables.hand_on(table)
    await _changed(tap, Text("You have left the table."), closing=None if table.row.chairs else EVERYBODY_LEFT)


async def add_computer(tap: Tap) -> None:
    """Let a computer player take the next free seat."""
    tap.table.seated(tap.user_id)

    def with_computer(chairs: Sequence[Chair]) -> list[Chair]:
        _require_room(tap.table, chairs)
        return [*chairs, Chair(computer=DEFAULT_COMPUTER)]

    await tap.court.tables.change_chairs(tap.table, with_computer)
    await _changed(tap, Text("A computer has taken a seat."))


async def start(tap: Tap) -> None:
    """Deal, close the lobby and post the first board."""
    tap.table.seated(tap.user_id)
    require_permissions(tap.answer.interaction)
    await tap.court.tables.start(tap.table)
    await _changed(tap, BEGUN, tap.court.poster.deliver(tap.table), closing=BEGUN)


async def remove(tap: Tap) -> None:
    """The host chooses who leaves the table."""
    require_host(tap)
    await tap.answer.show(remove_layout(tap.table))


async def unseat(tap: Tap) -> None:
    """The host has chosen whom to remove."""
    require_host(tap)
    seat, who = tap.control.version, tap.control.text

    def without(chairs: Sequence[Chair]) -> list[Chair]:
        if seat >= len(chairs) or str(chairs[seat].user_id) != who:
            raise Sorry(Text("Somebody has left since. Tap **Remove** again to see who is there."))
        if chairs[seat].user_id == tap.table.row.host_id:
            raise Sorry(Text("The host cannot be removed; Leave hands the table on."))
        return [chair for n, chair in enumerate(chairs) if n != seat]

    await tap.court.tables.change_chairs(tap.table, without)
    await _done(tap, DONE, _refresh(tap))


async def options(tap: Tap) -> None:
    """A private message with a menu per option."""
    require_host(tap)
    files = await own_files(tap.court.data_dir, tap.table.spec)
    await tap.answer.show(options_layout(tap.table, files))


async def option_chosen(tap: Tap) -> None:
    """An option was chosen; the id carries its name, the menu the number of the choice."""
    require_host(tap)
    found = next((f for f in fields(tap.table.spec.options) if f.name == tap.control.text), None)
    if found is None:
        raise Sorry(Text("This game has no such option any more."))
    files = await own_files(tap.court.data_dir, tap.table.spec)
    row = tap.value
    if row.startswith(OWN_FILE):
        await tap.court.tables.set_option(tap.table, found.name, _text_of(tap.table, files, found.name, row))
    elif row != KEPT:
        await tap.court.tables.set_option(tap.table, found.name, _choice(found, row))
    await together(tap.answer.show(options_layout(tap.table, files)), _refresh(tap))


def _choice(option: Field[Any], row: str) -> OptionValue:
    """The fixed choice that a menu row stands for by its number."""
    choices: Sequence[OptionValue] = option.metadata["choices"]
    if not row.isdecimal() or int(row) >= len(choices):
        raise Sorry(Text("That is no choice of this option."))
    return choices[int(row)]


def _text_of(table: Table, files: OwnFiles, option: str, row: str) -> str:
    """The text of the file that a menu row stands for; it may have gone or been spoilt since."""
    name = row.removeprefix(OWN_FILE)
    file = next((file for file in files.get(option, ()) if file.name == name), None)
    if file is None or file.problem:
        problem = file.problem if file else None
        raise Sorry(unusable(table, name, problem or Text("it is gone.")))
    return file.text


async def ask_end(tap: Tap) -> None:
    """Ask before a game is called off."""
    require_host(tap)
    question = Text("End this game for everybody? Its log is kept, but it cannot go on.")
    await tap.answer.show(confirm_layout(tap.table.id, question, "end", Text("End it"), tap.table.say))


async def end(tap: Tap) -> None:
    """The host or a moderator confirmed that the game is called off."""
    require_host(tap)
    table, poster = tap.table, tap.court.poster
    in_lobby = table.row.status is Status.LOBBY and not table.problem
    await tap.court.tables.end(table)
    told = Text("**{title}** was called off by {host}.", title=table.title, host=mention(tap.user_id))
    farewell = tap.court.channels.announce(table, told)
    tidying = _refresh(tap, CALLED_OFF) if in_lobby else poster.retire_all(table)
    await _done(tap, DONE, farewell, tidying)


async def ask_resign(tap: Tap) -> None:
    """Ask before a seat is handed to a computer."""
    tap.table.playing()
    seat = tap.table.seated(tap.user_id)
    question = Text("Leave this game{seat:, @|}? A computer will play on in your seat.", seat=seat)
    await tap.answer.show(confirm_layout(tap.table.id, question, "resign", Text("Resign"), tap.table.say))


async def resign(tap: Tap) -> None:
    """A player confirmed that a computer shall go on in his place."""
    who = person(tap.table, tap.table.seated(tap.user_id))
    await tap.court.tables.resign(tap.table, tap.user_id)
    await tap.court.tables.hand_on(tap.table)
    await _done(tap, Text("Done. Thank you for playing."), _without(tap, who))


async def _without(tap: Tap, who: Text) -> None:
    """The table goes on without somebody, or is closed if nobody is left."""
    table, court = tap.table, tap.court
    await court.channels.announce(table, Text("{who} leaves the game; a computer plays on in this seat.", who=who))
    if table.is_open:
        await court.tables.resume(table)
        await court.poster.deliver(table)
    else:
        await court.poster.retire_all(table)
        told = Text("Nobody is left at this table of **{title}**; it is closed.", title=table.title)
        await court.channels.announce(table, told)


def require_host(tap: Tap) -> None:
    """Raise `Sorry` unless the user is the host or may manage the channel's messages."""
    if tap.user_id != tap.table.row.host_id and not tap.answer.interaction.permissions.manage_messages:
        raise Sorry(Text("Only the host, {host}, or a moderator can do that.", host=mention(tap.table.row.host_id)))


async def _done(tap: Tap, text: Text, *rest: Awaitable[None]) -> None:
    """Tell a user that something is done for good; whatever follows from it does not wait for that answer."""
    tap.answer.kept = text
    await together(tap.answer.show_text(text), *rest)


async def _changed(tap: Tap, text: Text, *rest: Awaitable[None], closing: Text | None = None) -> None:
    """Show the table as it is now: in place where its button was pressed, else with a word to whoever typed."""
    if tap.is_command:
        await _done(tap, text, _refresh(tap, closing), *rest)
    else:
        tap.answer.kept = text
        await together(tap.answer.show(_lobby(tap.table, closing)), *rest)


async def _refresh(tap: Tap, closing: Text | None = None) -> None:
    """Bring the public lobby message up to date; it may be gone."""
    row = tap.table.row
    if row.lobby_message_id is not None:
        await tap.court.channels.refresh(row.channel_id, row.lobby_message_id, _lobby(tap.table, closing))


def _lobby(table: Table, closing: Text | None) -> Layout:
    return lobby_layout(table) if closing is None else closed_lobby_layout(table, closing)


def _with_user(table: Table, chairs: Sequence[Chair], user_id: int) -> list[Chair]:
    if any(chair.user_id == user_id for chair in chairs):
        raise Sorry(Text("You are at this table already."))
    _require_room(table, chairs)
    return [*chairs, Chair(user_id=user_id)]


def _require_room(table: Table, chairs: Sequence[Chair]) -> None:
    if len(chairs) >= table.spec.seats[-1]:
        most = table.spec.seats[-1]
        text = Text(
            "The table is full: {title} is for at most {most} {most:player|players}.", title=table.title, most=most
        )
        raise Sorry(text)


HANDLERS: dict[str, Handler] = {
    "join": join,
    "leave": leave,
    "add": add_computer,
    "start": start,
    "remove": remove,
    "unseat": unseat,
    "options": options,
    "option": option_chosen,
    "end": end,
    "resign": resign,
}
"""What the controls of this room do."""

IN_PLACE = frozenset({"join", "leave", "add", "start"})
"""Controls of the lobby's public message: the answer is that message, as it is now."""
