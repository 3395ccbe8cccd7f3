"""The private screens of a turn: the next question, or a preview of the choices."""

from __future__ import annotations

import re
from dataclasses import replace

from bot.features.contrast import draw_for
from bot.features.handlers import TableRequest
from bot.features.play.drafting import TurnDraft
from bot.features.play.narrowing import agreeing, before, step
from bot.features.play.steps import Step, Words
from bot.features.play.your_move_layouts import (
    LIKE_THIS,
    PLAN_THIS,
    chosen_so_far,
    heading,
    lines_left,
    preview_layout,
    step_controls,
    step_layout,
)
from bot.interactions.phone import lines_of
from bot.posting.board_texts import recap
from bot.tables.preferences import preferences_of
from engine.core import State, View
from engine.texts import Text

PREVIEW_LINES = 6
"""Lines of text that fit on a phone between a picture and a row of buttons."""

STALE = Text("-# The game has moved on; this is the position now.")


async def show(request: TableRequest, turn: TurnDraft, note: str = "", since: int | None = None) -> None:
    """Show the next question below `note`, or the preview if the turn has no further question.

    With `since`, the picture marks the moves of the others since that version.
    """
    if turn.chosen and turn.decision is None:
        await show_preview(request, turn, PLAN_THIS if turn.is_plan else LIKE_THIS, note)
    else:
        await show_step(request, turn, (), note, since)


async def show_first(request: TableRequest, turn: TurnDraft, note: str = "") -> None:
    """Like `show` for a returning player: with a recap of the events since their last look."""
    since = turn.table.seen_version(turn.seat)
    if turn.seat in turn.table.drafts:
        await show(request, turn, note)
        return
    goal = "" if since else await _goal(request, turn)
    note = "\n".join(filter(None, (note, goal or await _recent_events(request, turn, since))))
    if since == turn.match.version:
        await show(request, turn, note)
        return
    async with request.services.seats.seeing(turn.table, turn.seat):
        await show(request, turn, note, since)


async def show_next(request: TableRequest, turn: TurnDraft, note: Text, since: int) -> None:
    """Show the next question after a confirmed move, with the events since version `since`, or `note` without any."""
    happened = await _recent_events(request, turn, since)
    await show(request, turn, happened or turn.table.in_message(turn.say(note)), since)


async def _recent_events(request: TableRequest, turn: TurnDraft, since: int) -> str:
    """The events since a version, limited to the lines that fit on one screen with the current question."""
    preferences = await preferences_of(request.services.store.settings, request.user_id)
    room = 1 if preferences.coached else max(1, _lines_for_news(turn) - bool(turn.chosen))
    history = turn.match.history(turn.seat, since=since)
    auto_answers = turn.match.standing_answers(turn.seat, since=since)
    return recap(turn.table, turn.seat, history, auto_answers, most=room)


def _lines_for_news(turn: TurnDraft) -> int:
    """The lines above the first step of the current question."""
    if (decision := turn.decision) is None:
        return 1
    first = step(decision.options, (), turn.voice)
    return lines_left(first, step_controls(turn, None), heading(turn, decision.prompt, first))


async def _goal(request: TableRequest, turn: TurnDraft) -> str:
    """The goal of the game, in the sentences that fit, where a newcomer looks for the first time.

    Learners have read it below their first board.
    """
    table, services = turn.table, request.services
    short = table.spec.short_in(table.setup)
    if short is None:
        return ""
    preferences = await preferences_of(services.store.settings, request.user_id)
    if preferences.coached or not await services.store.matches.newcomers(table.id, table.spec.slug, [request.user_id]):
        return ""
    sentences = re.split(r"(?<=[.!?]) ", turn.say(short.goal))
    ways = (" ".join(sentences[:n]) for n in range(len(sentences), 0, -1))
    lines = (f"-# {table.in_message(turn.say(Text('**Goal** – {goal}', goal=way)))}" for way in ways)
    return next((line for line in lines if lines_of(line) <= _lines_for_news(turn)), "")


async def show_step(
    request: TableRequest, turn: TurnDraft, words: Words, note: str = "", since: int | None = None
) -> None:
    """Show the step after `words`, or the first step if no option begins with them."""
    decision = turn.ahead.decision_of(turn.seat)
    if not agreeing(decision.options, words):
        words, note = (), turn.say(STALE)
    now = step(decision.options, words, turn.voice)
    back = before(decision.options, now.prefix, turn.voice)
    preferences = await preferences_of(request.services.store.settings, request.user_id)
    offered = agreeing(decision.options, now.prefix)
    # after a choice, the picture marks its effects instead of the earlier moves of the others
    seen_since = turn.match.version if turn.chosen and since is None else since
    view = turn.ahead.view(turn.seat, since=seen_since, offered=offered, preview=bool(turn.chosen))
    # not by `draw_for`, which would read the preferences a second time
    image = await request.services.pictures.draw_at(turn.table, view, contrast=preferences.contrast)
    board = (image.filename, image.alt)
    effects = effects_of(turn, now, back, heading(turn, decision.prompt, now), note) if turn.chosen else ""
    layout = step_layout(
        turn,
        decision.prompt,
        now,
        back,
        board,
        note,
        effects,
        coached=preferences.coached,
        more=since is not None,
    )
    await request.response.show(layout, [image.file()])


