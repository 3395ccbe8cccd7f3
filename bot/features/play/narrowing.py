"""From a list of options to a few taps: the same narrowing for menus, buttons and suggestions of every game.

An option is a row of words: its verb, then its fields. Words already chosen are a prefix. Questions are asked one at a
time; options that answer several of them are listed whole only where the list is short (`MAX_JOINED`, `MAX_LETTERS`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any

from bot.features.play.steps import Here, Step, Words, begins, whole_words, words_of
from engine.core import Action, field_types
from engine.notation import read_value, shown_values, value_word
from engine.texts import SEAT_COLORS, Seat, seats_called, worded
from engine.wording import Voice


def agreeing(options: Sequence[Action], prefix: Words) -> tuple[Action, ...]:
    """The options that begin with these words."""
    return tuple(option for option in options if begins(option, prefix))


def step(options: Sequence[Action], prefix: Words, voice: Voice) -> Step:
    """What to choose next. Words without an alternative are skipped; `options` must agree with `prefix`."""
    prefix = _settled(options, prefix)
    here = Here(agreeing(options, prefix), prefix, _chosen_places(options, prefix), voice)
    suggested = here.suggested()
    if suggested:
        return here.values(suggested)
    return here.whole() or here.verbs() or here.parts() or here.values()


def before(options: Sequence[Action], prefix: Words, voice: Voice) -> Words | None:
    """The words of the step at which the last of these words was chosen, or `None` at the first step."""
    # walked from the first step on: words without an alternative were skipped, so a word less need not be a step
    chosen = _settled(options, prefix)
    leading = agreeing(options, chosen)
    last, now = None, step(options, (), voice)
    while now.prefix != chosen:
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
    """Value -> label for a field, from the options that agree with the other fields typed so far, suggested ones first.

    A value that leaves one option only is labeled with what that option means in the position, if it has a gloss.
    """
    by_value: dict[str, list[Action]] = {}
    for option in dict.fromkeys((*voice.suggested(options), *options)):
        values = dict(zip(field_types(type(option)), shown_values(option), strict=False))
        others = {name: text for name, text in typed.items() if name != field and text}
        if field in values and all(same(values.get(name, ""), text) for name, text in others.items()):
            by_value.setdefault(values[field], []).append(option)
    return {value: _suggested(which, field, voice) for value, which in by_value.items()}


def _suggested(options: Sequence[Action], field: str, voice: Voice) -> str:
    gloss = voice.gloss(options[0]) if len(options) == 1 else ""
    return " – ".join(filter(None, (voice.field(options[0], field), gloss)))


def same(value: str, typed: str) -> bool:
    """Whether a typed text means a value; capitals do not matter."""
    return value.casefold() == typed.strip().casefold()


def meant(typed: str, hint: Any) -> str:
    """The word of the notation for a typed text: `P` for `P`, `p` and `piper`, else the text as it is."""
    if (word := read_value(hint, typed)) is not None:
        return word
    # a word of the notation has no spaces in it
    text = typed.strip().replace(" ", "")
    values = ((value_word(hint, value), value) for value in _values_of(hint))
    return next((word for word, value in values if same(word, text) or same(_read_as(value, hint), typed)), text)


def _values_of(hint: Any) -> Iterable[Any]:
    """All values of a type that has words for them."""
    if hint is Seat:
        return map(Seat, range(len(SEAT_COLORS)))
    if hint is bool:
        return (True, False)
    return hint if isinstance(hint, type) and issubclass(hint, Enum) else ()


def _read_as(value: Any, hint: Any) -> str:
    return worded(value, hint, seats_called(SEAT_COLORS))


def _settled(options: Sequence[Action], prefix: Words) -> Words:
    """The prefix, longer by every word that has no alternative."""
    rows = [words_of(option) for option in agreeing(options, prefix)]
    if whole_words(prefix) != prefix:
        return rows[0] if len(rows) == 1 else prefix
    while len(rows) > 1 and len({row[: len(prefix) + 1] for row in rows}) == 1:
        prefix = rows[0][: len(prefix) + 1]
    return prefix


def _chosen_places(options: Sequence[Action], prefix: Words) -> tuple[int, ...]:
    """The places of the words that had an alternative."""
    whole = whole_words(prefix)
    rows = [words_of(option) for option in options]
    heads = [{row[place : place + 1] for row in rows if row[:place] == whole[:place]} for place in range(len(whole))]
    return tuple(place for place, words in enumerate(heads) if len(words) > 1)
