"""*Why can’t I …?*: any typed move, explained by the rules that allow or refuse it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields

from discord import app_commands

from bot.errors import UserError
from bot.features.dispatcher import Candidates, Interaction, suggesting
from bot.features.groups import game
from bot.features.handlers import TableRequest
from bot.features.play.steps import summary_of
from bot.features.play.typed_notation import Verbs, possible_moves, read_typed, usage, verb_of
from bot.features.play.typed_words import MoveReader, most_alike, moves_like, which_of
from bot.interactions.typed import suggestion
from bot.posting.board_layouts import your_move_button
from bot.tables.table import Table
from engine.core import Action, State
from engine.errors import IllegalAction, NotationError, NotDue
from engine.match import Match
from engine.texts import Seat, Text, field_words, shortened, term, verb_text
from engine.values import Value
from engine.wording import Voice


class Explained(Value):
    """The answer about a move: whether it is legal now, or the rule that forbids it."""

    text: Text
    rule: str = ""
    possible: bool = False


@suggesting
async def suggest(interaction: Interaction, current: str) -> Candidates[str]:
    """Whole moves that contain the typed words, legal moves first, labeled like their buttons."""
    table = await interaction.client.services.tables.at(interaction.channel_id or 0)
    seat = table.seat_of(interaction.user.id)
    return (row and suggestion(*row) for row in _moves_like(table, seat, current))


@game.command("why", "Ask why a move is or is not possible")
@app_commands.rename(typed="move")
@app_commands.describe(typed="a move in the words on the buttons, or as you would type it")
@app_commands.autocomplete(typed=suggest)
async def why(request: TableRequest, typed: str) -> None:
    """Show whether a move is legal, or the rule that forbids it."""
    table, match = request.table, request.table.require_match()
    answer = explain(table, match, table.require_seat(request.user_id), _move_of(request, typed))
    way = your_move_button(table) if answer.possible else request.response.rule_control(answer.rule)
    await request.response.say(answer.text, *filter(None, [way]))


def _move_of(request: TableRequest, typed: str) -> Action:
    """The move that a text means, read as `/game move` reads it. Raises `UserError` for none and for several."""
    table = request.table
    reader = reader_at(table, table.seat_of(request.user_id))
    match reader.read(typed):
        case [move]:
            return move
        case []:
            raise UserError(_how_to_type(table, reader, typed))
        case moves:
            raise UserError(which_of(table, reader.voice, moves))


def reader_at(table: Table, seat: Seat | None) -> MoveReader:
    """A reader of the moves of a seat, now or if it were on turn."""
    match = table.require_match()
    voice = Voice(table.names, seat, position_of(match, seat))
    return MoveReader(table.spec.actions, known_options(match, seat), voice)


def explain(table: Table, match: Match, seat: Seat, action: Action) -> Explained:
    """The explanation of a move from the knowledge of its seat. Raises `MatchOver`."""
    try:
        match.ahead(seat, [action])
    except IllegalAction as refusal:
        return Explained(refusal.text, refusal.rule)
    except NotDue:
        return _seats_and_later_options(table, match.state.observe(seat).if_on_turn(seat), seat, action)
    move = _in_words(Voice(table.names, seat, match.state.observe(seat)), action)
    return Explained(Text("### You can do that now\n{move}", move=move), possible=True)


def _seats_and_later_options(table: Table, then: State | None, seat: Seat, action: Action) -> Explained:
    """The seats that the game waits for, and the options of this seat on its turn, if the position tells them."""
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
    move, gloss = voice.quote(action), voice.gloss(action)
    return Text("**{move}** – {gloss}", move=move, gloss=gloss) if gloss else Text("**{move}**", move=move)


def _how_to_type(table: Table, reader: MoveReader, typed: str) -> Text:
    """The fields that a typed move lacks and its usage, or some moves like it if the text has no verb."""
    cls, words = verb_of(typed, reader.verbs)
    if cls is None:
        return _moves_instead(table, reader, typed)
    of_fields = (
        Text("{label}: {words}", label=field_words(field.name), words=term(field.metadata["description"]))
        for field in fields(cls)
    )
    move = "\n".join((_in_short(cls), *(f"  * {about}" for about in of_fields)))
    verb = verb_text(cls.verb, cls.sense)
    wrong = _what_is_wrong(reader.verbs, typed) if words else Text("“{verb}” alone is not a whole move.", verb=verb)
    return Text("{wrong}\nThis is how to type it:\n{move}", wrong=wrong, move=move)


def _moves_instead(table: Table, reader: MoveReader, typed: str) -> Text:
    """Moves that are like a text; without a position, the verbs."""
    if not reader.options:
        return _what_is_wrong(reader.verbs, typed)
    unknown = Text("“{typed}” isn’t a move of {title}.", typed=shortened(typed.strip()), title=table.spec.name)
    # a position names its own options only
    illegal = map(Voice(table.names, reader.voice.you).label, _illegal_moves(table, reader))
    alike = most_alike((*map(reader.voice.label, reader.options), *illegal), typed)
    moves = "\n".join(f"* **{table.in_message(label)}**" for label in alike)
    return Text("{wrong}\nExamples of moves:\n{moves}", wrong=unknown, moves=moves)


def _what_is_wrong(verbs: Verbs, typed: str) -> Text:
    try:
        read_typed(typed, verbs)
    except NotationError as error:
        return error.text
    raise AssertionError("a text that can be read means a move")


def _in_short(cls: type[Action]) -> str:
    return f"* **{verb_text(cls.verb, cls.sense)}** (`{usage(cls)}`) – {summary_of(cls)}"


def _moves_like(table: Table, seat: Seat | None, typed: str) -> Iterator[tuple[str, str] | None]:
    reader = reader_at(table, seat)
    yield from moves_like(reader.options, reader.voice, typed)
    yield from moves_like(_illegal_moves(table, reader), Voice(table.names, seat), typed)


def _illegal_moves(table: Table, reader: MoveReader) -> Iterator[Action]:
    """The moves that could be typed in this position and are not legal; none without a position."""
    if reader.options:
        legal = set(reader.options)
        moves = possible_moves(table.spec.actions, reader.options, table.require_match().setup.seats)
        yield from (move for move in moves if move not in legal)


def position_of(match: Match, seat: Seat | None) -> State | None:
    """The position as this seat sees it where it may choose, or one in which it would be on turn."""
    if seat is None or match.outcome is not None:
        return None
    state = match.state.observe(seat)
    return state if match.state.decision_of(seat) else state.if_on_turn(seat)


def known_options(match: Match, seat: Seat | None) -> Sequence[Action]:
    """The options of this seat now, or those that it had if it were on turn."""
    state = position_of(match, seat)
    if state is None or seat is None:
        return ()
    return (match.state.decision_of(seat) or state.decisions()[0]).options
