"""A turn in private: what, where, a picture of the result, and only then Confirm."""

from __future__ import annotations

from functools import partial

from bot.errors import Declined
from bot.interactions.answers import together
from bot.posting.story import person, seat_mark, story
from bot.reception import Handler, Visit
from bot.store.rows import Act
from bot.tables.table import Stale, Table
from bot.tables.tables import Following
from bot.turn.layouts import LIKE_THIS, preview_layout, step_layout
from bot.turn.narrowing import Words, agreeing, before, step, words_of
from engine.core import Action, Decision, State, View
from engine.match import Match
from engine.notation import format_action
from engine.texts import CHANCE, Seat, Text, joined

STALE = Text("-# The game has moved on since; this is how it stands now.")
AGAIN = Text("You did this a moment ago, and it counts.\n### Once more?")


async def your_move(visit: Visit) -> None:
    """*Your move*: the first step of whatever this user has to decide now."""
    await show_step(visit, ())


async def next_step(visit: Visit) -> None:
    """A word was chosen, or Back or Change tapped."""
    await show_step(visit, tuple(visit.control.text.split()))


async def picked(visit: Visit) -> None:
    """A word or a whole option was chosen from a menu."""
    words = tuple(visit.value.split())
    match, seat, decision = _decision(visit)
    if _is_stale(visit, match, seat):
        await show_step(visit, (), note=STALE)
    elif len(agreeing(decision.options, words)) == 1:
        await _show_preview(visit, match, seat, _option(decision, words))
    else:
        await show_step(visit, words)


async def tried(visit: Visit) -> None:
    """A whole option was chosen: show what would come of it."""
    match, seat, decision = _decision(visit)
    if _is_stale(visit, match, seat):
        await show_step(visit, (), note=STALE)
        return
    await _show_preview(visit, match, seat, _option(decision, tuple(visit.control.text.split())))


async def confirmed(visit: Visit) -> None:
    """*Confirm*: the action is carried out, and only now the channel sees it."""
    match = visit.table.playing()
    if _is_stale(visit, match, visit.table.seated(visit.user_id)):
        await show_step(visit, (), note=STALE)
        return
    action = match.parse(visit.control.text)
    await carry_out(visit, action, version=visit.control.version)


async def closed(visit: Visit) -> None:
    """*Cancel*: nothing has happened, or nothing more."""
    match, seat = visit.table.match, visit.table.seat_of(visit.user_id)
    nothing = Text("Nothing has happened.")
    if match is None or seat is None or seat not in {decision.seat for decision in match.state.decisions()}:
        await visit.answer.show_text(nothing)
        return
    last = next((entry for entry in reversed(match.entries) if entry.seat != CHANCE), None)
    if last and last.seat == seat:
        nothing = Text("Nothing more has happened; `{action}` stays as you confirmed it.", action=last.notation)
    way_back = Text("Tap **Your move** on the newest board when you are ready.")
    await visit.answer.show_text(joined([nothing, way_back]))


async def carry_out(visit: Visit, action: Action, *, version: int | None) -> None:
    """Play an action; post the board if the turn is finished, otherwise go on with the next question."""
    table = visit.table
    seat = table.seated(visit.user_id)
    try:
        following = await visit.court.tables.play(
            table, visit.user_id, action, interaction_id=visit.answer.interaction.id, version=version
        )
    except Stale:
        await show_step(visit, (), note=STALE)
        return
    visit.answer.kept = Text("Your move is kept.")
    done = _done(table, seat, format_action(action))
    if following is Following.QUESTION:
        await show_step(visit, (), note=Text("-# {done}", done=done))
        table.answered(visit.answer.interaction.id)
        return
    if following is Following.WAITING:
        visit.court.poster.update_due(table)
        await _tell_done(visit, Text("{done}\n-# {due}", done=done, due=table.due_sentence()))
        return
    # neither waits for the other: whatever becomes of this answer, the others must see the board
    told = Text("{done}\n-# The board comes to the channel.", done=done)
    await together(_tell_done(visit, told), visit.court.poster.deliver(table))


