"""Paces: time limits for turns, and the consequence of being late."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from bot.store.matches import MatchRow
from engine.texts import Text
from engine.values import Value

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


class Pace(Value):
    """A time limit: `period` for each turn, and an extra `bank` for all turns of the match together."""

    period: timedelta
    bank: timedelta
    name: Text
    turn: Text
    words: Text

    @property
    def refill(self) -> timedelta:
        """The time that a turn within its limit returns to the bank."""
        return self.period / 8


PACES = {
    "relaxed": Pace(3 * DAY, 3 * DAY, Text("relaxed"), Text("3 days"), Text("3 days per turn plus 3 to spare")),
    "daily": Pace(DAY, 2 * DAY, Text("daily"), Text("24 hours"), Text("24 hours per turn plus 2 days to spare")),
    "brisk": Pace(4 * HOUR, 12 * HOUR, Text("brisk"), Text("4 hours"), Text("4 hours per turn plus 12 to spare")),
}
"""By the name that is stored."""

FIRM = Text("after that, a computer plays")
OPEN = Text("after that, the others decide")


def pace_of(row: MatchRow) -> Pace | None:
    """The pace of a match; `None` without one, or with one of a newer program."""
    return PACES.get(row.pace)


def pace_words(pace: str, *, firm: bool) -> Text:
    """A pace in a line: `Daily: 24 hours per turn plus 2 days to spare; after that, the others decide`."""
    if (limit := PACES.get(pace)) is None:
        return Text("No time limit")
    return Text("{name:^}: {words}; {end}", name=limit.name, words=limit.words, end=FIRM if firm else OPEN)


def pace_label(pace: str, *, firm: bool) -> Text:
    """A pace for a menu on a phone: `24 hours, then a computer`."""
    if (limit := PACES.get(pace)) is None:
        return Text("No time limit")
    return Text("{turn}, then a computer" if firm else "{turn}, then a vote", turn=limit.turn)


def all_paces() -> dict[str, tuple[str, bool]]:
    """The value in a menu -> a pace and whether it is firm."""
    choices = [(name, firm) for name in PACES for firm in (False, True)]
    return {"none": ("", False), **{f"{name}-firm" if firm else name: (name, firm) for name, firm in choices}}


def pace_rows() -> Iterator[tuple[str, Text, Text | str]]:
    """All paces for a menu: value, label and details."""
    for value, (pace, firm) in all_paces().items():
        yield value, pace_label(pace, firm=firm), pace_words(pace, firm=firm) if pace else ""
