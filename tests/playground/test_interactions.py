"""The life cycle of an interaction, with the clock under the test's control."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from playground import interactions
from playground.harness import Playground, RulesBroken
from playground.interactions import LIFETIME, PATIENCE
from playground.local import LocalDiscord
from playground.notifier import HANG
from playground.options import CannotDo
from playground.permissions import Permission
from playground.player import ExpectationFailed, Player
from tests.playground.conftest import TRIAL
from tests.playground.rawbot import RawBot

EPHEMERAL = 64


@pytest.fixture
def ana(local: Playground) -> Player:
    return local.player("Ana")


async def start_interaction(raw: RawBot, ana: Player) -> tuple[Any, asyncio.Task[Any]]:
    """Ana uses /go. Returns the event and the task that waits for her response."""
    task = asyncio.create_task(ana.slash("go"))
    return await raw.event("INTERACTION_CREATE"), task


async def test_event_carries_the_fields_that_discord_py_indexes(raw: RawBot, ana: Player) -> None:
    event, task = await start_interaction(raw, ana)
    needed = {"id", "type", "token", "version", "application_id", "attachment_size_limit", "channel", "member"}
    assert needed | {"guild", "context", "authorizing_integration_owners", "app_permissions"} <= event.keys()
    assert "permissions" in event["member"]
    assert "guild_id" not in event["data"], "global commands carry no guild id in their data"
    await raw.answer(event, 4, {"content": "done"})
    await task


async def test_answer_reaches_the_user_and_returns_its_message(raw: RawBot, ana: Player) -> None:
    event, task = await start_interaction(raw, ana)
    status, answer = await raw.answer(event, 4, {"content": "Welcome"})
    seen = await task
    assert (status, seen.text) == (200, "Welcome")
    assert answer["resource"]["message"]["id"] == str(seen.id)


async def test_deferral_has_no_resource(raw: RawBot, ana: Player) -> None:
    event, task = await start_interaction(raw, ana)
    _, answer = await raw.answer(event, 5)
    assert "resource" not in answer
    await raw.webhook(event, "PATCH", "/messages/@original", {"content": "late"})
    assert (await task).text == "late"


async def test_second_acknowledgment_is_refused(raw: RawBot, ana: Player) -> None:
    event, task = await start_interaction(raw, ana)
    await raw.answer(event, 4, {"content": "one"})
    status, answer = await raw.answer(event, 4, {"content": "two"})
    assert (status, answer["code"]) == (400, 40060)
    await task


async def test_an_interaction_expires_after_three_seconds() -> None:
    async with Playground(patience=PATIENCE) as local, RawBot(local) as raw:
        await raw.register({"name": "go"})
        local.allow("no answer within 3 s")
        event, task = await start_interaction(raw, local.player("Ana"))
        local.clock.advance(PATIENCE + 0.1)
        with pytest.raises(ExpectationFailed, match=r"did not answer /go within 3 s"):
            await task
        status, answer = await raw.answer(event, 4, {"content": "too late"})
        assert (status, answer["code"]) == (404, 10062)


def test_interactive_play_uses_the_timeout_of_discord() -> None:
    """Only the test harness waits longer, since its machine may be busy."""
    assert LocalDiscord().interactions.patience == PATIENCE == 3
    assert Playground().discord.interactions.patience == HANG


async def test_an_unanswered_interaction_is_a_violation_regardless_of_the_timeout() -> None:
    with pytest.raises(RulesBroken, match="left unanswered: Ana did /go"):
        await _leave_unanswered()


async def _leave_unanswered() -> None:
    async with Playground() as local, RawBot(local) as raw:
        await raw.register({"name": "go"})
        _, task = await start_interaction(raw, local.player("Ana"))
        task.cancel()


async def test_waiting_for_answers_ends_when_the_bot_exits(local: Playground) -> None:
    local.allow("Ana did /trial")
    trial = await local.start_bot(TRIAL)
    ana, ben = local.player("Ana"), local.player("Ben")
    fault = local.fault("POST /webhooks/*", hang=True)
    deferred = asyncio.create_task(ana.slash("trial think"))
    await local.wait_for_fault(fault)
    ignored = asyncio.create_task(ana.slash("trial ignore"))
    await ben.slash("trial whisper")
    await trial.kill()
    with pytest.raises(ExpectationFailed, match="ended before it answered /trial think"):
        await deferred
    with pytest.raises(ExpectationFailed, match="did not answer /trial ignore"):
        await ignored


async def test_no_answer_is_a_violation(raw: RawBot, ana: Player, local: Playground) -> None:
    _, task = await start_interaction(raw, ana)
    local.clock.advance(HANG + 1)
    with pytest.raises(ExpectationFailed):
        await task
    assert local.violations == ["no answer within 3 s: Ana did /go"]
    local.allow("Ana did /go")
    assert local.violations == []


async def test_follow_up_before_the_acknowledgment_is_refused(raw: RawBot, ana: Player) -> None:
    event, task = await start_interaction(raw, ana)
    status, answer = await raw.webhook(event, "POST", "", {"content": "hasty"})
    assert (status, answer["code"]) == (404, 10015)
    await raw.answer(event, 4, {"content": "done"})
    await task


async def test_token_expires_after_fifteen_minutes(raw: RawBot, ana: Player, local: Playground) -> None:
    event, task = await start_interaction(raw, ana)
    await raw.answer(event, 4, {"content": "done"})
    await task
    local.clock.advance(LIFETIME - HANG)
    assert (await raw.webhook(event, "PATCH", "/messages/@original", {"content": "just in time"}))[0] == 200
    local.clock.advance(HANG)
    status, answer = await raw.webhook(event, "PATCH", "/messages/@original", {"content": "late"})
    assert (status, answer["code"]) == (401, 50027)


async def test_only_expired_interactions_are_forgotten(
    raw: RawBot, ana: Player, local: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interactions, "MAX_TRACKED", 1)
    monkeypatch.setattr(interactions, "LIFETIME", 1.0)

    async def answered() -> Any:
        raw.events.clear()
        event, task = await start_interaction(raw, ana)
        await raw.answer(event, 4, {"content": "done"})
        await task
        return event

    async def edited(event: Any) -> int:
        return (await raw.webhook(event, "PATCH", "/messages/@original", {"content": "more"}))[0]

    events = [await answered(), await answered()]
    assert [200, 200] == [await edited(event) for event in events]
    local.clock.advance(1.1)
    await answered()
    assert [404, 404] == [await edited(event) for event in events]


async def test_first_follow_up_fills_the_placeholder_and_stays_ephemeral(raw: RawBot, ana: Player) -> None:
    event, task = await start_interaction(raw, ana)
    await raw.answer(event, 5, {"flags": EPHEMERAL})
    assert ana.last is not None
    assert ana.last.thinking
    await raw.webhook(event, "POST", "?wait=1", {"content": "thought"})
    seen = await task
    assert (seen.text, seen.ephemeral, len(ana.messages)) == ("thought", True, 1)
    await raw.webhook(event, "POST", "?wait=1", {"content": "and more"})
    assert [message.ephemeral for message in ana.messages] == [True, False]


async def test_deleted_placeholder_means_no_answer(raw: RawBot, ana: Player) -> None:
    event, task = await start_interaction(raw, ana)
    await raw.answer(event, 5)
    await raw.webhook(event, "DELETE", "/messages/@original")
    assert await task is None
    assert ana.messages == []


async def test_deferral_with_a_layout_flag_is_refused(raw: RawBot, ana: Player, local: Playground) -> None:
    local.allow("a deferral takes no flag")
    event, task = await start_interaction(raw, ana)
    status, _ = await raw.answer(event, 5, {"flags": 1 << 15})
    assert status == 400
    await raw.answer(event, 4, {"content": "done"})
    await task


@pytest.mark.parametrize("kind", [6, 7, 8])
async def test_answers_of_the_wrong_type_for_a_command_are_refused(
    raw: RawBot, ana: Player, local: Playground, kind: int
) -> None:
    local.allow("cannot answer this interaction|POST /interactions")
    event, task = await start_interaction(raw, ana)
    status, _ = await raw.answer(event, kind, {"content": "?"})
    assert status == 400
    await raw.answer(event, 4, {"content": "done"})
    await task


async def test_ephemeral_answer_is_never_sent_over_the_gateway(raw: RawBot, ana: Player, local: Playground) -> None:
    event, task = await start_interaction(raw, ana)
    await raw.answer(event, 4, {"content": "psst", "flags": EPHEMERAL})
    seen = await task
    assert seen.ephemeral
    assert local.player("Ben").messages == []
    await local.player("Ben").say("anything new?")
    await raw.event("MESSAGE_CREATE", lambda data: data["author"]["username"] == "ben")
    assert [name for name, _ in raw.events if name.startswith("MESSAGE")] == ["MESSAGE_CREATE"]
    status, answer = await raw.rest("GET", f"/channels/{event['channel_id']}/messages")
    assert (status, len(answer)) == (200, 1)


async def test_ephemeral_message_can_be_dismissed_by_its_reader(raw: RawBot, ana: Player) -> None:
    event, task = await start_interaction(raw, ana)
    await raw.answer(event, 4, {"content": "psst", "flags": EPHEMERAL})
    seen = await task
    gone = asyncio.create_task(ana.expect_gone(seen))
    await ana.dismiss(seen)
    await gone
    assert ana.messages == []


async def test_answer_in_a_deleted_channel_is_refused(raw: RawBot, ana: Player, local: Playground) -> None:
    local.allow("did /go")
    event, task = await start_interaction(raw, ana)
    local.delete_channel("caravanserai")
    status, answer = await raw.answer(event, 4, {"content": "nowhere"})
    assert (status, answer["code"]) == (404, 10003)
    local.clock.advance(HANG + 1)
    with pytest.raises(ExpectationFailed):
        await task


async def test_choices_answer_an_autocomplete_request(raw: RawBot, ana: Player) -> None:
    option = {"name": "where", "description": "Where", "type": 3, "autocomplete": True}
    await raw.register({"name": "walk", "options": [option]})
    task = asyncio.create_task(ana.suggest("walk", "where", "ga"))
    event = await raw.event("INTERACTION_CREATE")
    focused = {"name": "where", "type": 3, "value": "ga", "focused": True}
    assert (event["type"], event["data"]["options"]) == (4, [focused])
    await raw.answer(event, 8, {"choices": [{"name": "The gate", "value": "gate"}]})
    assert await task == [("The gate", "gate")]


async def test_timings_record_the_steps_of_an_interaction(raw: RawBot, ana: Player, local: Playground) -> None:
    event, task = await start_interaction(raw, ana)
    await raw.answer(event, 5)
    assert local.timings[-1].answered is None
    await raw.webhook(event, "PATCH", "/messages/@original", {"content": "done"})
    await task
    timing = local.timings[-1]
    assert timing.acknowledged is not None
    assert timing.answered is not None
    assert timing.created <= timing.acknowledged <= timing.answered
    assert len(local.arrivals["caravanserai"]) == 2


async def test_only_installers_can_use_user_installed_commands_in_servers_without_the_bot() -> None:
    async with Playground() as local, RawBot(local) as raw:
        await raw.register({"name": "go", "integration_types": [0, 1]}, {"name": "stay"})
        place = local.add_foreign_channel("elsewhere")
        ana = local.player("Ana", "elsewhere")
        with pytest.raises(CannotDo):
            await ana.slash("go")
        local.install("Ana")
        with pytest.raises(CannotDo):
            await ana.slash("stay")
        event, task = await start_interaction(raw, ana)
        assert ({"1": str(ana.id)}, 0) == (event["authorizing_integration_owners"], event["context"])
        assert str(place.outside) == event["guild_id"] == event["guild"]["id"]
        assert str(local.discord.world.guild_id) != event["guild_id"]
        await raw.answer(event, 4, {"content": "done", "flags": EPHEMERAL})
        await task
        status, answer = await raw.rest("POST", f"/channels/{place.id}/messages", {"content": "hello"})
        assert (403, 50001) == (status, answer["code"])
        statuses = [
            (await raw.webhook(event, "POST", "", {"content": "more", "flags": EPHEMERAL}))[0] for _ in range(6)
        ]
        assert [200 if n < 5 else 400 for n in range(6)] == [200 if status == 204 else status for status in statuses]


async def test_a_command_is_offered_only_to_users_with_its_default_permissions(raw: RawBot, local: Playground) -> None:
    permissions = {"rule": int(Permission.MANAGE_GUILD), "own": 0}
    await raw.register(*({"name": name, "default_member_permissions": bits} for name, bits in permissions.items()))
    world = local.discord.world

    def offered(name: str) -> list[str]:
        return [command["name"] for command in local.discord.commands_for(world.user_named(name))]

    assert ([], ["rule", "own"]) == (offered("Ana"), offered(world.owner.name))
    with pytest.raises(CannotDo, match="not for you"):
        await local.player("Ana").slash("rule")
    local.give_role("Ana", "Moderators")
    local.add_role("Heads", "ADMINISTRATOR")
    local.give_role("Ben", "Heads")
    assert (["rule"], ["rule", "own"]) == (offered("Ana"), offered("Ben"))


async def test_a_user_who_left_the_server_cannot_act_in_it(raw: RawBot, local: Playground) -> None:
    ben = local.player("Ben")
    local.leave("Ben")
    with pytest.raises(CannotDo, match="not in this server any more"):
        await ben.slash("go")
    status, response = await raw.rest("GET", f"/guilds/{local.discord.world.guild_id}/members/{ben.id}")
    assert (404, 10007) == (status, response["code"])


async def test_invalid_commands_are_refused_every_time_and_existing_ones_stay() -> None:
    async with Playground(strict=False) as local, RawBot(local) as raw:
        await raw.register({"name": "go"})
        ready = await raw.event("READY")
        twice = [{"name": "stay", "description": "A command"}] * 2
        for _ in range(2):
            status, response = await raw.rest("PUT", f"/applications/{ready['application']['id']}/commands", twice)
            assert (400, 50035) == (status, response["code"])
        assert ["go"] == [command["name"] for command in local.discord.all_commands()]
