"""A turn in private, message by message: what to choose next, and what would come of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord.ui import ActionRow, TextDisplay

from bot.interactions.controls import Control, Menu
from bot.interactions.parts import PRIMARY, SUCCESS, Layout, layout, picture, row
from bot.tables.table import Table
from bot.turn.drafting import Turn
from bot.turn.narrowing import Choice, Step
from engine.texts import Text
from engine.wording import label

MENU_ROWS = 25

LIKE_THIS = Text("### Like this?")
"""What a preview asks."""


def step_layout(
    turn: Turn,
    prompt: Text,
    step: Step,
    back: tuple[str, ...] | None,
    shown: tuple[str, str] | None = None,
    note: str = "",
) -> Layout:
    """What to choose next, with Back and Cancel; `shown` is a filename and its alt text."""
    table = turn.table
    items: list[discord.ui.Item[Any]] = [picture(*shown)] if shown else []
    lines = [note] if note else []
    if turn.chosen:
        lines.append(table.say(Text("-# Chosen so far: {actions}", actions=_labels(turn))))
    lines += [table.say(Text("### {prompt}", prompt=prompt)), *_explained(table, step)]
    # below the picture, which fills a phone: the question stands by its answers
    items.append(TextDisplay("\n".join(lines)))
    items += _menus(turn, step) if step.as_menu else _button_rows(turn, step.choices)
    items.append(row(*_ways_back(turn, back), _cancel(turn)))
    return layout(*items)


def _ways_back(turn: Turn, back: tuple[str, ...] | None) -> list[Control]:
    """To the step before; from the first one to what is chosen already, if anything is."""
    if back is not None:
        return [_step_control(turn, back, Text("Back"))]
    return [Control(turn.control("kept"), turn.table.say(Text("Back")))] if turn.chosen else []


def _labels(turn: Turn) -> tuple[str, ...]:
    return tuple(label(action, turn.table.names) for action in turn.chosen)


def _explained(table: Table, step: Step) -> list[str]:
    """What is chosen already, and what the choices mean where buttons cannot say it."""
    described = {cls.verb: (cls.__doc__ or "").splitlines()[0] for cls in table.spec.actions}
    if not step.prefix and not step.asks:
        return [f"-# **{choice.words[0]}** – {described[choice.words[0]]}" for choice in step.choices]
    lines = [f"-# {' '.join(step.prefix)} …"] if step.prefix else []
    if not step.as_menu:
        lines += [f"-# **{choice.label}** – {choice.gloss}" for choice in step.choices if choice.gloss]
    return lines


def _step_control(turn: Turn, words: tuple[str, ...], name: Text) -> Control:
    return Control(turn.control("step", " ".join(words)), turn.table.say(name))


def _cancel(turn: Turn) -> Control:
    return Control(turn.control("close"), turn.table.say(Text("Cancel")))


def _button_rows(turn: Turn, choices: Sequence[Choice]) -> list[ActionRow[Any]]:
    buttons = [
        Control(turn.control("try" if choice.complete else "step", " ".join(choice.words)), choice.label, PRIMARY)
        for choice in choices
    ]
    return [row(*buttons[i : i + 5]) for i in range(0, len(buttons), 5)]


def _menus(turn: Turn, step: Step) -> list[ActionRow[Any]]:
    rows = [(" ".join(choice.words), " – ".join(filter(None, (choice.label, choice.gloss)))) for choice in step.choices]
    pages = [rows[i : i + MENU_ROWS] for i in range(0, len(rows), MENU_ROWS)]
    choose = Text("Choose {what}", what=step.asks or Text("what to do"))
    asked = [
        Text("{choose}: {first} to {last}", choose=choose, first=page[0][1], last=page[-1][1]) if pages[1:] else choose
        for page in pages
    ]
    return [
        row(Menu(turn.control("pick", str(number)), tuple(page), turn.table.say(asked[number])))
        for number, page in enumerate(pages)
    ]


def preview_layout(
    turn: Turn, told: str, back: tuple[str, ...], shown: tuple[str, str], question: Text = LIKE_THIS
) -> Layout:
    """The board as it would be: confirm, go on if the same seat is asked next, take the last choice back, or leave."""
    say, before = turn.table.say, turn.with_chosen(turn.chosen[:-1])
    controls = [Control(turn.control("do"), say(Text("Confirm")), SUCCESS)]
    if (asked := turn.decision) is not None:
        controls.append(_step_control(turn, (), Text("Go on: {prompt}", prompt=asked.prompt)))
    controls.append(_step_control(before, back, Text("Take back") if before.chosen else Text("Change")))
    return layout(picture(*shown), TextDisplay(f"{say(question)}\n{told}"), row(*controls, _cancel(turn)))
