"""A turn in private: what, where, a picture of the result, and only then Confirm."""

from __future__ import annotations

from functools import partial

from bot.errors import Sorry
from bot.interactions.answers import together
from bot.posting.story import person, seat_mark, story
from bot.reception import Handler, Tap
from bot.store.rows import Act
from bot.tables.table import Stale, Table
from bot.tables.tables import Following
from bot.turn.facets import Words, agreeing, before, step, words_of
from bot.turn.layouts import LIKE_THIS, preview_layout, step_layout
from engine.core import Action, Decision, State, View
from engine.match import Match
from engine.notation import format_action
from engine.texts import CHANCE, Seat, Text, joined

STALE = Text("-# The game has moved on since; this is how it stands now.")
AGAIN = Text("You did this a moment ago, and it counts.\n### Once more?")


async def your_move(tap: Tap) -> None:
    """*Your move*: the first step of whatever this user has to decide now."""
    await show_step(tap, ())


async def next_step(tap: Tap) -> None:
    """A word was chosen, or Back or Change tapped."""
    await show_step(tap, tuple(tap.control.text.split()))


async def picked(tap: Tap) -> None:
    """A word or a whole option was chosen from a menu."""
    words = tuple(tap.value.split())
    match, seat, decision = _decision(tap)
    if _is_stale(tap, match, seat):
        await show_step(tap, (), note=STALE)
    elif len(agreeing(decision.options, words)) == 1:
        await _show_preview(tap, match, seat, _option(decision, words))
    else:
        await show_step(tap, words)


async def tried(tap: Tap) -> None:
    """A whole option was chosen: show what would come of it."""
    match, seat, decision = _decision(tap)
    if _is_stale(tap, match, seat):
        await show_step(tap, (), note=STALE)
        return
    await _show_preview(tap, match, seat, _option(decision, tuple(tap.control.text.split())))


async def confirmed(tap: Tap) -> None:
    """*Confirm*: the action is carried out, and only now the channel sees it."""
    match = tap.table.playing()
    if _is_stale(tap, match, tap.table.seated(tap.user_id)):
        await show_step(tap, (), note=STALE)
        return
    action = match.parse(tap.control.text)
    await carry_out(tap, action, version=tap.control.version)


async def closed(tap: Tap) -> None:
    """*Cancel*: nothing has happened, or nothing more."""
    match, seat = tap.table.match, tap.table.seat_of(tap.user_id)
    nothing = Text("Nothing has happened.")
    if match is None or seat is None or seat not in {decision.seat for decision in match.state.decisions()}:
        await tap.answer.show_text(nothing)
        return
    last = next((entry for entry in reversed(match.entries) if entry.seat != CHANCE), None)
    if last and last.seat == seat:
        nothing = Text("Nothing more has happened; `{action}` stays as you confirmed it.", action=last.notation)
    way_back = Text("Tap **Your move** on the newest board when you are ready.")
    await tap.answer.show_text(joined([nothing, way_back]))


async def carry_out(tap: Tap, action: Action, *, version: int | None) -> None:
    """Play an action; post the board if the turn is finished, otherwise go on with the next question."""
    table = tap.table
    seat = table.seated(tap.user_id)
    try:
        following = await tap.court.tables.play(
            table, tap.user_id, action, interaction_id=tap.answer.interaction.id, version=version
        )
    except Stale:
        await show_step(tap, (), note=STALE)
        return
    tap.answer.kept = Text("Your move is kept.")
    done = _done(table, seat, format_action(action))
    if following is Following.QUESTION:
        await show_step(tap, (), note=Text("-# {done}", done=done))
        table.heard(tap.answer.interaction.id)
        return
    if following is Following.WAITING:
        tap.court.poster.update_due(table)
        await _tell_done(tap, Text("{done}\n-# {due}", done=done, due=table.due_sentence()))
        return
    # neither waits for the other: whatever becomes of this answer, the others must see the board
    told = Text("{done}\n-# The board comes to the channel.", done=done)
    await together(_tell_done(tap, told), tap.court.poster.deliver(table))


