"""How a game begins: at once, when the table is full, or when everybody has said that they are ready."""

from __future__ import annotations

from bot.customs.places import require_role
from bot.errors import Declined
from bot.interactions.parts import calling
from bot.lobby.allowed import require_beginning
from bot.lobby.showing import BEGUN, changed, require_host, show_lobby
from bot.reception import Handler, Visit
from bot.tables.people import mention
from engine.errors import EngineError
from engine.texts import Text, joined

ASKED = Text("Everybody is asked whether he is ready.")

WAYS: dict[str, dict[str, bool | None]] = {
    "full": {"when_full": True},
    "pressed": {"when_full": False},
    "asked": {"ready_check": True, "ready": None},
    "unasked": {"ready_check": False, "ready": None},
}
"""How a table may begin -> the columns that say so."""


async def start(visit: Visit) -> None:
    """*Start*, for somebody who sits here; where everybody is asked first, they are ready by this."""
    visit.table.seated(visit.user_id)
    require_role(visit.answer.interaction, await visit.court.servers.customs(visit.table.row.guild_id))
    await begin(visit)


async def begin(visit: Visit) -> None:
    """Deal, close the lobby and post the first board; or first ask everybody who has not said that they are ready."""
    table, court = visit.table, visit.court
    await require_beginning(court, visit.answer.interaction)
    if table.asks_ready:
        asks = await court.lobbies.note_ready(table, visit.user_id, asked=False)
        if table.unready:
            await (_ask(visit) if asks else changed(visit, _missing(visit)))
            return
    await court.moves.start(table)
    await changed(visit, BEGUN, court.poster.deliver(table))


async def came(visit: Visit, text: Text) -> None:
    """Somebody has taken a seat: if it was the last one, and the host wanted it so, the game begins."""
    if not (visit.table.row.when_full and visit.table.is_full):
        await changed(visit, text)
        return
    visit.answer.kept = text
    try:
        await begin(visit)
    except (Declined, EngineError) as refused:
        await changed(visit, text)
        await visit.answer.say(refused.text)


async def _ask(visit: Visit) -> None:
    """Show the table anew, further down, and call whoever has to say that they are ready."""
    await show_lobby(visit.court, visit.answer, visit.table, ASKED, calling(visit.table.unready))


async def ready(visit: Visit) -> None:
    """*Ready*: with the last one the game begins."""
    await visit.court.lobbies.note_ready(visit.table, visit.user_id, asked=True)
    await begin(visit)


def _missing(visit: Visit) -> Text:
    people = tuple(Text("{user}", user=mention(user_id)) for user_id in visit.table.unready)
    return Text("You are ready. Still to come: {people}.", people=people)


async def back(visit: Visit) -> None:
    """*Not yet*: the host lets the table stand as it was before everybody was asked."""
    require_host(visit)
    await visit.court.lobbies.keep(visit.table, ready=None)
    await changed(visit, Text("Nobody is asked any more."))


async def toggle_full(visit: Visit) -> None:
    """*Start when full*: the host wants it, or does not any more."""
    await choose_way(visit, "pressed" if visit.table.row.when_full else "full")


async def choose_way(visit: Visit, way: str) -> None:
    """The host says how the game is to begin. Raises `Declined` where it cannot be so."""
    require_host(visit)
    if way == "full" and visit.table.is_full:
        raise Declined(Text("The table is full already: press **Start**."))
    if way == "unasked" and visit.table.spec.hands:
        raise Declined(Text("In {title} secrets are dealt, so everybody is asked first.", title=visit.table.title))
    await visit.court.lobbies.keep(visit.table, **WAYS[way])
    await changed(visit, joined([Text("Done."), *how_it_begins(visit)]))


def how_it_begins(visit: Visit) -> list[Text]:
    """What will happen before the game begins."""
    row = visit.table.row
    full = Text("The game starts when the table is full.") if row.when_full else Text("It starts when you press Start.")
    asked = [Text("Everybody is asked first.")] if row.ready_check or visit.table.spec.hands else []
    return [full, *asked]


HANDLERS: dict[str, Handler] = {"start": start, "ready": ready, "notyet": back, "full": toggle_full}
"""What the controls of the lobby do that let a game begin."""
