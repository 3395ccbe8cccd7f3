"""Commands in the language of those who type them, as Discord's client shows them."""

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
"""What is a name and no sentence."""

LONGEST = 100
"""Letters of a description, or of a choice; Discord would refuse all commands for one that has more."""


class CommandTranslator(Translator):
    """Finds names and descriptions in the catalogs. A name that is in none of them stays English."""

    # `TranslationContext` is generic for type checkers only
    async def translate(self, string: locale_str, locale: Locale, context: TranslationContext) -> str | None:  # type: ignore[type-arg]
        """The words for a locale of Discord; nothing if they are the English ones."""
        read, words = language_of(locale.value), string.message
        if not isinstance(read, Translation):
            return None
        name = _NAMES.get(context.location)
        said = read.called(name, words) if name else read.translated(words)[:LONGEST]
        return said if said != words else None


@cache
def sources_digest(folder: Path = locales.FOLDER) -> str:
    """A digest of all that translations depend on: the catalogs, and the code that reads them."""
    sources = (*sorted(folder.glob("*/*.po")), *locales.package_files(), Path(locales.__file__), Path(__file__))
    return sha256(b"".join(map(Path.read_bytes, sources))).hexdigest()
