"""A turn in private, message by message: what to choose next, and what would come of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord.ui import ActionRow, TextDisplay

from bot.interactions.controls import Control, ControlId, Menu
from bot.interactions.parts import PRIMARY, SUCCESS, Layout, layout, picture, row
from bot.tables.table import Table
from bot.turn.facets import Choice, Step

MENU_ROWS = 25


def step_layout(
    table: Table,
    version: int,
    prompt: str,
    step: Step,
    back: tuple[str, ...] | None,
    shown: tuple[str, str] | None = None,
    note: str = "",
) -> Layout:
    """What to choose next, with Back and Cancel; `shown` is a filename and its alt text."""
    described = {cls.verb: (cls.__doc__ or "").splitlines()[0] for cls in table.spec.actions}
    heading = f"{note}\n### {prompt}" if note else f"### {prompt}"
    if step.prefix:
        heading += f"\n-# {' '.join(step.prefix)} …"
    elif not step.asks:
        heading += "".join(f"\n-# **{choice.words[0]}** – {described[choice.words[0]]}" for choice in step.choices)
    if not step.as_menu and (step.prefix or step.asks):
        heading += "".join(
            f"\n-# **{choice.label}** – {choice.gloss}" for choice in step.choices if choice.gloss and not step.as_menu
        )
    items: list[discord.ui.Item[Any]] = [picture(*shown)] if shown else []
    items.append(TextDisplay(heading))  # below the picture, which fills a phone: the question stands by its answers
    items += _menus(table, version, step) if step.as_menu else _button_rows(table, version, step.choices)
    last = [Control(ControlId("step", table.id, version, " ".join(back)), "Back")] if back is not None else []
    items.append(row(*last, Control(ControlId("close", table.id, version), "Cancel")))
    return layout(*items)


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
    asks = step.asks or "what to do"
    return [
        row(
            Menu(
                ControlId("pick", table.id, version, str(number)),
                tuple(page),
                f"Choose {asks}" if len(pages) == 1 else f"Choose {asks}: {page[0][1]} to {page[-1][1]}",
            )
        )
        for number, page in enumerate(pages)
    ]


def preview_layout(
    table: Table,
    version: int,
    notation: str,
    told: str,
    back: tuple[str, ...],
    shown: tuple[str, str],
    question: str = "### Like this?",
) -> Layout:
    """The board as it would be, with Confirm, Change and Cancel."""
    return layout(
        picture(*shown),
        TextDisplay(f"{question}\n{told}"),
        row(
            Control(ControlId("do", table.id, version, notation), "Confirm", SUCCESS),
            Control(ControlId("step", table.id, version, " ".join(back)), "Change"),
            Control(ControlId("close", table.id, version), "Cancel"),
        ),
    )
