"""Where the bot is killed: at a named step of its own, at a request, or at any moment.

In the bot's process a step is a transaction, named by who asked for it (`after Moves.play`), or a statement of a
migration; elsewhere it is a request, before or after it takes effect.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import FrameType
from typing import Self

from playground.plan import ANSWER, EDIT, LATER_ANSWER, LOGIN, POST

VARIABLE = "DEATH"
"""Where the bot's process finds its own death."""

STATEMENT, TRANSACTION, REQUEST, MOMENT = "statement", "transaction", "request", "moment"

STEPS = (
    "Moves.play",
    "Moves.computers_played",
    "Moves.resume",
    "Moves.start",
    "Moves.keep_draft",
    "Poster._note",
    "Lobbies._set",
    "Lobbies.note_lobby_message",
    "Lobbies.change_chairs",
    "Undoing._turned_back",
    "Undoing._keep_wish",
    "Undoing.redo",
    "Reminders.serve",
    "Reminders._remind",
    "Seats._note_seen",
)
"""Transactions that matter most; others are met by counting all of them."""

REQUESTS = (ANSWER, POST, EDIT, LATER_ANSWER, LOGIN)

ANY = "any"
LAST_WORDS = re.compile(r"dies: (.+)")


@dataclass(frozen=True, slots=True)
class Death:
    """A kill at the `number`th time that something is about to happen, or has.

    `when` is `before`, `within` (a transaction that is not committed) or `after`; of a moment, `number` are
    milliseconds of the wall.
    """

    kind: str
    what: str
    when: str
    number: int

    def __str__(self) -> str:
        return f"{self.kind}: {self.when} {self.what}, number {self.number}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """From its text."""
        found = re.fullmatch(r"(\w+): (\w+) (.+), number (\d+)", text)
        assert found is not None, text
        return cls(found[1], found[3], found[2], int(found[4]))

    @classmethod
    def drawn(cls, luck: Random) -> Self:
        """One of all kinds of deaths of a bot that is at work."""
        kind = luck.choices((TRANSACTION, REQUEST, MOMENT), (6, 3, 1))[0]
        if kind == MOMENT:
            return cls(kind, ANY, "after", luck.randrange(20, 3000))
        if kind == REQUEST:
            return cls(kind, luck.choice(REQUESTS), luck.choice(("before", "after")), luck.choice((1, 2, 4, 8, 16)))
        when = luck.choice(("before", "within", "after"))
        if luck.random() < 0.4:
            return cls(kind, ANY, when, luck.randrange(1, 120))
        return cls(kind, luck.choice(STEPS), when, luck.choice((1, 2, 3, 6, 10)))

    @classmethod
    def at_migration(cls, luck: Random) -> Self:
        """One while the tables are made."""
        return cls(STATEMENT, ANY, "before", luck.randrange(1, 60))


@dataclass(slots=True)
class Reaper:
    """Kills the process it lives in, when its death has come."""

    death: Death
    met: int = 0

    def meets(self, kind: str, when: str, what: str) -> None:
        """Something happens."""
        if (kind, when) == (self.death.kind, self.death.when) and self.death.what in (ANY, what):
            self.met += 1
            if self.met == self.death.number:
                os.write(1, f"dies: {when} {what}\n".encode())
                os.kill(os.getpid(), signal.SIGKILL)


BOT, STORE = "/bot/", "/bot/store/"
PASSED_ON = ("Moves._write", "Moves.write_act", "Moves.go_on", "Posts", "SettingsCache")


def asker() -> str:
    """Who asks for the transaction that begins here: the first function outside the store that does so for itself."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        file, name = frame.f_code.co_filename, frame.f_code.co_qualname
        if BOT in file and STORE not in file and name not in PASSED_ON:
            return f"{name}" if "." in name else f"{Path(file).stem}.{name}"
        frame = frame.f_back
    return "the store"
