"""`/server games`: moderators look at all games of their server, end them, unstick them, hand seats to computers."""

from __future__ import annotations

from contextlib import suppress

import discord

from bot.errors import TROUBLE, Declined
from bot.interactions.answers import together
from bot.interactions.controls import ControlId
from bot.interactions.parts import text_layout
from bot.lobby.ending import call_off, go_on_without, reason_form
from bot.lobby.layouts import lobby_layout
from bot.lobby.showing import FURTHER_DOWN
from bot.reception import Anywhere, Errand
from bot.server.moderators import server_of
from bot.server.overview import overview, who_left
from bot.server.pages import game_layout, games_layout, hand_over_layout
from bot.store.matches import Status
from bot.tables.people import mention
from bot.tables.table import Table, require_open, require_running
from engine.texts import Text

LISTED = 25
"""Games that are looked at: as many as a menu has rows."""

LONGEST_ID = 18
"""Digits of a number that a database can hold; rows come from outside."""

LONGEST_USER = 20

NO_GAMES = Text("No game is set or being played in this server. `/game new` sets one up.")
NOT_KNOWN = Text("This game is not known here any more.")
WISH_OVER = Text("-# A moderator has looked after this game; the wish to take something back is over.")
READ_ANEW = Text("✓ It is read anew, and posted once more.")
UNPOSTED = Text("✓ It is read anew. Its channel does not take it at the moment, though.")
NOT_PLAYING = Text("Nobody of this name plays here any more.")
HANDED_OVER = Text("✓ A computer plays on in this seat.")
UNREADABLE = Text("It still cannot be read. All that is left is to end it.")


async def list_games(errand: Errand) -> None:
    """All games of this server that are open: those with trouble first, then the one that has waited longest."""
    guild, court = server_of(errand), errand.court
    ids = await court.store.matches.open_in_server(guild.id)
    tables = [await court.tables.find(match_id) for match_id in ids[:LISTED]]
    games = [await overview(court, guild, table) for table in tables if table and table.is_open]
    if not games:
        raise Declined(NO_GAMES)
    now = court.clock.now()
    games.sort(key=lambda game: (not game.is_ill, game.since or now))
    await errand.answer.show(games_layout(games, guild, len(ids) - len(games)))


async def show_game(errand: Errand) -> None:
    """One of them, from the menu, with all that can be done about it."""
    guild = server_of(errand)
    known = errand.value.isdecimal() and len(errand.value) <= LONGEST_ID
    await _show(errand, guild, await _table(errand, guild, int(errand.value) if known else 0))


async def show_again(errand: Errand) -> None:
    """*Back to the game*."""
    guild = server_of(errand)
    await _show(errand, guild, await _table(errand, guild, errand.control.match))


async def _table(errand: Errand, guild: discord.Guild, match_id: int) -> Table:
    """An open game of this server. Raises `Declined`."""
    await errand.court.worker.board_tried(match_id)
    table = await errand.court.tables.find(match_id)
    if table is None or table.row.guild_id != guild.id:
        raise Declined(NOT_KNOWN)
    require_open(table)
    return table


async def _show(errand: Errand, guild: discord.Guild, table: Table, note: Text | None = None) -> None:
    users = [chair.user_id for chair in table.row.chairs if chair.user_id]
    left = await who_left(guild, users)
    await errand.answer.show(game_layout(await overview(errand.court, guild, table), left, note))


async def ask_reason(errand: Errand) -> None:
    """*End it*: ask why."""
    table = await _table(errand, server_of(errand), errand.control.match)
    await errand.answer.ask(reason_form(ControlId("calledoff", table.id), table))


async def end(errand: Errand) -> None:
    """The form was sent."""
    await call_off(errand, await _table(errand, server_of(errand), errand.control.match))


async def unstick(errand: Errand) -> None:
    """Bring a game back to what its record says, and to its channel."""
    guild = server_of(errand)
    table, court = await _table(errand, guild, errand.control.match), errand.court
    wish = table.wish
    await court.seats.unstick(table, by=errand.user_id, at=court.clock.now())
    errand.answer.kept = READ_ANEW
    if wish is not None and wish.message_id is not None:
        await court.channels.refresh(table.row.channel_id, wish.message_id, text_layout(WISH_OVER, table.say))
    await _show(errand, guild, table, await _posted_anew(errand, table))


async def _posted_anew(errand: Errand, table: Table) -> Text:
    """Post what a table shows in its channel. Returns what has come of it."""
    court = errand.court
    if table.problem:
        return UNREADABLE
    with suppress(Declined, *TROUBLE):
        if table.row.status is Status.LOBBY:
            await _post_lobby(errand, table)
        else:
            await court.moves.resume(table)
            await court.poster.deliver(table)
        return READ_ANEW
    return UNPOSTED


async def _post_lobby(errand: Errand, table: Table) -> None:
    """Set up the public message of a lobby once more, below what was said since. Raises `TROUBLE`."""
    court, row = errand.court, table.row
    message_id = await court.channels.send(row.channel_id, lobby_layout(table))
    await court.lobbies.note_lobby_message(table, message_id)
    if row.lobby_message_id is not None:
        await court.channels.refresh(row.channel_id, row.lobby_message_id, text_layout(FURTHER_DOWN, table.say))


async def ask_hand_over(errand: Errand) -> None:
    """Somebody was chosen from the menu: ask before a computer plays on for them."""
    table = await _table(errand, server_of(errand), errand.control.match)
    require_running(table)
    user_id = _user_named(errand.value)
    if table.seat_of(user_id) is None:
        raise Declined(NOT_PLAYING)
    await errand.answer.show(hand_over_layout(table, user_id))


async def hand_over(errand: Errand) -> None:
    """*Hand it over*: a computer plays on for somebody."""
    guild, court = server_of(errand), errand.court
    table, user_id = await _table(errand, guild, errand.control.match), _user_named(errand.control.text)
    if table.seat_of(user_id) is None:
        raise Declined(NOT_PLAYING)
    seat = await court.seats.replace(table, user_id, by=errand.user_id, at=court.clock.now())
    await court.lobbies.hand_on(table)
    errand.answer.kept = HANDED_OVER
    told = Text(
        "{moderator}, who looks after this server, lets a computer play on for {mark} {user}.",
        moderator=mention(errand.user_id),
        mark=table.mark(seat),
        user=mention(user_id),
    )
    await together(_show_handed(errand, guild, table), go_on_without(court, table, told))


async def _show_handed(errand: Errand, guild: discord.Guild, table: Table) -> None:
    """The game again, unless it was over by that."""
    if table.is_open:
        await _show(errand, guild, table, HANDED_OVER)
    else:
        await errand.answer.show_text(HANDED_OVER)


def _user_named(written: str) -> int:
    """A user by their id, which comes from outside."""
    if not written.isdecimal() or len(written) > LONGEST_USER:
        raise Declined(NOT_PLAYING)
    return int(written)


ANYWHERE: dict[str, Anywhere] = {
    "games": list_games,
    "ofserver": show_game,
    "again": show_again,
    "calloff": ask_reason,
    "calledoff": end,
    "unstick": unstick,
    "handing": ask_hand_over,
    "handover": hand_over,
}
"""What the controls of this room do that are about the games of a server."""
