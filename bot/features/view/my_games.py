"""The games of a user in all servers: their own turns, and the players whom the other games wait for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial

from discord.utils import format_dt, snowflake_time

from bot.errors import GameFault, UserError
from bot.features.groups import me
from bot.features.handlers import Answer, Request, anywhere
from bot.features.services import Services
from bot.interactions.parts import words_layout
from bot.store.matches import Played, Status
from bot.store.shard_range import NO_SERVER
from bot.tables.faults import FAULT_TEXT, guarding, run_guarded
from bot.tables.preferences import Preferences, preferences_of
from bot.tables.table import Table
from bot.tables.upcoming import next_turn_text
from engine.core import Decision
from engine.texts import Seat, Text
from engine.values import Value

MAX_LOADED = 25
"""Games that are looked at, each replayed from its log if it must be; the others are only counted."""

MAX_LIST_CHARS = 3900
"""Characters of a list; a message holds a hundred more."""

NOBODYS = datetime.max.replace(tzinfo=UTC)
"""The time of a stopped game: it is listed last."""


class _Game(Value):
    """A game from the seat of a user: the pending decisions, the time of the oldest one, the user's next turn, and a
    fault of its code.
    """

    table: Table
    seat: Seat
    decisions: tuple[Decision, ...]
    since: datetime | None
    upcoming: Text | None = None
    fault: Text | None = None

    @property
    def is_due(self) -> bool:
        return any(decision.seat == self.seat for decision in self.decisions)


class Mine(Value):
    """The games of a user, longest waiting first, and the number of games that were not loaded."""

    games: Sequence[_Game]
    unseen: int

    @property
    def due(self) -> int:
        """The number of games that wait for the user."""
        return sum(game.is_due for game in self.games)

    def in_words(self, room: int) -> str:
        """The list, own turns first, cut to `room` characters."""
        mine, others = ([game for game in self.games if game.is_due is due] for due in (True, False))
        entries = [*_section(Text("### Your move"), mine), *_section(Text("### Waiting for others"), others)]
        shown_entries = list(that_fit(entries, room))
        more = len(entries) - len(shown_entries) + self.unseen
        rest = [str(Text("-# … and {more} more {more:game|games}", more=more))] if more else []
        return "\n".join((*shown_entries, *rest))


@me.command("games", "Your games in all servers, and whose turn it is")
@anywhere("mygames", Answer.NEW)
async def list_mine(request: Request, number: int = 0) -> None:
    """The games of this user: those that wait for them first, and among them the one that has waited longest.

    `number` only tells the buttons of several messages apart.
    """
    mine = await games_of(request.services, request.user_id)
    if not mine.games:
        raise UserError(Text("You’re not in any game at the moment. Set up a table with `/table new`."))
    await request.response.show(words_layout(mine.in_words(MAX_LIST_CHARS)))


async def games_of(services: Services, user_id: int, *, without: Callable[[int], bool] = lambda _: False) -> Mine:
    """The games that a user plays, as they stand now, `without` those of some servers."""
    played = [game for game in await services.store.matches.played_by(user_id) if not without(game.guild_id)]
    # those last whose newest board calls others only: to look at all tables would mean to replay each from its log
    likely = sorted(played, key=lambda game: game.due is not None and game.seat not in game.due)[:MAX_LOADED]
    preferences = await preferences_of(services.store.settings, user_id)
    current = [await _game(services, game, user_id, preferences) for game in likely]
    games = sorted((game for game in current if game), key=lambda game: game.since or NOBODYS)
    return Mine(games, len(played) - len(likely))


async def _game(services: Services, played: Played, user_id: int, preferences: Preferences) -> _Game | None:
    """A game as it stands now; nothing if its end, or another player, has come meanwhile."""
    table = await services.tables.find(played.id)
    seat = table.seat_of(user_id) if table else None
    if table is None or seat is None or table.row.status is not Status.RUNNING:
        return None
    if table.match is None:
        return _Game(table, seat, (), None)
    try:
        with guarding(table):
            return await _current(services, table, seat, preferences)
    except GameFault:
        return _Game(table, seat, (), None, fault=FAULT_TEXT)


async def _current(services: Services, table: Table, seat: Seat, preferences: Preferences) -> _Game:
    decisions = table.require_match().state.decisions()
    mine = [decision for decision in decisions if decision.seat == seat]
    since = await waiting_since(services, table, mine or decisions)
    if mine:
        return _Game(table, seat, decisions, since)
    upcoming = await next_turn_text(services.store.log, table, seat, preferences, services.clock.now())
    return _Game(table, seat, decisions, since, upcoming)


async def waiting_since(services: Services, table: Table, decisions: Iterable[Decision]) -> datetime | None:
    """When the first of some decisions was asked; for one from the beginning, when its board was posted."""
    match, board = table.require_match(), _board(table)
    version = min(match.decision_version(decision.seat) for decision in decisions)
    # the entry before its version asked for it; the first board has its time in its id
    at = await services.store.log.written_at(table.id, version - 1)
    return at or (snowflake_time(board) if board else None)


def _section(heading: Text, games: Iterable[_Game]) -> Iterator[str]:
    """The words about each game; those of the first one are below a heading."""
    for n, game in enumerate(games):
        yield _entry(game) if n else f"{heading}\n{_entry(game)}"


def that_fit(pieces: Iterable[str], room: int) -> Iterator[str]:
    """The first parts of a message, each followed by a line break, that fit into `room` characters."""
    for piece in pieces:
        room -= len(piece) + 1
        if room < 0:
            return
        yield piece


def _entry(game: _Game) -> str:
    """A game in two lines: which one and with whom, then what its player is asked, or who else is, since when."""
    return run_guarded(game.table, partial(_lines, game), partial(faulty_line, game.table))


def faulty_line(table: Table, _: GameFault) -> str:
    """A line of a list for a game whose code fails."""
    return str(Text("**[{title}]({link})**: {problem}", title=table.title, link=link_to(table), problem=FAULT_TEXT))


def _lines(game: _Game) -> str:
    table = game.table
    others = tuple(Seat(n) for n in range(len(table.row.holders)) if n != game.seat)
    line = Text("**[{title}]({link})** with {others}", title=table.title, link=link_to(table), others=others)
    waiting = Text("Waiting for {others}", others=tuple(decision.seat for decision in game.decisions))
    mine = next((decision.prompt for decision in game.decisions if decision.seat == game.seat), waiting)
    since = Text(" · {when}", when=format_dt(game.since, "R")) if game.since else Text("")
    upcoming = Text(" · {upcoming}", upcoming=game.upcoming) if game.upcoming else Text("")
    state = Text("{asked}{since}{upcoming}", asked=table.problem or game.fault or mine, since=since, upcoming=upcoming)
    return "\n".join((table.say(line), table.say(state, game.seat)))


def link_to(table: Table, message_id: int | None = None) -> str:
    """The address of a message, by default the newest board; without one, of its channel."""
    row = table.row
    address = f"https://discord.com/channels/{row.guild_id if row.guild_id != NO_SERVER else '@me'}/{row.channel_id}"
    return f"{address}/{target}" if (target := message_id or _board(table)) else address


def _board(table: Table) -> int | None:
    """The message of the newest board."""
    return table.board.message_id if table.board else None
