"""A turn in private, message by message: what to choose next, and what would come of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord.ui import ActionRow, TextDisplay

from bot.interactions.controls import Control, ControlId, Menu
from bot.interactions.parts import PRIMARY, SUCCESS, Layout, layout, picture, row
from bot.tables.table import Table
from bot.turn.narrowing import Choice, Step
from engine.texts import Text

MENU_ROWS = 25

LIKE_THIS = Text("### Like this?")
"""What a preview asks."""


def step_layout(
    table: Table,
    version: int,
    prompt: Text,
    step: Step,
    back: tuple[str, ...] | None,
    shown: tuple[str, str] | None = None,
    note: Text | None = None,
) -> Layout:
    """What to choose next, with Back and Cancel; `shown` is a filename and its alt text."""
    items: list[discord.ui.Item[Any]] = [picture(*shown)] if shown else []
    lines = [table.say(note)] if note else []
    lines += [table.say(Text("### {prompt}", prompt=prompt)), *_explained(table, step)]
    # below the picture, which fills a phone: the question stands by its answers
    items.append(TextDisplay("\n".join(lines)))
    items += _menus(table, version, step) if step.as_menu else _button_rows(table, version, step.choices)
    last = [_step_control(table, version, back, Text("Back"))] if back is not None else []
    items.append(row(*last, _cancel(table, version)))
    return layout(*items)


def _explained(table: Table, step: Step) -> list[str]:
    """What is chosen already, and what the choices mean where buttons cannot say it."""
    described = {cls.verb: (cls.__doc__ or "").splitlines()[0] for cls in table.spec.actions}
    if not step.prefix and not step.asks:
        return [f"-# **{choice.words[0]}** – {described[choice.words[0]]}" for choice in step.choices]
    lines = [f"-# {' '.join(step.prefix)} …"] if step.prefix else []
    if not step.as_menu:
        lines += [f"-# **{choice.label}** – {choice.gloss}" for choice in step.choices if choice.gloss]
    return lines


def _step_control(table: Table, version: int, words: tuple[str, ...], label: Text) -> Control:
    return Control(ControlId("step", table.id, version, " ".join(words)), table.say(label))


def _cancel(table: Table, version: int) -> Control:
    return Control(ControlId("close", table.id, version), table.say(Text("Cancel")))


def _button_rows(table: Table, version: int, choices: Sequence[Choice]) -> list[ActionRow[Any]]:
    buttons = [
        Control(
            ControlId("try" if choice.complete else "step", table.id, version, " ".join(choice.words)),
            choice.label,
            PRIMARY,
        )
        for choice in choices
    ]
    return [row(*buttons[i : i + 5]) for i in range(0, len(buttons), 5)]


def _menus(table: Table, version: int, step: Step) -> list[ActionRow[Any]]:
    rows = [(" ".join(choice.words), " – ".join(filter(None, (choice.label, choice.gloss)))) for choice in step.choices]
    pages = [rows[i : i + MENU_ROWS] for i in range(0, len(rows), MENU_ROWS)]
    choose = Text("Choose {what}", what=step.asks or Text("what to do"))
    asked = [
        Text("{choose}: {first} to {last}", choose=choose, first=page[0][1], last=page[-1][1]) if pages[1:] else choose
        for page in pages
    ]
    return [
        row(Menu(ControlId("pick", table.id, version, str(number)), tuple(page), table.say(asked[number])))
        for number, page in enumerate(pages)
    ]


def preview_layout(
    table: Table,
    version: int,
    notation: str,
    told: str,
    back: tuple[str, ...],
    shown: tuple[str, str],
    question: Text = LIKE_THIS,
) -> Layout:
    """The board as it would be, with Confirm, Change and Cancel."""
    return layout(
        picture(*shown),
        TextDisplay(f"{table.say(question)}\n{told}"),
        row(
            Control(ControlId("do", table.id, version, notation), table.say(Text("Confirm")), SUCCESS),
            _step_control(table, version, back, Text("Change")),
            _cancel(table, version),
        ),
    )
