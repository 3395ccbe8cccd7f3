"""The languages of the bot: a folder of gettext catalogs each, found by being there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from importlib import resources
from pathlib import Path

from babel import Locale
from babel.dates import format_date
from babel.lists import format_list
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

from engine.games import discovered
from engine.languages import CONTEXT, ENGLISH, Language
from locales.pseudo import Pseudo

PSEUDO = Pseudo()

FOLDER = Path(__file__).parent

READER = "you |your "
"""The entry that says what the reader is called at the beginning of a sentence."""

NAME, OPTION = "a command", "an option of a command"
"""The contexts of what those are called: lower case, no spaces, at most 32 letters."""

_NAME = re.compile(r"[-\w]{1,32}")
_COMMAND = re.compile(r"`/([-\w]+)(?: ([-\w]+))?")
_OPTION = re.compile(r"(?<=`)(\w+)(?=`)")

CATEGORIES = ("zero", "one", "two", "few", "many", "other")
"""Plural categories of CLDR, in the order in which a template gives their forms."""


class Translation(Language):
    """A language with catalogs.

    A context of several words says what an entry is, such as `a command`. One of a single word is a form of a word:
    `msgctxt "dat"` is asked for by `{artist:dat}` in this language, and `msgctxt "form"` says which of several forms of
    other words goes with it, such as that of its gender, from 0.
    """

    def __init__(
        self,
        code: str,
        entries: Mapping[str, str],
        forms: Mapping[tuple[str, str], str],
    ) -> None:
        """`entries` with a context have it before them, up to `CONTEXT`. Sentences name commands in this language."""
        self.code = code
        self._names = {english: name for english, name in entries.items() if english.startswith((NAME, OPTION))}
        self.locale = Locale.parse(code)
        self.reader = tuple(entries.get(READER, READER).split("|"))
        self._entries = {english: self._with_names(said) for english, said in entries.items()}
        self._forms = forms
        # Babel lists the categories that have a rule; `other` is the one without.
        tags = self.locale.plural_form.tags
        self._categories = [one for one in CATEGORIES if one in tags or one == "other"]

    def _with_names(self, said: str) -> str:
        """A sentence with commands, and options by themselves, as they are called in this language."""
        return _OPTION.sub(lambda found: self.called(OPTION, found[1]), _COMMAND.sub(self._command, said))

    def _command(self, found: re.Match[str]) -> str:
        """A command in a sentence, as it is called in this language. Those of a game are its notation, and stay."""
        group, command = found.groups()
        if f"{NAME}{CONTEXT}{group}" not in self._names:
            return found[0]
        return " ".join((f"`/{self.called(NAME, group)}", *([self.called(NAME, command)] if command else [])))

    def called(self, what: str, english: str) -> str:
        """The name of a command, or of an option (`NAME`, `OPTION`); the English one where it has none that fits."""
        name = self._names.get(f"{what}{CONTEXT}{english}", "")
        return name if _NAME.fullmatch(name) and name == name.lower() else english

    def translated(self, template: str) -> str:
        """The template of the catalogs; in English where they have none."""
        return self._entries.get(template) or template.rpartition(CONTEXT)[2]

    def inflected(self, word: str, form: str) -> str:
        """A form of a word; the word itself where the catalogs have none."""
        return self._forms.get((word, form), word)

    def agreement(self, word: str) -> int:
        """Which form of other words goes with a word."""
        return int(self._forms.get((word, "form"), 0))

    def form(self, count: int) -> int:
        """The place of the plural category that goes with so many, among those of the language."""
        return self._categories.index(self.locale.plural_form(count))

    def number(self, value: int) -> str:
        """A number as the language writes it."""
        return str(format_decimal(value, locale=self.locale)).replace("-", "−")

    def decimals(self, digits: str) -> str:
        """A number with a point as the language writes it."""
        # `latn`: digits are those of English in all languages, also where CLDR has others.
        return super().decimals(digits).replace(".", self.locale.number_symbols["latn"]["decimal"])

    def day(self, value: date) -> str:
        """A day as the language writes it in full."""
        return str(format_date(value, "long", locale=self.locale))

    def listed(self, words: Sequence[str]) -> str:
        """Words in a row as the language writes them."""
        return str(format_list(list(words), locale=self.locale))


@cache
def languages() -> tuple[str, ...]:
    """The codes of all languages that there are, English first."""
    found = sorted({path.parent.name for path in FOLDER.glob("*/*.po")})
    return (ENGLISH.code, *found)


def own_name(code: str) -> str:
    """What a language is called by those who speak it."""
    name = Locale.parse(code).get_display_name(code) or code
    # French, Italian and Spanish write their own names small.
    return name[:1].upper() + name[1:]


@cache
def language_of(code: str) -> Language:
    """The language of a code as Discord has it, such as `pt-BR`; English if there is no such language."""
    known = languages()
    if code == Pseudo.code:
        return PSEUDO
    # Discord writes `pt-BR` for what gettext calls `pt_BR`.
    near = next((one for one in (code.replace("-", "_"), code.partition("-")[0]) if one in known), ENGLISH.code)
    return ENGLISH if near == ENGLISH.code else _loaded(near)


@cache
def _loaded(code: str) -> Language:
    """Catalogs are read when somebody first needs their language."""
    # ours come last: a package changes no sentence of ours
    read = [*(_read(path, code) for path in package_files(code)), *catalogs(code).values()]
    messages = [message for catalog in read for message in catalog if is_done(message)]
    entries = {key_of(one): str(one.string) for one in messages if not is_form(one)}
    # By the translated word: that is what a sentence has when it asks for a form.
    forms = {
        (entries.get(str(one.id), str(one.id)), str(one.context)): str(one.string) for one in messages if is_form(one)
    }
    return Translation(code, entries, forms)


def key_of(message: Message) -> str:
    """An entry as templates have it: with its context, if it has one."""
    return f"{message.context}{CONTEXT}{message.id}" if message.context else str(message.id)


def is_form(message: Message) -> bool:
    """Whether an entry is a form of a word, which only its language knows."""
    return bool(message.context) and " " not in str(message.context)


def catalogs(code: str) -> dict[str, Catalog]:
    """Our own catalogs of a language, by the part of the program they are for."""
    return {path.stem: _read(path, code) for path in sorted((FOLDER / code).glob("*.po"))}


def _read(path: Path, code: str) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=code)


def package_files(code: str = "*") -> list[Path]:
    """The catalogs that packages bring for their games: `locales/<language>/*.po` beside the module of the game."""
    modules = {source.module for source in discovered().sources.values() if source.package}
    folders = [Path(str(resources.files(module.rpartition(".")[0] or module))) for module in sorted(modules)]
    return sorted(path for folder in folders for path in folder.glob(f"locales/{code}/*.po"))


def is_done(message: Message) -> bool:
    """Whether an entry is translated, and its English has not changed since."""
    # The head of a catalog is an entry without English.
    return bool(message.id and message.string and not message.fuzzy)
