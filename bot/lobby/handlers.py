"""The table before the game: who plays, against which computers, with which options."""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Awaitable, Sequence
from dataclasses import Field, fields
from typing import Any

import discord

from bot.courtyard import Courtyard
from bot.errors import Declined
from bot.habits.habits import habits_of, keep_habits
from bot.interactions.answers import Answer, together
from bot.interactions.parts import SILENT, Layout, calling, confirm_layout, invitation
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
from bot.reception import Handler, Visit, channel_of
from bot.store.rows import NO_SERVER, Chair, Status
from bot.tables.people import presentable
from bot.tables.seats import DEFAULT_COMPUTER
from bot.tables.table import Table, mention
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
    """Raise `Declined` naming every permission the bot lacks in the channel of an interaction."""
    if interaction.guild_id is None:
        return
    wanted = THREAD_PERMISSIONS if isinstance(interaction.channel, discord.Thread) else PERMISSIONS
    missing = [f"**{name}**" for flag, name in wanted.items() if not getattr(interaction.app_permissions, flag)]
    if missing:
        text = Text(
            "I cannot hold a game here: in this channel I lack {permissions}. "
            "Somebody who manages the server can grant it under the channel’s permissions.",
            permissions=", ".join(missing),
        )
        raise Declined(text)


async def new(court: Courtyard, answer: Answer, spec: GameSpec) -> None:
    """Set a table for a game in the channel of an interaction."""
    table = await _open(court, answer.interaction, spec)
    await _show_lobby(court, answer, table)
    await court.pictures.warm_up(spec)


async def _open(court: Courtyard, interaction: discord.Interaction[Any], spec: GameSpec) -> Table:
    require_permissions(interaction)
    return await court.lobbies.open(
        spec.slug,
        guild_id=interaction.guild_id or NO_SERVER,
        channel_id=channel_of(interaction),
        host=chair_of(interaction.user),
    )


async def learn(court: Courtyard, answer: Answer, spec: GameSpec) -> None:
    """Begin a first game against computers at once, with advice under every question."""
    user_id, settings = answer.interaction.user.id, court.store.settings
    table = await _open(court, answer.interaction, spec)
    answer.kept = Text("Your first game of {title} begins; every question comes with advice.", title=spec.title)
    computers = [Chair(computer=DEFAULT_COMPUTER)] * (spec.seats[0] - 1)
    await court.lobbies.change_chairs(table, lambda chairs: [*chairs, *computers])
    await keep_habits(settings, user_id, dataclasses.replace(await habits_of(settings, user_id), coached=True))
    await court.moves.start(table)
    await together(answer.show_text(answer.kept), court.poster.deliver(table))


async def rematch(visit: Visit) -> None:
    """Set the table again for the same people, each a seat further, and call them."""
    require_permissions(visit.answer.interaction)
    table = await visit.court.lobbies.rematch(visit.table, visit.user_id)
    others = [chair.user_id for chair in table.row.chairs if chair.user_id != visit.user_id]
    await _show_lobby(visit.court, visit.answer, table, calling(others))


async def _show_lobby(
    court: Courtyard, answer: Answer, table: Table, mentions: discord.AllowedMentions = SILENT
) -> None:
    answer.kept = Text("The table is set.")
    layout = lobby_layout(table, _alone(answer.interaction))
    message_id = await answer.publish(layout, mentions)
    if message_id is None:
        message_id = await court.channels.send(table.row.channel_id, layout, mentions=mentions)
        await answer.say(answer.kept)
    await court.lobbies.note_lobby_message(table, message_id)


def _alone(interaction: discord.Interaction[Any]) -> Text | None:
    """In a direct message: how to play with friends."""
    if interaction.guild_id is not None:
        return None
    link = invitation(interaction.application_id)
    return Text("-# Here you play against computers. To play with friends, [invite me to a server]({link}).", link=link)


async def join(visit: Visit) -> None:
    """Take the next free seat."""
    user = visit.answer.interaction.user
    await visit.court.lobbies.change_chairs(visit.table, lambda chairs: _with_user(visit.table, chairs, user))
    await _changed(visit, Text("You are in. Press **Start** when everybody is here."))


async def leave(visit: Visit) -> None:
    """Give the seat back; the host hands the table on, and the last one closes it."""
    table, user_id = visit.table, visit.user_id

    def without(chairs: Sequence[Chair]) -> list[Chair]:
        if not any(chair.user_id == user_id for chair in chairs):
            raise Declined(Text("You are not at this table."))
        left = [chair for chair in chairs if chair.user_id != user_id]
        return left if any(chair.user_id for chair in left) else []

    if table.row.status is Status.RUNNING:
        raise Declined(Text("The game has begun. `/game resign` lets a computer play on for you."))
    await visit.court.lobbies.change_chairs(table, without)
    await visit.court.lobbies.hand_on(table)
    await _changed(visit, Text("You have left the table."), closing=None if table.row.chairs else EVERYBODY_LEFT)


