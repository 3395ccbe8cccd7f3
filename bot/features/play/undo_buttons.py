"""Undo and redo: at once, or with the consent of the players that the undone moves concern."""

from __future__ import annotations

from functools import partial

from discord import app_commands
from discord.ui import TextDisplay

from bot.errors import DISCORD_ERRORS, UserError
from bot.features.groups import game
from bot.features.handlers import TableRequest, at_table, close
from bot.interactions.controls import Control
from bot.interactions.kinds import InVersion
from bot.interactions.parts import PRIMARY, SUCCESS, Layout, calling, layout, row, text_layout
from bot.interactions.responses import together
from bot.posting import board_layouts
from bot.posting.board_layouts import your_move_button
from bot.posting.board_texts import story
from bot.store.undo_requests import UndoRequest
from bot.tables.rated import RatedStanding
from bot.tables.rating_cost import forfeit_warning, with_warning
from bot.tables.table import MOVED_ON, Stale, Table
from engine.match import UndoKind, UndoPolicy
from engine.texts import Seat, Text
from engine.wording import Voice

AGREED = Text("Everyone agrees; it’s taken back.")
PASSED = Text("The game has moved on, so this undo request is closed.")


@at_table(board_layouts.undo, confirmed="unrateundo")
async def undo(request: TableRequest, version: InVersion[int] = 0) -> None:
    """Undo the last choice of this user, or first show the undo request if other players must agree."""
    table = request.table
    seat = table.require_seat(request.user_id)
    if version and table.require_match().last_act_version(seat) > version:
        raise Stale(MOVED_ON)  # a second tap must not undo another choice
    policy = table.undo_policy(seat)
    if policy.kind is UndoKind.REFUSED:
        raise UserError(policy.reason)
    summary = _undone_words(table, policy, seat)
    if policy.seats:
        await request.response.show(_ask_others_layout(table, policy, summary))
        return
    if policy.kind is UndoKind.CONSENT and not request.is_confirmed:
        standing = await request.services.seats.standing_of(table, request.user_id)
        if standing in (RatedStanding.OPEN, RatedStanding.BEHIND):
            ask = partial(_question, request, policy, standing, summary)
            control = undo.id(table, table.require_match().version)
            await request.confirm(ask, Text("Take it back"), request.cancel, control=control)
    # read before the undo, which ends the request: its message must still be closed
    undo_request = table.undo_request
    await request.services.undoing.undo(table, request.user_id, interaction_id=request.response.interaction.id)
    # the reply to a retry if this answer gets lost
    request.response.already_done = Text("It’s taken back.")
    answer = request.response.show(_taken_back_layout(table, seat, summary))
    await together(answer, request.services.poster.deliver(table), close_undo_message(request, undo_request))


async def _question(request: TableRequest, policy: UndoPolicy, standing: RatedStanding, summary: str) -> str:
    """The question before an undo that ends the rating of the game: only computers had to agree."""
    table = request.table
    question = Text("{reason} If you take this back, the game no longer counts in `/stats`.", reason=policy.reason)
    if standing is RatedStanding.BEHIND:
        question = Text(
            "{reason} If you take this back, this game counts as a loss for you in `/stats`.", reason=policy.reason
        )
        question = with_warning(question, await forfeit_warning(request.services.store, table, request.user_id))
    return f"{table.say(question)}\n{summary}"


def _undone_words(table: Table, policy: UndoPolicy, seat: Seat) -> str:
    """The undone choice and the events after it, as its player may see them."""
    match = table.require_match()
    state, action = match.choice_at(policy.ply)
    choice = Voice(table.plain_names, seat, state.observe(seat)).quote(action)
    return "\n".join(filter(None, (table.in_message(choice), story(table, match.events_from(policy.ply, seat), seat))))


@game.command("undo", "Take back your last move")
@app_commands.describe(redo="redo what you took back")
async def undo_last(request: TableRequest, redo: bool = False) -> None:
    """Undo the last move of this user, or redo it."""
    await (redo_last(request) if redo else undo(request))


@at_table("redo")
async def redo_last(request: TableRequest, version: InVersion[int] = 0) -> None:
    """Redo the choice that this user took back last."""
    table = request.table
    await request.services.undoing.redo(table, request.user_id, interaction_id=request.response.interaction.id)
    request.response.already_done = Text("Redone.")
    await together(request.response.show_text(request.response.already_done), request.services.poster.deliver(table))


@at_table("ask")
async def ask_others(request: TableRequest, version: InVersion[int]) -> None:
    """*Ask them*: post the undo request in the channel."""
    table, services = request.table, request.services
    policy = table.undo_policy(table.require_seat(request.user_id))
    if version != table.require_match().version or not policy.seats:
        await undo(request, version)  # since the tap, an undo needs other consents or none
        return
    undo_request = await services.undoing.undo_request(table, request.user_id)
    request.response.already_done = Text("Asking {asked}.", asked=table.persons_on(sorted(policy.seats)))
    await together(request.response.show_text(request.response.already_done), _post(request, undo_request, policy))


