"""Rules in the chat: no broken lines, no tables, and nothing cut off in silence."""

from __future__ import annotations

import re

import pytest

from bot.errors import Declined
from bot.look import rules
from bot.look.rules import PAGE, PHONE, chat_markdown, rules_text
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


def test_the_powers_of_the_muses_are_a_list_and_the_thieves_of_the_town_a_table():
    muses = str(rules_text(discover()["muses"], "6.2"))
    assert "* **Clio** · suns 2 · 1 less on the die of a neighbor, which must show 2 or more\n" in muses
    assert "```" not in muses
    for town in ("alibaba", "gangs"):
        assert "R4    2 5 10 12 20 21 23 24 31 32 34 36\n```" in str(rules_text(discover()[town], "2.4"))


def test_two_games_of_one_town_are_told_each_by_itself():
    cave, gangs = (str(rules_text(discover()[slug], None)).lower() for slug in ("alibaba", "gangs"))
    assert ("steal treasure from the cave" in cave, "bandit" in cave) == (True, False)
    assert ("hire bandits" in gangs, "steal" in gangs) == (True, False)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.slug)
def test_the_short_rules_fit_into_one_message_and_name_what_else_there_is(spec):
    text = str(rules_text(spec, None))
    assert text.startswith(f"## {spec.title}: {spec.rulebook.sections['1'].heading}\n")
    assert len(text) <= 4000
    assert all(number in text for number in spec.rulebook.sections if "." not in number and number != "1")


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.slug)
def test_every_section_fits_into_one_message_or_says_where_it_goes_on(spec):
    for number in spec.rulebook.sections:
        text = str(rules_text(spec, number))
        assert len(text) <= 4000
        below = [other for other in spec.rulebook.sections if other.startswith(f"{number}.")]
        assert not below or below[-1] in text or "It goes on with" in text


def test_no_section_is_longer_than_a_page():
    longest = max(len(chat_markdown(s.text)) for spec in SPECS for s in spec.rulebook.sections.values())
    assert longest < PAGE


def test_a_section_that_does_not_exist_is_named():
    with pytest.raises(Declined, match="no section 99"):
        rules_text(discover()["muscat"], "99")


def test_a_section_that_is_too_long_says_where_it_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "PAGE", 300)
    for spec in SPECS:
        parts = {s.number for s in spec.rulebook.sections.values() if "." in s.number}
        section = min(parts).partition(".")[0]
        text = str(rules_text(spec, section))
        found = re.search(r"-# It goes on with `/game rules section:(.+)`$", text)
        assert found, spec.slug
        assert found[1] in parts
        assert f"### {section} " in text or f"### {section}." in text
        assert f"### {found[1]} " not in text
