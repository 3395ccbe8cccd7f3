"""What the store gives and takes: rows as values, and what may be wrong with them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from bot.store.database import Conflict
from engine.core import OptionValue
from engine.texts import Seat

NO_SERVER = 0
"""The `guild_id` of a match in a direct message."""


class Status(StrEnum):
    """Where a match stands: people gather, it is played, it came to its end, or it was called off while it ran.

    `CLOSED` is a table that was given up before the game began.
    """

    LOBBY = "lobby"
    RUNNING = "running"
    OVER = "over"
    ENDED = "ended"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Chair:
    """Who plays a seat: a Discord user, and the name he has in that server, or a computer player, by its id.

    `seen` is the version up to which the user has seen the match.
    """

    user_id: int | None = None
    computer: str | None = None
    name: str = ""
    seen: int = 0


@dataclass(frozen=True, slots=True)
class Sitting:
    """That somebody played a seat up to entry `until` of the log, and then somebody else."""

    seat: Seat
    chair: Chair
    until: int


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A stored match without its log. `seed` is a secret and stands in no `repr`.

    `chairs` are who plays now, `before` who has played, in the order in which they left. `pace` is the name of one of
    `bot.tables.paces.PACES`, or "" if nobody is ever late; a `firm` one waits for no vote.

    In a thread, `parent_id` is the channel that it belongs to, and `own_thread` says that it was opened for the game.
    A lobby begins by itself `when_full`; with a `ready_check`, or where the game has it anyway, everybody is asked
    first: from then on `ready` are the users who are.
    """

    id: int
    guild_id: int
    channel_id: int
    host_id: int
    game: str
    rules_version: int
    options: dict[str, OptionValue]
    seed: str
    status: Status
    lobby_message_id: int | None
    chairs: tuple[Chair, ...]
    before: tuple[Sitting, ...] = ()
    parent_id: int | None = None
    own_thread: bool = False
    when_full: bool = False
    ready_check: bool = False
    ready: frozenset[int] | None = None
    pace: str = ""
    firm: bool = False
    damage: str = ""
    """What of the row cannot be read, for the log; the columns concerned have harmless values then."""

    def kept(self) -> dict[str, Any]:
        """The columns that a rematch takes over beside people and options."""
        return {name: getattr(self, name) for name in KEPT}

    def __repr__(self) -> str:
        return f"MatchRow(id={self.id}, game={self.game!r}, status={self.status.value!r})"


KEPT = ("parent_id", "own_thread", "when_full", "ready_check", "pace", "firm")
"""Columns of a match that stay the same when the same people play again."""


@dataclass(frozen=True, slots=True)
class Past:
    """A match of a channel for a list: its id, game and status, and when something was last done in it, in UTC."""

    id: int
    game: str
    status: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class InThread:
    """The newest match of a thread for a list: its game, host and status, and the thread."""

    channel_id: int
    host_id: int
    game: str
    status: Status


@dataclass(frozen=True, slots=True)
class Played:
    """A running match for whoever plays it: when something was last done in it, in UTC, and who its board called.

    `due` is `None` as long as no board has been posted.
    """

    id: int
    seat: Seat
    at: datetime | None
    due: frozenset[Seat] | None


@dataclass(frozen=True, slots=True)
class Act:
    """Something that somebody did: from which seat, the interaction that brought it, and its notation."""

    seat: Seat
    interaction_id: int
    notation: str


@dataclass(frozen=True, slots=True)
class Draft:
    """A turn that is not confirmed: what was chosen, in order, for a decision that stands since `version`."""

    version: int
    notations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wish:
    """To take back what a seat chose last: asked of others at a version of the match; some have agreed already."""

    seat: Seat
    version: int
    agreed: frozenset[Seat] = frozenset()
    message_id: int | None = None


IDLE = -1
"""The version of a clock that stands still: nothing is asked of its person, or not by a board yet."""


class Verdict(StrEnum):
    """What was decided when somebody's time was up, as long as it is not carried out in full.

    `NONE`: nothing, or all is done. `ENDED`: his own move, or another one's, came first.
    """

    NONE = ""
    WAIT = "wait"
    PLAY = "play"
    HOLD = "hold"
    INVITE = "invite"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The time that a user has for his turn on a seat; all times in UTC.

    The turn is about the decision that stands since `version`. For it he has `period`, and then what is in his `bank`.
    Up to `since` he has `spent` so much of it, and it was `stopped` for so long by his `habits` (those of that time);
    if they stay as they are, it is up at `until`. It is looked at again `at` a time; he was `warned`, and it was `out`,
    at others. `barred`: the clock stands still because Discord does not take what he has to be told.

    `strikes` are the turns in a row that a computer played for him, `lost` all of them; `number` counts what was sent
    because of this clock. `message_id` is where the others vote, `votes` are their choices by user, `verdict` is what
    came of it. The vote ends at `vote_ends`; those who have not voted are reminded at `reminds_at`, once. `stand_in` is
    the computer that plays the turn in his place, if one does.
    """

    match_id: int
    seat: Seat
    user_id: int
    version: int
    period: timedelta
    bank: timedelta
    since: datetime
    until: datetime
    at: datetime | None = None
    spent: timedelta = timedelta()
    stopped: timedelta = timedelta()
    warned: datetime | None = None
    out: datetime | None = None
    barred: bool = False
    strikes: int = 0
    lost: int = 0
    number: int = 0
    message_id: int | None = None
    votes: dict[int, str] = field(default_factory=dict)
    verdict: Verdict = Verdict.NONE
    stand_in: str = ""
    habits: dict[str, str] = field(default_factory=dict)
    vote_ends: datetime | None = None
    reminds_at: datetime | None = None

    @property
    def runs(self) -> bool:
        """Whether something is asked of him, and he could know."""
        return self.version != IDLE


@dataclass(frozen=True, slots=True)
class Offer:
    """Seats that computers play and anybody may take, and the message that says so."""

    seats: frozenset[Seat] = frozenset()
    message_id: int | None = None


class Way(StrEnum):
    """How a question outside one's own turn is answered once and for all, where its seat does not want to be asked."""

    COMPUTER = "computer"
    DECLINE = "decline"
    FIRST = "first"


class NoteKind(StrEnum):
    """What happened around a match; how each is told stands in `bot.posting.story`."""

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
    INVITED = "invited"
    RETURNED = "returned"


FOR_ONESELF = frozenset({NoteKind.ANSWERED, NoteKind.ASKED})
"""What nobody but the one who did it may read before the match is over."""

WORDS = 200
"""Most characters of what somebody says in a note."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something that happened when the log had `version` entries, at a time in UTC.

    `seat` is whom it is about, `user_id` who did it or was late, `words` what he said of it: text of a stranger.
    """

    kind: NoteKind
    version: int
    at: datetime
    seat: Seat | None = None
    user_id: int | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class OpenLimits:
    """How many matches may be open at once in a server, and of those, how many one user may host; 0 for any number."""

    server: int = 0
    host: int = 0


ANY_NUMBER = OpenLimits()


class Crowded(Exception):
    """A server has as many open matches as it wants to have."""


class HostsEnough(Crowded):
    """A user hosts as many open matches of a server as one may."""


class Known(Conflict):
    """The interaction was written before."""


class Damaged(Exception):
    """A stored log that is not what was written."""
