"""Reading the rules: at a table, where none is, and long after a restart."""

from __future__ import annotations

from bot.errors import Declined
from bot.interactions.answers import Answer
from bot.interactions.controls import ControlId
from bot.interactions.forms import Form
from bot.look.book import Book, Place
from bot.look.pages import found_layout, games_layout, page_layout
from bot.look.search import LONGEST, find, plain
from bot.reception import Anywhere, Errand, Handler, Visit
from bot.tables.table import Table
from engine.core import GameSpec
from engine.games import discover
from engine.texts import Text


def book_of(spec: GameSpec, table: Table | None) -> Book:
    """The rules of a game, as they are played at a table if it is one of that game."""
    return Book(spec, table if table and table.game is spec and not table.problem else None)


async def tell_rules(answer: Answer, book: Book | None, section: str | None, search: str | None) -> None:
    """A section of the rules, what is found in them, or the game in short; without a book, which ones there are."""
    if book is None:
        await answer.show(games_layout(discover().values(), answer.in_words))
    elif search:
        await _show_found(answer, book, search)
    else:
        await _show_page(answer, book, Place(book.spec.slug, section or "1"))


async def leafed(errand: Errand) -> None:
    """*Rules*, a way to another page, or a row of a menu."""
    place = Place.of(errand.values[0] if errand.values else errand.control.text)
    await _show_page(errand.answer, await _book(errand, place), place)


async def asked_for(errand: Errand) -> None:
    """*Search*: a form for the words."""
    book = await _book(errand, Place.of(errand.control.text))
    say = errand.answer.in_words
    title = say(Text("Rules of {title}", title=book.spec.title))
    control = ControlId("found", book.match_id, text=book.spec.slug)
    hint = Text("one word or several")
    await errand.answer.ask(Form(control, title, say(Text("What are you looking for?")), most=LONGEST, hint=say(hint)))


async def searched(errand: Errand) -> None:
    """The form was sent, or somebody comes back to what was found."""
    place = Place.of(errand.control.text)
    await _show_found(errand.answer, await _book(errand, place), errand.values[0] if errand.values else place.words)


async def open_rule(visit: Visit) -> None:
    """The section that a refusal points to."""
    table = visit.table
    await _show_page(visit.answer, book_of(table.spec, table), Place(table.spec.slug, visit.control.text))


async def _book(errand: Errand, place: Place) -> Book:
    """The rules a control belongs to. Raises `Declined` for a game that is not known; ids come from outside."""
    table = await _table(errand)
    spec = discover().get(place.game) if place.game else table.game if table else None
    if spec is None:
        raise Declined(Text("I do not know this game any more."))
    return book_of(spec, table)


async def _table(errand: Errand) -> Table | None:
    """The table of a control, if it is one of this channel."""
    match_id = errand.control.match
    table = await errand.court.tables.find(match_id) if match_id else None
    return table if table and table.row.channel_id == errand.answer.interaction.channel_id else None


async def _show_page(answer: Answer, book: Book, place: Place) -> None:
    await answer.show(page_layout(book, Place(book.spec.slug, place.section, place.page, place.words), answer.in_words))


async def _show_found(answer: Answer, book: Book, words: str) -> None:
    found = find(book.spec.rulebook, words)
    await answer.show(found_layout(book, plain(words), found, answer.in_words))


HANDLERS: dict[str, Handler] = {"rule": open_rule}
"""What the controls of the rules do that belong to a table."""

ANYWHERE: dict[str, Anywhere] = {"rules": leafed, "search": asked_for, "found": searched}
"""What those do that need no table."""

APART = frozenset({"rule"})
"""A refusal stays where it is, beside the rule it points to."""
