"""Which computer plays a seat: the host chooses a character for each, before the game or while it runs."""

from __future__ import annotations

from typing import Any

import discord
from discord.ui import TextDisplay

from bot.errors import Declined
from bot.interactions.answers import together
from bot.interactions.controls import ControlId, Menu
from bot.interactions.parts import Layout, layout, row
from bot.lobby.ending import post_people
from bot.lobby.showing import refresh_lobby, require_host
from bot.reception import Handler, Visit
from bot.store.matches import Status
from bot.tables.table import Table
from engine.players import for_people
from engine.texts import Seat, Text

NONE_HERE = Text("No computer plays here. **Add computer** seats one before the game begins.")
NO_SUCH = Text("There is no such computer at this table any more.")

CHARACTERS = {
    "easy": Text("🙂 easy – plays along, and errs"),
    "fair": Text("👳 fair – looks ahead, may slip"),
    "strong": Text("👑 strong – thinks before it moves"),
}
"""What is said of a computer player beside its name, with a sign as near to its portrait as emoji come."""


async def show_computers(visit: Visit) -> None:
    """A private page with a menu for every seat that a computer plays."""
    require_host(visit)
    if not visit.table.computers:
        raise Declined(NONE_HERE)
    await visit.answer.show(_computers_layout(visit.table))


async def choose_computer(visit: Visit) -> None:
    """A character was chosen; the id carries the seat."""
    require_host(visit)
    seat, player = Seat(visit.control.version), visit.value
    if seat not in visit.table.computers or player not in for_people():
        raise Declined(NO_SUCH)
    if visit.table.row.status is Status.LOBBY:
        await visit.court.lobbies.cast(visit.table, seat, player)
    else:
        await visit.court.seats.cast(visit.table, seat, player)
    await together(visit.answer.show(_computers_layout(visit.table)), _tell(visit))


async def _tell(visit: Visit) -> None:
    if visit.table.row.status is Status.LOBBY:
        await refresh_lobby(visit)
    else:
        await post_people(visit.court, visit.table)


def _computers_layout(table: Table) -> Layout:
    items: list[discord.ui.Item[Any]] = [TextDisplay(str(Text("### Computers at this table")))]
    for seat in sorted(table.computers):
        rows = tuple((player, _described(table, seat, player)) for player in for_people())
        menu = Menu(ControlId("cast", table.id, seat), rows, chosen=table.computer_of(seat))
        items += [TextDisplay(table.say(table.person(seat))), row(menu)]
    return layout(*items)


def _described(table: Table, seat: Seat, player: str) -> str:
    about = CHARACTERS.get(player)
    name = Text("{name}", name=table.computer_name(seat, player))
    return table.say(Text("{name}: {about}", name=name, about=about) if about else name)


HANDLERS: dict[str, Handler] = {"computers": show_computers, "cast": choose_computer}
"""What the controls of this room do that choose computers."""
