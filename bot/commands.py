"""All commands: `/game …`, and a group per game."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import AppCommandContext, AppInstallationType, Choice, Command, Group

from bot.admin import status as operating
from bot.deadlines import pace_and_votes as pace
from bot.dispatcher import Anywhere, Handler, Interaction, TableRequest, suggesting
from bot.errors import UserError
from bot.interactions.responses import Response
from bot.lobby import computer_seats, inviting, new_table, practice, starting, substitutes
from bot.lobby import table_buttons as lobby
from bot.moderation import server_games
from bot.moderation import server_settings as server
from bot.play import hints, undo_buttons, why
from bot.play.move_commands import SUGGESTIONS, move_command, moves_group
from bot.settings import auto_answer_page as auto_answers
from bot.settings import preference_page as preferences
from bot.tables.table import Table
from bot.view import export, my_games, replays, rules, story_pages
from bot.view import games as look
from bot.view.game_layouts import ALL, ROUND
from bot.view.rules_search import LONGEST
from engine.core import GameSpec
from engine.games import discover
from engine.texts import Text, shortened

MOST_MOVES = 999_999
"""No game has so many."""

SERVERS, ANYWHERE = AppInstallationType(guild=True), AppInstallationType(guild=True, user=True)
"""Who installs a command: a server for its members, or also a person for themselves, in all servers."""

HERE_OR_DIRECT = AppCommandContext(guild=True, dm_channel=True)
"""Where a command is used: in a server, or in a direct message with the bot."""

AT_TABLE: tuple[tuple[str, str, Handler], ...] = (
    ("join", "Take a seat at the table of this channel, or come back to yours", substitutes.join),
    ("leave", "Give your seat back; in a running game a computer plays on in it", lobby.leave),
    ("hand", "Look at what only you may see", look.show_hand),
    ("hint", "The best moves you have now, with their chances", hints.hint),
    ("answers", "Let small questions outside your turn be answered for you", auto_answers.show_answers),
    ("substitute", "Offer a computer’s seat to whoever wants to play on", substitutes.offer),
    ("computers", "Choose how well the computers of this table play (host)", computer_seats.show_computers),
    ("pace", "See how much time everybody has for a turn; the host can change it", pace.show_pace),
    ("end", "Call the game of this channel off (host or moderator)", lobby.ask_end),
)
"""Name, description and doing of the commands for the open table of a channel."""

ALSO_OVER: tuple[tuple[str, str, Handler], ...] = (
    ("log", "Read what has happened so far", look.show_log),
    ("export", "Get the game as a text, and once it is over as a file to play on with", export.export),
    ("story", "See how a game went that is over: who was ahead, and what turned it", story_pages.show_story),
)
"""The same for those that look at the last table of a channel, if none is open."""


FOR_MODERATORS: tuple[tuple[str, str, Anywhere], ...] = (
    ("settings", "Where games may run, who may start them, how many at once", server.show_guild_settings),
    ("games", "All games of this server: what is the matter with them, end or unstick them", server_games.list_games),
    ("doctor", "Check whether I may do what I need to do in this server’s channels", server.examine_server),
)
"""The same for those that look after a server."""


def all_commands() -> list[Group | Command[Any, [], None]]:
    """Every command of the bot, games included."""
    settings: Command[Any, [], None] = Command(
        name="settings",
        description="How you like to play, in all servers",
        callback=_settings,
        allowed_installs=ANYWHERE,
    )
    return [
        _game_group(),
        settings,
        _server_group(),
        _admin_group(),
        *(moves_group(spec) for spec in discover().values()),
    ]


def _game_group() -> Group:
    told = "Start a board game in this channel, join it, look at it"
    group = Group(name="game", description=told, allowed_installs=ANYWHERE)  # `/game mine` goes with its user
    group.add_command(Command(name="new", description="Set up a table for a board game in this channel", callback=_new))
    group.add_command(Command(name="invite", description="Call people to the table of this channel", callback=_invite))
    group.add_command(
        Command(name="start", description="Begin the game at the table of this channel, or say when", callback=_start)
    )
    group.add_command(
        Command(name="ready", description="Say that you are ready for the game to begin", callback=_ready)
    )
    group.add_command(move_command())
    group.add_command(Command(name="undo", description="Take back what you chose last", callback=_undo))
    learning = "Learn a game by playing it against computers, with advice at every step"
    group.add_command(Command(name="learn", description=learning, callback=_learn))
    for name, description, handler in AT_TABLE:
        group.add_command(_at_table(name, description, handler))
    for name, description, handler in ALSO_OVER:
        group.add_command(_at_table(name, description, handler, also_over=True))
    board = "See the board as it stands now, as a picture or in words"
    group.add_command(Command(name="board", description=board, callback=_board))
    replay = "See again what has happened, as a moving picture and step by step"
    group.add_command(Command(name="replay", description=replay, callback=_replay))
    group.add_command(
        Command(name="rules", description="Read the rules of a game, or look for a word in them", callback=_rules)
    )
    group.add_command(
        Command(name="list", description="The games of this channel and its threads, also past ones", callback=_list)
    )
    group.add_command(Command(name="mine", description="Your games in all servers, and who is due", callback=_mine))
    group.add_command(Command(name="why", description="Ask why a move is possible or not", callback=_why))
    return group


def _server_group() -> Group:
    """For moderators, and for them only; the bot asks again whether somebody is one."""
    group = Group(
        name="server",
        description="Look after the games of this server",
        default_permissions=discord.Permissions(manage_guild=True),
        guild_only=True,
    )
    for name, description, handler in FOR_MODERATORS:
        group.add_command(_anywhere(name, description, handler))
    return group


def _admin_group() -> Group:
    """For whoever runs the bot. Discord shows it to administrators; the bot asks whose it is."""
    group = Group(
        name="admin",
        description="For whoever runs this bot",
        default_permissions=discord.Permissions(administrator=True),
        guild_only=True,
    )
    group.add_command(_anywhere("status", "How the bot is doing: games, boards, times, workers", operating.show_status))
    return group


def _anywhere(name: str, description: str, handler: Anywhere) -> Command[Group, [], None]:
    async def callback(interaction: Interaction) -> None:
        await interaction.client.dispatcher.anywhere(interaction, handler)

    return Command(name=name, description=description, callback=callback)


def _at_table(name: str, description: str, handler: Handler, *, also_over: bool = False) -> Command[Group, [], None]:
    async def callback(interaction: Interaction) -> None:
        await interaction.client.dispatcher.at_table(interaction, handler, also_over=also_over)

    return Command(name=name, description=description, callback=callback)


async def _settings(interaction: Interaction) -> None:
    await interaction.client.dispatcher.anywhere(interaction, preferences.show_preferences)


async def _new(
    interaction: Interaction,
    game: str,
    where: str = "here",
    invite: discord.User | None = None,
    invite2: discord.User | None = None,
    invite3: discord.User | None = None,
    invite4: discord.User | None = None,
    invite5: discord.User | None = None,
) -> None:
    answer, dispatcher = Response(interaction), interaction.client.dispatcher
    guests = [user.id for user in (invite, invite2, invite3, invite4, invite5) if user and not user.bot]

    async def work() -> None:
        await new_table.new(dispatcher.services, answer, _game_named(game), in_thread=where == "thread", guests=guests)

    await dispatcher.serve(answer, work)


async def _invite(
    interaction: Interaction,
    who: discord.User | None = None,
    who2: discord.User | None = None,
    who3: discord.User | None = None,
    who4: discord.User | None = None,
    who5: discord.User | None = None,
) -> None:
    named = [user for user in (who, who2, who3, who4, who5) if user]

    async def work(request: TableRequest) -> None:
        if named:
            await inviting.invite(request, [str(user.id) for user in named if not user.bot])
        else:
            await inviting.ask_whom(request)

    await interaction.client.dispatcher.at_table(interaction, work)


async def _start(interaction: Interaction, when: str = "now") -> None:
    async def work(request: TableRequest) -> None:
        await (starting.start(request) if when == "now" else starting.choose_way(request, when))

    await interaction.client.dispatcher.at_table(interaction, work)


async def _ready(interaction: Interaction, answer: str = "yes") -> None:
    await interaction.client.dispatcher.at_table(interaction, starting.ready if answer == "yes" else starting.back)


async def _board(interaction: Interaction, as_: str = "picture") -> None:
    handler = look.as_text if as_ == "text" else look.show_board
    await interaction.client.dispatcher.at_table(interaction, handler, also_over=True)


async def _replay(
    interaction: Interaction,
    span: str = "",
    first: app_commands.Range[int, 1, MOST_MOVES] | None = None,
    last: app_commands.Range[int, 1, MOST_MOVES] | None = None,
) -> None:
    asked = f"{first or 1}-{last or MOST_MOVES}" if first or last else span

    async def work(request: TableRequest) -> None:
        await replays.show_span(request, asked)

    await interaction.client.dispatcher.at_table(interaction, work, also_over=True)


async def _list(interaction: Interaction) -> None:
    await interaction.client.dispatcher.anywhere(interaction, look.list_games)


async def _learn(
    interaction: Interaction,
    game: str = "",
    from_file: discord.Attachment | None = None,
    at: app_commands.Range[int, 1] | None = None,
) -> None:
    answer, dispatcher = Response(interaction), interaction.client.dispatcher

    async def work() -> None:
        if from_file is not None:
            await practice.from_file(dispatcher.services, answer, from_file, at)
        else:
            await new_table.learn(dispatcher.services, answer, _game_named(game))

    await dispatcher.serve(answer, work)


async def _rules(
    interaction: Interaction,
    section: str | None = None,
    search: app_commands.Range[str, 1, LONGEST] | None = None,
    game: str | None = None,
) -> None:
    answer, dispatcher = Response(interaction), interaction.client.dispatcher

    async def work() -> None:
        table = await _table_here(interaction)
        spec = _game_named(game) if game else table.spec if table else None
        await rules.tell_rules(answer, rules.book_of(spec, table) if spec else None, section, search)

    await dispatcher.serve(answer, work)


async def _mine(interaction: Interaction) -> None:
    await interaction.client.dispatcher.anywhere(interaction, my_games.list_mine)


async def _undo(interaction: Interaction, redo: bool = False) -> None:
    await interaction.client.dispatcher.at_table(interaction, undo_buttons.redo if redo else undo_buttons.undo)


async def _why(interaction: Interaction, move: str) -> None:
    async def work(request: TableRequest) -> None:
        await why.why(request, move)

    await interaction.client.dispatcher.at_table(interaction, work)


async def _suggest_games(_interaction: Interaction, current: str) -> list[Choice[str]]:
    specs = discover().values()
    return [Choice(name=s.title, value=s.slug) for s in specs if current.casefold() in s.title.casefold()]


@suggesting
async def _suggest_sections(interaction: Interaction, current: str) -> list[Choice[str]]:
    typed = getattr(interaction.namespace, "game", None)
    table = await _table_here(interaction)
    spec = _game_named(typed) if typed else table.spec if table else None
    rows = [(f"{s.number} {s.heading}", s.number) for s in (spec.rulebook.sections.values() if spec else ())]
    found = [Choice(name=name[:100], value=number) for name, number in rows if current.casefold() in name.casefold()]
    return found[:SUGGESTIONS]


@suggesting
async def _suggest_moves(interaction: Interaction, current: str) -> list[Choice[int]]:
    table = await _table_here(interaction)
    return replays.suggested(table, current) if table else []


for _command, _name, _described, _suggest in (
    (_new, "game", "which game", _suggest_games),
    (_learn, "game", "which game", _suggest_games),
    (_rules, "game", "which game; the one played here if left out", _suggest_games),
    (_rules, "section", "a section by its number; the short version if left out", _suggest_sections),
    (_why, "move", "a move as you would type it: what to do, then where", why.suggest),
):
    app_commands.describe(**{_name: _described})(_command)
    app_commands.autocomplete(**{_name: _suggest})(_command)
app_commands.describe(
    from_file="a game to play on against computers, as /game export gives it",
    at="after which move of the file, by its number in the text; its end if left out",
)(_learn)
for _name, _described, _move in (("from", "the first move, by its number", "first"), ("to", "the last one", "last")):
    app_commands.rename(**{_move: _name})(_replay)
    app_commands.describe(**{_move: _described})(_replay)
    app_commands.autocomplete(**{_move: _suggest_moves})(_replay)
app_commands.describe(span="the last round, or all of a game that is over, if left out")(_replay)
app_commands.choices(span=[Choice(name="the last round", value=ROUND), Choice(name="the whole game", value=ALL)])(
    _replay
)
app_commands.rename(as_="as")(_board)
app_commands.describe(as_="a picture if left out")(_board)
app_commands.choices(as_=[Choice(name="picture", value="picture"), Choice(name="text", value="text")])(_board)
app_commands.describe(search="words to look for")(_rules)
app_commands.describe(redo="do once more what you took back")(_undo)
for _calling, _described, _named in (
    (_new, "somebody to call to the table", "invite"),
    (_invite, "somebody to call; leave all out to choose from a menu", "who"),
):
    app_commands.describe(**{f"{_named}{number}": _described for number in ("", 2, 3, 4, 5)})(_calling)
app_commands.describe(where="where it is played; here if left out")(_new)
app_commands.choices(where=[Choice(name="here", value="here"), Choice(name="in a thread of its own", value="thread")])(
    _new
)
app_commands.describe(when="now if left out")(_start)
app_commands.choices(
    when=[
        Choice(name="now", value="now"),
        Choice(name="as soon as the table is full", value="full"),
        Choice(name="only when somebody presses Start", value="pressed"),
        Choice(name="after everybody was asked whether he is ready", value="asked"),
        Choice(name="without asking", value="unasked"),
    ]
)(_start)
app_commands.describe(answer="yes if left out; only the host can say not yet")(_ready)
app_commands.choices(answer=[Choice(name="yes", value="yes"), Choice(name="not yet: back to the table", value="back")])(
    _ready
)


def _game_named(name: str) -> GameSpec:
    """A game by its slug or title. Raises `UserError`, naming those there are."""
    specs = discover().values()
    found = next((spec for spec in specs if name.strip().casefold() in (spec.slug, spec.title.casefold())), None)
    if found is None:
        titles = tuple(spec.title for spec in specs)
        if not name:
            raise UserError(Text("Which game? I play {titles}.", titles=titles))
        raise UserError(Text("I do not know “{name}”. I play {titles}.", name=shortened(name), titles=titles))
    return found


async def _table_here(interaction: Interaction) -> Table | None:
    """The table in the channel, or the last one where a game was played there."""
    with suppress(UserError):
        table: Table = await interaction.client.services.tables.shown_at(interaction.channel_id or 0)
        return table
    return None