async def add_computer(visit: Visit) -> None:
    """Let a computer player take the next free seat."""
    visit.table.seated(visit.user_id)

    def with_computer(chairs: Sequence[Chair]) -> list[Chair]:
        _require_room(visit.table, chairs)
        return [*chairs, Chair(computer=DEFAULT_COMPUTER)]

    await visit.court.lobbies.change_chairs(visit.table, with_computer)
    await _changed(visit, Text("A computer has taken a seat."))


async def shuffle(visit: Visit) -> None:
    """Let luck decide who sits where, and so who begins."""
    visit.table.seated(visit.user_id)

    def shuffled(chairs: Sequence[Chair]) -> list[Chair]:
        return secrets.SystemRandom().sample(chairs, len(chairs))

    await visit.court.lobbies.change_chairs(visit.table, shuffled)
    await _changed(visit, Text("The seats are shuffled."))


async def start(visit: Visit) -> None:
    """Deal, close the lobby and post the first board."""
    visit.table.seated(visit.user_id)
    require_permissions(visit.answer.interaction)
    await visit.court.moves.start(visit.table)
    await _changed(visit, BEGUN, visit.court.poster.deliver(visit.table), closing=BEGUN)


async def remove(visit: Visit) -> None:
    """The host chooses who leaves the table."""
    require_host(visit)
    await visit.answer.show(remove_layout(visit.table))


async def unseat(visit: Visit) -> None:
    """The host has chosen whom to remove."""
    require_host(visit)
    seat, who = visit.control.version, visit.control.text

    def without(chairs: Sequence[Chair]) -> list[Chair]:
        if seat >= len(chairs) or str(chairs[seat].user_id) != who:
            raise Declined(Text("Somebody has left since. Tap **Remove** again to see who is there."))
        if chairs[seat].user_id == visit.table.row.host_id:
            raise Declined(Text("The host cannot be removed; Leave hands the table on."))
        return [chair for n, chair in enumerate(chairs) if n != seat]

    await visit.court.lobbies.change_chairs(visit.table, without)
    await _done(visit, DONE, _refresh(visit))


async def options(visit: Visit) -> None:
    """A private message with a menu per option."""
    require_host(visit)
    files = await own_files(visit.court.data_dir, visit.table.spec)
    await visit.answer.show(options_layout(visit.table, files))


async def preset_chosen(visit: Visit) -> None:
    """Options that go well together were chosen by their name."""
    require_host(visit)
    table, number = visit.table, visit.control.version
    if number >= len(table.spec.presets):
        raise Declined(Text("This game has no such options any more."))
    await visit.court.lobbies.set_options(table, table.spec.presets[number].options)
    await options_chosen(visit)


async def options_chosen(visit: Visit) -> None:
    """Show the options as they are now, here and in the lobby."""
    files = await own_files(visit.court.data_dir, visit.table.spec)
    await together(visit.answer.show(options_layout(visit.table, files)), _refresh(visit))


async def option_chosen(visit: Visit) -> None:
    """An option was chosen; the id carries its name, the menu the number of the choice."""
    require_host(visit)
    found = next((f for f in fields(visit.table.spec.options) if f.name == visit.control.text), None)
    if found is None:
        raise Declined(Text("This game has no such option any more."))
    files = await own_files(visit.court.data_dir, visit.table.spec)
    row = visit.value
    if row.startswith(OWN_FILE):
        await visit.court.lobbies.set_option(visit.table, found.name, _text_of(visit.table, files, found.name, row))
    elif row != KEPT:
        await visit.court.lobbies.set_option(visit.table, found.name, _choice(found, row))
    await together(visit.answer.show(options_layout(visit.table, files)), _refresh(visit))


def _choice(option: Field[Any], row: str) -> OptionValue:
    """The fixed choice that a menu row stands for by its number."""
    choices: Sequence[OptionValue] = option.metadata["choices"]
    if not row.isdecimal() or int(row) >= len(choices):
        raise Declined(Text("That is no choice of this option."))
    return choices[int(row)]


def _text_of(table: Table, files: OwnFiles, option: str, row: str) -> str:
    """The text of the file that a menu row stands for; it may have gone or been spoilt since."""
    name = row.removeprefix(OWN_FILE)
    file = next((file for file in files.get(option, ()) if file.name == name), None)
    if file is None or file.problem:
        problem = file.problem if file else None
        raise Declined(unusable(table, name, problem or Text("it is gone.")))
    return file.text


async def ask_end(visit: Visit) -> None:
    """Ask before a game is called off."""
    require_host(visit)
    question = Text("End this game for everybody? Its log is kept, but it cannot go on.")
    await visit.answer.show(confirm_layout(visit.table.id, question, "end", Text("End it"), visit.table.say))


async def end(visit: Visit) -> None:
    """The host or a moderator confirmed that the game is called off."""
    require_host(visit)
    table, poster = visit.table, visit.court.poster
    in_lobby = table.row.status is Status.LOBBY and not table.problem
    await visit.court.seats.end(table)
    told = Text("**{title}** was called off by {host}.", title=table.title, host=mention(visit.user_id))
    farewell = visit.court.channels.announce(table, told)
    tidying = _refresh(visit, CALLED_OFF) if in_lobby else poster.retire_all(table)
    await _done(visit, DONE, farewell, tidying)


