"""REST behavior that bots rely on: nonces, files, threads, permissions, refusals."""

from __future__ import annotations

import io
import json
from typing import Any

import aiohttp
import pytest

from playground.harness import Playground
from playground.messages import picture_size
from playground.world import Emoji
from tests.playground.rawbot import RawBot
from tests.playground.trial_bot import png


@pytest.fixture
def channel(local: Playground) -> int:
    return local.channel("caravanserai").id


async def upload(raw: RawBot, method: str, path: str, body: Any, *names: str) -> tuple[int, Any]:
    """Send a multipart request as discord.py does."""
    form = aiohttp.FormData(quote_fields=False)
    form.add_field("payload_json", json.dumps(body))
    for index, name in enumerate(names):
        form.add_field(f"files[{index}]", png(30, 40, index), filename=name, content_type="application/octet-stream")
    url = f"{raw._local.base_url}/api/v10{path}"
    headers = {"Authorization": f"Bot {raw._token}"}
    async with raw._session.request(method, url, data=form, headers=headers) as response:
        return response.status, await response.json()


async def test_wrong_token_is_unauthorized(raw: RawBot, local: Playground) -> None:
    status, _ = await raw.rest("GET", "/users/@me", token="wrong")
    assert status == 401
    assert local.journal.refusals[401] == 1


async def test_responses_have_a_bare_content_type_and_a_via_header(raw: RawBot, local: Playground) -> None:
    headers = {"Authorization": f"Bot {local.discord.token}"}
    async with raw._session.get(f"{local.base_url}/api/v10/users/@me", headers=headers) as response:
        assert response.headers["Content-Type"] == "application/json"
        assert "Via" in response.headers


async def test_unknown_route_is_a_violation(raw: RawBot, local: Playground) -> None:
    assert (await raw.rest("GET", "/voice/regions"))[0] == 404
    assert local.violations == ["unknown route GET /voice/regions"]
    local.allow("voice")


async def test_a_bug_of_the_playground_is_reported_with_its_place(
    raw: RawBot, local: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local.discord.payloads, "self_user", None)
    assert (await raw.rest("GET", "/users/@me"))[0] == 501
    (violation,) = local.violations
    assert violation.startswith("the playground failed in GET /users/@me:\nTraceback")
    assert 'playground/rest/account.py", line' in violation
    local.allow("the playground failed")


async def test_repeated_nonce_returns_the_first_message(raw: RawBot, local: Playground, channel: int) -> None:
    body = {"content": "once", "nonce": "n1", "enforce_nonce": True}
    _, first = await raw.rest("POST", f"/channels/{channel}/messages", body)
    _, second = await raw.rest("POST", f"/channels/{channel}/messages", body)
    assert first["id"] == second["id"]
    assert len(local.player("Ana").messages) == 1


async def test_empty_message_is_refused(raw: RawBot, local: Playground, channel: int) -> None:
    local.allow("50006")
    status, answer = await raw.rest("POST", f"/channels/{channel}/messages", {"content": ""})
    assert (status, answer["code"]) == (400, 50006)


async def test_refusal_names_the_field(raw: RawBot, local: Playground, channel: int) -> None:
    local.allow("content")
    status, answer = await raw.rest("POST", f"/channels/{channel}/messages", {"content": "x" * 2001})
    assert (status, answer["code"]) == (400, 50035)
    assert "must be 0 to 2000" in answer["errors"]["content"]["_errors"][0]["message"]


async def test_uploaded_picture_has_a_size_a_url_and_a_description(raw: RawBot, channel: int) -> None:
    body = {"content": "look", "attachments": [{"id": 0, "description": "A board"}]}
    _, message = await upload(raw, "POST", f"/channels/{channel}/messages", body, "a.png")
    (file,) = message["attachments"]
    assert (file["width"], file["height"], file["description"]) == (30, 40, "A board")
    assert file["url"] == file["proxy_url"]
    async with raw._session.get(file["url"]) as response:
        assert await response.read() == png(30, 40, 0)
        assert response.content_type == "image/png"


async def test_an_edit_with_attachments_keeps_only_the_listed_files(raw: RawBot, channel: int) -> None:
    _, message = await upload(raw, "POST", f"/channels/{channel}/messages", {"content": "x"}, "a.png", "b.png")
    path = f"/channels/{channel}/messages/{message['id']}"
    keep = message["attachments"][1]["id"]
    _, edited = await upload(raw, "PATCH", path, {"attachments": [{"id": keep}, {"id": 0}]}, "c.png")
    assert [file["filename"] for file in edited["attachments"]] == ["b.png", "c.png"]
    _, untouched = await raw.rest("PATCH", path, {"content": "y"})
    assert [file["filename"] for file in untouched["attachments"]] == ["b.png", "c.png"]
    _, bare = await raw.rest("PATCH", path, {"attachments": []})
    assert bare["attachments"] == []


