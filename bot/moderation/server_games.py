"""`/server games`: moderators look at all games of their server, end them, unstick them, hand seats to computers."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

import discord

from bot.dispatcher import Request, anywhere
from bot.errors import TROUBLE, UserError
from bot.interactions.controls import MENU_ROWS, ControlId, id_in
from bot.interactions.parts import text_layout
from bot.interactions.responses import together
from bot.lobby.ending import call_off, go_on_without, reason_form
from bot.lobby.table_message import post_lobby
from bot.moderation.games_overview import overview, who_left
from bot.moderation.moderators import server_of
from bot.moderation.server_games_layouts import game_layout, games_layout, hand_over_layout
from bot.store.matches import Status
from bot.tables.people import mention
from bot.tables.table import Table, require_open, require_running
from engine.texts import Text

NO_GAMES = Text("There’s no game in this server. Set one up with `/table new`.")
NOT_KNOWN = Text("I can’t find that game here anymore.")
UNDO_REQUEST_OVER = Text("-# A moderator has unstuck this game; the undo request is closed.")
READ_ANEW = Text("✓ Reloaded and posted again.")
UNPOSTED = Text("✓ Reloaded, but it cannot be posted in its channel at the moment.")
NOT_PLAYING = Text("That player is no longer in this game.")
HANDED_OVER = Text("✓ A computer has taken over the seat.")
UNREADABLE = Text("It still can’t be read. All you can do is end it.")


async def list_games(request: Request) -> None:
    """All games of this server that are open: those with trouble first, then the one that has waited longest."""
    guild, services = server_of(request), request.services
    ids = await services.store.matches.open_in_server(guild.id)
    # the oldest ones: a menu has no more rows
    tables = [await services.tables.find(match_id) for match_id in ids[:MENU_ROWS]]
    games = [await overview(services, guild, table) for table in tables if table and table.is_open]
    if not games:
        raise UserError(NO_GAMES)
    now = services.clock.now()
    games.sort(key=lambda game: (not game.is_ill, game.since or now))
    await request.response.show(games_layout(games, guild, len(ids) - len(games)))


async def show_game(request: Request) -> None:
    """One of them, from the menu, with all that can be done about it."""
    guild = server_of(request)
    await _show(request, guild, await _table(request, guild, id_in(request.value) or 0))


async def show_again(request: Request) -> None:
    """*Back to the game*."""
    guild = server_of(request)
    await _show(request, guild, await _table(request, guild, request.control.match))


async def _table(request: Request, guild: discord.Guild, match_id: int) -> Table:
    """An open game of this server. Raises `UserError`."""
    # as at any table: after a start, nobody acts on a position that the channel has not seen
    await request.services.worker.board_tried(match_id)
    table = await request.services.tables.find(match_id)
    # ids come from outside: a moderator of one server must not reach the games of another one
    if table is None or table.row.guild_id != guild.id:
        raise UserError(NOT_KNOWN)
    require_open(table)
    return table


async def _show(request: Request, guild: discord.Guild, table: Table, note: Text | None = None) -> None:
    left = await who_left(request.services.members, guild, table.people, asked_by=request.user_id)
    await request.response.show(game_layout(await overview(request.services, guild, table), left, note))


async def ask_reason(request: Request) -> None:
    """*End it*: ask why."""
    table = await _table(request, server_of(request), request.control.match)
    await request.response.ask(reason_form(ControlId("calledoff", table.id), table))


async def end(request: Request) -> None:
    """The form was sent."""
    await call_off(request, await _table(request, server_of(request), request.control.match))


async def unstick(request: Request) -> None:
    """Bring a game back to what its record says, and to its channel."""
    guild = server_of(request)
    table, services = await _table(request, guild, request.control.match), request.services
    # read before `unstick` drops it: its message has to be edited afterwards
    undo_request = table.undo_request
    await services.seats.unstick(table, by=request.user_id, at=services.clock.now())
    request.response.kept = READ_ANEW
    if undo_request is not None and undo_request.message_id is not None:
        await services.channels.refresh(
            table.row.channel_id, undo_request.message_id, partial(text_layout, UNDO_REQUEST_OVER, table.say)
        )
    await _show(request, guild, table, await _posted_anew(request, table))


async def _posted_anew(request: Request, table: Table) -> Text:
    """Post what a table shows in its channel. Returns what has come of it."""
    services = request.services
    if table.problem:
        return UNREADABLE
    # Discord may not take it, and the game may have ended meanwhile
    with suppress(UserError, *TROUBLE):
        if table.row.status is Status.LOBBY:
            await post_lobby(services, table)
        else:
            # computers may owe moves, since what was begun has been given up
            await services.moves.resume(table)
            await services.poster.deliver(table)
        return READ_ANEW
    return UNPOSTED


async def ask_hand_over(request: Request) -> None:
    """Somebody was chosen from the menu: ask before a computer plays on for them."""
    table = await _table(request, server_of(request), request.control.match)
    require_running(table)
    user_id = _user_named(request.value)
    if table.seat_of(user_id) is None:
        raise UserError(NOT_PLAYING)
    await request.response.show(hand_over_layout(table, user_id))


async def hand_over(request: Request) -> None:
    """*Hand it over*: a computer plays on for somebody."""
    guild, services = server_of(request), request.services
    table, user_id = await _table(request, guild, request.control.match), _user_named(request.control.text)
    if table.seat_of(user_id) is None:
        raise UserError(NOT_PLAYING)
    seat = await services.seats.replace(table, user_id, by=request.user_id, at=services.clock.now())
    # they may have been the host; and without people the game is over
    await services.lobbies.hand_on(table)
    request.response.kept = HANDED_OVER
    told = Text(
        "{moderator}, a moderator, has given {mark} {user}’s seat to a computer.",
        moderator=mention(request.user_id),
        mark=table.mark(seat),
        user=mention(user_id),
    )
    await together(_show_handed(request, guild, table), go_on_without(services, table, told))


async def _show_handed(request: Request, guild: discord.Guild, table: Table) -> None:
    """The game again, unless it was over by that."""
    if table.is_open:
        await _show(request, guild, table, HANDED_OVER)
    else:
        await request.response.show_text(HANDED_OVER)


def _user_named(written: str) -> int:
    """A user by their id, which comes from outside."""
    if (user_id := id_in(written)) is None:
        raise UserError(NOT_PLAYING)
    return user_id


TAPS = {
    "games": anywhere(list_games),
    "ofserver": anywhere(show_game),
    "again": anywhere(show_again),
    "calloff": anywhere(ask_reason),
    "calledoff": anywhere(end),
    "unstick": anywhere(unstick),
    "handing": anywhere(ask_hand_over),
    "handover": anywhere(hand_over),
}
