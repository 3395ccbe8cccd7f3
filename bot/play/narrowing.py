"""From a list of options to a few taps: the same narrowing for menus, buttons and suggestions of every game.

An option is a row of words: its verb, then its fields. Words already chosen are a prefix.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import Enum
from functools import lru_cache
from itertools import groupby
from typing import Any

from bot.interactions.controls import MENU_ROWS
from engine.core import Action, field_types
from engine.notation import field_values
from engine.texts import term, worded
from engine.wording import Voice, verb_words

WHOLE = 50
"""The most options that are offered whole at once: below a picture, a phone has room for two menus of 25 rows."""

LISTED = 100
"""The most that menus can hold, four of them with 25 rows each."""

LETTERS, AROUND = 42, 5
"""How many letters fit on a line of buttons on a phone, and how many would fit beside the label of each."""

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to tap: the words chosen after it, and its label. `complete` if they name a single option, or
    two that follow each other.

    `gloss` is what that option means in the position, where its label does not say it, or what its verb is for.
    """

    words: Words
    label: str
    complete: bool
    gloss: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """What to choose next after the words of `prefix`.

    `begun` is what those say, empty where that is a verb or nothing or where all of it is on the labels; `asks` is what
    the open field is, empty where a verb or a whole option is chosen. `suggested` are a few of very many whole options.
    """

    prefix: Words
    begun: str
    asks: str
    choices: tuple[Choice, ...]
    suggested: tuple[Choice, ...] = ()

    @property
    def as_form(self) -> bool:
        """Whether the choices are too many for menus, or few of them are likely; then one is typed."""
        return bool(self.suggested) or (bool(self.asks) and len(self.choices) > LISTED)

    @property
    def as_menu(self) -> bool:
        """Whether the choices, or what has to be said of them, are too much for buttons: a phone cuts their labels."""
        letters = sum(len(choice.label) + AROUND for choice in self.choices)
        return letters > LETTERS or any(choice.gloss for choice in self.choices)

    @property
    def takes_two_menus(self) -> bool:
        """Whether the choices are more than a menu holds."""
        return len(self.choices) > MENU_ROWS and not self.as_form

    @property
    def pages(self) -> Iterator[tuple[Choice, ...]]:
        """The choices menu by menu: by the first word that differs if that makes two, else one after another."""
        # not strict: verbs have different numbers of fields
        words = zip(*(choice.words for choice in self.choices), strict=False)
        differs = next((n for n, alike in enumerate(words) if len(set(alike)) > 1), 0)
        kinds = [tuple(found) for _, found in groupby(self.choices, lambda choice: choice.words[differs])]
        if len(kinds) == 2 and self.takes_two_menus and max(map(len, kinds)) <= MENU_ROWS:
            yield from kinds
        else:
            yield from (self.choices[i : i + MENU_ROWS] for i in range(0, len(self.choices), MENU_ROWS))


@lru_cache(maxsize=4096)  # a menu of several steps asks for those of all options again and again
def words_of(action: Action) -> Words:
    """The words of an option; joined by spaces they are its notation."""
    return (action.verb, *field_values(action))


def summary_of(cls: type[Action]) -> str:
    """What a verb is for: the first line of its docstring."""
    return str(term((cls.__doc__ or cls.verb).strip().splitlines()[0]))


def agreeing(options: Sequence[Action], prefix: Words) -> tuple[Action, ...]:
    """The options that begin with these words."""
    return tuple(option for option in options if words_of(option)[: len(prefix)] == prefix)


def step(options: Sequence[Action], prefix: Words, voice: Voice) -> Step:
    """What to choose next. Words without an alternative are skipped; `options` must agree with `prefix`."""
    prefix = _settled(options, prefix)
    open_options = agreeing(options, prefix)
    suggested = _suggested_of(open_options, prefix, voice)
    if not suggested and _offered_whole(options, prefix):
        whole = Step(prefix, "", "", tuple(_whole(option, voice) for option in open_options))
        begun = voice.beginning(open_options[0], len(prefix) - 1) if _is_chosen(options, prefix) else ""
        short = Step(prefix, begun, "", tuple(_in_short(choice, prefix) for choice in whole.choices))
        # buttons take one tap, a menu two: labels without what they share may fit on buttons
        return short if whole.as_menu and not short.as_menu else whole
    by_word: dict[str, list[Action]] = {}
    for option in open_options:
        by_word.setdefault(words_of(option)[len(prefix)], []).append(option)
    choices = tuple(_choice((*prefix, key), found, voice) for key, found in by_word.items())
    begun = voice.beginning(open_options[0], len(prefix) - 1) if len(prefix) > 1 else ""
    return Step(prefix, begun, _open_field(open_options[0], len(prefix)), choices, suggested)


