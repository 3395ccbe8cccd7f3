"""Commands are registered when they have changed; games go on for every answer from Discord."""

from __future__ import annotations

import asyncio
import logging
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from bot import registration
from playground.player import Player
from tests.bot.app import App, Registration
from tests.bot.refusing import refusal

COMMANDS, LISTED = "PUT /applications/*/commands", "GET /applications/*/commands"


PERMISSIONS = 1 << 10 | 1 << 11 | 1 << 15 | 1 << 38
"""View Channel, Send Messages, Attach Files, Send Messages in Threads."""


@pytest.fixture
async def outdated_app(app: App) -> App:
    """A bot that is not running, whose commands have changed since Discord accepted them."""
    await app.close()
    await forget_registration(app)
    app.local.allow("the commands are not registered")
    return app


async def forget_registration(app: App) -> None:
    await app.change("DELETE FROM settings WHERE scope = 'bot'")


async def wait_for_registrations(app: App, times: int) -> None:
    """Wait until the bot has tried so often to register its commands."""
    while app.local.requests["PUT /applications/{application_id}/commands"] < times:
        await app.idle(1)


async def knows_rules(ana: Player) -> bool:
    return "Rules of" in (await ana.slash("game rules", game="muscat")).text


async def test_commands_are_registered_only_when_they_have_changed(outdated_app: App) -> None:
    before = outdated_app.local.requests["PUT /applications/{application_id}/commands"]
    await outdated_app.open()
    await wait_for_registrations(outdated_app, before + 1)
    await Registration.of(outdated_app)
    await outdated_app.close()
    await outdated_app.open()
    assert await knows_rules(outdated_app.room().person("Ana"))
    assert before + 1 == outdated_app.local.requests["PUT /applications/{application_id}/commands"]


