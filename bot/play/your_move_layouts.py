"""A turn in private, message by message: what to choose next, and what would come of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

import discord
from discord.ui import ActionRow, TextDisplay

from bot.interactions.controls import Control, ControlId, Menu
from bot.interactions.parts import PRIMARY, SUCCESS, Layout, layout, picture, row, rows
from bot.play.drafting import TurnDraft
from bot.play.narrowing import Choice, Step, before, words_of
from bot.play.pairs import taken_back
from bot.posting.board_layouts import undo_control, your_move
from bot.posting.board_texts import LINE
from bot.store.undo_requests import UndoRequest
from bot.tables.table import Table
from engine.match import UndoKind, UndoPolicy
from engine.texts import Seat, Text
from engine.wording import verb_words

LIKE_THIS = Text("### Play this?")
"""What a preview asks."""


def step_layout(
    turn: TurnDraft,
    prompt: Text,
    step: Step,
    back: tuple[str, ...] | None,
    shown: tuple[str, str],
    note: str = "",
    *,
    coached: bool = False,
    more: bool = False,
) -> Layout:
    """What to choose next, with Back, Cancel and a hint where that is allowed; `shown` is a filename and its alt text.

    What is chosen already can be confirmed. Who is `coached` reads advice. With `more` there is a way to the whole log
    beside what the note tells of it.
    """
    advice = turn.ahead.state.observe(turn.seat).advice() if coached else ()
    lines = [note] if note else []
    lines.append(prompted(turn, prompt))
    lines += [turn.say(Text("💡 *{advice}*", advice=line)) for line in advice]
    typed = step.asks.capitalize() if step.as_form and not step.suggested else ""
    lines += [f"-# {turn.table.in_message(line)}" for line in (step.begun, typed) if line]
    # below the picture, which fills a phone: the question is next to its answers
    items: list[discord.ui.Item[Any]] = [picture(*shown), TextDisplay("\n".join(lines))]
    items += _choices(turn, step)
    log = [Control(ControlId("past", turn.table.id), turn.say(Text("Log")))] if more else []
    hint = [Control(turn.control("hint"), turn.say(Text("Hint")))] if turn.table.may_hint else []
    # a question outside one's own turn may be answered once and for all
    aside = None if turn.chosen else turn.ahead.state.aside(turn.seat)
    always = [Control(ControlId("answers", turn.table.id), turn.say(Text("Always answer…")))] if aside else []
    items += rows([*_ways_back(turn, back, coached), _cancel(turn), *log, *hint, *always])
    return layout(*items)


def prompted(turn: TurnDraft, prompt: Text) -> str:
    """What is asked, as a heading."""
    return turn.say(Text("### {prompt}", prompt=prompt))


def chosen_so_far(turn: TurnDraft) -> str:
    """`✓ Clio steps north · Power: Clio`, for a message: the last choices that two lines of a phone have room for."""
    ways = (" · ".join(turn.labels[n:]) for n in range(len(turn.labels)))
    line = next(line for n, line in enumerate(ways) if n + 1 == len(turn.labels) or len(line) <= 2 * LINE)
    return turn.table.in_message(f"✓ {line}")


def _choices(turn: TurnDraft, step: Step) -> list[ActionRow[Any]]:
    if not step.as_form:
        return _menus(turn, step) if step.as_menu else rows(_buttons(turn, step.choices))
    # one of very many values is typed into a form, beside those that are suggested
    form = turn.control("form", " ".join(step.prefix))
    if not step.suggested:
        return [row(Control(form, turn.say(Text("Type it")), PRIMARY))]
    other = turn.say(Text("Other…"))
    return rows([*_buttons(turn, step.suggested), Control(form, other)])


def _ways_back(turn: TurnDraft, back: tuple[str, ...] | None, coached: bool) -> list[Control]:
    """To the step before; from the first one to the last choice, which can be confirmed, if there is one."""
    if back is not None:
        return [_step_control(turn, back, Text("Back"))]
    return _confirm_or_back(turn, coached) if turn.chosen else []


def _confirm_or_back(turn: TurnDraft, coached: bool) -> list[Control]:
    """What is chosen can be confirmed or changed; for what is usual, there is a way to choose something else."""
    confirm = [Control(turn.control("do"), turn.say(Text("Confirm")), SUCCESS)]
    if (earlier := taken_back(turn, pairs=not coached)) is None:
        return confirm
    asked, last = earlier.ahead.decision_of(turn.seat), turn.chosen[len(earlier.chosen)]
    # what is nearly always taken was chosen without a tap, and is not kept as a draft
    nobody_chose = last == asked.usual and turn.seat not in turn.table.drafts
    if nobody_chose and turn.decision is not None:
        return [_step_control(earlier, (), Text("{verb}…", verb=verb_words(last.verb)))]
    return [*confirm, _step_control(earlier, before(asked.options, words_of(last)) or (), Text("Back"))]


def _step_control(turn: TurnDraft, words: tuple[str, ...], name: Text) -> Control:
    return Control(turn.control("step", " ".join(words)), turn.voice.say(name))


def _cancel(turn: TurnDraft) -> Control:
    return Control(turn.control("close"), turn.say(Text("Cancel")))


def _buttons(turn: TurnDraft, choices: Sequence[Choice]) -> list[Control]:
    return [
        Control(turn.control("try" if choice.complete else "step", " ".join(choice.words)), choice.label, PRIMARY)
        for choice in choices
    ]


def _menus(turn: TurnDraft, step: Step) -> list[ActionRow[Any]]:
    pages = list(step.pages)
    names = _page_names(pages) if pages[1:] else [Text("Choose {what}", what=step.asks or Text("what to do"))]
    menus = []
    for number, (page, name) in enumerate(zip(pages, names, strict=True)):
        options = [(" ".join(choice.words), choice.label, choice.gloss) for choice in page]
        # numbered: Discord refuses a message in which two controls have the same id
        menus.append(row(Menu(turn.control("pick", str(number)), options, turn.say(name))))
    return menus


def _page_names(pages: Sequence[Sequence[Choice]]) -> list[Text]:
    """What all labels of a menu begin with, if that tells it from the others; else its first and its last."""
    begins = [_common_beginning([choice.label.split() for choice in page]) for page in pages]
    if all(begins) and len(set(begins)) == len(pages):
        return [Text("{begin}…", begin=begin) for begin in begins]
    return [Text("{first} … {last}", first=page[0].label, last=page[-1].label) for page in pages]


def _common_beginning(labels: Sequence[Sequence[str]]) -> str:
    alike = takewhile(lambda words: len(set(words)) == 1, zip(*labels, strict=False))
    return " ".join(words[0] for words in alike)


def done_layout(table: Table, seat: Seat, text: Text) -> Layout:
    """That something was carried out, and the way to take it back, if there is one."""
    match = table.playing()
    ways = [row(undo_control(table, match.version))] if match.undo_policy(seat).kind is not UndoKind.REFUSED else []
    return layout(TextDisplay(table.in_message(table.say(text, seat))), *ways)


def taken_back_layout(table: Table, seat: Seat, summary: str) -> Layout:
    """What somebody has taken back, and the ways on from there."""
    redo = Control(ControlId("redo", table.id, table.playing().version), table.say(Text("Redo")))
    words = table.say(Text("↩ You took this back:"), seat)
    return layout(TextDisplay(f"{words}\n{summary}"), row(your_move(table), redo))


def ask_others_layout(table: Table, policy: UndoPolicy, summary: str) -> Layout:
    """What would be taken back, and who would have to agree."""
    people = table.persons_on(sorted(policy.seats))
    asked = Text("{reason} To take this back, {people} would have to agree:", reason=policy.reason, people=people)
    ask = Control(ControlId("ask", table.id, table.playing().version), table.say(Text("Ask them")), PRIMARY)
    cancel = Control(ControlId("close", table.id), table.say(Text("Cancel")))
    return layout(TextDisplay(f"{table.say(asked)}\n{summary}"), row(ask, cancel))


def undo_request_layout(table: Table, undo_request: UndoRequest, policy: UndoPolicy, summary: str) -> Layout:
    """Asks others, in public, to agree that something is taken back."""
    people = table.persons_on(sorted(policy.seats))
    asked = Text("### {seat} would like to take this back", seat=undo_request.seat)
    question = Text("{people}: do you agree?\n-# {reason}", people=people, reason=policy.reason)
    ways = row(
        Control(ControlId("agree", table.id, undo_request.version), table.say(Text("Agree")), SUCCESS),
        Control(ControlId("disagree", table.id, undo_request.version), table.say(Text("No"))),
    )
    return layout(TextDisplay(f"{table.say(asked)}\n{summary}\n{table.say(question)}"), ways)


def preview_layout(turn: TurnDraft, words: str, shown: tuple[str, str], *, coached: bool = False) -> Layout:
    """The board as it would be: confirm, go back to the last choice, or leave."""
    return layout(picture(*shown), TextDisplay(words), row(*_confirm_or_back(turn, coached), _cancel(turn)))