def before(options: Sequence[Action], prefix: Words) -> Words | None:
    """The words of the step at which the last of these words was chosen, or `None` at the first step."""
    # walked from the first step on: words without an alternative were skipped, so a word less need not be a step
    here = _settled(options, prefix)
    last, at = None, _settled(options, ())
    while len(at) < len(here):
        last, at = at, _towards(options, at, here)
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
    found: dict[str, list[Action]] = {}
    for option in dict.fromkeys((*voice.suggested(options), *options)):
        values = dict(zip(field_types(type(option)), field_values(option), strict=False))
        others = {name: text for name, text in typed.items() if name != field and text}
        if field in values and all(same(values.get(name, ""), text) for name, text in others.items()):
            found.setdefault(values[field], []).append(option)
    return {value: _suggested(which, field, voice) for value, which in found.items()}


def _suggested(options: Sequence[Action], field: str, voice: Voice) -> str:
    gloss = voice.gloss(options[0]) if len(options) == 1 else ""
    return " – ".join(filter(None, (voice.field(options[0], field), gloss)))


def same(value: str, typed: str) -> bool:
    """Whether a typed text means a value; capitals do not matter."""
    return value.casefold() == typed.strip().casefold()


def meant(typed: str, hint: Any) -> str:
    """The word of the notation for what somebody typed: `P` for `P`, `p` and `piper`, else the text as it is."""
    # a word of the notation has no spaces in it
    text = typed.strip().replace(" ", "")
    members = hint if isinstance(hint, type) and issubclass(hint, Enum) else ()
    return next((str(m) for m in members if same(str(m), text) or same(worded(m, hint, ()), typed)), text)


def _settled(options: Sequence[Action], prefix: Words) -> Words:
    """The prefix, longer by every word that has no alternative."""
    open_options = agreeing(options, prefix)
    rows = [words_of(option) for option in open_options]
    while len(rows) > 1 and len({row[: len(prefix) + 1] for row in rows}) == 1:
        prefix = rows[0][: len(prefix) + 1]
    return prefix


def _offered_whole(options: Sequence[Action], prefix: Words) -> bool:
    """Whether the next choice is a whole option: they are few, or another step between would be a tap too many."""
    found = agreeing(options, prefix)
    if len(found) <= WHOLE:
        return True
    if not prefix:
        return False
    last_word = len({words_of(option)[: len(prefix) + 1] for option in found}) == len(found)
    return _is_chosen(options, prefix) and not last_word and len(found) <= LISTED


def _is_chosen(options: Sequence[Action], prefix: Words) -> bool:
    """Whether one of the words had an alternative."""
    return len(prefix) > len(_settled(options, ()))


def _towards(options: Sequence[Action], at: Words, here: Words) -> Words:
    """The step after `at` on the way to `here`: whole options are chosen at once where they are few."""
    chosen = here[: len(at) + 1]
    whole = len(agreeing(options, chosen)) == 1 or _offered_whole(options, at)
    return here if whole else _settled(options, chosen)


def _suggested_of(options: Sequence[Action], prefix: Words, voice: Voice) -> tuple[Choice, ...]:
    """What is suggested once only the last word is open, unless that is all there is."""
    suggested = voice.suggested(options) if options and len(prefix) == len(words_of(options[0])) - 1 else ()
    return tuple(_whole(option, voice) for option in suggested) if len(suggested) < len(options) else ()


def _whole(option: Action, voice: Voice) -> Choice:
    return Choice(words_of(option), voice.label(option), True, voice.gloss(option))


def _in_short(choice: Choice, prefix: Words) -> Choice:
    """A whole option by its last word alone, if that is all that is open and its label ends with it."""
    last = choice.words[-1]
    is_all = len(choice.words) == len(prefix) + 1 > 1 and choice.label.endswith(f" {last}")
    return replace(choice, label=last) if is_all else choice


def _choice(words: Words, found: Sequence[Action], voice: Voice) -> Choice:
    """A verb, or a value of a field: all of a step are worded alike, whether or not a value leaves a single option."""
    if len(words) == 1:
        whole = len(found) == 1
        return (
            _whole(found[0], voice) if whole else Choice(words, verb_words(words[0]), False, summary_of(type(found[0])))
        )
    name = list(field_types(type(found[0])))[len(words) - 2]
    label = voice.field(found[0], name)
    if len(found) == 1:
        return Choice(words_of(found[0]), label, True, voice.gloss(found[0]))
    return Choice(words, label, False)


def _open_field(option: Action, known: int) -> str:
    return str(term(fields(type(option))[known - 1].metadata["description"])) if known else ""
