"""*Try it yourself*: the question of a mistake in a finished game, and the chances after another answer."""

from __future__ import annotations

from collections.abc import Sequence

from bot.computers.queue import Priority
from bot.errors import UserError
from bot.features.contrast import draw_for
from bot.features.handlers import TableRequest, at_table
from bot.features.play import retry_layouts
from bot.features.play.narrowing import agreeing, before, same, step
from bot.features.play.retry_layouts import Comparison, Retry, comparison_layout, question_layout
from bot.features.play.steps import Words
from bot.features.play.your_move import AS_CODE, MAX_TYPED_CHARS
from bot.features.view.story_pages import own_mistakes, story_of
from bot.interactions.forms import Form
from bot.interactions.kinds import OUTDATED_TEXT, InVersion
from bot.posting import story_layouts
from bot.tables.people import escaped
from engine.core import Action
from engine.story.looking import chances_after
from engine.story.telling import Story, Turning, look_at
from engine.texts import Text


@at_table(story_layouts.try_again)
async def try_again(request: TableRequest, ply: InVersion[int], words: Words = ()) -> None:
    """*Try it yourself*, a word or an option: the question at a ply after these words, or the chances of the option."""
    retry = Retry.of(request.table, ply)
    if (option := retry.option(words)) is None:
        await _ask(request, retry, words)
    else:
        await _compare(request, retry, option)


@at_table(retry_layouts.pick_again)
async def pick_again(request: TableRequest, ply: InVersion[int], number: int = 0) -> None:
    """Apply a menu choice: a word, or a whole option."""
    await try_again(request, ply, tuple(request.value.split()))


@at_table(retry_layouts.open_form_again)
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
    fitting = (choice for choice in choices if same(choice.words[len(words)], value) or same(choice.label, line))
    if choice := next(fitting, None):
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
