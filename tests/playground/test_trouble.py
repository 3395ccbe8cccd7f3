"""Deliberate failures: crashes, lost responses, broken rules, and how a strict playground reports them."""

from __future__ import annotations

import asyncio
import os
import signal

import aiohttp
import pytest

from playground.botprocess import BotProcess
from playground.harness import Playground, RulesBroken
from playground.interactions import PATIENCE
from playground.notifier import HANG
from playground.player import ExpectationFailed, Player
from tests.playground.conftest import TRIAL
from tests.playground.rawbot import RawBot


@pytest.fixture
def ana(local: Playground, trial: BotProcess) -> Player:
    """Ana, with a bot for this test only."""
    return local.player("Ana")


async def test_dynamic_items_still_work_after_kill_9(ana: Player, local: Playground, trial: BotProcess) -> None:
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
    again = local.repeat_interaction()
    await local.discord.notifier.until(lambda: len(again.callbacks_tried) == 2)
    assert again.callbacks_tried == [200, 400]


async def test_exceeded_limit_is_refused_and_recorded_as_a_violation(ana: Player, local: Playground) -> None:
    seen = await ana.slash("trial overstep")
    assert seen is not None
    assert seen.text == "Refused: 50035"
    assert any("content: must be 0 to 2000 characters long, has 2001" in text for text in local.violations)
    local.allow("2001|2000")


async def test_edits_of_an_old_message_are_limited(ana: Player, local: Playground) -> None:
    posted = await ana.slash("trial post", text="old")
    assert posted is not None
    message = next(seen for seen in ana.messages if seen.text == "old")
    local.clock.advance(3700)
    local.discord.old_edit_limit = 1
    first = await ana.slash("trial edit", message=str(message.id), text="one")
    second = await ana.slash("trial edit", message=str(message.id), text="two")
    assert first is not None
    assert second is not None
    assert (first.text, second.text) == ("Edited", "Refused: 429/30046")


async def test_a_retry_after_a_lost_answer_does_not_post_twice(ana: Player, local: Playground) -> None:
    local.fault("POST /channels/*/messages", 502, after=True)
    await ana.slash("trial post", text="once")
    assert [seen.text for seen in ana.messages].count("once") == 1
    assert local.requests["POST /channels/{channel_id}/messages"] == 2


async def test_the_bot_waits_out_a_rate_limit(ana: Player, local: Playground) -> None:
    local.fault("POST /channels/*/messages", 429)
    seen = await ana.slash("trial post", text="patient")
    assert seen is not None
    assert seen.text == "Posted"


POST = "POST /channels/*/messages"


def posts(local: Playground) -> int:
    return local.requests["POST /channels/{channel_id}/messages"]


def words(ana: Player) -> list[str]:
    """The public messages of the channel."""
    return [seen.text for seen in ana.messages if not seen.ephemeral]


async def test_refusals_continue_until_the_fault_is_lifted(ana: Player, local: Playground) -> None:
    fault = local.fault(POST, 503, times=None)
    for text in ("one", "two"):
        assert (await ana.slash("trial post", text=text)).text == "Refused: 503/0"
    local.lift(POST)
    assert (await ana.slash("trial post", text="three")).text == "Posted"
    assert fault.struck == 2
    assert words(ana) == ["three"]


@pytest.mark.parametrize("status", [403, 429, 502])
async def test_a_proxy_error_responds_with_an_html_page(local: Playground, status: int) -> None:
    local.fault("GET /users/@me", status, html=True)
    async with aiohttp.ClientSession() as session:
        bot = {"Authorization": f"Bot {local.discord.token}"}
        async with session.get(f"{local.base_url}/api/v10/users/@me", headers=bot) as response:
            page = await response.text()
    assert (response.status, response.content_type) == (status, "text/html")
    assert "Via" not in response.headers
    assert page.startswith("<html>")


@pytest.mark.parametrize("after", [False, True])
async def test_a_cut_fault_closes_the_connection_without_an_answer(
    ana: Player, local: Playground, trial: BotProcess, after: bool
) -> None:
    local.allow("bot log|no answer within")
    local.fault(POST, cut=True, after=after)
    act = asyncio.create_task(ana.slash("trial post", text="lost"))
    await local.discord.notifier.until(lambda: "ServerDisconnectedError" in trial.tail())
    assert words(ana) == (["lost"] if after else [])
    assert posts(local) == 1
    act.cancel()


@pytest.mark.parametrize("after", [False, True])
async def test_a_hanging_request_is_served_when_it_is_released(ana: Player, local: Playground, after: bool) -> None:
    fault = local.fault(POST, hang=True, after=after)
    act = asyncio.create_task(ana.slash("trial post", text="late"))
    await local.wait_for_fault(fault)
    local.clock.advance(600)
    assert words(ana) == (["late"] if after else [])
    local.release(POST)
    assert (await act).text == "Posted"
    assert words(ana) == ["late"]


