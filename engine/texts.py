"""Sentences as data: templates with their values, formatted only when a reader and a language are known."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date, time
from enum import Enum
from string import Formatter
from typing import Any

from engine.languages import CONTEXT, language


class Seat(int):
    """A place at the table, counted from 0 in order of play. Never a Discord user."""

    __slots__ = ()


CHANCE = Seat(-1)
"""The seat of dice, deals and draws."""

SEAT_COLORS = ("Red", "Blue", "Yellow", "Green", "Purple", "White")
"""Default names of the seats, and their words in the notation."""


@dataclass(frozen=True, slots=True, init=False)
class Text:
    """A sentence or a phrase that is not formatted yet.

    Fields are seats, numbers, words, enum members, coordinates, other texts, or tuples of them. Of the forms after a
    colon, the value selects one: `{seat:plays|play}` and `{seat:@’s|your}` (other seats, or the reader; `@` is the
    name), `{turns:turn|turns}` and `{artists:is|are}` (one, or another number).

    >>> str(Text("{seat} {seat:takes|take} {n} {n:coin|coins}.", seat=Seat(1), n=1200))
    'Blue takes 1,200 coins.'
    """

    template: str
    fields: tuple[tuple[str, Any], ...]

    def __init__(self, template: str, /, **fields: Any) -> None:
        # A frozen dataclass with a custom `__init__` must set its fields through `object`.
        object.__setattr__(self, "template", template)
        # Pairs, not a dict: texts are part of positions, which are compared and hashed.
        object.__setattr__(self, "fields", tuple(fields.items()))

    def __str__(self) -> str:
        """The sentence with default seat names, for logs and developers; for players use `engine.wording.say`."""
        return format_text(self, SEAT_COLORS)


def term(words: str) -> Text:
    """A text of words that are in the catalogs for another reason, such as the title of a game.

    >>> str(term("Muscat"))
    'Muscat'
    """
    return Text(words)


def to_json(value: Any) -> Any:
    """A text, or the value of one of its fields, as JSON.

    >>> to_json(Text("{n} of {all}", n=2, all=Text("five")))
    {'template': '{n} of {all}', 'fields': {'n': 2, 'all': {'template': 'five', 'fields': {}}}}
    """
    if isinstance(value, Text):
        return {"template": value.template, "fields": {name: to_json(field) for name, field in value.fields}}
    return [to_json(part) for part in value] if isinstance(value, tuple) else value


def from_json(value: Any) -> Any:
    """The inverse of `to_json`.

    >>> from_json(to_json(Text("{n} of five", n=2))) == Text("{n} of five", n=2)
    True
    """
    if isinstance(value, dict):
        return Text(value["template"], **{name: from_json(field) for name, field in value["fields"].items()})
    return tuple(map(from_json, value)) if isinstance(value, list) else value


def verb_text(verb: str, sense: str = "") -> Text:
    """The display form of a verb of the notation; its `sense` is the context of the translation.

    >>> str(verb_text("turn-up")), str(verb_text("place", "laying a tile"))
    ('Turn up', 'Place')
    """
    words = verb.replace("-", " ").capitalize()
    return term(f"{sense}{CONTEXT}{words}" if sense else words)


FIELD = "a field of a move"
"""Context of the names of fields, which are options of commands, too: lowercase and without spaces."""


def field_words(name: str) -> str:
    """The display form of the name of a field; hyphens join its words.

    >>> field_words("best_of")
    'best-of'
    """
    return str(term(f"{FIELD}{CONTEXT}{name}")).replace("_", "-")


VALUE_WORDS = ("you", "luck", "yes", "no", "none")
"""The words that stand for values such as `True` or the reader's seat; the catalogs translate them."""

_mark_of: ContextVar[Callable[[Any], str]] = ContextVar("mark_of", default=lambda _: "")


@contextmanager
def marking(mark_of: Callable[[Any], str]) -> Iterator[None]:
    """Within the block, each value that a sentence names is followed by its mark; `mark_of` returns "" for no mark.

    >>> with marking(lambda value: " ♪" if value == "Clio" else ""):
    ...     str(Text("{muse} dances with {other}.", muse="Clio", other="Erato"))
    'Clio ♪ dances with Erato.'
    """
    token = _mark_of.set(mark_of)
    try:
        yield
    finally:
        _mark_of.reset(token)


