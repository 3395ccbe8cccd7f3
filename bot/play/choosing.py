"""What somebody sees while they choose: the next step, or what would come of it."""

from __future__ import annotations

from bot.dispatcher import TableRequest
from bot.play.drafting import TurnDraft
from bot.play.narrowing import Words, agreeing, before, step, words_of
from bot.play.your_move_layouts import LIKE_THIS, chosen_so_far, preview_layout, step_layout
from bot.posting.board_texts import recap, story
from bot.tables.preferences import preferences_of
from bot.view.contrast import draw_for
from engine.core import State, View
from engine.texts import CHANCE, Text

STALE = Text("-# The game has moved on since; this is how it stands now.")


async def show(request: TableRequest, turn: TurnDraft, note: Text | None = None) -> None:
    """What is chosen already, or the first step."""
    if turn.chosen:
        await show_preview(
            request, turn, LIKE_THIS if note is None else Text("{note}\n{ask}", note=note, ask=LIKE_THIS)
        )
    else:
        await show_step(request, turn, (), note)


async def show_first(request: TableRequest, turn: TurnDraft, note: Text | None = None) -> None:
    """The same for somebody who comes back to the game: with what has happened since they last looked."""
    since = turn.table.seen_by(turn.seat)
    if turn.chosen or since == turn.match.version:
        await show(request, turn, note)
        return
    told = [turn.say(note)] if note else []
    history, answered = (told_to(turn.seat, since=since) for told_to in (turn.match.history, turn.match.answered_for))
    told.append(recap(turn.table, turn.seat, history, answered))
    async with request.services.seats.seeing(turn.table, turn.seat):
        await _step(request, turn, (), "\n".join(filter(None, told)), since)


async def show_next(request: TableRequest, turn: TurnDraft, note: Text, since: int) -> None:
    """The next question after something was carried out, with what has come of it since a version."""
    done, history = turn.table.in_message(turn.say(note)), turn.match.history(turn.seat, since=since)
    told = story(turn.table, history, turn.seat)
    await _step(request, turn, (), "\n".join(filter(None, (done, told))), since)


async def show_step(request: TableRequest, turn: TurnDraft, words: Words, note: Text | None = None) -> None:
    """The step after some words; those that fit nothing fall back to the first step."""
    if words and not agreeing(turn.ahead.decision_of(turn.seat).options, words):
        words, note = (), STALE
    await _step(request, turn, words, turn.say(note) if note else "")


async def _step(request: TableRequest, turn: TurnDraft, words: Words, told: str, since: int | None = None) -> None:
    decision = turn.ahead.decision_of(turn.seat)
    now = step(decision.options, words, turn.voice)
    back = before(decision.options, now.prefix)
    offered = agreeing(decision.options, now.prefix)
    view = turn.ahead.view(turn.seat, since=since, offered=offered, preview=bool(turn.chosen))
    preferences = await preferences_of(request.services.store.settings, request.user_id)
    drawn = await request.services.pictures.draw(
        view, turn.table.seat_names, turn.table.persons, contrast=preferences.contrast
    )
    advice = turn.ahead.state.observe(turn.seat).advice() if preferences.coached else ()
    shown = (drawn.filename, drawn.alt)
    layout = step_layout(turn, decision.prompt, now, back, shown, told, advice, more=since is not None)
    await request.response.show(layout, [drawn.file()])


async def show_preview(request: TableRequest, turn: TurnDraft, question: Text = LIKE_THIS) -> None:
    """What would come of what is chosen, as far as it is certain."""
    view = turn.ahead.view(turn.seat, since=turn.match.version, preview=True)
    drawn = await draw_for(request.services, request.user_id, turn.table, view)
    asked = turn.with_chosen(turn.chosen[:-1]).ahead.decision_of(turn.seat)
    back = before(asked.options, words_of(turn.chosen[-1])) or ()
    layout = preview_layout(turn, _foretold(turn, view), back, (drawn.filename, drawn.alt), question)
    await request.response.show(layout, [drawn.file()])


def _foretold(turn: TurnDraft, view: View[State]) -> str:
    """What would happen, and what comes after it."""
    told = story(turn.table, turn.ahead.history(turn.seat, since=turn.match.version), turn.seat)
    told = told or f"-# {chosen_so_far(turn)}"  # where the picture says it all
    return "\n".join(filter(None, (told, *_next_up(turn, view))))


def _next_up(turn: TurnDraft, view: View[State]) -> list[str]:
    """Luck, or what others are asked: that speaks to them, so it names whoever reads it here."""
    if view.luck_next:
        odds = view.state.odds()
        luck = "🎲 *What comes then, nobody knows yet{odds}*"
        return [
            *(
                turn.say(Text("After **Confirm**: {prompt}", prompt=d.prompt))
                for d in view.decisions
                if d.seat == CHANCE
            ),
            turn.say(Text(luck, odds=Text(": {odds}", odds=odds) if odds else ".")),
        ]
    others = [decision for decision in view.decisions if decision.seat != turn.seat]
    return [turn.table.say(Text("-# Then {seat}: {prompt}", seat=d.seat, prompt=d.prompt)) for d in others]