async def show_preview(request: TableRequest, turn: TurnDraft, question: Text = LIKE_THIS, note: str = "") -> None:
    """Show the effects of the choices that do not depend on luck or on others, below the lines of `note`."""
    view = turn.ahead.view(turn.seat, since=turn.match.version, preview=True)
    image = await draw_for(request.services, request.user_id, turn.table, view)
    words = preview_words(turn, view, question, note)
    await request.response.show(preview_layout(turn, words, (image.filename, image.alt)), [image.file()])


def preview_words(turn: TurnDraft, view: View[State], question: Text, note: str = "") -> str:
    """The text of a preview: the note, the question, the effects of the choices, and the events after *Confirm*.

    If a phone has room, the effect of the last choice that no event tells is between the last two. On a phone without
    room for all of it, the odds of luck take the place of choices that the events after *Confirm* repeat anyway; where
    the choices have effects, the odds are left out.
    """
    then, with_odds = ("", "") if turn.is_plan else _next_up(turn, view)
    room = PREVIEW_LINES - lines_of(turn.say(question)) - lines_of(note)
    effects = _lines_of_effects(turn, room - lines_of(then))
    choices = effects or _choices(turn)
    ways = [(choices, with_odds)] if effects or with_odds == then else [(choices, with_odds), ("", with_odds)]
    before_luck, after = next((way for way in ways if sum(map(lines_of, way)) <= room), (choices, then))
    untold = _untold(turn)
    fits = sum(map(lines_of, (before_luck, untold, after))) <= room
    return "\n".join(filter(None, (note, turn.say(question), before_luck, untold if fits else "", after)))


def _untold(turn: TurnDraft) -> str:
    """The effect of the last choice that no event tells."""
    state = turn.with_chosen(turn.chosen[:-1]).ahead.state.observe(turn.seat)
    effect = state.untold(turn.chosen[-1])
    return turn.say(Text("-# {effect}", effect=effect)) if effect else ""


def effects_of(turn: TurnDraft, now: Step, back: Words | None, *texts: str) -> str:
    """The effects of the choices, in the lines that a phone has beside a step and other texts; empty without room.

    They are never cut, since the picture shows them, too.
    """
    room = lines_left(now, step_controls(turn, back), *texts)
    effects = _effects(turn, room)
    return "" if lines_of(effects) > room else effects


def _effects(turn: TurnDraft, room: int) -> str:
    """The effects of the choices in at most `room` lines, or the choices if the picture shows all effects."""
    return _lines_of_effects(turn, room) or _choices(turn)


def _lines_of_effects(turn: TurnDraft, room: int) -> str:
    history = turn.ahead.history(turn.seat, since=turn.match.version)
    return recap(turn.table, turn.seat, history, most=max(1, room))


def _choices(turn: TurnDraft) -> str:
    # a preview names the planned answers after *Confirm*
    return f"-# {chosen_so_far(replace(turn, planned=()))}"


def _next_up(turn: TurnDraft, view: View[State]) -> tuple[str, str]:
    """The events after *Confirm*, without and with the odds of a chance event."""
    if turn.planned:
        return (_planned_text(turn),) * 2
    if view.luck_next:
        (luck,), odds = view.decisions, view.state.odds()
        after = Text("🎲 After **Confirm**: {prompt}", prompt=luck.prompt)
        return turn.say(after), turn.say(Text("{told} *{odds}*", told=after, odds=odds) if odds else after)
    others = [decision for decision in view.decisions if decision.seat != turn.seat]
    lines = [Text("-# Then {seat}: {prompt}", seat=d.seat, prompt=d.prompt) for d in others]
    return ("\n".join(map(turn.table.say, lines)),) * 2  # not `turn.say`: a prompt addresses the others


def _planned_text(turn: TurnDraft) -> str:
    """The answers that the bot plays when luck repeats the question."""
    before = turn.with_chosen(turn.chosen[:-1])
    labels = tuple(before.voice.quote(action) for action in turn.planned)
    return turn.say(Text("Then, if you still can: {labels}", labels=labels))
