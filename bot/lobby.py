"""The table before the game: who plays, against which computers, with which options."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import Field, fields
from typing import Any

import discord

from bot.answers import Tap, together
from bot.controls import on
from bot.errors import Sorry
from bot.files import OwnFiles, own_files
from bot.messages import (
    KEPT,
    OWN_FILE,
    closed_lobby_layout,
    confirm_layout,
    lobby_layout,
    options_layout,
    person,
    remove_layout,
    text_layout,
)
from bot.store import Chair, Status
from bot.tables import DEFAULT_COMPUTER, Table
from engine import OptionValue, Seat

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


def require_permissions(interaction: discord.Interaction[discord.Client]) -> None:
    """Raise `Sorry` naming every permission the bot lacks in the channel of an interaction."""
    wanted = THREAD_PERMISSIONS if isinstance(interaction.channel, discord.Thread) else PERMISSIONS
    missing = [name for flag, name in wanted.items() if not getattr(interaction.app_permissions, flag)]
    if missing:
        raise Sorry(
            f"I cannot hold a game here: in this channel I lack **{'**, **'.join(missing)}**. "
            "Somebody who manages the server can grant it under the channel’s permissions."
        )


@on("join")
async def join(tap: Tap) -> None:
    """*Join*: take the next free seat."""
    await tap.client.tables.change_chairs(tap.table, lambda chairs: with_user(tap.table, chairs, tap.user_id))
    await tap.answer.show(lobby_layout(tap.table))


@on("leave")
async def leave(tap: Tap) -> None:
    """*Leave*: give the seat back; the host hands the table on, and the last one closes it."""
    await leave_lobby(tap)
    if tap.table.row.chairs:
        await tap.answer.show(lobby_layout(tap.table))
    else:
        await tap.answer.show(closed_lobby_layout(tap.table, "Everybody left; the table is free again."))


@on("add")
async def add_computer(tap: Tap) -> None:
    """*Add computer*: let a computer player take the next free seat."""
    tap.table.seated(tap.user_id)

    def with_computer(chairs: Sequence[Chair]) -> list[Chair]:
        _require_room(tap.table, chairs)
        return [*chairs, Chair(computer=DEFAULT_COMPUTER)]

    await tap.client.tables.change_chairs(tap.table, with_computer)
    await tap.answer.show(lobby_layout(tap.table))


@on("remove")
async def remove(tap: Tap) -> None:
    """*Remove*: the host chooses who leaves the table."""
    require_host(tap)
    await tap.answer.show(remove_layout(tap.table))


@on("unseat")
async def unseat(tap: Tap) -> None:
    """The host has chosen whom to remove."""
    require_host(tap)
    seat, who = tap.control.version, tap.control.text

    def without(chairs: Sequence[Chair]) -> list[Chair]:
        if seat >= len(chairs) or str(chairs[seat].user_id) != who:
            raise Sorry("Somebody has left since. Tap **Remove** again to see who is there.")
        if chairs[seat].user_id == tap.table.row.host_id:
            raise Sorry("The host cannot be removed; Leave hands the table on.")
        return [chair for n, chair in enumerate(chairs) if n != seat]

    await tap.client.tables.change_chairs(tap.table, without)
    await done(tap, "Done.", refresh_lobby(tap))


@on("options")
async def options(tap: Tap) -> None:
    """*Options*: a private message with a menu per option."""
    require_host(tap)
    files = await own_files(tap.client.data_dir, tap.table.spec)
    await tap.answer.show(options_layout(tap.table, files))


@on("option")
async def option_chosen(tap: Tap) -> None:
    """An option was chosen; the id carries its name, the menu the number of the choice."""
    require_host(tap)
    found = next((f for f in fields(tap.table.spec.options) if f.name == tap.control.text), None)
    if found is None:
        raise Sorry("This game has no such option any more.")
    files = await own_files(tap.client.data_dir, tap.table.spec)
    row = tap.value
    if row.startswith(OWN_FILE):
        await tap.client.tables.set_option(tap.table, found.name, _text_of(files, found.name, row))
    elif row != KEPT:
        await tap.client.tables.set_option(tap.table, found.name, _choice(found, row))
    await together(tap.answer.show(options_layout(tap.table, files)), refresh_lobby(tap))


def _choice(option: Field[Any], row: str) -> OptionValue:
    """The fixed choice that a menu row stands for by its number."""
    choices: Sequence[OptionValue] = option.metadata["choices"]
    if not row.isdecimal() or int(row) >= len(choices):
        raise Sorry("That is no choice of this option.")
    return choices[int(row)]


def _text_of(files: OwnFiles, option: str, row: str) -> str:
    """The text of the file that a menu row stands for; it may have gone or been spoilt since."""
    name = row.removeprefix(OWN_FILE)
    file = next((file for file in files.get(option, ()) if file.name == name), None)
    if file is None or file.problem:
        problem = file.problem if file else "it is gone."
        raise Sorry(f"{name} cannot be used: {problem}")
    return file.text


@on("start")
async def start(tap: Tap) -> None:
    """*Start*: deal, close the lobby and post the first board."""
    tap.table.seated(tap.user_id)
    require_permissions(tap.answer.interaction)
    await tap.client.tables.start(tap.table)
    tap.answer.kept = "The game has begun."
    await together(
        tap.answer.show(closed_lobby_layout(tap.table, tap.answer.kept)), tap.client.poster.deliver(tap.table)
    )


@on("end")
async def end(tap: Tap) -> None:
    """The host or a moderator confirmed that the game is called off."""
    require_host(tap)
    table, poster = tap.table, tap.client.poster
    in_lobby = table.row.status is Status.LOBBY and not table.problem
    await tap.client.tables.end(table)
    farewell = tap.client.announce(table, f"**{table.title}** was called off by <@{tap.user_id}>.")
    tidying = refresh_lobby(tap, "The game was called off before it began.") if in_lobby else poster.retire_all(table)
    await done(tap, "Done.", farewell, tidying)


@on("resign")
async def resign(tap: Tap) -> None:
    """A player confirmed that a computer shall go on in his place."""
    who = person(tap.table, tap.table.seated(tap.user_id))
    await tap.client.tables.resign(tap.table, tap.user_id)
    await tap.client.tables.hand_on(tap.table)
    await done(tap, "Done. Thank you for playing.", _without(tap, who))


async def _without(tap: Tap, who: str) -> None:
    """The table goes on without somebody, or is closed if nobody is left."""
    table, client = tap.table, tap.client
    await client.announce(table, f"{who} leaves the game; a computer plays on in this seat.")
    if table.is_open:
        await client.tables.resume(table)
        await client.poster.deliver(table)
    else:
        await client.poster.retire_all(table)
        await client.announce(table, f"Nobody is left at this table of **{table.title}**; it is closed.")


async def done(tap: Tap, sentence: str, *rest: Awaitable[None]) -> None:
    """Tell a user that something is done for good; whatever follows from it does not wait for that answer."""
    tap.answer.kept = sentence
    await together(tap.answer.show(text_layout(sentence)), *rest)


def with_user(table: Table, chairs: Sequence[Chair], user_id: int) -> list[Chair]:
    """The chairs with one more user. Raises `Sorry` if he sits there already or the table is full."""
    if any(chair.user_id == user_id for chair in chairs):
        raise Sorry("You are at this table already.")
    _require_room(table, chairs)
    return [*chairs, Chair(user_id=user_id)]


async def leave_lobby(tap: Tap) -> None:
    """Give the user's seat back, hand the table on to the next user, or close it."""
    table, user_id = tap.table, tap.user_id

    def without(chairs: Sequence[Chair]) -> list[Chair]:
        if not any(chair.user_id == user_id for chair in chairs):
            raise Sorry("You are not at this table.")
        left = [chair for chair in chairs if chair.user_id != user_id]
        return left if any(chair.user_id for chair in left) else []

    if table.row.status is Status.RUNNING:
        raise Sorry("The game has begun. `/game resign` lets a computer play on for you.")
    await tap.client.tables.change_chairs(table, without)
    await tap.client.tables.hand_on(table)


