"""Text is enough for a user without pictures, buttons and menus.

They read the message of *As text*, say one of the phrases that it lists by `/game move`, and confirm.
"""

from __future__ import annotations

from random import Random

import pytest

from engine.core import GameSpec
from engine.games import discover
from playground.player import Player, Seen
from tests.bot.app import App
from tests.bot.reading import phrases
from tests.bot.walks import name_of
from tests.robots import BOARD, due_users, is_over
from tests.sampling import EVERYTHING

ENOUGH = 400 if EVERYTHING else 10
"""Decisions after which a game is left as it stands."""


@pytest.mark.parametrize("spec", discover().values(), ids=name_of)
async def test_a_game_can_be_played_with_text_only(app: App, spec: GameSpec) -> None:
    room, rng = app.room(), Random(spec.slug)
    ana = room.person("Ana")
    await ana.slash("table new", game=spec.slug)
    for _ in range(spec.seats[0] - 1):
        await ana.tap("Add computer")
    await ana.tap("Start")
    board, made = await room.onlooker.expect(BOARD), 0
    while not is_over(board) and made < ENOUGH:
        assert [ana.id] == due_users(board)
        made += await _take_turn(ana, rng)
        board = await room.onlooker.expect(BOARD, after=board)
    assert is_over(board) or made >= ENOUGH
    written = app.query("SELECT count(*) FROM entries WHERE interaction_id IS NOT NULL")
    assert [(made,)] == written, "each phrase was one decision"


async def _take_turn(person: Player, rng: Random) -> int:
    """Decide until the board comes. Returns how many decisions that took."""
    made, is_question = 0, True
    while is_question:
        text = await person.slash("game board", **{"as": "text"})
        phrase = rng.choice(phrases(text.text))
        preview = await person.slash("game move", what=phrase)
        assert "Confirm" in preview.labels, f"{phrase!r} is answered by {preview.text!r}"
        answer = await person.tap("Confirm", on=preview)
        made, is_question = made + 1, _asks(answer)
    return made


def _asks(answer: Seen) -> bool:
    """Whether there is something else to decide before the board comes."""
    return "Cancel" in answer.labels
