"""*Plan your turn*: a private page with planned turns, and how a seat chooses them while others are on turn."""

from __future__ import annotations

from discord.ui import TextDisplay

from bot.errors import UserError
from bot.features.handlers import TableRequest, at_table
from bot.features.play import your_move_layouts
from bot.features.play.choosing import STALE, show
from bot.features.play.drafting import TurnDraft
from bot.features.play.plan_drafts import PLAN_CHANGED, PlanDraft, PlanPlace, place_in
from bot.interactions.controls import Control
from bot.interactions.kinds import Stamp
from bot.interactions.parts import Layout, layout, row, rows
from bot.store.planned_turns import PlannedTurn
from bot.tables.planning import (
    MAX_TURNS,
    Plan,
    check,
    check_with_alternative,
    choices_made,
    due_turn,
    planned_actions,
    planned_turn,
    turns_in_order,
)
from bot.tables.table import Stale, Table
from engine.errors import EngineError
from engine.texts import Seat, Text
from engine.wording import Voice

PLANNING_NOTE = Text("-# You’re planning a turn. Nobody else sees this.")
ALTERNATIVE_NOTE = Text(
    "-# You’re planning an alternative, in case your plan would do something else. Nobody else sees this."
)
SAME_CHOICES = Text("-# Your plan already has the same choices. For an alternative, choose something different.")
ON_TURN = Text("It’s your turn now. Tap **Your move**.")
SAVED_NOTE = Text("✓ Your plan is saved.")
DELETED_NOTE = Text("Your plan is deleted.")
PLAN_NOTE = Text(
    "-# Nobody else can see your plan. Once it’s your turn, it is played within a few minutes, like a move of yours, "
    "and never in your quiet hours. If it would do anything other than what you were shown, its alternative is "
    "played; without one, it waits for you instead."
)


ALTERNATIVE_DUE = Text(
    "-# Your plan would do something else now, so its alternative will be played in a few minutes, or now if you "
    "confirm it."
)


def plan_controls(table: Table, seat: Seat) -> list[Control]:
    """The button to plan a turn or to see the plan, for a seat that is not on turn."""
    if seat in table.plans:
        return [open_plan.button(table, Text("Your plan"))]
    match = table.require_match()
    possible = match.state.decision_of(seat) is None and match.if_on_turn(seat) is not None
    return [open_plan.button(table, Text("Plan your turn"))] if possible else []


def plan_note(table: Table, seat: Seat) -> str:
    """A line about the planned turn that begins now: it will be played, or its changes. Empty without such a turn."""
    match, turn = table.require_match(), due_turn(table, table.require_match(), seat)
    if turn is None:
        return ""
    checked = check_with_alternative(match, seat, turn)
    if checked.is_alternative:
        return table.say(ALTERNATIVE_DUE, seat)
    if checked.holds:
        return table.say(Text("-# Your plan will be played in a few minutes, or now if you confirm it."), seat)
    if checked.impossible:
        return table.say(Text("-# Your plan isn’t possible anymore, so you decide."), seat)
    if checked.new_event is None:
        return table.say(Text("-# Your plan would no longer do everything you were shown, so you decide."), seat)
    event = table.say(checked.new_event, seat)
    return table.say(Text("-# Your plan would now do something else, so you decide: {event}", event=event), seat)


@at_table("plan")
async def open_plan(request: TableRequest) -> None:
    """Show the plan of the user, or begin to plan a turn."""
    seat = _planner(request)
    if seat in request.table.plans:
        await request.response.show(_plan_layout(request.table, seat))
    else:
        await _show_turn(request, seat, 0)


@at_table("planturn")
async def plan_turn(request: TableRequest, number: int = 0) -> None:
    """Plan the turn after a number of planned ones; it replaces the turn that is planned there and all later ones."""
    seat = _planner(request)
    await _show_turn(request, seat, min(number, len(turns_in_order(request.table, seat)), MAX_TURNS - 1))


@at_table("planother")
async def plan_alternative(request: TableRequest, number: int = 0) -> None:
    """Choose the alternative of a planned turn; it replaces the present one."""
    seat = _planner(request)
    turn = PlanDraft.restore(request.table, seat, number, is_alternative=True)
    await show(request, turn, turn.say(ALTERNATIVE_NOTE))


@at_table(your_move_layouts.save_plan)
async def save_plan(request: TableRequest, stamp: Stamp) -> None:
    """*Save plan*: the choices of the draft become a planned turn, or the alternative of one."""
    turn = await planned_turn_at(request, stamp)
    if turn is None:
        return
    # ids can be forged: a plan without a choice would be a turn that does nothing
    if not turn.chosen:
        raise UserError(PLAN_CHANGED)
    table, seat = request.table, turn.seat
    place = place_in(turn.version) or PlanPlace()
    turns = _with_turn(turn, place)
    if turns is None:
        await request.services.moves.keep_draft(table, seat, None)
        again = PlanDraft.restore(table, seat, place.number, is_alternative=True)
        await show(request, again, again.say(SAME_CHOICES))
        return
    try:
        await request.services.moves.save_plan(table, seat, turns, version=table.require_match().decision_version(seat))
    except Stale:
        raise UserError(ON_TURN if table.require_match().state.decision_of(seat) else STALE) from None
    await request.response.show(_plan_layout(table, seat, SAVED_NOTE))


