"""What is wrong with the catalogs of a language, as far as a program can tell."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from string import Formatter

from babel.messages.catalog import Catalog, Message

from engine.languages import reading
from engine.texts import Word
from locales import NAME, OPTION, Translation, catalogs, is_done, is_form, language_of

LONGEST = {"a command": 100, "/": 100, "a part of a command": 100, "a button": 38}
"""Most letters by how the notes of an entry begin: limits of Discord, and what a phone shows of a button."""

NAMES = re.compile(r"[-\w]{1,32}")
_CODE = re.compile(r"`[^`]*`")
_SHAPE = re.compile(r"^(?:#{1,3}|-#|\*|>)(?= )|\n|\*\*", re.MULTILINE)
"""What makes a heading, a list, a line break, or bold words."""


def problems(code: str) -> Iterator[str]:
    """A line for everything that is missing or wrong."""
    found, read = catalogs(code), language_of(code)
    known = {str(one.context) for catalog in found.values() for one in catalog if is_form(one)}
    for domain, catalog in found.items():
        for message in entries(catalog):
            for problem in _problems(message, read, known) if is_done(message) else ("is not translated",):
                yield f"{code}/{domain}: “{message.id}” {problem}: “{message.string}”"


def entries(catalog: Catalog) -> Iterator[Message]:
    """What has to be translated; forms of words are each language's own."""
    return (message for message in catalog if message.id and not is_form(message))


def _problems(message: Message, read: object, forms: set[str]) -> Iterator[str]:
    english, said = str(message.id), str(message.string)
    if message.context in (NAME, OPTION):
        if not NAMES.fullmatch(said) or said != said.lower():
            yield "is no name for a command"
        return
    try:
        wanted, used = fields(english), fields(said)
    except ValueError as error:
        yield f"cannot be read ({error})"
        return
    # What only chooses forms of words in English may not be needed.
    needed = {name for name, ways in wanted.items() if any("|" not in asked for asked in ways)}
    if unlike := (used.keys() - wanted.keys()) | (needed - used.keys()):
        yield f"has other fields ({', '.join(sorted(unlike))})"
    # `^` only asks for a capital, and `a|b` for one of these two words.
    named = {asked.removesuffix("^") for ways in used.values() for asked in ways if "|" not in asked}
    yield from (f"asks for a form that no word has ({form})" for form in named - {""} - forms)
    if Counter(_CODE.findall(english)) != Counter(_CODE.findall(said)):
        yield "has other commands or moves"
    if Counter(_SHAPE.findall(english)) != Counter(_SHAPE.findall(said)):
        yield "has another shape"
    limits = [most for note in message.auto_comments for begins, most in LONGEST.items() if note.startswith(begins)]
    longest = min(limits, default=10_000)
    if len(english) <= longest < len(said):
        yield f"is longer than {longest} letters"
    if isinstance(read, Translation):
        yield from _unreadable(said, used, read)


def fields(template: str) -> dict[str, set[str]]:
    """The fields of a template, each with the ways in which it is asked for. Raises `ValueError`."""
    found: dict[str, set[str]] = {}
    for _, name, asked, _ in Formatter().parse(template):
        if name is not None:
            found.setdefault(name, set()).add(asked or "")
    return found


def _unreadable(said: str, used: Mapping[str, set[str]], read: Translation) -> Iterator[str]:
    """Puts a template into words with every form of every field."""
    most = max((asked.count("|") for ways in used.values() for asked in ways), default=0)
    for form in range(most + 1):
        words = {name: Word("word") for name in used}
        for word in words.values():
            word.form = form
        try:
            with reading(read):
                said.format_map(words)
        except (ValueError, KeyError, IndexError) as error:
            yield f"cannot be put into words ({error!r})"
