"""The buttons of a table that change its players: join, leave, computers, removal, resignation, and its end."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from functools import partial

from discord.ui import TextDisplay

from bot.errors import UserError
from bot.features import groups
from bot.features.groups import game
from bot.features.handlers import Answer, TableRequest, at_table
from bot.features.lobby import lobby_layouts
from bot.features.lobby.asking import ask
from bot.features.lobby.ending import DONE, call_off, go_on_without, reason_form
from bot.features.lobby.starting import came
from bot.features.lobby.table_message import holder_of, require_host, show_changed, show_done, update_lobby
from bot.interactions.kinds import InVersion
from bot.interactions.parts import DANGER, Layout, layout, rows, stamp
from bot.interactions.responses import together
from bot.store.jobs import Job
from bot.store.matches import Admission, SeatHolder, Status
from bot.tables.joining import SITTING, must_ask, require_free_seat
from bot.tables.lobbies import closes_at
from bot.tables.moderation_log import table_job
from bot.tables.people import mention
from bot.tables.rating_cost import end_warning, forfeit_warning, with_warning
from bot.tables.table import Table
from engine.texts import Text


@at_table(lobby_layouts.join, Answer.IN_PLACE)
async def join(request: TableRequest) -> None:
    """Take the next free seat. A seated player who types it gets the table's message again if it is lost."""
    if (
        request.is_command
        and request.table.row.status is Status.LOBBY
        and request.table.seat_of(request.user_id) is not None
    ):
        await show_changed(request, SITTING)
        return
    if must_ask(request.table, request.user_id):
        await ask(request)
        return
    await request.services.joining.join(request.table, holder_of(request.response.interaction))
    answer = came(request, Text("You’re in. Tap **Start** when everyone is here."))
    row, channels = request.table.row, request.services.channels
    # members of a thread have it in their list
    bringing = [channels.add_members(row.channel_id, request.user_id)] if row.own_thread else []
    await together(answer, *bringing)


@game.command("leave", "Give up your seat; in a running game, a computer takes over")
@at_table("leave", Answer.IN_PLACE)
async def leave(request: TableRequest) -> None:
    """Give up the seat. A leaving host hands the table on, and the last person closes it. Resigns in a running game."""
    table, user_id = request.table, request.user_id

    def without(holders: Sequence[SeatHolder]) -> list[SeatHolder]:
        if not any(holder.user_id == user_id for holder in holders):
            raise UserError(Text("You’re not at this table."))
        remaining = [holder for holder in holders if holder.user_id != user_id]
        # no table of computers only: without a person `hand_on` calls it off
        return remaining if any(holder.user_id for holder in remaining) else []

    if table.row.status is Status.RUNNING and request.is_command:
        await resign(request)
        return
    if table.row.status is Status.RUNNING:
        # a button of an old lobby message is not meant to resign from a running game
        raise UserError(Text("The game has begun. If you use `/game leave`, a computer takes over your seat."))
    await request.services.lobbies.change_holders(table, without)
    await request.services.lobbies.hand_on(table)
    await show_changed(request, Text("You’ve left the table."))


@at_table(lobby_layouts.add_computer, Answer.IN_PLACE)
async def add_computer(request: TableRequest) -> None:
    """Let a computer player take the next free seat."""
    request.table.require_seat(request.user_id)

    def with_computer(holders: Sequence[SeatHolder]) -> list[SeatHolder]:
        require_free_seat(request.table, holders)
        return [*holders, SeatHolder(computer=request.services.seats.computer)]

    await request.services.lobbies.change_holders(request.table, with_computer)
    await came(request, Text("A computer has taken a seat."))


@at_table("shuffle", Answer.IN_PLACE)
async def shuffle(request: TableRequest) -> None:
    """Shuffle the seats, and so the turn order."""
    request.table.require_seat(request.user_id)

    def shuffle_all(holders: Sequence[SeatHolder]) -> list[SeatHolder]:
        # the system's randomness: a match has no seed before it starts
        return secrets.SystemRandom().sample(holders, len(holders))

    await request.services.lobbies.change_holders(request.table, shuffle_all)
    await show_changed(request, Text("The seats are shuffled."))


@at_table("remove")
async def remove(request: TableRequest) -> None:
    """*Remove*: show the host a button for each seat."""
    require_host(request)
    await request.response.show(remove_layout(request.table))


