"""Narrows a list of options down to a few taps, alike for the menus, buttons and suggestions of every game.

An option is a row of words: its verb, then its fields. The words chosen so far are a prefix. Each step asks one
question; only a short list shows options that answer several questions at once (`MAX_JOINED`, `MAX_LETTERS`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import Any

from bot.features.play.spelling import plain
from bot.features.play.steps import Here, Step, Words, begins, whole_words, words_of
from engine.core import Action, field_types
from engine.notation import field_values, read_value, shown_word, value_word
from engine.texts import SEAT_COLORS, Seat, format_value, seats_called
from engine.wording import Voice


def agreeing(options: Sequence[Action], prefix: Words) -> tuple[Action, ...]:
    """The options that begin with these words."""
    return tuple(option for option in options if begins(option, prefix))


def step(options: Sequence[Action], prefix: Words, voice: Voice) -> Step:
    """The step after `prefix`, skipping words without an alternative. At least one option must begin with `prefix`."""
    prefix = _settled_prefix(options, prefix)
    here = Here(agreeing(options, prefix), prefix, _chosen_places(options, prefix), voice)
    suggested = here.suggested()
    first = here.values(suggested) if suggested else here.whole() or here.verbs() or here.parts() or here.values()
    return replace(first, has_begun=here.chosen)


def before(options: Sequence[Action], prefix: Words, voice: Voice) -> Words | None:
    """The prefix of the step at which the user chose the last of these words, or `None` at the first step."""
    # walks from the first step: skipped words have no step, so a prefix shorter by one word may have none
    settled_words = _settled_prefix(options, prefix)
    leading = agreeing(options, settled_words)
    last, now = None, step(options, (), voice)
    while now.prefix != settled_words:
        last = now.prefix
        ways = [way for way in now.choices if all(begins(option, way.words) for option in leading)]
        if not ways or ways[0].complete:
            break
        now = step(options, ways[0].words, voice)
    return last


def suggestions(
    options: Sequence[Action],
    typed: Mapping[str, str],
    field: str,
    voice: Voice,
) -> dict[str, str]:
    """Value -> label for a field, from the options that match the other fields typed so far, suggested options first.

    The label of a value with a single option includes the gloss of that option, if it has one.
    """
    by_value: dict[str, list[Action]] = {}
    for option in dict.fromkeys((*voice.suggested(options), *options)):
        hints = field_types(type(option))
        values = dict(zip(hints, field_values(option), strict=False))
        others = {name: notation_word(text, hints[name]) for name, text in typed.items() if name != field and text}
        if field in values and all(same(values.get(name, ""), word) for name, word in others.items()):
            by_value.setdefault(shown_word(hints[field], getattr(option, field)), []).append(option)
    return {value: _suggestion_label(which, field, voice) for value, which in by_value.items()}


def _suggestion_label(options: Sequence[Action], field: str, voice: Voice) -> str:
    gloss = voice.gloss(options[0]) if len(options) == 1 else ""
    return " – ".join(filter(None, (voice.field(options[0], field), gloss)))


def same(value: str, typed: str) -> bool:
    """Whether a typed text is this value, ignoring case and surrounding spaces."""
    return value.casefold() == typed.strip().casefold()


def notation_word(typed: str, hint: Any) -> str:
    """The word of the notation for a typed text: `P` for `P`, `p` and `piper`.

    Words that the labels of several values have mean none of them; such texts and others lose their spaces only.
    """
    if (word := read_value(hint, typed)) is not None:
        return word
    # the notation has no spaces within a word
    text = typed.strip().replace(" ", "")
    values = {value_word(hint, value): _label_of(value, hint) for value in _values_of(hint)}
    if exact := next((word for word, label in values.items() if same(word, text) or same(label, typed)), None):
        return exact
    words = set(plain(typed))
    parts = [word for word, label in values.items() if words and words <= set(plain(label))]
    return parts[0] if len(parts) == 1 else text


def _values_of(hint: Any) -> Iterable[Any]:
    """All values of a type that has words for them."""
    if hint is Seat:
        return map(Seat, range(len(SEAT_COLORS)))
    if hint is bool:
        return (True, False)
    return hint if isinstance(hint, type) and issubclass(hint, Enum) else ()


def _label_of(value: Any, hint: Any) -> str:
    return format_value(value, hint, seats_called(SEAT_COLORS))


def _settled_prefix(options: Sequence[Action], prefix: Words) -> Words:
    """The prefix, extended by the words that have no alternative."""
    rows = [words_of(option) for option in agreeing(options, prefix)]
    if whole_words(prefix) != prefix:
        return rows[0] if len(rows) == 1 else prefix
    while len(rows) > 1 and len(heads := {row[: len(prefix) + 1] for row in rows}) == 1:
        (prefix,) = heads
    return prefix


def _chosen_places(options: Sequence[Action], prefix: Words) -> tuple[int, ...]:
    """The positions in the prefix at which there was an alternative."""
    whole = whole_words(prefix)
    rows = [words_of(option) for option in options]
    heads = [{row[place : place + 1] for row in rows if row[:place] == whole[:place]} for place in range(len(whole))]
    return tuple(place for place, words in enumerate(heads) if len(words) > 1)
