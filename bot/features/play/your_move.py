"""The handlers of a turn in private: choices step by step, a preview of the result, and then *Confirm*."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from discord.ui import TextDisplay

from bot.errors import UserError
from bot.features import handlers
from bot.features.handlers import Answer, TableRequest, at_table
from bot.features.play import your_move_layouts
from bot.features.play.choosing import STALE, show, show_first, show_next, show_preview, show_step
from bot.features.play.drafting import NotYourTurn, TurnDraft, not_your_turn
from bot.features.play.narrowing import agreeing, same, step
from bot.features.play.plan_drafts import place_in
from bot.features.play.planning import plan_controls, plan_note, planned_turn_at
from bot.features.play.steps import Words, words_of
from bot.features.play.undo_buttons import close_undo_message, undo_control
from bot.features.view.games import show_board
from bot.interactions.forms import Form, QuestionForm
from bot.interactions.kinds import NO_STAMP, Stamp
from bot.interactions.parts import Layout, layout, row, text_layout
from bot.interactions.responses import together
from bot.posting import board_layouts
from bot.store.log import Act
from bot.store.matches import Status
from bot.tables.absent import due_and_absent
from bot.tables.moves import NextStep
from bot.tables.people import escaped
from bot.tables.preferences import preferences_of
from bot.tables.table import Stale, Table
from bot.tables.upcoming import next_turn_text
from engine.core import Action
from engine.errors import IllegalAction, NotationError
from engine.texts import CHANCE, Seat, Text, joined

DROPPED = Text("-# The game has moved on, so your unconfirmed choices were dropped.")
NOT_POSSIBLE = Text("That is no longer possible. Tap **Your move** again.")
MAX_TYPED_CHARS = 20
"""The most characters of a typed value."""

AS_CODE = str.maketrans("−–", "--", "+,’' \u00a0\u202f")
"""Translates a number as people write it into the notation: hyphens for minus signs, no separators."""

AGAIN = Text("You did this a moment ago, and it counted.\n### Do it again?")


# a new message: a private board with this button stays
@at_table(board_layouts.your_move, Answer.NEW)
async def your_move(request: TableRequest) -> None:
    """*Your move*: show the draft of this user, or the first step of their decision.

    Boards keep their controls: after the match, an old one shows the final board.
    """
    if request.table.row.status is Status.OVER:
        await show_board(request)
        return
    try:
        turn = TurnDraft.saved(request.table, request.user_id)
    except NotYourTurn:
        seat = request.table.require_seat(request.user_id)
        ways = (*plan_controls(request.table, seat), *undo_control(request.table, seat))
        due = await _due_sentence(request)
        upcoming = await _upcoming(request, seat)
        text = Text("{due}\n{upcoming}.", due=due, upcoming=upcoming) if upcoming else due
        await request.response.say(not_your_turn(seat, text), *ways)
        return
    draft = request.table.drafts.get(turn.seat)
    dropped = draft is not None and turn.draft != draft
    if dropped:
        await request.services.moves.keep_draft(request.table, turn.seat, None, ends_plan=False)
    notes = (turn.say(DROPPED) if dropped else "", plan_note(request.table, turn.seat))
    await show_first(request, turn, "\n".join(filter(None, notes)))


@at_table(your_move_layouts.choose_step)
async def choose_step(request: TableRequest, stamp: Stamp, words: Words) -> None:
    """Show the step after the words of the button, or an earlier one for *Back*."""
    if turn := await _turn(request, stamp):
        await _keep(request, turn)
        await show_step(request, turn, words)


@at_table(your_move_layouts.choose_row)
async def choose_row(request: TableRequest, stamp: Stamp, number: int = 0) -> None:
    """Apply a menu choice: a word, or a whole option."""
    words = tuple(request.value.split())
    if turn := await _turn(request, stamp):
        if _option_of(turn, words) is not None:
            await propose(request, _with_option(turn, words))
        else:
            await show_step(request, turn, words)


@at_table(your_move_layouts.choose_option)
async def choose_option(request: TableRequest, stamp: Stamp, words: Words) -> None:
    """Add a whole option to the draft and show the result."""
    if turn := await _turn(request, stamp):
        await propose(request, _with_option(turn, words))


@at_table(your_move_layouts.open_form)
async def open_form(request: TableRequest, stamp: Stamp, words: Words) -> None:
    """Open a form for a value with too many choices for menus."""
    if turn := await _turn(request, stamp):
        now = step(_options(turn), words, turn.voice)
        control = type_value.id(turn.table, turn.stamp, words)
        label, note = turn.say(Text("Your choice")), now.note
        # a title has at most 45 characters by Discord's limit: no game has a longer one (`tests/test_architecture.py`)
        await request.response.ask(Form(control, str(turn.table.title), label, most=MAX_TYPED_CHARS, about=note))


@at_table("typed")
async def type_value(request: TableRequest, stamp: Stamp, words: Words) -> None:
    """Read the value typed into the form."""
    turn = await _turn(request, stamp)
    if turn is None:
        return
    line = request.value.strip()
    choices, value = step(_options(turn), words, turn.voice).choices, line.translate(AS_CODE)
    fitting = (choice for choice in choices if same(choice.words[len(words)], value) or same(choice.label, line))
    if (choice := next(fitting, None)) is None:
        await show_step(request, turn, words, turn.say(_not_possible(turn, words, line)))
    elif choice.complete:
        await propose(request, _with_option(turn, choice.words))
    else:
        await show_step(request, turn, choice.words)


@at_table(your_move_layouts.ask_for_several)
async def ask_for_several(request: TableRequest, stamp: Stamp) -> None:
    """*Several at once*: open a form for several answers to a repeated question."""
    if turn := await _turn(request, stamp):
        questions = your_move_layouts.series_of(turn)
        if not questions or turn.decision is None:
            raise UserError(NOT_POSSIBLE)
        title = turn.say(turn.decision.prompt)
        await request.response.ask(QuestionForm(choose_several.id(turn.table, turn.stamp), title, questions))


@at_table("series")
async def choose_several(request: TableRequest, stamp: Stamp) -> None:
    """Choose the first of several answers and plan the others for the times when luck repeats the question."""
    if turn := await _turn(request, stamp):
        options = {" ".join(words_of(option)): option for option in _options(turn)}
        if not request.values or not options.keys() >= set(request.values):
            raise UserError(NOT_POSSIBLE)
        # the last option ends the series
        *_, stop = options
        before = takewhile(lambda value: value != stop, request.values)
        answers = [options[value] for value in (*before, stop)][: len(request.values)]
        await propose(request, turn.planning(answers))


def _not_possible(turn: TurnDraft, words: Words, typed: str) -> Text:
    """The message for a typed value that is not a choice, with the rule against it if there is one."""
    sorry = Text("“{said}” isn’t possible.", said=escaped(typed))
    try:
        turn.ahead.ahead(turn.seat, [turn.match.parse(" ".join((*words, typed.translate(AS_CODE))))])
    except IllegalAction as refusal:
        return Text("{sorry} {why} (Rule {rule})", sorry=sorry, why=refusal.text, rule=refusal.rule)
    except NotationError:
        pass
    return sorry


@at_table(your_move_layouts.confirm)
async def confirm(request: TableRequest, stamp: Stamp) -> None:
    """*Confirm*: play the choices, which only now become public."""
    if turn := await _turn(request, stamp):
        if not turn.chosen:
            raise UserError(NOT_POSSIBLE)
        await carry_out(request, turn, version=turn.version)


@at_table(handlers.close)
async def close(request: TableRequest, stamp: Stamp = NO_STAMP) -> None:
    """*Cancel*: drop the unconfirmed choices. Confirmed parts of the turn stay."""
    match, seat = request.table.match, request.table.seat_of(request.user_id)
    nothing = Text("Nothing has changed.")
    if seat is not None:
        await request.services.moves.keep_draft(request.table, seat, None)
    if match is None or seat is None or seat not in {decision.seat for decision in match.state.decisions()}:
        await _show_unchanged(request, nothing)
        return
    last = next((entry for entry in reversed(match.entries) if entry.seat != CHANCE), None)
    if last and last.seat == seat:
        # luck or other players divide a turn into parts that are confirmed one by one
        nothing = Text("Nothing else has changed; the choices you confirmed earlier still count.")
    way_back = Text("Tap **Your move** on the newest board when you’re ready.")
    await _show_unchanged(request, joined([nothing, way_back]))


async def _show_unchanged(request: TableRequest, text: Text) -> None:
    """Show the text with *Undo* for the last confirmed choice."""
    table, seat = request.table, request.table.seat_of(request.user_id)
    ways = [] if table.match is None or seat is None else undo_control(table, seat)
    await request.response.show(text_layout(text, request.response.localize, *ways))


async def carry_out(request: TableRequest, turn: TurnDraft, *, version: int | None) -> None:
    """Play the choices; then post the board if the turn is finished, otherwise show the next question."""
    # read before the move, which ends the undo request: its message must still be closed
    table, since, undo_request = turn.table, turn.match.version, turn.table.undo_request
    try:
        next_step = await request.services.moves.play(
            table,
            request.user_id,
            *turn.chosen,
            interaction_id=request.response.interaction.id,
            version=version,
            planned=turn.planned,
        )
    except Stale:
        now = TurnDraft.saved(table, request.user_id)
        await show(request, now, now.say(STALE))
        return
    # the move is saved from here on: the reply to a retry if the answer gets lost
    request.response.already_done = Text("Your move is saved.")
    if next_step is NextStep.QUESTION:
        await show_next(
            request, TurnDraft.saved(table, request.user_id), Text("-# {done}", done=_done_text(turn)), since
        )
        table.note_answer(request.response.interaction.id)
    elif next_step is NextStep.WAITING:
        request.services.poster.update_due(table)
        await _tell_done(request, turn, await _due_sentence(request))
    elif request.is_command and _is_open(turn):
        await together(_answer_with_board(request, turn), close_undo_message(request, undo_request))
    else:
        # the others see the board even if the answer fails
        answer = _tell_done(request, turn, Text("The board is on its way to the channel."))
        await together(answer, request.services.poster.deliver(table), close_undo_message(request, undo_request))


def _is_open(turn: TurnDraft) -> bool:
    """Whether the typed command may become public: Discord shows it above a public answer.

    It may if this player alone had a decision at every step, without secrets, no other player moved since the last
    board, and all players see the same events.
    """
    board = turn.table.board.version if turn.table.board else 0
    first = all(entry.seat in (turn.seat, CHANCE) for entry in turn.match.entries[board:])
    steps = [turn.with_chosen(turn.chosen[:n]).ahead.state.decisions() for n in range(len(turn.chosen))]
    is_single = all(len(decisions) == 1 and not decisions[0].private for decisions in steps)
    own, others = (turn.table.require_match().history(who, since=turn.match.version) for who in (turn.seat, None))
    return first and is_single and own == others


async def _answer_with_board(request: TableRequest, turn: TurnDraft) -> None:
    """Answer a command with the board, or with a confirmation if the board could not be the answer."""

    async def answer(*board: Any) -> int | None:
        message_id = await request.response.show_board(*board)
        if message_id is not None:  # the user knows of the move, so the same command means a new one
            request.table.note_answer(request.response.interaction.id)
        return message_id

    await request.services.poster.deliver(request.table, answer)
    if not request.response.is_public:
        await _tell_done(request, turn, Text("The board is in the channel."))


async def _due_sentence(request: TableRequest) -> Text:
    settings, now = request.services.store.settings, request.services.clock.now()
    return await due_and_absent(settings, request.table, request.user_id, now)


async def _upcoming(request: TableRequest, seat: Seat) -> Text | None:
    store = request.services.store
    preferences = await preferences_of(store.settings, request.user_id)
    return await next_turn_text(store.log, request.table, seat, preferences, request.services.clock.now())


async def _tell_done(request: TableRequest, turn: TurnDraft, more: Text) -> None:
    seat = request.table.require_seat(request.user_id)
    await request.response.show(
        _done_layout(request.table, seat, Text("{done}\n-# {more}", done=_done_text(turn), more=more))
    )
    request.table.note_answer(request.response.interaction.id)


def _done_text(turn: TurnDraft) -> Text:
    return Text("✓ {labels}", labels=" · ".join(turn.quotes))


async def propose(request: TableRequest, turn: TurnDraft) -> None:
    """Save the draft of a turn, and show its next question or its preview."""
    turn = turn.without_questions()
    await _keep(request, turn)
    await show(request, turn)


async def ask_again(request: TableRequest, act: Act) -> None:
    """Reply to a repeated command whose first answer may have been lost.

    Asks whether to play the move again if it is legal again, otherwise reports that it is already done.
    """
    table, match = request.table, request.table.require_match()
    action = match.parse(act.notation)
    due = next((d for d in match.state.decisions() if d.seat == act.seat), None)
    if due is not None and action in due.options:
        turn = TurnDraft.of(table, request.user_id, [action]).without_questions()
        await _keep(request, turn)
        await show_preview(request, turn, AGAIN)
    else:
        await request.response.show_text(Text("✓ Already done when you typed it a moment ago."))
    # the user knows now, so the same command once more means a new move
    table.note_answer(act.interaction_id)


async def _turn(request: TableRequest, stamp: Stamp) -> TurnDraft | None:
    """The turn at the time of a control. For a stale control, shows the current turn and returns `None`."""
    if place_in(stamp.version) is not None and not _is_due(request):
        return await planned_turn_at(request, stamp)
    current = TurnDraft.saved(request.table, request.user_id)
    turn = current.at(stamp)
    if turn is None:
        await show(request, current, current.say(STALE))
    return turn


def _is_due(request: TableRequest) -> bool:
    return request.table.require_match().state.decision_of(request.table.require_seat(request.user_id)) is not None


async def _keep(request: TableRequest, turn: TurnDraft) -> None:
    await request.services.moves.keep_draft(turn.table, turn.seat, turn.draft)


def _options(turn: TurnDraft) -> Sequence[Action]:
    return turn.ahead.decision_of(turn.seat).options


def _with_option(turn: TurnDraft, words: Words) -> TurnDraft:
    """The turn with one more choice. Raises `UserError` for other words, since ids can be forged."""
    option = _option_of(turn, words)
    if option is None:
        raise UserError(NOT_POSSIBLE)
    return turn.with_chosen((*turn.chosen, option))


def _option_of(turn: TurnDraft, words: Words) -> Action | None:
    """The option with exactly these words, or the only option that begins with them."""
    options = agreeing(turn.decision.options if turn.decision else (), words)
    whole = (option for option in options if words_of(option) == words)
    return next(whole, options[0] if len(options) == 1 else None)


def _done_layout(table: Table, seat: Seat, text: Text) -> Layout:
    """The confirmation of a move, with *Undo* if the player can take it back."""
    ways = undo_control(table, seat)
    return layout(TextDisplay(table.in_message(table.say(text, seat))), *([row(*ways)] if ways else []))
