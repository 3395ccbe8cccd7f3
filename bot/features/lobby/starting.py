"""How a game begins: at once, when the table is full, or when everybody has said that they are ready."""

from __future__ import annotations

from discord import app_commands
from discord.app_commands import Choice

from bot.errors import UserError
from bot.features import groups
from bot.features.groups import game
from bot.features.handlers import Answer, TableRequest, at_table
from bot.features.lobby import lobby_layouts
from bot.features.lobby.allowed import require_beginning
from bot.features.lobby.table_message import BEGUN, changed, require_host, show_lobby
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
    request.table.seated(request.user_id)
    guild_settings = await request.services.servers.guild_settings(request.table.row.guild_id)
    # not in `begin`: those who say that they are ready, or take the last seat, may be anyone (`/server settings`)
    require_role(request.response.interaction, guild_settings)
    await begin(request)


async def begin(request: TableRequest) -> None:
    """Deal, close the lobby and post the first board; or first ask all players without a *Ready*."""
    table, services = request.table, request.services
    await require_beginning(services, request.response.interaction)
    # a block may have come after they sat down, from another process
    await require_peace(services.store, table)
    if table.asks_ready:
        asks = await services.lobbies.note_ready(table, request.user_id, asked=False)
        if table.unready and asks:
            # in a new message: Discord does not notify on edits
            await show_lobby(services, request.response, table, ASKED, calling(table.unready))
            return
        if table.unready:
            people = tuple(map(mention, table.unready))
            await changed(request, Text("You’re ready. Waiting for {people}.", people=people))
            return
    await services.moves.start(table, request.response.interaction.id)
    await changed(request, BEGUN, services.poster.deliver(table))


async def came(request: TableRequest, text: Text) -> None:
    """Somebody has taken a seat: if it was the last one, and the host wanted it so, the game begins."""
    if not (request.table.row.when_full and request.table.is_full):
        await changed(request, text)
        return
    # the seat is theirs, also if the game cannot begin
    request.response.already_done = text
    try:
        await begin(request)
    except (UserError, EngineError) as refused:
        await changed(request, text)
        await request.response.say(refused.text)


@at_table(lobby_layouts.ready, Answer.IN_PLACE)
async def ready(request: TableRequest) -> None:
    """*Ready*: with the last one the game begins."""
    await request.services.lobbies.note_ready(request.table, request.user_id, asked=True)
    await begin(request)


@at_table("notyet", Answer.IN_PLACE)
async def back(request: TableRequest) -> None:
    """*Not yet*: the host leaves the table as it was before everyone was asked."""
    require_host(request)
    await request.services.lobbies.keep(request.table, ready=None)
    await changed(request, Text("The ready check is canceled."))


@game.command("ready", "Say that you’re ready to start")
@app_commands.describe(answer="by default yes; only the host can say not yet")
@app_commands.choices(answer=[Choice(name="yes", value="yes"), Choice(name="not yet: back to the table", value="back")])
async def answer_check(request: TableRequest, answer: str = "yes") -> None:
    """The answer to the ready check that was typed."""
    await (ready(request) if answer == "yes" else back(request))
