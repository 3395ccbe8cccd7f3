"""Reading the rules: at a table, where none is, and long after a restart."""

from __future__ import annotations

from bot.dispatcher import Answer, Request, TableRequest, anywhere, at_table
from bot.errors import UserError
from bot.interactions.controls import ControlId
from bot.interactions.forms import Form
from bot.interactions.responses import Response
from bot.tables.table import Table
from bot.view.rules_book import Book, RulesPlace
from bot.view.rules_layouts import found_layout, games_layout, page_layout
from bot.view.rules_search import LONGEST, find, plain
from engine.core import GameSpec
from engine.games import discover
from engine.texts import Text


def book_of(spec: GameSpec, table: Table | None) -> Book:
    """The rules of a game, as they are played at a table if it is one of that game."""
    return Book(spec, table if table and table.game is spec and not table.problem else None)


async def show_rules(response: Response, book: Book | None, section: str | None, search: str | None) -> None:
    """A section of the rules, what is found in them, or the game in short; without a book, which ones there are."""
    if book is None:
        await response.show(games_layout(discover().values(), response.in_words))
    elif search:
        await _show_found(response, book, search)
    else:
        await _show_page(response, book, RulesPlace(book.spec.slug, section or "1"))


async def page_chosen(request: Request) -> None:
    """*Rules*, a way to another page, or a row of a menu."""
    place = RulesPlace.of(request.values[0] if request.values else request.control.text)
    await _show_page(request.response, await _book(request, place), place)


async def search_opened(request: Request) -> None:
    """*Search*: a form for the words."""
    book = await _book(request, RulesPlace.of(request.control.text))
    say = request.response.in_words
    title = say(Text("Rules of {title}", title=book.spec.name))
    control = ControlId("found", book.match_id, text=book.spec.slug)
    hint = Text("one or more words")
    await request.response.ask(
        Form(control, title, say(Text("What are you looking for?")), most=LONGEST, hint=say(hint))
    )


async def searched(request: Request) -> None:
    """The form was sent, or somebody comes back to what was found."""
    place = RulesPlace.of(request.control.text)
    await _show_found(
        request.response, await _book(request, place), request.values[0] if request.values else place.words
    )


async def open_rule(request: TableRequest) -> None:
    """The section that a refusal points to."""
    table = request.table
    await _show_page(request.response, book_of(table.spec, table), RulesPlace(table.spec.slug, request.control.text))


async def _book(request: Request, place: RulesPlace) -> Book:
    """The rules a control belongs to. Raises `UserError` for a game that is not known; ids come from outside."""
    match_id = request.control.match
    table = await request.services.tables.find(match_id) if match_id else None
    if table is not None and table.row.channel_id != request.response.interaction.channel_id:
        table = None
    # the *Rules* under a board carry no game: it is that of their table
    spec = discover().get(place.game) if place.game else table.game if table else None
    if spec is None:
        raise UserError(Text("I can’t find that game anymore."))
    return book_of(spec, table)


async def _show_page(response: Response, book: Book, place: RulesPlace) -> None:
    await response.show(
        page_layout(book, RulesPlace(book.spec.slug, place.section, place.page, place.words), response.in_words)
    )


async def _show_found(response: Response, book: Book, words: str) -> None:
    found = find(book, words)
    await response.show(found_layout(book, plain(words), found, response.in_words))


TAPS = {
    "rule": at_table(open_rule, Answer.NEW),
    "rules": anywhere(page_chosen),
    "search": anywhere(search_opened),
    "found": anywhere(searched),
}
"""A refusal stays where it is, beside the rule it points to."""