def _done(table: Table, seat: Seat, notation: str) -> Text:
    return Text("{mark} `{action}` ✓", mark=seat_mark(table, seat), action=notation)


async def _tell_done(visit: Visit, text: Text) -> None:
    await visit.answer.show_text(text)
    visit.table.answered(visit.answer.interaction.id)


async def ask_again(visit: Visit, act: Act) -> None:
    """A command was typed that was carried out a moment ago, and its player may not have heard of it.

    It is shown as done, or, where it could be done again, asked for.
    """
    table, match = visit.table, visit.table.playing()
    action = match.parse(act.notation)
    due = next((d for d in match.state.decisions() if d.seat == act.seat), None)
    if due is not None and action in due.options:
        await _show_preview(visit, match, act.seat, action, AGAIN)
    else:
        done = _done(table, act.seat, act.notation)
        await visit.answer.show_text(
            Text("{done}\n-# It was done a moment ago, the first time you typed it.", done=done)
        )
    table.answered(act.interaction_id)


async def show_step(visit: Visit, words: Words, note: Text | None = None) -> None:
    """The step after some words; words of an older position fall back to the first step."""
    match, seat, decision = _decision(visit)
    if words and (_is_stale(visit, match, seat) or not agreeing(decision.options, words)):
        words, note = (), STALE
    now = step(decision.options, words, visit.table.names, partial(match.gloss, seat))
    back = before(decision.options, now.prefix)
    drawn = None
    if now.prefix or decision.private:
        view = match.view(seat, offered=agreeing(decision.options, now.prefix))
        drawn = await visit.court.pictures.draw(view, visit.table.names)
    shown = (drawn.filename, drawn.alt) if drawn else None
    layout = step_layout(visit.table, match.asked_at(seat), decision.prompt, now, back, shown, note)
    await visit.answer.show(layout, [drawn.file()] if drawn else [])


async def _show_preview(visit: Visit, match: Match, seat: Seat, action: Action, question: Text = LIKE_THIS) -> None:
    view = match.preview(seat, action)
    drawn = await visit.court.pictures.draw(view, visit.table.names)
    words = words_of(action)
    back = before(match.decision_of(seat).options, words) or ()
    layout = preview_layout(
        visit.table,
        match.asked_at(seat),
        format_action(action),
        _foretold(visit, view, seat),
        back,
        (drawn.filename, drawn.alt),
        question,
    )
    await visit.answer.show(layout, [drawn.file()])


def _foretold(visit: Visit, view: View[State], seat: Seat) -> str:
    """What would happen, and what comes after it."""
    table = visit.table
    if view.luck_next:
        next_up = [Text("🎲 *Then luck decides; the picture stops there.*")]
    else:
        others = [d for d in view.decisions if d.seat != seat]
        next_up = [Text("-# Then {person}: {prompt}", person=person(table, d.seat), prompt=d.prompt) for d in others]
    lines = [story(table, [(seat, view.events)]), *map(table.say, next_up)]
    return "\n".join(line for line in lines if line)


def _decision(visit: Visit) -> tuple[Match, Seat, Decision]:
    """What the user has to decide now. Raises `Declined` or `EngineError`, naming who is due."""
    match = visit.table.playing()
    seat = visit.table.seated(visit.user_id)
    if match.outcome is None and seat not in {d.seat for d in match.state.decisions()}:
        raise Declined(Text("Not your turn yet{seat:, @|}. {due}", seat=seat, due=visit.table.due_sentence()))
    return match, seat, match.decision_of(seat)


def _is_stale(visit: Visit, match: Match, seat: Seat) -> bool:
    return visit.control.kind != "turn" and visit.control.version != match.asked_at(seat)


def _option(decision: Decision, words: Words) -> Action:
    """The option these words name; ids come from outside and may name anything."""
    for option in decision.options:
        if words_of(option) == words:
            return option
    raise Declined(Text("That is not possible any more. Tap **Your move** again."))


HANDLERS: dict[str, Handler] = {
    "turn": your_move,
    "step": next_step,
    "pick": picked,
    "try": tried,
    "do": confirmed,
    "close": closed,
}
"""What the controls of this room do."""
