"""Fields of settings pages: their menus, the values read from them, and refused ones."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from discord import ChannelType

from bot.errors import UserError
from bot.features.fields import (
    OTHER,
    Channel,
    Channels,
    Choice,
    Page,
    Pick,
    Roles,
    Typed,
    choices_of,
    field_items,
    field_named,
    page_named,
    page_rows,
    page_with,
    row_of,
)
from bot.interactions.controls import ControlId, Menu
from bot.interactions.parts import layout
from engine.texts import Text
from tests.bot.whole import whole

CONTROL = ControlId("field", 0, 0, "pace")
ABOUT = Text("**Pace**: how long a turn takes")
PACES = Pick(
    "pace", ABOUT, (*choices_of({1: Text("fast")}), *choices_of({True: Text("yes")}), *choices_of({"": Text("none")}))
)


def request(*values: str) -> Any:
    """Chosen rows, in a server with the channels 1 (text) and 2 (voice), and the role 5."""
    channels = {1: SimpleNamespace(id=1, type=ChannelType.text), 2: SimpleNamespace(id=2, type=ChannelType.voice)}
    roles = {5: SimpleNamespace(id=5)}
    guild = SimpleNamespace(get_channel=channels.get, get_role=roles.get)
    services = SimpleNamespace(
        servers=SimpleNamespace(known=SimpleNamespace(require=lambda number: {7: guild}[number]))
    )
    response = SimpleNamespace(interaction=SimpleNamespace(guild_id=7))
    return SimpleNamespace(services=services, response=response, values=values, value=values[0] if values else "")


def rows_of(menu: Menu) -> list[tuple[str, str, str | None, bool]]:
    return [(option.value, option.label, option.description, option.default) for option in menu.item.options]


@pytest.mark.parametrize(("value", "chosen"), [(1, "1"), (True, "yes"), ("", "-"), (False, None), (2, None)])
def test_the_menu_of_a_field_selects_the_row_of_its_value_and_type(value: Any, chosen: str | None) -> None:
    rows = [("1", "fast"), ("yes", "yes"), ("-", "none")]
    assert [(row, label, None, row == chosen) for row, label in rows] == rows_of(PACES.menu(CONTROL, value))
    assert ("pace", "**Pace**") == (PACES.name, PACES.title)


def test_a_chosen_row_is_a_value_and_an_unknown_one_is_refused() -> None:
    assert [1, True, ""] == [PACES.read(request(row)) for row in ("1", "yes", "-")]
    with pytest.raises(UserError, match="no longer exists"):
        PACES.read(request("2"))
    details = Pick("pace", ABOUT, (Choice("a", 1, Text("fast"), Text("an hour")),), Text("Choose a pace"))
    menu = details.menu(CONTROL, 1)
    assert ([("a", "fast", "an hour", True)], "Choose a pace") == (rows_of(menu), menu.item.placeholder)


def test_a_typed_value_has_a_row_of_its_own_before_the_one_that_opens_the_form() -> None:
    def label(value: int) -> Text | None:
        return Text("{n} hours", n=value) if value else None

    typed = Typed("pace", ABOUT, choices_of({6: Text("six")}), other=Text("Another …"), own=label)
    usual, other = ("6", "six", None, False), (OTHER, "Another …", None, False)
    assert [(*usual[:3], True), other] == rows_of(typed.menu(CONTROL, 6))
    assert [usual, ("8", "8 hours", None, True), other] == rows_of(typed.menu(CONTROL, 8))
    assert [usual, other] == rows_of(typed.menu(CONTROL, 0))


def test_chosen_channels_and_roles_must_be_ones_that_the_bot_can_see() -> None:
    rooms = Channels("rooms", ABOUT, Text("none"), (ChannelType.text,), 2)
    log, roles = Channel("log", ABOUT, Text("none"), (ChannelType.text,)), Roles("roles", ABOUT, Text("no role"))
    assert ((1,), ()) == (rooms.read(request("1")), rooms.read(request()))
    assert (1, 0) == (log.read(request("1")), log.read(request()))
    assert ((5,), ()) == (roles.read(request("5")), roles.read(request()))
    for values in (("1", "2"), ("2",), ("1", "9")):
        with pytest.raises(UserError, match="can’t see one of these channels"):
            rooms.read(request(*values))
    with pytest.raises(UserError, match="One of these roles no longer exists"):
        roles.read(request("5", "6"))
    for field, values in ((rooms, ("1", "1", "1")), (log, ("1", "1")), (roles, ("x",)), (roles, ("5",) * 26)):
        with pytest.raises(UserError, match="no longer exists"):
            field.read(request(*values))
    pickers = rooms.menu(CONTROL, (1,)).item, log.menu(CONTROL, ()).item, roles.menu(CONTROL, (5,)).item
    assert [("none", 2, [1]), ("none", 1, []), ("no role", 25, [5])] == [
        (picker.placeholder, picker.max_values, [value.id for value in picker.default_values]) for picker in pickers
    ]


@pytest.mark.parametrize(
    ("value", "row"), [(True, "yes"), (False, "no"), (0, "0"), ("", "-"), ("a", "a"), (None, "None")]
)
def test_each_value_has_a_row_that_is_not_empty(value: Any, row: str) -> None:
    assert row == row_of(value)


def test_pages_are_found_by_their_names_and_fields_and_their_buttons_warn_of_problems() -> None:
    fields = [Pick(name, Text(f"**{name}** here"), choices_of({1: Text("one")})) for name in "abcd"]
    pages = [Page(f"page{name.name}", Text(f"Page {name.name}"), (name,)) for name in fields]
    assert fields[1] is field_named(fields, "b")
    with pytest.raises(UserError, match="no longer exists"):
        field_named(fields, "x")
    assert [pages[1], pages[0]] == [page_named(pages, name) for name in ("pageb", "x")]
    assert [pages[1], pages[0]] == [page_with(pages, name) for name in ("b", "x")]
    rows = page_rows(pages, pages[1], lambda name: ControlId("page", 0, 0, name), ["c"])
    assert [3, 1] == [len(row.children) for row in rows]
    assert ["[Page a page pagea]", "(Page b page pageb)", "[⚠️ Page c page pagec]", "[Page d page paged]"] == whole(
        layout(*rows)
    )
    items = field_items(
        fields[:2],
        lambda name: ControlId("field", 0, 0, name),
        {"a": 1, "b": 2},
        {"b": (Text("A note."), Text("Two."))},
    )
    page = ["**a** here", ": field a", "  *1 one", "**b** here", "A note.", "Two.", ": field b", "  1 one"]
    assert page == whole(layout(*items))
