"""The text of a preview fits on a phone, and tells every effect of a choice to its end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest

from bot.features.play import choosing
from bot.features.play.choosing import PREVIEW_LINES, effects_of, preview_words
from bot.features.play.drafting import TurnDraft
from bot.features.play.narrowing import step
from bot.features.play.your_move_layouts import LIKE_THIS, heading, lines_left, step_controls
from bot.interactions import phone
from bot.interactions.phone import lines_of
from bot.posting.board_texts import recap
from bot.tables.table import Table
from engine.core import Decision
from engine.games import discover
from engine.languages import reading
from engine.texts import Text
from locales import language_of
from tests.bot.walks import CASES, name_of, walk

CUT = re.compile(r" …$", re.MULTILINE)


def previews_before_luck(spec, seats) -> Iterator[tuple[TurnDraft, str]]:
    for table in walk(spec, seats, "previews"):
        match = table.match
        for decision in match.state.decisions():
            turn = TurnDraft(table, match, decision.seat, (), match)
            by_verb = {option.verb: option for option in decision.options}
            for option in by_verb.values():
                next_turn = turn.with_chosen((option,))
                view = next_turn.ahead.view(next_turn.seat, since=match.version, preview=True)
                if view.luck_next:
                    yield next_turn, preview_words(next_turn, view, LIKE_THIS)


@pytest.mark.parametrize(("spec", "seats"), CASES, ids=name_of)
def test_odds_never_cut_an_effect_from_a_preview(spec, seats):
    for _, words in previews_before_luck(spec, seats):
        assert not CUT.search(words), words
        assert lines_of(words) <= PREVIEW_LINES, words


@pytest.mark.parametrize(("spec", "seats"), CASES, ids=name_of)
def test_odds_never_take_the_place_of_the_effects_of_a_choice(spec, seats):
    for turn, words in previews_before_luck(spec, seats):
        effects = recap(turn.table, turn.seat, turn.ahead.history(turn.seat, since=turn.match.version), most=1)
        before_luck, _, _ = words.partition("🎲 After")
        assert len(before_luck.splitlines()) > bool(effects), words


def test_the_preview_of_a_move_says_what_it_does_to_the_scores():
    tables = walk(discover()["jinns"], 2, "scores")
    table = next(table for table in tables if table.match.state.decisions()[0].options[0].verb == "move")
    decision = table.match.state.decisions()[0]
    turn = TurnDraft(table, table.match, decision.seat, (), table.match).with_chosen(decision.options[:1])
    view = turn.ahead.view(turn.seat, since=table.match.version, preview=True)
    _, moved, points, _ = preview_words(turn, view, LIKE_THIS).splitlines()
    assert "You move Y3 from 0 to 29." in moved
    assert points.startswith("-# +3 for you, −3 for 🟦 ")


def test_a_single_line_beside_a_question_is_never_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a narrow phone, some Italian sentences fit on no line, and none of them is shown in part."""
    spec, cut = discover()["gangs"], 0
    monkeypatch.setattr(phone, "LINE_WIDTH", 300)
    with reading(language_of("it")):
        for table in islice(walk(spec, 2, "screens"), 30):
            for turn, then in turns_with_another_question(table):
                now = step(then.options, (), turn.voice)
                question = heading(turn, then.prompt, now)
                effects = effects_of(turn, now, None, question)
                assert lines_of(effects) != 1 or not CUT.search(effects), effects
                cut += lines_left(now, step_controls(turn, None), question) == 1 and not effects
    assert cut, "there are such sentences"


def turns_with_another_question(table: Table) -> Iterator[tuple[TurnDraft, Decision]]:
    """The turns after each kind of first choice that ask their player again, with that question."""
    assert table.match is not None
    for decision in table.match.state.decisions():
        turn = TurnDraft(table, table.match, decision.seat, (), table.match)
        for option in {option.verb: option for option in decision.options}.values():
            next_turn = turn.with_chosen((option,))
            if (then := next_turn.decision) is not None:
                yield next_turn, then


@pytest.mark.parametrize(
    ("choices", "effects", "untold", "after", "odds", "lines"),
    [
        ("A", "", "", "B", "B", "A B"),
        ("A", "", "", "B", "B odds", "B odds"),
        ("A", "", "", "B", "B-odds", "A B-odds"),
        ("A a", "", "", "B", "B", "A a B"),
        ("A a", "", "", "B", "B odds more", "A a B"),
        ("A", "E", "", "B", "B odds", "E B"),
        ("A", "E", "", "B", "B-odds", "E B-odds"),
        ("A", "", "U", "B", "B", "A B"),
        ("A", "", "U", "", "", "A U"),
    ],
)
def test_a_preview_leaves_out_what_a_phone_has_no_room_for(
    monkeypatch: pytest.MonkeyPatch, choices: str, effects: str, untold: str, after: str, odds: str, lines: str
) -> None:
    words = {"_choices": choices, "_lines_of_effects": effects, "_untold": untold}
    for name, text in words.items():
        monkeypatch.setattr(choosing, name, lambda *_, text=text: "\n".join(text.split()))
    monkeypatch.setattr(choosing, "_next_up", lambda *_: tuple("\n".join(text.split()) for text in (after, odds)))
    monkeypatch.setattr(choosing, "PREVIEW_LINES", 4)
    turn: Any = SimpleNamespace(is_plan=False, say=str)
    view: Any = None
    expected = ["the note", "Well?", *lines.split()]
    assert expected == preview_words(turn, view, Text("Well?"), "the note").splitlines()
    turn.is_plan = True
    assert after not in preview_words(turn, view, Text("Well?")).splitlines() or not after, "nothing follows a plan"
