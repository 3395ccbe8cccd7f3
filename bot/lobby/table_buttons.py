"""The table before the game: who plays, against which computers, with which options."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import Field, fields
from typing import Any

from bot.dispatcher import Answer, TableRequest, at_table
from bot.errors import UserError
from bot.interactions.controls import Control, ControlId
from bot.interactions.parts import DANGER, confirm_layout, stamp
from bot.interactions.responses import together
from bot.lobby.asking import ask
from bot.lobby.ending import DONE, call_off, go_on_without, reason_form
from bot.lobby.lobby_layouts import (
    KEPT,
    OWN_FILE,
    more_layout,
    options_layout,
    remove_layout,
    unusable,
)
from bot.lobby.option_files import OwnFiles, own_files
from bot.lobby.starting import came
from bot.lobby.table_message import changed, done, holder_of, require_host, update_lobby
from bot.store.jobs import Job
from bot.store.matches import Admission, SeatHolder, Status
from bot.store.shard_range import NO_SERVER
from bot.tables.joining import SITTING, must_ask, require_free_seat
from bot.tables.lobbies import EXPIRES
from bot.tables.moderation_log import table_job
from bot.tables.people import mention
from bot.tables.rated import RatedStanding
from bot.tables.rating_cost import forfeit_warning, with_warning
from bot.tables.table import Table, require_lobby
from engine.core import GameSpec, OptionValue
from engine.texts import Text


async def join(request: TableRequest) -> None:
    """Take the next free seat; who has one and types it may look for a table whose message is lost."""
    if (
        request.is_command
        and request.table.row.status is Status.LOBBY
        and request.table.seat_of(request.user_id) is not None
    ):
        await changed(request, SITTING)
        return
    if must_ask(request.table, request.user_id):
        await ask(request)
        return
    await request.services.joining.join(request.table, holder_of(request.response.interaction))
    said = came(request, Text("You’re in. Tap **Start** when everyone is here."))
    row, channels = request.table.row, request.services.channels
    # a thread of ours is in their list from then on
    bringing = [channels.bring_into(row.channel_id, request.user_id)] if row.own_thread else []
    await together(said, *bringing)


async def leave(request: TableRequest) -> None:
    """Give the seat back; the host hands the table on, and the last one closes it. In a running game: ask before."""
    table, user_id = request.table, request.user_id

    def without(holders: Sequence[SeatHolder]) -> list[SeatHolder]:
        if not any(holder.user_id == user_id for holder in holders):
            raise UserError(Text("You’re not at this table."))
        left = [holder for holder in holders if holder.user_id != user_id]
        # computers alone wait for nobody: without a person `hand_on` calls the table off
        return left if any(holder.user_id for holder in left) else []

    if table.row.status is Status.RUNNING and request.is_command:
        await ask_resign(request)
        return
    if table.row.status is Status.RUNNING:
        # a button of an old lobby message: nobody means to give up a running game by that
        raise UserError(Text("The game has begun. If you use `/game leave`, a computer takes over your seat."))
    await request.services.lobbies.change_holders(table, without)
    await request.services.lobbies.hand_on(table)
    await changed(request, Text("You’ve left the table."))


async def add_computer(request: TableRequest) -> None:
    """Let a computer player take the next free seat."""
    request.table.seated(request.user_id)

    def with_computer(holders: Sequence[SeatHolder]) -> list[SeatHolder]:
        require_free_seat(request.table, holders)
        return [*holders, SeatHolder(computer=request.services.seats.computer)]

    await request.services.lobbies.change_holders(request.table, with_computer)
    await came(request, Text("A computer has taken a seat."))


async def shuffle(request: TableRequest) -> None:
    """Let luck decide who sits where, and so who begins."""
    request.table.seated(request.user_id)

    def shuffled(holders: Sequence[SeatHolder]) -> list[SeatHolder]:
        # luck of its own: the seed of a match is made only when it starts
        return secrets.SystemRandom().sample(holders, len(holders))

    await request.services.lobbies.change_holders(request.table, shuffled)
    await changed(request, Text("The seats are shuffled."))


async def remove(request: TableRequest) -> None:
    """The host chooses who leaves the table."""
    require_host(request)
    await request.response.show(remove_layout(request.table))


async def unseat(request: TableRequest) -> None:
    """The host has chosen whom to remove."""
    require_host(request)
    seat, who = request.control.version, request.control.text

    def without(holders: Sequence[SeatHolder]) -> list[SeatHolder]:
        if seat >= len(holders) or str(holders[seat].user_id) != who:
            raise UserError(Text("Somebody has left in the meantime. Tap **Remove** again to see who is there."))
        if holders[seat].user_id == request.table.row.host_id:
            raise UserError(
                Text("The host cannot be removed; after **Leave**, somebody else at the table becomes the host.")
            )
        return [holder for n, holder in enumerate(holders) if n != seat]

    await request.services.lobbies.change_holders(request.table, without, *_removal(request, who))
    if request.table.row.admits is not Admission.ANYONE and who.isdecimal():
        # they come back only if the host lets them in once more
        await request.services.lobbies.take_back_invitation(request.table, [int(who)])
    await done(request, DONE, update_lobby(request.services, request.table))


def _removal(request: TableRequest, who: str) -> list[Job]:
    """The line in the moderators' log if somebody is removed by a moderator."""
    if request.user_id == request.table.row.host_id or not who.isdecimal():
        return []
    told = Text("{user} removed {other}", user=mention(request.user_id), other=mention(int(who)))
    return [table_job(request.table, told, request.services.clock.now(), by=request.user_id)]