def require_host(tap: Tap) -> None:
    """Raise `Sorry` unless the user is the host or may manage the channel's messages."""
    if tap.user_id != tap.table.row.host_id and not tap.answer.interaction.permissions.manage_messages:
        raise Sorry(f"Only the host, <@{tap.table.row.host_id}>, or a moderator can do that.")


def end_question(table: Table) -> discord.ui.LayoutView:
    """Ask before a game is called off."""
    return confirm_layout(table, "End this game for everybody? Its log is kept, but it cannot go on.", "end", "End it")


def resign_question(table: Table, seat: Seat) -> discord.ui.LayoutView:
    """Ask before a seat is handed to a computer."""
    question = f"Leave this game, {table.names[seat]}? A computer will play on in your seat."
    return confirm_layout(table, question, "resign", "Resign")


async def refresh_lobby(tap: Tap, closing: str = "") -> None:
    """Bring the public lobby message up to date; it may be gone."""
    row = tap.table.row
    if row.lobby_message_id is None:
        return
    layout = closed_lobby_layout(tap.table, closing) if closing else lobby_layout(tap.table)
    await tap.client.edit_message(row.channel_id, row.lobby_message_id, layout)


def _require_room(table: Table, chairs: Sequence[Chair]) -> None:
    if len(chairs) >= table.spec.seats[-1]:
        raise Sorry(f"The table is full: {table.spec.title} is for at most {table.spec.seats[-1]} players.")
