"""The gateway: greeting, replay, refusals, and discord.py's recovery from each kind of failure."""

from __future__ import annotations

import aiohttp
import pytest

from playground.botprocess import BotProcess
from playground.faults import Fault
from playground.gateway import LATE_DELAY
from playground.harness import Playground
from playground.wire import TOKEN
from tests.playground.rawbot import RawBot


async def test_guild_is_first_announced_as_unavailable(raw: RawBot, local: Playground) -> None:
    ready = await raw.event("READY")
    assert ready["guilds"] == [{"id": str(local.discord.world.guild_id), "unavailable": True}]
    assert ready["resume_gateway_url"].startswith("ws://127.0.0.1:")
    guild = await raw.event("GUILD_CREATE")
    assert [name for name, _ in raw.events[:2]] == ["READY", "GUILD_CREATE"]
    assert {channel["name"] for channel in guild["channels"]} == {"caravanserai", "second-table"}


async def test_without_the_members_intent_the_guild_lists_only_the_bot(raw: RawBot) -> None:
    guild = await raw.event("GUILD_CREATE")
    assert [member["user"]["username"] for member in guild["members"]] == ["caravanserai"]


async def test_wrong_token_closes_with_4004(local: Playground) -> None:
    local.allow("4004")
    async with RawBot(local, token="wrong") as bot:
        assert await bot.closed() == 4004


async def test_privileged_intent_closes_with_4014_until_granted(local: Playground) -> None:
    local.allow("4014")
    async with RawBot(local, intents=1 << 15) as bot:
        assert await bot.closed() == 4014
    local.grant_intents("MESSAGE_CONTENT")
    async with RawBot(local, intents=1 << 15) as bot:
        await bot.event("READY")


async def test_request_before_identify_closes_with_4003(local: Playground) -> None:
    local.allow("4003")
    async with aiohttp.ClientSession() as session, session.ws_connect(local.base_url + "/gateway/") as socket:
        await socket.receive()
        await socket.send_json({"op": 8, "d": {}})
        await socket.receive()
        assert socket.close_code == 4003


async def test_events_outside_the_intents_are_not_sent(local: Playground) -> None:
    async with RawBot(local, intents=1) as bot:
        await bot.event("GUILD_CREATE")
        await local.player("Ana").say("hello")
        local.add_channel("annex")
        await bot.event("CHANNEL_CREATE")
        assert not [name for name, _ in bot.events if name.startswith("MESSAGE")]


async def test_message_content_of_others_is_withheld_without_the_content_intent(raw: RawBot, local: Playground) -> None:
    ana = local.player("Ana")
    await ana.say("a secret plan")
    withheld = await raw.event("MESSAGE_CREATE")
    assert withheld["content"] == ""
    bot_id = local.discord.world.bot.id
    await ana.say(f"<@{bot_id}> listen")
    await raw.event("MESSAGE_CREATE", lambda data: data["content"].endswith("listen"))
    await ana.in_dm().say("just us")
    await raw.event("MESSAGE_CREATE", lambda data: data["content"] == "just us")


async def test_resume_replays_missed_events(raw: RawBot, local: Playground) -> None:
    ready = await raw.event("READY")
    await raw.event("GUILD_CREATE")
    seq = raw.seq
    await raw.socket.close(code=4000)
    await local.player("Ana").say("while you were away")
    raw.events.clear()
    await raw.connect()
    await raw.send(6, {"token": local.discord.token, "session_id": ready["session_id"], "seq": seq})
    await raw.event("RESUMED")
    assert [name for name, _ in raw.events] == ["MESSAGE_CREATE", "RESUMED"]


async def test_resuming_a_forgotten_session_is_invalid(raw: RawBot, local: Playground) -> None:
    ready = await raw.event("READY")
    await raw.socket.close(code=4000)
    local.gateway.forget()
    await raw.connect()
    await raw.send(6, {"token": local.discord.token, "session_id": ready["session_id"], "seq": 1})
    assert (await raw.opcode(9))["d"] is False


@pytest.mark.parametrize(("code", "resumed"), [(4000, True), (4004, False), (4013, False), (4014, False)])
async def test_the_close_code_decides_whether_the_session_can_resume(
    raw: RawBot, local: Playground, code: int, resumed: bool
) -> None:
    ready = await raw.event("READY")
    await local.gateway.close(code)
    assert await raw.closed() == code
    await raw.connect()
    await raw.send(6, {"token": local.discord.token, "session_id": ready["session_id"], "seq": 1})
    await (raw.event("RESUMED") if resumed else raw.opcode(9))
    assert local.gateway.resumed == resumed


FATES = {
    "lost": ["two", "three"],
    "twice": ["one", "one", "two", "three"],
    "behind the next": ["two", "one", "three"],
    "late": ["two", "three", "one"],
}


@pytest.mark.parametrize("fate", FATES)
async def test_a_fault_can_lose_repeat_reorder_or_delay_a_single_event(
    raw: RawBot, local: Playground, fate: str
) -> None:
    await raw.event("GUILD_CREATE")
    local.discord.faults.order(Fault("EVENT CHANNEL_CREATE", fate=fate))
    for name in ("one", "two", "three"):
        local.add_channel(name)
    local.clock.advance(LATE_DELAY)
    local.add_channel("last")
    await raw.event("CHANNEL_CREATE", lambda channel: channel["name"] == "last")
    assert [*FATES[fate], "last"] == [data["name"] for event, data in raw.events if event == "CHANNEL_CREATE"]


async def test_resuming_replays_events_lost_on_a_silent_connection(raw: RawBot, local: Playground) -> None:
    ready = await raw.event("READY")
    await raw.event("GUILD_CREATE")
    seq = raw.seq
    local.discord.faults.order(Fault("EVENT CHANNEL_CREATE", fate="deaf"))
    local.add_channel("unheard")
    await raw.connect()
    await raw.send(6, {"token": TOKEN, "session_id": ready["session_id"], "seq": seq})
    await raw.event("RESUMED")
    assert 1 == [event for event, _ in raw.events].count("CHANNEL_CREATE")


async def test_members_can_be_requested(raw: RawBot, local: Playground) -> None:
    await raw.event("READY")
    await raw.send(8, {"guild_id": str(local.discord.world.guild_id), "query": "an", "limit": 5})
    chunk = await raw.event("GUILD_MEMBERS_CHUNK")
    assert [member["user"]["global_name"] for member in chunk["members"]] == ["Ana"]


@pytest.mark.parametrize("trouble", ["op 7", "close 4000", "close 1001", "cut"])
async def test_discord_py_resumes_and_keeps_working(local: Playground, trial: BotProcess, trouble: str) -> None:
    before = local.gateway.resumed
    match trouble:
        case "op 7":
            local.gateway.reconnect()
        case "cut":
            local.gateway.hang_up()
        case _:
            await local.gateway.close(int(trouble.split()[1]))
    await local.discord.notifier.until(lambda: local.gateway.resumed > before)
    seen = await local.player("Ana").slash("trial whisper")
    assert seen is not None
    assert "secret" in seen
    assert local.gateway.identified == 1