async def test_the_invitation_asks_for_the_needed_permissions_and_no_more(
    outdated_app: App, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    await outdated_app.open()
    bot_id = str(outdated_app.local.discord.world.bot.id)
    while not (lines := [line for line in caplog.messages if "invite me with" in line and bot_id in line]):
        await outdated_app.idle(1)
    line = lines[-1]
    assert line.startswith("ready in 1 server; ")
    query = parse_qs(urlsplit(line.rpartition(" ")[2]).query)
    assert str(PERMISSIONS) == query["permissions"][0]
    assert "bot applications.commands" == query["scope"][0]
    assert bot_id == query["client_id"][0]


UNREADABLE = [
    *((COMMANDS, ".", change) for change in ("missing", "torn", "garbled")),
    *((LISTED, ".", change) for change in ("missing", "null", "torn", "garbled", "page", "type")),
    (LISTED, "0", "null"),
    (LISTED, "0.type", "missing"),
]


@pytest.mark.parametrize(("route", "path", "change"), UNREADABLE)
async def test_an_unreadable_response_is_retried_later(
    outdated_app: App, route: str, path: str, change: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    odd = outdated_app.local.vary(route, path, change, times=2)
    await outdated_app.open()
    assert await knows_rules(outdated_app.room().person("Ana"))
    while odd.struck < 2 or not any("registered the commands" in record.getMessage() for record in caplog.records):
        await outdated_app.idle(1)
    pauses = [record.args[0] for record in caplog.records if "are not registered" in record.getMessage()]
    assert [5, 10] == pauses


async def test_a_response_with_malformed_commands_is_ignored(outdated_app: App) -> None:
    odd = outdated_app.local.vary(COMMANDS, "0", "type")
    before = outdated_app.local.requests["PUT /applications/{application_id}/commands"]
    await outdated_app.open()
    assert await knows_rules(outdated_app.room().person("Ana"))
    while not odd.struck:
        await outdated_app.idle(1)
    await outdated_app.let_pass(400)
    assert before + 1 == outdated_app.local.requests["PUT /applications/{application_id}/commands"]


async def test_the_entry_point_command_is_kept_unchanged(outdated_app: App) -> None:
    launch = outdated_app.local.switch_on_activities()
    outdated_app.local.discord.world.commands[:] = [launch]
    await outdated_app.open()
    await wait_for_registrations(outdated_app, 1)
    commands = outdated_app.local.discord.world.commands
    launched = next(command for command in commands if command["type"] == 4)
    assert {**launch, "version": ""} == {**launched, "version": ""}
    installs = {command["name"]: command.get("integration_types") for command in commands}
    assert ([0, 1], [0]) == (installs["me"], installs["server"]), "by a user only what works in direct messages"


async def test_a_refusal_is_logged_once(outdated_app: App, caplog: pytest.LogCaptureFixture) -> None:
    refusal = outdated_app.local.fault(COMMANDS, 400, code=50035, times=None)
    outdated_app.local.allow("Discord refuses the commands|50035")
    opening = asyncio.create_task(outdated_app.open())
    await outdated_app.local.wait_for_fault(refusal)
    await opening
    await outdated_app.let_pass(400)
    assert 1 == refusal.struck
    assert await knows_rules(outdated_app.room().person("Ana"))
    (line,) = [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]
    assert "Games go on" in line
    outdated_app.local.lift(COMMANDS)


async def test_a_refusal_of_another_cause_is_retried_later(outdated_app: App, caplog: pytest.LogCaptureFixture) -> None:
    outdated_app.local.fault(COMMANDS, 403, code=50001, times=1)
    before = outdated_app.local.requests["PUT /applications/{application_id}/commands"]
    await outdated_app.open()
    await wait_for_registrations(outdated_app, before + 2)
    assert [5] == [record.args[0] for record in caplog.records if "are not registered" in record.getMessage()]


class Commands:
    """A tree of commands at a Discord that answers with `results` in turn; `requests` are what it got."""

    def __init__(self, *results: Any) -> None:
        self.results, self.requests, self.pauses = [*results], list[Any](), list[float]()
        self.stored: dict[Any, Any] = {}
        self.translator = "a translator"
        http = SimpleNamespace(request=self._list, bulk_upsert_global_commands=self._replace)
        self.client = SimpleNamespace(application_id=3, http=http)

    def get_commands(self) -> list[Any]:
        return [SimpleNamespace(to_dict=lambda _: {"name": "game"}, get_translated_payload=self._payload)]

    async def _payload(self, *_: object) -> Any:
        return {"name": "game", "name_localizations": {}}

    async def _list(self, route: Any, *, params: Any) -> Any:
        self.requests.append((route.method, route.path, params))
        result = self.results.pop(0)
        if isinstance(result, Exception):
            raise result
        return result

    async def _replace(self, application_id: int, *, payload: Any) -> None:
        self.requests.append((application_id, payload))

    async def get(self, *key: Any) -> Any:
        return self.stored.get(key)

    async def put(self, *entry: Any) -> None:
        self.stored[entry[:-1]] = entry[-1]

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        assert self.results, "the last answer ends it"

    async def register(self) -> None:
        async def to_its_end(work: Any) -> Any:
            return await work

        tree: Any = self
        await registration.Registration(tree, tree, tree, to_its_end).keep_up_to_date()


LISTING = ("GET", "/applications/{application_id}/commands", {"with_localizations": "true"})
LAUNCH = {"id": "9", "type": 4, "name": "launch", "handler": 2, "nsfw": None, "version": "5"}
REPLACED = (3, [{"name": "game", "name_localizations": {}}, {"id": "9", "type": 4, "name": "launch", "handler": 2}])


@pytest.mark.parametrize(
    ("results", "pauses", "lines"),
    [
        ([[{"type": 1, "name": "old"}, LAUNCH]], [], ["registered the commands"]),
        (
            [refusal(503), refusal(400, 50001), "never"],
            [5],
            [
                "the commands are not registered; next try in 5 s: 503 Service Unavailable",
                "Discord refuses the commands (400 Bad Request (50001, Missing Access)). Games go on",
            ],
        ),
        (
            [refusal(403, 50001), TimeoutError(), {"message": "?"}, [LAUNCH]],
            [5, 10, 20],
            [
                "the commands are not registered; next try in 5 s: 403 Forbidden (50001, Missing Access)",
                "the commands are not registered; next try in 10 s: no answer",
                "the commands are not registered; next try in 20 s: unreadable answer about the commands",
                "registered the commands",
            ],
        ),
    ],
)
async def test_commands_are_sent_until_discord_accepts_or_refuses_them(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    results: list[Any],
    pauses: list[float],
    lines: list[str],
) -> None:
    loads: list[bool] = []
    monkeypatch.setattr(registration, "load_all", lambda: loads.append(True))
    monkeypatch.setattr(registration, "sources_digest", lambda: "sources")
    caplog.set_level("INFO", "bot")
    commands = Commands(*results)
    await commands.register()
    assert pauses == commands.pauses
    assert lines == [line[: len(start)] for line, start in zip(caplog.messages, lines, strict=True)]
    is_registered = "registered the commands" == lines[-1]
    assert [LISTING] * (len(pauses) + 1) + [REPLACED] * is_registered == commands.requests
    assert [True] * (len(pauses) + 1) == loads
    assert [("bot", 3, "commands")] * is_registered == [*commands.stored]
    if not is_registered:
        return
    requests = len(commands.requests)
    await commands.register()
    assert requests == len(commands.requests), "they have not changed"
    monkeypatch.setattr(registration, "sources_digest", lambda: "changed")
    commands.results.append([])
    await commands.register()
    assert (3, REPLACED[1][:1]) == commands.requests[-1]
    commands.results.append([])
    new = SimpleNamespace(to_dict=lambda _: {"name": "new"}, get_translated_payload=commands._payload)
    monkeypatch.setattr(commands, "get_commands", lambda: [new])
    await commands.register()
    assert requests + 4 == len(commands.requests), "another command"
