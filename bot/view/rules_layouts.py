"""The rules, message by message: a page of a section, what a search has found, and which games there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from discord.ui import ActionRow, TextDisplay

from bot.interactions.controls import MENU_ROWS, Control, ControlId, Menu
from bot.interactions.parts import PRIMARY, Layout, Wording, layout, row
from bot.view.rules_book import Book, RulesPlace
from bot.view.rules_search import excerpt
from engine.core import GameSpec
from engine.rulebook import Section
from engine.texts import Text


def page_layout(book: Book, place: RulesPlace, say: Wording) -> Layout:
    """A page of a section, with menus of all others and buttons to leaf and to search."""
    pages = book.pages(place.section)
    place = place.to(place.section, min(place.page, len(pages) - 1))
    lines = [say(Text("-# {heading}", heading=book.heading())), pages[place.page].rstrip()]
    if len(pages) > 1:
        lines.append(say(Text("-# Page {number} of {pages}", number=place.page + 1, pages=len(pages))))
    chapter = str(place.to(place.section.partition(".")[0]))
    menus = [_chapters(book, place, say, chosen=chapter), *_parts(book, place, say)]
    return layout(TextDisplay("\n".join(lines)), *menus, row(*_ways(book, place, say)))


def _ways(book: Book, place: RulesPlace, say: Wording) -> Iterator[Control]:
    """To the pages before and after, to a search, and back to what one has found."""
    for label, there in ((Text("Previous"), book.before(place)), (Text("Next"), book.after(place))):
        # Discord wants an id of every button, also of one that leads nowhere
        yield Control(_id(book, "rules", str(there or place)), say(label), disabled=there is None)
    yield _search(book, say)
    if place.words:
        back = Text("Back to “{words}”", words=place.words)
        yield Control(_id(book, "found", str(RulesPlace(place.game, words=place.words))), say(back))


def _search(book: Book, say: Wording) -> Control:
    return Control(_id(book, "search", book.spec.slug), say(Text("Search")))


def _id(book: Book, kind: str, text: str, number: int = 0) -> ControlId:
    return ControlId(kind, book.match_id, number, text)


def _chapters(book: Book, place: RulesPlace, say: Wording, *, chosen: str = "") -> ActionRow[Any]:
    """A menu of the sections that lie in no other one."""
    rows = [(place.to(section.number), book.name(section)) for section in book.chapters]
    return _menu(book, 0, rows, say, Text("All sections"), chosen)


def _parts(book: Book, place: RulesPlace, say: Wording) -> Iterator[ActionRow[Any]]:
    """A menu of what lies in the chosen section, if anything does."""
    chapter, *parts = book.within(place.section.partition(".")[0])
    if parts:
        rows = [(place.to(section.number), book.name(section)) for section in parts]
        whole = (place.to(chapter.number), Text("All of {section}", section=book.name(chapter)))
        yield _menu(book, 1, [whole, *rows], say, Text("In this section"), str(place.to(place.section)))


def _menu(
    book: Book, number: int, rows: Sequence[tuple[RulesPlace, Text]], say: Wording, asked: Text, chosen: str = ""
) -> ActionRow[Any]:
    options = tuple((str(place), say(text)) for place, text in rows)
    # with a number: Discord refuses a message in which two controls have the same id
    return row(Menu(_id(book, "rules", "", number), options, say(asked), chosen=chosen))


def found_layout(book: Book, words: str, found: Sequence[Section], say: Wording) -> Layout:
    """What a search has found: what the best section says, and the others in a menu."""
    place = RulesPlace(book.spec.slug, words=words)
    lines = [say(Text("-# {heading}", heading=book.heading())), say(_how_many(book, words, found))]
    ways, menus = [_search(book, say)], []
    for best in found[:1]:
        lines += [f"**{say(book.name(best))}**", excerpt(best, words)]
        whole = say(Text("Open {section}", section=book.name(best)))
        ways.insert(0, Control(_id(book, "rules", str(place.to(best.number))), whole, PRIMARY))
    if others := [(place.to(section.number), book.name(section)) for section in found[1 : MENU_ROWS + 1]]:
        menus.append(_menu(book, 1, others, say, Text("More results")))
    return layout(TextDisplay("\n".join(lines)), row(*ways), *menus, _chapters(book, place, say))


def _how_many(book: Book, words: str, found: Sequence[Section]) -> Text:
    if not found:
        sorry = "### Nothing found\nThe rules of {title} don’t mention “{words}”. Try another word, or part of one."
        return Text(sorry, title=book.spec.name, words=words)
    if len(found) > MENU_ROWS + 1:
        many = "### “{words}” in {number} sections\nThe best of them are below; a more specific word finds fewer."
        return Text(many, words=words, number=len(found))
    return Text("### “{words}” in {number} {number:section|sections}", words=words, number=len(found))


def games_layout(specs: Iterable[GameSpec], say: Wording) -> Layout:
    """Whose rules somebody wants to read."""
    rows = tuple((str(RulesPlace(spec.slug)), str(spec.name)) for spec in specs)
    menu = Menu(ControlId("rules", 0), rows, say(Text("Choose a game")))
    return layout(TextDisplay(say(Text("### Which game?\nNo game is being played in this channel."))), row(menu))
