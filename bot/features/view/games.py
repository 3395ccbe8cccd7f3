"""Views of a table for one user, during the game and after its end."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ui import TextDisplay

from bot.errors import UserError
from bot.features.contrast import draw_for
from bot.features.dispatcher import channel_of
from bot.features.groups import game
from bot.features.handlers import Answer, Request, TableRequest, at_table
from bot.features.view import replays
from bot.features.view.predicting import predict_buttons
from bot.interactions.controls import MENU_ROWS, Control, Menu, id_in
from bot.interactions.kinds import declare_at_table
from bot.interactions.parts import Layout, layout, picture, row, words_layout
from bot.posting import board_layouts
from bot.posting.board_layouts import luck, your_move_button
from bot.posting.board_texts import changes_of_hands, due_text, log_pages, recap, stand_in_lines, story, table_events_of
from bot.posting.pictures import describe
from bot.posting.story_layouts import export, page_controls
from bot.store.matches import InThread, Past, Status
from bot.store.shard_range import NO_SERVER
from bot.tables.absent import due_and_absent
from bot.tables.people import mention
from bot.tables.table import Table
from engine.games import discover
from engine.texts import Text, term


@game.command("board", "See the current board, as a picture or in words", also_over=True)
@app_commands.rename(as_="as")
@app_commands.describe(as_="by default a picture")
@app_commands.choices(as_=[Choice(name="picture", value="picture"), Choice(name="text", value="text")])
async def show(request: TableRequest, as_: str = "picture") -> None:
    """The board as this user may see it, or the position in words."""
    await (show_as_text(request) if as_ == "text" else show_board(request))


async def show_board(request: TableRequest) -> None:
    """Show the board privately, from the user's view, with a recap since their last look.

    Retries a pending board.
    """
    table = request.table
    # read first: `seeing` notes that they have seen all of it
    since, seat = _known_version(table, request.user_id), table.seat_of(request.user_id)
    if seat is None or table.row.status is not Status.RUNNING:
        await _show(request, table, since)
        return
    async with request.services.seats.seeing(table, seat):
        await _show(request, table, since)
    if table.waiting is not None:
        with suppress(UserError):
            await request.services.poster.deliver(table)


async def show_to_newcomer(request: TableRequest, note: Text) -> None:
    """Show the board to a newly seated player, with a recap of the latest events."""
    table, seat = request.table, request.table.require_seat(request.user_id)
    since = max((past.until for past in table.row.past_holders if past.holder.user_id == request.user_id), default=0)
    news = story(table, table.viewable_match().history(seat, since=since), seat)
    async with request.services.seats.seeing(table, seat):
        await _show_board(request, table, "\n".join(filter(None, (table.say(note, seat), news))), since)


def _known_version(table: Table, user_id: int) -> int:
    """The version up to which a user knows a match; nothing is news to onlookers, nor once it is over."""
    seat, match = table.seat_of(user_id), table.viewable_match()
    return match.version if seat is None or table.row.status is not Status.RUNNING else table.seen_version(seat)


async def _show(request: TableRequest, table: Table, since: int) -> None:
    match, seat = table.viewable_match(), table.seat_of(request.user_id)
    news = ""
    if seat is not None:
        news = recap(table, seat, match.history(seat, since=since), match.standing_answers(seat, since=since))
    await _show_board(request, table, news, since)


async def _show_board(request: TableRequest, table: Table, news: str, since: int) -> None:
    """Show the board with a recap since a version, and the due players."""
    match, seat = table.viewable_match(), table.seat_of(request.user_id)
    # without news, the picture marks the last move, which is the default of `view`
    view = match.view(seat, since=since if since < match.version else None)
    image = await draw_for(request.services, request.user_id, table, view)
    running = table.row.status is Status.RUNNING
    settings, now = request.services.store.settings, request.services.clock.now()
    due_sentence = due_text(table) if match.outcome else await due_and_absent(settings, table, request.user_id, now)
    text = table.say(due_sentence, seat)
    words = "\n".join(filter(None, (news, text)))
    due = running and seat in view.due
    spectating = _spectator_buttons(table, request.user_id) if running and seat is None else []
    layout = look_layout(table, words, (image.filename, image.alt), due=due, spectating=spectating)
    await request.response.show(layout, [image.file()])


MAX_THREADS = 15
"""Threads of a channel that are listed."""


@game.command("list", "The games in this channel and its threads, including past ones")
async def list_games(request: Request) -> None:
    """The games of this channel, those that are over too, and those of its threads."""
    interaction, matches = request.response.interaction, request.services.store.matches
    channel_id, guild_id = channel_of(interaction), interaction.guild_id or NO_SERVER
    past = await matches.past_of(channel_id, MENU_ROWS)
    threads = [_in_thread(guild_id, game) for game in await matches.in_threads_of(channel_id, MAX_THREADS)]
    if not past and not threads:
        await request.services.tables.at(channel_id)  # without a lobby, raises with how to begin
        raise UserError(Text("No game has begun in this channel yet."))
    rows = [(str(game.id), str(_game_line(game))) for game in past]
    await request.response.show(games_layout(rows, threads))


STATES = {
    Status.LOBBY: Text("waiting for players"),
    Status.RUNNING: Text("being played"),
    Status.OVER: Text("over"),
    Status.ENDED: Text("called off"),
    Status.CLOSED: Text("called off"),
}


def _in_thread(guild_id: int, game: InThread) -> Text:
    link = f"https://discord.com/channels/{guild_id}/{game.channel_id}"
    title, state = _title(game.game), STATES[game.status]
    # a table of a league has no host
    if not game.host_id:
        return Text("[{title}]({link}), {state}", title=title, link=link, state=state)
    template = "[{title}]({link}), hosted by {host}, {state}"
    return Text(template, title=title, link=link, host=mention(game.host_id), state=state)


def _title(game: str) -> Text:
    spec = discover().get(game)
    return spec.name if spec else term(game)


def _game_line(game: Past) -> Text:
    return Text(
        "{title}, {state}{since}",
        title=_title(game.game),
        state=STATES[game.status],
        since=Text(" – last move on {day}", day=game.at.date()) if game.at else "",
    )


@at_table("game")
async def show_game(request: TableRequest) -> None:
    """A game of this channel was chosen from the list."""
    # the menu carries the id of one game, which stands for the channel; the value is the game that was chosen
    match_id = id_in(request.value)
    table = None if match_id is None else await request.services.tables.find(match_id)
    if table is None or table.row.channel_id != request.table.row.channel_id:
        raise UserError(Text("I can’t find that game here anymore."))
    # the answer is worded with the names of the game that was chosen, not of the one in the id
    request = replace(request, response=request.response.at(table))
    await _show(request, table, _known_version(table, request.user_id))


@at_table(board_layouts.as_text)
async def show_as_text(request: TableRequest, mark: str = "") -> None:
    """The long text description of the position, as this user may know it."""
    match = request.table.viewable_match()
    await request.response.show(
        words_layout(describe(match.view(request.table.seat_of(request.user_id)), request.table.names))
    )


@game.command("hand", "See your hand, or anything else that only you may see")
@at_table(board_layouts.hand)
async def show_hand(request: TableRequest) -> None:
    """The board with what only this user may see."""
    request.table.require_seat(request.user_id)
    if not request.table.spec.hands:
        raise UserError(Text("Nothing is hidden in {title}: everyone sees the same board.", title=request.table.title))
    await show_board(request)


@game.command("log", "Read what has happened so far", also_over=True)
@at_table(board_layouts.log)
async def show_log(request: TableRequest, page: int | None = None) -> None:
    """The events that this user may know: the requested page, by default the last one."""
    match = request.table.viewable_match()
    seat = request.table.seat_of(request.user_id)
    events = request.table.facts.events
    lines = [*changes_of_hands(request.table), *stand_in_lines(request.table)]
    around = [*lines, *table_events_of(request.table, events, request.user_id)]
    pages = log_pages(request.table, match.history(seat), seat, around)
    last = len(pages) - 1
    await request.response.show(log_layout(request.table, pages, last if page is None else min(page, last)))


@at_table("past", Answer.NEW)
async def show_log_beside(request: TableRequest) -> None:
    """*Log*, under a private board: it leaves that board where it is."""
    await show_log(request)


@at_table("follow", Answer.NEW)
async def follow(request: TableRequest) -> None:
    """*Follow*: mention a spectator at the end of the game."""
    await _follow(request, follows=True)


@at_table("unfollow", Answer.NEW)
async def unfollow(request: TableRequest) -> None:
    """*Unfollow*."""
    await _follow(request, follows=False)


async def _follow(request: TableRequest, *, follows: bool) -> None:
    table, had_predicted = request.table, request.user_id in request.table.predictions
    await request.services.seats.follow(table, request.user_id, follows=follows)
    text = Text("You no longer follow this game of {title}.", title=table.title)
    if had_predicted:
        text = Text("You no longer follow this game of {title}, and your prediction is deleted.", title=table.title)
    if follows:
        following = "You’re following this game of {title}. You’ll be mentioned once, when it’s over."
        text = Text(following, title=table.title)
    await request.response.say(text, *_spectator_buttons(table, request.user_id))


# --- layouts ---


@declare_at_table("blockhere")
def block_people() -> None:
    """*Block a player*: the people of a table, to choose one from."""


def look_layout(
    table: Table, text: str, shown: tuple[str, str], *, due: bool, spectating: Sequence[Control] = ()
) -> Layout:
    """The board for one user, with buttons to the log and others, and those for `spectating`."""
    move = [your_move_button(table)] if due else []
    further = [
        show_log_beside.button(table, Text("Log")),
        show_as_text.button(table, Text("As text")),
        replays.show_beside.button(table, Text("Replay")),
    ]
    return layout(TextDisplay(text), picture(*shown), row(*move, *further, *spectating))


def _spectator_buttons(table: Table, user_id: int) -> list[Control]:
    """*Follow* or *Unfollow*, and *Predict the winner*, for a user without a seat in a running match."""
    if user_id not in table.followers:
        return [follow.button(table, Text("Follow"))]
    return [unfollow.button(table, Text("Unfollow")), *predict_buttons(table, user_id)]


def games_layout(rows: Sequence[tuple[str, str]], threads: Sequence[Text]) -> Layout:
    """The games of a channel, to choose one from, and those of its threads; `rows` are ids and labels."""
    items: list[discord.ui.Item[Any]] = []
    if rows:
        menu = Menu(show_game.id(int(rows[0][0])), tuple(rows), Text("Choose a game to look at"))
        items += [TextDisplay(str(Text("### Games in this channel"))), row(menu)]
    if threads:
        items.append(TextDisplay("\n".join(map(str, (Text("### Games in its threads"), *threads)))))
    return layout(*items)


def log_layout(table: Table, pages: Sequence[str], number: int) -> Layout:
    """A page of the log, with buttons to the others."""
    items: list[discord.ui.Item[Any]] = [TextDisplay(f"### {table.title}\n{pages[number]}")]
    ways = page_controls(partial(show_log.id, table), number, len(pages)) if len(pages) > 1 else []
    if ways:
        items.append(TextDisplay(table.say(Text("-# Page {number} of {pages}", number=number + 1, pages=len(pages)))))
    further = [luck.button(table, Text("Luck")), export.button(table, Text("Export"))]
    if len(table.people) > 1:
        further.append(block_people.button(table, Text("Block a player")))
    return layout(*items, row(*ways, *further))