MAX_QUOTE = 60
"""Maximum length of user input quoted in a sentence, in characters."""


def shortened(words: str, most: int = MAX_QUOTE) -> str:
    """User input, truncated so that a sentence can quote it.

    >>> shortened("a long name", most=6)
    'a lon…'
    """
    return words if len(words) <= most else f"{words[: most - 1]}…"


def joined(texts: Sequence[Text], between: str = " ") -> Text:
    """Concatenate several texts.

    >>> str(joined([Text("Red wins."), Text("{n} points.", n=7)]))
    'Red wins. 7 points.'
    """
    parts = {f"part{n}": text for n, text in enumerate(texts)}
    return Text(between.join(f"{{{name}}}" for name in parts), **parts)


def rewrite(text: Text, write: Callable[[str], str]) -> Text:
    """The text with `write` applied to its string and error fields; seats, numbers and enum members are unchanged.

    >>> str(rewrite(Text("{seat} is {name}.", seat=Seat(0), name="ann"), str.title))
    'Red is Ann.'
    """
    return Text(text.template, **{name: _rewrite_value(value, write) for name, value in text.fields})


def _rewrite_value(value: Any, write: Callable[[str], str]) -> Any:
    if isinstance(value, Text):
        return rewrite(value, write)
    # Exactly `tuple`: a game's named tuple is a value, not a list. So is a member of a `StrEnum`, below.
    if type(value) is tuple:
        return tuple(_rewrite_value(part, write) for part in value)
    return write(str(value)) if type(value) in (str, Word) or isinstance(value, Exception) else value


def format_text(text: Text, names: Sequence[str], you: Seat | None = None, *, begins: bool = True) -> str:
    """Format a text for a reader; see `engine.wording.say`. Unless it `begins` a sentence, “you” is not capitalized.

    >>> format_text(Text("{seat} {seat:plays|play}.", seat=Seat(0)), ("Ann", "Ben"))
    'Ann plays.'
    >>> format_text(Text("{seat} {seat:plays|play}.", seat=Seat(0)), ("Ann", "Ben"), you=Seat(0))
    'You play.'
    """
    words = {name: format_value(value, type(value), names, you) for name, value in text.fields}
    return fill_template(text.template, words, begins=begins)


def fill_template(template: str, words: Mapping[str, Word], *, begins: bool = True) -> str:
    """Translate a template and fill in its fields; “you” and “your” are capitalized if they begin a sentence."""
    read = language()
    sentence = read.fill(read.translate(template), words)
    # Capitalized only if the sentence begins with a field.
    begins = begins and template.startswith("{") and sentence.startswith(read.reader)
    return capitalize(sentence) if begins else sentence


def capitalize(words: str) -> str:
    """The words with a capital first letter.

    >>> capitalize("der Preis in Zehnern")
    'Der Preis in Zehnern'
    """
    # Not `capitalize`, which would convert all other letters to lower case, and German nouns with them.
    return f"{words[:1].upper()}{words[1:]}"


class Word(str):
    """A formatted value that selects the forms of other words (see `Text`)."""

    form: int = 0
    mark: str = ""
    text: Text | None = None
    parts: tuple[Word, ...] = ()
    """The items of a list, which have named forms of their own."""

    def __format__(self, asked: str) -> str:
        """The word itself; of several forms of another word, the one that agrees with it; or the named form that the
        catalog has of this word, capitalized if the name ends with `^`. `_` is the sentence as it follows a colon.
        """
        if not asked:
            return self + self.mark
        if asked == "_":
            return _after_colon(self) + self.mark
        if "|" in asked:
            forms = asked.split("|")
            return forms[min(self.form, len(forms) - 1)].replace("@", self)
        form = asked.removesuffix("^")
        word = self._inflect(form) if form else self
        return (capitalize(word) if asked.endswith("^") else word) + self.mark

    def _inflect(self, form: str) -> str:
        if self.parts:
            return listed([format(part, form) for part in self.parts])
        return language().inflect(self, form)


