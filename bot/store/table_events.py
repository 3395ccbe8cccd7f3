"""Table events: the history of a match besides its moves."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from bot.store.columns import Personal, UserId
from engine.texts import Seat
from engine.values import Value


class TableEventKind(StrEnum):
    """The kind of a table event; `bot.posting.board_texts` has their texts.

    `HELD`: a computer keeps the seat by a vote of the others; `LAPSED`: by a firm pace. `CONCEDED`: a player gave up
    the game and stayed. `CAST`: another computer plays a seat; `words` is its id.
    """

    CLOSED = "closed"
    ANSWERED = "answered"
    ASKED = "asked"
    UNSTUCK = "unstuck"
    REPLACED = "replaced"
    PACED = "paced"
    LATE = "late"
    WAITED = "waited"
    STOOD_IN = "stood in"
    HELD = "held"
    LAPSED = "lapsed"
    INVITED = "invited"
    RETURNED = "returned"
    CONCEDED = "conceded"
    CAST = "cast"


PRIVATE_KINDS = frozenset({TableEventKind.ANSWERED, TableEventKind.ASKED})
"""Until the match is over, only the user of such an event may read it."""

MAX_WORDS_LENGTH = 200
"""Characters of a user's words in an event."""


class TableEvent(Value):
    """An event when the log had `version` entries, at a time in UTC.

    `seat` is the seat concerned, `user_id` the acting or late user, `words` the user's own words (untrusted text).
    `behind`: by public information, the seat had less than an equal chance to win.
    """

    kind: TableEventKind
    version: int
    at: datetime
    seat: Seat | None = None
    user_id: UserId | None = None
    words: Annotated[str, Personal("")] = ""
    behind: bool = False
