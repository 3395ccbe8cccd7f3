"""Questions outside one's own turn, and how a seat lets them be answered. Nothing here is written or waited for."""

from __future__ import annotations

import secrets
from datetime import timedelta

from bot.store.auto_answers import AutoAnswer
from bot.tables.table import Table
from engine.core import Aside
from engine.match import Match
from engine.texts import Seat

MIN_DELAY, MAX_DELAY = timedelta(minutes=2), timedelta(minutes=15)
"""The delay of an auto-answer that must look like a person's: as long as a user with a phone may take."""


def asides_of(table: Table) -> tuple[Aside, ...]:
    """The questions that may come outside one's own turn at a table."""
    return table.spec.asides_in(table.setup)


def ways_of(aside: Aside) -> tuple[AutoAnswer, ...]:
    """The possible auto-answers to an off-turn question."""
    declined = (AutoAnswer.DECLINE,) if aside.decline else ()
    first = (AutoAnswer.FIRST,) if aside.first else ()
    return (AutoAnswer.COMPUTER, *declined, *first)


def current_auto_answer(table: Table, match: Match, seat: Seat) -> AutoAnswer | None:
    """The auto-answer to the current question of a seat; `None` if the seat has chosen none, or is on turn."""
    answers = table.auto_answers.get(seat)
    aside = match.state.aside(seat) if answers else None
    return answers.get(aside.key) if answers and aside else None


def seats_with_delay(table: Table, match: Match) -> list[Seat]:
    """The seats for which an answer is given that takes a while."""
    seats = [decision.seat for decision in match.state.decisions()]
    return [seat for seat in seats if current_auto_answer(table, match, seat) is not None and needs_delay(match, seat)]


def needs_delay(match: Match, seat: Seat) -> bool:
    """Whether an answer outside its own turn would tell more of a seat than itself if it came at once."""
    aside = match.state.aside(seat)
    return aside is not None and (aside.discreet or not match.is_open(seat))


def is_only_question(match: Match, seat: Seat) -> bool:
    """Whether the game waits for this seat alone, outside its own turn: after an answer, for the rest of it."""
    return {decision.seat for decision in match.state.decisions()} == {seat} and match.state.aside(seat) is not None


def random_delay() -> timedelta:
    """The delay of one answer: unpredictable, and independent of the question."""
    # not from the seed of the match, which would later reveal the automatic answers
    return MIN_DELAY + timedelta(seconds=secrets.randbelow(int((MAX_DELAY - MIN_DELAY).total_seconds())))