async def _post(request: TableRequest, undo_request: UndoRequest, policy: UndoPolicy) -> None:
    table, services = request.table, request.services
    history = table.require_match().events_from(policy.ply, None)

    # a function, because `Channels.send` composes in the language of the channel
    def compose() -> Layout:
        return _undo_request_layout(table, undo_request, policy, story(table, history, pictured=True))

    mentions = calling(table.row.holders[seat].user_id for seat in policy.seats)
    # for this undo request only: after a refusal, the player may ask again
    nonce = f"undo-{request.response.interaction.id}"
    try:
        sent = await services.channels.send(table.row.channel_id, compose, mentions=mentions, nonce=nonce)
    except DISCORD_ERRORS as error:
        raise UserError(Text("Discord is not letting me ask the others at the moment.")) from error
    await services.undoing.note_undo_message(table, undo_request, sent)


@at_table("agree")
async def agree(request: TableRequest, version: InVersion[int]) -> None:
    """*Agree*: record the consent of this player, and undo once it is the last one."""
    # the request is read before: the table drops it once it is fulfilled
    table, services, undo_request = request.table, request.services, request.table.undo_request
    missing = await services.undoing.agree(
        table, request.user_id, version, interaction_id=request.response.interaction.id
    )
    if missing:
        await request.response.say(Text("Thanks. Waiting for {people}.", people=table.persons_on(sorted(missing))))
        return
    request.response.already_done = AGREED
    await together(
        request.response.say(request.response.already_done),
        services.poster.deliver(table),
        close_undo_message(request, undo_request, AGREED),
    )


@at_table("disagree")
async def disagree(request: TableRequest, version: InVersion[int]) -> None:
    """*No*: refuse the undo request, or withdraw it if its own player taps."""
    undo_request = await request.services.undoing.refuse_undo(request.table, request.user_id, version)
    outcome = Text("The undo request was withdrawn.")
    if (who := request.table.require_seat(request.user_id)) != undo_request.seat:
        outcome = Text("{seat} would rather play on, so nothing is taken back.", seat=who)
    await together(
        request.response.say(Text("Nothing was taken back.")), close_undo_message(request, undo_request, outcome)
    )


async def close_undo_message(request: TableRequest, undo_request: UndoRequest | None, text: Text = PASSED) -> None:
    """Replace the message of an undo request by its outcome."""
    if undo_request is not None and undo_request.message_id is not None:
        compose = partial(text_layout, text, request.table.say)
        await request.services.channels.refresh(request.table.row.channel_id, undo_request.message_id, compose)


# --- layouts ---


def undo_control(table: Table, seat: Seat) -> list[Control]:
    """*Undo*, as long as the player of a seat can take back their last choice, at once or by consent of the others."""
    if table.undo_policy(seat).kind is UndoKind.REFUSED:
        return []
    return [undo.button(table, Text("Undo"), version=table.require_match().version)]


def _taken_back_layout(table: Table, seat: Seat, summary: str) -> Layout:
    """The undone choice, with buttons to play on or to redo it."""
    redo = redo_last.button(table, Text("Redo"), version=table.require_match().version)
    words = table.say(Text("↩ You took this back:"), seat)
    return layout(TextDisplay(f"{words}\n{summary}"), row(your_move_button(table), redo))


def _ask_others_layout(table: Table, policy: UndoPolicy, summary: str) -> Layout:
    """The choice to be undone, and the players whose consent it needs."""
    people = table.persons_on(sorted(policy.seats))
    question = Text("{reason} To take this back, {people} would have to agree:", reason=policy.reason, people=people)
    ask = ask_others.button(table, Text("Ask them"), PRIMARY, table.require_match().version)
    cancel = close.button(table, Text("Cancel"))
    return layout(TextDisplay(f"{table.say(question)}\n{summary}"), row(ask, cancel))


def _undo_request_layout(table: Table, undo_request: UndoRequest, policy: UndoPolicy, summary: str) -> Layout:
    """The public message that asks the other players to agree to an undo."""
    people = table.persons_on(sorted(policy.seats))
    title = Text("### {seat} would like to take this back", seat=undo_request.seat)
    question = Text("{people}: do you agree?\n-# {reason}", people=people, reason=policy.reason)
    ways = row(
        agree.button(table, Text("Agree"), SUCCESS, undo_request.version),
        disagree.button(table, Text("No"), version=undo_request.version),
    )
    return layout(TextDisplay(f"{table.say(title)}\n{summary}\n{table.say(question)}"), ways)
