"""Forms that survive restarts, like controls: the id `cf:kind:match:version:text` leads to the handler."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import discord
from discord.ui import Label, Modal, RadioGroup, Select, TextInput

from bot.interactions.controls import FIELDS, ControlId
from bot.interactions.phone import FORM_HEIGHT, radio_form_height
from engine.texts import Text, shortened
from engine.values import Value

MAX_TITLE = 45
"""Discord's limit for the characters of a title, and of a label."""


class Form(Modal):
    """A form with one text field, which begins with `value`.

    A long title is shortened; `about`, the description, has at most 100 characters.
    """

    def __init__(
        self,
        control: ControlId,
        title: Text | str,
        label: Text | str,
        *,
        most: int,
        hint: Text | str = "",
        about: Text | str = "",
        optional: bool = False,
        value: str = "",
    ) -> None:
        super().__init__(title=shortened(str(title), MAX_TITLE), custom_id=f"cf:{control}", timeout=None)
        line: TextInput[Any] = TextInput(
            custom_id="line",
            max_length=most,
            placeholder=str(hint),
            required=not optional,
            default=value[:most] or None,
        )
        self.add_item(Label(text=str(label), description=str(about) or None, component=line))
        self.stop()  # the id leads to the handler, so discord.py need not keep the form


MAX_QUESTIONS, MAX_ANSWERS = 5, 10
"""Discord's limits for the fields of a form, and for the answers of a group of radio buttons."""


class FormQuestion(Value):
    """A question with two to ten answers, of which one is chosen: value, label and further details."""

    label: str
    answers: Sequence[tuple[str, str, str]]
    chosen: str


class QuestionForm(Modal):
    """A form with up to five questions that do not depend on each other.

    It shows all answers as radio buttons if a phone has room for them, and menus otherwise.
    """

    def __init__(self, control: ControlId, title: Text | str, questions: Sequence[FormQuestion]) -> None:
        super().__init__(title=shortened(str(title), MAX_TITLE), custom_id=f"cf:{control}", timeout=None)
        fits = radio_form_height(len(question.answers) for question in questions) <= FORM_HEIGHT
        for number, question in enumerate(questions):
            field = (_radio_group if fits else _menu)(f"question{number}", question)
            self.add_item(Label(text=shortened(question.label, MAX_TITLE), component=field))
        self.stop()


def _radio_group(custom_id: str, question: FormQuestion) -> RadioGroup[Any]:
    options = [discord.RadioGroupOption(**answer) for answer in _answers(question)]
    return RadioGroup(custom_id=custom_id, options=options)


def _menu(custom_id: str, question: FormQuestion) -> Select[Any]:
    return Select(custom_id=custom_id, options=[discord.SelectOption(**answer) for answer in _answers(question)])


def _answers(question: FormQuestion) -> Iterator[dict[str, Any]]:
    for value, label, more in question.answers:
        # Discord: 100 characters each
        details, is_default = more[:100] or None, value == question.chosen
        yield {"label": label[:100], "value": value, "description": details, "default": is_default}


def read_form(data: Any) -> tuple[ControlId, tuple[str, ...]] | None:
    """The id of a submitted form with its values, or `None` if it is not one of ours."""
    match = re.fullmatch(f"cf:{FIELDS}", str(data["custom_id"]))
    if match is None:
        return None
    # Discord wraps each field in a label (component type 18)
    fields = (part.get("component") or {} for part in data["components"])
    return ControlId.of(match), tuple(value for field in fields for value in _values_of(field))


def _values_of(field: Mapping[str, Any]) -> list[str]:
    """The chosen rows of a menu, or the text or the chosen radio button of another field."""
    if "values" in field:
        return [str(value) for value in field["values"]]
    return [str(field["value"] or "")] if "value" in field else []
