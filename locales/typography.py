"""Spelling that depends on the next word or sign: French spaces and *d’*, Spanish *e* and *u*, Italian *ad*, *l’*."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from string import Formatter

from engine.texts import capitalize

NO_BREAK = "\u202f"

_CODE = re.compile(r"(`[^`]*`)")
_SPACED_SIGN = re.compile(r"(?<=«) | (?=[:;!?»])")

_EMOJI = r"<a?:\w+:\d+>"
_SILENT = rf"(?>(?:{_EMOJI}|[^\w−-])*)"
"""Custom emoji, signs and blanks; atomic, so that the name of an emoji is not read as a word."""
_SPOKEN_VOWEL = re.compile(rf"{_SILENT}(?:8|11(?!\d)|ottav)")
"""Numbers that are read with a vowel first: *l’8º*, *l’11º*, *l’ottavo*."""
_FRENCH_VOWEL = re.compile(rf"{_SILENT}[aàâæeéèêëiîïoôœuùû]", re.IGNORECASE)
"""Not *h* and *y*, which follow *de* (*de Hubert*, *de Yann*) as often as *d’*."""
SOUNDS = {
    "fr": {"de": ("d’", _FRENCH_VOWEL), "que": ("qu’", _FRENCH_VOWEL)},
    "es": {
        # Not before a diphthong, as in *y hielo*. The letter of `Y2` is read *i griega*.
        "y": ("e", re.compile(rf"{_SILENT}(?:h?[ií](?![aeouáéóú])|y(?![aeiouáéíóú]))", re.IGNORECASE)),
        # Digits are read aloud: *siete u ocho*, *diez u once*.
        "o": ("u", re.compile(rf"{_SILENT}(?:h?[oó]|8|11(?!\d))", re.IGNORECASE)),
    },
    # Only before the same vowel: *ad Anna*, but *a Elena*.
    "it": {
        "a": ("ad", re.compile(rf"{_SILENT}[aàáâä]", re.IGNORECASE)),
        "e": ("ed", re.compile(rf"{_SILENT}[eèéêë]", re.IGNORECASE)),
        "il": ("l’", _SPOKEN_VOWEL),
        **{article: (f"{article}l’", _SPOKEN_VOWEL) for article in ("al", "dal", "del", "nel", "sul")},
    },
}
"""Language -> word -> the word that replaces it before a sound, and that sound."""

_LAST_WORD = re.compile(r"(?<!\S)(\w+)( [^\w−-]*)$")
_NAMED = re.compile(r"([^|@]*)@")
"""The words of a form before the value that it names, as in `{seat:lascia a @|ti lascia}`."""
_MENTION = re.compile(r"<@\d+>")

_spoken: ContextVar[Mapping[str, str] | None] = ContextVar("spoken", default=None)


@contextmanager
def pronouncing(names: Mapping[str, str]) -> Iterator[None]:
    """Within the block, these mentions sound like the names that people see in their place.

    >>> with pronouncing({"<@7>": "Inés"}):
    ...     fill_by_sound("es", "{a} y {b}", {"a": "Ana", "b": "<@7>"})
    'Ana e <@7>'
    """
    token = _spoken.set(names)
    try:
        yield
    finally:
        _spoken.reset(token)


def with_french_spaces(translation: str) -> str:
    """The translation with narrow no-break spaces before double signs and inside quotation marks, except in code.

    >>> with_french_spaces("Prêt ? `a : b`") == f"Prêt{NO_BREAK}? `a : b`"
    True
    """
    parts = _CODE.split(translation)
    # The odd parts are code.
    parts[::2] = [_SPACED_SIGN.sub(NO_BREAK, part) for part in parts[::2]]
    return "".join(parts)


def fill_by_sound(language: str, template: str, words: Mapping[str, str]) -> str:
    """Fill a template, with Spanish *e* for *y*, Italian *ad* for *a* or French *d’* where a field asks for them.

    >>> fill_by_sound("es", "{a} y {b}, {n} o {m}", {"a": "Ana", "b": "Inés", "n": "7", "m": "8"})
    'Ana e Inés, 7 u 8'
    >>> fill_by_sound("es", "{a} y {b}, {c} y {d}", {"a": "G4", "b": "Y2", "c": "Ana", "d": "Yago"})
    'G4 e Y2, Ana y Yago'
    >>> fill_by_sound("it", "Tocca a {a} e {b}.", {"a": "Anna", "b": "Elena"})
    'Tocca ad Anna ed Elena.'
    >>> fill_by_sound("fr", "La pile de {a}, celle de {b}", {"a": "Anna", "b": "Ben"})
    'La pile d’Anna, celle de Ben'
    """
    sentence = ""
    # From the end, since a word before an empty field is followed by the next literal or field.
    for literal, name, spec, _ in reversed([*Formatter().parse(template)]):
        value = _format_word(language, words[name], spec or "") if name is not None else ""
        sentence = _adapt_last_word(language, literal, value + sentence) + value + sentence
    return sentence


def list_by_sound(language: str, formatted: str, last: str) -> str:
    """A formatted list that ends with the item `last`, with its conjunction adapted to the sound of the item."""
    return _adapt_last_word(language, formatted.removesuffix(last), last) + last


def _format_word(language: str, word: str, spec: str) -> str:
    """The word in a form, with the words before the value in that form adapted to it."""
    return format(word, _NAMED.sub(lambda form: f"{_adapt_last_word(language, form[1], str(word))}@", spec))


def _adapt_last_word(language: str, literal: str, value: str) -> str:
    """The words before a value, with the last of them adapted to it."""
    match = _LAST_WORD.search(literal)
    if not match or (replacement := SOUNDS[language].get(match[1].lower())) is None:
        return literal
    variant, sound = replacement
    if not sound.match(_spoken_form(value)):
        return literal
    blank = match[2].removeprefix(" ") if variant.endswith("’") else match[2]
    return f"{literal[: match.start()]}{capitalize(variant) if match[1][0].isupper() else variant}{blank}"


def _spoken_form(value: str) -> str:
    """The value with names in place of the mentions that `pronouncing` knows."""
    names = _spoken.get()
    return _MENTION.sub(lambda mention: names.get(mention[0], mention[0]), value) if names else value
