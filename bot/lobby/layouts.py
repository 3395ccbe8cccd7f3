"""The table before the game, message by message."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import discord
from discord.ui import Container, TextDisplay

from bot.interactions.controls import Control, ControlId, Menu
from bot.interactions.parts import GOLD, PRIMARY, SUCCESS, Layout, layout, row
from bot.lobby.files import OwnFile, OwnFiles
from bot.posting.story import person, seat_mark
from bot.tables.table import Table
from engine.core import OptionValue, field_types
from engine.texts import SEAT_COLORS, Seat, worded


def lobby_layout(table: Table) -> Layout:
    """The table before the game: who sits where, what was chosen, and Start."""
    spec, chairs = table.spec, table.row.chairs
    names = table.names
    seated = [person(table, Seat(n)) for n in range(len(chairs))]
    empty = [f"{seat_mark(Seat(n), names)} {names[n]} …" for n in range(len(chairs), spec.seats[0])]
    chosen = [f"{name.replace('_', ' ')}: {_chosen(table, name, value)}" for name, value in table.row.options.items()]
    text = f"## {spec.title}\n{spec.summary}\n\n" + "\n".join(seated + empty)
    if chosen:
        text += f"\n-# {' · '.join(chosen)}"
    ready = len(chairs) in spec.seats
    text += f"\n-# {spec.seats[0]} to {spec.seats[-1]} players. " + (
        "Start when everybody is here." if ready else f"{spec.seats[0] - len(chairs)} more to go."
    )
    full = len(chairs) >= spec.seats[-1]
    return layout(
        Container(
            TextDisplay(text),
            row(
                Control(ControlId("join", table.id), "Join", SUCCESS, disabled=full),
                Control(ControlId("leave", table.id), "Leave"),
                Control(ControlId("start", table.id), "Start", PRIMARY, disabled=not ready),
            ),
            row(
                Control(ControlId("add", table.id), "Add computer", disabled=full),
                Control(ControlId("remove", table.id), "Remove"),
            ),
            row(
                Control(ControlId("options", table.id), "Options"),
                Control(ControlId("rules", table.id), "Rules"),
            ),
            accent_color=GOLD,
        )
    )


def closed_lobby_layout(table: Table, text: str) -> Layout:
    """What is left of a lobby once the game began or was called off."""
    seated = "\n".join(person(table, Seat(n)) for n in range(len(table.row.chairs)))
    return layout(Container(TextDisplay(f"## {table.spec.title}\n{text}\n\n{seated}"), accent_color=GOLD))


OWN_FILE = "file "
"""How the value of a menu row begins that stands for a file of the host's own."""

KEPT = "kept"
"""The value of a menu row for a text that was chosen before and whose file is gone or has changed."""


def options_layout(table: Table, files: OwnFiles | None = None) -> Layout:
    """A menu per option of the game, with the host's own `files` where an option takes one."""
    items: list[discord.ui.Item[Any]] = [TextDisplay(f"### Options of {table.spec.title}")]
    for number, field in enumerate(dataclasses.fields(table.spec.options)):
        own = (files or {}).get(field.name, ())
        name = field.name.replace("_", " ")
        lines = [f"**{name}** – {field.metadata['description']}"]
        lines += [f"-# {file.name} cannot be used: {file.problem}"[:400] for file in own if file.problem]
        items.append(TextDisplay("\n".join(lines)))
        values = _option_values(table, field, own)
        rows = tuple((value, f"{name}: {_chosen(table, field.name, choice)}") for value, choice in values)
        current = table.row.options.get(field.name, field.default)
        chosen = next(value for value, choice in values if (type(choice), choice) == (type(current), current))
        items.append(row(Menu(ControlId("option", table.id, number, field.name), rows, chosen=chosen)))
    return layout(*items)


def _option_values(
    table: Table, field: dataclasses.Field[Any], own: Sequence[OwnFile]
) -> list[tuple[str, OptionValue]]:
    """Value of a menu row -> value of the option: the fixed choices by number, then files, then what was chosen."""
    values: list[tuple[str, OptionValue]] = [(str(n), choice) for n, choice in enumerate(field.metadata["choices"])]
    values += [(OWN_FILE + file.name, file.text) for file in own if not file.problem]
    current = table.row.options.get(field.name, field.default)
    if isinstance(current, str) and current not in [choice for _, choice in values]:
        values.append((KEPT, current))
    return values


def _chosen(table: Table, name: str, value: OptionValue) -> str:
    """How the value of an option reads; seats go by their colors, texts by the name the game gives them."""
    field = next(field for field in dataclasses.fields(table.spec.options) if field.name == name)
    if value not in field.metadata["choices"] and field.metadata.get("file"):
        return str(field.metadata["file"](value))
    return worded(value, field_types(table.spec.options)[name], SEAT_COLORS).replace("_", " ")


def remove_layout(table: Table) -> Layout:
    """Whom to remove from the lobby."""
    rows = [
        Control(
            ControlId("unseat", table.id, n, str(c.user_id)),
            f"{table.names[n]}: {'player' if c.user_id else 'computer'}",
        )
        for n, c in enumerate(table.row.chairs)
    ]
    return layout(TextDisplay("### Who leaves the table?"), *(row(*rows[i : i + 5]) for i in range(0, len(rows), 5)))
