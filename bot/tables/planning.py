"""Planned turns: when a turn is due, whether it still does what its player was shown, and what remains of a plan."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from bot.store.facts import Facts
from bot.store.planned_turns import PlannedTurn
from bot.tables.table import Table
from engine.core import Action, Event
from engine.errors import EngineError
from engine.languages import ENGLISH, reading
from engine.match import Match
from engine.notation import format_action
from engine.texts import Seat
from engine.values import Value
from engine.wording import say

MAX_TURNS = 3
"""Turns in a row that a seat may plan."""

Plan = Mapping[int, PlannedTurn]
"""The planned turns of a seat, by the number of choices that the seat makes in the match before each."""


class PlanCheck(Value):
    """The check of a due turn: the `actions` that are possible, in order, and whether the whole turn is unchanged.

    `impossible` is set if an action is no longer possible; `new_event` is the first event that the player was not
    shown, if there is one. `is_alternative` is set for the alternative of a turn that does something else.
    """

    actions: tuple[Action, ...]
    holds: bool = False
    impossible: bool = False
    new_event: Event | None = None
    is_alternative: bool = False


def turns_in_order(table: Table, seat: Seat) -> list[PlannedTurn]:
    """The planned turns of a seat, the next one first."""
    return [turn for _, turn in sorted(table.plans.get(seat, {}).items())]


def planned_actions(match: Match, notations: Iterable[str]) -> list[Action]:
    """The actions of a planned turn. Raises `NotationError`."""
    return [match.parse(notation) for notation in notations]


def planned_turn(seat: Seat, actions: Sequence[Action], match: Match) -> PlannedTurn:
    """The planned turn for these actions of a seat in a position. Raises `EngineError` for impossible ones."""
    sentences = tuple(_describe_events(match, match.ahead(seat, actions), seat))
    return PlannedTurn(tuple(map(format_action, actions)), sentences)


def due_turn(table: Table, match: Match, seat: Seat) -> PlannedTurn | None:
    """The planned turn of a seat that begins in this position, whether it is still possible or not."""
    turns = table.plans.get(seat)
    if not turns or seat in table.stand_ins or table.row.holders[seat].user_id is None:
        return None
    turn = turns.get(choices_made(match, seat))
    return turn if turn and begins_turn(match, seat) else None


def begins_turn(match: Match, seat: Seat) -> bool:
    """Whether the seat is due at the beginning of a turn of its own."""
    if match.state.decision_of(seat) is None or match.state.aside(seat) is not None:
        return False
    return match.state.observe(seat).if_on_turn(seat) is not None


def check(match: Match, seat: Seat, turn: PlannedTurn) -> PlanCheck:
    """Check a turn in the position in which it begins."""
    actions: tuple[Action, ...] = ()
    ahead = match
    try:
        for notation in turn.notations:
            ahead = match.ahead(seat, (*actions, match.parse(notation)))
            actions = (*actions, match.parse(notation))
    except EngineError:
        return PlanCheck(actions, impossible=True)
    events, sentences = _events(match, ahead, seat), _describe_events(match, ahead, seat)
    new = (event for event, sentence in zip(events, sentences, strict=False) if sentence not in turn.sentences)
    return PlanCheck(actions, tuple(sentences) == turn.sentences, new_event=next(new, None))


def check_with_alternative(match: Match, seat: Seat, turn: PlannedTurn) -> PlanCheck:
    """The check of a turn, or of its alternative if only that does what its player was shown."""
    checked = check(match, seat, turn)
    if checked.holds or turn.alternative is None:
        return checked
    other = check(match, seat, turn.alternative)
    return replace(other, is_alternative=True) if other.holds else checked


def seats_with_turn(table: Table, match: Match) -> list[Seat]:
    """The seats whose planned turn begins in this position and does what its player was shown, or its alternative."""
    if not table.plans or match.outcome is not None:
        return []
    due = [(seat, due_turn(table, match, seat)) for seat in table.plans]
    return [seat for seat, turn in due if turn is not None and check_with_alternative(match, seat, turn).holds]


def with_remaining_plans(facts: Facts, before: Match, after: Match, relieved: Collection[Seat]) -> Facts:
    """The facts with what remains of all plans after new entries in the log.

    The plan of a seat ends if the seat does anything else than planned, such as an alternative, or if one of its
    choices is taken back, and for the `relieved` seats, whose turns computers have played.
    """
    for seat, turns in facts.plans.items():
        facts = facts.set_plan(seat, {} if seat in relieved else _remaining(turns, before, after, seat))
    return facts


def _remaining(turns: Plan, before: Match, after: Match, seat: Seat) -> Plan:
    first, acts = choices_made(before, seat), after.act_versions(seat)
    if after.outcome is not None or len(acts) < first:
        return {}
    new = tuple(after.entries[version].notation for version in acts[first:])
    if not new:
        return turns
    if before.state.aside(seat) is not None:
        # an answer outside the seat's own turn leaves its plan as it is
        return {number + len(new): turn for number, turn in turns.items()}
    done = turns.get(first)
    return {n: turn for n, turn in turns.items() if n > first} if done and done.notations == new else {}


def choices_made(match: Match, seat: Seat) -> int:
    """The number of effective choices that a seat has made."""
    return len(match.act_versions(seat))


def _events(match: Match, ahead: Match, seat: Seat) -> list[Event]:
    return [event for _, events in ahead.history(seat, since=match.version) for event in events]


def _describe_events(match: Match, ahead: Match, seat: Seat) -> list[str]:
    """The events that a seat sees from one position to another, and the points of all seats."""
    names = [f"Seat {n + 1}" for n in range(match.setup.seats)]
    with reading(ENGLISH):
        sentences = [say(event, names, seat) for event in _events(match, ahead, seat)]
    points = ahead.view(seat, since=match.version).gains
    return [*sentences, f"Points: {', '.join(map(str, points))}"]
