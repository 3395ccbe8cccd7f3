"""Rules in the chat: no broken lines, no tables, and nothing cut off in silence."""

from __future__ import annotations

import dataclasses
from contextlib import suppress

import pytest

from bot.errors import Sorry
from bot.look.rules import PAGE, PHONE, chat_markdown, rules_text
from engine import Rulebook, SetupError
from engine.games import discover

SPECS = discover().values()


def test_a_table_becomes_aligned_columns():
    text = "so\n| name | n |\n|---|---|\n| piper | 10 |\n| S | 2 |\nthen"
    assert "so\n```\nname   n\npiper  10\nS      2\n```\nthen" == chat_markdown(text)


def test_a_table_that_a_phone_would_cut_off_becomes_a_list():
    wide = "all of it, as far as anybody can say, and more"
    text = f"so\n| name | n | what |\n|---|:-:|---|\n| piper | 10 | {wide} |\n| S | 2 | short |\nthen"
    assert f"so\n* **piper** · n 10 · {wide}\n* **S** · n 2 · short\nthen" == chat_markdown(text)


@pytest.mark.parametrize("room", [0, 1])
def test_a_table_is_aligned_as_long_as_a_phone_has_room_for_its_widest_line(room):
    cells = ["a" * (PHONE - 5 + room), "b"]
    shown = chat_markdown("\n".join(f"| {cell} | 123 |" for cell in cells))
    assert shown.startswith("* **b** · " if room else "```\n"), shown


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.slug)
def test_no_line_of_a_code_block_is_cut_off_on_a_phone(spec):
    for section in spec.rulebook.sections.values():
        blocks = chat_markdown(section.text).split("```")[1::2]
        assert [] == [line for block in blocks for line in block.splitlines() if len(line) > PHONE], section.number


def test_the_powers_of_the_muses_are_a_list_and_the_thieves_of_ali_baba_a_table():
    muses = rules_text(discover()["muses"], "6.2")
    assert "* **Clio** · suns 2 · 1 less on the die of a neighbor, which must show 2 or more\n" in muses
    assert "```" not in muses
    assert "R4    2 5 10 12 20 21 23 24 31 32 34 36\n```" in rules_text(discover()["alibaba"], "2.4")


def chosen_ways(spec):
    """The options as usual, and every other value of each as far as it goes by itself."""
    yield {}
    for field in dataclasses.fields(spec.options):
        for value in field.metadata["choices"]:
            with suppress(SetupError):
                spec.setup(spec.seats[0], {field.name: value})
                yield {field.name: value}


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.slug)
def test_the_rules_in_short_are_there_for_every_way_to_play(spec):
    for chosen in chosen_ways(spec):
        number = spec.options(**chosen).in_short
        text = rules_text(spec, None, chosen)
        assert text.startswith(f"## {spec.title}: {spec.rulebook.sections[number].heading}\n")
        assert len(text) <= 4000


def test_a_table_of_gangs_opens_with_the_gangs_and_one_of_the_cave_with_the_cave():
    spec = discover()["alibaba"]
    gangs = rules_text(spec, None, {"mode": "gangs", "trading": True})
    assert gangs.startswith("## Ali Baba: Gangs\n")
    assert "bandits" in gangs
    assert "steal" not in gangs.lower()
    assert "1 In short · 2 The town · 3 The cave · 4 Gangs ·" in gangs, "its own section has more below"
    for cave in (rules_text(spec, None), rules_text(spec, None, {}), rules_text(spec, None, {"mode": "cave"})):
        assert cave.startswith("## Ali Baba: In short\n")
        assert "steal treasure from the cave" in cave


def test_a_section_is_the_same_whatever_is_played():
    spec = discover()["alibaba"]
    assert rules_text(spec, "3.3") == rules_text(spec, "3.3", {"mode": "gangs"})


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.slug)
def test_the_short_rules_fit_into_one_message_and_name_what_else_there_is(spec):
    text = rules_text(spec, None)
    assert len(text) <= 4000
    assert all(number in text for number in spec.rulebook.sections if "." not in number and number != "1")


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.slug)
def test_every_section_fits_into_one_message_or_says_where_it_goes_on(spec):
    for number in spec.rulebook.sections:
        text = rules_text(spec, number)
        assert len(text) <= 4000
        below = [other for other in spec.rulebook.sections if other.startswith(f"{number}.")]
        assert not below or below[-1] in text or "It goes on with" in text


def test_what_does_not_fit_into_a_message_any_more_is_named_by_its_number():
    pages = "\n\n".join(f"### 1.{n} Part {n}\n{'word ' * (PAGE // 12)}" for n in range(1, 5))
    spec = dataclasses.replace(discover()["muscat"], rulebook=Rulebook.parse(f"## 1 Whole\nIn parts.\n\n{pages}"))
    text = rules_text(spec, "1")
    assert "### 1.2 Part 2" in text
    assert "### 1.3 Part 3" not in text
    assert text.endswith("-# It goes on with `/game rules section:1.3`")


def test_no_section_is_longer_than_a_page():
    longest = max(len(chat_markdown(s.text)) for spec in SPECS for s in spec.rulebook.sections.values())
    assert longest < PAGE


def test_a_section_that_does_not_exist_is_named():
    with pytest.raises(Sorry, match="no section 99"):
        rules_text(discover()["muscat"], "99")
