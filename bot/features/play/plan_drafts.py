"""Drafts of planned turns: what a seat chooses while others are on turn."""

from __future__ import annotations

from contextlib import suppress
from typing import Self

from bot.errors import UserError
from bot.features.play.drafting import TurnDraft, notations_of
from bot.store.drafts import Draft
from bot.tables.planning import MAX_TURNS, planned_actions, turns_in_order
from bot.tables.table import Table
from engine.core import Decision
from engine.errors import EngineError
from engine.match import Match
from engine.texts import Seat, Text
from engine.values import Value

PLAN_VERSIONS = 1_000_000
"""Stamps of planned turns are above this number, so that no control of a plan belongs to a turn or the reverse."""

PLAN_CHANGED = Text("Your plan has changed in the meantime. Tap **Your move** to see it.")
CANNOT_PLAN = Text("You can’t plan a turn in this position. Please try again after the next move.")


class PlanDraft(TurnDraft):
    """The unsaved choices of a planned turn, or of its alternative; `number` turns of the plan come before it.

    `match` is a position as the seat sees it, in which its turn begins (`Match.if_on_turn`).
    """

    number: int = 0
    is_alternative: bool = False

    @classmethod
    def begin(cls, table: Table, seat: Seat, number: int, *, is_alternative: bool = False) -> Self:
        """The planned turn after a number of saved ones, or its alternative, with nothing chosen.

        Raises `UserError` if no turn of this seat can begin then, also because the seat is on turn already, or the plan
        has no turn for an alternative.
        """
        if is_alternative and number >= len(turns_in_order(table, seat)):
            raise UserError(PLAN_CHANGED)
        match = table.require_match()
        position = None if match.state.decision_of(seat) else match.if_on_turn(seat)
        for turn in turns_in_order(table, seat)[:number]:
            position = _after(position, seat, turn.notations)
        if position is None:
            raise UserError(CANNOT_PLAN)
        return cls(table, position, seat, (), position, number=number, is_alternative=is_alternative)

    @classmethod
    def restore(cls, table: Table, seat: Seat, number: int, *, is_alternative: bool = False) -> TurnDraft:
        """The planned turn with its unsaved choices, else with those that need no question."""
        turn = cls.begin(table, seat, number, is_alternative=is_alternative)
        draft = table.drafts.get(seat)
        if draft is not None and draft.version == turn.version:
            with suppress(EngineError):  # chosen under another version of the program
                return turn.with_chosen(planned_actions(turn.match, draft.notations))
        return turn.without_questions()

    @property
    def is_plan(self) -> bool:
        """True: it is saved instead of confirmed."""
        return True

    @property
    def version(self) -> int:
        """The version for the stamps of its controls, above those of all real turns."""
        place = self.number + MAX_TURNS * self.is_alternative
        return PLAN_VERSIONS * (place + 1) + self.table.require_match().decision_version(self.seat)

    @property
    def decision(self) -> Decision | None:
        """The next decision of the seat, unless its options depend on something that the seat cannot see."""
        decision = next((d for d in self.ahead.state.decisions() if d.seat == self.seat), None)
        return decision if decision and decision.options else None

    @property
    def draft(self) -> Draft | None:
        """The draft to save, if anything is chosen."""
        return Draft(self.version, notations_of(self.chosen)) if self.chosen else None


class PlanPlace(Value):
    """The place of a planned turn, or of its alternative: the number of turns of the plan before it."""

    number: int = 0
    is_alternative: bool = False


def place_in(version: int) -> PlanPlace | None:
    """The place of the planned turn that a stamp belongs to, or `None` for a real turn."""
    place = version // PLAN_VERSIONS - 1
    return PlanPlace(place % MAX_TURNS, place >= MAX_TURNS) if place >= 0 else None


def _after(position: Match | None, seat: Seat, notations: tuple[str, ...]) -> Match | None:
    if position is None:
        return None
    try:
        return position.ahead(seat, planned_actions(position, notations)).if_on_turn(seat)
    except EngineError:
        return None
