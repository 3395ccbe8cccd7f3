"""`/server games`: moderators list the games of their server, end them, unstick them, and hand seats to computers."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import discord
from discord.ui import TextDisplay

from bot.errors import DISCORD_ERRORS, UserError
from bot.features.groups import server
from bot.features.handlers import Request, anywhere
from bot.features.lobby.ending import call_off, go_on_without, reason_form
from bot.features.lobby.table_message import post_lobby
from bot.features.moderation import barring
from bot.features.moderation.games_overview import Overview, former_members, overview
from bot.features.moderation.moderators import server_of
from bot.features.view.my_games import link_to
from bot.interactions.controls import MENU_ROWS, Menu, id_in
from bot.interactions.kinds import InMatch
from bot.interactions.parts import DANGER, PRIMARY, Layout, layout, row, stamp, text_layout
from bot.interactions.phone import as_read, lines_of
from bot.interactions.responses import together
from bot.posting.story_layouts import page_controls
from bot.store.matches import Status
from bot.tables.faults import run_guarded
from bot.tables.people import mention
from bot.tables.rating_cost import replacement_warning, with_warning
from bot.tables.table import Table, require_open, require_running
from engine.texts import Text, joined

LINES = 18
"""Lines of a list that fit on a phone between its heading and a menu with two lines of buttons."""

NO_GAMES_TEXT = Text("There’s no game in this server. Set one up with `/table new`.")
UNKNOWN_GAME_TEXT = Text("I can’t find that game here anymore.")
UNDO_REQUEST_OVER_TEXT = Text("-# A moderator has unstuck this game; the undo request is closed.")
RELOADED_TEXT = Text("✓ Reloaded and posted again.")
NOT_POSTED_TEXT = Text("✓ Reloaded, but it can’t be posted in its channel at the moment.")
NOT_PLAYING_TEXT = Text("That player is no longer in this game.")
HANDED_OVER_TEXT = Text("✓ A computer has taken over the seat.")
UNREADABLE_TEXT = Text("It still can’t be read. All you can do is end it.")


@server.command("games", "All games in this server: find problems, unstick games or end them")
@anywhere("games")
async def list_games(request: Request, page: int = 0) -> None:
    """Show a page of the open games of this server: faulty ones first, then by the time that they wait."""
    guild, services = server_of(request), request.services
    ids = await services.store.matches.open_in_server(guild.id)
    # as many as a menu may have, the oldest first
    tables = [await services.tables.find(match_id) for match_id in ids[:MENU_ROWS]]
    games = [await overview(services, guild, table) for table in tables if table and table.is_open]
    if not games:
        raise UserError(NO_GAMES_TEXT)
    now = services.clock.now()
    games.sort(key=lambda game: (not game.is_faulty, game.since or now))
    await request.response.show(_games_layout(games, guild, len(ids) - len(games), page))


@anywhere("ofserver")
async def show_game(request: Request) -> None:
    """Show the game that was chosen, with all actions for it."""
    guild = server_of(request)
    await _show(request, guild, await _table(request, guild, id_in(request.value) or 0))


@anywhere("again")
async def show_again(request: Request, match_id: InMatch[int]) -> None:
    """Show a game again: the button *Back to the game*."""
    guild = server_of(request)
    await _show(request, guild, await _table(request, guild, match_id))


async def _table(request: Request, guild: discord.Guild, match_id: int) -> Table:
    """An open game of this server. Raises `UserError`."""
    # as at each table: after a start, wait for the board, so that the channel has seen the position
    await request.services.worker.wait_for_board(match_id)
    table = await request.services.tables.find(match_id)
    # ids can be forged: a moderator of one server must not reach the games of another one
    if table is None or table.row.guild_id != guild.id:
        raise UserError(UNKNOWN_GAME_TEXT)
    require_open(table)
    return table


async def _show(request: Request, guild: discord.Guild, table: Table, note: Text | None = None) -> None:
    absent = await former_members(request.services.members, guild, table.people, asked_by=request.user_id)
    await request.response.show(_game_layout(await overview(request.services, guild, table), absent, note))


@anywhere("calloff")
async def ask_reason(request: Request, match_id: InMatch[int]) -> None:
    """Ask why the game should end: the button *End it*."""
    table = await _table(request, server_of(request), match_id)
    await request.response.ask(reason_form(end.id(table.id), table))


@anywhere("calledoff")
async def end(request: Request, match_id: InMatch[int]) -> None:
    """End a game, after the form for the reason."""
    await call_off(request, await _table(request, server_of(request), match_id))


@anywhere("unstick")
async def unstick(request: Request, match_id: InMatch[int]) -> None:
    """Reload a game from its record, and post it in its channel again."""
    guild = server_of(request)
    table, services = await _table(request, guild, match_id), request.services
    # read before `unstick` drops it: its message is edited afterwards
    undo_request = table.undo_request
    await services.seats.unstick(table, by=request.user_id, at=services.clock.now())
    request.response.already_done = RELOADED_TEXT
    if undo_request is not None and undo_request.message_id is not None:
        await services.channels.refresh(
            table.row.channel_id, undo_request.message_id, partial(text_layout, UNDO_REQUEST_OVER_TEXT, table.say)
        )
    await _show(request, guild, table, await _post_again(request, table))


async def _post_again(request: Request, table: Table) -> Text:
    """Post the lobby or the board of a table again. Returns a sentence about the result."""
    services = request.services
    if table.problem:
        return UNREADABLE_TEXT
    # Discord may refuse it, and the game may have ended meanwhile
    with suppress(UserError, *DISCORD_ERRORS):
        if table.row.status is Status.LOBBY:
            await post_lobby(services, table)
        else:
            # computers may be due: `unstick` has canceled their searches
            await services.moves.resume(table)
            await services.poster.deliver(table)
        return RELOADED_TEXT
    return NOT_POSTED_TEXT


@anywhere("handing")
async def ask_hand_over(request: Request, match_id: InMatch[int]) -> None:
    """Ask to confirm handing over the seat of the player that was chosen."""
    table, user_id = await _table(request, server_of(request), match_id), id_in(request.value)
    require_running(table)
    if user_id is None:
        raise UserError(NOT_PLAYING_TEXT)
    await hand_over(request, match_id, user_id)


@anywhere("handover", confirmed="handover")
async def hand_over(request: Request, match_id: InMatch[int], user_id: int) -> None:
    """Hand the seat of a player to a computer, after confirmation."""
    guild, services = server_of(request), request.services
    table = await _table(request, guild, match_id)
    if table.seat_of(user_id) is None:
        raise UserError(NOT_PLAYING_TEXT)
    question = Text("Let a computer play for {user} from now on?", user=mention(user_id))
    if len(table.people) == 1:
        question = Text("{question} No other person is left in this game, so this ends it.", question=question)
    question = with_warning(question, replacement_warning(table, user_id))
    back = show_again.button(Text("Back to the game"), match_id=match_id)
    await request.confirm(question, Text("Hand it over"), back)
    seat = await services.seats.replace(table, user_id, by=request.user_id, at=services.clock.now())
    # they may have been the host; and without people the game is over
    await services.lobbies.hand_on(table)
    request.response.already_done = HANDED_OVER_TEXT
    text = Text(
        "{moderator}, a moderator, has given {mark} {user}’s seat to a computer.",
        moderator=mention(request.user_id),
        mark=table.mark(seat),
        user=mention(user_id),
    )
    await together(_show_after_handover(request, guild, table), go_on_without(services, table, text))


async def _show_after_handover(request: Request, guild: discord.Guild, table: Table) -> None:
    """Show the game again, unless the handover has ended it."""
    if table.is_open:
        await _show(request, guild, table, HANDED_OVER_TEXT)
    else:
        await request.response.show_text(HANDED_OVER_TEXT)


# --- layouts ---


UNSTICK_RUNNING_TEXT = Text(
    "**Unstick** – I reload the game from its record, drop unconfirmed choices and any open undo request, let "
    "computers continue, and post the board again. Moves already played stay, and nobody is mentioned twice."
)
UNSTICK_LOBBY_TEXT = Text("**Unstick** – I reload the table and post it again.")
UNSTICK_BROKEN_TEXT = Text("**Unstick** – I try to reload the record of the game.")
END_TEXT = Text(
    "**End it** – for everyone and for good. You can give a reason, which is shown in the channel and kept in the log."
)
HAND_OVER_TEXT = Text(
    "**Hand a seat to a computer** – for somebody who doesn’t come back. As long as nobody else has taken the seat, "
    "they can return with `/game join`."
)


def _games_layout(games: Sequence[Overview], guild: discord.Guild, more: int, number: int) -> Layout:
    """A page of the open games of a server, with a menu of them all; `more` is the number of those it lacks."""
    pages = _pages([_list_entry(game) for game in games])
    number = min(number, len(pages) - 1)
    lines = [str(Text("### Games in this server")), *pages[number]]
    if more and number == len(pages) - 1:
        lines.append(str(Text("-# … and {more} newer {more:game|games}", more=more)))
    menu = Menu(
        show_game.id(), tuple((str(game.table.id), _label(game, guild)) for game in games), Text("Manage a game")
    )
    ways = page_controls(list_games.id, number, len(pages)) if len(pages) > 1 else []
    return layout(TextDisplay("\n".join(lines)), row(menu), row(*ways, barring.show.button(Text("Barred people"))))


def _pages(entries: Sequence[str]) -> list[list[str]]:
    """The entries of each page: as many as fit on a phone, at least one."""
    pages: list[list[str]] = [[]]
    for entry in entries:
        if pages[-1] and sum(lines_of(as_read(other)) for other in (*pages[-1], entry)) > LINES:
            pages.append([])
        pages[-1].append(entry)
    return pages


def _summary(game: Overview) -> Text:
    """A game in a few lines: its channel, its people, its due players, and its problems."""
    row, people = game.table.row, game.people()
    heading = Text(
        "**[{title}]({link})** in {channel} · {people}",
        title=game.table.title,
        link=link_to(game.table),
        channel=f"<#{row.channel_id}>",
        people=joined(people, ", ") if people else Text("nobody"),
    )
    return joined([heading, _due_text(game), *(Text("⚠️ {what}", what=what) for what in game.problems)], "\n")


def _list_entry(game: Overview) -> str:
    """The summary of a game in a list, with missing permissions by their names only."""
    missing = tuple(Text("**{need}**", need=finding.need.name) for finding in game.findings if finding.need)
    needs = [Text("⚠️ I’m missing {missing} in its channel.", missing=missing)] if missing else []
    closed = [Text("⚠️ {closed}", closed=finding.text) for finding in game.findings if not finding.need]
    return game.table.say(joined([_summary(game), *needs, *closed], "\n"))


def _due_text(game: Overview) -> Text:
    if game.table.problem:
        return Text("It can’t continue.")
    if game.table.row.status is Status.LOBBY:
        return Text("Waiting for players; it hasn’t begun.")
    due = run_guarded(game.table, game.table.due_sentence, lambda _: Text("It can’t continue."))
    return Text("{due} Asked {when}.", due=due, when=stamp(game.since, "R")) if game.since else due


def _label(game: Overview, guild: discord.Guild) -> str:
    """The label of a game in a menu."""
    row = game.table.row
    channel = guild.get_channel_or_thread(row.channel_id)
    names = ", ".join(holder.name for holder in row.holders if holder.name)
    sign = "⚠️ " if game.is_faulty else ""
    return f"{sign}{game.table.title} · #{channel.name if channel else '…'} · {names}"


def _game_layout(game: Overview, absent: frozenset[int], note: Text | None) -> Layout:
    """The actions for a game, each with an explanation; users in `absent` have left the server."""
    table = game.table
    lines = [note, _summary(game)] if note else [_summary(game)]
    if absent:
        people = tuple(mention(user_id) for user_id in sorted(absent))
        lines.append(Text("⚠️ {people} {people:has|have} left the server.", people=people))
    lines += [Text("⚠️ {finding}", finding=finding.text) for finding in game.findings]
    about = UNSTICK_LOBBY_TEXT if table.row.status is Status.LOBBY else UNSTICK_RUNNING_TEXT
    return layout(
        TextDisplay(table.say(joined(lines, "\n"))),
        TextDisplay(str(UNSTICK_BROKEN_TEXT if table.problem else about)),
        row(unstick.button(Text("Unstick"), PRIMARY, table.id)),
        TextDisplay(str(END_TEXT)),
        row(ask_reason.button(Text("End it…"), DANGER, table.id)),
        *_handover_items(table, absent),
        row(list_games.button(Text("All games"))),
    )


def _handover_items(table: Table, absent: frozenset[int]) -> list[discord.ui.Item[Any]]:
    """The menu of players whose seats a computer could take over."""
    # neither in a lobby, whose host can remove players, nor in a game that cannot continue
    if table.match is None:
        return []
    rows = [
        (str(holder.user_id), f"{name}{LEFT_SUFFIX if holder.user_id in absent else ''}")
        for holder, name in zip(table.row.holders, table.plain_names, strict=False)
        if holder.user_id is not None
    ]
    menu = Menu(ask_hand_over.id(table.id), tuple(rows), Text("Whose seat?"))
    return [TextDisplay(str(HAND_OVER_TEXT)), row(menu)]


LEFT_SUFFIX = Text(" – has left the server")
