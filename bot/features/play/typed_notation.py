"""Parsing typed text as a move of a game, and the moves that could be typed; the position does not matter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields
from enum import Enum
from functools import cache, lru_cache
from itertools import combinations, islice, pairwise, product

from bot.features.play.narrowing import notation_word
from bot.features.play.spelling import plain
from engine.core import Action, field_types, members
from engine.errors import NotationError
from engine.languages import language
from engine.notation import field_values, format_action, is_value, parse_action, shown_action, shown_verb
from engine.texts import field_words
from engine.wording import verb_words

# each further word doubles the ways
MAX_WORDS = 10
"""The most words that are joined into values in every possible way."""

MAX_LABEL_WORDS = 16
"""The most words of a label."""

_FIELD = re.compile(r"\{(\w+)[^}]*\}")

MAX_MOVES = 200
"""The most moves of a verb that are tried as suggestions."""

Verbs = Sequence[type[Action]]


def read_typed(text: str, verbs: Verbs, options: Sequence[Action] = ()) -> Action:
    """The action that a text means, in notation or in the words of the reader, ignoring case and spaces.

    The notation of one of `options` means that option, even if the notation distinguishes case, or if the parts of a
    value are in another, unambiguous order. Raises `NotationError`.
    """
    typed = " ".join(text.split())
    if (option := typed_option(options, typed.split(" "))) is not None:
        return option
    cls, words = verb_of(text, verbs)
    if cls is not None:
        # the parser reports the fault of unreadable words
        words = list(next(_ways_to_read(words, list(field_types(cls).values())), words))
    try:
        return parse_action(" ".join((cls.verb, *words) if cls else words), verbs)
    except NotationError:
        if (action := _read_label(text, verbs)) is not None:
            return action
        raise


def typed_option(options: Sequence[Action], words: Sequence[str]) -> Action | None:
    """The option that people write in these words, or the only one that has the parts of these in another order."""
    return _same_words(options, [shown_action(option) for option in options], words)


def option_written(options: Sequence[Action], notation: str) -> Action | None:
    """Like `typed_option` for words of the notation."""
    return _same_words(options, [format_action(option) for option in options], notation.split(" "))


def _same_words(options: Sequence[Action], notations: Sequence[str], words: Sequence[str]) -> Action | None:
    typed = [word.casefold() for word in words]
    rows = [(option, notation.casefold().split(" ")) for option, notation in zip(options, notations, strict=True)]
    alike = [option for option, row in rows if _parts(row) == _parts(typed)]
    return next((option for option, row in rows if row == typed), alike[0] if len(alike) == 1 else None)


def _parts(words: Sequence[str]) -> list[list[str]]:
    # the notation joins the parts of a value by commas
    return [sorted(word.split(",")) for word in words]


def verb_of(text: str, verbs: Verbs) -> tuple[type[Action] | None, list[str]]:
    """The longest verb that a text begins with, and the words after it.

    Reads verbs of the notation and those of the reader's language.
    """
    names = [(name, cls) for cls in verbs for name in dict.fromkeys((cls.verb, verb_words(cls.verb, cls.sense)))]
    for name, cls in sorted(names, key=lambda named: len(named[0]), reverse=True):
        pattern = r"[-\s]*".join(map(re.escape, re.split(r"[-\s]+", name)))
        if match := re.match(rf"\s*/?{pattern}(?!-|[^\W\d_]{{2}})", text, re.IGNORECASE):
            return cls, text[match.end() :].split()
    return None, text.split()


def usage(cls: type[Action]) -> str:
    """The syntax of a typed move in the language of the reader: its verb, then its fields (`place market`)."""
    return " ".join((shown_verb(cls), *(field_words(field.name) for field in fields(cls))))


def _ways_to_read(words: Sequence[str], hints: Sequence[object]) -> Iterator[tuple[str, ...]]:
    """The words as values of these fields, trying several words as one value typed with spaces."""
    # a text is a part in many ways
    value_of = cache(_value)
    for number in range(min(len(hints), len(words)), 0, -1):
        for parts in _put_together(words, number):
            readings = (value_of(part, hint) for part, hint in zip(parts, hints, strict=False))
            values = tuple(value for value in readings if value is not None)
            if len(values) == len(parts):
                yield values


def _put_together(words: Sequence[str], number: int) -> Iterator[tuple[str, ...]]:
    """The words joined into `number` parts in every way; no result for more than `MAX_WORDS`."""
    if len(words) > MAX_WORDS:
        return
    for cuts in combinations(range(1, len(words)), number - 1):
        edges = (0, *cuts, len(words))
        yield tuple(" ".join(words[start:end]) for start, end in pairwise(edges))


def _value(typed: str, hint: object) -> str | None:
    """The word of the notation for a typed text, if it can be a value of this type."""
    word = notation_word(typed, hint)
    # as typed first: some notations distinguish case
    ways = (word, word.upper(), word.lower(), word.capitalize())
    return next((way for way in ways if is_value(hint, way)), None)


@lru_cache(maxsize=1024)  # every typed text is tried on the labels of all verbs in all languages
def _label_pattern(template: str) -> re.Pattern[str]:
    """A pattern for a label in plain words, with a group for each field."""
    names = [match[1] for match in _FIELD.finditer(template)]
    numbers = iter(range(len(names)))
    words = plain(_FIELD.sub(lambda _: f" field{next(numbers)} ", template))
    groups = {f"field{n}": f"(?P<{name}>.+?)" for n, name in enumerate(names)}
    return re.compile(" ".join(groups.get(word, re.escape(word)) for word in words))


def _read_label(text: str, verbs: Verbs) -> Action | None:
    """The action whose label this text is, in the language of the reader."""
    typed = plain(text)
    for cls in (cls for cls in verbs if cls.label and len(typed) <= MAX_LABEL_WORDS):
        match = _label_pattern(language().translate(cls.label)).fullmatch(" ".join(typed))
        if match is None:
            continue
        hints = field_types(cls)
        values = [_value(match[name], hints[name]) for name in hints if name in match.groupdict()]
        words = [value for value in values if value is not None]
        try:
            return parse_action(" ".join((cls.verb, *words)), verbs)
        except NotationError:
            continue
    return None


# --- what could be typed next ---


def possible_moves(verbs: Verbs, options: Sequence[Action], seats: int) -> Iterator[Action]:
    """Whole moves of every verb, from all values of enumerations and the values that occur in `options`.

    Values of other types, such as the places of a game, come from `options` alone. Seats beyond the number of `seats`
    are excluded.
    """
    for cls in verbs:
        values = [_values(hint, options, seats) for hint in field_types(cls).values()]
        for words in islice(product(*values), MAX_MOVES):
            try:
                yield parse_action(" ".join((cls.verb, *words)), verbs)
            except NotationError:
                continue


def _values(hint: object, options: Sequence[Action], seats: int) -> list[str]:
    """The words of the notation for the known values of a type: first those of the options."""
    pairs = (zip(field_types(type(option)).values(), field_values(option), strict=False) for option in options)
    values = [value for row in pairs for kind, value in row if kind is hint]
    words = list(map(str, members(hint, seats))) if isinstance(hint, type) and issubclass(hint, Enum) else []
    return list(dict.fromkeys((*values, *words)))
