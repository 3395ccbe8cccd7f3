"""Seats that change hands while a game runs: offered to anybody, taken over, and taken back by who had left."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from functools import partial

from bot.courtyard import Courtyard
from bot.errors import Declined
from bot.interactions.answers import together
from bot.interactions.parts import Layout, text_layout
from bot.lobby import handlers as lobby
from bot.lobby.ending import post_people
from bot.lobby.layouts import offer_layout
from bot.lobby.showing import chair_of
from bot.look.handlers import show_to_newcomer
from bot.reception import Handler, Visit
from bot.store.matches import Status
from bot.store.offers import Offer
from bot.store.share import NO_SERVER
from bot.tables.people import mention
from bot.tables.table import Table
from engine.texts import Seat, Text

OFFERED_BELOW = Text("-# A newer offer stands further down.")
TAKEN = Text("-# This offer is over: the seat is taken.")
NOBODY_ELSE = Text("Nobody else comes here, so there is nobody to offer a seat to.")
NOBODYS_SEAT = Text("This game has already begun, and you have left no seat of it.")


async def offer(visit: Visit) -> None:
    """Offer the seats of computers to anybody: all of them, or the one that this user has left."""
    table = visit.table
    table.playing()
    if table.row.guild_id == NO_SERVER:
        raise Declined(NOBODY_ELSE)
    await put_on_offer(visit.court, table, _to_offer(visit), partial(_publish, visit))


async def put_on_offer(
    court: Courtyard, table: Table, seats: Collection[Seat], publish: Callable[[Layout], Awaitable[int]]
) -> None:
    """Offer seats to anybody, by a message that takes the place of the one before.

    Raises `Declined` if no computer plays one of them, and what `publish` raises.
    """
    async with table.posting:  # or two offers at once would not know of each other
        before, offered = table.offer, await court.seats.offer(table, seats)
        message_id = await publish(offer_layout(table))
        await court.seats.note_offer_message(table, message_id)
    await _replace(court, table, before, text_layout(OFFERED_BELOW, table.say))
    if table.offer.seats != offered.seats:  # somebody was very quick
        await _show_left(court, table, Offer(offered.seats, message_id))


async def _publish(visit: Visit, layout: Layout) -> int:
    """Post an offer. Returns the message."""
    visit.answer.kept = Text("The seat is offered.")
    message_id = await visit.answer.publish(layout)
    if message_id is None:
        message_id = await visit.court.channels.send(visit.table.row.channel_id, layout)
        await visit.answer.say(visit.answer.kept)
    return message_id


def _to_offer(visit: Visit) -> frozenset[Seat]:
    """The seats this user may offer. Raises `Declined` if they may offer none."""
    table = visit.table
    if visit.is_in_charge:
        return table.computers
    left = frozenset(table.left_by(visit.user_id))
    if not left:
        host = mention(table.row.host_id)
        raise Declined(Text("Only the host, {host}, a moderator, or whoever sat there can offer a seat.", host=host))
    return left


async def take(visit: Visit) -> None:
    """*Take this seat*."""
    number = visit.control.text
    await _sit_down(visit, Seat(number) if number.isdecimal() else Seat(-1))


async def join(visit: Visit) -> None:
    """Take a free seat; in a running game, the own one that a computer plays."""
    await (come_back(visit) if visit.table.row.status is Status.RUNNING else lobby.join(visit))


async def come_back(visit: Visit) -> None:
    """Take back the seat that this user left last."""
    visit.table.playing()
    left = visit.table.left_by(visit.user_id)
    if not left and visit.table.seat_of(visit.user_id) is None:
        raise Declined(NOBODYS_SEAT)
    await _sit_down(visit, left[-1] if left else Seat(-1))


async def _sit_down(visit: Visit, seat: Seat) -> None:
    """Let this user play on, tell them what has happened, and the others who plays now."""
    table = visit.table
    returns = seat in table.left_by(visit.user_id)
    before = await visit.court.seats.take_over(table, seat, chair_of(visit.answer.interaction.user))
    note = Text("### You play {mark} {seat} now", mark=table.mark(seat), seat=table.seat_names[seat])
    visit.answer.kept = Text("You play in this game now.")
    word = Text("is back and takes over" if returns else "takes over")
    told = Text("{who} {word} from the computer.", who=table.person(seat), word=word)
    await together(
        show_to_newcomer(visit, note),
        visit.court.channels.announce(table, told),
        _show_left(visit.court, table, before),
        post_people(visit.court, table),
    )


async def _show_left(court: Courtyard, table: Table, offer: Offer) -> None:
    """Bring a message that offered seats up to date, of which some are taken."""
    left = table.offer.seats & offer.seats
    layout = offer_layout(table) if left else text_layout(TAKEN, table.say)
    await _replace(court, table, offer, layout)


async def _replace(court: Courtyard, table: Table, offer: Offer, layout: Layout) -> None:
    if offer.message_id is not None:
        await court.channels.refresh(table.row.channel_id, offer.message_id, layout)


HANDLERS: dict[str, Handler] = {"take": take}
"""What the controls of this room do that give somebody a seat in a running game."""
