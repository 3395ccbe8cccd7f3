"""One question of a decision and its choices: values, verbs, or whole options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from itertools import pairwise, zip_longest
from typing import TypeVar

from bot.interactions.controls import MENU_ROWS
from bot.interactions.phone import BUTTON, BUTTON_LINE, width_of
from engine.core import Action, Part, field_types
from engine.notation import field_values
from engine.texts import Text, capitalize, format_value, term
from engine.values import Value
from engine.wording import Voice, verb_words

MAX_JOINED, MAX_LETTERS = 8, 40
"""The most rows of a list that answers several questions at once, and the most letters of each."""

MAX_LISTED = 100
"""The most values that fit into four menus of 25 rows; with more values, the user types one."""

LINE_BUTTONS = 5
"""The most buttons of a line by Discord's limit."""

PART = "~"
"""Prefix of a word that is only a part of a value; no notation contains it."""

WHICH_ONE = Text("Which one?")

POSSIBLE_MOVES = Text("Possible moves")
"""The title of a menu at the first step, where the prompt is the question."""

Words = tuple[str, ...]

K = TypeVar("K")


class Choice(Value):
    """Something to tap: the words chosen after it, and its label. `complete` if they name a single option.

    `gloss` is what that option means in the position, where its label does not say it, or what its verb is for.
    `options` are those behind a value or a whole option.
    """

    words: Words
    label: str
    complete: bool
    gloss: str = ""
    options: tuple[Action, ...] = ()


