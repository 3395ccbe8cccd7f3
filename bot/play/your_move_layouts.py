"""A turn in private, message by message: what to choose next, and what would come of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import discord
from discord.ui import ActionRow, TextDisplay

from bot.interactions.controls import Control, ControlId, Menu
from bot.interactions.parts import PRIMARY, SUCCESS, Layout, layout, picture, row, rows
from bot.play.drafting import TurnDraft
from bot.play.narrowing import Choice, Step
from bot.posting.board_layouts import undo_control
from bot.store.undo_requests import UndoRequest
from bot.tables.table import Table
from engine.match import UndoKind, UndoPolicy
from engine.texts import Seat, Text

MENU_ROWS = 25

LIKE_THIS = Text("### Like this?")
"""What a preview asks."""


def step_layout(
    turn: TurnDraft,
    prompt: Text,
    step: Step,
    back: tuple[str, ...] | None,
    shown: tuple[str, str],
    note: str = "",
    advice: Sequence[Text] = (),
    *,
    more: bool = False,
) -> Layout:
    """What to choose next, with Back, Cancel and a hint where that is allowed; `shown` is a filename and its alt text.

    With `more` there is a way to the whole log beside what the note tells of it.
    """
    lines = [note] if note else []
    if turn.chosen:
        lines.append(f"-# {chosen_so_far(turn)}")
    lines.append(turn.say(Text("### {prompt}", prompt=prompt)))
    lines += [turn.say(Text("💡 *{advice}*", advice=line)) for line in advice]
    lines += _explained(turn.table, step)
    # below the picture, which fills a phone: the question stands by its answers
    items: list[discord.ui.Item[Any]] = [picture(*shown), TextDisplay("\n".join(lines))]
    items += _choices(turn, step)
    log = [Control(ControlId("past", turn.table.id), turn.say(Text("More")))] if more else []
    hint = [Control(turn.control("hint"), turn.say(Text("Hint")))] if turn.table.may_hint else []
    items.append(row(*_ways_back(turn, back), *log, *hint, *_for_good(turn), _cancel(turn)))
    return layout(*items)


def chosen_so_far(turn: TurnDraft) -> str:
    """`✓ Clio steps north · Power: Clio`, for a message."""
    return turn.table.in_message(f"✓ {' · '.join(turn.labels)}")


def _choices(turn: TurnDraft, step: Step) -> list[ActionRow[Any]]:
    if step.as_form:
        return [row(Control(turn.control("form", " ".join(step.prefix)), turn.say(Text("Type it")), PRIMARY))]
    return _menus(turn, step) if step.as_menu else _button_rows(turn, step.choices)


def _ways_back(turn: TurnDraft, back: tuple[str, ...] | None) -> list[Control]:
    """To the step before; from the first one to what is chosen already, if anything is."""
    if back is not None:
        return [_step_control(turn, back, Text("Back"))]
    return [Control(turn.control("kept"), turn.say(Text("Back")))] if turn.chosen else []


def _for_good(turn: TurnDraft) -> list[Control]:
    """The way not to be asked any more, for a question outside one's own turn."""
    if turn.ahead.state.aside(turn.seat) is None:
        return []
    return [Control(ControlId("answers", turn.table.id), turn.say(Text("Always answer so …")))]


def _explained(table: Table, step: Step) -> list[str]:
    """What is chosen already of an option, and what the choices mean where buttons cannot say it."""
    lines = [step.begun] if step.begun else []
    if step.as_form:
        lines.append(step.asks.capitalize())
    elif not step.as_menu:
        told = [(choice.label, _meaning(table, step, choice)) for choice in step.choices]
        lines += [f"**{label}** – {meaning}" for label, meaning in told if meaning]
    return [f"-# {table.in_message(line)}" for line in lines]


def _meaning(table: Table, step: Step, choice: Choice) -> str:
    """What a choice means in the position, or what its verb is for."""
    if choice.gloss or step.prefix:
        return choice.gloss
    cls = next(cls for cls in table.spec.actions if cls.verb == choice.words[0])
    return (cls.__doc__ or "").splitlines()[0]


def _step_control(turn: TurnDraft, words: tuple[str, ...], name: Text) -> Control:
    return Control(turn.control("step", " ".join(words)), turn.voice.say(name))