async def test_file_over_the_limit_is_too_large(raw: RawBot, local: Playground, channel: int) -> None:
    local.allow("40005")
    form = aiohttp.FormData(quote_fields=False)
    form.add_field("payload_json", "{}")
    form.add_field("files[0]", io.BytesIO(bytes(10 * 1024 * 1024 + 1)), filename="big.png")
    url = f"{local.base_url}/api/v10/channels/{channel}/messages"
    async with raw._session.post(url, data=form, headers={"Authorization": f"Bot {raw._token}"}) as response:
        assert (response.status, (await response.json())["code"]) == (413, 40005)


async def test_a_mention_pings_only_in_a_new_message_with_allowed_mentions(
    raw: RawBot, local: Playground, channel: int
) -> None:
    ana = local.player("Ana")
    path = f"/channels/{channel}/messages"
    _, message = await raw.rest("POST", path, {"content": ana.mention, "allowed_mentions": {"parse": []}})
    assert ana.pings == []
    await raw.rest("PATCH", f"{path}/{message['id']}", {"content": f"{ana.mention}!"})
    await raw.rest("POST", path, {"content": ana.mention, "flags": 1 << 12})
    assert ana.pings == [], "neither an edit nor a silent message rings"
    await raw.rest("POST", path, {"content": ana.mention, "allowed_mentions": {"users": [str(ana.id)]}})
    assert len(ana.pings) == 1


async def test_emoji_ids_are_accepted_as_numbers_and_returned_as_strings(
    raw: RawBot, local: Playground, channel: int
) -> None:
    local.discord.world.emojis[5] = Emoji(5, "flame", b"")
    emoji = {"id": 5, "name": "flame"}
    button = {"type": 2, "style": 1, "custom_id": "b", "label": "Burn", "emoji": emoji}
    menu = {"type": 3, "custom_id": "m", "options": [{"label": "Burn", "value": "b", "emoji": emoji}]}
    rows = [{"type": 1, "components": [control]} for control in (button, menu)]
    _, message = await raw.rest("POST", f"/channels/{channel}/messages", {"components": rows})
    button, menu = (row["components"][0] for row in message["components"])
    assert button["emoji"]["id"] == menu["options"][0]["emoji"]["id"] == "5"


async def test_commands_keep_their_ids_when_overwritten(raw: RawBot) -> None:
    ready = await raw.event("READY")
    path = f"/applications/{ready['application']['id']}/commands"
    _, before = await raw.rest("GET", path)
    _, after = await raw.rest("PUT", path, [{"name": "new", "description": "n"}, {"name": "go", "description": "g"}])
    assert after[1]["id"] == before[0]["id"]
    assert after[0]["id"] != before[0]["id"]


async def test_a_message_can_start_only_one_thread(raw: RawBot, local: Playground, channel: int) -> None:
    _, message = await raw.rest("POST", f"/channels/{channel}/messages", {"content": "here"})
    path = f"/channels/{channel}/messages/{message['id']}/threads"
    status, thread = await raw.rest("POST", path, {"name": "table", "auto_archive_duration": 60})
    assert (status, thread["id"]) == (201, message["id"])
    assert (await raw.event("THREAD_CREATE"))["parent_id"] == str(channel)
    status, answer = await raw.rest("POST", path, {"name": "again"})
    assert (status, answer["code"]) == (400, 160004)


async def test_thread_is_archived_when_inactive_and_reopened_by_a_message_unless_locked(
    raw: RawBot, local: Playground, channel: int
) -> None:
    _, thread = await raw.rest("POST", f"/channels/{channel}/threads", {"name": "t", "type": 11})
    path = f"/channels/{thread['id']}/messages"
    _, message = await raw.rest("POST", path, {"content": "first"})
    local.clock.advance(1440 * 60 + 1)
    assert (await raw.event("THREAD_UPDATE"))["thread_metadata"]["archived"] is True
    status, answer = await raw.rest("PATCH", f"{path}/{message['id']}", {"content": "edited"})
    assert (status, answer["code"]) == (400, 50083)
    assert (await raw.rest("POST", path, {"content": "awake"}))[0] == 200
    local.set_thread("t", archived=True, locked=True)
    status, answer = await raw.rest("POST", path, {"content": "closed"})
    assert (status, answer["code"]) == (400, 50083)


async def test_private_thread_is_visible_only_to_its_members(raw: RawBot, local: Playground, channel: int) -> None:
    _, thread = await raw.rest("POST", f"/channels/{channel}/threads", {"name": "whispers", "type": 12})
    ana, ben = (local.player(name, "whispers") for name in ("Ana", "Ben"))
    assert (await raw.rest("PUT", f"/channels/{thread['id']}/thread-members/{ana.id}"))[0] == 204
    await raw.rest("POST", f"/channels/{thread['id']}/messages", {"content": "psst"})
    assert [seen.text for seen in ana.messages] == ["psst"]
    assert ben.messages == []


async def test_deleted_message_is_unknown(raw: RawBot, local: Playground, channel: int) -> None:
    _, message = await raw.rest("POST", f"/channels/{channel}/messages", {"content": "x"})
    seen = local.player("Ana").last
    assert seen is not None
    local.delete_message(seen)
    assert (await raw.event("MESSAGE_DELETE"))["id"] == message["id"]
    status, answer = await raw.rest("PATCH", f"/channels/{channel}/messages/{message['id']}", {"content": "y"})
    assert (status, answer["code"]) == (404, 10008)


