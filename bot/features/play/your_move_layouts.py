"""The layouts of a turn in private: the steps of a decision, and the preview of the choices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord.ui import ActionRow, TextDisplay

import renders
from bot.features.handlers import close
from bot.features.play.drafting import TurnDraft
from bot.features.play.narrowing import before
from bot.features.play.steps import Choice, Step, Words, words_of
from bot.features.play.undo_buttons import undo_control
from bot.features.view.games import show_log_beside
from bot.interactions.controls import Control, Menu
from bot.interactions.emojis import current_emojis
from bot.interactions.forms import MAX_ANSWERS, MAX_QUESTIONS, FormQuestion
from bot.interactions.kinds import Stamp, declare_at_table
from bot.interactions.parts import PLAIN, PRIMARY, SUCCESS, Layout, layout, picture, row, rows
from bot.interactions.phone import button_lines, lines_of
from bot.posting.board_texts import marking_pieces
from engine.coaching import fresh_advice
from engine.texts import Text
from engine.wording import verb_words
from renders.symbols import Symbol

LIKE_THIS = Text("### Play this?")
"""The question of a preview."""

LINES, LINES_OF_CONTROLS = 4, 2
"""Lines of text that fit on a phone between a picture and a menu with a line of buttons, and how many of them one more
menu or line of buttons takes.
"""

PLAN_THIS = Text("### Plan this?")
"""The question of the preview of a planned turn."""


@declare_at_table("step")
def choose_step(stamp: Stamp, words: Words) -> None:
    """The step after these words, forward or *Back*."""


@declare_at_table("try")
def choose_option(stamp: Stamp, words: Words) -> None:
    """A whole option."""


@declare_at_table("pick")
def choose_row(stamp: Stamp, number: int = 0) -> None:
    """A row of a menu. The number makes the ids of a message unique."""


@declare_at_table("form")
def open_form(stamp: Stamp, words: Words) -> None:
    """A form for a value after these words that has too many choices for menus."""


@declare_at_table("several")
def ask_for_several(stamp: Stamp) -> None:
    """A form with several fields for the same question."""


@declare_at_table("do")
def confirm(stamp: Stamp) -> None:
    """*Confirm*."""


@declare_at_table("saveplan")
def save_plan(stamp: Stamp) -> None:
    """*Save plan*."""


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
    board: tuple[str, str],
    note: str = "",
    effects: str = "",
    *,
    coached: bool = False,
    more: bool = False,
) -> Layout:
    """A step of a decision, with *Confirm* for the choices so far, *Back*, *Cancel*, and *Hint* where it is allowed.

    `board` is the filename of the picture and its alt text, `effects` are those of the choices so far. `coached` users
    get one piece of advice at a time. `more` adds a button for the whole log, which the note sums up.
    """
    ways, others = _step_controls(turn, back)
    controls = [*ways, *(_log_beside(turn, ways, others) if more else []), *others]
    # at the first step of a decision only, so that a phone shows the whole board at the others
    advice = fresh_advice(turn.ahead, turn.seat) if coached and back is None else None
    question = heading(turn, prompt, step)
    help_line = turn.say(Text("-# 💡 {advice}", advice=advice)) if advice else ""
    room = lines_left(step, controls, question)
    if lines_of(help_line) > room:
        help_line = ""
    # a phone shows the whole board beside one of them; the picture and the message in the channel have the events
    if help_line:
        note = "" if more else note
        effects = effects if lines_of("\n".join((note, effects, help_line))) <= room else ""
    lines = [line for line in (note, effects, question, help_line) if line]
    note = step.note if step.as_form and not step.suggested else ""
    summary = "" if _shows_menu(turn, step) else _last_choices(turn, step.beside_buttons, "-# ", 2)
    lines += [f"-# {line}" for line in (summary, turn.table.in_message(note)) if line]
    # below the picture, which fills a phone, so that the question is next to its answers
    items: list[discord.ui.Item[Any]] = [picture(*board), TextDisplay("\n".join(lines))]
    items += _choices(turn, step)
    return layout(*items, *rows(controls))


def lines_left(step: Step, controls: Sequence[Control], *texts: str) -> int:
    """The lines that a phone has between the picture and the controls of a step, beside other texts; at least 0."""
    more_lines = step.takes_two_menus + button_lines(controls) - 1
    return max(0, LINES - LINES_OF_CONTROLS * more_lines - sum(map(lines_of, texts)))


def step_controls(turn: TurnDraft, back: tuple[str, ...] | None) -> list[Control]:
    """The buttons below the choices: *Confirm*, *Back*, *Cancel* and others, in one line of a phone if possible.

    *Log* is not among them, since it takes no line of its own.
    """
    ways, others = _step_controls(turn, back)
    return [*ways, *others]


def _step_controls(turn: TurnDraft, back: tuple[str, ...] | None) -> tuple[list[Control], list[Control]]:
    """The buttons before and after the place of *Log*."""
    # a button, not a row of the menu: after a form is closed, Discord does not let users choose the same row again
    several = [ask_for_several.button(turn.table, Text("Several at once"), stamp=turn.stamp)] if series_of(turn) else []
    may_hint = turn.table.may_hint and not turn.is_plan
    hint = [show_hint.button(turn.table, Text("Hint"), stamp=turn.stamp)] if may_hint else []
    # a question outside the player's own turn can have an auto-answer
    aside = None if turn.chosen else turn.ahead.state.aside(turn.seat)
    always = [always_answer.button(turn.table, Text("Always answer…"))] if aside else []
    undo = _undo(turn) if back is None else []
    return [*several, *_ways_back(turn, back), _cancel(turn)], [*hint, *always, *undo]


def _log_beside(turn: TurnDraft, ways: Sequence[Control], others: Sequence[Control]) -> list[Control]:
    """*Log*, if it takes no line of its own; the board in the channel has this button, too."""
    log = [show_log_beside.button(turn.table, Text("Log"))]
    fits = button_lines([*ways, *log, *others]) == button_lines([*ways, *others])
    return log if fits and not series_of(turn) else []


def series_of(turn: TurnDraft) -> list[FormQuestion]:
    """The current question, as often as luck can repeat it in a row; empty for a question without repetition."""
    times, decision = turn.ahead.state.series(), turn.decision
    if turn.is_plan or times < 2 or decision is None or not 2 <= len(decision.options) <= MAX_ANSWERS:
        return []
    voice = turn.voice
    answers = [(" ".join(words_of(option)), voice.label(option), voice.gloss(option)) for option in decision.options]
    # the last option, which ends the series, is the default
    return [
        FormQuestion(turn.say(Text("Choice {n} of {all}", n=n + 1, all=times)), answers, answers[-1][0])
        for n in range(min(times, MAX_QUESTIONS))
    ]


def heading(turn: TurnDraft, prompt: Text, step: Step) -> str:
    """The heading of a step: the prompt of the decision, the question for a part of an option, or the choices before.

    A menu has the question itself, so that a screen asks it once.
    """
    in_menu = _shows_menu(turn, step)
    if step.has_begun and in_menu:
        return f"### {_last_choices(turn, step.summary, '### ', 1)}"
    if step.is_part and not in_menu:
        return f"### {step.question}"
    with marking_pieces(turn.table):
        return turn.say(Text("### {prompt}", prompt=prompt))


def _last_choices(turn: TurnDraft, summary: str, style: str, most: int) -> str:
    """The last of some choices within a decision: as many as fit into `most` lines of a phone, at least one."""
    summary = turn.table.in_message(summary)
    while lines_of(f"{style}{summary}") > most and " · " in summary:
        summary = summary.partition(" · ")[2]
    return summary


def _shows_menu(turn: TurnDraft, step: Step) -> bool:
    return not step.as_form and is_menu(turn, step)


def is_menu(turn: TurnDraft, step: Step) -> bool:
    """Whether the choices of a step are in a menu: as buttons with their drawings, they would take several lines."""
    return step.as_menu or button_lines(_buttons(turn, step.choices)) > 1


def chosen_so_far(turn: TurnDraft) -> str:
    """`✓ Clio steps north · Power: Clio`, for a message: the last choices, at most two lines on a phone."""
    ways = [f"✓ {' · '.join(turn.quotes[n:])}" for n in range(len(turn.quotes))]
    return turn.table.in_message(next((way for way in ways if lines_of(f"-# {way}") <= 2), ways[-1]))


def _choices(turn: TurnDraft, step: Step) -> list[ActionRow[Any]]:
    if not step.as_form:
        return _menus(turn, step) if is_menu(turn, step) else rows(_buttons(turn, step.choices))
    # the user types one of very many values into a form, or taps a suggested one
    fields = turn.stamp, step.prefix
    if not step.suggested:
        return [row(open_form.button(turn.table, Text("Type it"), PRIMARY, *fields))]
    other = open_form.button(turn.table, Text("Other…"), PLAIN, *fields)
    return rows([*_buttons(turn, step.suggested), other])


def _ways_back(turn: TurnDraft, back: tuple[str, ...] | None) -> list[Control]:
    """*Back* to the previous step; at the first step, *Confirm* and *Back* for the last choice if there is one."""
    if back is not None:
        return [_step_control(turn, back, Text("Back"))]
    return _confirm_or_back(turn) if turn.chosen else []


def _confirm_or_back(turn: TurnDraft) -> list[Control]:
    """*Confirm* and *Back* for the choices; instead, a button to change the usual option if the bot just chose it."""
    kind, label = (save_plan, Text("Save plan")) if turn.is_plan else (confirm, Text("Confirm"))
    confirm_only = [kind.button(turn.table, label, SUCCESS, turn.stamp)]
    if (earlier := turn.without_last()) is None:
        return confirm_only
    decision, last = earlier.ahead.decision_of(turn.seat), turn.chosen[len(earlier.chosen)]
    # the bot chooses the usual option by itself, and does not save that as a draft
    is_automatic = last == decision.usual and turn.seat not in turn.table.drafts
    if is_automatic and turn.decision is not None:
        return [_step_control(earlier, (), Text("{verb}…", verb=verb_words(last.verb, last.sense)))]
    back = before(decision.options, words_of(last), earlier.voice) or ()
    return [*confirm_only, _step_control(earlier, back, Text("Back"))]


def _step_control(turn: TurnDraft, words: tuple[str, ...], name: Text) -> Control:
    return choose_step.button(turn.table, turn.voice.say(name), PLAIN, turn.stamp, words)


def _cancel(turn: TurnDraft) -> Control:
    return close.button(turn.table, Text("Cancel"), stamp=turn.stamp)


def _buttons(turn: TurnDraft, choices: Sequence[Choice]) -> list[Control]:
    drawings = _drawings(turn, choices)
    return [
        Control(
            (choose_option if choice.complete else choose_step).id(turn.table, turn.stamp, choice.words),
            choice.label,
            PRIMARY,
            emoji=emoji,
        )
        for choice, emoji in zip(choices, drawings, strict=True)
    ]


def _drawings(turn: TurnDraft, choices: Sequence[Choice]) -> list[discord.PartialEmoji | None]:
    """The emoji of each choice, if the choices concern different pieces."""
    if (emojis := current_emojis()).is_empty:
        return [None] * len(choices)
    return emojis.telling_apart([_symbol(turn, choice) for choice in choices])


def _symbol(turn: TurnDraft, choice: Choice) -> Symbol | None:
    """The symbol of a choice whose options all concern the same piece."""
    state = turn.voice.state
    assert state is not None, "options are worded by what they mean in a position"
    symbols = {renders.symbol(turn.match.spec.slug, state, option) for option in choice.options}
    return symbols.pop() if len(symbols) == 1 else None


def _menus(turn: TurnDraft, step: Step) -> list[ActionRow[Any]]:
    pages = step.pages
    menus = []
    for number, page in enumerate(pages):
        title = Text("{question} ({page} of {pages})", question=step.question, page=number + 1, pages=len(pages))
        options = [(" ".join(choice.words), choice.label, choice.gloss) for choice in page]
        # numbered: Discord refuses a message in which two controls have the same id
        control = choose_row.id(turn.table, turn.stamp, number)
        drawings = _drawings(turn, page)
        menus.append(row(Menu(control, options, turn.say(title) if pages[1:] else step.question, emojis=drawings)))
    return menus


def preview_layout(turn: TurnDraft, words: str, board: tuple[str, str]) -> Layout:
    """The board after the choices (filename and alt text), with *Confirm*, *Back* and *Cancel*."""
    ways = row(*_confirm_or_back(turn), _cancel(turn), *_undo(turn))
    return layout(picture(*board), TextDisplay(words), ways)


def _undo(turn: TurnDraft) -> list[Control]:
    """*Undo* for the last confirmed choice. Unconfirmed choices have *Back* and *Cancel* instead.

    Not beside a question outside the player's own turn, to which their last choice is unrelated.
    """
    is_aside = turn.ahead.state.aside(turn.seat) is not None
    return [] if is_aside or turn.is_plan or turn.seat in turn.table.drafts else undo_control(turn.table, turn.seat)
