"""Planned turns: when one is due, and what remains of a plan after moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bot.store.facts import Facts
from bot.store.matches import MatchRow, SeatHolder, Status
from bot.store.planned_turns import PlannedTurn
from bot.tables.planning import check, due_turn, planned_turn, seats_with_turn, turns_in_order, with_remaining_plans
from engine.games import discover
from engine.languages import reading
from engine.match import Match
from engine.texts import Seat
from locales import language_of
from tests.engine.toys import TOYS

SEAT, ANA = Seat(0), 71
ROW = MatchRow(1, 9, 1, ANA, "muscat", 1, {}, "", Status.RUNNING, None, (SeatHolder(ANA),))


def turn(*notations: str) -> PlannedTurn:
    return PlannedTurn(notations, ())


def match(*notations: str, is_aside: bool = False, is_over: bool = False, due: bool = True, own: bool = True) -> Any:
    """A match in which the seat has made these choices; `own`: it is asked at the beginning of its own turn."""
    state = SimpleNamespace(
        aside=lambda _: "a question" if is_aside else None,
        decision_of=lambda _: "a decision" if due else None,
        observe=lambda _: SimpleNamespace(if_on_turn=lambda _: "a position" if own else None),
    )
    entries = [SimpleNamespace(notation=notation) for notation in notations]
    outcome = "over" if is_over else None
    return SimpleNamespace(state=state, outcome=outcome, entries=entries, act_versions=lambda _: range(len(notations)))


PLAN = {1: turn("a", "b"), 3: turn("c")}
REMAINING = [
    (match("x"), match("x"), (), PLAN),
    (match("x"), match("x", "a", "b"), (), {3: turn("c")}),
    (match("x"), match("x", "a"), (), {}),
    (match("x"), match("x", "b", "a"), (), {}),
    (match("x"), match(), (), {}),
    (match("x"), match("x", is_over=True), (), {}),
    (match("x"), match("x"), (SEAT,), {}),
    (match("x", is_aside=True), match("x", "yes"), (), {2: turn("a", "b"), 4: turn("c")}),
]
"""The match before and after, the seats whose turns computers have played, and what remains of the plan."""


@pytest.mark.parametrize(("before", "after", "relieved", "remaining"), REMAINING)
def test_a_plan_goes_on_after_its_own_turns_and_answers_in_between_and_ends_with_anything_else(
    before: Any, after: Any, relieved: tuple[Seat, ...], remaining: dict[int, PlannedTurn]
) -> None:
    facts = Facts(ROW).set_plan(SEAT, PLAN)
    assert remaining == with_remaining_plans(facts, before, after, relieved).plans.get(SEAT, {})


DUE = [
    (match("x"), {}, ANA, True),
    (match("x", "y"), {}, ANA, False),
    (match("x"), {SEAT: "greedy"}, ANA, False),
    (match("x"), {}, None, False),
    (match("x", due=False), {}, ANA, False),
    (match("x", is_aside=True), {}, ANA, False),
    (match("x", own=False), {}, ANA, False),
]
"""The match, the stand-ins, the holder of the seat, and whether the turn planned after its first choice is due."""


@pytest.mark.parametrize(("now", "stand_ins", "user_id", "is_due"), DUE)
def test_a_planned_turn_is_due_at_the_beginning_of_a_turn_that_its_player_takes(
    now: Any, stand_ins: dict[Seat, str], user_id: int | None, is_due: bool
) -> None:
    row = replace(ROW, holders=(SeatHolder(user_id),))
    table: Any = SimpleNamespace(plans={SEAT: PLAN}, stand_ins=stand_ins, row=row)
    assert (PLAN[1] if is_due else None) == due_turn(table, now, SEAT)
    table.plans = {SEAT: dict(reversed(PLAN.items()))}
    assert [PLAN[1], PLAN[3]] == turns_in_order(table, SEAT)
    assert [] == turns_in_order(table, Seat(1))


def in_gangs(plan: Callable[[Match], Any]) -> Any:
    spec = discover()["gangs"]
    return plan(Match.begin(spec, spec.setup(2), "seed"))


def test_what_a_plan_promises_does_not_depend_on_the_language_of_its_player() -> None:
    def described(match: Match) -> PlannedTurn:
        decision = match.state.decisions()[0]
        return planned_turn(decision.seat, [decision.options[0]], match)

    with reading(language_of("de")):
        german = in_gangs(described)
    assert in_gangs(described) == german
    assert german.sentences[-1].startswith("Points: ")


@pytest.mark.parametrize(
    ("game", "moves", "planned"),
    [
        ("beg", 0, PlannedTurn(("beg 1",), ("You beg Seat 2 for 1.", "Points: 0, 0"))),
        ("beg", 2, PlannedTurn(("beg 1",), ("You beg Seat 1 for 1.", "Points: 0, 0"))),
        (
            "jinns",
            17,
            PlannedTurn(
                ("place 3",),
                (*(f"You place {jinn}." for jinn in ("Y3 on 17", "Y4 on 18", "Y4 on 19")), "Points: 11, 0"),
            ),
        ),
    ],
)
def test_a_planned_turn_has_the_events_and_points_of_its_preview(game: str, moves: int, planned: PlannedTurn) -> None:
    spec = {**discover(), **TOYS}[game]
    match = Match.begin(spec, spec.setup(2), "seed")
    for _ in range(moves):
        decision = match.state.decisions()[0]
        match.play(decision.seat, decision.options[0])
    decision = match.state.decisions()[0]
    assert planned == planned_turn(decision.seat, decision.options[:1], match)


def test_the_first_event_that_a_player_was_not_shown_is_named() -> None:
    def checked(match: Match) -> tuple[Any, ...]:
        decision = match.state.decisions()[0]
        planned = planned_turn(decision.seat, [decision.options[0]], match)
        events, fewer = [], planned
        for n in range(len(planned.sentences) - 1):
            fewer = replace(planned, sentences=(*planned.sentences[:n], *planned.sentences[n + 1 :]))
            events.append(check(match, decision.seat, fewer).new_event)
        return check(match, decision.seat, planned), events

    def later(match: Match) -> Any:
        # until a card moves a camel and alarms bandits as well
        for _ in range(4):
            decision = match.state.decisions()[0]
            match.play(decision.seat, decision.options[0])
        return checked(match)

    same, events = in_gangs(later)
    assert (True, None) == (same.holds, same.new_event)
    assert len(events) == len({id(event) for event in events}) > 1
    assert None not in events


def test_no_planned_turn_is_due_after_the_end() -> None:
    table: Any = SimpleNamespace(plans={SEAT: PLAN}, stand_ins={}, row=ROW)
    assert [] == seats_with_turn(table, match("x", is_over=True))