def _done(table: Table, seat: Seat, notation: str) -> Text:
    return Text("{mark} `{action}` ✓", mark=seat_mark(table, seat), action=notation)


async def _tell_done(tap: Tap, text: Text) -> None:
    await tap.answer.show_text(text)
    tap.table.heard(tap.answer.interaction.id)


async def ask_again(tap: Tap, act: Act) -> None:
    """A command was typed that was carried out a moment ago, and its player may not have heard of it.

    It is shown as done, or, where it could be done again, asked for.
    """
    table, match = tap.table, tap.table.playing()
    action = match.parse(act.notation)
    due = next((d for d in match.state.decisions() if d.seat == act.seat), None)
    if due is not None and action in due.options:
        await _show_preview(tap, match, act.seat, action, AGAIN)
    else:
        done = _done(table, act.seat, act.notation)
        await tap.answer.show_text(Text("{done}\n-# It was done a moment ago, the first time you typed it.", done=done))
    table.heard(act.interaction_id)


async def show_step(tap: Tap, words: Words, note: Text | None = None) -> None:
    """The step after some words; words of an older position fall back to the first step."""
    match, seat, decision = _decision(tap)
    if words and (_is_stale(tap, match, seat) or not agreeing(decision.options, words)):
        words, note = (), STALE
    now = step(decision.options, words, tap.table.names, partial(match.gloss, seat))
    back = before(decision.options, now.prefix)
    drawn = None
    if now.prefix or decision.private:
        view = match.view(seat, offered=agreeing(decision.options, now.prefix))
        drawn = await tap.court.pictures.draw(view, tap.table.names)
    shown = (drawn.filename, drawn.alt) if drawn else None
    layout = step_layout(tap.table, match.asked_at(seat), decision.prompt, now, back, shown, note)
    await tap.answer.show(layout, [drawn.file()] if drawn else [])


async def _show_preview(tap: Tap, match: Match, seat: Seat, action: Action, question: Text = LIKE_THIS) -> None:
    view = match.preview(seat, action)
    drawn = await tap.court.pictures.draw(view, tap.table.names)
    words = words_of(action)
    back = before(match.decision_of(seat).options, words) or ()
    layout = preview_layout(
        tap.table,
        match.asked_at(seat),
        format_action(action),
        _foretold(tap, view, seat),
        back,
        (drawn.filename, drawn.alt),
        question,
    )
    await tap.answer.show(layout, [drawn.file()])


def _foretold(tap: Tap, view: View[State], seat: Seat) -> str:
    """What would happen, and what comes after it."""
    table = tap.table
    if view.luck_next:
        next_up = [Text("🎲 *Then luck decides; the picture stops there.*")]
    else:
        others = [d for d in view.decisions if d.seat != seat]
        next_up = [Text("-# Then {person}: {prompt}", person=person(table, d.seat), prompt=d.prompt) for d in others]
    lines = [story(table, [(seat, view.events)]), *map(table.say, next_up)]
    return "\n".join(line for line in lines if line)


def _decision(tap: Tap) -> tuple[Match, Seat, Decision]:
    """What the user who tapped has to decide now. Raises `Sorry` or `EngineError`, naming who is due."""
    match = tap.table.playing()
    seat = tap.table.seated(tap.user_id)
    if match.outcome is None and seat not in {d.seat for d in match.state.decisions()}:
        raise Sorry(Text("Not your turn yet{seat:, @|}. {due}", seat=seat, due=tap.table.due_sentence()))
    return match, seat, match.decision_of(seat)


def _is_stale(tap: Tap, match: Match, seat: Seat) -> bool:
    return tap.control.kind != "turn" and tap.control.version != match.asked_at(seat)


def _option(decision: Decision, words: Words) -> Action:
    """The option these words name; ids come from outside and may name anything."""
    for option in decision.options:
        if words_of(option) == words:
            return option
    raise Sorry(Text("That is not possible any more. Tap **Your move** again."))


HANDLERS: dict[str, Handler] = {
    "turn": your_move,
    "step": next_step,
    "pick": picked,
    "try": tried,
    "do": confirmed,
    "close": closed,
}
"""What the controls of this room do."""
