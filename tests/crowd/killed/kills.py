"""Kills of the bot: at a named step, or at any moment.

A step is a transaction, named by the function that begins it (`after Moves.play`), a statement of a migration, or a
request, before or after it takes effect.
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

from engine.values import Value
from playground.plan import ANSWER, EDIT, LATER_ANSWER, LOGIN, POST

VARIABLE = "KILL"
"""The environment variable with the kill of the bot's process."""

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
"""The most important transactions; a count over all of them reaches the others."""

WITHIN = ("before", "within", "amid", "after")
"""Moments of a transaction: before it, before its commit, during its commit, and after it."""

REQUESTS = (ANSWER, POST, EDIT, LATER_ANSWER, LOGIN)

MIGRATION = "a statement of a migration"
REQUIRED_STEPS = (*STEPS, *REQUESTS, MIGRATION)
"""Steps that a run has to strike, each several times."""

ANY = "any"
KILLED_LINE = re.compile(r"killed: (.+)")


class Kill(Value):
    """A kill at the `number`th occurrence of a step; `when` is one of `WITHIN`.

    For a kill at any moment, `number` is in milliseconds of real time.
    """

    kind: str
    what: str
    when: str
    number: int

    def __str__(self) -> str:
        return f"{self.kind}: {self.when} {self.what}, number {self.number}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse the text of a kill."""
        hit = re.fullmatch(r"(\w+): (\w+) (.+), number (\d+)", text)
        assert hit is not None, text
        return cls(hit[1], hit[3], hit[2], int(hit[4]))

    @classmethod
    def anywhere(cls, luck: Random) -> Self:
        """A kill at a random transaction or moment."""
        if luck.random() < 0.3:
            return cls(MOMENT, ANY, "after", luck.randrange(20, 3000))
        return cls(TRANSACTION, ANY, luck.choice(WITHIN), luck.randrange(1, 120))

    @classmethod
    def at(cls, step: str, luck: Random) -> Self:
        """A kill at one of the next occurrences of a named step."""
        if step == MIGRATION:
            return cls(STATEMENT, ANY, "before", luck.randrange(1, 30))
        if step in REQUESTS:
            return cls(REQUEST, step, luck.choice(("before", "after")), luck.choice((1, 2, 4, 8)))
        return cls(TRANSACTION, step, luck.choice(WITHIN), luck.choice((1, 1, 2)))


@dataclass(slots=True)
class KillPlan:
    """A plan of kills, with counts of how often a run has drawn and struck each named step."""

    draws: Counter[str] = field(default_factory=Counter)
    struck: Counter[str] = field(default_factory=Counter)

    def next(self, luck: Random) -> Kill:
        """The next kill: at the step that was struck the least, or sometimes anywhere."""
        if luck.random() < 0.2:
            return Kill.anywhere(luck)
        steps = [step for step in REQUIRED_STEPS if step != MIGRATION]
        luck.shuffle(steps)
        # a step that is drawn often without being struck gives way to others
        step = min(steps, key=lambda step: self.struck[step] + self.draws[step] / 3)
        self.draws[step] += 1
        return Kill.at(step, luck)


@dataclass(slots=True)
class Killer:
    """Kills its own process at the step of its kill."""

    kill: Kill
    met: int = 0

    def reaches(self, kind: str, when: str, what: str) -> None:
        """Count an occurrence of a step, and kill the process if it is the one."""
        if (kind, when) == (self.kill.kind, self.kill.when) and self.kill.what in (ANY, what):
            self.met += 1
            if self.met == self.kill.number:
                os.write(1, f"killed: {when} {what}\n".encode())
                Thread(target=_kill_soon).start() if when == "amid" else _kill_self()


def _kill_self() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _kill_soon() -> None:
    """Kill the process within about the duration of a commit."""
    time.sleep(0.004 * Random().random())
    _kill_self()


BOT, STORE = "/bot/", "/bot/store/"
PASSED_ON = ("Tables._write", "Tables.changing", "Moves.go_on")


def asker() -> str:
    """The function that begins the present transaction: the innermost one of the bot outside the store."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        file, name = frame.f_code.co_filename, frame.f_code.co_qualname
        if BOT in file and STORE not in file and name not in PASSED_ON:
            return f"{name}" if "." in name else f"{Path(file).stem}.{name}"
        frame = frame.f_back
    return "the store"
