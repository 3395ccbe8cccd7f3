"""The draft of a turn: the unconfirmed choices of a player, the match after them, and their stamp on controls."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby

from bot.errors import UserError
from bot.interactions.kinds import Stamp
from bot.store.drafts import Draft
from bot.tables.planning import check_with_alternative, due_turn
from bot.tables.table import Table
from engine.core import Action, Decision
from engine.errors import EngineError
from engine.match import Match
from engine.notation import format_action
from engine.texts import Seat, Text
from engine.values import Value
from engine.wording import Voice


class NotYourTurn(UserError):
    """A user tried to move out of turn. The text names the players that the game waits for."""


def not_your_turn(seat: Seat, due: Text) -> Text:
    """The reply to a user out of turn; `due` names the players that the game waits for."""
    return Text("Not your turn yet{seat:, @|}. {due}", seat=seat, due=due)


class TurnDraft(Value):
    """The unconfirmed choices of a seat, and `ahead`, the match after them.

    `planned` has the answers for the times when luck repeats the question (`State.series`).
    """

    table: Table
    match: Match
    seat: Seat
    chosen: tuple[Action, ...]
    ahead: Match
    planned: tuple[Action, ...] = ()

    @classmethod
    def of(cls, table: Table, user_id: int, chosen: Sequence[Action] = ()) -> TurnDraft:
        """The turn of a user with these choices. Raises `NotYourTurn`, or `EngineError` for illegal choices."""
        match, seat = table.require_match(), table.require_seat(user_id)
        # `decision_of` reports that a match is over
        if match.outcome is None and seat not in {d.seat for d in match.state.decisions()}:
            raise NotYourTurn(not_your_turn(seat, table.due_sentence()))
        return cls(table, match, seat, (), match).with_chosen(chosen)

    @classmethod
    def saved(cls, table: Table, user_id: int) -> TurnDraft:
        """The turn of a user with the choices of their stored draft, else with those that need no question."""
        turn = cls.of(table, user_id)
        draft = table.drafts.get(turn.seat)
        if draft is not None and draft.version == turn.version:
            with suppress(EngineError):  # stored by another version of the program
                plain = [notation for notation in draft.notations if not notation.startswith(PLANNED)]
                planned = [notation.removeprefix(PLANNED) for notation in draft.notations[len(plain) :]]
                chosen = turn.with_chosen(list(map(turn.match.parse, plain)))
                return chosen.planning(list(map(turn.match.parse, planned)))
        return turn.with_plan().without_questions()

    def with_plan(self) -> TurnDraft:
        """The turn with the choices of the seat's plan that are possible, if a planned turn begins here."""
        planned = due_turn(self.table, self.match, self.seat)
        if planned is None:
            return self
        return self.with_chosen(check_with_alternative(self.match, self.seat, planned).actions)

    @property
    def is_plan(self) -> bool:
        """Whether the turn is planned while others are on turn."""
        return False

    @property
    def version(self) -> int:
        """The version of the match at which this seat got its question; controls carry it in their stamp."""
        return self.match.decision_version(self.seat)

    @property
    def decision(self) -> Decision | None:
        """The next decision of this seat, or `None` if luck or another player comes first."""
        return next((d for d in self.ahead.state.decisions() if d.seat == self.seat), None)

    def without_questions(self) -> TurnDraft:
        """The turn after the choices that need no question: forced ones, and the usual option where there is one."""
        turn = self
        while (decision := turn.decision) is not None:
            option = decision.options[0] if decision.forced else decision.usual
            if not option:
                break
            turn = turn.with_chosen((*turn.chosen, option))
        return turn

    def planning(self, actions: Sequence[Action]) -> TurnDraft:
        """The turn with these answers to consecutive questions. Those after a chance event become `planned`."""
        turn = self
        for n, action in enumerate(actions):
            if (decision := turn.decision) is None:
                return replace(turn, planned=tuple(actions[n:]))
            if action not in decision.options:
                break
            turn = turn.with_chosen((*turn.chosen, action))
        return turn

    def without_last(self) -> TurnDraft | None:
        """The turn before its last choice that was not forced, or `None` without such a choice."""
        return next(self._before_choices(reversed(range(len(self.chosen)))), None)

    @property
    def first_question(self) -> TurnDraft | None:
        """The turn before its first choice that was not forced, or `None` without such a choice."""
        return next(self._before_choices(range(len(self.chosen))), None)

    def _before_choices(self, numbers: Iterable[int]) -> Iterator[TurnDraft]:
        """The turn before each of these choices that was not forced."""
        earlier = (self.with_chosen(self.chosen[:n]) for n in numbers)
        return (turn for turn in earlier if not turn.ahead.decision_of(self.seat).forced)

    @property
    def voice(self) -> Voice:
        """The voice that words the next choices for the player of this seat."""
        return self.table.voice(self.ahead, self.seat)

    def say(self, text: Text) -> str:
        """A text for a message to the player of this seat."""
        return self.table.say(text, self.seat)

    @property
    def quotes(self) -> tuple[str, ...]:
        """The choices and planned answers as sentences quote them; repetitions in a row become one, `… ×3`."""
        before = [self.with_chosen(self.chosen[:n]) for n in range(len(self.chosen))]
        quotes = [turn.voice.quote(action) for turn, action in zip(before, self.chosen, strict=True)]
        quotes += [before[-1].voice.quote(action) for action in self.planned]
        counted = ((quote, len(list(alike))) for quote, alike in groupby(quotes))
        return tuple(f"{quote} ×{times}" if times > 1 else quote for quote, times in counted)

    @property
    def draft(self) -> Draft | None:
        """The choices as the store saves them; `None` without a choice."""
        return Draft(self.version, notations_of(self.chosen, self.planned)) if self.chosen else None

    @property
    def stamp(self) -> Stamp:
        """The stamp of controls that are valid for exactly these choices."""
        return Stamp(self.version, _mark(self.chosen, self.planned))

    def at(self, stamp: Stamp) -> TurnDraft | None:
        """The turn at the time of a control: unchanged or without its last choices. `None` for a stale control."""
        if stamp.version != self.version:
            return None
        if stamp.draft == _mark(self.chosen, self.planned):
            return self
        # a button of an earlier step goes back to it, so two taps on a slow connection do one thing
        beginnings = (self.chosen[:n] for n in reversed(range(len(self.chosen) + 1)))
        beginning = next((choices for choices in beginnings if _mark(choices) == stamp.draft), None)
        return None if beginning is None else self.with_chosen(beginning)

    def with_chosen(self, chosen: Sequence[Action]) -> TurnDraft:
        """The turn with these choices instead of its own. Raises `EngineError` if one of them is illegal."""
        if tuple(chosen) == self.chosen:
            return replace(self, planned=()) if self.planned else self
        ahead = self.match.ahead(self.seat, chosen) if chosen else self.match
        return replace(self, chosen=tuple(chosen), ahead=ahead, planned=())


PLANNED = "+ "
"""Prefix of a planned choice in a stored draft; no notation begins with it."""


def notations_of(chosen: Sequence[Action], planned: Sequence[Action] = ()) -> tuple[str, ...]:
    """The choices of a draft as it is stored."""
    return (*map(format_action, chosen), *(f"{PLANNED}{format_action(action)}" for action in planned))


def _mark(chosen: Sequence[Action], planned: Sequence[Action] = ()) -> str:
    """A checksum of the choices, six hex digits; empty without choices."""
    # not `hash`, which differs between processes: buttons outlive a restart. Six digits tell the few beginnings of one
    # turn apart, and leave room for words in an id of 100 characters
    notations = "\n".join(notations_of(chosen, planned))
    return f"{zlib.crc32(notations.encode()):08x}"[:6] if chosen else ""
