"""`/server games`: moderators look at all games of their server, end them, unstick them, hand seats to computers."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import discord
from discord.ui import TextDisplay

from bot.errors import TROUBLE, UserError
from bot.groups import server
from bot.handlers import Request, anywhere
from bot.interactions.controls import MENU_ROWS, Menu, id_in
from bot.interactions.kinds import InMatch
from bot.interactions.parts import DANGER, PRIMARY, Layout, layout, row, stamp, text_layout
from bot.interactions.responses import together
from bot.lobby.ending import call_off, go_on_without, reason_form
from bot.lobby.table_message import post_lobby
from bot.moderation import barring
from bot.moderation.games_overview import ROOM, Overview, overview, who_left
from bot.moderation.moderators import server_of
from bot.store.matches import Status
from bot.tables.people import mention
from bot.tables.table import Table, require_open, require_running
from bot.view.my_games import link_to, that_fit
from engine.texts import Text, joined

NO_GAMES = Text("There’s no game in this server. Set one up with `/table new`.")
NOT_KNOWN = Text("I can’t find that game here anymore.")
UNDO_REQUEST_OVER = Text("-# A moderator has unstuck this game; the undo request is closed.")
READ_ANEW = Text("✓ Reloaded and posted again.")
UNPOSTED = Text("✓ Reloaded, but it cannot be posted in its channel at the moment.")
NOT_PLAYING = Text("That player is no longer in this game.")
HANDED_OVER = Text("✓ A computer has taken over the seat.")
UNREADABLE = Text("It still can’t be read. All you can do is end it.")


@server.command("games", "All games in this server: find problems, end or unstick them")
@anywhere("games")
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
    await request.response.show(_games_layout(games, guild, len(ids) - len(games)))


@anywhere("ofserver")
async def show_game(request: Request) -> None:
    """One of them, from the menu, with all that can be done about it."""
    guild = server_of(request)
    await _show(request, guild, await _table(request, guild, id_in(request.value) or 0))


@anywhere("again")
async def show_again(request: Request, match_id: InMatch[int]) -> None:
    """*Back to the game*."""
    guild = server_of(request)
    await _show(request, guild, await _table(request, guild, match_id))


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
    await request.response.show(_game_layout(await overview(request.services, guild, table), left, note))


@anywhere("calloff")
async def ask_reason(request: Request, match_id: InMatch[int]) -> None:
    """*End it*: ask why."""
    table = await _table(request, server_of(request), match_id)
    await request.response.ask(reason_form(end.id(table.id), table))


@anywhere("calledoff")
async def end(request: Request, match_id: InMatch[int]) -> None:
    """The form was sent."""
    await call_off(request, await _table(request, server_of(request), match_id))


@anywhere("unstick")
async def unstick(request: Request, match_id: InMatch[int]) -> None:
    """Bring a game back to what its record says, and to its channel."""
    guild = server_of(request)
    table, services = await _table(request, guild, match_id), request.services
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


@anywhere("handing")
async def ask_hand_over(request: Request, match_id: InMatch[int]) -> None:
    """A player was chosen from the menu."""
    table, user_id = await _table(request, server_of(request), match_id), id_in(request.value)
    require_running(table)
    if user_id is None:
        raise UserError(NOT_PLAYING)
    await hand_over(request, match_id, user_id)


@anywhere("handover", confirmed="handover")
async def hand_over(request: Request, match_id: InMatch[int], user_id: int) -> None:
    """Hand the seat of a player to a computer, once the moderator has confirmed that."""
    guild, services = server_of(request), request.services
    table = await _table(request, guild, match_id)
    if table.seat_of(user_id) is None:
        raise UserError(NOT_PLAYING)
    question = Text("Let a computer play for {user} from now on?", user=mention(user_id))
    if len(table.people) == 1:
        question = Text("{question} Nobody else plays in this game, so this ends it.", question=question)
    back = show_again.button(Text("Back to the game"), match_id=match_id)
    await request.confirm(question, Text("Hand it over"), back)
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


# --- layouts ---


UNSTICK_RUNNING = Text(
    "**Unstick** – I reload the game from its record, drop unconfirmed choices and any open undo request, let "
    "computers continue, and post the board again. Moves already played stay, and nobody is mentioned twice."
)
UNSTICK_LOBBY = Text("**Unstick** – I reload the table, and post it again.")
UNSTICK_BROKEN = Text("**Unstick** – I try to reload the record of the game.")
END = Text(
    "**End it** – for everyone and for good. You can give a reason, which is shown in the channel and kept in the log."
)
HAND_OVER = Text(
    "**Hand a seat to a computer** – for somebody who doesn’t come back. As long as nobody else has taken the seat, "
    "they can return with `/game join`."
)


def _games_layout(games: Sequence[Overview], guild: discord.Guild, more: int) -> Layout:
    """The open games of a server, to choose one from; `more` are not listed."""
    told = [str(Text("### Games in this server")), *that_fit([_in_short(game) for game in games], ROOM)]
    if more:
        told.append(str(Text("-# … and {more} newer {more:game|games}", more=more)))
    rows = tuple((str(game.table.id), _label(game, guild)) for game in games)
    menu = Menu(show_game.id(), rows, Text("Manage a game"))
    barred = barring.show.button(Text("Barred people"))
    return layout(TextDisplay("\n".join(told)), row(menu), row(barred))


def _told(game: Overview) -> Text:
    """A game in a few lines: where, with whom, who is due since when, and what is the matter."""
    row, people = game.table.row, game.people()
    heading = Text(
        "**[{title}]({link})** in {channel} · {people}",
        title=game.table.title,
        link=link_to(game.table),
        channel=f"<#{row.channel_id}>",
        people=joined(people, ", ") if people else Text("nobody"),
    )
    return joined([heading, _due(game), *(Text("⚠️ {what}", what=what) for what in game.trouble)], "\n")


def _in_short(game: Overview) -> str:
    """The same for a list, where what is missing in its channel is only named."""
    missing = tuple(Text("**{need}**", need=finding.need.name) for finding in game.findings if finding.need)
    lacking = [Text("⚠️ I’m missing {missing} in its channel.", missing=missing)] if missing else []
    closed = [Text("⚠️ {closed}", closed=finding.text) for finding in game.findings if not finding.need]
    return game.table.say(joined([_told(game), *lacking, *closed], "\n"))


def _due(game: Overview) -> Text:
    if game.table.problem:
        return Text("It can’t continue.")
    if game.table.row.status is Status.LOBBY:
        return Text("Waiting for players; it hasn’t begun.")
    due = game.table.due_sentence()
    return Text("{due} Asked {when}.", due=due, when=stamp(game.since, "R")) if game.since else due


def _label(game: Overview, guild: discord.Guild) -> str:
    """The row of a menu."""
    row = game.table.row
    channel = guild.get_channel_or_thread(row.channel_id)
    names = ", ".join(holder.name for holder in row.holders if holder.name)
    sign = "⚠️ " if game.is_ill else ""
    return f"{sign}{game.table.title} · #{channel.name if channel else '…'} · {names}"


def _game_layout(game: Overview, left: frozenset[int], note: Text | None) -> Layout:
    """All that can be done about a game, each with what it does; `left` are not in the server any more."""
    table = game.table
    lines = [note, _told(game)] if note else [_told(game)]
    if left:
        people = tuple(mention(user_id) for user_id in sorted(left))
        lines.append(Text("⚠️ {people} {people:has|have} left the server.", people=people))
    lines += [Text("⚠️ {finding}", finding=finding.text) for finding in game.findings]
    about = UNSTICK_LOBBY if table.row.status is Status.LOBBY else UNSTICK_RUNNING
    return layout(
        TextDisplay(table.say(joined(lines, "\n"))),
        TextDisplay(str(UNSTICK_BROKEN if table.problem else about)),
        row(unstick.button(Text("Unstick"), PRIMARY, table.id)),
        TextDisplay(str(END)),
        row(ask_reason.button(Text("End it…"), DANGER, table.id)),
        *_handing(table, left),
        row(list_games.button(Text("All games"))),
    )


def _handing(table: Table, left: frozenset[int]) -> list[discord.ui.Item[Any]]:
    """The menu of those for whom a computer could play on."""
    # neither at a table that waits for players, who can be removed there, nor in a game that cannot continue
    if table.problem or table.match is None:
        return []
    rows = [
        (str(holder.user_id), f"{name}{GONE if holder.user_id in left else ''}")
        for holder, name in zip(table.row.holders, table.plain_names, strict=False)
        if holder.user_id is not None
    ]
    menu = Menu(ask_hand_over.id(table.id), tuple(rows), Text("Whose seat?"))
    return [TextDisplay(str(HAND_OVER)), row(menu)]


GONE = Text(" – has left the server")