async def keep_open(request: TableRequest) -> None:
    """*Keep it open*, for anyone who sits at the table: a lobby that nobody touches would be closed."""
    table = request.table
    table.seated(request.user_id)
    await request.services.lobbies.keep(table)
    until = stamp(request.services.clock.now() + EXPIRES)
    told = Text("{who} is keeping this **{title}** table open.", who=mention(request.user_id), title=table.title)
    told = Text("{told}\n-# If nothing changes, it closes on {until}.", told=told, until=until)
    await done(request, told, update_lobby(request.services, request.table))


async def more(request: TableRequest) -> None:
    """*More*: a private message with what else this person may do here."""
    require_lobby(request.table)
    seated = request.table.seat_of(request.user_id) is not None
    await request.response.show(more_layout(request.table, seated=seated, in_charge=request.is_in_charge))


async def options(request: TableRequest) -> None:
    """A private message with a menu per option."""
    require_host(request)
    require_lobby(request.table)
    files = await own_files(request.services.data_dir, request.table.spec)
    await request.response.show(options_layout(request.table, files))


async def preset_chosen(request: TableRequest) -> None:
    """Options that go well together were chosen by their name."""
    require_host(request)
    chosen = preset_numbered(request.table.spec, request.control.version)
    await request.services.lobbies.set_options(request.table, chosen)
    await options_chosen(request)


def preset_numbered(spec: GameSpec, number: int) -> Mapping[str, OptionValue]:
    """The options of a preset. Raises `UserError` if there is none; taps come from outside."""
    if number >= len(spec.presets):
        raise UserError(Text("This game no longer has these options."))
    return spec.presets[number].options


async def options_chosen(request: TableRequest) -> None:
    """Show the options as they are now, here and in the lobby."""
    services, table = request.services, request.table
    files = await own_files(services.data_dir, table.spec)
    await together(request.response.show(options_layout(table, files)), update_lobby(services, table))


async def full_toggled(request: TableRequest) -> None:
    """*Start when full*: the host wants it, or does not any more."""
    require_host(request)
    table = request.table
    # no last seat is left that somebody could take
    if table.is_full and not table.row.when_full:
        raise UserError(Text("The table is already full: tap **Start**."))
    await request.services.lobbies.keep(table, when_full=not table.row.when_full)
    await options_chosen(request)


async def check_toggled(request: TableRequest) -> None:
    """*Ready check*: the host wants it, or does not any more."""
    require_host(request)
    table = request.table
    await request.services.lobbies.keep(table, ready_check=not table.row.ready_check, ready=None)
    await options_chosen(request)


async def rated_toggled(request: TableRequest) -> None:
    """*Rated*: the host wants the result to count, or not. Those who were ready for the other are asked anew."""
    require_host(request)
    if request.table.row.guild_id == NO_SERVER:
        raise UserError(Text("Games in direct messages aren’t rated."))
    await request.services.lobbies.keep(request.table, rated=not request.table.row.rated, ready=None)
    await options_chosen(request)


async def option_chosen(request: TableRequest) -> None:
    """An option was chosen; the id carries its name, the menu the number of the choice."""
    require_host(request)
    found = option_named(request.table.spec, request.control.text)
    row = request.value
    if row.startswith(OWN_FILE):
        # read again: only its name is in the menu, and it may have changed since
        files = await own_files(request.services.data_dir, request.table.spec)
        text = _text_of(request.table, files, found.name, row)
        await request.services.lobbies.set_option(request.table, found.name, text)
    elif row != KEPT:
        await request.services.lobbies.set_option(request.table, found.name, fixed_choice(found, row))
    await options_chosen(request)


