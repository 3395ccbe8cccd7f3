"""The fields of forms and their values: lengths, defaults, and radio buttons where a phone has room."""

from __future__ import annotations

from typing import Any

import pytest

from bot.interactions.controls import ControlId
from bot.interactions.forms import MAX_ANSWERS, MAX_QUESTIONS, Form, FormQuestion, QuestionForm, read_form

CONTROL = ControlId("found", 1, 2, "muscat")
RADIO, MENU = 21, 3


def field_of(form: Form) -> dict[str, Any]:
    (label,) = form.to_dict()["components"]
    return dict(label["component"])


@pytest.mark.parametrize(("value", "shown"), [("", None), ("abc", "abc"), ("abcdefgh", "abcde")])
def test_a_form_begins_with_as_much_of_a_value_as_may_be_typed(value: str, shown: str | None) -> None:
    field = field_of(Form(CONTROL, "Rules", "What?", most=5, value=value))
    assert (5, shown) == (field["max_length"], field.get("value"))


@pytest.mark.parametrize("optional", [False, True])
def test_a_form_says_whether_its_field_may_stay_empty(optional: bool) -> None:
    form = Form(CONTROL, "Rules", "What?", most=5, hint="a word", about="in all of it", optional=optional)
    field, (label,) = field_of(form), form.to_dict()["components"]
    assert (not optional, "a word") == (field["required"], field["placeholder"])
    assert ("What?", "in all of it") == (label["label"], label["description"])


def question(answers: int, chosen: str = "1", label: str = "Which?") -> FormQuestion:
    return FormQuestion(label, [(str(n), f"answer {n} " * 30, "more " * 30 * n) for n in range(answers)], chosen)


def test_the_answers_of_a_form_are_as_long_as_discord_allows_and_one_is_chosen() -> None:
    form = QuestionForm(CONTROL, "T" * 60, [question(3, label="W" * 60)])
    content = form.to_dict()
    (label,) = content["components"]
    assert (45, 45) == (len(content["title"]), len(label["label"]))
    options = label["component"]["options"]
    assert [False, True, False] == [bool(option.get("default")) for option in options]
    assert ["0", "1", "2"] == [option["value"] for option in options]
    assert {100} == {len(option["label"]) for option in options}
    assert [0, 100, 100] == [len(option.get("description") or "") for option in options]


@pytest.mark.parametrize(("questions", "answers", "kind"), [(1, 2, RADIO), (MAX_QUESTIONS, MAX_ANSWERS, MENU)])
def test_answers_are_radio_buttons_only_if_a_phone_has_room_for_all(questions: int, answers: int, kind: int) -> None:
    content = QuestionForm(CONTROL, "Title", [question(answers)] * questions).to_dict()
    fields = [label["component"] for label in content["components"]]
    assert [(kind, f"question{n}") for n in range(questions)] == [
        (field["type"], field["custom_id"]) for field in fields
    ]


def test_a_submitted_form_has_the_values_of_all_its_fields_in_order() -> None:
    fields: list[Any] = [
        {"type": 18, "component": {"custom_id": "a", "values": ["x", "y"]}},
        {"type": 18, "component": {"custom_id": "b", "value": "words"}},
        {"type": 18, "component": {"custom_id": "c", "value": None}},
        {"type": 18, "component": {"custom_id": "d", "values": []}},
        {"type": 18},
        {"type": 10, "value": "no field"},
    ]
    data = {"custom_id": f"cf:{CONTROL}", "components": fields}
    assert (CONTROL, ("x", "y", "words", "")) == read_form(data)
    assert read_form(data | {"custom_id": str(CONTROL)}) is None, "a form of another bot"
