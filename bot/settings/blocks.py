"""Blocking a player, from `/me settings` or from a table, and the list of one's blocks."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from bot.dispatcher import Request, TableRequest, anywhere, at_table
from bot.errors import UserError
from bot.interactions.controls import id_in, name_chosen
from bot.lobby.leaving import leave_lobby, lobbies_of
from bot.settings.blocks_layouts import blocks_layout, people_layout
from bot.store.blocks import MAX_BLOCKS, TooManyBlocks
from bot.tables.people import mention, presentable
from bot.tables.table import Table
from engine.texts import Text

NOT_KNOWN = Text("I do not know this player.")
YOURSELF = Text("You cannot block yourself.")
NOT_BLOCKED = Text("You have not blocked this player.")
FULL = "You have blocked {most} players, and I cannot remember more. Unblock one of them first."


async def show(request: Request) -> None:
    """The players whom this user has blocked, with menus to block and unblock; the control carries the page."""
    await _show(request, page=request.control.version)


async def block_chosen(request: Request) -> None:
    """A person of the server was chosen."""
    user_id = id_in(request.value)
    if user_id is None:
        raise UserError(NOT_KNOWN)
    await _block(request, user_id, name_chosen(request.response.interaction.data, user_id))


async def show_people(request: TableRequest) -> None:
    """*Block a player*: the other people of a table, to choose one from."""
    people = _others(request.table, request.user_id)
    if not people:
        raise UserError(Text("Nobody else is or was at this table."))
    await request.response.show(people_layout(request.table, people))


async def block_at_table(request: TableRequest) -> None:
    """One of them was chosen."""
    people, user_id = _others(request.table, request.user_id), id_in(request.value)
    if user_id is None or user_id not in people:
        raise UserError(NOT_KNOWN)
    await _block(request, user_id, people[user_id])


async def unblock(request: Request) -> None:
    """A blocked player was chosen; the row carries the digest, since a forgotten one has no id."""
    blocks = await request.services.store.blocks.of(request.user_id)
    block = next((one for one in blocks if one.digest == request.value), None)
    if block is None:
        raise UserError(NOT_BLOCKED)
    await request.services.store.blocks.drop(request.user_id, block.digest)
    request.response.kept = text = Text("✓ You no longer block this player.")
    await _show(request, text)


async def _block(request: Request, user_id: int, name: str) -> None:
    services = request.services
    if user_id == request.user_id:
        raise UserError(YOURSELF)
    try:
        await services.store.blocks.add(request.user_id, user_id, presentable(name), services.clock.now())
    except TooManyBlocks:
        raise UserError(Text(FULL, most=MAX_BLOCKS)) from None
    request.response.kept = text = Text("✓ You have blocked {user}. They are not told.", user=mention(user_id))
    for table in await lobbies_of(services, request.user_id):
        if user_id in table.people:
            with suppress(UserError):  # the game has begun meanwhile, and goes on
                await leave_lobby(services, table, request.user_id)
    await _show(request, text)


def _others(table: Table, user_id: int) -> Mapping[int, str]:
    """The other people who play or have played at a table, with their names."""
    holders = (*table.row.holders, *(one.holder for one in table.row.before))
    return {one.user_id: one.name for one in holders if one.user_id and one.user_id != user_id}


async def _show(request: Request, note: Text | None = None, page: int = 0) -> None:
    blocks = await request.services.store.blocks.of(request.user_id)
    in_server = request.response.interaction.guild_id is not None
    await request.response.show(blocks_layout(blocks, request.response.in_words, page, note, in_server=in_server))


TAPS = {
    "blocks": anywhere(show),
    "block": anywhere(block_chosen),
    "blockhere": at_table(show_people),
    "blocked": at_table(block_at_table),
    "unblock": anywhere(unblock),
}
