"""Rules in the chat: no broken lines, no tables, and nothing cut off in silence."""

from __future__ import annotations

import pytest

from bot.errors import Sorry
from bot.rules import PAGE, chat_markdown, rules_text
from engine.games import discover

SPECS = discover().values()


def test_a_table_becomes_aligned_columns():
    text = "so\n| name | n |\n|---|---|\n| piper | 10 |\n| S | 2 |\nthen"
    assert "so\n```\nname   n\npiper  10\nS      2\n```\nthen" == chat_markdown(text)


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


def test_no_section_is_longer_than_a_page():
    longest = max(len(chat_markdown(s.text)) for spec in SPECS for s in spec.rulebook.sections.values())
    assert longest < PAGE


def test_a_section_that_does_not_exist_is_named():
    with pytest.raises(Sorry, match="no section 99"):
        rules_text(discover()["muscat"], "99")
