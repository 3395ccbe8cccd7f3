"""Odd payloads: a sample of what `python -m tests.fuzz.odd_payloads` tries."""

from __future__ import annotations

import os
from random import Random

from tests.bot.app import App
from tests.fuzz.odd_payloads import fuzz


async def test_odd_payloads_neither_end_the_bot_nor_leave_a_user_without_an_answer(app: App) -> None:
    app.local.allow("left unanswered")  # an interaction without an id or a token
    result = await fuzz(app, ["jinns"], turns=2, most=120, luck=Random(os.environ.get("FUZZ", "1")))
    assert 120 == result.tried.total()
    assert [] == result.failures, str(result)
