"""Check the catalogs of a language, as far as a program can."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from string import Formatter

from babel.messages.catalog import Catalog, Message

from engine.languages import reading
from engine.texts import FIELD, Word
from locales import NAME, OPTION, Translation, catalogs, is_done, is_form, language_of

MAX_LETTERS = {"a command": 100, "/": 100, "a part of a command": 100, "a button": 38}
"""Maximum length by the beginning of an entry's comment: Discord's limits, and the width of a button on a phone."""

NAMES = re.compile(r"[-\w]{1,32}")
_CODE = re.compile(r"`[^`]*`")
_SHAPE = re.compile(r"^(?:#{1,3}|-#|\*|>)(?= )|\n|\*\*", re.MULTILINE)
"""Matches the Markdown of headings, lists, line breaks and bold text."""


def problems(code: str) -> Iterator[str]:
    """Yield a line for every missing or wrong entry."""
    catalogs_by_domain, language = catalogs(code), language_of(code)
    form_contexts = {
        str(entry.context) for catalog in catalogs_by_domain.values() for entry in catalog if is_form(entry)
    }
    for domain, catalog in catalogs_by_domain.items():
        for message in entries(catalog):
            for problem in _problems(message, language, form_contexts) if is_done(message) else ("is not translated",):
                yield f"{code}/{domain}: “{message.id}” {problem}: “{message.string}”"


def entries(catalog: Catalog) -> Iterator[Message]:
    """The entries to translate. Forms of words are excluded, since each language has its own."""
    return (message for message in catalog if message.id and not is_form(message))


def _problems(message: Message, language: object, forms: set[str]) -> Iterator[str]:
    english, translation = str(message.id), str(message.string)
    if message.context in (NAME, OPTION, FIELD):
        if not NAMES.fullmatch(translation) or translation != translation.lower():
            yield "is not a valid command name"
        return
    try:
        english_fields, own_fields = fields(english), fields(translation)
    except ValueError as error:
        yield f"is not a valid template ({error})"
        return
    # Fields that only choose between forms of English words are optional.
    required = {name for name, specs in english_fields.items() if any("|" not in spec for spec in specs)}
    if difference := (own_fields.keys() - english_fields.keys()) | (required - own_fields.keys()):
        yield f"has different fields ({', '.join(sorted(difference))})"
    # `^` and `_` only change the first letter, and `a|b` chooses between two words, so none needs an entry.
    form_names = {
        spec.removesuffix("^").removesuffix("_") for specs in own_fields.values() for spec in specs if "|" not in spec
    }
    yield from (f"uses an unknown form ({form})" for form in form_names - {""} - forms)
    if Counter(_CODE.findall(english)) != Counter(_CODE.findall(translation)):
        yield "has different text in backticks"
    if Counter(_SHAPE.findall(english)) != Counter(_SHAPE.findall(translation)):
        yield "has different headings, lists, line breaks or bold text"
    limits = [most for note in message.auto_comments for start, most in MAX_LETTERS.items() if note.startswith(start)]
    max_letters = min(limits, default=10_000)
    if len(english) <= max_letters < len(translation):
        yield f"is longer than {max_letters} letters"
    if isinstance(language, Translation):
        yield from _format_errors(translation, own_fields, language)


def fields(template: str) -> dict[str, set[str]]:
    """The fields of a template, each with its format specs. Raises `ValueError`."""
    specs_by_field: dict[str, set[str]] = {}
    for _, name, spec, _ in Formatter().parse(template):
        if name is not None:
            specs_by_field.setdefault(name, set()).add(spec or "")
    return specs_by_field


def _format_errors(translation: str, own_fields: Mapping[str, set[str]], language: Translation) -> Iterator[str]:
    """Format a template with every form of every field, and yield the errors."""
    max_form = max((spec.count("|") for specs in own_fields.values() for spec in specs), default=0)
    for form in range(max_form + 1):
        words = {name: Word("word") for name in own_fields}
        for word in words.values():
            word.form = form
        try:
            with reading(language):
                translation.format_map(words)
        except (ValueError, KeyError, IndexError) as error:
            yield f"cannot be formatted ({error!r})"
