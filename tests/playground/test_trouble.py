"""Trouble on purpose: crashes, lost answers, broken rules, and how a strict playground tells of them."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from playground.botprocess import BotProcess
from playground.harness import Playground, Unclean
from playground.player import Disappointed, Player
from tests.playground.conftest import TRIAL


@pytest.fixture
def ana(local: Playground, trial: BotProcess) -> Player:
    """Ana, with a bot for this test alone."""
    return local.player("Ana")


async def test_dynamic_items_answer_after_kill_9(ana: Player, local: Playground, trial: BotProcess) -> None:
    board = await ana.slash("trial board")
    assert board is not None
    await trial.kill()
    assert trial.returncode == -9
    await local.start_bot(TRIAL)
    after = await ana.tap("Next", on=board)
    assert after is not None
    assert "Ply **2**" in after


async def test_interaction_delivered_twice_reaches_the_handler_twice(ana: Player, local: Playground) -> None:
    local.allow("bot log")
    await ana.slash("trial whisper")
    assert await local.repeat_interaction() == 400


async def test_broken_limit_is_refused_and_remembered(ana: Player, local: Playground) -> None:
    seen = await ana.slash("trial overstep")
    assert seen is not None
    assert seen.text == "Refused: 50035"
    assert any("content: must be 0 to 2000 characters long, has 2001" in text for text in local.violations)
    local.allow("2001|2000")


async def test_old_message_takes_only_so_many_edits(ana: Player, local: Playground) -> None:
    posted = await ana.slash("trial post", text="old")
    assert posted is not None
    message = next(seen for seen in ana.messages if seen.text == "old")
    local.clock.advance(3700)
    local.limit_old_edits(1)
    first = await ana.slash("trial edit", message=str(message.id), text="one")
    second = await ana.slash("trial edit", message=str(message.id), text="two")
    assert first is not None
    assert second is not None
    assert (first.text, second.text) == ("Edited", "Refused: 429/30046")


async def test_lost_answer_does_not_post_twice(ana: Player, local: Playground) -> None:
    local.fault("POST /channels/*/messages", 502, after=True)
    await ana.slash("trial post", text="once")
    assert [seen.text for seen in ana.messages].count("once") == 1
    assert local.requests["POST /channels/{channel_id}/messages"] == 2


async def test_rate_limit_is_waited_out(ana: Player, local: Playground) -> None:
    local.fault("POST /channels/*/messages", 429)
    seen = await ana.slash("trial post", text="patient")
    assert seen is not None
    assert seen.text == "Posted"


async def test_strict_playground_reports_what_went_wrong() -> None:
    with pytest.raises(Unclean) as caught:
        await _misbehave()
    text = str(caught.value)
    assert "- unknown route GET /nowhere" in text
    assert "- bot log: Traceback" in text
    assert "- no answer within 3 s: Ana did taps [Fail]" in text
    assert "Ana in #caravanserai: /trial stray" in text


async def _misbehave() -> None:
    async with Playground() as local:
        await local.start_bot(TRIAL)
        ana = local.player("Ana")
        await ana.slash("trial stray")
        await ana.slash("trial board")
        tap = asyncio.create_task(ana.tap("Fail"))
        await ana.until(lambda: any("Traceback" in text for text in local.violations))
        local.clock.advance(3.1)
        await asyncio.wait([tap])
        assert isinstance(tap.exception(), Disappointed)


async def test_disappointment_tells_the_story(ana: Player) -> None:
    await ana.slash("trial whisper")
    with pytest.raises(Disappointed, match=r"Ana to see 'never written'[^$]*Ana in #caravanserai: /trial whisper"):
        await ana.expect("never written", timeout=0.01)


async def test_bot_that_dies_by_itself_is_a_violation(local: Playground, trial: BotProcess) -> None:
    os.kill(trial.pid, signal.SIGKILL)
    await local.discord.bell.until(lambda: bool(local.violations), patience=5)
    assert local.violations == ["the bot ended by itself with code -9"]
    local.allow("ended by itself")