async def test_deleted_channel_is_unknown(raw: RawBot, local: Playground, channel: int) -> None:
    local.delete_channel("caravanserai")
    await raw.event("CHANNEL_DELETE")
    status, answer = await raw.rest("POST", f"/channels/{channel}/messages", {"content": "x"})
    assert (status, answer["code"]) == (404, 10003)


async def test_pins_reactions_and_typing_are_accepted(raw: RawBot, channel: int) -> None:
    _, message = await raw.rest("POST", f"/channels/{channel}/messages", {"content": "x"})
    path = f"/channels/{channel}/messages"
    assert (await raw.rest("PUT", f"{path}/pins/{message['id']}"))[0] == 204
    assert (await raw.rest("GET", f"{path}/pins"))[1]["items"][0]["message"]["id"] == message["id"]
    assert (await raw.rest("PUT", f"{path}/{message['id']}/reactions/%F0%9F%90%AB/@me"))[0] == 204
    assert (await raw.rest("GET", f"{path}/{message['id']}"))[1]["reactions"][0]["emoji"]["name"] == "🐫"
    assert (await raw.rest("POST", f"/channels/{channel}/typing"))[0] == 204


@pytest.mark.parametrize(
    ("permission", "code"), [("VIEW_CHANNEL", 50001), ("SEND_MESSAGES", 50013), ("ATTACH_FILES", 50013)]
)
async def test_revoked_permission_refuses_messages_until_it_is_granted_again(
    raw: RawBot, local: Playground, channel: int, permission: str, code: int
) -> None:
    path = f"/channels/{channel}/messages"
    local.forbid("caravanserai", permission)
    changed = await raw.event("CHANNEL_UPDATE")
    assert changed["permission_overwrites"][0]["deny"] != "0"
    status, answer = await upload(raw, "POST", path, {"content": "x"}, "a.png")
    assert (status, answer["code"]) == (403, code)
    local.permit("caravanserai", permission)
    assert (await upload(raw, "POST", path, {"content": "x"}, "a.png"))[0] == 200


async def test_embeds_need_the_embed_links_permission(raw: RawBot, local: Playground, channel: int) -> None:
    local.forbid("caravanserai", "EMBED_LINKS")
    status, answer = await raw.rest("POST", f"/channels/{channel}/messages", {"embeds": [{"title": "t"}]})
    assert (status, answer["code"]) == (403, 50013)
    assert (await raw.rest("POST", f"/channels/{channel}/messages", {"content": "plain"}))[0] == 200


def test_picture_size_reads_pictures_and_ignores_other_files() -> None:
    assert (30, 40) == picture_size(png(30, 40, 0))
    assert (540, 720) == picture_size(b"GIF89a\x1c\x02\xd0\x02")
    assert picture_size(b"GIF89a") is None
    assert picture_size(b"RIFF 1234 1234 1234 1234 1234") is None


async def test_users_join_a_thread_by_writing_in_it_or_being_mentioned(
    raw: RawBot, local: Playground, channel: int
) -> None:
    _, thread = await raw.rest("POST", f"/channels/{channel}/threads", {"name": "t", "type": 11})
    ana, ben, caro = (local.player(name, "t") for name in ("Ana", "Ben", "Caro"))
    await ana.say("Here I am")
    path, words = f"/channels/{thread['id']}/messages", {"content": f"{ben.mention} {caro.mention}"}
    await raw.rest("POST", path, {**words, "allowed_mentions": {"users": [str(ben.id)]}})
    members = {ana.id, ben.id, local.discord.world.bot.id}
    assert members == set(local.channel("t").members)
    joined = await raw.event("THREAD_MEMBERS_UPDATE", lambda data: data["member_count"] == len(members))
    assert [str(ben.id)] == [member["user_id"] for member in joined["added_members"]]


async def test_without_manage_threads_the_bot_archives_only_its_own_and_reopens_unlocked_threads(
    raw: RawBot, local: Playground, channel: int
) -> None:
    local.forbid("caravanserai", "MANAGE_THREADS")
    _, thread = await raw.rest("POST", f"/channels/{channel}/threads", {"name": "t", "type": 11})
    path = f"/channels/{thread['id']}"
    assert (await raw.rest("PATCH", path, {"archived": True}))[0] == 200
    local.channel("t").owner_id = local.player("Ana").id
    assert (await raw.rest("PATCH", path, {"archived": False}))[0] == 200
    assert (await raw.rest("PATCH", path, {"archived": True}))[0] == 403
    local.set_thread("t", archived=True, locked=True)
    assert (await raw.rest("PATCH", path, {"archived": False}))[0] == 403
    local.set_thread("t", archived=False, locked=False)
    local.forbid("caravanserai", "SEND_MESSAGES_IN_THREADS")
    assert (await raw.rest("PUT", f"{path}/thread-members/{local.player('Ben').id}"))[0] == 403
