"""No command, suggestion or form computes anything from more than the first letters of what a person typed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from discord import app_commands

from bot.features import dispatcher
from bot.features.dispatcher import MAX_CANDIDATES, suggesting
from bot.features.handlers import TAPS, FreeTap, Request, Tap
from bot.interactions.controls import ControlId
from bot.interactions.kinds import OUTDATED_TEXT
from bot.interactions.typed import MAX_LINE, MAX_TYPED, shorten_options, shortened_words, suggestion
from engine.languages import ENGLISH
from playground.interactions import Cause
from playground.player import Player
from playground.wire import Json
from tests.bot.app import App
from tests.bot.moderating import begin
from tests.bot.watch import Watch

ACCENTS = "a" + "\u0301" * 5_999
"""The longest text that Discord accepts for an option: accents, which belong to one letter."""

STRING = 3
"""Discord's type of an option that takes any words."""


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("", ""),
        ("four seats", "four seats"),
        ("four seats!", "four"),
        ("four seats or more", "four seats"),
        ("abcdefghijklmnop", "abcdefghij"),
        (" abcdefghijklmnop", " abcdefghi"),
    ],
)
def test_a_long_text_keeps_its_first_whole_words(text: str, cut: str) -> None:
    assert cut == shortened_words(text, 10)


def test_nested_options_are_cut() -> None:
    inner = {"name": "what", "type": STRING, "value": "x" * 6000}
    shorten_options({"options": [{"name": "game", "type": 2, "options": [{"name": "move", "options": [inner]}]}]})
    assert MAX_TYPED == len(str(inner["value"]))


async def test_no_more_candidates_are_compared_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[int] = []

    async def endless(_interaction: Any, _current: str) -> Iterator[None]:
        return (compared.append(n) for n in range(10 * MAX_CANDIDATES))

    async def english(_interaction: Any) -> Any:
        return ENGLISH

    monkeypatch.setattr(dispatcher, "_reader_of", english)
    suggest: Any = suggesting(endless)  # type: ignore[type-var]
    assert [] == await suggest(None, "a")
    assert MAX_CANDIDATES == len(compared)


# --- in the chat ---


@pytest.fixture
def lengths(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Full names of commands and their options -> how much of a text arrived there."""
    arrived: dict[str, int] = {}

    def note(what: str, command: Any, namespace: Any) -> None:
        for name, value in namespace:
            if isinstance(value, str):
                arrived[f"{what} {command.qualified_name} {name}"] = len(value)

    typed, suggested = (
        app_commands.Command._invoke_with_namespace,
        app_commands.Command._invoke_autocomplete,
    )

    async def invoke(command: Any, interaction: Any, namespace: Any) -> Any:
        note("typed", command, namespace)
        return await typed(command, interaction, namespace)

    async def complete(command: Any, interaction: Any, name: str, namespace: Any) -> None:
        note("suggested", command, namespace)
        await suggested(command, interaction, name, namespace)

    monkeypatch.setattr(app_commands.Command, "_invoke_with_namespace", invoke)
    monkeypatch.setattr(app_commands.Command, "_invoke_autocomplete", complete)
    return arrived


def word_options(command: Json, path: str) -> Iterator[tuple[str, list[Json]]]:
    """Every command below one, with its options that take any words."""
    options = command.get("options", [])
    words = [option for option in options if option["type"] == STRING and not option.get("choices")]
    if words:
        yield path, words
    for option in options:
        if option["type"] in (1, 2):
            yield from word_options(option, f"{path} {option['name']}")


async def test_every_command_option_is_cut(app: App, lengths: dict[str, int], watch: Watch) -> None:
    room = app.room()
    await begin(room, "Ana", "Ben", game="lay")
    ana = room.person("Ana")
    expected = set()
    for command in app.local.discord.all_commands():
        for path, words in word_options(command, command["name"]):
            typed = {word["name"]: ACCENTS[: word.get("max_length", len(ACCENTS))] for word in words}
            await ana.slash(path, **typed)
            expected |= {f"typed {path} {name}" for name in typed}
            for word in words:
                if word.get("autocomplete"):
                    await ana.suggest(path, word["name"], ACCENTS, **typed)
                    expected.add(f"suggested {path} {word['name']}")
    assert expected <= lengths.keys()
    assert len(expected) > 50
    assert {} == {what: length for what, length in lengths.items() if length > MAX_TYPED}


async def test_every_form_value_is_cut(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    lines: dict[str, str] = {}

    class Noting(FreeTap[...]):
        async def run(self, request: Request, control: ControlId) -> None:
            (lines[control.kind],) = request.values
            await request.response.say(OUTDATED_TEXT)

    noting = Noting.__new__(Noting)
    for kind, tap in TAPS.items():
        monkeypatch.setitem(TAPS, kind, Tap(noting, tap.answer))
    ana = app.room().person("Ana")
    for kind in TAPS:
        await submit(app, ana, f"cf:{kind}:0:0:", ACCENTS)
    assert lines.keys() == TAPS.keys()
    assert {MAX_LINE} == {len(line) for line in lines.values()}


async def submit(app: App, person: Player, custom_id: str, line: str) -> None:
    """Send a form that was never opened, with more in it than its line allows."""
    field = {"type": 18, "id": 1, "component": {"type": 4, "id": 2, "custom_id": "line", "value": line}}
    user = app.local.discord.world.users[person.id]
    data = {"custom_id": custom_id, "components": [field]}
    interaction = app.local.discord.begin(Cause.MODAL, user, person.channel, data, label="forges a form")
    await person.until(lambda: interaction.is_answered)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a" * 100, "a" * 100),
        ("a" * 101, f"{'a' * 98} …"),
        (f"{'a' * 90} {'b' * 10}", f"{'a' * 90} …"),
    ],
)
def test_a_suggestion_uses_all_characters_that_discord_shows(name: str, shown: str) -> None:
    choice = suggestion(name, "place A")
    assert (shown, "place A") == (choice.name, choice.value)
