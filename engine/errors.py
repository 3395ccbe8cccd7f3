"""What can go wrong, with the evidence. Each message is written for the person who caused it."""

from __future__ import annotations

from engine.texts import Seat, Text


class EngineError(Exception):
    """Anything the engine refuses.

    Attributes:
        code: a short stable word for programs and logs.
        text: the message for that person.
    """

    def __init__(self, code: str, text: Text) -> None:
        super().__init__(code, text)
        self.code = code
        self.text = text

    def __str__(self) -> str:
        return str(self.text)


class SetupError(EngineError):
    """A number of seats or an option that the game does not have."""


class NotationError(EngineError):
    """A text that is no action of the game. `notation` is the text."""

    def __init__(self, code: str, text: Text, notation: str) -> None:
        super().__init__(code, text)
        self.notation = notation


class IllegalAction(EngineError):
    """An action that the position does not allow.

    Attributes:
        seat: who tried it.
        ply: where, as an index in the effective log.
        notation: what was tried.
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
    """Somebody with nothing to decide now has acted. `due` are the seats that have something to decide."""

    def __init__(self, text: Text, *, seat: Seat, ply: int, due: tuple[Seat, ...]) -> None:
        super().__init__("not-due", text)
        self.seat = seat
        self.ply = ply
        self.due = due


class MatchOver(EngineError):
    """An action after the end."""


class UndoRefused(EngineError):
    """An undo that the policy does not allow, with its reason as the text."""


class BadRecord(EngineError):
    """A file that holds no match we can read."""


class BrokenLog(EngineError):
    """A stored log that cannot be replayed. `ply` is the first entry that fails."""

    def __init__(self, text: Text, *, ply: int) -> None:
        super().__init__("broken-log", text)
        self.ply = ply
