"""Translations of commands, for Discord's client."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

from discord import Locale
from discord.app_commands import TranslationContext, TranslationContextLocation, Translator, locale_str

import locales
from locales import NAME, OPTION, Translation, language_of

_NAMES = {
    TranslationContextLocation.command_name: NAME,
    TranslationContextLocation.group_name: NAME,
    TranslationContextLocation.parameter_name: OPTION,
}
"""Places of names; all other texts are sentences."""

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
        name = _NAMES.get(context.location)
        text = language.called(name, english) if name else language.translated(english)[:MAX_DESCRIPTION]
        return text if text != english else None


@cache
def sources_digest(folder: Path = locales.FOLDER) -> str:
    """A digest of the catalogs, and of the code that reads them."""
    sources = (*sorted(folder.glob("*/*.po")), *locales.package_files(), Path(locales.__file__), Path(__file__))
    return sha256(b"".join(map(Path.read_bytes, sources))).hexdigest()
