"""The errors of the engine, with their evidence. Each message addresses the person who caused it."""

from __future__ import annotations

from engine.texts import Seat, Text


class EngineError(Exception):
    """Base class of all errors of the engine.

    Attributes:
        code: a short, stable identifier for programs and logs.
        text: the message for the person who caused the error.
    """

    def __init__(self, code: str, text: Text) -> None:
        super().__init__(code, text)
        self.code = code
        self.text = text

    def __str__(self) -> str:
        return str(self.text)


class SetupError(EngineError):
    """The game does not support this number of seats or these options."""


class NotationError(EngineError):
    """The text `notation` cannot be parsed as an action of the game."""

    def __init__(self, code: str, text: Text, notation: str) -> None:
        super().__init__(code, text)
        self.notation = notation


class IllegalAction(EngineError):
    """The position does not allow this action.

    Attributes:
        seat: the seat that tried it.
        ply: the index in the effective log.
        notation: the notation of the action.
        rule: the section of `rules.md` that forbids it.
    """

    def __init__(self, code: str, text: Text, *, seat: Seat, ply: int, notation: str, rule: str) -> None:
        super().__init__(code, text)
        self.seat = seat
        self.ply = ply
        self.notation = notation
        self.rule = rule

    def __str__(self) -> str:
        return f"{self.notation}: {self.text} (ply {self.ply}, rule {self.rule})"


class NotDue(EngineError):
    """A seat acted without a pending decision. `due` are the seats that have one."""

    def __init__(self, text: Text, *, seat: Seat, ply: int, due: tuple[Seat, ...]) -> None:
        super().__init__("not-due", text)
        self.seat = seat
        self.ply = ply
        self.due = due


class MatchOver(EngineError):
    """A seat acted after the end of the match."""


class UndoRefused(EngineError):
    """The undo policy does not allow this undo; `text` is its reason."""


class BadRecord(EngineError):
    """A file does not contain a valid record of a match."""


class BrokenLog(EngineError):
    """A stored log cannot be replayed. `ply` is the first entry that fails."""

    def __init__(self, text: Text, *, ply: int) -> None:
        super().__init__("broken-log", text)
        self.ply = ply
