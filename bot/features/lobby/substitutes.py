"""Seats that change hands during a game: offers, takeovers, and the return of a former player."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from functools import partial

from discord.ui import TextDisplay

from bot.errors import UserError
from bot.features import groups
from bot.features.groups import game
from bot.features.handlers import TableRequest, at_table
from bot.features.lobby import table_buttons as lobby
from bot.features.lobby.ending import post_people
from bot.features.lobby.table_message import holder_of, publish
from bot.features.services import Services
from bot.features.view.games import show_to_newcomer
from bot.interactions.channels import Compose
from bot.interactions.controls import Control
from bot.interactions.parts import SUCCESS, Layout, card, layout, row, text_layout
from bot.interactions.responses import together
from bot.store.matches import Status
from bot.store.offers import Offer
from bot.store.shard_range import NO_SERVER
from bot.tables.people import escaped, mention
from bot.tables.table import Table
from engine.texts import Seat, Text

OFFERED_BELOW = Text("-# There’s a newer offer further down.")
OF_LEAGUE = Text("-# For players of this league who don’t have a table this round.")
TAKEN = Text("-# This offer is over: the seat is taken.")


@groups.table.command("seats", "Offer a computer’s seat to anyone who wants to play")
async def offer(request: TableRequest) -> None:
    """Offer all seats of computers to anyone, or, as a former player, only the seat that this user has left."""
    table = request.table
    table.require_match()
    if table.row.guild_id == NO_SERVER:
        raise UserError(Text("Nobody else can see this channel, so there’s nobody to offer a seat to."))
    seats = table.computers if request.is_in_charge else frozenset(table.seats_left_by(request.user_id))
    if not seats and not request.is_in_charge:
        host = mention(table.row.host_id)
        raise UserError(
            Text("Only the host, {host}, a moderator, or the person who sat there can offer a seat.", host=host)
        )
    await put_on_offer(request.services, table, seats, partial(_publish, request))


async def put_on_offer(
    services: Services,
    table: Table,
    seats: Collection[Seat],
    publish: Callable[[Compose], Awaitable[int]],
    *notes: Text,
) -> None:
    """Offer seats to anyone, by a message with `notes` that replaces the previous offer.

    Raises `UserError` if no computer plays one of them, and what `publish` raises.
    """
    async with table.posting:  # one offer at a time, so that each replaces the previous one
        before, offered = table.offer, await services.seats.offer(table, seats)
        message_id = await publish(partial(_offer_layout, table, *await _rules(services, table), *notes))
        await services.seats.note_offer_message(table, message_id)
    await _replace(services, table, before, partial(text_layout, OFFERED_BELOW, table.say))
    if table.offer.seats != offered.seats:  # one was taken already
        await _show_left(services, table, Offer(offered.seats, message_id))


async def _publish(request: TableRequest, compose: Compose) -> int:
    """Post an offer. Returns the id of its message."""
    # the offer is stored even if its message fails
    request.response.already_done = Text("The seat is open to anyone.")
    channel_id = request.table.row.channel_id
    return await publish(request.services, request.response, channel_id, compose, request.response.already_done)


@at_table("take")
async def take(request: TableRequest, seat: Seat) -> None:
    """*Take this seat*."""
    await _sit_down(request, seat)


@game.command("join", "Take a seat at the table in this channel, or come back to yours")
async def join(request: TableRequest) -> None:
    """Take a free seat; in a running game, return to the own seat from a computer."""
    await (come_back(request) if request.table.row.status is Status.RUNNING else lobby.join(request))


async def come_back(request: TableRequest) -> None:
    """Take back the seat that this user left last."""
    request.table.require_match()
    former_seats = request.table.seats_left_by(request.user_id)
    if not former_seats and request.table.seat_of(request.user_id) is None:
        raise UserError(Text("This game has already begun, and none of its seats was yours."))
    # a current player: `take_over` raises the error
    await _sit_down(request, former_seats[-1] if former_seats else Seat(-1))


async def _sit_down(request: TableRequest, seat: Seat) -> None:
    """Seat the user, show them a recap, and announce them to the others."""
    table = request.table
    # read first: taking the seat ends the absence
    returns = seat in table.seats_left_by(request.user_id)
    before = await request.services.seats.take_over(table, seat, holder_of(request.response.interaction))
    note = Text("### You’re now playing {mark} {seat}", mark=table.mark(seat), seat=table.seat_names[seat])
    request.response.already_done = Text("You’re in this game now.")
    word = Text("is back and takes over" if returns else "takes over")
    notice = Text("{who} {word} from the computer.", who=table.person(seat), word=word)
    await together(
        show_to_newcomer(request, note),
        request.services.channels.announce(table, notice),
        _show_left(request.services, table, before),
        post_people(request.services, table),
    )


async def _show_left(services: Services, table: Table, offer: Offer) -> None:
    """Update the message of an offer after some of its seats were taken."""
    still_open = table.offer.seats & offer.seats
    rules = await _rules(services, table) if still_open else ()
    compose = partial(_offer_layout, table, *rules) if still_open else partial(text_layout, TAKEN, table.say)
    await _replace(services, table, offer, compose)


async def _rules(services: Services, table: Table) -> tuple[Text, ...]:
    """The restrictions on the seats of an offer, as texts."""
    return (OF_LEAGUE,) if await services.store.leagues.is_league_table(table.id) else ()


async def _replace(services: Services, table: Table, offer: Offer, compose: Compose) -> None:
    if offer.message_id is not None:
        await services.channels.refresh(table.row.channel_id, offer.message_id, compose)


# --- layouts ---


def _offer_layout(table: Table, *notes: Text) -> Layout:
    """The seats on offer, each with a button, and `notes` on restrictions."""
    seats, buttons = sorted(table.offer.seats), list[Control]()
    lines = [Text("**Who takes over in {title}?**", title=table.title), *(_seat_label(table, seat) for seat in seats)]
    lines += notes
    for seat in seats:
        named = Text("Take {seat}’s seat", seat=table.plain_names[seat])
        label = table.say(named if len(seats) > 1 else Text("Take this seat"))
        buttons.append(take.button(table, label, SUCCESS, seat))
    return layout(card(TextDisplay("\n".join(map(table.say, lines))), row(*buttons)))


def _seat_label(table: Table, seat: Seat) -> Text:
    """A seat with its former holders."""
    people = [past.holder.name for past in table.row.past_holders if past.seat == seat and past.holder.name]
    if not people:
        return Text("{seat} is a computer.", seat=seat)
    return Text("{seat}, a computer, plays in place of {name}.", seat=seat, name=escaped(people[-1]))
