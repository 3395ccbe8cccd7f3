"""The sections of `rules.md`."""

from __future__ import annotations

import re

import pytest

from engine.core import GameSpec
from engine.games import discover
from engine.languages import reading
from engine.rulebook import Rulebook, Section
from locales import language_of, languages

MARKDOWN = """# Toll

Left out: it stands before the first number.

## 1. Aim

Go far.

### 1.1 Distance

Places count.

```
## no number, no section
```

## 2 Toll
One coin.
"""


def test_a_rulebook_is_split_at_its_numbered_headings() -> None:
    sections = Rulebook.parse(MARKDOWN).sections
    assert ["1", "1.1", "2"] == list(sections)
    assert Section("1", "Aim", "Go far.") == sections["1"]
    assert Section("2", "Toll", "One coin.") == sections["2"]


def test_a_heading_without_a_number_belongs_to_its_section() -> None:
    assert "## no number, no section" in Rulebook.parse(MARKDOWN).sections["1.1"].text


def test_a_text_without_numbered_headings_has_no_sections() -> None:
    assert {} == Rulebook.parse("# Toll\n\nJust a text.").sections


def test_a_rulebook_is_read_from_the_folder_of_its_game_modules() -> None:
    assert "Toll" == Rulebook.of("tests.engine.toys").sections["3"].heading


def test_paragraphs_and_list_items_become_one_line_each_and_tables_are_kept() -> None:
    markdown = "## 1 One\nA long\nline.\n\n* first\n  item\n* second\n\n| a |\n|---|\n| b |\n\n```\nx\n  y\n```\nend"
    text = "A long line.\n\n* first item\n* second\n\n| a |\n|---|\n| b |\n\n```\nx\n  y\n```\nend"
    assert text == Rulebook.parse(markdown).sections["1"].text


def test_the_conditions_of_a_heading_apply_to_its_subsections() -> None:
    sections = Rulebook.parse("## 1 Trade {trading=yes}\nA\n### 1.1 Teams {seats=4, teams=on}\nB\n## 2 End\nC").sections
    assert Section("1", "Trade", "A", (("trading", "yes"),)) == sections["1"]
    assert Section("1.1", "Teams", "B", (("trading", "yes"), ("seats", "4"), ("teams", "on"))) == sections["1.1"]
    assert () == sections["2"].only_with


def test_words_for_an_option_appear_only_with_the_option_and_leave_no_gap() -> None:
    section = Rulebook.parse(
        "## 1 Play\nYou {open=yes: may | must not} look.\n{lap=1, open=no: Once. | lap=2: Twice.}\n\n"
        "* {open=yes: **Open:** all see.}\n* one\n\n{open=yes: Last.}"
    ).sections["1"]
    assert "You must not look.\n\n* one" == section.text, "as with no option of those that are named"
    assert section.text == section.read(lambda terms: terms == (("lap", "1"),)), "both terms must hold"
    with_both = section.read(lambda terms: set(terms) <= {("open", "yes"), ("lap", "2")})
    assert "You may look. Twice.\n\n* **Open:** all see.\n* one\n\nLast." == with_both


def test_a_section_contains_its_subsections_only() -> None:
    rulebook = Rulebook.parse("## 1 A\na\n### 1.1 B\nb\n## 10 C\nc\n### 10.1 D\nd")
    assert ["1", "1.1"] == [section.number for section in rulebook.within("1")]
    assert ["10.1"] == [section.number for section in rulebook.within("10.1")]
    assert () == rulebook.within("3")
    assert ["1", "10"] == [section.number for section in rulebook.chapters]


@pytest.mark.parametrize("spec", discover().values(), ids=lambda spec: spec.slug)
@pytest.mark.parametrize("code", languages())
def test_wrapped_source_lines_of_the_rules_never_become_quotes(spec: GameSpec, code: str) -> None:
    with reading(language_of(code)):
        sections = spec.rulebook.translated.sections.values()
        assert [] == [section.number for section in sections if re.search(r"^\s*>", section.text, re.MULTILINE)]


@pytest.mark.parametrize("spec", discover().values(), ids=lambda spec: spec.slug)
@pytest.mark.parametrize("code", languages())
def test_the_rules_have_the_apostrophes_of_all_other_texts(spec: GameSpec, code: str) -> None:
    with reading(language_of(code)):
        sections = spec.rulebook.translated.sections.values()
        assert [] == [section.number for section in sections if "'" in section.text]
