"""Calling off a game, by its host or a moderator, and continuing it after a player has left."""

from __future__ import annotations

from bot.features.handlers import Request
from bot.features.lobby.table_message import update_lobby
from bot.features.services import Services
from bot.interactions.controls import ControlId
from bot.interactions.forms import Form
from bot.interactions.responses import together
from bot.posting.board_texts import rated_lines
from bot.store.matches import Status
from bot.store.table_events import MAX_WORDS_LENGTH
from bot.tables.people import escaped, mention
from bot.tables.table import Table
from engine.texts import Text, joined

DONE = Text("Done.")
UNHEARD = Text("Done, but I couldn’t announce it in its channel.")


def reason_form(control: ControlId, table: Table) -> Form:
    """A form for the reason why a game is called off, which is optional."""
    return Form(
        control,
        # Discord: the title of a form has at most 45 characters
        str(Text("End {title}", title=table.title))[:45],
        Text("Why?"),
        most=MAX_WORDS_LENGTH,
        about=Text("Everyone in the channel can read it, and it’s kept with the game."),
        optional=True,
    )


async def call_off(request: Request, table: Table) -> None:
    """End a game for good, and announce it in its channel with the user and the typed reason."""
    services = request.services
    # one line, or the rest would end up outside of the quotation
    words = " ".join(" ".join(request.values).split())[:MAX_WORDS_LENGTH]
    # read first: ending changes the status. An unreadable table has no lobby message to update
    in_lobby = table.row.status is Status.LOBBY and not table.problem
    await services.seats.end(table, by=request.user_id, at=services.clock.now(), words=words)
    request.response.already_done = DONE
    notice = Text("**{title}** was called off by {user}.", title=table.title, user=mention(request.user_id))
    if words:
        notice = Text("{told}\n> {words}", told=notice, words=escaped(words))
    if table.changes:
        notice = joined([notice, _what_counts(table, request.user_id), *rated_lines(table, named=True)], "\n")
    is_announced = await services.channels.announce(table, notice)
    tidying = [update_lobby(services, table)] if in_lobby else []
    await together(request.response.show_text(DONE if is_announced else UNHEARD), *tidying)


def _what_counts(table: Table, user_id: int) -> Text:
    """What counts of a rated game that a user has called off."""
    results = table.facts.results
    if results is not None and any(forfeit.user_id == user_id for forfeit in results.owners.forfeits):
        return Text("-# It was called off by a player who was behind, so it counts as it stood.")
    return Text("-# Those who gave up lose it; all others share first place.")


async def go_on_without(services: Services, table: Table, notice: Text) -> None:
    """Announce the `notice` about a leaving player and continue the game; without any player, close the table."""
    if table.is_open:
        notice = Text("{told}\n-# `/table seats` offers it to somebody else.", told=notice)
    await services.channels.announce(table, notice)
    if table.is_open:
        await services.moves.resume(table)
        await post_people(services, table)
    else:
        notice = Text("Nobody is left at this **{title}** table, so it is closed.", title=table.title)
        text = joined([notice, *rated_lines(table, named=True)], "\n") if table.changes else notice
        await services.channels.announce(table, text)


async def post_people(services: Services, table: Table) -> None:
    """Post the pending board, or update the players on the newest board if none is pending."""
    if table.waiting is not None:
        await services.poster.deliver(table)
    else:
        services.poster.show_people(table)
