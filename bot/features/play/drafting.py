"""A turn in progress: its choices so far, the position after them, and their ids on controls."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from bot.errors import UserError
from bot.interactions.kinds import Stamp
from bot.store.drafts import Draft
from bot.tables.table import Table
from engine.core import Action, Decision
from engine.errors import EngineError
from engine.match import Match
from engine.notation import format_action
from engine.texts import Seat, Text
from engine.wording import Voice


class NotYourTurn(UserError):
    """A user tried to move out of turn; the text names the seats that must decide."""


@dataclass(frozen=True, slots=True)
class TurnDraft:
    """What a seat has chosen and not confirmed, and the match as it would be after that.

    `planned` are answers to the same question for the times when luck brings it back (`State.series`).
    """

    table: Table
    match: Match
    seat: Seat
    chosen: tuple[Action, ...]
    ahead: Match
    planned: tuple[Action, ...] = ()

    @classmethod
    def of(cls, table: Table, user_id: int, chosen: Sequence[Action] = ()) -> TurnDraft:
        """The turn of a user. Raises `NotYourTurn` if others must decide, and `EngineError` for impossible choices."""
        match, seat = table.playing(), table.seated(user_id)
        # that a match is over is for `decision_of` to say
        if match.outcome is None and seat not in {d.seat for d in match.state.decisions()}:
            raise NotYourTurn(Text("Not your turn yet{seat:, @|}. {due}", seat=seat, due=table.due_sentence()))
        return cls(table, match, seat, (), match).with_chosen(chosen)

    @classmethod
    def saved(cls, table: Table, user_id: int) -> TurnDraft:
        """The turn with its saved draft, unless the game has moved on since, and with all forced choices."""
        turn = cls.of(table, user_id)
        draft = table.drafts.get(turn.seat)
        if draft is None or draft.version != turn.version:
            return turn.without_questions()
        try:
            plain = [notation for notation in draft.notations if not notation.startswith(PLANNED)]
            planned = [notation.removeprefix(PLANNED) for notation in draft.notations[len(plain) :]]
            chosen = turn.with_chosen(list(map(turn.match.parse, plain)))
            return chosen.planning(list(map(turn.match.parse, planned))).without_questions()
        except EngineError:  # chosen under another version of the program
            return turn.without_questions()

    @property
    def version(self) -> int:
        """What the controls of this turn are stamped with."""
        return self.match.asked_at(self.seat)

    @property
    def decision(self) -> Decision | None:
        """The next decision of the same seat, unless luck or another seat comes first."""
        return next((d for d in self.ahead.state.decisions() if d.seat == self.seat), None)

    def without_questions(self) -> TurnDraft:
        """The turn extended by all choices that are forced or usual (`Decision.usual`)."""
        turn = self
        while (decision := turn.decision) is not None and (
            option := decision.options[0] if decision.forced else decision.usual
        ):
            turn = turn.with_chosen((*turn.chosen, option))
        return turn

    def planning(self, actions: Sequence[Action]) -> TurnDraft:
        """The turn with these answers to one question after the other, as far as that goes before luck comes in; those
        behind it are planned.
        """
        turn = self
        for n, action in enumerate(actions):
            if (decision := turn.decision) is None:
                return replace(turn, planned=tuple(actions[n:]))
            if action not in decision.options:
                break
            turn = turn.with_chosen((*turn.chosen, action))
        return turn

    def without_last(self) -> TurnDraft | None:
        """The turn before its last choice; what left no choice is not counted."""
        for n in reversed(range(len(self.chosen))):
            earlier = self.with_chosen(self.chosen[:n])
            if not earlier.ahead.decision_of(self.seat).forced:
                return earlier
        return None

    @property
    def voice(self) -> Voice:
        """How the next choices are worded for the person who makes them."""
        return self.table.voice(self.ahead, self.seat)

    def say(self, text: Text) -> str:
        """A text for a message to the person who makes them."""
        return self.table.say(text, self.seat)

    @property
    def labels(self) -> tuple[str, ...]:
        """What is chosen so far, each as it was offered; the same several times in a row is listed once."""
        before = [self.with_chosen(self.chosen[:n]) for n in range(len(self.chosen))]
        labels = [turn.voice.label(action) for turn, action in zip(before, self.chosen, strict=True)]
        labels += [before[-1].voice.label(action) for action in self.planned]
        counted = ((label, len(list(alike))) for label, alike in groupby(labels))
        return tuple(f"{label} ×{times}" if times > 1 else label for label, times in counted)

    @property
    def draft(self) -> Draft | None:
        """The choices to be saved, as notations."""
        return Draft(self.version, _notations(self.chosen, self.planned)) if self.chosen else None

    @property
    def stamp(self) -> Stamp:
        """The stamp of the controls that belong to exactly these choices."""
        return Stamp(self.version, _mark(self.chosen, self.planned))

    def at(self, stamp: Stamp) -> TurnDraft | None:
        """The turn as it was when a control was shown: as it is, or with the last choices taken back."""
        if stamp.version != self.version:
            return None
        if stamp.draft == _mark(self.chosen, self.planned):
            return self
        # a button of an earlier step goes back to it, so two taps on a slow connection do one thing
        beginnings = (self.chosen[:n] for n in reversed(range(len(self.chosen) + 1)))
        beginning = next((chosen for chosen in beginnings if _mark(chosen) == stamp.draft), None)
        return None if beginning is None else self.with_chosen(beginning)

    def with_chosen(self, chosen: Sequence[Action]) -> TurnDraft:
        """The turn with these choices instead. Raises `EngineError` if they are not possible."""
        if tuple(chosen) == self.chosen:
            return replace(self, planned=()) if self.planned else self
        ahead = self.match.ahead(self.seat, chosen) if chosen else self.match
        return TurnDraft(self.table, self.match, self.seat, tuple(chosen), ahead)


PLANNED = "+ "
"""Begins a planned choice in a stored draft; no notation does."""


def _notations(chosen: Sequence[Action], planned: Sequence[Action]) -> tuple[str, ...]:
    return (*map(format_action, chosen), *(f"{PLANNED}{format_action(action)}" for action in planned))


def _mark(chosen: Sequence[Action], planned: Sequence[Action] = ()) -> str:
    """Six letters that tell choices from others; none for none."""
    # not `hash`, which differs between processes: buttons outlive a restart. Six digits tell the few beginnings of one
    # turn apart, and leave room for words in an id of 100 characters
    notations = "\n".join(_notations(chosen, planned))
    return f"{zlib.crc32(notations.encode()):08x}"[:6] if chosen else ""
