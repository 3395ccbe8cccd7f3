"""*Why can’t I …?*: any move somebody types, explained by the rules that allow or refuse it."""

from __future__ import annotations

from collections.abc import Sequence

from discord.app_commands import Choice

from bot.errors import Declined
from bot.interactions.controls import Control, ControlId
from bot.interactions.parts import PRIMARY
from bot.reception import Interaction, Visit
from bot.tables.table import Table
from bot.turn.typed import continuations, read_typed, usage, verb_of
from engine.core import Action, GameSpec, State
from engine.errors import EngineError, NotationError, NotDue
from engine.match import Match
from engine.texts import Seat, Text
from engine.wording import label

SUGGESTIONS = 25

SHOWN = 60
"""Characters of a text that is no move which are shown again."""


async def why(visit: Visit, typed: str) -> None:
    """Say whether a move is possible, and if not, which rule is in the way."""
    table, match = visit.table, visit.table.playing()
    options = _known_options(match, table.seat_of(visit.user_id))
    try:
        action = read_typed(typed, table.spec.actions, options)
    except NotationError as error:
        raise Declined(_how_to_type(table.spec, typed, error)) from error
    seat = table.seated(visit.user_id)
    try:
        await _explain_now(visit, match, seat, action)
    except NotDue:
        await _explain_for_later(visit, match.state.observe(seat).if_on_turn(seat), seat, action)


async def _explain_now(visit: Visit, match: Match, seat: Seat, action: Action) -> None:
    """What a move means, or the refusal that trying it would bring."""
    match.ahead(seat, [action])
    told = Text("### You can do that now\n{move}", move=_told(visit.table, action, match.gloss(seat, action)))
    way = Control(ControlId("turn", visit.table.id), visit.table.say(Text("Your move")), PRIMARY)
    await visit.answer.say(told, way)


async def _explain_for_later(visit: Visit, then: State | None, seat: Seat, action: Action) -> None:
    """Who is due; and the same for a turn of this seat, if the position tells what it would be."""
    table = visit.table
    due = Text("### Not your turn yet{seat:, @|}\n{due}", seat=seat, due=table.due_sentence())
    if then is None:
        await visit.answer.say(due)
    elif any(action in decision.options for decision in then.decisions()):
        move = _told(table, action, then.gloss(action))
        await visit.answer.say(Text("{due}\nIf it were your turn, you could do that: {move}", due=due, move=move))
    else:
        refusal = then.refuse(seat, action)
        text = Text("{due}\nIf it were your turn, this would be in the way: {refusal}", due=due, refusal=refusal.text)
        await visit.answer.say(text, *filter(None, [visit.answer.rule_control(refusal.rule)]))


def _told(table: Table, action: Action, gloss: Text | None) -> Text:
    """A move in words, with what it means where that is told."""
    move = label(action, table.names)
    return Text("**{move}** – {gloss}", move=move, gloss=gloss) if gloss else Text("**{move}**", move=move)


def _how_to_type(spec: GameSpec, typed: str, error: EngineError) -> Text:
    """What is wrong with a text, and how the move it begins with is typed, or else all moves of the game."""
    cls, _ = verb_of(typed, spec.actions)
    unknown = Text("“{typed}” is no move of {title}.", typed=typed.strip()[:SHOWN], title=spec.title)
    moves = "\n".join(f"* `{usage(verb)}` – {_description(verb)}" for verb in ([cls] if cls else spec.actions))
    return Text("{wrong}\nThis is how to type it:\n{moves}", wrong=error.text if cls else unknown, moves=moves)


def _description(cls: type[Action]) -> str:
    return (cls.__doc__ or cls.verb).strip().splitlines()[0]


async def suggest(interaction: Interaction, current: str) -> list[Choice[str]]:
    """Moves that begin as what is typed: verbs first, then their fields."""
    try:
        table = await interaction.client.court.tables.at(interaction.channel_id or 0)
        options = _known_options(table.playing(), table.seat_of(interaction.user.id))
    except Declined:
        return []
    described = {cls.verb: _description(cls) for cls in table.spec.actions}
    moves = continuations(current, table.spec.actions, options)
    rows = [(f"{move} – {described[move]}" if move in described else move, move) for move in moves]
    return [Choice(name=name[:100], value=move) for name, move in rows[:SUGGESTIONS]]


def _known_options(match: Match, seat: Seat | None) -> Sequence[Action]:
    """What this seat may do now, or could if it were on turn."""
    if seat is None or match.outcome is not None:
        return ()
    try:
        return match.decision_of(seat).options
    except NotDue:
        then = match.state.observe(seat).if_on_turn(seat)
        return then.decisions()[0].options if then else ()
