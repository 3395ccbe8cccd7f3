"""The rules on a phone: leafed through, searched, asked why."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.view.rules_book import Book
from engine.games import discover
from playground.harness import Playground
from playground.options import CannotDo
from playground.player import Seen
from tests.e2e.rooms import GAME, Room, tap_more

SPEC = discover()[GAME]
HEADING = "-# Rules of Muscat, played here with Cycles need an artist of your own: yes"
PAGES_OF_4 = len(Book(SPEC).pages("4"))


def headings(shown: Seen) -> list[str]:
    return [line.removeprefix("### ") for line in shown.text.splitlines() if line.startswith("### ")]


def rows(shown: Seen, menu: int) -> list[str]:
    return [option.label for option in shown.menus[menu].options]


def same(one: Seen, other: Seen) -> bool:
    return (one.text, one.labels, one.menus) == (other.text, other.labels, other.menus)


# --- leafing ---


async def test_the_rules_begin_with_a_summary_and_lead_to_every_section(room: Room):
    await room.lobby("Ana")
    dan, before = room.person("Dan"), room.public
    page = await tap_more(dan, "Rules")
    assert page.ephemeral
    assert page.text.startswith(f"{HEADING}\n### 1 In short\n")
    assert ["Next", "Search"] == page.labels
    assert [f"{s.number} {s.heading}" for s in SPEC.rulebook.chapters] == rows(page, 0)
    for chapter in SPEC.rulebook.chapters[1:]:
        page = await dan.choose(f"{chapter.number} {chapter.heading}", on=page)
        assert f"{chapter.number} {chapter.heading}" == headings(page)[0]
        parts = [f"{s.number} {s.heading}" for s in SPEC.rulebook.within(chapter.number)[1:]]
        for part in parts:
            page = await dan.choose(part, on=page, menu=1)
            assert [part] == headings(page)
        assert not parts or parts == rows(page, 1)[1:]
    assert before == room.public
    assert 1 == sum(seen.ephemeral for seen in dan.messages)


async def test_paging_shows_the_whole_book(room: Room):
    dan = room.person("Dan")
    page = await dan.slash("game rules", game=GAME)
    read = headings(page)
    while "Next" in page.labels:
        page = await dan.tap("Next", on=page)
        read += headings(page)
    assert [f"{s.number} {s.heading}" for s in SPEC.rulebook.sections.values()] == read
    while "Previous" in page.labels:
        page = await dan.tap("Previous", on=page)
    assert "1 In short" == headings(page)[0]


async def test_a_subsection_is_one_tap_away_from_its_whole_section(room: Room):
    dan = room.person("Dan")
    part = await dan.slash("game rules", game=GAME, section="5.2")
    assert ["5.2 The weakest falls"] == headings(part)
    page = await dan.choose("All of 5 The cycle of power", on=part, menu=1)
    chapter = [f"{section.number} {section.heading}" for section in SPEC.rulebook.within("5")]
    read = headings(page)
    while len(read) < len(chapter):
        page = await dan.tap("Next", on=page)
        read += headings(page)
    assert chapter == read


# --- options of the table ---


async def test_the_page_names_the_options_and_marks_sections_that_are_not_played(room: Room):
    ana = room.person("Ana")
    await ana.slash("table new", game="gangs")
    options = await ana.tap("Options 2", on=await ana.slash("table options"))
    await ana.choose("Trading: yes", on=options)
    page = await ana.slash("game rules", section="3")
    assert page.text.startswith("-# Rules of Ali Baba’s Gangs, played here with Trading: yes\n")
    assert "3.8 Trading" in rows(page, 1)
    assert "3.9 Selling (not played here)" in rows(page, 1)
    other = await ana.slash("game rules", game=GAME)
    assert other.text.startswith("-# Rules of Muscat\n")


# --- searching ---


async def test_a_search_finds_sections_by_words(room: Room):
    dan = room.person("Dan")
    reply = await dan.slash("game rules", game=GAME, search="Pálace  LIMIT?")
    assert "### “palace limit” in" in reply
    assert "From level 4 both go into the **palace**." in reply
    assert "6.1 The palace" == rows(reply, 0)[0]
    page = await dan.tap("Open 5.5 The palace", on=reply)
    assert ["5.5 The palace"] == headings(page)
    on = await dan.tap("Next", on=page)
    assert same(reply, await dan.tap("Back to “palace limit”", on=on))


async def test_the_search_form_accepts_only_as_many_characters_as_an_id_holds(room: Room):
    dan = room.person("Dan")
    page = await dan.slash("game rules", game=GAME)
    assert await dan.tap("Search", on=page) is None
    assert "Rules of Muscat" == dan.modal["title"]
    with pytest.raises(CannotDo):
        await dan.submit({"What are you looking for?": "x" * 41})
    await dan.tap("Search", on=page)
    response = await dan.submit({"What are you looking for?": "the cycle of power on the market or stre"})
    first = await dan.choose(rows(response, 0)[0], on=response)
    assert headings(first)


@pytest.mark.parametrize(
    ("forged", "told"),
    [
        ("cv:rules:{match}:0:", "I can’t find that game"),
        ("cv:rules:{match}:0:muscat", "-# Rules of Muscat\n"),
        ("cv:rules:0:0:chess 1", "I can’t find that game"),
        ("cv:rules:0:0:muscat 99", "no section 99"),
        ("cv:rules:0:0:muscat 4 77", f"Page {PAGES_OF_4} of {PAGES_OF_4}"),
        ("cv:rules:99999:0:muscat 4 x", f"Page 1 of {PAGES_OF_4}"),
        ("cv:found:0:0:muscat 1 0 \u202e", "Nothing found"),
        ("cv:rule:{match}:0:5.2", "find that game here anymore"),
        ("cv:rule:0:0:5.2", "find that game here anymore"),
    ],
)
async def test_a_forged_rules_control_shows_the_rules_and_no_table(app: Playground, room: Room, forged, told):
    elsewhere = Room(app, app.add_channel(f"{room.channel}-away").name)
    match = (await elsewhere.lobby("Ana")).button("More").custom_id.split(":")[2]
    dan = room.person("Dan")
    page = await dan.slash("game rules", game="jinns")
    custom_id = page.button("Search").custom_id
    record = page.record.components
    page.record.components = _with_id(record, custom_id, forged.format(match=match))
    assert told in await dan.tap("Search", on=dan.look(page))


def _with_id(part: Any, old: str, new: str) -> Any:
    """Components with another id."""
    if isinstance(part, dict):
        return {key: new if value == old else _with_id(value, old, new) for key, value in part.items()}
    return [_with_id(item, old, new) for item in part] if isinstance(part, list) else part


# --- why ---


async def test_a_refusal_opens_its_rule_in_a_separate_message(room: Room):
    await room.first_turn("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    refused = await ana.slash("muscat cycle", market="1A")
    assert ["Rule 4.2: Set a market in motion"] == refused.labels
    page = await ana.tap("Rule 4.2: Set a market in motion", on=refused)
    assert page.id != refused.id
    assert ["4.2 Set a market in motion"] == headings(page)
    assert refused.text == ana.look(refused).text


async def test_why_explains_how_to_type_an_unreadable_move(room: Room):
    await room.first_turn("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    reply = await ana.slash("game why", move="fly to the moon")
    assert "“fly to the moon” isn’t a move of Muscat" in reply
    assert 3 == reply.text.count("* **"), "some moves, not all verbs"
    reply = await ana.slash("game why", move="place nowhere")
    assert "`place market`" in reply
    assert "  * market: " in reply
    assert "`cycle" not in reply
    for garbage in ("?!", " ", "x" * 6000, "<@1>", "`", "\u202e", "change " + "1 " * 2000):
        reply = await ana.slash("game why", move=garbage)
        assert "how to type" in reply or "Examples of moves:" in reply


async def test_why_suggests_complete_moves_that_it_accepts(room: Room):
    await room.first_turn("Ana", "Ben", "Caro")
    for name in ("Ana", "Ben"):
        person = room.person(name)
        markets = [value for _, value in await person.suggest("game why", "move", "place")]
        assert ["place A", "place B", "place C"] == markets[:3]
        assert "type one" not in await person.slash("game why", move=markets[0])
    assert [] == await room.person("Dan").suggest("game why", "move", "pl"), "Dan has no seat, so no move is his"
