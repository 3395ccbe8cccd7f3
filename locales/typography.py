"""Spelling that depends on the next word or sign: French spaces before signs, Spanish *e* for *y* and *u* for *o*."""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import Formatter

NO_BREAK = "\u202f"

_CODE = re.compile(r"(`[^`]*`)")
_SPACED_SIGN = re.compile(r"(?<=«) | (?=[:;!?»])")

_CONJUNCTION = re.compile(r"(?<!\S)([yo])( [^\w−-]*)$", re.IGNORECASE)
_SOUNDS = {
    # Not before a diphthong, as in *y hielo*.
    "y": ("e", re.compile(r"[^\w−-]*h?[ií](?![aeoáéó])", re.IGNORECASE)),
    # Digits are read aloud: *siete u ocho*, *diez u once*.
    "o": ("u", re.compile(r"[^\w−-]*(?:h?[oó]|8|11(?!\d))", re.IGNORECASE)),
}


def with_french_spaces(translation: str) -> str:
    """The translation with narrow no-break spaces before double signs and inside quotation marks, except in code.

    >>> with_french_spaces("Prêt ? `a : b`") == f"Prêt{NO_BREAK}? `a : b`"
    True
    """
    parts = _CODE.split(translation)
    # The odd parts are code.
    parts[::2] = [_SPACED_SIGN.sub(NO_BREAK, part) for part in parts[::2]]
    return "".join(parts)


def fill_spanish(template: str, words: Mapping[str, str]) -> str:
    """Fill a template, with *e* and *u* where *y* and *o* come before a field that begins with their sound.

    >>> fill_spanish("{a} y {b}, {n} o {m}", {"a": "Ana", "b": "Inés", "n": "7", "m": "8"})
    'Ana e Inés, 7 u 8'
    """
    sentence = ""
    for literal, name, spec, _ in Formatter().parse(template):
        value = format(words[name], spec or "") if name is not None else ""
        sentence += _before(literal, value) + value
    return sentence


def spanish_list(formatted: str, last: str) -> str:
    """A formatted list that ends with the item `last`, with *e* for *y* where its sound requires it."""
    return _before(formatted.removesuffix(last), last) + last


def _before(literal: str, value: str) -> str:
    """The words before a value, with their last conjunction adapted to it."""
    if not (match := _CONJUNCTION.search(literal)):
        return literal
    variant, sound = _SOUNDS[match[1].lower()]
    if not sound.match(value):
        return literal
    return f"{literal[: match.start()]}{variant.upper() if match[1].isupper() else variant}{match[2]}"