async def ask_resign(visit: Visit) -> None:
    """Ask before a seat is handed to a computer."""
    visit.table.playing()
    seat = visit.table.seated(visit.user_id)
    question = Text("Leave this game{seat:, @|}? A computer will play on in your seat.", seat=seat)
    layout = confirm_layout(visit.table.id, question, "resign", Text("Resign"), visit.answer.in_words)
    await visit.answer.show(layout)


async def resign(visit: Visit) -> None:
    """A player confirmed that a computer shall go on in his place."""
    who = visit.table.person(visit.table.seated(visit.user_id))
    await visit.court.seats.resign(visit.table, visit.user_id)
    await visit.court.lobbies.hand_on(visit.table)
    may_return = visit.table.is_open and visit.table.left_by(visit.user_id)
    way_back = Text(" `/game back` brings you back as long as nobody has taken your seat.")
    thanks = Text("Done. Thank you for playing.{more}", more=way_back if may_return else "")
    await _done(visit, thanks, _without(visit, who))


async def _without(visit: Visit, who: Text) -> None:
    """The table goes on without somebody, or is closed if nobody is left."""
    table, court = visit.table, visit.court
    told = Text("{who} leaves the game; a computer plays on in this seat.", who=who)
    if table.is_open:
        told = Text("{told}\n-# `/game substitute` offers it to somebody else.", told=told)
    await court.channels.announce(table, told)
    if table.is_open:
        await court.moves.resume(table)
        await post_people(court, table)
    else:
        await court.poster.retire_all(table)
        told = Text("Nobody is left at this table of **{title}**; it is closed.", title=table.title)
        await court.channels.announce(table, told)


async def post_people(court: Courtyard, table: Table) -> None:
    """Post the board if it waits, else show on the newest one who plays now."""
    if table.waiting is not None:
        await court.poster.deliver(table)
    else:
        court.poster.show_people(table)


def is_in_charge(visit: Visit) -> bool:
    """Whether the user is the host or may manage the channel's messages."""
    return visit.user_id == visit.table.row.host_id or visit.answer.interaction.permissions.manage_messages


def require_host(visit: Visit) -> None:
    """Raise `Declined` unless the user is the host or a moderator."""
    if not is_in_charge(visit):
        host = mention(visit.table.row.host_id)
        raise Declined(Text("Only the host, {host}, or a moderator can do that.", host=host))


async def _done(visit: Visit, text: Text, *rest: Awaitable[None]) -> None:
    """Tell a user that something is done for good; whatever follows from it does not wait for that answer."""
    visit.answer.kept = text
    await together(visit.answer.show_text(text), *rest)


async def _changed(visit: Visit, text: Text, *rest: Awaitable[None], closing: Text | None = None) -> None:
    """Show the table as it is now: in place where its button was pressed, else with a word to whoever typed."""
    if visit.is_command:
        await _done(visit, text, _refresh(visit, closing), *rest)
    else:
        visit.answer.kept = text
        await together(visit.answer.show(_lobby(visit.table, closing)), *rest)


async def _refresh(visit: Visit, closing: Text | None = None) -> None:
    """Bring the public lobby message up to date; it may be gone."""
    row = visit.table.row
    if row.lobby_message_id is not None:
        await visit.court.channels.refresh(row.channel_id, row.lobby_message_id, _lobby(visit.table, closing))


def _lobby(table: Table, closing: Text | None) -> Layout:
    return lobby_layout(table) if closing is None else closed_lobby_layout(table, closing)


def chair_of(user: discord.User | discord.Member) -> Chair:
    """The chair of a user with the name he has in the server."""
    return Chair(user_id=user.id, name=presentable(user.display_name))


def _with_user(table: Table, chairs: Sequence[Chair], user: discord.User | discord.Member) -> list[Chair]:
    if any(chair.user_id == user.id for chair in chairs):
        raise Declined(Text("You are at this table already."))
    _require_room(table, chairs)
    return [*chairs, chair_of(user)]


def _require_room(table: Table, chairs: Sequence[Chair]) -> None:
    if len(chairs) >= table.spec.seats[-1]:
        most = table.spec.seats[-1]
        text = Text(
            "The table is full: {title} is for at most {most} {most:player|players}.", title=table.title, most=most
        )
        raise Declined(text)


HANDLERS: dict[str, Handler] = {
    "join": join,
    "leave": leave,
    "add": add_computer,
    "shuffle": shuffle,
    "start": start,
    "remove": remove,
    "unseat": unseat,
    "options": options,
    "option": option_chosen,
    "preset": preset_chosen,
    "rematch": rematch,
    "end": end,
    "resign": resign,
}
"""What the controls of this room do."""

IN_PLACE = frozenset({"join", "leave", "add", "shuffle", "start"})
"""Controls of the lobby's public message: the answer is that message, as it is now."""
