"""The reader's language: its sentences, numbers, dates and lists, and the agreement of its words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, time

CONTEXT = "\4"
"""Separates a context from its template, as in gettext: one English word may need several translations."""


class Language:
    """English, the language of all templates. Other languages override the methods in which they differ."""

    code = "en"
    # With the space, since other words begin with these letters.
    reader: tuple[str, ...] = ("you ", "your ")
    """The words for the reader at the beginning of a sentence."""
    decimal_point = "."

    def translate(self, template: str) -> str:
        """The translation of a template or a word."""
        return template.rpartition(CONTEXT)[2]

    def fill(self, template: str, words: Mapping[str, str]) -> str:
        """Fill the fields of a translated template. Words beside a field may depend on its value, as Spanish *y*."""
        return template.format_map(words)

    def inflect(self, word: str, form: str) -> str:
        """A form of a translated word, such as a case, if the catalog has it; else the word itself."""
        return word

    def agreement(self, word: str) -> int:
        """The index of the form that other words take with this translated word, such as that of its gender."""
        return 0

    def form(self, count: int) -> int:
        """The index of the plural form for a count."""
        return 0 if count == 1 else 1

    def number(self, value: int) -> str:
        """A number, such as `12,000` or `−5`, with a real minus sign."""
        return f"{value:,}".replace("-", "−")

    def decimals(self, digits: str) -> str:
        """A decimal number, such as `+0.5` or `−1,200.25`; `digits` has a decimal point, if any, and no other signs."""
        whole, point, fraction = digits.partition(".")
        unsigned = whole.lstrip("+-")
        # Apart from the number, which would lose the sign of −0.25.
        sign = whole.removesuffix(unsigned).replace("-", "−")
        return f"{sign}{self.number(int(unsigned))}{point and self.decimal_point}{fraction}"

    def day(self, value: date) -> str:
        """A date, such as `November 25, 2026`."""
        # Not `%d`, which writes `05`.
        return f"{value:%B} {value.day}, {value.year}"

    def time_of_day(self, value: time) -> str:
        """A time of day, such as `10 PM` or `10:30 PM`."""
        # Not `%I`, which writes `05`.
        minutes = f":{value:%M}" if value.minute else ""
        return f"{value.hour % 12 or 12}{minutes} {'PM' if value.hour >= 12 else 'AM'}"

    def join_words(self, words: Sequence[str]) -> str:
        """A list: `a`, `a and b`, `a, b and c`."""
        return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


ENGLISH = Language()

_current: ContextVar[Language] = ContextVar("language", default=ENGLISH)


def language() -> Language:
    """The language in which this task formats texts."""
    return _current.get()


def set_language(new: Language) -> None:
    """Set the language of this task, and of the tasks that it starts from now on."""
    _current.set(new)


@contextmanager
def reading(language: Language) -> Iterator[None]:
    """Set the language of this task within the block; tasks started in the block keep it.

    >>> with reading(ENGLISH):
    ...     language().code
    'en'
    """
    token = _current.set(language)
    try:
        yield
    finally:
        _current.reset(token)
