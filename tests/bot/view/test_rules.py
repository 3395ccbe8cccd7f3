"""The rules in the chat: nothing cut off, nothing that a phone has no room for, every section within reach."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import groupby
from math import ceil
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.errors import UserError
from bot.features.view import rules
from bot.features.view.rules import book_of, found_layout, page_layout
from bot.features.view.rules_book import PAGE, Book, RulesPlace, _fits
from bot.features.view.rules_markdown import CODE_COLUMNS, TEXT_COLUMNS, Rows, blocks, table_rows
from bot.features.view.rules_search import EXCERPT_LINES, MAX_SEARCH_CHARS, excerpt, find, plain
from bot.interactions.controls import MENU_ROWS
from bot.interactions.phone import text_height
from bot.store.facts import Facts
from bot.store.matches import MatchRow, SeatHolder, Status
from bot.tables.table import Table
from engine.core import GameSpec, OptionValue, Setup
from engine.games import discover
from engine.languages import reading
from engine.rulebook import Rulebook
from engine.texts import Text
from locales import language_of, languages
from playground.components import Kind, walk
from tests.bot.desk import Desk
from tests.bot.refusing import CHANNEL, HOST
from tests.bot.whole import whole
from tests.playthroughs.taps import RULES_TEXT

SPECS = discover().values()
every_game = pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.slug)


def shown_in_chat(text: str) -> str:
    return "\n".join(blocks(text))


# --- tables ---


def test_a_table_too_wide_for_a_phone_becomes_a_list():
    wide = "all of it, as far as anybody can say, and more"
    text = f"so\n| name | n | what |\n|---|:-:|---|\n| piper | 10 | {wide} |\n| S | 2 | short |\nthen"
    assert f"so\n* **piper** · n 10\n  * {wide}\n* **S** · n 2 · short\nthen" == shown_in_chat(text)


@pytest.mark.parametrize("room", [0, 1])
def test_a_table_is_aligned_if_its_widest_line_fits_on_a_phone(room):
    cells = ["a" * (CODE_COLUMNS - 5 + room), "b"]
    output = shown_in_chat("\n".join(f"| {cell} | 123 |" for cell in cells))
    assert output.startswith("* **b** · " if room else "```\n"), output


def tables(spec: GameSpec) -> Iterator[tuple[str, Rows]]:
    """The tables of a rulebook, each with how it is shown."""
    for section in spec.rulebook.sections.values():
        for is_table, lines in groupby(section.text.splitlines(), key=lambda line: line.startswith("|")):
            if is_table:
                table = list(lines)
                yield shown_in_chat("\n".join(table)), table_rows(table)


@every_game
def test_every_table_cell_is_shown_in_order_and_in_lines_that_fit_on_a_phone(spec):
    for excerpted, (headers, *rows) in tables(spec):
        at = 0
        for cell in (cell for row in rows for cell in row):
            at = excerpted.index(cell, at) + len(cell)
        if excerpted.startswith("```"):
            assert all(header in excerpted for header in headers)
            assert max(map(len, excerpted.splitlines())) <= CODE_COLUMNS, excerpted
        cells = {cell for row in rows for cell in row}
        too_long = [line for line in excerpted.splitlines() if len(re.sub(r"^ *\* |\*\*", "", line)) > TEXT_COLUMNS]
        assert all(line.removeprefix("  * ") in cells for line in too_long), too_long


def test_the_powers_of_the_muses_are_a_list_and_the_thieves_of_the_town_a_table():
    muses = "".join(Book(discover()["muses"]).pages("6.2"))
    assert "* **Clio** · suns 2\n  * −1 on a neighbor’s die, which must show 2 or more\n" in muses
    assert "```" not in muses
    for town in ("alibaba", "gangs"):
        assert "R4    2 5 10 12 20 21 23 24 31 32 34 36\n```" in "".join(Book(discover()[town]).pages("2.4"))


# --- pages ---


def every_place(book: Book) -> list[RulesPlace]:
    """Every page of every section."""
    return [RulesPlace(book.spec.slug, s.number, n) for s in book.sections for n in range(len(book.pages(s.number)))]


@every_game
def test_the_pages_of_a_section_contain_all_its_text_and_subsections(spec):
    book = Book(spec)
    for section in book.sections:
        sentence = "".join(book.pages(section.number))
        for part in spec.rulebook.within(section.number):
            assert f"### {part.number} {part.heading}\n" in sentence
            assert all(block in sentence for block in blocks(part.text)), part.number


@every_game
def test_a_page_has_at_most_two_screens_and_begins_with_a_heading_or_continues_a_section(spec):
    book = Book(spec)
    for section in book.sections:
        pages = book.pages(section.number)
        assert [] == [len(page) for page in pages if len(page) > PAGE]
        assert pages[0].startswith(f"### {section.number} ")


def test_a_section_longer_than_a_page_is_split_between_lines():
    for spec in SPECS:
        book = Book(spec)
        for section in book.sections:
            pages, usual = book.pages(section.number, longest=400), book.pages(section.number)
            assert len(pages) > len(usual) or max(map(len, usual)) <= 800, "it was cut"
            assert all(block in "".join(pages) for block in blocks(section.text))
            assert all(page.count("```") % 2 == 0 for page in pages)


@every_game
def test_the_buttons_lead_through_the_whole_book_and_back(spec):
    book = Book(spec)
    there = [RulesPlace(spec.slug)]
    while next_step := book.after(there[-1]):
        there.append(next_step)
    back = [there[-1]]
    while before := book.before(back[-1]):
        back.append(before)
    assert there == back[::-1]
    assert [chapter.number for chapter in spec.rulebook.chapters] == [p.section for p in there if p.page == 0]


def test_a_section_that_does_not_exist_is_named():
    with pytest.raises(UserError, match="no section 99"):
        Book(discover()["muscat"]).pages("99")
    with pytest.raises(UserError) as refused:
        Book(discover()["muscat"]).pages("9" * 300)
    assert len(str(refused.value.text)) < 200, "what was typed may be long"


# --- messages ---


def parts(shown: discord.ui.LayoutView) -> list[dict]:
    return [part for _, part in walk(shown.to_components())]


def menus(shown: discord.ui.LayoutView) -> list[list[tuple[str, str]]]:
    hits = (part["options"] for part in parts(shown) if part["type"] == Kind.STRING_SELECT)
    return [[(option["value"], option["label"]) for option in options] for options in hits]


@every_game
def test_every_section_is_within_two_taps_of_every_page(spec):
    book = Book(spec)
    for place in every_place(book):
        chapters, *below = menus(page_layout(book, place))
        assert [chapter.number for chapter in spec.rulebook.chapters] == [RulesPlace.of(v).section for v, _ in chapters]
        within = [section.number for section in spec.rulebook.within(place.section.partition(".")[0])]
        assert [within] * (len(within) > 1) == [[RulesPlace.of(value).section for value, _ in rows] for rows in below]


@every_game
def test_every_message_of_the_rules_is_valid_for_discord(spec):
    book, words = Book(spec), "ß" * MAX_SEARCH_CHARS
    hits = find(book, "the")
    results = [page_layout(book, RulesPlace(p.game, p.section, p.page, words)) for p in every_place(book)]
    for message in (*results, found_layout(book, words, hits), found_layout(book, words, [])):
        ids = [part["custom_id"] for part in parts(message) if "custom_id" in part]
        assert len(ids) == len(set(ids))
        assert max(map(len, ids)) + 18 <= 100
        assert max(len(rows) for rows in menus(message)) <= MENU_ROWS
        assert max(len(label) for rows in menus(message) for _, label in rows) < 100
        assert sum(len(part.get("content", "")) for part in parts(message)) <= 4000


@every_game
def test_the_rules_never_mention_typing_a_rules_command(spec):
    book = Book(spec)
    contents = [part.get("content", "") for place in every_place(book) for part in parts(page_layout(book, place))]
    assert [] == [text for text in contents if "/game" in text]


# --- options of the table ---


def table_of(game: str, seats: int, status: Status = Status.LOBBY, **options: OptionValue) -> Table:
    row = MatchRow(
        7, 1, 2, 3, game, 1, options, "seed", status, None, tuple(SeatHolder(n) for n in range(1, seats + 1))
    )
    return Table(Facts(row), discover()[game])


def marked_sections(book: Book) -> list[str]:
    return [section.number for section in book.sections if str(book.name(section)).endswith("(not played here)")]


def test_the_heading_names_nonstandard_options():
    usual = Book(discover()["muscat"], table_of("muscat", 3, tie_counts_streets=True))
    assert "Rules of Muscat, played here with the standard options" == str(usual.heading())
    other = Book(discover()["muscat"], table_of("muscat", 3, tie_counts_streets=False, start_player=1))
    assert str(other.heading()).endswith("played here with First player: Blue · Streets count in a tie: no")


def test_pages_and_searches_reflect_the_options_of_the_table() -> None:
    spec = discover()["muscat"]
    own, standard = "At least one of them must be yours.", "None of them has to be yours."
    played = Book(spec, table_of("muscat", 3, cycle_needs_own_token=True))
    assert [False, True] == [line in played.pages("4.2")[0] for line in (standard, own)]
    assert [True, False] == [line in Book(spec).pages("4.2")[0] for line in (standard, own)]
    (best, *_) = find(played, "must be yours")
    assert "4.2" == best.number
    assert "them **must** **be** **yours**" in excerpt(played.text(best), "must be yours")


@pytest.mark.parametrize(
    ("game", "name", "value"),
    [
        (game, field.name, value)
        for game, spec in discover().items()
        for field in fields(spec.options)
        for value in field.metadata["choices"]
    ],
)
def test_exactly_the_sections_that_an_option_takes_out_are_marked(game: str, name: str, value: OptionValue) -> None:
    table = table_of(game, 4, **{name: value})
    spec = table.spec
    taken_out = {section.number for section in spec.rulebook.sections.values() if not spec.plays(section, table.setup)}
    assert taken_out == {*marked_sections(Book(spec, table))}


def test_a_section_that_is_not_played_is_marked_on_its_page_and_in_the_menu():
    book = Book(discover()["alibaba"], table_of("alibaba", 2))
    assert "### 3.7 Writing on the wall (not played here)\n" in "".join(book.pages("3"))
    _, below = menus(page_layout(book, RulesPlace("alibaba", "3")))
    assert "3.7 Writing on the wall (not played here)" in [label for _, label in below]


def test_sections_that_are_not_played_come_last_in_their_chapter_and_such_chapters_last_of_all():
    book = Book(discover()["jinns"], table_of("jinns", 4, edition="later"))
    assert ["3", "3.3", "3.1", "3.2", "3.4"] == [section.number for section in book.within("3")]
    assert "5" == book.chapters[-1].number
    chapters, below = menus(page_layout(book, RulesPlace("jinns", "3")))
    assert chapters[-1][1].startswith("5 ")
    assert ["3", "3.3", "3.1", "3.2", "3.4"] == [RulesPlace.of(value).section for value, _ in below]
    assert ("3.1", "3.3") == (
        book.after(RulesPlace("jinns", "3.3")).section,
        book.before(RulesPlace("jinns", "3.1")).section,
    )


# --- searching ---

RULES = Rulebook.parse(
    "## 1 Aim\nGo up. The café is open. Climb *well*.\n\n"
    "| who | how |\n|---|---|\n| elephant | slow |\n\n"
    "## 2 The elephant\nIt walks. It sleeps in the café.\n\n"
    "## 3 Sleep\nNobody sleeps on a climb."
)


BOOK = Book(replace(discover()["muscat"], rulebook=RULES))
NAMES_OF_SECTIONS = (1, "Aim"), (2, "The elephant"), (3, "Sleep")


def find_numbers(words: str) -> list[str]:
    return [section.number for section in find(BOOK, words)]


def test_full_matches_come_before_partial_ones_and_headings_before_text():
    assert ["2", "1"] == find_numbers("elephant")
    assert ["3", "2"] == find_numbers("sleep")
    assert ["2", "1", "3"] == find_numbers("café elephant sleep")
    assert ["1", "3"] == find_numbers("climb well")


def test_whole_words_come_before_prefixes():
    book = Book(replace(discover()["muscat"], rulebook=Rulebook.parse("## 1 A\nClimbing.\n## 2 B\nA climb.")))
    assert ["2", "1"] == [section.number for section in find(book, "climb")]


def test_a_section_that_is_not_played_is_found_last_even_if_its_heading_matches():
    spec = discover()["gangs"]
    assert "3.8" == find(Book(spec, table_of("gangs", 4, trading=True)), "trading")[0].number
    assert ["5", "3.8"] == [section.number for section in find(Book(spec, table_of("gangs", 4)), "trading")]


def test_a_long_section_is_excerpted_in_ten_lines_from_the_match_on():
    lines = [f"* Line {n} is as long as a line of a phone." for n in range(20)]
    (section,) = Rulebook.parse("## 1 A\n" + "\n".join([*lines[:5], "* *Here* it is.", *lines[5:]])).sections.values()
    excerpted = excerpt(section.text, "here").splitlines()
    assert ["* **Here** it is.", *lines[5:14]] == excerpted
    assert lines[:9] == excerpt("\n".join([*lines[:9], "Here."]), "here").splitlines()[:9], (
        "there is room for all of it"
    )


@every_game
def test_a_search_shows_at_most_ten_lines_of_a_section_or_one_sentence(spec):
    for section in spec.rulebook.sections.values():
        for word in plain(section.text).split():
            excerpted = excerpt(section.text, word)
            height = sum(ceil(len(line.replace("**", "")) / TEXT_COLUMNS) for line in excerpted.splitlines())
            assert height <= EXCERPT_LINES or "\n" not in excerpted, (section.number, word)


@every_game
def test_a_search_links_to_the_best_section_and_lists_the_others(spec):
    book = Book(spec)
    first, *others = hits = find(book, book.sections[-1].heading)
    excerpted = found_layout(book, "words", hits)
    buttons = [part["label"] for part in parts(excerpted) if part["type"] == Kind.BUTTON]
    assert [f"Open {book.name(first)}"[:80], "Search"] == buttons
    *found_too, _ = menus(excerpted)
    assert [section.number for section in others][:MENU_ROWS] == [
        RulesPlace.of(value).section for rows in found_too for value, _ in rows
    ]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("muscat", RulesPlace("muscat", "1")),
        ("muscat 2.1", RulesPlace("muscat", "2.1")),
        ("muscat 2.1 3 two words", RulesPlace("muscat", "2.1", 3, "two words")),
        ("muscat 2.1 -3", RulesPlace("muscat", "2.1")),
        ("", RulesPlace("", "1")),
    ],
)
def test_the_place_of_a_reader_is_read_back_from_a_control_however_short_it_is(text: str, place: RulesPlace) -> None:
    assert place == RulesPlace.of(text) == RulesPlace.of(str(place))


@every_game
def test_before_the_first_part_of_a_chapter_comes_the_beginning_of_the_chapter(spec: GameSpec) -> None:
    book = Book(spec)
    for chapter in book.chapters:
        _, *parts = book.within(chapter.number)
        for first in parts[:1]:
            assert RulesPlace(spec.slug, chapter.number) == book.before(RulesPlace(spec.slug, first.number))


@pytest.mark.parametrize(("match", "plays"), [(None, True), (object(), False)])
def test_before_the_start_a_section_is_played_if_any_number_of_players_plays_it(match: Any, plays: bool) -> None:
    spec: Any = SimpleNamespace(seats=(3, 4, 5), plays=lambda _, setup: setup.seats == 5)
    table: Any = SimpleNamespace(setup=Setup(3, discover()["muscat"].setup(3).options), match=match)
    assert plays == Book(spec, table).plays(BOOK.sections[0])


@pytest.mark.parametrize("number", [1, 2, MENU_ROWS + 1, MENU_ROWS + 2])
def test_more_results_than_the_menu_has_room_for_ask_for_a_more_specific_word(number: int) -> None:
    (section, *_) = BOOK.sections
    search = found_layout(BOOK, "word", [section] * number)
    heading = whole(search)[1]
    assert f"### “word” in {number} {'section' if number == 1 else 'sections'}" == heading
    assert (number > MENU_ROWS + 1) == any("a more specific word" in line for line in whole(search))
    *found_too, _ = menus(search)
    assert [min(number - 1, MENU_ROWS)] * (number > 1) == [len(rows) for rows in found_too]


def test_a_search_shows_the_best_section_the_others_in_a_menu_and_all_chapters() -> None:
    chapters = ["All sections: rules", *(f"  muscat {n} 0 elephant {n} {name}" for n, name in NAMES_OF_SECTIONS)]
    ways = ["[Open 2 The elephant rules muscat 2 0 elephant]", "[Search search muscat]"]
    more = ["More results: rules 1", "  muscat 1 0 elephant 1 Aim"]
    best = ["### “elephant” in 2 sections", "**2 The elephant**", "It walks. It sleeps in the café."]
    assert ["-# Rules of Muscat", *best, *ways, *more, *chapters] == whole(
        found_layout(BOOK, "elephant", find(BOOK, "elephant"))
    )
    missing = "The rules of Muscat don’t mention “elephant”. Try another word, or part of one."
    nothing = ["-# Rules of Muscat", "### Nothing found", missing, ways[1], *chapters]
    assert nothing == whole(found_layout(BOOK, "elephant", []))


def test_a_page_selects_its_section_in_the_menus_and_its_controls_belong_to_the_table() -> None:
    for book, match in ((Book(discover()["jinns"], table_of("jinns", 4)), "7"), (Book(discover()["jinns"]), "0")):
        page = page_layout(book, RulesPlace("jinns", "3.1"))
        selected_rows = [line for line in whole(page) if line.startswith("  *")]
        assert ["  *jinns 3 0 3 The setup", "  *jinns 3.1 0 3.1 Placing"] == selected_rows
        assert [match] * 5 == [part["custom_id"].split(":")[2] for part in parts(page) if "custom_id" in part]


def test_parts_that_fit_on_one_page_are_not_split() -> None:
    rulebook = Rulebook.parse("## 1 A\nOne.\n### 1.1 B\nTwo.\n### 1.2 C\nThree.")
    book = Book(replace(discover()["muscat"], rulebook=rulebook))
    assert ["### 1 A\nOne.\n### 1.1 B\nTwo.\n### 1.2 C\nThree.\n"] == book.pages("1")


def test_of_a_part_that_is_too_long_a_search_shows_the_best_sentence_or_row() -> None:
    rows = [f"| c{n} | walks {n} |" for n in range(12)]
    text = "\n".join(
        ["Nobody knows. Camels! Do camels sleep? " + "They do. " * 60, "| what | camel |", "|---|---|", *rows]
    )
    assert "Do **camels** **sleep**?" == excerpt(text, "camels sleep")
    assert "Nobody knows." == excerpt(text, "dromedary")
    assert "c7 · walks **7**" == excerpt(text, "7")
    assert "**Camels**!" == excerpt(text, "what camel"), "the header of a table says nothing alone"


@pytest.mark.parametrize("words", ["CAFE", "café", "cafe\u0301", " Café! ", "“café”"])
def test_case_accents_and_punctuation_do_not_matter(words):
    assert ["1", "2"] == find_numbers(words)


@pytest.mark.parametrize("words", ["", "?!", "*", "camel", "lephant", "(", "\\"])
def test_missing_words_are_not_found(words):
    assert [] == find_numbers(words)
    assert "### Nothing found" in whole(found_layout(BOOK, words, []))


@every_game
def test_every_section_is_found_by_its_heading(spec):
    for section in spec.rulebook.sections.values():
        assert section in find(Book(spec), section.heading)


def test_a_search_query_fits_into_a_control_id():
    assert "elephants in the palace" == plain("  Éléphants, in the\nPALACE `*_")
    assert len(plain("x " * 100)) <= MAX_SEARCH_CHARS


# --- forms ---


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("slug", discover())
def test_a_page_fits_on_a_phone_screen(slug: str, language: str) -> None:
    """Two menus and the buttons below need the rest. A table stays in one piece."""
    book = Book(discover()[slug])
    with reading(language_of(language)):
        pages = [page for chapter in book.chapters for page in book.pages(chapter.number) if "```" not in page]
    for page in pages:
        words = page.replace("###", "").split()
        assert len(words) <= 126, page
        assert text_height(page.strip()) <= RULES_TEXT, page


# --- at a desk ---


async def test_rules_begin_with_their_first_section_and_are_those_of_the_table_here(desk: Desk) -> None:
    ((how, which, where, *_),) = await desk.command(HOST, rules.show_rules)
    assert ("new private", "### Which game?", "No game is being played in this channel.") == (how, which, where)
    assert [] == await desk.suggest(HOST, rules._suggest_sections)
    assert [("1 Aim", "1")] == await desk.suggest(HOST, rules._suggest_sections, "AIM", game="garden")
    ((how, _, *garden),) = await desk.command(HOST, rules.show_rules, title="garden")
    assert ("new private", ["### 1 Aim", "Grow fruit."]) == (how, garden[:2])
    await desk.home.lobby(CHANNEL, game="toll")
    ((_, heading, *toll),) = await desk.command(HOST, rules.show_rules)
    assert ("-# Rules of Toll, played here with the standard options", "### 1 Aim") == (heading, toll[0])
    ((_, _, *third),) = await desk.command(HOST, rules.show_rules, section="3")
    assert "### 3 Toll" == third[0]
    assert [("3 Toll", "3")] == await desk.suggest(HOST, rules._suggest_sections, "3 ")
    assert "(Previous rules toll 1 0)" in toll
    ((_, _, *last),) = await desk.tap(HOST, "rules:0:0:toll 3 9")
    elsewhere = [["new private", "I can’t find that game anymore."]]
    assert elsewhere == await desk.tap(HOST, "rules:0:0:chess 1")
    assert elsewhere == await desk.tap(HOST, "rules:1:0:", channel_id=9)
    assert "### 3 Toll" == last[0], "an older button may lead to a page that is no longer there"


async def test_the_rules_of_another_game_are_not_those_of_the_table_here(desk: Desk) -> None:
    await desk.home.posted()
    ((how, _, section, *_),) = await desk.tap(HOST, "rule:1:0:2")
    assert ("new private", "### 2 Bids") == (how, section)
    for title, heading in (("sealed", "Rules of Sealed Bids, played here"), ("toll", "Rules of Toll")):
        ((_, first, *_),) = await desk.command(HOST, rules.show_rules, title=title)
        assert f"-# {heading}" == first.partition(" with ")[0]
    ((_, first, *lines),) = await desk.tap(HOST, "rules:1:0:")
    assert first.startswith("-# Rules of Sealed Bids, played here")
    ((_, *lines),) = await desk.tap(HOST, "rules:1:0:sealed 1 0", channel_id=9)
    assert "-# Rules of Sealed Bids" == lines[0], "the table is elsewhere"


async def test_words_are_searched_for_even_if_a_section_is_named_too(desk: Desk) -> None:
    ((_, _, heading, *_),) = await desk.command(HOST, rules.show_rules, title="toll", section="1", search="steps")
    assert heading.startswith("### “steps” in ")
    form = ["form", "Rules of Toll", "cf:found:0:0:toll", "one or more words = "]
    assert [form] == await desk.tap(HOST, "search:0:0:toll")
    ((_, *lines),) = await desk.tap(HOST, "found:0:0:toll", "steps")
    assert heading in lines


def test_the_rules_of_a_table_that_cannot_be_read_are_those_of_its_game() -> None:
    table = table_of("muscat", 3)
    assert table is book_of(table.spec, table).table
    table.problem = Text("Its record is damaged.")
    assert book_of(table.spec, table).table is None


@pytest.mark.parametrize(("length", "fits"), [(9, True), (10, False)])
def test_a_page_leaves_room_in_its_message(length: int, fits: bool) -> None:
    assert fits is _fits("x" * length, 10)


def test_an_excerpt_has_the_whole_section_if_there_is_room() -> None:
    assert "It begins.\nThe **camels** walk." == excerpt("It begins.\n\nThe camels walk.", "camels").strip()


def test_nothing_is_bold_in_a_table() -> None:
    section = "Camels\n\n| a | b |\n|---|---|\n| camels | 2 |"
    assert "**Camels**\n```\na       b\ncamels  2\n```" == excerpt(section, "camels")