def _with_turn(turn: TurnDraft, place: PlanPlace) -> Plan | None:
    """The plan of the seat with a turn in place of the one there and all later ones, or with an alternative of it.

    `None` for an alternative with the choices of its turn.
    """
    plan, added = turn.table.plans.get(turn.seat, {}), planned_turn(turn.seat, turn.chosen, turn.match)
    acts = sorted(plan)
    if not place.is_alternative:
        return {n: plan[n] for n in acts[: place.number]} | {choices_made(turn.match, turn.seat): added}
    main = plan[acts[place.number]]
    same = main.notations == added.notations
    return None if same else {**plan, acts[place.number]: main.with_alternative(added)}


@at_table("dropplan")
async def delete_plan(request: TableRequest) -> None:
    """*Delete plan*."""
    seat = request.table.require_seat(request.user_id)
    await request.services.moves.save_plan(request.table, seat, {})
    controls = plan_controls(request.table, seat)
    notice = request.table.say(DELETED_NOTE, seat)
    await request.response.show(layout(TextDisplay(notice), *([row(*controls)] if controls else [])))


async def planned_turn_at(request: TableRequest, stamp: Stamp) -> TurnDraft | None:
    """The planned turn of a control; if the game has moved on, shows how it is planned now and returns `None`."""
    seat = _planner(request)
    place = place_in(stamp.version) or PlanPlace()
    draft = PlanDraft.restore(request.table, seat, place.number, is_alternative=place.is_alternative)
    turn = draft.at(stamp)
    if turn is None:
        await show(request, draft, draft.say(STALE))
    return turn


def _planner(request: TableRequest) -> Seat:
    """The seat of the user. Raises `UserError` if it is on turn."""
    seat = request.table.require_seat(request.user_id)
    if request.table.require_match().state.decision_of(seat) is not None:
        raise UserError(ON_TURN)
    return seat


async def _show_turn(request: TableRequest, seat: Seat, number: int) -> None:
    turn = PlanDraft.restore(request.table, seat, number)
    await show(request, turn, turn.say(PLANNING_NOTE))


def _plan_layout(table: Table, seat: Seat, note: Text | None = None) -> Layout:
    """All planned turns of a seat with their alternatives, and the buttons to change them."""
    turns = turns_in_order(table, seat)
    lines = [table.say(note, seat)] if note else []
    lines.append(table.say(Text("### Your plan"), seat))
    for n, turn in enumerate(turns):
        lines.append(f"{n + 1}. {_planned_line(table, seat, n, turn)}")
        if other := turn.alternative:
            line = _planned_line(table, seat, n, other)
            lines.append(table.say(Text("-# If that isn’t possible: {choices}", choices=line), seat))
    lines.append(table.say(PLAN_NOTE, seat))
    more = [plan_turn.button(table, Text("Add a turn"), number=len(turns))] if _may_add(table, seat) else []
    change = plan_turn.button(table, Text("Change plan"), number=0)
    delete = delete_plan.button(table, Text("Delete plan"))
    return layout(TextDisplay("\n".join(lines)), *rows([*more, *_alternative_controls(table, seat), change, delete]))


def _alternative_controls(table: Table, seat: Seat) -> list[Control]:
    """The buttons for the alternatives of the planned turns that can begin as things stand."""
    turns = turns_in_order(table, seat)
    numbers = [n for n in range(len(turns)) if _may_plan(table, seat, n)]
    if len(turns) == 1:
        label = Text("Change the alternative") if turns[0].alternative else Text("Add an alternative")
        return [plan_alternative.button(table, label, number=n) for n in numbers]
    return [plan_alternative.button(table, Text("Alternative to {turn}", turn=n + 1), number=n) for n in numbers]


def _may_add(table: Table, seat: Seat) -> bool:
    number = len(turns_in_order(table, seat))
    return number < MAX_TURNS and _may_plan(table, seat, number)


def _may_plan(table: Table, seat: Seat, number: int) -> bool:
    """Whether a turn of the seat can begin after a number of planned ones, as things stand."""
    try:
        PlanDraft.begin(table, seat, number)
    except UserError:
        return False
    return True


def _planned_line(table: Table, seat: Seat, number: int, turn: PlannedTurn) -> str:
    """The choices of a planned turn or an alternative, and whether it does something else as things stand."""
    try:
        draft = PlanDraft.begin(table, seat, number)
        choices = " · ".join(draft.with_chosen(planned_actions(draft.match, turn.notations)).quotes)
    except (UserError, EngineError):
        return table.in_message(" · ".join(_labels(table, seat, turn)))
    line = table.in_message(choices)
    changed = not check(draft.match, seat, turn).holds
    return f"{line} {table.say(Text('*(as things stand, it would do something else)*'), seat)}" if changed else line


def _labels(table: Table, seat: Seat, turn: PlannedTurn) -> list[str]:
    """The choices of a turn that is not possible as things stand; notations that another version wrote stay as is."""
    try:
        return list(map(Voice(table.plain_names, seat).label, planned_actions(table.require_match(), turn.notations)))
    except EngineError:
        return list(turn.notations)
