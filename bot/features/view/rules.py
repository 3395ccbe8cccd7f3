"""Reading the rules: at a table, where none is, and long after a restart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from discord import app_commands
from discord.app_commands import Choice
from discord.ui import ActionRow, TextDisplay

from bot.errors import UserError
from bot.features.dispatcher import Candidates, Interaction, suggesting
from bot.features.groups import game
from bot.features.handlers import Answer, Request, TableRequest, anywhere, at_table
from bot.features.named import game_named, suggest_games, table_here
from bot.features.view.rules_book import Book, RulesPlace
from bot.features.view.rules_search import MAX_SEARCH_CHARS, excerpt, find, plain
from bot.interactions import responses
from bot.interactions.controls import MENU_ROWS, NO_TABLE, Control, Menu
from bot.interactions.emojis import current_emojis
from bot.interactions.forms import Form
from bot.interactions.kinds import InMatch, InVersion
from bot.interactions.parts import PLAIN, PRIMARY, Layout, layout, row
from bot.interactions.responses import Response
from bot.posting import board_layouts
from bot.tables.table import Table
from engine.core import GameSpec
from engine.games import discover
from engine.rulebook import Section
from engine.texts import Text


def book_of(spec: GameSpec, table: Table | None) -> Book:
    """The rules of a game, as they are played at a table if it is one of that game."""
    return Book(spec, table if table and table.game is spec and not table.problem else None)


@suggesting
async def _suggest_sections(interaction: Interaction, current: str) -> Candidates[str]:
    # what Discord calls the option, not the parameter of `show_rules`
    typed = getattr(interaction.namespace, "game", None)
    table = await table_here(interaction)
    spec = game_named(typed) if typed else table.spec if table else None
    sections = spec.rulebook.translated.sections.values() if spec else ()
    rows, query = ((f"{section.number} {section.heading}", section.number) for section in sections), current.casefold()
    return (Choice(name=name[:100], value=number) if query in name.casefold() else None for name, number in rows)


@game.command("rules", "Read the rules of a game, or search them")
@app_commands.rename(title="game")
@app_commands.describe(
    section="a section by its number; by default the short version",
    search="words to search for",
    title="which game; by default the one played here",
)
@app_commands.autocomplete(section=_suggest_sections, title=suggest_games)
async def show_rules(
    request: Request,
    section: str | None = None,
    search: app_commands.Range[str, 1, MAX_SEARCH_CHARS] | None = None,
    title: str | None = None,
) -> None:
    """A section of the rules, the results of a search, or the game in short; without a game, a menu of all games."""
    response = request.response
    table = await table_here(response.interaction)
    spec = game_named(title) if title else table.spec if table else None
    book = book_of(spec, table) if spec else None
    if book is None:
        await response.show(games_layout(list(discover().values())))
    elif search:
        await _show_found(response, book, search)
    else:
        await _show_page(response, book, RulesPlace(book.spec.slug, section or "1"))


@anywhere(board_layouts.rules)
async def show_page(request: Request, match_id: InMatch[int], place: str = "", number: InVersion[int] = 0) -> None:
    """*Rules*, a way to another page, or a row of a menu."""
    there = RulesPlace.of(request.values[0] if request.values else place)
    await _show_page(request.response, await _book(request, match_id, there), there)


@anywhere("search")
async def open_search(request: Request, match_id: InMatch[int], place: str) -> None:
    """*Search*: a form for the words."""
    book = await _book(request, match_id, RulesPlace.of(place))
    title = Text("Rules of {title}", title=book.spec.name)
    control = show_found.id(book.match_id, book.spec.slug)
    hint = Text("one or more words")
    await request.response.ask(
        Form(control, title, Text("What are you looking for?"), most=MAX_SEARCH_CHARS, hint=hint)
    )


@anywhere("found")
async def show_found(request: Request, match_id: InMatch[int], place: str) -> None:
    """The results of a search, typed into the form or in the id of a button."""
    there = RulesPlace.of(place)
    book = await _book(request, match_id, there)
    await _show_found(request.response, book, request.values[0] if request.values else there.words)


# a refusal stays where it is, beside the rule it points to
@at_table(responses.open_rule, Answer.NEW)
async def open_rule(request: TableRequest, section: str) -> None:
    """The section that a refusal points to."""
    table = request.table
    await _show_page(request.response, book_of(table.spec, table), RulesPlace(table.spec.slug, section))


async def _book(request: Request, match_id: int, place: RulesPlace) -> Book:
    """The rules a control belongs to. Raises `UserError` for a game that is not known; ids come from outside."""
    table = await request.services.tables.find(match_id) if match_id else None
    if table is not None and table.row.channel_id != request.response.interaction.channel_id:
        table = None
    # the *Rules* under a board carry no game: it is that of their table
    spec = discover().get(place.game) if place.game else table.game if table else None
    if spec is None:
        raise UserError(Text("I can’t find that game anymore."))
    return book_of(spec, table)


async def _show_page(response: Response, book: Book, place: RulesPlace) -> None:
    await response.show(page_layout(book, RulesPlace(book.spec.slug, place.section, place.page, place.words)))


async def _show_found(response: Response, book: Book, words: str) -> None:
    sections = find(book, words)
    await response.show(found_layout(book, plain(words), sections))


# --- layouts ---


def page_layout(book: Book, place: RulesPlace) -> Layout:
    """A page of a section, with menus of all others and buttons to leaf and to search."""
    pages = book.pages(place.section)
    place = place.to(place.section, min(place.page, len(pages) - 1))
    lines = [str(Text("-# {heading}", heading=book.heading())), pages[place.page].rstrip()]
    if len(pages) > 1:
        lines.append(str(Text("-# Page {number} of {pages}", number=place.page + 1, pages=len(pages))))
    chapter = str(place.to(place.section.partition(".")[0]))
    menus = [_chapters(book, place, chosen=chapter), *_parts(book, place)]
    return layout(TextDisplay("\n".join(lines)), *menus, row(*_ways(book, place)))


def _ways(book: Book, place: RulesPlace) -> Iterator[Control]:
    """To the pages before and after, to a search, and back to what one has found."""
    for label, there in ((Text("Previous"), book.before(place)), (Text("Next"), book.after(place))):
        # Discord wants an id of every button, also of one that leads nowhere
        yield Control(show_page.id(book.match_id, str(there or place)), label, disabled=there is None)
    yield _search(book)
    if place.words:
        back = Text("Back to “{words}”", words=place.words)
        yield show_found.button(back, PLAIN, book.match_id, str(RulesPlace(place.game, words=place.words)))


def _search(book: Book) -> Control:
    return open_search.button(Text("Search"), PLAIN, book.match_id, book.spec.slug)


def _chapters(book: Book, place: RulesPlace, *, chosen: str = "") -> ActionRow[Any]:
    """A menu of the sections that lie in no other one."""
    rows = [(place.to(section.number), book.name(section)) for section in book.chapters]
    return _menu(book, 0, rows, Text("All sections"), chosen)


def _parts(book: Book, place: RulesPlace) -> Iterator[ActionRow[Any]]:
    """A menu of what lies in the chosen section, if anything does."""
    chapter, *parts = book.within(place.section.partition(".")[0])
    if parts:
        rows = [(place.to(section.number), book.name(section)) for section in parts]
        whole = (place.to(chapter.number), Text("All of {section}", section=book.name(chapter)))
        yield _menu(book, 1, [whole, *rows], Text("In this section"), str(place.to(place.section)))


def _menu(
    book: Book, number: int, rows: Sequence[tuple[RulesPlace, Text]], asked: Text, chosen: str = ""
) -> ActionRow[Any]:
    options = tuple((str(place), str(text)) for place, text in rows)
    # with a number: Discord refuses a message in which two controls have the same id
    return row(Menu(show_page.id(book.match_id, number=number), options, asked, chosen=chosen))


def found_layout(book: Book, words: str, found: Sequence[Section]) -> Layout:
    """The results of a search: the text of the best section, and the others in a menu."""
    place = RulesPlace(book.spec.slug, words=words)
    lines = [str(Text("-# {heading}", heading=book.heading())), str(_how_many(book, words, found))]
    ways, menus = [_search(book)], []
    for best in found[:1]:
        lines += [f"**{book.name(best)}**", excerpt(book.text(best), words)]
        whole = str(Text("Open {section}", section=book.name(best)))
        ways.insert(0, show_page.button(whole, PRIMARY, book.match_id, str(place.to(best.number))))
    if others := [(place.to(section.number), book.name(section)) for section in found[1 : MENU_ROWS + 1]]:
        menus.append(_menu(book, 1, others, Text("More results")))
    return layout(TextDisplay("\n".join(lines)), row(*ways), *menus, _chapters(book, place))


def _how_many(book: Book, words: str, found: Sequence[Section]) -> Text:
    if not found:
        sorry = "### Nothing found\nThe rules of {title} don’t mention “{words}”. Try another word, or part of one."
        return Text(sorry, title=book.spec.name, words=words)
    if len(found) > MENU_ROWS + 1:
        many = "### “{words}” in {number} sections\nThe best matches are below; a more specific word narrows them down."
        return Text(many, words=words, number=len(found))
    return Text("### “{words}” in {number} {number:section|sections}", words=words, number=len(found))


def games_layout(specs: Sequence[GameSpec]) -> Layout:
    """A menu of all games with rules."""
    rows = tuple((str(RulesPlace(spec.slug)), str(spec.name)) for spec in specs)
    emojis = current_emojis().of_games(spec.slug for spec in specs)
    menu = Menu(show_page.id(NO_TABLE), rows, Text("Choose a game"), emojis=emojis)
    return layout(TextDisplay(str(Text("### Which game?\nNo game is being played in this channel."))), row(menu))
