"""*Why can’t I …?*: any move somebody types, explained by the rules that allow or refuse it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from discord import app_commands
from discord.app_commands import Choice

from bot.dispatcher import Candidates, Interaction, suggesting
from bot.errors import UserError
from bot.groups import game
from bot.handlers import TableRequest
from bot.play.narrowing import summary_of
from bot.play.typed_notation import continuations, read_typed, usage, verb_of
from bot.posting.board_layouts import your_move_button
from bot.tables.table import Table
from engine.core import Action, GameSpec, State
from engine.errors import EngineError, IllegalAction, NotationError, NotDue
from engine.match import Match
from engine.texts import Seat, Text, shortened, term
from engine.wording import Voice


@dataclass(frozen=True, slots=True)
class Explained:
    """The answer about a move: whether it is possible now, or the rule that is in its way."""

    text: Text
    rule: str = ""
    possible: bool = False


@suggesting
async def suggest(interaction: Interaction, current: str) -> Candidates[str]:
    """Moves that begin as what is typed: verbs first, then their fields."""
    table = await interaction.client.services.tables.at(interaction.channel_id or 0)
    match = table.playing()
    options = known_options(match, table.seat_of(interaction.user.id))
    described = {cls.verb: summary_of(cls) for cls in table.spec.actions}
    moves = continuations(current, table.spec.actions, options, match.setup.seats)
    rows = ((f"{move} – {described[move]}" if move in described else move, move) for move in moves)
    # Discord: 100 characters; a notation is shorter (`MAX_LENGTH`)
    return (Choice(name=name[:100], value=move) for name, move in rows)


@game.command("why", "Ask why a move is or is not possible")
@app_commands.rename(typed="move")
@app_commands.describe(typed="a move as you would type it: what to do, then where")
@app_commands.autocomplete(typed=suggest)
async def why(request: TableRequest, typed: str) -> None:
    """Say whether a move is possible, and if not, which rule is in the way."""
    table, match = request.table, request.table.playing()
    options = known_options(match, table.seat_of(request.user_id))
    try:
        action = read_typed(typed, table.spec.actions, options)
    except NotationError as error:
        raise UserError(_how_to_type(table.spec, typed, error)) from error
    answer = explained(table, match, table.seated(request.user_id), action)
    way = your_move_button(table) if answer.possible else request.response.rule_control(answer.rule)
    await request.response.say(answer.text, *filter(None, [way]))


def explained(table: Table, match: Match, seat: Seat, action: Action) -> Explained:
    """What a seat may know of a move of its own. Raises `MatchOver`."""
    try:
        match.ahead(seat, [action])
    except IllegalAction as refusal:
        return Explained(refusal.text, refusal.rule)
    except NotDue:
        return _for_later(table, match.state.observe(seat).if_on_turn(seat), seat, action)
    move = _in_words(Voice(table.names, seat, match.state.observe(seat)), action)
    return Explained(Text("### You can do that now\n{move}", move=move), possible=True)


def _for_later(table: Table, then: State | None, seat: Seat, action: Action) -> Explained:
    """Who is due; and what a turn of this seat would allow, if the position tells."""
    due = Text("### Not your turn yet{seat:, @|}\n{due}", seat=seat, due=table.due_sentence())
    if then is None:
        return Explained(due)
    if any(action in decision.options for decision in then.decisions()):
        move = _in_words(Voice(table.names, seat, then), action)
        return Explained(Text("{due}\nOn your turn you could do this: {move}", due=due, move=move))
    refusal = then.refuse(seat, action)
    text = Text("{due}\nOn your turn this wouldn’t be possible: {refusal}", due=due, refusal=refusal.text)
    return Explained(text, refusal.rule)


def _in_words(voice: Voice, action: Action) -> Text:
    """A move in words, with its gloss if it has one."""
    move, gloss = voice.label(action), voice.gloss(action)
    return Text("**{move}** – {gloss}", move=move, gloss=gloss) if gloss else Text("**{move}**", move=move)


def _how_to_type(spec: GameSpec, typed: str, error: EngineError) -> Text:
    """What is wrong with a text, and how the move it begins with is typed, or else all moves of the game."""
    cls, _ = verb_of(typed, spec.actions)
    if cls:
        of_fields = (f"  * {one.name.replace('_', ' ')}: {term(one.metadata['description'])}" for one in fields(cls))
        move = "\n".join((_in_short(cls), *of_fields))
        return Text("{wrong}\nThis is how to type it:\n{move}", wrong=error.text, move=move)
    unknown = Text("“{typed}” isn’t a move of {title}.", typed=shortened(typed.strip()), title=spec.name)
    moves = "\n".join(map(_in_short, spec.actions))
    return Text("{wrong}\nThis is how to type one:\n{moves}", wrong=unknown, moves=moves)


def _in_short(cls: type[Action]) -> str:
    return f"* `{usage(cls)}` – {summary_of(cls)}"


def known_options(match: Match, seat: Seat | None) -> Sequence[Action]:
    """What this seat may do now, or could if it were on turn."""
    if seat is None or match.outcome is not None:
        return ()
    try:
        return match.decision_of(seat).options
    except NotDue:
        then = match.state.observe(seat).if_on_turn(seat)
        return then.decisions()[0].options if then else ()