def _cancel(turn: TurnDraft) -> Control:
    return Control(turn.control("close"), turn.say(Text("Cancel")))


def _button_rows(turn: TurnDraft, choices: Sequence[Choice]) -> list[ActionRow[Any]]:
    buttons = [
        Control(turn.control("try" if choice.complete else "step", " ".join(choice.words)), choice.label, PRIMARY)
        for choice in choices
    ]
    return rows(buttons)


def _menus(turn: TurnDraft, step: Step) -> list[ActionRow[Any]]:
    rows = [(" ".join(choice.words), _menu_label(turn.table, step, choice)) for choice in step.choices]
    pages = [rows[i : i + MENU_ROWS] for i in range(0, len(rows), MENU_ROWS)]
    choose = Text("Choose {what}", what=step.asks or Text("what to do"))
    asked = [
        Text("{choose}: {first} to {last}", choose=choose, first=page[0][1], last=page[-1][1]) if pages[1:] else choose
        for page in pages
    ]
    return [
        row(Menu(turn.control("pick", str(number)), tuple(page), turn.say(asked[number])))
        for number, page in enumerate(pages)
    ]


def done_layout(table: Table, seat: Seat, text: Text) -> Layout:
    """That something was carried out, and the way to take it back, if there is one."""
    match = table.playing()
    ways = [row(undo_control(table, match.version))] if match.undo_policy(seat).kind is not UndoKind.REFUSED else []
    return layout(TextDisplay(table.in_message(table.say(text, seat))), *ways)


def taken_back_layout(table: Table, seat: Seat, told: str) -> Layout:
    """What somebody has taken back, and the ways on from there."""
    stamp = table.playing().version
    say = partial(table.say, you=seat)
    ways = row(
        Control(ControlId("turn", table.id), say(Text("Your move")), PRIMARY),
        Control(ControlId("redo", table.id, stamp), say(Text("Redo"))),
    )
    return layout(TextDisplay(f"{say(Text('↩ You have taken this back:'))}\n{told}"), ways)


def ask_others_layout(table: Table, policy: UndoPolicy, told: str) -> Layout:
    """What would be taken back, and who would have to agree."""
    people = tuple(table.person(seat) for seat in sorted(policy.seats))
    asked = Text("{reason} {people} would have to agree to take this back:", reason=policy.reason, people=people)
    ask = Control(ControlId("ask", table.id, table.playing().version), table.say(Text("Ask them")), PRIMARY)
    cancel = Control(ControlId("close", table.id), table.say(Text("Cancel")))
    return layout(TextDisplay(f"{table.say(asked)}\n{told}"), row(ask, cancel))


def undo_request_layout(table: Table, undo_request: UndoRequest, policy: UndoPolicy, told: str) -> Layout:
    """Asks others, in public, to agree that something is taken back."""
    people = tuple(table.person(seat) for seat in sorted(policy.seats))
    asked = Text("### {seat} would like to take this back", seat=undo_request.seat)
    question = Text("{people}: is that all right?\n-# {reason}", people=people, reason=policy.reason)
    ways = row(
        Control(ControlId("agree", table.id, undo_request.version), table.say(Text("Agree")), SUCCESS),
        Control(ControlId("disagree", table.id, undo_request.version), table.say(Text("Rather not"))),
    )
    return layout(TextDisplay(f"{table.say(asked)}\n{told}\n{table.say(question)}"), ways)


def _menu_label(table: Table, step: Step, choice: Choice) -> str:
    return " – ".join(filter(None, (choice.label, _meaning(table, step, choice))))


def preview_layout(
    turn: TurnDraft, told: str, back: tuple[str, ...], shown: tuple[str, str], question: Text = LIKE_THIS
) -> Layout:
    """The board as it would be: confirm, go on if the same seat is asked next, take the last choice back, or leave."""
    say, before = turn.say, turn.with_chosen(turn.chosen[:-1])
    controls = [Control(turn.control("do"), say(Text("Confirm")), SUCCESS)]
    if (asked := turn.decision) is not None:
        controls.append(_step_control(turn, (), Text("Go on: {prompt}", prompt=asked.prompt)))
    controls.append(_step_control(before, back, Text("Take back") if before.chosen else Text("Change")))
    words = f"{say(question)}\n{told}"
    return layout(picture(*shown), TextDisplay(words), row(*controls, _cancel(turn)))
