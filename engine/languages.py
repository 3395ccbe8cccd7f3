"""The language in which somebody reads: its sentences, its numbers, and how its words agree with each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date

CONTEXT = "\4"
"""Ends the context of a template, as in gettext: what is one word in English may be two elsewhere."""


class Language:
    """English, in which all templates are written. Other languages override what they say differently."""

    code = "en"
    # With the space, since other words begin with these letters.
    reader: tuple[str, ...] = ("you ", "your ")
    """What the reader is called at the beginning of a sentence."""

    def translated(self, template: str) -> str:
        """A template, or a word that stands in for a value, in this language."""
        return template.rpartition(CONTEXT)[2]

    def inflected(self, word: str, form: str) -> str:
        """A translated word in one of the forms that the catalog has of it, such as a case; or as it is."""
        return word

    def agreement(self, word: str) -> int:
        """Which of the forms of other words goes with a translated word, such as that of its gender: 0 is the first."""
        return 0

    def form(self, count: int) -> int:
        """Which of the forms after a colon goes with so many: 0 is the first one."""
        return 0 if count == 1 else 1

    def number(self, value: int) -> str:
        """`12,000` and `−5`, with a real minus sign."""
        return f"{value:,}".replace("-", "−")

    def decimals(self, digits: str) -> str:
        """`+0.5` and `−1.25`, which come with a point."""
        return digits.replace("-", "−")

    def day(self, value: date) -> str:
        """`25 November 2026`"""
        # Not `%d`, which writes `05`.
        return f"{value.day} {value:%B %Y}"

    def listed(self, words: Sequence[str]) -> str:
        """`a`, `a and b`, `a, b and c`."""
        return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


ENGLISH = Language()

_read: ContextVar[Language] = ContextVar("language", default=ENGLISH)


def language() -> Language:
    """The language of the person for whom something is put into words now."""
    return _read.get()


def read_in(chosen: Language) -> None:
    """What this task puts into words from now on, and the tasks that it begins, is in this language."""
    _read.set(chosen)


@contextmanager
def reading(chosen: Language) -> Iterator[None]:
    """Everything within is put into words in this language; tasks that begin within keep it."""
    token = _read.set(chosen)
    try:
        yield
    finally:
        _read.reset(token)
