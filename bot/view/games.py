"""Looking at a table: what somebody may see of it, whether it is played or over."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from bot.dispatcher import Answer, Request, TableRequest, at_table, channel_of
from bot.errors import UserError
from bot.interactions.controls import MENU_ROWS, id_in
from bot.interactions.parts import words_layout
from bot.posting.board_texts import changes_of_hands, due_text, log_pages, played_for, recap, story, table_events_of
from bot.posting.pictures import describe
from bot.store.matches import InThread, Past, Status
from bot.store.shard_range import NO_SERVER
from bot.tables.people import mention
from bot.tables.table import Table
from bot.view.contrast import draw_for
from bot.view.game_layouts import follow_control, games_layout, log_layout, look_layout
from engine.games import discover
from engine.texts import Text, term


async def show_board(request: TableRequest) -> None:
    """The board as this user may see it, for this user only, with what has happened since they last looked.

    One that waits to be posted gets another try.
    """
    table = request.table
    # read first: `seeing` notes that they have seen all of it
    since, seat = _seen(table, request.user_id), table.seat_of(request.user_id)
    if seat is None or table.row.status is not Status.RUNNING:
        await _show(request, table, since)
        return
    async with request.services.seats.seeing(table, seat):
        await _show(request, table, since)
    if table.waiting is not None:
        with suppress(UserError):
            await request.services.poster.deliver(table)


async def show_to_newcomer(request: TableRequest, note: Text) -> None:
    """The board for somebody who has just sat down, with the last things that have happened since they were away."""
    table, seat = request.table, request.table.seated(request.user_id)
    request = replace(request, response=request.response.at(table))
    since = max((sat.until for sat in table.row.before if sat.holder.user_id == request.user_id), default=0)
    news = story(table, table.shown().history(seat, since=since), seat)
    async with request.services.seats.seeing(table, seat):
        await _show_board(request, table, "\n".join(filter(None, (table.say(note, seat), news))), since)


def _seen(table: Table, user_id: int) -> int:
    """The version up to which a user knows a match; nothing is news to onlookers, nor once it is over."""
    seat, match = table.seat_of(user_id), table.shown()
    return match.version if seat is None or table.row.status is not Status.RUNNING else table.seen_by(seat)


async def _show(request: TableRequest, table: Table, since: int) -> None:
    match, seat = table.shown(), table.seat_of(request.user_id)
    news = ""
    if seat is not None:
        news = recap(table, seat, match.history(seat, since=since), match.answered_for(seat, since=since))
    await _show_board(request, table, news, since)


async def _show_board(request: TableRequest, table: Table, news: str, since: int) -> None:
    """The board below what has happened since a version, and who is due."""
    match, seat = table.shown(), table.seat_of(request.user_id)
    # where nothing is new, the picture marks what was done last, which is the default of `view`
    view = match.view(seat, since=since if since < match.version else None)
    drawn = await draw_for(request.services, request.user_id, table, view)
    running = table.row.status is Status.RUNNING
    text = table.say(due_text(table) if match.outcome else table.due_sentence(), seat)
    words = "\n".join(filter(None, (news, text)))
    follows = request.user_id in table.followers if running and seat is None else None
    due = running and seat in view.due
    layout = look_layout(table, words, (drawn.filename, drawn.alt), due=due, follows=follows)
    await request.response.show(layout, [drawn.file()])


THREADS = 15
"""Threads of a channel that are listed."""


async def list_games(request: Request) -> None:
    """The games of this channel, those that are over too, and those of its threads."""
    interaction, matches = request.response.interaction, request.services.store.matches
    channel_id, guild_id = channel_of(interaction), interaction.guild_id or NO_SERVER
    past = await matches.past_of(channel_id, MENU_ROWS)
    threads = [_in_thread(guild_id, game) for game in await matches.in_threads_of(channel_id, THREADS)]
    if not past and not threads:
        await request.services.tables.at(channel_id)  # where nobody gathers either, it says how to begin
        raise UserError(Text("No game has begun in this channel yet."))
    rows = [(str(game.id), str(_listed(game))) for game in past]
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
    return Text(
        "[{title}]({link}), hosted by {host}, {state}",
        title=_title(game.game),
        link=link,
        host=mention(game.host_id),
        state=STATES[game.status],
    )


def _title(game: str) -> Text:
    spec = discover().get(game)
    return spec.name if spec else term(game)


def _listed(game: Past) -> Text:
    return Text(
        "{title}, {state}{since}",
        title=_title(game.game),
        state=STATES[game.status],
        since=Text(" – last move on {day}", day=game.at.date()) if game.at else "",
    )


async def show_game(request: TableRequest) -> None:
    """A game of this channel was chosen from the list."""
    # the menu carries the id of one game, which stands for the channel; the value is the game that was chosen
    match_id = id_in(request.value)
    table = None if match_id is None else await request.services.tables.find(match_id)
    if table is None or table.row.channel_id != request.table.row.channel_id:
        raise UserError(Text("I can’t find that game here anymore."))
    # the answer is worded with the names of the game that was chosen, not of the one in the id
    request = replace(request, response=request.response.at(table))
    await _show(request, table, _seen(table, request.user_id))


async def as_text(request: TableRequest) -> None:
    """The long text description of the position, as this user may know it."""
    match = request.table.shown()
    await request.response.show(
        words_layout(describe(match.view(request.table.seat_of(request.user_id)), request.table.names))
    )


async def show_hand(request: TableRequest) -> None:
    """The board with what only this user may see."""
    request.table.seated(request.user_id)
    if not request.table.spec.hands:
        raise UserError(Text("Nothing is hidden in {title}: everyone sees the same board.", title=request.table.title))
    await show_board(request)


async def show_log(request: TableRequest) -> None:
    """What has happened as this user has heard it: the page that was asked for, else the last one."""
    match, asked = request.table.shown(), request.control.text
    seat = request.table.seat_of(request.user_id)
    events = await request.services.store.table_events.of(request.table.id)
    lines = [*changes_of_hands(request.table), *played_for(request.table)]
    around = [*lines, *table_events_of(request.table, events, request.user_id)]
    pages = log_pages(request.table, match.history(seat), seat, around)
    last = len(pages) - 1
    await request.response.show(log_layout(request.table, pages, min(int(asked), last) if asked.isdecimal() else last))


async def follow(request: TableRequest) -> None:
    """*Follow*: somebody who does not play wants to be called at the end; or *Unfollow*."""
    table, follows = request.table, request.control.kind == "follow"
    await request.services.seats.follow(table, request.user_id, follows=follows)
    text = Text("You no longer follow this game of {title}.", title=table.title)
    if follows:
        text = Text("You follow this game of {title}: you’ll be mentioned once, when it’s over.", title=table.title)
    await request.response.say(text, follow_control(table, follows=follows))


TAPS = {
    "text": at_table(as_text),
    "hand": at_table(show_hand),
    "log": at_table(show_log),
    "past": at_table(show_log, Answer.NEW),
    "game": at_table(show_game),
    "follow": at_table(follow, Answer.NEW),
    "unfollow": at_table(follow, Answer.NEW),
}
"""The log under a board that somebody looks at privately leaves that board where it is; to follow it does so, too."""
