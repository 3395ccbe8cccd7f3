"""The bot's languages. Every folder of gettext catalogs is one; nothing has to be registered."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, time
from functools import cache
from importlib import resources
from pathlib import Path

from babel import Locale
from babel.dates import format_date, format_time
from babel.lists import format_list
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

from engine.games import discover_all
from engine.languages import CONTEXT, ENGLISH, Language
from engine.texts import FIELD
from engine.values import Value
from locales.pseudo import Pseudo
from locales.typography import SOUNDS, fill_by_sound, list_by_sound, with_french_spaces

PSEUDO = Pseudo()

FOLDER = Path(__file__).parent

READER = "you |your "
"""The entry with the forms of address for the reader at the beginning of a sentence."""

NAME, OPTION = "a command", "an option of a command"
"""Contexts of command and option names: lowercase, no spaces, at most 32 characters."""

_NAME = re.compile(r"[-\w]{1,32}")
_COMMAND = re.compile(r"`/([-\w]+)(?: ([-\w]+))?")
_OPTION = re.compile(r"(?<=`)(\w+)(?=`)")

CATEGORIES = ("zero", "one", "two", "few", "many", "other")
"""CLDR plural categories, in the order of their forms in a template."""


class Translation(Language):
    """A language with catalogs.

    A context of several words describes an entry, such as `a command`. A context of a single word is a form of a word:
    `{artist:dat}` asks for the entry with `msgctxt "dat"`. `msgctxt "form"` has the index of the form that other words
    take to agree with this word, such as that of its gender, starting from 0.
    """

    def __init__(
        self,
        code: str,
        entries: Mapping[str, str],
        forms: Mapping[tuple[str, str], str],
    ) -> None:
        """Create a language from its entries and forms.

        Keys of `entries` with a context start with it, separated by `CONTEXT`. Commands in sentences get their
        translated names.
        """
        self.code = code
        self._names = {english: name for english, name in entries.items() if english.startswith((NAME, OPTION, FIELD))}
        self.locale = Locale.parse(code)
        # `latn` keeps English digits, even for languages with other default digits in CLDR.
        self.decimal_point = self.locale.number_symbols["latn"]["decimal"]
        self.reader = tuple(entries.get(READER, READER).split("|"))
        spell = with_french_spaces if self.locale.language == "fr" else str
        self._entries = {english: spell(self._with_names(translation)) for english, translation in entries.items()}
        self._forms = forms
        # Babel lists only the categories with a rule; `other` is the default without one.
        tags = self.locale.plural_form.tags
        self._categories = [category for category in CATEGORIES if category in tags or category == "other"]

    def _with_names(self, translation: str) -> str:
        """Replace commands, and option names in backticks, with their translated names."""
        return _OPTION.sub(
            lambda match: self.translate_name(OPTION, match[1]), _COMMAND.sub(self._command, translation)
        )

    def _command(self, match: re.Match[str]) -> str:
        """Translate a command in a sentence. Commands of games are notation and stay unchanged."""
        group, command = match.groups()
        if f"{NAME}{CONTEXT}{group}" not in self._names:
            return match[0]
        return " ".join(
            (f"`/{self.translate_name(NAME, group)}", *([self.translate_name(NAME, command)] if command else []))
        )

    def translate_name(self, what: str, english: str) -> str:
        """The translated `NAME`, `OPTION` or `FIELD`, or the English one if Discord rejects the translation."""
        name = self._names.get(f"{what}{CONTEXT}{english}", "")
        return name if _NAME.fullmatch(name) and name == name.lower() else english

    def translate(self, template: str) -> str:
        """The translation of a template, or the English one if it is missing."""
        return self._entries.get(template) or template.rpartition(CONTEXT)[2]

    def fill(self, template: str, words: Mapping[str, str]) -> str:
        """Fill the fields of a translated template."""
        if (code := self.locale.language) in SOUNDS:
            return fill_by_sound(code, template, words)
        return template.format_map(words)

    def inflect(self, word: str, form: str) -> str:
        """A form of a word, or the word itself if the catalogs do not have the form."""
        return self._forms.get((word, form), word)

    def agreement(self, word: str) -> int:
        """Index of the form that other words take to agree with this word."""
        return int(self._forms.get((word, "form"), 0))

    def form(self, count: int) -> int:
        """Index of the count's plural category among those of the language."""
        return self._categories.index(self.locale.plural_form(count))

    def number(self, value: int) -> str:
        """Format an integer for this language."""
        return str(format_decimal(value, locale=self.locale)).replace("-", "−")

    def day(self, value: date) -> str:
        """Format a date in full for this language."""
        return str(format_date(value, "long", locale=self.locale))

    def time_of_day(self, value: time) -> str:
        """Format a time of day for this language."""
        return str(format_time(value, "short", locale=self.locale))

    def join_words(self, words: Sequence[str]) -> str:
        """Join words to a list for this language."""
        formatted = str(format_list(list(words), locale=self.locale))
        if (code := self.locale.language) in SOUNDS and words:
            return list_by_sound(code, formatted, words[-1])
        return formatted


