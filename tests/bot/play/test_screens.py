"""A learner's question fits on a phone with the whole board, in every language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from bot.features.play.choosing import effects_of
from bot.features.play.drafting import TurnDraft
from bot.features.play.narrowing import before, step
from bot.features.play.your_move_layouts import heading, step_layout
from bot.tables.table import Table
from engine.core import GameSpec
from engine.languages import reading
from engine.texts import Seat
from locales import language_of, languages
from playground.components import SELECTS, Kind
from playground.wire import Json
from tests.bot.walks import CASES, name_of, steps, walk
from tests.playthroughs.taps import SCREEN, height_of
from tests.sampling import every

PICTURE = ("board.png", "A board")

EVERY = 12
"""Step between the checked positions."""


def set_drafts(table: Table, drafts: Mapping[Seat, Any]) -> None:
    table.facts = replace(table.facts, drafts=drafts)


def questions(spec: GameSpec, seats: int) -> Iterator[list[Json]]:
    """All messages with a question for a learner, at the beginning of a turn and after each first choice."""
    for number, table in enumerate(walk(spec, seats, "screens")):
        match = table.match
        if number % EVERY:
            continue
        for decision in match.state.decisions():
            turn = TurnDraft(table, match, decision.seat, (), match)
            for now in steps(decision, turn.voice):
                back = before(decision.options, now.prefix, turn.voice)
                yield step_layout(turn, decision.prompt, now, back, PICTURE, coached=True, more=True).to_components()
            for option in {option.verb: option for option in decision.options}.values():
                next_turn = turn.with_chosen((option,))
                set_drafts(table, {next_turn.seat: next_turn.draft})
                if (then := next_turn.decision) is not None:
                    now = step(then.options, (), next_turn.voice)
                    effects = effects_of(next_turn, now, None, heading(next_turn, then.prompt, now))
                    message = step_layout(next_turn, then.prompt, now, None, PICTURE, "", effects, coached=True)
                    yield message.to_components()
                set_drafts(table, {})


def repeats_its_question(message: list[Json]) -> bool:
    """Whether a menu has the heading of the message as its title."""
    texts = [part["content"] for part in message if part["type"] == Kind.TEXT_DISPLAY]
    rows = [control for part in message for control in part.get("components", ())]
    titles = {f"### {menu['placeholder']}" for menu in rows if menu["type"] in SELECTS}
    return any(line in titles for text in texts for line in text.splitlines())


@pytest.mark.parametrize(
    ("spec", "seats", "language"),
    [
        (*case, language)
        for n, case in enumerate(CASES)
        for k, language in enumerate(languages())
        if (n + k) % every(2) == 0
    ],
    ids=name_of,
)
def test_a_learner_sees_the_whole_board_above_each_question_and_reads_it_once(
    spec: GameSpec, seats: int, language: str
) -> None:
    with reading(language_of(language)):
        messages = list(questions(spec, seats))
    tallest = max(messages, key=height_of)
    assert height_of(tallest) <= SCREEN, tallest
    assert [] == [message for message in messages if repeats_its_question(message)]
