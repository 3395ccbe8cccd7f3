"""Seats on offer at a desk: which one a former player gets back, and what the message of an offer shows."""

from __future__ import annotations

import pytest

from bot.features.lobby import substitutes
from bot.features.lobby.substitutes import put_on_offer
from bot.interactions.channels import Compose
from bot.store.matches import SeatHolder
from bot.store.offers import Offer
from bot.tables.table import Table
from engine.texts import Seat
from tests.bot.desk import NAMES, Desk
from tests.bot.outcomes import sent
from tests.bot.refusing import CHANNEL, GUEST, HOST, House

COMPUTER = SeatHolder(computer="uniform")
CARO, EVA = 72, 75
OLD_OFFER, MESSAGE = "PATCH /channels/2/messages/77", 77
TAKEN = "-# This offer is over: the seat is taken."


async def act(home: House, table: Table, user_id: int) -> None:
    """Let a user take the first option."""
    match = table.require_match()
    option = match.decision_of(table.require_seat(user_id)).options[0]
    await home.services.moves.play(table, user_id, option, interaction_id=match.version, version=None)


async def test_a_player_who_left_two_seats_gets_back_the_last_one(desk: Desk) -> None:
    home = desk.home
    people = SeatHolder(HOST, name="Ana"), SeatHolder(GUEST, name="Ben"), COMPUTER
    table = await home.match(CHANNEL, *people, game="garden")
    for user_id in (HOST, GUEST):
        await act(home, table, user_id)
    await home.services.seats.resign(table, GUEST)
    await home.services.seats.offer(table, [Seat(2)])
    await home.services.seats.take_over(table, Seat(2), people[1])
    await act(home, table, HOST)
    await home.services.seats.resign(table, GUEST)
    assert (Seat(1), Seat(2)) == table.seats_left_by(GUEST)
    ((_, title, line, *_),) = await desk.command(GUEST, substitutes.join)
    assert ("### You’re now playing 🟨 Yellow", 2) == (title, table.seat_of(GUEST))
    assert f"It’s 🟨 <@{GUEST}>’s turn." == line, "nothing has happened since they left"


async def test_a_returning_player_is_told_what_happened_since_they_left_and_a_newcomer_all(desk: Desk) -> None:
    home = desk.home
    people = [SeatHolder(user_id, name=name, interaction_id=1) for user_id, name in NAMES.items() if user_id != CARO]
    table = await home.match(CHANNEL, *people, game="garden")
    await act(home, table, HOST)
    await home.services.seats.resign(table, GUEST)
    await home.services.moves.resume(table)
    assert 2 == table.viewable_match().version
    await home.services.seats.resign(table, HOST)
    ((_, *lines),) = await desk.command(GUEST, substitutes.join)
    due = f"It’s 🟨 <@{EVA}>’s turn."
    # a verb of this toy has one form
    assert ["### You’re now playing 🟦 Blue", "🟦 You plants h9 with fig tree.", due] == lines[:3]
    await home.services.seats.offer(table, [Seat(0)])
    ((_, *lines), *_) = await desk.tap(CARO, f"take:{table.id}:0:0")
    all_news = ["🔴 You plants a1 with date tree.", "🟦 Ben plants h9 with fig tree."]
    assert ["### You’re now playing 🔴 Red", *all_news, due] == lines[:4]


async def test_an_offer_closes_once_its_last_seat_is_taken_even_while_it_is_posted(home: House) -> None:
    table = await home.match(CHANNEL, SeatHolder(HOST, name="Ana"), COMPUTER, game="garden")

    async def publish(_: Compose) -> int:
        await home.services.seats.take_over(table, Seat(1), SeatHolder(GUEST, name="Ben"))
        return MESSAGE

    await put_on_offer(home.services, table, [Seat(1)], publish)
    assert [[OLD_OFFER, TAKEN]] == sent(home)


@pytest.mark.parametrize(("newer", "is_open"), [([1], True), ([2], False)])
async def test_an_offer_whose_seats_are_taken_is_over_whatever_else_is_on_offer(
    home: House, newer: list[int], is_open: bool
) -> None:
    people = SeatHolder(HOST, name="Ana"), COMPUTER, COMPUTER
    table = await home.match(CHANNEL, *people, game="garden")
    await home.services.seats.offer(table, map(Seat, newer))
    await substitutes._show_left(home.services, table, Offer(frozenset({Seat(1)}), MESSAGE))
    ((head, line, *_),) = sent(home)
    assert (OLD_OFFER, is_open) == (head, line != TAKEN)
