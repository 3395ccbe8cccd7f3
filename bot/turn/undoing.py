"""Taking back what was chosen, and doing it once more: at once, or with the consent of those it concerns."""

from __future__ import annotations

from collections.abc import Collection

from bot.errors import TROUBLE, Declined
from bot.interactions.answers import together
from bot.interactions.parts import calling, text_layout
from bot.posting.story import story
from bot.reception import Handler, Visit
from bot.store.wishes import Wish
from bot.tables.table import MOVED_ON, Stale, Table
from bot.turn.layouts import ask_others_layout, taken_back_layout, wish_layout
from engine.match import UndoKind, UndoPolicy
from engine.texts import Seat, Text
from engine.wording import Voice

AGREED = Text("Everybody agrees; it is taken back.")
GIVEN_UP = Text("The wish to take something back was given up.")
PASSED = Text("The game has moved on, so this wish to take something back is over.")


async def undo(visit: Visit) -> None:
    """Take back what this user chose last; where others have to agree, first show what they would be asked."""
    table = visit.table
    seat = table.seated(visit.user_id)
    if visit.control.version and table.playing().acted_at(seat) > visit.control.version:
        raise Stale(MOVED_ON)  # or a second tap would take back something else
    policy = table.undo_policy(seat)
    if policy.kind is UndoKind.REFUSED:
        raise Declined(policy.reason)
    told = _named(table, policy, seat)
    if policy.seats:
        await visit.answer.show(ask_others_layout(table, policy, told))
        return
    wish = table.wish
    await visit.court.undoing.undo(table, visit.user_id, interaction_id=visit.answer.interaction.id)
    visit.answer.kept = Text("It is taken back.")
    shown = visit.answer.show(taken_back_layout(table, seat, told))
    await together(shown, visit.court.poster.deliver(table), fade(visit, wish))


def _named(table: Table, policy: UndoPolicy, seat: Seat) -> str:
    """What somebody chose and what came of it, for themselves."""
    match = table.playing()
    state, action = match.choice_at(policy.ply)
    label = Voice(table.plain_names, seat, state.observe(seat)).label(action)
    return "\n".join(filter(None, (table.in_message(label), story(table, match.told_from(policy.ply, seat), seat))))


async def redo(visit: Visit) -> None:
    """Do once more what this user took back last."""
    table = visit.table
    await visit.court.undoing.redo(table, visit.user_id, interaction_id=visit.answer.interaction.id)
    visit.answer.kept = Text("It is done once more.")
    await together(visit.answer.show_text(visit.answer.kept), visit.court.poster.deliver(table))


async def ask_others(visit: Visit) -> None:
    """This user wants the others to be asked."""
    table, court = visit.table, visit.court
    policy = table.undo_policy(table.seated(visit.user_id))
    if visit.control.version != table.playing().version or not policy.seats:
        await undo(visit)  # it has become another question since
        return
    wish = await court.undoing.wish(table, visit.user_id)
    visit.answer.kept = Text("{asked} {asked:is|are} asked.", asked=_people(table, policy.seats))
    await together(visit.answer.show_text(visit.answer.kept), _post(visit, wish, policy))


async def _post(visit: Visit, wish: Wish, policy: UndoPolicy) -> None:
    table, court = visit.table, visit.court
    layout = wish_layout(table, wish, policy, story(table, table.playing().told_from(policy.ply, None)))
    mentions = calling(table.row.chairs[seat].user_id for seat in policy.seats)
    nonce = f"wish-{visit.answer.interaction.id}"  # of this wish alone: the same may be asked again after a no
    try:
        sent = await court.channels.send(table.row.channel_id, layout, mentions=mentions, nonce=nonce)
    except TROUBLE as error:
        raise Declined(Text("Discord does not take the question to the others at the moment.")) from error
    await court.undoing.note_wish_message(table, wish, sent)


async def agree(visit: Visit) -> None:
    """Somebody who was asked agrees."""
    table, court, wish = visit.table, visit.court, visit.table.wish
    missing = await court.undoing.agree(
        table, visit.user_id, visit.control.version, interaction_id=visit.answer.interaction.id
    )
    if missing:
        await visit.answer.say(Text("Thank you. Still to agree: {people}.", people=_people(table, missing)))
        return
    visit.answer.kept = AGREED
    await together(visit.answer.say(visit.answer.kept), court.poster.deliver(table), fade(visit, wish, AGREED))


async def disagree(visit: Visit) -> None:
    """Somebody who was asked would rather play on, or the one who asked gives it up."""
    wish = await visit.court.undoing.refuse_wish(visit.table, visit.user_id, visit.control.version)
    who = visit.table.seated(visit.user_id)
    told = GIVEN_UP if who == wish.seat else Text("{seat} would rather play on, so nothing is taken back.", seat=who)
    await together(visit.answer.say(Text("Nothing is taken back.")), fade(visit, wish, told))


def _people(table: Table, seats: Collection[Seat]) -> tuple[Text, ...]:
    return tuple(table.person(seat) for seat in sorted(seats))


async def fade(visit: Visit, wish: Wish | None, told: Text = PASSED) -> None:
    """Say in the message that asked the others what has become of it."""
    if wish is not None and wish.message_id is not None:
        layout = text_layout(told, visit.table.say)
        await visit.court.channels.refresh(visit.table.row.channel_id, wish.message_id, layout)


HANDLERS: dict[str, Handler] = {
    "undo": undo,
    "redo": redo,
    "ask": ask_others,
    "agree": agree,
    "disagree": disagree,
}
"""What the controls of this room do."""
