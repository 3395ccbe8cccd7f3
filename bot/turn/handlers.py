"""A turn in private: what, where, a picture of the result, and only then Confirm."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from bot.errors import Declined
from bot.interactions.answers import together
from bot.posting.story import person, seat_mark, story
from bot.reception import Handler, Visit
from bot.store.rows import Act
from bot.tables.table import Stale, Table
from bot.tables.tables import Following
from bot.turn.drafting import Turn
from bot.turn.layouts import LIKE_THIS, preview_layout, step_layout
from bot.turn.narrowing import Words, agreeing, before, step, words_of
from engine.core import Action, State, View
from engine.notation import format_action
from engine.texts import CHANCE, Seat, Text, joined

STALE = Text("-# The game has moved on since; this is how it stands now.")
DROPPED = Text("-# The game has moved on, so what you had chosen was dropped.")
NOT_POSSIBLE = Text("That is not possible any more. Tap **Your move** again.")
AGAIN = Text("You did this a moment ago, and it counts.\n### Once more?")


async def your_move(visit: Visit) -> None:
    """*Your move*: what this user has chosen already, or the first step of what he has to decide."""
    turn = Turn.kept(visit.table, visit.user_id)
    dropped = turn.seat in visit.table.drafts and not turn.chosen
    if dropped:
        await visit.court.tables.keep_draft(visit.table, turn.seat, None)
    await _show(visit, turn, DROPPED if dropped else None)


async def next_step(visit: Visit) -> None:
    """A word was chosen, or Go on, Back, Change or Take back tapped."""
    if turn := await _turn(visit):
        await _keep(visit, turn)
        await _show_step(visit, turn, tuple(visit.control.text.split()))


async def picked(visit: Visit) -> None:
    """A word or a whole option was chosen from a menu."""
    words = tuple(visit.value.split())
    if turn := await _turn(visit):
        if len(agreeing(_options(turn), words)) == 1:
            await _propose(visit, turn, words)
        else:
            await _show_step(visit, turn, words)


async def tried(visit: Visit) -> None:
    """A whole option was chosen: show what would come of it."""
    if turn := await _turn(visit):
        await _propose(visit, turn, tuple(visit.control.text.split()))


async def confirmed(visit: Visit) -> None:
    """*Confirm*: what is chosen is carried out, and only now the channel sees it."""
    if turn := await _turn(visit):
        if not turn.chosen:
            raise Declined(NOT_POSSIBLE)
        await carry_out(visit, *turn.chosen, version=turn.version)


async def closed(visit: Visit) -> None:
    """*Cancel*: nothing has happened, or nothing more, and what was chosen is forgotten."""
    match, seat = visit.table.match, visit.table.seat_of(visit.user_id)
    nothing = Text("Nothing has happened.")
    if seat is not None and seat in visit.table.drafts:
        await visit.court.tables.keep_draft(visit.table, seat, None)
    if match is None or seat is None or seat not in {decision.seat for decision in match.state.decisions()}:
        await visit.answer.show_text(nothing)
        return
    last = next((entry for entry in reversed(match.entries) if entry.seat != CHANCE), None)
    if last and last.seat == seat:
        nothing = Text("Nothing more has happened; `{action}` stays as you confirmed it.", action=last.notation)
    way_back = Text("Tap **Your move** on the newest board when you are ready.")
    await visit.answer.show_text(joined([nothing, way_back]))


async def carry_out(visit: Visit, *actions: Action, version: int | None) -> None:
    """Play what was chosen; post the board if the turn is finished, otherwise go on with the next question."""
    table, since = visit.table, visit.table.playing().ply
    seat = table.seated(visit.user_id)
    try:
        following = await visit.court.tables.play(
            table, visit.user_id, *actions, interaction_id=visit.answer.interaction.id, version=version
        )
    except Stale:
        await _show(visit, Turn.of(table, visit.user_id), STALE)
        return
    visit.answer.kept = Text("Your move is kept.")
    done = joined([_done(table, seat, format_action(action)) for action in actions])
    if following is Following.QUESTION:
        await _show_step(visit, Turn.of(table, visit.user_id), (), Text("-# {done}", done=done), since)
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
        turn = Turn.of(table, visit.user_id, [action])
        await _keep(visit, turn)
        await _show_preview(visit, turn, AGAIN)
    else:
        done = _done(table, act.seat, act.notation)
        await visit.answer.show_text(
            Text("{done}\n-# It was done a moment ago, the first time you typed it.", done=done)
        )
    table.answered(act.interaction_id)


async def _turn(visit: Visit) -> Turn | None:
    """The turn a control belongs to; if the game has moved on since, it is shown as it stands now."""
    kept = Turn.kept(visit.table, visit.user_id)
    turn = kept.at(visit.control)
    if turn is None:
        await _show(visit, kept, STALE)
    return turn


async def _show(visit: Visit, turn: Turn, note: Text | None = None) -> None:
    """What is chosen already, or the first step."""
    if turn.chosen:
        await _show_preview(visit, turn, LIKE_THIS if note is None else Text("{note}\n{ask}", note=note, ask=LIKE_THIS))
    else:
        await _show_step(visit, turn, (), note)


async def _keep(visit: Visit, turn: Turn) -> None:
    await visit.court.tables.keep_draft(turn.table, turn.seat, turn.draft)


async def _propose(visit: Visit, turn: Turn, words: Words) -> None:
    """Show what would come of one more choice, and keep it."""
    turn = turn.with_chosen((*turn.chosen, _option(_options(turn), words)))
    await _keep(visit, turn)
    await _show_preview(visit, turn)


async def _show_step(
    visit: Visit, turn: Turn, words: Words, note: Text | None = None, since: int | None = None
) -> None:
    """The step after some words, with what has come since a ply; words that fit nothing fall back to the first step."""
    table, decision = visit.table, turn.ahead.decision_of(turn.seat)
    if words and not agreeing(decision.options, words):
        words, note = (), STALE
    now = step(decision.options, words, table.names, partial(turn.ahead.gloss, turn.seat))
    back, drawn = before(decision.options, now.prefix), None
    if now.prefix or decision.private or turn.chosen or since is not None:
        view = turn.ahead.view(turn.seat, since=since, offered=agreeing(decision.options, now.prefix))
        drawn = await visit.court.pictures.draw(view, table.names)
    shown = (drawn.filename, drawn.alt) if drawn else None
    told = [table.say(note)] if note else []
    if since is not None:
        told.append(story(table, turn.match.history(turn.seat, since=since)))
    layout = step_layout(turn, decision.prompt, now, back, shown, "\n".join(filter(None, told)))
    await visit.answer.show(layout, [drawn.file()] if drawn else [])


async def _show_preview(visit: Visit, turn: Turn, question: Text = LIKE_THIS) -> None:
    view = turn.ahead.view(turn.seat, since=turn.match.ply)
    drawn = await visit.court.pictures.draw(view, visit.table.names)
    asked = turn.with_chosen(turn.chosen[:-1]).ahead.decision_of(turn.seat)
    back = before(asked.options, words_of(turn.chosen[-1])) or ()
    layout = preview_layout(turn, _foretold(visit, view, turn.seat), back, (drawn.filename, drawn.alt), question)
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


def _options(turn: Turn) -> Sequence[Action]:
    return turn.ahead.decision_of(turn.seat).options


def _option(options: Sequence[Action], words: Words) -> Action:
    """The option these words name; ids come from outside and may name anything."""
    for option in options:
        if words_of(option) == words:
            return option
    raise Declined(NOT_POSSIBLE)


HANDLERS: dict[str, Handler] = {
    "turn": your_move,
    "kept": your_move,
    "step": next_step,
    "pick": picked,
    "try": tried,
    "do": confirmed,
    "close": closed,
}
"""What the controls of this room do."""

APART = frozenset({"turn"})
"""*Your move* under a board that somebody looks at privately leaves that board where it is."""
