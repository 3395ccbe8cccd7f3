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


def test_a_line_beside_a_question_is_never_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a narrow phone, some Italian sentences fit on no line, and give way to the choices that led there."""
    spec, lines = discover()["gangs"], list[str]()
    monkeypatch.setattr(phone, "LINE_WIDTH", 300)
    with reading(language_of("it")):
        for table in islice(walk(spec, 2, "screens"), 30):
            for turn, then in turns_with_another_question(table):
                now = step(then.options, (), turn.voice)
                question = heading(turn, then.prompt, now)
                effects = effects_of(turn, now, None, question)
                assert not CUT.search(effects), effects
                if lines_left(now, step_controls(turn, None), question) == 1:
                    lines.append(effects)
    assert all(lines)
    assert {True, False} == {line.startswith("-# ✓") for line in lines}, "there are both kinds of lines"


def turns_with_another_question(table: Table) -> Iterator[tuple[TurnDraft, Decision]]:
    """The turns after each kind of first choice that ask their player again, with that question."""
    assert table.match is not None
    for decision in table.match.state.decisions():
        turn = TurnDraft(table, table.match, decision.seat, (), table.match)
        for option in {option.verb: option for option in decision.options}.values():
            next_turn = turn.with_chosen((option,))
            if (then := next_turn.decision) is not None:
                yield next_turn, then


def preview_of(
    monkeypatch: pytest.MonkeyPatch, *, is_plan: bool = False, next_up: tuple[str, str] = ("", ""), **words: str
) -> list[str]:
    """A preview below a note and a question, on a phone with room for two more lines; a “/” begins another line."""
    for name in ("choices", "lines_of_effects", "untold"):
        monkeypatch.setattr(choosing, f"_{name}", lambda *_, name=name: words.get(name, "").replace("/", "\n"))
    monkeypatch.setattr(choosing, "_next_up", lambda *_: tuple(text.replace("/", "\n") for text in next_up))
    monkeypatch.setattr(choosing, "PREVIEW_LINES", 4)
    turn: Any = SimpleNamespace(is_plan=is_plan, say=str)
    view: Any = None
    note, question, *lines = preview_words(turn, view, Text("Play this?"), "a note").splitlines()
    assert ("a note", "Play this?") == (note, question)
    return lines


NEXT, ODDS, LONG_ODDS = "a draw", "a draw/its odds", "a draw/its odds/more odds"


@pytest.mark.parametrize(
    ("texts", "lines"),
    [
        ({"choices": "place A", "next_up": (NEXT, NEXT)}, ["place A", "a draw"]),
        ({"choices": "place A", "next_up": (NEXT, ODDS)}, ["a draw", "its odds"]),
        ({"choices": "place A", "next_up": (NEXT, LONG_ODDS)}, ["place A", "a draw"]),
        ({"choices": "place A/and B", "next_up": (NEXT, NEXT)}, ["place A", "and B", "a draw"]),
        ({"choices": "place A", "lines_of_effects": "A rises", "next_up": (NEXT, ODDS)}, ["A rises", "a draw"]),
        ({"choices": "place A", "untold": "+2", "next_up": (NEXT, NEXT)}, ["place A", "a draw"]),
        ({"choices": "place A", "untold": "+2"}, ["place A", "+2"]),
        ({"choices": "place A", "next_up": (NEXT, ODDS), "is_plan": True}, ["place A"]),
    ],
    ids=[
        "all fits",
        "odds instead of the choices",
        "no odds that do not fit",
        "choices and what follows always",
        "effects rather than odds",
        "no untold effect that does not fit",
        "an untold effect that fits",
        "nothing follows a plan",
    ],
)
def test_a_preview_leaves_out_what_a_phone_has_no_room_for(
    monkeypatch: pytest.MonkeyPatch, texts: dict[str, Any], lines: list[str]
) -> None:
    assert lines == preview_of(monkeypatch, **texts)
