"""*Try it yourself*: the question of a mistake in a finished game, and the chances after another answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discord.ui import ActionRow, TextDisplay

from bot.computers.queue import Priority
from bot.errors import UserError
from bot.features.contrast import draw_for
from bot.features.handlers import TableRequest, at_table
from bot.features.play.narrowing import agreeing, before, same, step
from bot.features.play.steps import Choice, Step, Words, words_of
from bot.features.play.your_move import AS_CODE, MAX_TYPED_CHARS
from bot.features.view.story_pages import own_mistakes, story_of
from bot.interactions.controls import Control, Menu
from bot.interactions.forms import Form
from bot.interactions.kinds import OUTDATED_TEXT, InVersion
from bot.interactions.parts import PLAIN, PRIMARY, Layout, layout, picture, row, rows
from bot.interactions.phone import button_lines, lines_of
from bot.posting import board_layouts, story_layouts
from bot.posting.story_layouts import fits, fitting
from bot.tables.people import escaped
from bot.tables.table import Table
from engine.core import Action, Decision, State
from engine.match import Match
from engine.story.looking import chances_after
from engine.story.telling import MAX_GOOD_LOSS, Story, Turning, look_at
from engine.texts import CHANCE, Seat, Text, joined
from engine.values import Value
from engine.wording import Voice

ESTIMATED = Text("-# Your estimated chances of winning, based on what you could know then.")
CHANCES = Text("-# Your estimated chances of winning.")
"""The shorter one is for phones without room for the other."""

MAX_BEST_LINES = 2
"""Lines of a phone that the best answer may take before it is in small print."""


class Retry(Value):
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
        match = table.viewable_match()
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


class Comparison(Value):
    """The new answer, the best one, and the chances of winning after both and after the original answer."""

    answer: Action
    best: Action
    chances: dict[Action, float]


@at_table(story_layouts.try_again)
async def try_again(request: TableRequest, ply: InVersion[int], words: Words = ()) -> None:
    """*Try it yourself*, a word or an option: the question at a ply after these words, or the chances of the option."""
    retry = Retry.of(request.table, ply)
    if (option := retry.option(words)) is None:
        await _ask(request, retry, words)
    else:
        await _compare(request, retry, option)


@at_table("retrypick")
async def pick_again(request: TableRequest, ply: InVersion[int], number: int = 0) -> None:
    """Apply a menu choice: a word, or a whole option. The number makes the ids of a message unique."""
    await try_again(request, ply, tuple(request.value.split()))


@at_table("retryform")
async def open_form_again(request: TableRequest, ply: InVersion[int], words: Words) -> None:
    """Open a form for a value with too many choices for menus."""
    retry = Retry.of(request.table, ply)
    control, label = type_again.id(request.table, ply, words), retry.say(Text("Your choice"))
    await request.response.ask(Form(control, str(request.table.title), label, most=MAX_TYPED_CHARS))


@at_table("retrytyped")
async def type_again(request: TableRequest, ply: InVersion[int], words: Words) -> None:
    """Read the value typed into the form."""
    retry, line = Retry.of(request.table, ply), request.value.strip()
    choices, value = step(retry.decision.options, words, retry.voice).choices, line.translate(AS_CODE)
    agreed = (choice for choice in choices if same(choice.words[len(words)], value) or same(choice.label, line))
    if choice := next(agreed, None):
        await try_again(request, ply, choice.words)
    else:
        await _ask(request, retry, words, retry.say(Text("“{said}” isn’t possible.", said=escaped(line))))


async def _ask(request: TableRequest, retry: Retry, words: Words, note: str = "") -> None:
    options = retry.decision.options
    now = step(options, words if agreeing(options, words) else (), retry.voice)
    view = retry.match.view_at(retry.ply, retry.seat, offered=agreeing(options, now.prefix))
    image = await draw_for(request.services, request.user_id, request.table, view)
    back, attachment = before(options, now.prefix, retry.voice), (image.filename, image.alt)
    await request.response.show(question_layout(retry, now, back, attachment, note), [image.file()])


async def _compare(request: TableRequest, retry: Retry, option: Action) -> None:
    """Show the chances after an option, beside those of the played option and of the best one."""
    story = await story_of(request)
    own = await own_mistakes(request, story)
    with request.services.limits.retries.one(request.user_id):
        comparison = await _evaluate(request, retry, option, _best(retry, story))
    view = retry.match.until(retry.ply).preview(retry.seat, option)
    image = await draw_for(request.services, request.user_id, request.table, view)
    message = comparison_layout(retry, comparison, (image.filename, image.alt), _further(retry, own))
    await request.response.show(message, [image.file()])


def _further(retry: Retry, own: Sequence[Turning]) -> Turning | None:
    """The player's next mistake; after the last one, the first."""
    plies = [mistake.ply for mistake in own]
    place = plies.index(retry.ply) if retry.ply in plies else 0
    return next((mistake for mistake in (*own[place:], *own[:place]) if mistake.ply != retry.ply), None)


def _best(retry: Retry, story: Story) -> Action:
    """The better option according to the story. Raises `UserError` if the story does not call the choice a mistake."""
    better = (mistake.better for mistake in (*story.mistakes, *story.turnings) if mistake.ply == retry.ply)
    if (notation := next(better, None)) is None:
        raise UserError(OUTDATED_TEXT)
    return retry.match.parse(notation)


