"""Handlers to block and unblock players, from `/me settings` or from a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import discord
from discord.ui import TextDisplay

from bot.errors import UserError
from bot.features.handlers import Request, TableRequest, anywhere, at_table
from bot.features.lobby.leaving import leave_lobby, lobbies_of
from bot.features.settings.days_off_page import show_settings
from bot.features.view import games
from bot.interactions.controls import MENU_ROWS, Control, Menu, UserMenu, chosen_name, id_in
from bot.interactions.kinds import InVersion
from bot.interactions.parts import Layout, layout, row
from bot.store.blocks import MAX_BLOCKS, Block, TooManyBlocks
from bot.tables.people import mention, presentable
from bot.tables.table import Table
from engine.texts import Text, joined

UNKNOWN_PLAYER_TEXT = Text("I don’t know this player.")
OWN_BLOCK_TEXT = Text("You can’t block yourself.")
NOT_BLOCKED_TEXT = Text("You haven’t blocked this player.")
FULL_TEXT = "You have blocked {most} players, which is the limit. Unblock one of them first."


@anywhere("blocks")
async def show(request: Request, page: InVersion[int] = 0) -> None:
    """Show the players that this user has blocked, with menus to block and unblock."""
    await _show(request, page=page)


@anywhere("block")
async def block_member(request: Request) -> None:
    """Block the member of the server that was chosen."""
    user_id = id_in(request.value)
    if user_id is None:
        raise UserError(UNKNOWN_PLAYER_TEXT)
    await _block(request, user_id, chosen_name(request.response.interaction.data, user_id))


@at_table(games.block_people)
async def show_people(request: TableRequest) -> None:
    """Show a menu of the other people of a table: the button *Block a player*."""
    people = _others(request.table, request.user_id)
    if not people:
        raise UserError(Text("Nobody else is or was at this table."))
    await request.response.show(_people_layout(request.table, people))


@at_table("blocked")
async def block_at_table(request: TableRequest) -> None:
    """Block the person of a table that was chosen."""
    people, user_id = _others(request.table, request.user_id), id_in(request.value)
    if user_id is None or user_id not in people:
        raise UserError(UNKNOWN_PLAYER_TEXT)
    await _block(request, user_id, people[user_id])


@anywhere("unblock")
async def unblock(request: Request) -> None:
    """Unblock the player that was chosen; rows carry the digest, since a forgotten player has no id."""
    blocks = await request.services.store.blocks.of(request.user_id)
    block = next((block for block in blocks if block.digest == request.value), None)
    if block is None:
        raise UserError(NOT_BLOCKED_TEXT)
    await request.services.store.blocks.drop(request.user_id, block.digest)
    request.response.already_done = text = Text("✓ You have unblocked this player.")
    await _show(request, text)


async def _block(request: Request, user_id: int, name: str) -> None:
    services = request.services
    if user_id == request.user_id:
        raise UserError(OWN_BLOCK_TEXT)
    try:
        await services.store.blocks.add(request.user_id, user_id, presentable(name), services.clock.now())
    except TooManyBlocks:
        raise UserError(Text(FULL_TEXT, most=MAX_BLOCKS)) from None
    request.response.already_done = text = Text("✓ You have blocked {user}. They won’t be told.", user=mention(user_id))
    for table in await lobbies_of(services, request.user_id):
        if user_id in table.people:
            with suppress(UserError):  # the game has begun meanwhile; it goes on
                await leave_lobby(services, table, request.user_id)
    await _show(request, text)


def _others(table: Table, user_id: int) -> Mapping[int, str]:
    """The other people of a table, also former ones: user id -> name."""
    holders = (*table.row.holders, *(period.holder for period in table.row.past_holders))
    return {holder.user_id: holder.name for holder in holders if holder.user_id and holder.user_id != user_id}


async def _show(request: Request, note: Text | None = None, page: int = 0) -> None:
    blocks = await request.services.store.blocks.of(request.user_id)
    in_server = request.response.interaction.guild_id is not None
    await request.response.show(_blocks_layout(blocks, page, note, in_server=in_server))


# --- layouts ---


ABOUT = Text(
    "### Players you have blocked\n"
    "You won’t be seated together anymore: no invitation, rematch or free seat puts you at one table, and leagues keep "
    "you apart if they can. They won’t be told. A game you’re already playing together goes on; at tables where it "
    "hasn’t begun, you give up your seat."
)


def _blocks_layout(blocks: Sequence[Block], page: int, note: Text | None, *, in_server: bool) -> Layout:
    """The blocks of a user, a page of them in a menu, and in a server a menu to block another player."""
    count = (
        Text("You have blocked {n} {n:player|players}.", n=len(blocks))
        if blocks
        else Text("You haven’t blocked anyone.")
    )
    lines = [*([note] if note else []), ABOUT, Text("-# {count}", count=count)]
    items: list[discord.ui.Item[Any]] = [TextDisplay(str(joined(lines, "\n")))]
    more: list[Control] = []
    if in_server:
        items.append(row(UserMenu(block_member.id(), Text("Block a player"))))
    if blocks:
        pages = [blocks[n : n + MENU_ROWS] for n in range(0, len(blocks), MENU_ROWS)]
        items.append(row(_unblock_menu(pages[page % len(pages)])))
        # `%`, since an old button may have a page beyond the last one
        more = [show.button(Text("More names"), page=(page + 1) % len(pages))] if len(pages) > 1 else []
    return layout(*items, row(*more, show_settings.button(Text("Back"), page="playing")))


def _unblock_menu(blocks: Sequence[Block]) -> Menu:
    rows = tuple((block.digest, block.name or str(Text("somebody"))) for block in blocks)
    return Menu(unblock.id(), rows, Text("Unblock a player"))


def _people_layout(table: Table, people: Mapping[int, str]) -> Layout:
    """A menu of the people of a table, to block one of them."""
    question = Text(
        "### Who do you want to block?\n"
        "You won’t be seated together anymore, and they won’t be told. A game you’re already playing together goes on; "
        "at tables where it hasn’t begun, you give up your seat. `/me settings` has the list."
    )
    # as many as a menu may have
    rows = [(str(user_id), name or table.say(Text("somebody"))) for user_id, name in people.items()][:MENU_ROWS]
    menu = Menu(block_at_table.id(table), tuple(rows), table.say(Text("Choose a player")))
    return layout(TextDisplay(table.say(question)), row(menu))