@cache
def languages() -> tuple[str, ...]:
    """The codes of all languages, English first."""
    codes = sorted({path.parent.name for path in FOLDER.glob("*/*.po")})
    return (ENGLISH.code, *codes)


class OwnName(Value):
    """A language's own name, which is read only when it is shown: that takes 10 ms for each language."""

    code: str

    def __str__(self) -> str:
        return own_name(self.code)


def own_name(code: str) -> str:
    """A language's own name, capitalized."""
    name = Locale.parse(code).get_display_name(code) or code
    # CLDR has French, Italian and Spanish in lowercase.
    return name[:1].upper() + name[1:]


@cache
def language_of(code: str) -> Language:
    """The language for a Discord locale such as `pt-BR`, or English if it is not available."""
    available = languages()
    if code == Pseudo.code:
        return PSEUDO
    # Discord's `pt-BR` is gettext's `pt_BR`.
    near = next((name for name in (code.replace("-", "_"), code.partition("-")[0]) if name in available), ENGLISH.code)
    return ENGLISH if near == ENGLISH.code else _load(near)


def load_all() -> None:
    """Load all languages, for later calls of `language_of`."""
    for code in languages():
        language_of(code)


@cache
def _load(code: str) -> Language:
    """Load a language. The cache makes this happen on first use."""
    # Our catalogs come last, so that a package cannot change our texts.
    sources = [*(_read_catalog(path, code) for path in package_files(code)), *catalogs(code).values()]
    messages = [message for catalog in sources for message in catalog if is_done(message)]
    entries = {key_of(message): str(message.string) for message in messages if not is_form(message)}
    # Keyed by the translated word, since that is the value of a field when its form is looked up.
    forms = {
        (entries.get(str(message.id), str(message.id)), str(message.context)): str(message.string)
        for message in messages
        if is_form(message)
    }
    return Translation(code, entries, forms)


def key_of(message: Message) -> str:
    """The key of an entry in templates: its id, preceded by its context if it has one."""
    return f"{message.context}{CONTEXT}{message.id}" if message.context else str(message.id)


def is_form(message: Message) -> bool:
    """Whether an entry is a form of a word. Such entries exist only in their own language."""
    return bool(message.context) and " " not in str(message.context)


def catalogs(code: str) -> dict[str, Catalog]:
    """Our own catalogs of a language, by domain."""
    return {path.stem: _read_catalog(path, code) for path in sorted((FOLDER / code).glob("*.po"))}


def _read_catalog(path: Path, code: str) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=code)


def package_files(code: str = "*") -> list[Path]:
    """Catalogs in packages with games: `locales/<language>/*.po` next to the module of each game."""
    modules = {source.module for source in discover_all().sources.values() if source.package}
    folders = [Path(str(resources.files(module.rpartition(".")[0] or module))) for module in sorted(modules)]
    return sorted(path for folder in folders for path in folder.glob(f"locales/{code}/*.po"))


def is_done(message: Message) -> bool:
    """Whether an entry is translated and its English text has not changed since."""
    # The header of a catalog is an entry with an empty id.
    return bool(message.id and message.string and not message.fuzzy)
