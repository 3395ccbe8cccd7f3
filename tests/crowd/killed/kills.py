"""Where the bot is killed: at a named step of its own, at a request, or at any moment.

In the bot's process a step is a transaction, named by who asked for it (`after Moves.play`), or a statement of a
migration; elsewhere it is a request, before or after it takes effect.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Thread
from types import FrameType
from typing import Self

from playground.plan import ANSWER, EDIT, LATER_ANSWER, LOGIN, POST

VARIABLE = "KILL"
"""Where the bot's process finds its own kill."""

STATEMENT, TRANSACTION, REQUEST, MOMENT = "statement", "transaction", "request", "moment"

STEPS = (
    "Moves.play",
    "Moves.computers_played",
    "Moves.resume",
    "Moves.start",
    "Moves.keep_draft",
    "Poster._note",
    "Lobbies.open_for",
    "Lobbies.note_lobby_message",
    "Lobbies.change_holders",
    "Undoing.undo",
    "Undoing.undo_request",
    "Undoing.redo",
    "Reminders.serve",
    "Reminders._remind",
    "Worker._do",
    "Worker._pause",
    "Worker.start",
    "Timeouts.set_pace",
    "Timeouts._put",
    "Seats._note_seen",
)
"""Transactions that matter most; others are met by counting all of them."""

WITHIN = ("before", "within", "amid", "after")
"""Moments of a transaction: before it, before it is committed, while that happens, and after it."""

REQUESTS = (ANSWER, POST, EDIT, LATER_ANSWER, LOGIN)

MIGRATION = "a statement of a migration"
NAMED = (*STEPS, *REQUESTS, MIGRATION)
"""What a run has to strike, each of them several times."""

ANY = "any"
KILLED_LINE = re.compile(r"killed: (.+)")


@dataclass(frozen=True, slots=True)
class Kill:
    """A kill at the `number`th time that something is about to happen, or has.

    `when` is one of `WITHIN`; of a moment, `number` are milliseconds of real time.
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
        hit = re.fullmatch(r"(\w+): (\w+) (.+), number (\d+)", text)
        assert hit is not None, text
        return cls(hit[1], hit[3], hit[2], int(hit[4]))

    @classmethod
    def anywhere(cls, luck: Random) -> Self:
        """One at some transaction or at some moment."""
        if luck.random() < 0.3:
            return cls(MOMENT, ANY, "after", luck.randrange(20, 3000))
        return cls(TRANSACTION, ANY, luck.choice(WITHIN), luck.randrange(1, 120))

    @classmethod
    def at(cls, step: str, luck: Random) -> Self:
        """One at a named step, which is soon met."""
        if step == MIGRATION:
            return cls(STATEMENT, ANY, "before", luck.randrange(1, 30))
        if step in REQUESTS:
            return cls(REQUEST, step, luck.choice(("before", "after")), luck.choice((1, 2, 4, 8)))
        return cls(TRANSACTION, step, luck.choice(WITHIN), luck.choice((1, 1, 2)))


@dataclass(slots=True)
class KillPlan:
    """How often a run has drawn each named step, and how often it was struck."""

    drawn: Counter[str] = field(default_factory=Counter)
    struck: Counter[str] = field(default_factory=Counter)

    def next(self, luck: Random) -> Kill:
        """A kill at a step that was struck least, if it was not drawn in vain too often; or anywhere."""
        if luck.random() < 0.2:
            return Kill.anywhere(luck)
        at_work = [step for step in NAMED if step != MIGRATION]
        luck.shuffle(at_work)
        step = min(at_work, key=lambda step: self.struck[step] + self.drawn[step] / 3)
        self.drawn[step] += 1
        return Kill.at(step, luck)


@dataclass(slots=True)
class Killer:
    """Kills its own process when the time has come."""

    kill: Kill
    met: int = 0

    def reaches(self, kind: str, when: str, what: str) -> None:
        """Something happens."""
        if (kind, when) == (self.kill.kind, self.kill.when) and self.kill.what in (ANY, what):
            self.met += 1
            if self.met == self.kill.number:
                os.write(1, f"killed: {when} {what}\n".encode())
                Thread(target=_kill_soon).start() if when == "amid" else _kill_self()


def _kill_self() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _kill_soon() -> None:
    """Within about as long as a commit takes."""
    time.sleep(0.004 * Random().random())
    _kill_self()


BOT, STORE = "/bot/", "/bot/store/"
PASSED_ON = ("Tables._write", "Tables.changing", "Moves.go_on")


def asker() -> str:
    """Who asks for the transaction that begins here: the first function outside the store that does so for itself."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        file, name = frame.f_code.co_filename, frame.f_code.co_qualname
        if BOT in file and STORE not in file and name not in PASSED_ON:
            return f"{name}" if "." in name else f"{Path(file).stem}.{name}"
        frame = frame.f_back
    return "the store"
