"""Documented limits and rules between fields, one test case each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from playground import limits
from playground.limits import table
from playground.wire import COMPONENTS_V2, Upload
from playground.world import Message

V2 = {"flags": COMPONENTS_V2}


def button(custom_id: str = "b", **more: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "Go", "custom_id": custom_id, **more}


def row(*parts: Any) -> dict[str, Any]:
    return {"type": 1, "components": list(parts)}


def menu(count: int = 2, **more: Any) -> dict[str, Any]:
    options = [{"label": f"o{n}", "value": f"v{n}"} for n in range(count)]
    return {"type": 3, "custom_id": "m", "options": options, **more}


def text(content: str = "words") -> dict[str, Any]:
    return {"type": 10, "content": content}


def box(*parts: Any) -> dict[str, Any]:
    return {"type": 17, "components": list(parts)}


def gallery(count: int = 1, **more: Any) -> dict[str, Any]:
    return {"type": 12, "items": [{"media": {"url": "https://example.org/a.png"}, **more} for _ in range(count)]}


def section(*texts: Any, accessory: Any = None) -> dict[str, Any]:
    return {"type": 9, "components": list(texts), **({"accessory": accessory} if accessory else {})}


def many_buttons(count: int) -> list[dict[str, Any]]:
    numbers = range(count)
    return [row(*(button(f"b{n}") for n in numbers[start : start + 5])) for start in range(0, count, 5)]


GOOD_MESSAGES: dict[str, dict[str, Any]] = {
    "plain": {"content": "x" * 2000},
    "five rows": {"content": "x", "components": many_buttons(25)},
    "menu": {"content": "x", "components": [row(menu(25))]},
    "v2 of everything": {
        **V2,
        "components": [box(text(), {"type": 14}, gallery(10, description="d"), section(text(), accessory=button()))],
    },
    "forty components": {**V2, "components": [text() for _ in range(40)]},
    "text to the brim": {**V2, "components": [text("x" * 2000), text("x" * 2000)]},
    "link button": {"content": "x", "components": [row({"type": 2, "style": 5, "label": "a", "url": "https://a.b"})]},
    "emoji button": {"content": "x", "components": [row(button(label=None, emoji={"name": "🐫"}))]},
}


@pytest.mark.parametrize("body", GOOD_MESSAGES.values(), ids=GOOD_MESSAGES.keys())
def test_message_within_the_limits_has_no_flaws(body: dict[str, Any]) -> None:
    assert limits.message_flaws(body) == []


BAD_MESSAGES: dict[str, tuple[dict[str, Any], str]] = {
    "content 2001": ({"content": "x" * 2001}, "content: must be 0 to 2000"),
    "nonce 26": ({"content": "x", "nonce": "n" * 26}, "nonce: must be"),
    "11 embeds": ({"embeds": [{"title": "t"}] * 11}, "embeds: must have 0 to 10 entries"),
    "embed title": ({"embeds": [{"title": "t" * 257}]}, "embeds.0.title"),
    "embed description": ({"embeds": [{"description": "t" * 4097}]}, "embeds.0.description"),
    "embed fields": ({"embeds": [{"fields": [{"name": "n", "value": "v"}] * 26}]}, "embeds.0.fields"),
    "embed field name": ({"embeds": [{"fields": [{"name": "n" * 257, "value": "v"}]}]}, "embeds.0.fields.0.name"),
    "embed field value": ({"embeds": [{"fields": [{"name": "n", "value": "v" * 1025}]}]}, "embeds.0.fields.0.value"),
    "embed footer": ({"embeds": [{"footer": {"text": "f" * 2049}}]}, "embeds.0.footer.text"),
    "embed author": ({"embeds": [{"author": {"name": "a" * 257}}]}, "embeds.0.author.name"),
    "embeds together": ({"embeds": [{"description": "d" * 3001}] * 2}, "6002 characters in all embeds"),
    "file description": ({"attachments": [{"id": 0, "description": "d" * 1025}]}, "attachments.0.description"),
    "mentions both ways": (
        {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        "either parse users or list them",
    ),
    "101 mentioned": ({"allowed_mentions": {"users": ["1"] * 101}}, "allowed_mentions.users"),
    "six rows": ({"components": [row(button(f"b{n}")) for n in range(6)]}, "at most 5 rows"),
    "six buttons": ({"components": [row(*(button(f"b{n}") for n in range(6)))]}, "components.0.components: must have"),
    "empty row": ({"components": [row()]}, "components.0.components: must have"),
    "menu beside button": ({"components": [row(menu(), button())]}, "a menu needs the whole row"),
    "text in a row": ({"components": [row(text())]}, "a row holds buttons or one menu"),
    "label 81": ({"components": [row(button(label="l" * 81))]}, "components.0.components.0.label"),
    "no style": ({"components": [row({"type": 2, "label": "a", "custom_id": "c"})]}, "a button needs a style"),
    "no label": ({"components": [row(button(label=None))]}, "a label or an emoji"),
    "custom_id 101": ({"components": [row(button("c" * 101))]}, "components.0.components.0.custom_id"),
    "custom_id twice": ({"components": [row(button(), button())]}, "the custom_id 'b' is used twice"),
    "component id twice": (
        {"components": [row(button("a", id=7), button("b", id=7))]},
        "the component id 7 is used twice",
    ),
    "custom_id and url": ({"components": [row(button(url="https://a.b"))]}, "either a custom_id or a url"),
    "neither": ({"components": [row({"type": 2, "style": 1, "label": "a"})]}, "either a custom_id or a url"),
    "link without url": ({"components": [row(button(style=5))]}, "a url belongs to the link style"),
    "url without link": (
        {"components": [row({"type": 2, "style": 1, "label": "a", "url": "https://a.b"})]},
        "a url belongs to the link style",
    ),
    "no options": ({"components": [row(menu(0))]}, "options: must have 1 to 25"),
    "26 options": ({"components": [row(menu(26))]}, "options: must have 1 to 25"),
    "option label 101": (
        {"components": [row(menu(options=[{"label": "l" * 101, "value": "v"}]))]},
        "options.0.label: must be 1 to 100",
    ),
    "option value twice": (
        {"components": [row(menu(options=[{"label": "a", "value": "v"}, {"label": "b", "value": "v"}]))]},
        "the value 'v' is used twice",
    ),
    "option description": (
        {"components": [row(menu(options=[{"label": "a", "value": "v", "description": "d" * 101}]))]},
        "options.0.description",
    ),
    "two chosen": (
        {"components": [row(menu(options=[{"label": v, "value": v, "default": True} for v in "ab"]))]},
        "2 options are selected by default",
    ),
    "a role among channels": (
        {"components": [row({"type": 8, "custom_id": "c", "default_values": [{"id": "1", "type": "role"}]})]},
        "a role cannot be chosen here",
    ),
    "two roles for one": (
        {
            "components": [
                row({"type": 6, "custom_id": "c", "default_values": [{"id": n, "type": "role"} for n in "12"]})
            ]
        },
        "2 entries are selected by default, not 1 to 1",
    ),
    "26 roles": ({"components": [row({"type": 6, "custom_id": "c", "max_values": 26})]}, "at most 25 entries"),
    "min above max": ({"components": [row(menu(min_values=2, max_values=1))]}, "min_values 2 is above max_values 1"),
    "max above options": ({"components": [row(menu(2, max_values=3))]}, "only 2 options"),
    "menu without id": ({"components": [row(menu(custom_id=None))]}, "a menu needs a custom_id"),
    "placeholder 151": ({"components": [row(menu(placeholder="p" * 151))]}, "placeholder"),
    "v2 with content": ({**V2, "content": "x", "components": [text()]}, "content: is not allowed with V2"),
    "v2 with embeds": ({**V2, "embeds": [{"title": "t"}], "components": [text()]}, "embeds: is not allowed with V2"),
    "v2 with poll": ({**V2, "poll": {"question": {}}, "components": [text()]}, "poll: is not allowed with V2"),
    "v2 without flag": ({"components": [text()]}, "V2 components need the flag"),
    "41 components": ({**V2, "components": [text() for _ in range(41)]}, "41 components, nested ones included"),
    "41 with nesting": ({**V2, "components": [box(*many_buttons(33))]}, "41 components, nested ones included"),
    "4001 characters": ({**V2, "components": [text("x" * 2001), text("x" * 2000)]}, "4001 characters of text in total"),
    "text display 4001": ({**V2, "components": [text("x" * 4001)]}, "components.0.content: must be 1 to 4000"),
    "empty text": ({**V2, "components": [text("")]}, "components.0.content"),
    "bare button": ({**V2, "components": [button()]}, "is not allowed at the top level of a message"),
    "nested container": ({**V2, "components": [box(box(text()))]}, "is not allowed in a container"),
    "button in container": ({**V2, "components": [box(button())]}, "is not allowed in a container"),
    "empty container": ({**V2, "components": [box()]}, "components.0.components: must have 1 to 40"),
    "11 pictures": ({**V2, "components": [gallery(11)]}, "items: must have 1 to 10"),
    "alt text 1025": ({**V2, "components": [gallery(description="d" * 1025)]}, "items.0.description"),
    "empty alt text": ({**V2, "components": [gallery(description="")]}, "items.0.description"),
    "lonely section": ({**V2, "components": [section(text())]}, "a section needs a button or a thumbnail"),
    "four texts": (
        {**V2, "components": [section(*[text()] * 4, accessory=button())]},
        "components.0.components: must have 1 to 3",
    ),
    "missing file": (
        {**V2, "components": [{"type": 12, "items": [{"media": {"url": "attachment://b.png"}}]}]},
        "no file of this message is called b.png",
    ),
    "missing embed file": ({"embeds": [{"image": {"url": "attachment://b.png"}}]}, "embeds.0.image.url"),
}


@pytest.mark.parametrize(("body", "complaint"), BAD_MESSAGES.values(), ids=BAD_MESSAGES.keys())
def test_message_over_a_limit_has_a_flaw(body: dict[str, Any], complaint: str) -> None:
    flaws = limits.message_flaws(body)
    assert any(complaint in str(flaw) for flaw in flaws), flaws


def test_eleven_files_are_too_many() -> None:
    flaws = limits.message_flaws({}, file_names=[f"{n}.png" for n in range(11)])
    assert [str(flaw) for flaw in flaws] == ["attachments: at most 10 files, there are 11"]


def test_components_may_show_an_attached_file_by_name() -> None:
    body = {**V2, "components": [{"type": 12, "items": [{"media": {"url": "attachment://b.png"}}]}]}
    assert limits.message_flaws(body, file_names=["b.png"]) == []


def test_edit_cannot_remove_the_v2_flag() -> None:
    previous = Message(1, 1, 1, flags=COMPONENTS_V2)
    flaws = limits.message_flaws({"flags": 0, "content": None, "components": [row(button())]}, previous=previous)
    assert [flaw.path for flaw in flaws] == ["flags"]
    assert limits.message_flaws({"components": [text()]}, previous=previous) == []


def test_edit_to_v2_must_clear_the_old_text() -> None:
    previous = Message(1, 1, 1, content="Old words")
    flaws = limits.message_flaws({**V2, "components": [text()]}, previous=previous)
    assert [flaw.path for flaw in flaws] == ["content"]
    assert limits.message_flaws({**V2, "content": None, "components": [text()]}, previous=previous) == []


def test_message_without_content_or_files_is_empty() -> None:
    assert limits.is_empty({"content": ""}, has_files=False, previous=None)
    assert not limits.is_empty({"content": ""}, has_files=True, previous=None)
    before = Message(1, 1, 1, content="words")
    assert not limits.is_empty({"components": []}, has_files=False, previous=before)
    assert limits.is_empty({"content": None}, has_files=False, previous=before)


def test_files_and_requests_over_the_size_limits_are_refused() -> None:
    assert limits.size_problem([Upload("a", bytes(table.FILE_BYTES))]) is None
    assert "a has" in str(limits.size_problem([Upload("a", bytes(table.FILE_BYTES + 1))]))
    assert "together" in str(limits.size_problem([Upload("a", bytes(table.FILE_BYTES))] * 3))


def labelled(field: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"type": 18, "label": "L", "component": field or {"type": 4, "style": 1, "custom_id": "t"}, **more}


def modal(*parts: Any, **more: Any) -> dict[str, Any]:
    return {"title": "T", "custom_id": "c", "components": list(parts) or [labelled()], **more}


def ticks(count: int) -> dict[str, Any]:
    return {"type": 22, "custom_id": "g", "options": [{"label": str(n), "value": str(n)} for n in range(count)]}


def test_modal_within_the_limits_has_no_flaws() -> None:
    assert limits.modal_flaws(modal(text(), labelled(), labelled(menu()), labelled(ticks(10)))) == []


BAD_MODALS: dict[str, tuple[dict[str, Any], str]] = {
    "title 46": (modal(title="t" * 46), "title: must be 1 to 45"),
    "custom_id 101": (modal(custom_id="c" * 101), "custom_id"),
    "six components": (modal(*[text()] * 6), "components: must have 1 to 5"),
    "field id twice": (modal(labelled(), labelled()), "the custom_id 't' is used twice"),
    "bare field": (modal(menu()), "is not allowed at the top level of a modal"),
    "label 46": (modal(labelled(label="l" * 46)), "components.0.label"),
    "label description": (modal(labelled(description="d" * 101)), "components.0.description"),
    "value 4001": (modal(labelled({"type": 4, "style": 1, "custom_id": "t", "value": "v" * 4001})), "value"),
    "placeholder": (modal(labelled({"type": 4, "style": 1, "custom_id": "t", "placeholder": "p" * 101})), "placeh"),
    "lengths": (modal(labelled({"type": 4, "style": 1, "custom_id": "t", "min_length": 9, "max_length": 5})), "9 to 5"),
    "11 ticks": (modal(labelled(ticks(11))), "options: must have 1 to 10"),
}


@pytest.mark.parametrize(("data", "complaint"), BAD_MODALS.values(), ids=BAD_MODALS.keys())
def test_modal_over_a_limit_has_a_flaw(data: dict[str, Any], complaint: str) -> None:
    flaws = limits.modal_flaws(data)
    assert any(complaint in str(flaw) for flaw in flaws), flaws


def command(name: str = "go", **more: Any) -> dict[str, Any]:
    return {"name": name, "description": "A command", "type": 1, **more}


def option(name: str = "where", kind: int = 3, **more: Any) -> dict[str, Any]:
    return {"name": name, "description": "An option", "type": kind, **more}


def choices(count: int, make: Callable[[int], Any] = str) -> list[dict[str, Any]]:
    return [{"name": f"c{n}", "value": make(n)} for n in range(count)]


def test_commands_within_the_limits_have_no_flaws() -> None:
    group = option("group", 2, options=[option("sub", 1, options=[option("é-1", choices=choices(25))])])
    assert limits.command_flaws([command(options=[group])] + [command(f"c{n}") for n in range(99)]) == []
    assert limits.command_flaws([{"name": "Look At", "type": 3}]) == []


def wordy(number: int) -> str:
    return f"{number:012}"


BAD_COMMANDS: dict[str, tuple[list[dict[str, Any]], str]] = {
    "101 commands": ([command(f"c{n}") for n in range(101)], "at most 100 commands"),
    "16 menus": ([{"name": f"Menu {n}", "type": 3} for n in range(16)], "at most 15 context menus"),
    "same name": ([command(), command()], "'go') is used twice"),
    "capitals in German": ([command(name_localizations={"de": "Geh"})], "0.name_localizations.de: 'Geh' must be lower"),
    "description 101 in French": ([command(description_localizations={"fr": "d" * 101})], "localizations.fr"),
    "same option in Italian": (
        [command(options=[option("a", name_localizations={"it": "b"}), option("b")])],
        "the name in it 'b' is used twice",
    ),
    "capitals": ([command("Go")], "must be lower-case"),
    "spaces": ([command("go on")], "must be lower-case"),
    "name 33": ([command("g" * 33)], "0.name: must be 1 to 32"),
    "no description": ([command(description="")], "0.description: must be 1 to 100"),
    "description 101": ([command(description="d" * 101)], "0.description"),
    "26 options": ([command(options=[option(f"o{n}") for n in range(26)])], "0.options: must have 0 to 25"),
    "same option": ([command(options=[option(), option()])], "the name 'where' is used twice"),
    "required last": ([command(options=[option("a"), option("b", required=True)])], "required option 'b' after"),
    "mixed": ([command(options=[option("a", 1), option("b")])], "cannot be mixed"),
    "26 choices": ([command(options=[option(choices=choices(26))])], "choices: must have 0 to 25"),
    "choice name 101": ([command(options=[option(choices=[{"name": "n" * 101, "value": "v"}])])], "choices.0.name"),
    "choice value 101": ([command(options=[option(choices=[{"name": "n", "value": "v" * 101}])])], "choices.0.value"),
    "choice type": ([command(options=[option(kind=4, choices=choices(1))])], "does not fit the option's type"),
    "choice twice": ([command(options=[option(choices=choices(1) * 2)])], "the name 'c0' is used twice"),
    "choices and autocomplete": (
        [command(options=[option(choices=choices(1), autocomplete=True)])],
        "choices and autocomplete exclude each other",
    ),
    "8001 characters": (
        [command(options=[option(f"o{n}", description="d" * 100, choices=choices(25, wordy)) for n in range(25)])],
        "characters in all names",
    ),
}


@pytest.mark.parametrize(("commands", "complaint"), BAD_COMMANDS.values(), ids=BAD_COMMANDS.keys())
def test_commands_over_a_limit_have_flaws(commands: list[dict[str, Any]], complaint: str) -> None:
    flaws = limits.command_flaws(commands)
    assert any(complaint in str(flaw) for flaw in flaws), flaws


def test_autocomplete_answers_are_limited_in_number_and_type() -> None:
    assert limits.autocomplete_flaws(choices(25), 3) == []
    assert "data.choices: must have 0 to 25" in str(limits.autocomplete_flaws(choices(26), 3)[0])
    assert "does not fit" in str(limits.autocomplete_flaws([*choices(1, int), *choices(1)], 4)[0])
