"""The layouts of *Try it yourself*: the question of a past mistake, and the chances of its answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from discord.ui import ActionRow, TextDisplay

from bot.errors import UserError
from bot.features.play.steps import Choice, Step, Words, words_of
from bot.interactions.controls import Control, Menu
from bot.interactions.kinds import OUTDATED_TEXT, InVersion, declare_at_table
from bot.interactions.parts import PLAIN, PRIMARY, Layout, layout, picture, row, rows
from bot.posting import board_layouts
from bot.posting.story_layouts import try_again
from bot.tables.table import Table
from engine.core import Action, Decision, State
from engine.match import Match
from engine.story.telling import MAX_GOOD_LOSS, Turning
from engine.texts import CHANCE, Seat, Text, joined
from engine.wording import Voice

ESTIMATED = Text("-# Your estimated chances of winning, based on what you could know then.")


@declare_at_table("retrypick")
def pick_again(ply: InVersion[int], number: int = 0) -> None:
    """A row of a menu. The number makes the ids of a message unique."""


@declare_at_table("retryform")
def open_form_again(ply: InVersion[int], words: Words) -> None:
    """A form for a value after these words that has too many choices for menus."""


@dataclass(frozen=True, slots=True)
class Retry:
    """A choice in a finished match that its player tries again, without effect on the match."""

    table: Table
    match: Match
    ply: int
    seat: Seat
    state: State
    played: Action

    @classmethod
    def of(cls, table: Table, ply: int) -> Retry:
        """The choice at a ply. Raises `UserError` for a ply without one, since ids can be forged."""
        match = table.shown()
        if match.outcome is None or ply >= match.ply or match.effective[ply].seat == CHANCE:
            raise UserError(OUTDATED_TEXT)
        return cls(table, match, ply, match.effective[ply].seat, *match.choice_at(ply))

    @property
    def decision(self) -> Decision:
        """The question that the player answered."""
        return next(decision for decision in self.state.decisions() if decision.seat == self.seat)

    @property
    def voice(self) -> Voice:
        """The voice that words the options for the player."""
        return Voice(self.table.plain_names, self.seat, self.state.observe(self.seat))

    @property
    def move(self) -> int:
        """The number of the move."""
        return self.match.moves_before(self.match.versions[self.ply]) + 1

    def option(self, words: Words) -> Action | None:
        """The option with exactly these words, or `None`."""
        return next((option for option in self.decision.options if words_of(option) == words), None)

    def say(self, text: Text) -> str:
        """A text for a message to the player."""
        return self.table.say(text, self.seat)

    def quote(self, option: Action) -> str:
        """An option in a sentence to the player."""
        return self.table.in_message(self.voice.quote(option))


@dataclass(frozen=True, slots=True)
class Comparison:
    """The new answer, the best one, and the chances of winning after both and after the original answer."""

    answer: Action
    best: Action
    chances: dict[Action, float]


def question_layout(retry: Retry, step: Step, back: Words | None, shown: tuple[str, str], note: str = "") -> Layout:
    """A step of the question below `note`, with a button to the step after the words of `back`.

    `shown` is the filename and the alt text of the board as the player saw it.
    """
    about = Text("-# Move {move} once more. What you choose here changes nothing in the game.", move=retry.move)
    lines = (note, _heading(retry, step), _chosen(retry, step), retry.say(about))
    ways = [] if back is None else [try_again.button(retry.table, Text("Back"), ply=retry.ply, words=back)]
    return layout(
        picture(*shown), TextDisplay("\n".join(filter(None, lines))), *_choices(retry, step), row(*ways, _story(retry))
    )


def _heading(retry: Retry, step: Step) -> str:
    """The heading of a step: the prompt of the decision, or the question for a part of an option."""
    prompt = Text("### {prompt}", prompt=retry.decision.prompt)
    return f"### {step.question}" if step.is_part else retry.say(prompt)


def _chosen(retry: Retry, step: Step) -> str:
    return f"-# {retry.table.in_message(step.summary)}" if step.summary else ""


def _story(retry: Retry) -> Control:
    return board_layouts.story.button(retry.table, Text("Story"))


def _choices(retry: Retry, step: Step) -> list[ActionRow[Any]]:
    if step.as_form:
        other = Text("Other…") if step.suggested else Text("Type it")
        form = open_form_again.button(retry.table, other, PLAIN, retry.ply, step.prefix)
        return rows([*(_button(retry, choice) for choice in step.suggested), form])
    if step.as_menu:
        return [_menu(retry, step, page) for page in range(len(step.pages))]
    return rows([_button(retry, choice) for choice in step.choices])


def _button(retry: Retry, choice: Choice) -> Control:
    return try_again.button(retry.table, choice.label, PRIMARY, ply=retry.ply, words=choice.words)


def _menu(retry: Retry, step: Step, page: int) -> ActionRow[Any]:
    pages = step.pages
    title = Text("{question} ({page} of {pages})", question=step.question, page=page + 1, pages=len(pages))
    options = [(" ".join(choice.words), choice.label, choice.gloss) for choice in pages[page]]
    control = pick_again.id(retry.table, retry.ply, page)
    return row(Menu(control, options, retry.say(title) if pages[1:] else step.question))


def comparison_layout(retry: Retry, comparison: Comparison, shown: tuple[str, str], further: Turning | None) -> Layout:
    """The answers with their chances of winning, the best one first; `further` is another mistake of the player."""
    ranked = sorted(comparison.chances, key=comparison.chances.__getitem__, reverse=True)
    lines = [retry.say(_verdict(retry, comparison))]
    lines += [_line(retry, comparison, option) for option in ranked]
    lines.append(retry.say(Text("-# Your estimated chances of winning, based on what you could know then.")))
    ways = [
        try_again.button(retry.table, Text("Try again"), ply=retry.ply),
        *([try_again.button(retry.table, Text("Another mistake"), ply=further.ply)] if further else []),
        _story(retry),
    ]
    return layout(picture(*shown), TextDisplay("\n".join(lines)), row(*ways))


def _verdict(retry: Retry, comparison: Comparison) -> Text:
    answer, chances = comparison.answer, comparison.chances
    if answer == retry.played:
        return Text("### That’s what you chose in the game")
    if chances[answer] >= max(chances.values()) - MAX_GOOD_LOSS:
        return Text("### Well chosen!")
    if chances[answer] > chances[retry.played] + MAX_GOOD_LOSS:
        return Text("### Better than in the game")
    return Text("### Not better than in the game")


def _line(retry: Retry, comparison: Comparison, option: Action) -> str:
    """45% · **Move G4 on 21 onto B4 on 30** – in the game, the best I found."""
    roles = [
        role
        for role, chosen in (
            (Text("chosen now"), comparison.answer),
            (Text("in the game"), retry.played),
            (Text("the best I found"), comparison.best),
        )
        if chosen == option
    ]
    chance, quote = round(100 * comparison.chances[option]), retry.quote(option)
    template = "{chance}% · **{label}** – {roles}"
    return retry.say(Text(template, chance=chance, label=quote, roles=joined(roles, ", ")))
