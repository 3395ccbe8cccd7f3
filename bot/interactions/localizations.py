"""Translations of commands, for Discord's client."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from discord import Locale
from discord.app_commands import (
    Choice,
    Command,
    Group,
    Parameter,
    TranslationContext,
    TranslationContextLocation,
    Translator,
    locale_str,
)

import locales
from engine.games import discover
from engine.texts import FIELD
from locales import NAME, OPTION, Translation, language_of

_NAMES = {
    TranslationContextLocation.command_name: NAME,
    TranslationContextLocation.group_name: NAME,
    TranslationContextLocation.parameter_name: OPTION,
}
"""Places of names; all other texts are sentences."""

_NAMES_OF_GAMES = {TranslationContextLocation.parameter_name: FIELD}
"""Places of names in the commands of games, whose other names are notation and stay English."""

MAX_DESCRIPTION = 100
"""Discord's limit for the characters of a description or choice; it refuses all commands because of a longer one."""


class CommandTranslator(Translator):
    """Finds names and descriptions in the catalogs. A missing name stays English."""

    # `TranslationContext` is generic for type checkers only
    async def translate(self, string: locale_str, locale: Locale, context: TranslationContext) -> str | None:  # type: ignore[type-arg]
        """Translate a text for a locale; `None` if it is the English one."""
        language, english = language_of(locale.value), string.message
        if not isinstance(language, Translation):
            return None
        if context.location in _NAMES:
            kind = (_NAMES_OF_GAMES if _is_of_game(context.data) else _NAMES).get(context.location)
            text = language.translate_name(kind, english) if kind else english
        else:
            text = language.translate(english)[:MAX_DESCRIPTION]
        return text if text != english else None


def _is_of_game(data: Command[Any, ..., Any] | Group | Parameter | Choice[Any]) -> bool:
    """Whether a command, or an option of one, plays moves of a game."""
    command = data.command if isinstance(data, Parameter) else data
    return isinstance(command, Command | Group) and (command.root_parent or command).name in discover()


@cache
def sources_digest(folder: Path = locales.FOLDER) -> str:
    """A digest of the catalogs, and of the code that reads them."""
    sources = (*sorted(folder.glob("*/*.po")), *locales.package_files(), Path(locales.__file__), Path(__file__))
    return sha256(b"".join(map(Path.read_bytes, sources))).hexdigest()
