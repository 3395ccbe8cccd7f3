"""What happened around a match and is no move of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from bot.store.columns import Personal, UserId
from engine.texts import Seat


class TableEventKind(StrEnum):
    """What happened around a match; `bot.posting.board_texts` puts each into words.

    `HELD`: the others voted that a computer keeps the seat; `LAPSED`: a firm pace did it. `CONCEDED`: a player gave the
    game up and stayed. `CAST`: another computer plays a seat, `words` is its id.
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


FOR_ONESELF = frozenset({TableEventKind.ANSWERED, TableEventKind.ASKED})
"""Until the match is over, only the user who did it may read these."""

WORDS = 200
"""Most characters of what somebody says in an event."""


@dataclass(frozen=True, slots=True)
class TableEvent:
    """Something that happened when the log had `version` entries, at a time in UTC.

    `seat` is whom it is about, `user_id` who did it or was late, `words` what they said of it: text of a stranger.
    `behind`: the seat's chance to win was less than an equal one, as far as everyone could know.
    """

    kind: TableEventKind
    version: int
    at: datetime
    seat: Seat | None = None
    user_id: UserId | None = None
    words: Annotated[str, Personal("")] = ""
    behind: bool = False
