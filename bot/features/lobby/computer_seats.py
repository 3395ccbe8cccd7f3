"""The characters of computer players, which the host chooses before or during a game."""

from __future__ import annotations

from typing import Any

import discord
from discord.ui import TextDisplay

from bot.errors import UserError
from bot.features import groups
from bot.features.handlers import TableRequest, at_table
from bot.features.lobby.ending import post_people
from bot.features.lobby.table_message import require_host, update_lobby
from bot.interactions.controls import Menu
from bot.interactions.kinds import InVersion
from bot.interactions.parts import Layout, layout, row
from bot.interactions.responses import together
from bot.store.matches import Status
from bot.tables.table import Table
from engine.players import offered_players
from engine.texts import Seat, Text

CHARACTERS = {
    "easy": Text("🙂 easy – makes mistakes"),
    "fair": Text("👳 fair – looks ahead, sometimes slips"),
    "strong": Text("👑 strong – thinks before it moves"),
}
"""The description of each computer player beside its name, with the emoji closest to its portrait."""


@groups.table.command("computers", "Choose how well the computers at this table play (host)")
@at_table("computers")
async def show_computers(request: TableRequest) -> None:
    """Show a private page with a menu for each seat of a computer."""
    require_host(request)
    if not request.table.computers:
        raise UserError(Text("There is no computer at this table. **Add computer** adds one before the game begins."))
    await request.response.show(_computers_layout(request.table))


@at_table("cast")
async def choose_computer(request: TableRequest, seat: InVersion[Seat]) -> None:
    """Set the chosen character of a seat."""
    require_host(request)
    player = request.value
    table, services = request.table, request.services
    # ids can be forged, and a person may have taken the seat meanwhile
    if seat not in table.computers or player not in offered_players():
        raise UserError(Text("That computer is no longer at this table."))
    if table.row.status is Status.LOBBY:
        await services.lobbies.cast(table, seat, player)
        await together(request.response.show(_computers_layout(table)), update_lobby(services, table))
    else:
        await services.seats.cast(table, seat, player, by=request.user_id)
        await together(request.response.show(_computers_layout(table)), post_people(services, table))


def _computers_layout(table: Table) -> Layout:
    items: list[discord.ui.Item[Any]] = [TextDisplay(str(Text("### Computers at this table")))]
    for seat in sorted(table.computers):
        rows = tuple((player, _player_label(table, seat, player)) for player in offered_players())
        menu = Menu(choose_computer.id(table, seat), rows, chosen=table.computer_of(seat))
        items += [TextDisplay(table.say(table.person(seat))), row(menu)]
    return layout(*items)


def _player_label(table: Table, seat: Seat, player: str) -> str:
    about = CHARACTERS.get(player)
    name = Text("{name}", name=table.computer_name(seat, player))
    return table.say(Text("{name}: {about}", name=name, about=about) if about else name)