@at_table("unseat")
async def unseat(request: TableRequest, seat: InVersion[int], who: str) -> None:
    """Remove the player or computer that the host chose."""
    require_host(request)

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
        # without the invitation, the host must let them in again
        await request.services.lobbies.take_back_invitation(request.table, [int(who)])
    await show_done(request, DONE, update_lobby(request.services, request.table))


def _removal(request: TableRequest, who: str) -> list[Job]:
    """The entry in the moderators' log for a player removed by a moderator."""
    if request.user_id == request.table.row.host_id or not who.isdecimal():
        return []
    entry = Text("{user} removed {other}", user=mention(request.user_id), other=mention(int(who)))
    return [table_job(request.table, entry, request.services.clock.now(), by=request.user_id)]


@at_table("keep", Answer.IN_PLACE)
async def keep_open(request: TableRequest) -> None:
    """*Keep it open*, for any seated player: an inactive lobby would be closed."""
    table = request.table
    table.require_seat(request.user_id)
    await request.services.lobbies.keep(table)
    until = stamp(closes_at(table) or request.services.clock.now())
    notice = Text("{who} is keeping this **{title}** table open.", who=mention(request.user_id), title=table.title)
    notice = Text("{told}\n-# If nothing changes, it closes on {until}.", told=notice, until=until)
    await show_done(request, notice, update_lobby(request.services, request.table))


async def _warning_of_end(request: TableRequest) -> Text | None:
    """What counts of a rated game that is ended now; `None` for others."""
    table = request.table
    if table.row.status is not Status.RUNNING or table.problem:
        return None
    return await end_warning(request.services.store, table, request.user_id)


CLOSE = Text("Close the table")


@at_table("endwhy")
async def ask_why(request: TableRequest) -> None:
    """*End it and say why*: open the form for the reason."""
    require_host(request)
    await request.response.ask(reason_form(end.confirmation(end.id(request.table)), request.table))


@groups.table.command("end", "Call off the game in this channel (host or moderator)")
@at_table("askend", confirmed="end")
async def end(request: TableRequest) -> None:
    """Call the game off after the host or a moderator has confirmed it, with an optional reason."""
    require_host(request)
    is_running = request.table.row.status is Status.RUNNING
    longer = Text("End it and say why") if is_running else Text("Close it and say why")
    why = ask_why.button(request.table, longer, DANGER)
    label = Text("End it") if is_running else CLOSE
    await request.confirm(partial(_question_of_end, request), label, why, request.cancel)
    await call_off(request, request.table)


async def _question_of_end(request: TableRequest) -> Text:
    running = Text("End this game for everyone? Its log is kept, but it can’t be continued.")
    in_lobby = Text("Close this table for everyone?")
    question = running if request.table.row.status is Status.RUNNING else in_lobby
    return with_warning(question, await _warning_of_end(request))


@at_table("resign", confirmed="resign")
async def resign(request: TableRequest) -> None:
    """Hand the seat of this player to a computer after they have confirmed it."""
    await request.confirm(partial(_question_of_leaving, request), Text("Resign"), request.cancel)
    # read first: resigning replaces the player by a computer
    who = request.table.person(request.table.require_seat(request.user_id))
    await request.services.seats.resign(request.table, request.user_id)
    await request.services.lobbies.hand_on(request.table)
    may_return = request.table.is_open and request.table.seats_left_by(request.user_id)
    way_back = Text(" You can return with `/game join` as long as nobody has taken your seat.")
    thanks = Text("Done. Thanks for playing.{more}", more=way_back if may_return else "")
    notice = Text("{who} has left the game; a computer takes over the seat.", who=who)
    await show_done(request, thanks, go_on_without(request.services, request.table, notice))


async def _question_of_leaving(request: TableRequest) -> Text:
    request.table.require_match()
    seat = request.table.require_seat(request.user_id)
    question = Text("Leave this game{seat:, @|}? A computer will take over your seat.", seat=seat)
    return with_warning(question, await forfeit_warning(request.services.store, request.table, request.user_id))


@at_table("accept")
async def accept(request: TableRequest) -> None:
    """*Join*, below an invitation."""
    await join(request)


def remove_layout(table: Table) -> Layout:
    """A button for each player and computer that the host can remove."""
    # both seat and user: after a player leaves, the others move up
    holders = [
        unseat.button(table, table.plain_names[n], seat=n, who=str(holder.user_id))
        for n, holder in enumerate(table.row.holders)
    ]
    question = table.say(Text("### Who do you want to remove?"))
    return layout(TextDisplay(question), *rows(holders))