async def hints_chosen(request: TableRequest) -> None:
    """The host lets people have hints, or not."""
    require_host(request)
    if request.value not in ("yes", "no"):
        raise UserError(Text("This option has no such choice."))
    await request.services.lobbies.allow_hints(request.table, allowed=request.value == "yes")
    await options_chosen(request)


def option_named(spec: GameSpec, name: str) -> Field[Any]:
    """An option of a game. Raises `UserError` if it has none of this name; taps come from outside."""
    found = next((option for option in fields(spec.options) if option.name == name), None)
    if found is None:
        raise UserError(Text("This game no longer has this option."))
    return found


def fixed_choice(option: Field[Any], row: str) -> OptionValue:
    """The fixed choice of a menu row, by its number."""
    choices: Sequence[OptionValue] = option.metadata["choices"]
    if not row.isdecimal() or int(row) >= len(choices):
        raise UserError(Text("This option has no such choice."))
    return choices[int(row)]


def _text_of(table: Table, files: OwnFiles, option: str, row: str) -> str:
    """The text of the file of a menu row; the file may be gone or damaged by now."""
    name = row.removeprefix(OWN_FILE)
    file = next((file for file in files.get(option, ()) if file.name == name), None)
    if file is None or file.problem:
        problem = file.problem if file else None
        raise UserError(unusable(name, problem or Text("it’s gone."), table.say))
    return file.text


async def ask_end(request: TableRequest) -> None:
    """Ask before a game is called off."""
    require_host(request)
    running = Text("End this game for everyone? Its log is kept, but it can’t be continued.")
    in_lobby = Text("Close this table for everyone?")
    question = running if request.table.row.status is Status.RUNNING else in_lobby
    question = with_warning(question, await _warning_of_end(request))
    say = request.table.say
    why = Control(ControlId("endwhy", request.table.id), say(Text("End it and say why")), DANGER)
    await request.response.show(confirm_layout(request.table.id, question, "end", Text("End it"), say, why))


async def _warning_of_end(request: TableRequest) -> Text | None:
    """What ending a rated game costs the one who ends it: nothing unless they are behind."""
    table, services = request.table, request.services
    if table.row.status is not Status.RUNNING or table.problem:
        return None
    if await services.seats.standing_of(table, request.user_id) is not RatedStanding.BEHIND:
        return None
    return await forfeit_warning(services.store, table, request.user_id)


async def ask_why(request: TableRequest) -> None:
    """Ask with what words a game is called off."""
    require_host(request)
    await request.response.ask(reason_form(ControlId("end", request.table.id), request.table))


async def end(request: TableRequest) -> None:
    """The host or a moderator confirmed that the game is called off, perhaps with a reason."""
    require_host(request)
    await call_off(request, request.table)


async def ask_resign(request: TableRequest) -> None:
    """Ask before a seat is handed to a computer."""
    request.table.playing()
    seat = request.table.seated(request.user_id)
    question = Text("Leave this game{seat:, @|}? A computer will take over your seat.", seat=seat)
    question = with_warning(question, await forfeit_warning(request.services.store, request.table, request.user_id))
    layout = confirm_layout(request.table.id, question, "resign", Text("Resign"), request.response.in_words)
    await request.response.show(layout)


async def resign(request: TableRequest) -> None:
    """A player confirmed that a computer shall go on in their place."""
    # read first: afterwards a computer sits there
    who = request.table.person(request.table.seated(request.user_id))
    await request.services.seats.resign(request.table, request.user_id)
    await request.services.lobbies.hand_on(request.table)
    may_return = request.table.is_open and request.table.left_by(request.user_id)
    way_back = Text(" You can return with `/game join` as long as nobody has taken your seat.")
    thanks = Text("Done. Thanks for playing.{more}", more=way_back if may_return else "")
    told = Text("{who} leaves the game; a computer takes over the seat.", who=who)
    await done(request, thanks, go_on_without(request.services, request.table, told))


TAPS = {
    "join": at_table(join, Answer.IN_PLACE),
    "leave": at_table(leave, Answer.IN_PLACE),
    "add": at_table(add_computer, Answer.IN_PLACE),
    "shuffle": at_table(shuffle, Answer.IN_PLACE),
    "remove": at_table(remove),
    "unseat": at_table(unseat),
    "keep": at_table(keep_open, Answer.IN_PLACE),
    "more": at_table(more),
    "options": at_table(options),
    "option": at_table(option_chosen),
    "hints": at_table(hints_chosen),
    "preset": at_table(preset_chosen),
    "full": at_table(full_toggled),
    "check": at_table(check_toggled),
    "rated": at_table(rated_toggled),
    "askend": at_table(ask_end),
    "endwhy": at_table(ask_why),
    "end": at_table(end),
    "resign": at_table(resign),
}
