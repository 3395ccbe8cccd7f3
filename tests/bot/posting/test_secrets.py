"""Information hidden from a viewer changes not one byte that the bot would send them."""

from __future__ import annotations

import json
import logging
from random import Random

import pytest

from bot.features.play.drafting import TurnDraft
from bot.features.play.narrowing import agreeing, before, step
from bot.features.play.your_move_layouts import preview_layout, step_layout
from bot.posting.board_layouts import Body, board_layout
from bot.posting.board_texts import due_text, story
from bot.posting.pictures import describe
from bot.tables.table import Table
from engine.texts import Seat
from tests.bot.walks import CASES, name_of, table_of, walk
from tests.sampling import every

SECRETIVE = [(spec, seats) for spec, seats in CASES if spec.hands]
PICTURE = ("board.png", "its text twin is tested beside the pictures")


def sent_data(table: Table, viewer: Seat | None, since: int) -> str:
    """Everything that the bot sends to this viewer, as JSON: the board with the events since a version, and the text,
    and the own turn step by step with previews.
    """
    match = table.match
    narration = story(table, match.history(viewer, since=since), viewer)
    view = match.view(viewer)
    body = Body(
        table.spec.title, f"{view.game}-{view.ply}.png", PICTURE[1], narration, view.due, table.say(due_text(table))
    )
    parts = [describe(view, table.names), repr(view), board_layout(table, body, controls=True).to_components()]
    own = view.decision_of(viewer)
    if viewer is not None and own is not None:
        turn = TurnDraft(table, match, viewer, (), match)
        for words in {(), *((option.verb,) for option in own.options)}:
            now = step(own.options, words, turn.voice)
            back = before(own.options, now.prefix, turn.voice)
            assert agreeing(own.options, words)
            parts.append(step_layout(turn, own.prompt, now, back, PICTURE).to_components())
        for option in own.options[:: max(1, len(own.options) // 5)]:
            preview, next_turn = match.preview(viewer, option), turn.with_chosen((option,))
            narration = story(table, [(viewer, preview.events)], viewer)
            parts.append(preview_layout(next_turn, narration, PICTURE).to_components())
            parts.append(repr(preview))
    return json.dumps(parts, default=str, sort_keys=True)


@pytest.mark.parametrize(("spec", "seats"), SECRETIVE, ids=name_of)
async def test_no_byte_of_a_message_reveals_hidden_information(spec, seats, caplog):
    caplog.set_level(logging.DEBUG)
    rng, changed, since = Random(seats), 0, 0
    for number, table in enumerate(walk(spec, seats, "secrets")):
        if number % every(12):
            continue
        for viewer in (None, *map(Seat, range(seats))):
            other = table.match.copy()
            other.state = table.match.state.determinize(viewer, rng)
            changed += other.state != table.match.state
            assert sent_data(table, viewer, since) == sent_data(table_of(spec, seats, other), viewer, since)
        since = table.match.version
    assert changed > 0
    # the thread of a database that a test before has closed may still be saying so
    assert [] == [record.getMessage() for record in caplog.records if record.name != "aiosqlite"]
