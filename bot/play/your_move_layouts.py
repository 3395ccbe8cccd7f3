"""A turn in private, message by message: what to choose next, and what would come of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

import discord
from discord.ui import ActionRow, TextDisplay

from bot.handlers import close
from bot.interactions.controls import Control, Menu
from bot.interactions.kinds import Stamp, declare_at_table
from bot.interactions.parts import PLAIN, PRIMARY, SUCCESS, Layout, layout, picture, row, rows
from bot.play.drafting import TurnDraft
from bot.play.narrowing import Choice, Step, Words, before, words_of
from bot.play.pairs import taken_back
from bot.posting.board_texts import LINE
from bot.view.games import show_log_beside
from engine.coaching import fresh_advice
from engine.texts import Text
from engine.wording import verb_words

LIKE_THIS = Text("### Play this?")
"""What a preview asks."""


@declare_at_table("step")
def choose_step(stamp: Stamp, words: Words) -> None:
    """A word was chosen, or *Back*: the step after these words."""


@declare_at_table("try")
def choose_option(stamp: Stamp, words: Words) -> None:
    """A whole option, or a pair of them."""


@declare_at_table("pick")
def choose_row(stamp: Stamp, number: int = 0) -> None:
    """A row of a menu. The number tells the menus of a message apart."""


@declare_at_table("form")
def open_form(stamp: Stamp, words: Words) -> None:
    """A form for one of very many values after these words."""


@declare_at_table("do")
def confirm(stamp: Stamp) -> None:
    """*Confirm*."""


@declare_at_table("hint")
def show_hint(stamp: Stamp | None = None) -> None:
    """*Hint*: the best options after the choices of the draft."""


@declare_at_table("answers")
def always_answer() -> None:
    """*Always answer…*: the page of auto-answers."""


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

    What is chosen already can be confirmed. A user who is `coached` reads one piece of advice at a time. With `more`
    there is a way to the whole log beside what the note tells of it.
    """
    advice = fresh_advice(turn.ahead, turn.seat) if coached else None
    lines = [note] if note else []
    lines.append(prompted(turn, prompt))
    lines += [turn.say(Text("-# 💡 {advice}", advice=advice))] if advice else []
    typed = step.asks.capitalize() if step.as_form and not step.suggested else ""
    lines += [f"-# {turn.table.in_message(line)}" for line in (step.begun, typed) if line]
    # below the picture, which fills a phone: the question is next to its answers
    items: list[discord.ui.Item[Any]] = [picture(*shown), TextDisplay("\n".join(lines))]
    items += _choices(turn, step)
    log = [show_log_beside.button(turn.table, Text("Log"))] if more else []
    hint = [show_hint.button(turn.table, Text("Hint"), stamp=turn.stamp)] if turn.table.may_hint else []
    # a question outside one's own turn may be answered once and for all
    aside = None if turn.chosen else turn.ahead.state.aside(turn.seat)
    always = [always_answer.button(turn.table, Text("Always answer…"))] if aside else []
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
    fields = turn.stamp, step.prefix
    if not step.suggested:
        return [row(open_form.button(turn.table, Text("Type it"), PRIMARY, *fields))]
    return rows([*_buttons(turn, step.suggested), open_form.button(turn.table, Text("Other…"), PLAIN, *fields)])


def _ways_back(turn: TurnDraft, back: tuple[str, ...] | None, coached: bool) -> list[Control]:
    """To the step before; from the first one to the last choice, which can be confirmed, if there is one."""
    if back is not None:
        return [_step_control(turn, back, Text("Back"))]
    return _confirm_or_back(turn, coached) if turn.chosen else []


def _confirm_or_back(turn: TurnDraft, coached: bool) -> list[Control]:
    """What is chosen can be confirmed or changed; for what is usual, there is a way to choose something else."""
    confirmed = [confirm.button(turn.table, Text("Confirm"), SUCCESS, turn.stamp)]
    if (earlier := taken_back(turn, pairs=not coached)) is None:
        return confirmed
    asked, last = earlier.ahead.decision_of(turn.seat), turn.chosen[len(earlier.chosen)]
    # what is nearly always taken was chosen without a tap, and is not kept as a draft
    nobody_chose = last == asked.usual and turn.seat not in turn.table.drafts
    if nobody_chose and turn.decision is not None:
        return [_step_control(earlier, (), Text("{verb}…", verb=verb_words(last.verb)))]
    return [*confirmed, _step_control(earlier, before(asked.options, words_of(last)) or (), Text("Back"))]


def _step_control(turn: TurnDraft, words: tuple[str, ...], name: Text) -> Control:
    return choose_step.button(turn.table, turn.voice.say(name), PLAIN, turn.stamp, words)


def _cancel(turn: TurnDraft) -> Control:
    return close.button(turn.table, Text("Cancel"), stamp=turn.stamp)


def _buttons(turn: TurnDraft, choices: Sequence[Choice]) -> list[Control]:
    return [
        (choose_option if choice.complete else choose_step).button(
            turn.table, choice.label, PRIMARY, turn.stamp, choice.words
        )
        for choice in choices
    ]


def _menus(turn: TurnDraft, step: Step) -> list[ActionRow[Any]]:
    pages = list(step.pages)
    names = _page_names(pages) if pages[1:] else [Text("Choose {what}", what=step.asks or Text("what to do"))]
    menus = []
    for number, (page, name) in enumerate(zip(pages, names, strict=True)):
        options = [(" ".join(choice.words), choice.label, choice.gloss) for choice in page]
        # numbered: Discord refuses a message in which two controls have the same id
        menus.append(row(Menu(choose_row.id(turn.table, turn.stamp, number), options, turn.say(name))))
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


def preview_layout(turn: TurnDraft, words: str, shown: tuple[str, str], *, coached: bool = False) -> Layout:
    """The board as it would be: confirm, go back to the last choice, or leave."""
    return layout(picture(*shown), TextDisplay(words), row(*_confirm_or_back(turn, coached), _cancel(turn)))