class Step(Value):
    """The next choice after the words of `prefix`.

    The choices answer `question`, which `is_part` of the decision if other questions come before or after it;
    `has_begun`: whether the user has answered one before. `summary` describes the choices so far. `note` describes the
    open field for people who type it. `suggested` are a few of very many whole options.
    """

    prefix: Words
    question: str
    choices: tuple[Choice, ...]
    is_part: bool = False
    summary: str = ""
    note: str = ""
    suggested: tuple[Choice, ...] = ()
    has_begun: bool = False

    @property
    def as_form(self) -> bool:
        """Whether the user types a value, because there are too many for menus or few of them are likely."""
        return bool(self.suggested) or (bool(self.note) and len(self.choices) > MAX_LISTED)

    @property
    def beside_buttons(self) -> str:
        """The choices so far, for the question of a line of buttons, which needs no verb alone."""
        return self.summary if len(self.prefix) > 1 else ""

    @property
    def as_menu(self) -> bool:
        """Whether the choices need a menu: as buttons they are too many for a line, or a phone cuts their labels."""
        width = sum(BUTTON + width_of(choice.label) for choice in self.choices)
        is_full = len(self.choices) > LINE_BUTTONS or width > BUTTON_LINE
        return is_full or any(choice.gloss for choice in self.choices)

    @property
    def takes_two_menus(self) -> bool:
        """Whether the choices do not fit into one menu."""
        return len(self.choices) > MENU_ROWS and not self.as_form

    @property
    def pages(self) -> list[tuple[Choice, ...]]:
        """The choices menu by menu, about as many in each."""
        count = -(-len(self.choices) // MENU_ROWS)
        edges = [len(self.choices) * page // count for page in range(count + 1)]
        return [self.choices[start:end] for start, end in pairwise(edges)]


@lru_cache(maxsize=4096)  # a menu of several steps asks for those of all options again and again
def words_of(action: Action) -> Words:
    """The words of an option; joined by spaces they are its notation."""
    return (action.verb, *field_values(action))


def summary_of(cls: type[Action]) -> str:
    """The description of a verb: the first line of its docstring."""
    return str(term((cls.__doc__ or cls.verb).strip().splitlines()[0]))


def begins(option: Action, prefix: Words) -> bool:
    """Whether an option begins with these words, the last of which may be parts of one value."""
    whole = whole_words(prefix)
    if words_of(option)[: len(whole)] != whole:
        return False
    parts = {word.removeprefix(PART) for word in prefix[len(whole) :]}
    return parts <= {str(part.value) for part in value_parts(option, len(whole))}


def whole_words(prefix: Words) -> Words:
    """The words before the first part of a value."""
    return tuple(word for word in prefix if not word.startswith(PART))


def value_parts(option: Action, known: int) -> tuple[Part, ...]:
    """The parts of the value after the first `known` words."""
    names = list(field_types(type(option)))
    return getattr(getattr(option, names[known - 1]), "parts", ()) if 0 < known <= len(names) else ()


class Here(Value):
    """The options that agree with a prefix, and the ways to ask for one of them.

    `places` are those of the words in the prefix that had an alternative.
    """

    options: tuple[Action, ...]
    prefix: Words
    places: tuple[int, ...]
    voice: Voice

    @property
    def chosen(self) -> bool:
        """Whether the user has chosen a word before."""
        return bool(self.places) or self.known != self.prefix

    @property
    def known(self) -> Words:
        """The whole words of the prefix."""
        return whole_words(self.prefix)

    @property
    def verb(self) -> type[Action]:
        """The class of the options; of several, the one with most of them."""
        kinds = list(map(type, self.options))
        return max(kinds, key=kinds.count)

    def whole(self) -> Step | None:
        """All options in one list, if they answer a single question or are few and short."""
        is_single = self._is_single()
        # values alone are shorter than options
        has_values = is_single and self.chosen and len(self.options) > 1
        if has_values or len(self.options) > (MENU_ROWS if is_single else MAX_JOINED):
            return None
        choices = tuple(_whole(option, self.voice) for option in self.options)
        if not is_single and max(len(choice.label) for choice in choices) > MAX_LETTERS:
            return None
        listed = Step(self.prefix, self._whole_question(), choices, self.chosen, self._summary())
        # buttons take one tap, a menu two
        return None if is_single and listed.as_menu and self._fits_on_buttons() else listed

    def _fits_on_buttons(self) -> bool:
        """Whether the values of the only open field fit on buttons, though the options do not."""
        has_prefix = len({option.verb for option in self.options}) == 1 < len(self.options)
        return has_prefix and not self.values().as_menu

    def verbs(self) -> Step | None:
        """The verbs, where no word is known."""
        if self.prefix:
            return None
        by_verb = _group((option.verb, option) for option in self.options)
        choices = tuple(_verb(verb, options, self.voice) for verb, options in by_verb.items())
        return Step((), self.voice.say(POSSIBLE_MOVES), choices)

    def parts(self) -> Step | None:
        """The parts of the open value that answer the next question, where there are too many values or joined ones."""
        rows = [(option, self._open_parts(option)) for option in self.options]
        if len(rows) <= MENU_ROWS and max(len(value_parts(option, len(self.known))) for option in self.options) < 2:
            return None
        question = next((parts[0].question for _, parts in rows if parts), None)
        by_part = _group((part, option) for option, parts in rows for part in parts if part.question == question)
        if question is None or len(by_part) < 2:
            return None
        without = [option for option, parts in rows if all(part.question != question for part in parts)]
        in_order = sorted(by_part.items(), key=lambda item: getattr(item[0].value, "order", 0))
        choices = [self._part(part, options) for part, options in in_order]
        choices += [_whole(option, self.voice) for option in without]
        return Step(self.prefix, self.voice.say(question), tuple(choices), True, self._summary())

    def values(self, suggested: tuple[Choice, ...] = ()) -> Step:
        """The values of the open field."""
        place = len(self.known)
        by_words = _group((words_of(option)[: place + 1], option) for option in self.options)
        choices = tuple(
            _value(words, options, self.voice) if len(words) > place else _whole(options[0], self.voice)
            for words, options in by_words.items()
        )
        question, note = self._field_question(place), self._note(place)
        # a description would make a bad heading
        has_question = bool((self._field(place) or {}).get("question"))
        is_part = has_question and (self.chosen or not self._is_single())
        return Step(self.prefix, question, choices, is_part, self._summary(), note, suggested)

    def suggested(self) -> tuple[Choice, ...]:
        """The suggested values once only the last word is open; empty if all values are suggested."""
        is_last = len(self.known) == len(words_of(self.options[0])) - 1
        suggested = self.voice.suggested(self.options) if is_last else ()
        return tuple(_whole(option, self.voice) for option in suggested) if len(suggested) < len(self.options) else ()

    def _is_single(self) -> bool:
        """Whether one question is open: one field of one verb, apart from verbs without fields."""
        by_verb = _group((option.verb, option) for option in self.options)
        several = [options for options in by_verb.values() if len(options) > 1]
        if len(several) != 1:
            return not several
        joined = any(len(self._open_parts(option)) > 1 for option in several[0])
        return len(_differing(several[0])) == 1 and not joined

    def _open_parts(self, option: Action) -> list[Part]:
        """The parts of the open value that are not chosen yet."""
        chosen_parts = {word.removeprefix(PART) for word in self.prefix[len(self.known) :]}
        return [part for part in value_parts(option, len(self.known)) if str(part.value) not in chosen_parts]

    def _part(self, part: Part, options: Sequence[Action]) -> Choice:
        name = format_value(part.value, type(part.value), self.voice.names, self.voice.you)
        label = capitalize(name)
        if len(options) == 1:
            return Choice(words_of(options[0]), label, True, self.voice.gloss(options[0]))
        return Choice((*self.prefix, f"{PART}{part.value}"), label, False)

    def _whole_question(self) -> str:
        places = _differing(self.options)
        if not (self.chosen and places):
            return self.voice.say(POSSIBLE_MOVES)
        # of several fields, the first question, since the rows say the rest; a description is none
        if len(places) > 1 and not (self._field(places[0]) or {}).get("question"):
            return self.voice.say(WHICH_ONE)
        return self._field_question(places[0])

    def _field_question(self, place: int) -> str:
        """The question for the field that the word at a place is the value of."""
        if not (field := self._field(place)):
            return self.voice.say(WHICH_ONE)
        return capitalize(str(term(field["question"] or field["description"])))

    def _note(self, place: int) -> str:
        field = self._field(place)
        return capitalize(str(term(field["description"]))) if field else ""

    def _field(self, place: int) -> Mapping[str, str] | None:
        described = fields(self.verb)
        return described[place - 1].metadata if 0 < place <= len(described) else None

    def _summary(self) -> str:
        """The choices so far: `Change · Piper`."""
        option, parts = self.options[0], {word.removeprefix(PART) for word in self.prefix[len(self.known) :]}
        if not self.chosen:
            return ""
        names = list(field_types(type(option)))
        words = [
            self.voice.field(option, names[place - 1]) if place else verb_words(option.verb, option.sense)
            for place in self.places
        ]
        values = [part.value for part in value_parts(option, len(self.known)) if str(part.value) in parts]
        words += [format_value(value, type(value), self.voice.names, self.voice.you) for value in values]
        return " · ".join(words)


def _differing(options: Sequence[Action]) -> list[int]:
    """The places of the words that are not the same in all options."""
    rows = zip_longest(*map(words_of, options))
    return [place for place, words in enumerate(rows) if len(set(words)) > 1]


def _group(pairs: Iterable[tuple[K, Action]]) -> dict[K, list[Action]]:
    """The options by their key, in the order of the first of each."""
    groups: dict[K, list[Action]] = {}
    for key, option in pairs:
        groups.setdefault(key, []).append(option)
    return groups


def _whole(option: Action, voice: Voice) -> Choice:
    return Choice(words_of(option), voice.label(option), True, voice.gloss(option), (option,))


def _verb(verb: str, options: Sequence[Action], voice: Voice) -> Choice:
    if len(options) == 1:
        return _whole(options[0], voice)
    return Choice((verb,), verb_words(verb, options[0].sense), False, summary_of(type(options[0])))


def _value(words: Words, options: Sequence[Action], voice: Voice) -> Choice:
    """A value of a field: all of a step are worded alike, whether or not a value leaves a single option."""
    names = list(field_types(type(options[0])))
    label = voice.field(options[0], names[len(words) - 2])
    if len(options) == 1:
        return Choice(words_of(options[0]), label, True, voice.gloss(options[0]), tuple(options))
    return Choice(words, label, False, options=tuple(options))
