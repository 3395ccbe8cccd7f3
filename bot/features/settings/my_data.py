"""`/me data`: a file with all data about a user, and its deletion."""

from __future__ import annotations

import asyncio
import gzip
import io
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import discord
import orjson
from discord.ui import File, TextDisplay

from bot.errors import UserError
from bot.features.groups import me
from bot.features.handlers import Request, anywhere
from bot.features.lobby.ending import go_on_without
from bot.features.lobby.leaving import leave_lobby
from bot.features.services import Services
from bot.interactions.parts import DANGER, layout, row
from bot.store.matches import Status
from bot.tables.faults import guarding
from bot.tables.table import Table
from engine.texts import Text

ABOUT = Text(
    "### Your data\n"
    "I store your Discord ID, your names in the servers where you play, your seats and moves, and what you choose in "
    "`/me settings` and for your games. I don’t store messages or anything about your other servers.\n"
    "**As a file** gives you all of it. **Forget me** deletes it: computers take over your seats, and in finished "
    "games your name becomes “somebody”."
)
CONFIRM_TEXT = Text(
    "Forget you? This cannot be undone.\n"
    "You leave every table: computers take over your seats in games that are still going, and you lose those that are "
    "rated. You leave your leagues, and their standings no longer list you. Your settings, reminders and the reasons "
    "you gave for calling a game off are gone. The moves of your past games stay, since those games belong to the "
    "others, too, but nothing says that they were yours. If you’ve seen a hand, a code without your name keeps you "
    "from seeing another one until that game ends. The same kind of code keeps bars and other players’ blocks in "
    "force, and your late turns in an open league on record. Messages in channels stay as they are."
)
FORGOTTEN_TEXT = Text("Everything about you is deleted. From now on, you’re a new player to me.")
LEFT_TEXT = Text("Somebody has left the game; a computer takes over the seat.")


MAX_BYTES = 8_000_000
"""The size of a file at most; Discord accepts ten million."""


@me.command("data", "What I store about you: get it as a file, or have it deleted")
@anywhere("mydata")
async def show(request: Request) -> None:
    """Show a summary of the stored data, with buttons to get or delete it."""
    buttons = send_file.button(Text("As a file")), forget.button(Text("Forget me"), DANGER)
    await request.response.show(layout(TextDisplay(str(ABOUT)), row(*buttons)))


@anywhere("myfile")
async def send_file(request: Request) -> None:
    """Send all data about the user as a private JSON file."""
    with request.services.limits.my_data.one(request.user_id):
        rows = await request.services.store.user_data.all_of(request.user_id)
        # in a thread: many games take too long for the event loop
        name, content = await asyncio.to_thread(_file, request.user_id, rows)
        text = TextDisplay[Any](str(Text("Everything I store about you:")))
        await request.response.show(
            layout(text, File(f"attachment://{name}")), [discord.File(io.BytesIO(content), name)]
        )


def _file(user_id: int, rows: Mapping[str, Sequence[Any]]) -> tuple[str, bytes]:
    """The name and the content of the file, compressed if it is too large for Discord."""
    tables = [b'"user_id": %d' % user_id, *(_table(name, of_table) for name, of_table in rows.items())]
    content = b"{\n" + b",\n".join(tables) + b"\n}\n"
    return ("my-data.json", content) if len(content) <= MAX_BYTES else ("my-data.json.gz", gzip.compress(content))


def _table(name: str, rows: Sequence[Any]) -> bytes:
    # row by row, since all other threads wait while the encoder runs; a line for each value is readable
    options = orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS
    return b'"%b": [\n%b\n]' % (name.encode(), b",\n".join([orjson.dumps(row, str, options) for row in rows]))


@anywhere("forget", confirmed="forgetme")
async def forget(request: Request) -> None:
    """Let the user leave all tables, and delete all data about them, after confirmation."""
    await request.confirm(CONFIRM_TEXT, Text("Forget me for good"), show.button(Text("Cancel")))
    with request.services.limits.forgetting.one(request.user_id):
        await _forget(request)


async def _forget(request: Request) -> None:
    services, people, user_id = request.services, request.services.store.user_data, request.user_id
    # before they leave, which deletes unplayed seats with their names
    names = await people.names(user_id)
    for match_id in await people.open_games(user_id):
        if table := await services.tables.find(match_id):
            # `people.forget` covers games that cannot go on; refused boards are retried
            with suppress(UserError), guarding(table):
                await _leave(services, table, user_id)
    await _post_boards(services, user_id)
    leagues = await services.store.leagues.leagues_of(user_id)
    await people.forget(user_id, names)
    # their jobs update the sign-ups, which name the player
    for league in leagues:
        job = await services.store.leagues.make_due(league, services.clock.now(), refresh=True)
        services.worker.retry_for_user(job)
    # `UserData` deletes the settings in the database, but not those that `Settings` has in memory
    services.store.settings.invalidate(user_id)
    services.members.forget(user_id)
    # tables in memory still have the name
    await services.tables.read_anew({*names, *services.tables.naming(user_id)})
    request.response.already_done = FORGOTTEN_TEXT
    await request.response.show_text(FORGOTTEN_TEXT)


async def _post_boards(services: Services, user_id: int) -> None:
    """Post the pending boards that name a user; one on its way would be stored after their name was deleted."""
    for match_id in services.tables.naming(user_id):
        table = await services.tables.find(match_id)
        if table is not None and table.waiting is not None:
            # a refused board is composed again later, without the name
            with suppress(UserError), guarding(table):
                await services.poster.deliver(table)


async def _leave(services: Services, table: Table, user_id: int) -> None:
    if table.row.status is Status.LOBBY:
        await leave_lobby(services, table, user_id)
        return
    await services.seats.resign(table, user_id)
    await services.lobbies.hand_on(table)
    await go_on_without(services, table, LEFT_TEXT)
