"""The table before the game: who plays, against which computers, with which options."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Sequence
from dataclasses import Field, fields
from typing import Any

import discord

from bot.errors import Declined
from bot.interactions.answers import together
from bot.interactions.controls import Control, ControlId
from bot.interactions.parts import DANGER, confirm_layout
from bot.lobby.ending import DONE, call_off, go_on_without, reason_form
from bot.lobby.files import OwnFiles, own_files
from bot.lobby.layouts import (
    KEPT,
    OWN_FILE,
    options_layout,
    remove_layout,
    unusable,
)
from bot.lobby.showing import chair_of, changed, done, refresh_lobby, require_host
from bot.lobby.starting import came
from bot.reception import Handler, Visit
from bot.store.matches import Chair, Status
from bot.tables.table import Table
from engine.core import OptionValue
from engine.texts import Text

SITTING = Text("You are at this table already.")


async def join(visit: Visit) -> None:
    """Take the next free seat; who has one and types it may look for a table whose message is lost."""
    if visit.is_command and visit.table.row.status is Status.LOBBY and visit.table.seat_of(visit.user_id) is not None:
        await changed(visit, SITTING)
        return
    user = visit.answer.interaction.user
    await visit.court.lobbies.change_chairs(visit.table, lambda chairs: _with_user(visit.table, chairs, user))
    said = came(visit, Text("You are in. Press **Start** when everybody is here."))
    await together(said, *_brought_in(visit))


def _brought_in(visit: Visit) -> list[Awaitable[None]]:
    """Who sits down in a thread of ours finds it in their list from then on."""
    row = visit.table.row
    return [visit.court.channels.bring_into(row.channel_id, visit.user_id)] if row.own_thread else []


async def leave(visit: Visit) -> None:
    """Give the seat back; the host hands the table on, and the last one closes it. In a running game: ask before."""
    table, user_id = visit.table, visit.user_id

    def without(chairs: Sequence[Chair]) -> list[Chair]:
        if not any(chair.user_id == user_id for chair in chairs):
            raise Declined(Text("You are not at this table."))
        left = [chair for chair in chairs if chair.user_id != user_id]
        return left if any(chair.user_id for chair in left) else []

    if table.row.status is Status.RUNNING and visit.is_command:
        await ask_resign(visit)
        return
    if table.row.status is Status.RUNNING:
        raise Declined(Text("The game has begun. `/game leave` lets a computer play on for you."))
    await visit.court.lobbies.change_chairs(table, without)
    await visit.court.lobbies.hand_on(table)
    await changed(visit, Text("You have left the table."))


async def add_computer(visit: Visit) -> None:
    """Let a computer player take the next free seat."""
    visit.table.seated(visit.user_id)

    def with_computer(chairs: Sequence[Chair]) -> list[Chair]:
        _require_room(visit.table, chairs)
        return [*chairs, Chair(computer=visit.court.seats.computer)]

    await visit.court.lobbies.change_chairs(visit.table, with_computer)
    await came(visit, Text("A computer has taken a seat."))


async def shuffle(visit: Visit) -> None:
    """Let luck decide who sits where, and so who begins."""
    visit.table.seated(visit.user_id)

    def shuffled(chairs: Sequence[Chair]) -> list[Chair]:
        return secrets.SystemRandom().sample(chairs, len(chairs))

    await visit.court.lobbies.change_chairs(visit.table, shuffled)
    await changed(visit, Text("The seats are shuffled."))


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
    await done(visit, DONE, refresh_lobby(visit))


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
    await together(visit.answer.show(options_layout(visit.table, files)), refresh_lobby(visit))


async def check_toggled(visit: Visit) -> None:
    """*Ask everybody first*: the host wants it, or does not any more."""
    require_host(visit)
    table = visit.table
    await visit.court.lobbies.keep(table, ready_check=not table.row.ready_check, ready=None)
    await options_chosen(visit)


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
    await together(visit.answer.show(options_layout(visit.table, files)), refresh_lobby(visit))


async def hints_chosen(visit: Visit) -> None:
    """The host lets people have hints, or not."""
    require_host(visit)
    table, files = visit.table, await own_files(visit.court.data_dir, visit.table.spec)
    if visit.value not in ("yes", "no"):
        raise Declined(Text("That is no choice of this option."))
    await visit.court.lobbies.allow_hints(table, allowed=visit.value == "yes")
    await together(visit.answer.show(options_layout(table, files)), refresh_lobby(visit))


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
    say = visit.table.say
    why = Control(ControlId("endwhy", visit.table.id), say(Text("End it and say why")), DANGER)
    await visit.answer.show(confirm_layout(visit.table.id, question, "end", Text("End it"), say, why))


async def ask_why(visit: Visit) -> None:
    """Ask with what words a game is called off."""
    require_host(visit)
    await visit.answer.ask(reason_form(ControlId("end", visit.table.id), visit.table))


async def end(visit: Visit) -> None:
    """The host or a moderator confirmed that the game is called off, perhaps with a reason."""
    require_host(visit)
    await call_off(visit, visit.table)


async def ask_resign(visit: Visit) -> None:
    """Ask before a seat is handed to a computer."""
    visit.table.playing()
    seat = visit.table.seated(visit.user_id)
    question = Text("Leave this game{seat:, @|}? A computer will play on in your seat.", seat=seat)
    layout = confirm_layout(visit.table.id, question, "resign", Text("Resign"), visit.answer.in_words)
    await visit.answer.show(layout)


async def resign(visit: Visit) -> None:
    """A player confirmed that a computer shall go on in their place."""
    who = visit.table.person(visit.table.seated(visit.user_id))
    await visit.court.seats.resign(visit.table, visit.user_id)
    await visit.court.lobbies.hand_on(visit.table)
    may_return = visit.table.is_open and visit.table.left_by(visit.user_id)
    way_back = Text(" `/game join` brings you back as long as nobody has taken your seat.")
    thanks = Text("Done. Thank you for playing.{more}", more=way_back if may_return else "")
    told = Text("{who} leaves the game; a computer plays on in this seat.", who=who)
    await done(visit, thanks, go_on_without(visit.court, visit.table, told))


def _with_user(table: Table, chairs: Sequence[Chair], user: discord.User | discord.Member) -> list[Chair]:
    if any(chair.user_id == user.id for chair in chairs):
        raise Declined(SITTING)
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
    "remove": remove,
    "unseat": unseat,
    "options": options,
    "option": option_chosen,
    "hints": hints_chosen,
    "preset": preset_chosen,
    "check": check_toggled,
    "endwhy": ask_why,
    "end": end,
    "resign": resign,
}
"""What the controls of this room do."""