async def test_a_late_edit_after_a_silent_acknowledgment_still_counts_as_the_answer(
    ana: Player, local: Playground
) -> None:
    board = await ana.slash("trial board")
    fault = local.fault("PATCH /webhooks/*", hang=True)
    tap = asyncio.create_task(ana.tap("Later", on=board))
    await local.wait_for_fault(fault)
    local.release()
    answer = await tap
    assert answer is not None
    assert "Ply **101**" in answer


async def test_only_the_named_route_is_released(ana: Player, local: Playground) -> None:
    fault = local.fault(POST, hang=True)
    act = asyncio.create_task(ana.slash("trial post", text="late"))
    await local.wait_for_fault(fault)
    local.release("POST /channels/1/messages")
    await ana.slash("trial whisper")
    assert words(ana) == []
    local.release()
    assert (await act).text == "Posted"


async def test_a_request_hanging_for_seconds_follows_the_clock_and_then_fails_as_ordered(
    ana: Player, local: Playground
) -> None:
    fault = local.fault(POST, 403, code=50013, hang=600)
    act = asyncio.create_task(ana.slash("trial post", text="late"))
    await local.wait_for_fault(fault)
    local.clock.advance(599)
    await ana.slash("trial whisper")
    assert not act.done()
    local.clock.advance(1)
    assert (await act).text == "Refused: 403/50013"


async def test_a_released_request_of_a_disconnected_bot_is_not_served(
    ana: Player, local: Playground, trial: BotProcess
) -> None:
    local.allow("did /trial")
    fault = local.fault(POST, hang=True)
    act = asyncio.create_task(ana.slash("trial post", text="lost"))
    await local.wait_for_fault(fault)
    act.cancel()
    await trial.kill()
    await local.start_bot(TRIAL)
    local.release()
    assert (await ana.slash("trial post", text="new")).text == "Posted"
    assert words(ana) == ["new"]


async def test_hanging_requests_end_with_the_playground() -> None:
    async with Playground() as local:
        async with RawBot(local) as bot:
            channel = local.channel("caravanserai")
            fault = local.fault(POST, hang=True)
            request = asyncio.create_task(bot.rest("POST", f"/channels/{channel.id}/messages", {"content": "lost"}))
            await local.wait_for_fault(fault)
            local.discord.faults.close()
            with pytest.raises(aiohttp.ServerDisconnectedError):
                await request
        assert channel.messages == []
        assert local.fault(POST, hang=True).struck == 0


@pytest.mark.parametrize("status", [401, 503])
async def test_a_fault_can_refuse_the_login(local: Playground, status: int) -> None:
    local.allow("bot")
    fault = local.fault("GET /users/@me", status, times=None)
    with pytest.raises(RuntimeError, match="ended with code 1"):
        await local.start_bot(TRIAL)
    assert fault.struck


async def test_a_token_reset_locks_the_bot_out_until_it_restarts_with_the_new_token(
    ana: Player, local: Playground, trial: BotProcess
) -> None:
    local.allow("bot")
    await local.reset_token()
    assert await asyncio.wait_for(trial.ended, HANG) == 1
    assert "4004" in trial.tail()
    async with RawBot(local) as stale:
        local.allow("4004")
        assert await stale.closed() == 4004
        assert (await stale.rest("GET", "/users/@me"))[0] == 401
    await local.start_bot(TRIAL)
    assert (await ana.slash("trial post", text="new")).text == "Posted"


async def test_strict_playground_reports_all_violations() -> None:
    with pytest.raises(RulesBroken) as caught:
        await _misbehave()
    text = str(caught.value)
    assert "- unknown route GET /nowhere" in text
    assert "- bot log: Traceback" in text
    assert "- no answer within 3 s: Ana did taps [Fail]" in text
    assert "Ana in #caravanserai: /trial stray" in text


async def _misbehave() -> None:
    async with Playground(patience=PATIENCE) as local:
        await local.start_bot(TRIAL)
        ana = local.player("Ana")
        await ana.slash("trial stray")
        await ana.slash("trial board")
        tap = asyncio.create_task(ana.tap("Fail"))
        await ana.until(lambda: any("Traceback" in text for text in local.violations))
        local.clock.advance(PATIENCE + 0.1)
        await asyncio.wait([tap])
        assert isinstance(tap.exception(), ExpectationFailed)


async def test_unexpected_exit_of_the_bot_is_a_violation(local: Playground, trial: BotProcess) -> None:
    os.kill(trial.pid, signal.SIGKILL)
    await local.discord.notifier.until(lambda: bool(local.violations))
    assert local.violations == ["the bot ended by itself with code -9"]
    local.allow("ended by itself")