def format_value(value: Any, hint: Any, names: Sequence[str], you: Seat | None = None) -> Word:
    """Format a single value: a seat as its name, an enum member as its `label` if it has one.

    `hint` is the value's type, or a type hint such as `tuple[Seat, ...]`.

    >>> str(format_value((Seat(0), Seat(1)), tuple[Seat, ...], SEAT_COLORS))
    'Red and Blue'
    """
    if mark := _mark_of.get()(value):
        # A value with a mark of its own needs none for its parts.
        with marking(lambda _: ""):
            word = _word(value, hint, names, you)
    else:
        word = _word(value, hint, names, you)
    word.form, word.mark = _form(value, hint, you, word), mark
    if isinstance(value, Text):
        word.text = value
    return word


def _after_colon(sentence: Word) -> str:
    """A translated sentence with a small first letter, unless it begins with the value of a field, such as a name."""
    first = next((n for n, sign in enumerate(sentence) if sign.isalpha()), 0)
    is_about_reader = sentence.lower().startswith(language().reader)
    if not is_about_reader and not (sentence.text and _begins_with_own_word(sentence.text, sentence[first:])):
        return sentence
    return f"{sentence[:first]}{sentence[first : first + 1].lower()}{sentence[first + 1 :]}"


def _begins_with_own_word(text: Text, sentence: str) -> bool:
    """Whether the translation of a text begins with a word of its own; unknown, so false, without a translation.

    `sentence` is the formatted translation, from its first letter.
    """
    translated = language().translate(text.template)
    literal, name, spec, _ = next(iter(Formatter().parse(translated)), ("", None, None, None))
    if any(map(str.isalpha, literal)):
        return translated != text.template
    if spec and "|" in spec:
        own_words = (form.partition("@")[0] for form in spec.split("|"))
        return any(own and sentence.startswith(own) for own in own_words)
    value = dict(text.fields).get(name or "")
    return isinstance(value, Text) and _begins_with_own_word(value, sentence)


def _word(value: Any, hint: Any, names: Sequence[str], you: Seat | None) -> Word:
    # Exactly `tuple`, as in `_rewrite_value`.
    if type(value) is not tuple:
        return Word(_value_text(value, hint, names, you))
    hints = typing.get_args(hint)
    parts = tuple([format_value(part, hints[0] if hints else type(part), names, you) for part in value])
    word = Word(listed([f"{part}" for part in parts]))
    word.parts = parts
    return word


def _value_text(value: Any, hint: Any, names: Sequence[str], you: Seat | None) -> str:
    if hint is Seat and value is not None:
        # As an index, CHANCE (-1) would select the last seat.
        word = "luck" if value == CHANCE else "you" if value == you else ""
        return language().translate(word) if word else names[value]
    if isinstance(value, Text):
        return format_text(value, names, you)
    if isinstance(value, date):
        return language().day(value)
    if isinstance(value, time):
        return language().time_of_day(value)
    # Exactly `int`: seats and flags are ints, too.
    if type(value) is int:
        return number(value)
    label = getattr(value, "label", value if isinstance(value, Enum) else None)
    if isinstance(label, Text):
        return format_text(label, names, you)
    return option_text(value) if label is None else language().translate(str(label))


def seats_called(names: Sequence[str]) -> tuple[str, ...]:
    """A game's names for its seats, translated; other names, such as those of people, are unchanged.

    >>> seats_called(("Red", "Ann"))
    ('Red', 'Ann')
    """
    return tuple(map(language().translate, names))


def _form(value: Any, hint: Any, you: Seat | None, word: str) -> int:
    """The index of the form that a value selects: 0 for true, for one, and for any seat but the reader's."""
    # Seats first: a seat is an `int`, too.
    if hint is Seat:
        return int(value == you)
    if isinstance(value, int):
        return int(not value) if isinstance(value, bool) else language().form(value)
    # Exactly `tuple`, as in `_rewrite_value`.
    if type(value) is tuple:
        return language().form(len(value))
    return language().agreement(word) if value else 1


def number(value: int) -> str:
    """A number in the reader's language.

    >>> number(12000), number(-5)
    ('12,000', '−5')
    """
    return language().number(value)


def option_text(value: Any) -> str:
    """Format the value of an option: `yes`, `no`, `none`, or the value itself.

    >>> option_text(True), option_text(None), option_text(3)
    ('yes', 'none', '3')
    """
    if isinstance(value, bool):
        return language().translate("yes" if value else "no")
    return language().translate("none") if value is None else str(value)


def listed(words: Sequence[str]) -> str:
    """A list in the reader's language.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return language().join_words(words)
