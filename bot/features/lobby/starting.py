"""The start of a game: at once, with the last seat, or after a ready check."""

from __future__ import annotations

from discord import app_commands
from discord.app_commands import Choice

from bot.errors import UserError
from bot.features import groups
from bot.features.groups import game
from bot.features.handlers import Answer, TableRequest, at_table
from bot.features.lobby import lobby_layouts
from bot.features.lobby.allowed import require_beginning
from bot.features.lobby.table_message import BEGUN, require_host, show_changed, show_lobby
from bot.interactions.parts import calling
from bot.interactions.places import require_role
from bot.tables.company import require_peace
from bot.tables.people import mention
from engine.errors import EngineError
from engine.texts import Text

ASKED = Text("Asking everyone whether they’re ready.")


@groups.table.command("start", "Start the game at the table in this channel")
@at_table(lobby_layouts.start, Answer.IN_PLACE)
async def start(request: TableRequest) -> None:
    """*Start*, for a seated player; in a ready check, it also counts as *Ready*."""
    request.table.require_seat(request.user_id)
    guild_settings = await request.services.servers.guild_settings(request.table.row.guild_id)
    # not in `begin`: the role is not required for *Ready* and for the last seat (`/server settings`)
    require_role(request.response.interaction, guild_settings)
    await begin(request)


async def begin(request: TableRequest) -> None:
    """Deal, close the lobby and post the first board; or first ask all players without a *Ready*."""
    table, services = request.table, request.services
    await require_beginning(services, request.response.interaction)
    # another process may have stored a block after the players sat down
    await require_peace(services.store, table)
    if table.asks_ready:
        asks = await services.lobbies.note_ready(table, request.user_id, asked=False)
        if table.unready and asks:
            # in a new message: Discord does not notify on edits
            await show_lobby(services, request.response, table, ASKED, calling(table.unready))
            return
        if table.unready:
            people = tuple(map(mention, table.unready))
            await show_changed(request, Text("You’re ready. Waiting for {people}.", people=people))
            return
    await services.moves.start(table, request.response.interaction.id)
    await show_changed(request, BEGUN, services.poster.deliver(table))


async def came(request: TableRequest, text: Text) -> None:
    """Show the table after a new player or computer sat down, or start the game if it starts with its last seat."""
    if not (request.table.row.when_full and request.table.is_full):
        await show_changed(request, text)
        return
    # they keep the seat even if the game cannot begin
    request.response.already_done = text
    try:
        await begin(request)
    except (UserError, EngineError) as refused:
        await show_changed(request, text)
        await request.response.say(refused.text)


@at_table(lobby_layouts.ready, Answer.IN_PLACE)
async def ready(request: TableRequest) -> None:
    """*Ready*: record the player's answer; the last one starts the game."""
    await request.services.lobbies.note_ready(request.table, request.user_id, asked=True)
    await begin(request)


@at_table("notyet", Answer.IN_PLACE)
async def back(request: TableRequest) -> None:
    """*Not yet*: the host cancels the ready check."""
    require_host(request)
    await request.services.lobbies.keep(request.table, ready=None)
    await show_changed(request, Text("The ready check is canceled."))


@game.command("ready", "Say that you are ready to start")
@app_commands.describe(answer="by default yes; only the host can say not yet")
@app_commands.choices(answer=[Choice(name="yes", value="yes"), Choice(name="not yet: back to the table", value="back")])
async def answer_check(request: TableRequest, answer: str = "yes") -> None:
    """The typed answer to a ready check."""
    await (ready(request) if answer == "yes" else back(request))
