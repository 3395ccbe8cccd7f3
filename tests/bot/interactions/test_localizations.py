"""Discord is told the commands in all languages, and again when a translation has changed."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord import Locale
from discord.app_commands import Command, Group, TranslationContext, TranslationContextLocation, locale_str

from bot import registration
from bot.features.play.move_commands import moves_group
from bot.interactions.localizations import MAX_DESCRIPTION, CommandTranslator, sources_digest
from engine.games import discover
from locales import Translation
from tests.bot.app import App

SYNC = "PUT /applications/{application_id}/commands"


def test_a_changed_translation_changes_the_digest(tmp_path: Path) -> None:
    catalog = tmp_path / "de" / "bot.po"
    catalog.parent.mkdir()
    catalog.write_text('msgid "Play"\nmsgstr "Spiel"\n')
    before = sources_digest(tmp_path)
    sources_digest.cache_clear()
    assert before == sources_digest(tmp_path)
    sources_digest.cache_clear()
    catalog.write_text('msgid "Play"\nmsgstr "Spiele"\n')
    assert before != sources_digest(tmp_path)


async def test_commands_are_synced_again_only_after_a_translation_has_changed(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    group = next(command for command in app.local.discord.all_commands() if command["name"] == "game")
    assert {"de", "fr", "it", "es-ES"} <= group["description_localizations"].keys()
    await restart(app)
    assert 0 == app.local.requests[SYNC]
    monkeypatch.setattr(registration, "sources_digest", lambda: "others")
    await restart(app)
    await app.local.discord.notifier.until(lambda: app.local.requests[SYNC] == 1)
    await restart(app)
    assert 1 == app.local.requests[SYNC]


@pytest.mark.parametrize(
    ("locale", "place", "text"),
    [
        (Locale.german, TranslationContextLocation.command_description, "x" * MAX_DESCRIPTION),
        (Locale.german, TranslationContextLocation.choice_name, "x" * MAX_DESCRIPTION),
        (Locale.american_english, TranslationContextLocation.command_description, None),
        (Locale.japanese, TranslationContextLocation.command_description, None),
    ],
)
async def test_a_translated_description_has_the_length_that_discord_allows(
    monkeypatch: pytest.MonkeyPatch, locale: Locale, place: TranslationContextLocation, text: str | None
) -> None:
    """Discord refuses all commands because of one that is longer."""
    monkeypatch.setattr(Translation, "translate", lambda *_: "x" * 200)
    context: Any = SimpleNamespace(location=place, data=None)
    assert text == await CommandTranslator().translate(locale_str("a description"), locale, context)


async def test_options_of_moves_have_translated_names_and_their_commands_are_notation() -> None:
    """In French, `to` of another command is *fin*, and `move` of another group is *jouer*."""
    move = next(command for command in moves_group(discover()["jinns"]).commands if command.name == "move")
    other = Group(name="others", description="Commands of no game")

    @other.command(name="move", description="Like that of the game")
    async def _(interaction: discord.Interaction, to: str) -> None:
        """A command with the names of a command of a game."""

    place, names, translate = TranslationContextLocation, list[Any](), CommandTranslator().translate
    for command in (move, *other.commands):
        assert isinstance(command, Command)
        to = command.get_parameter("to")
        names.append(
            [
                await CommandTranslator().translate(
                    locale_str(english), Locale.french, TranslationContext(location, data)
                )
                for english, location, data in (
                    ("to", place.parameter_name, to),
                    ("move", place.command_name, command),
                    ("move", place.group_name, command.parent),
                )
            ]
        )
    assert [["arrivée", None, None], ["fin", "jouer", "jouer"]] == names
    options = [option.name for option in move.parameters]  # type: ignore[union-attr]  # no group
    context = [TranslationContext(place.parameter_name, option) for option in move.parameters]  # type: ignore[union-attr]
    translated = [
        await translate(locale_str(name), Locale.french, about) for name, about in zip(options, context, strict=True)
    ]
    assert {"square": "case", "take": "nombre", "to": "arrivée", "keep": "tour"} == dict(
        zip(options, translated, strict=True)
    )


async def restart(app: App) -> None:
    """Restart the bot, and wait until it has answered a command, which it does once it has started up."""
    await app.close()
    await app.open()
    await app.room().person("Ana").slash("me games")