async def _evaluate(request: TableRequest, retry: Retry, option: Action, best: Action) -> Comparison:
    """The chances of winning after each option, computed in a worker and reproducible for the same options."""
    match, options = retry.match, tuple(dict.fromkeys((option, retry.played, best)))
    arguments = (match.spec.slug, match.setup.seats, look_at(match, retry.ply), options, f"{request.table.id}")
    chances = await request.services.thinkers.think(chances_after, *arguments, priority=Priority.HINT)
    return Comparison(option, best, dict(zip(options, chances, strict=True)))


def question_layout(retry: Retry, step: Step, back: Words | None, shown: tuple[str, str], note: str = "") -> Layout:
    """A step of the question below `note`, with a button to the step after the words of `back`.

    `shown` is the filename and the alt text of the board as the player saw it.
    """
    about = Text("-# Move {move} once more, just to try it.", move=retry.move)
    lines = (note, *_question_lines(retry, step), retry.say(about))
    ways = [] if back is None else [try_again.button(retry.table, Text("Back"), ply=retry.ply, words=back)]
    return layout(
        picture(*shown), TextDisplay("\n".join(filter(None, lines))), *_choices(retry, step), row(*ways, _story(retry))
    )


def _question_lines(retry: Retry, step: Step) -> list[str]:
    """The heading of a step, and the choices so far. A menu has the question itself."""
    summary = retry.table.in_message(step.summary)
    if step.is_part and not step.as_menu:
        chosen = retry.table.in_message(step.beside_buttons)
        return [f"### {step.question}", f"-# {chosen}" if chosen else ""]
    if not summary:
        return [retry.say(Text("### {prompt}", prompt=retry.decision.prompt))]
    return [_heading(f"### {summary}")]


def _heading(words: str) -> str:
    """A heading in bold letters instead if it is longer than a line."""
    return words if lines_of(words) == 1 else f"**{words.removeprefix('### ')}**"


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
    """The answers with their chances of winning; `further` is another mistake of the player."""
    ways = [
        try_again.button(retry.table, Text("Try again"), ply=retry.ply),
        *([try_again.button(retry.table, Text("Another mistake"), ply=further.ply)] if further else []),
    ]
    # the last board has this button, too
    ways += [_story(retry)] if button_lines([*ways, _story(retry)]) == 1 else []
    return layout(picture(*shown), TextDisplay(_comparison_text(retry, comparison, ways)), row(*ways))


def _comparison_text(retry: Retry, comparison: Comparison, ways: Sequence[Control]) -> str:
    """The verdict, and the answers with their chances, the best one first.

    On a phone without room for all of their names, only the best one found has its name, in small print if it is long.
    """
    ranked = sorted(comparison.chances, key=comparison.chances.__getitem__, reverse=True)
    verdict, estimated = _heading(retry.say(_verdict(retry, comparison))), retry.say(ESTIMATED)
    lines = [verdict, *(_line(retry, comparison, option) for option in ranked), estimated]
    if fits(ways, words := "\n".join(lines)):
        return words
    others = " · ".join(_chance(retry, comparison, option) for option in ranked if option != comparison.best)
    best = _line(retry, comparison, comparison.best)
    best = best if lines_of(best) <= MAX_BEST_LINES else f"-# {best}"
    compact = f"{verdict}\n{best}\n{others}"
    if not fits(ways, compact):
        compact = f"{verdict}\n{best}\n-# {others}"
    words = fitting(ways, compact, estimated)
    return words if estimated in words else fitting(ways, compact, retry.say(CHANCES))


def _verdict(retry: Retry, comparison: Comparison) -> Text:
    answer, chances = comparison.answer, comparison.chances
    if answer == retry.played:
        return Text("### That’s what you chose in the game")
    if chances[answer] >= max(chances.values()) - MAX_GOOD_LOSS:
        return Text("### Well chosen!")
    if chances[answer] > chances[retry.played] + MAX_GOOD_LOSS:
        return Text("### Better than in the game")
    if round(100 * chances[answer]) > round(100 * chances[retry.played]):
        return Text("### Only a little better than in the game")
    return Text("### Not better than in the game")


def _line(retry: Retry, comparison: Comparison, option: Action) -> str:
    """45% · **Move G4 on 21 onto B4 on 30** – in the game, the best I found."""
    chance, quote = round(100 * comparison.chances[option]), retry.quote(option)
    template = "{chance}% · **{label}** – {roles}"
    return retry.say(Text(template, chance=chance, label=quote, roles=_roles(retry, comparison, option)))


def _chance(retry: Retry, comparison: Comparison, option: Action) -> str:
    """24% in the game."""
    chance = round(100 * comparison.chances[option])
    return retry.say(Text("{chance}% {roles}", chance=chance, roles=_roles(retry, comparison, option)))


def _roles(retry: Retry, comparison: Comparison, option: Action) -> Text:
    """In the game, the best I found; a suggestion that turns out worse than another answer is not the best."""
    highest, suggested = max(comparison.chances.values()), comparison.chances[comparison.best]
    is_best = round(100 * suggested) >= round(100 * highest)
    roles = [
        role
        for role, action in (
            (Text("chosen now"), comparison.answer),
            (Text("in the game"), retry.played),
            (Text("the best I found") if is_best else Text("my suggestion"), comparison.best),
        )
        if action == option
    ]
    return joined(roles, ", ")
