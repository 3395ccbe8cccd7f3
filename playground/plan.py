"""A fault plan: what goes wrong where, how often and when, drawn by a seed, printed as text and read back.

Each kind of fault is one row of what is known of Discord's bad moments; each row of a plan is one order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Any, Self

from playground.broken import BROKEN, ODD_LIMITS
from playground.faults import CLOSE_CODES, CONNECTION_FATES, EVENT_FATES, NO_FIELD, Fault, Faults
from playground.oddities import Oddity

ANSWER, POST, EDIT = "POST /interactions/*/callback", "POST /channels/*/messages", "PATCH /channels/*/messages/*"
LATER_ANSWER, FOLLOW_UP = "PATCH /webhooks/*", "POST /webhooks/*"
HISTORY = "GET /channels/*/messages"
DIRECT, THREAD, FETCH = "POST /users/@me/channels", "POST /channels/*/threads", "GET /channels/*"
LOGIN, GATEWAY, COMMANDS = "GET /users/@me", "GET /gateway/bot", "PUT /applications/*/commands"
INTERACTION, ANY_EVENT = "EVENT INTERACTION_CREATE", "EVENT *"

WRITES = (ANSWER, POST, EDIT, LATER_ANSWER, FOLLOW_UP)
EVERYWHERE = (*WRITES, DIRECT, THREAD, FETCH, LOGIN, GATEWAY, COMMANDS)
IN_PLACES = (POST, EDIT, THREAD, FETCH)
BUCKETS = (*WRITES, DIRECT, THREAD, FETCH, HISTORY)

LONGER_THAN_TRIED = 6
"""Answers in a row that outlast the five tries of discord.py."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A way to go wrong: the order without its place, the routes where it happens, and how often in a row at most."""

    order: Mapping[str, Any]
    routes: tuple[str, ...]
    most: int = 2


def _kinds() -> dict[str, Kind]:
    limits = {
        "429": Kind({"status": 429, "retry_after": 0.6}, EVERYWHERE),
        "429 for all": Kind({"status": 429, "retry_after": 0.6, "is_global": True}, EVERYWHERE),
        # as Cloudflare's: without `Via`, so that discord.py does not retry
        "429 page": Kind({"status": 429, "html": True}, EVERYWHERE),
        "429/30046": Kind({"status": 429, "code": 30046, "retry_after": 0.6}, (EDIT,), LONGER_THAN_TRIED),
    }
    servers: dict[str, Kind] = {}
    for status in (500, 501, 502, 503, 504):
        servers[f"{status}"] = Kind({"status": status}, EVERYWHERE, LONGER_THAN_TRIED)
        # the request has taken effect, and is repeated: what has no nonce may then be there twice
        servers[f"{status} after"] = Kind({"status": status, "after": True}, WRITES, LONGER_THAN_TRIED)
    networks = {
        "502 page": Kind({"status": 502, "html": True}, EVERYWHERE),
        "502 page after": Kind({"status": 502, "html": True, "after": True}, WRITES),
        "cut": Kind({"cut": True}, EVERYWHERE),
        "cut after": Kind({"cut": True, "after": True}, WRITES),
        "torn upload": Kind({"cut": True, "unread": True}, WRITES),
        # longer than the 3 s of a first answer
        "slow": Kind({"hang": 4.0}, EVERYWHERE),
        "slow after": Kind({"hang": 4.0, "after": True}, WRITES),
        # longer than the bot waits for any message (20 s)
        "hanging": Kind({"hang": 45.0}, EVERYWHERE),
        "hanging after": Kind({"hang": 45.0, "after": True}, WRITES),
    }
    refusals = {
        # a missing permission, and a channel that cannot be seen
        "403/50013": Kind({"status": 403, "code": 50013}, IN_PLACES),
        "403/50001": Kind({"status": 403, "code": 50001}, IN_PLACES),
        # what was deleted: a channel, a message
        "404/10003": Kind({"status": 404, "code": 10003}, (EDIT, FETCH)),
        "404/10008": Kind({"status": 404, "code": 10008}, (EDIT, THREAD)),
        # an archived thread, a file that is too large
        "400/50083": Kind({"status": 400, "code": 50083}, (POST, EDIT)),
        "413/40005": Kind({"status": 413, "code": 40005}, (POST, EDIT, ANSWER, LATER_ANSWER)),
        # somebody who takes no direct messages, a message that has its thread
        "403/50007": Kind({"status": 403, "code": 50007}, (POST, DIRECT)),
        "400/160004": Kind({"status": 400, "code": 160004}, (THREAD,)),
        # an interaction nobody waits for any more, and a token that has expired
        "404/10062": Kind({"status": 404, "code": 10062}, (ANSWER,)),
        "404/10015": Kind({"status": 404, "code": 10015}, (LATER_ANSWER, FOLLOW_UP)),
        "401/50027": Kind({"status": 401, "code": 50027}, (LATER_ANSWER, FOLLOW_UP)),
    }
    # the request has taken effect each time
    broken = {f"broken: {way}": Kind({"broken": way}, BUCKETS) for way in BROKEN}
    odd_limits = {f"limit: {name}": Kind({"headers": headers}, BUCKETS) for name, headers in ODD_LIMITS.items()}
    for name, pause in {"null": None, "a word": "soon", "missing": NO_FIELD, "1e300": 1e300, "below 0": -1}.items():
        odd_limits[f"429, {name}"] = Kind({"status": 429, "retry_after": pause}, BUCKETS)
        odd_limits[f"429 for all, {name}"] = Kind({"status": 429, "retry_after": pause, "is_global": True}, BUCKETS)
    events = {f"event {fate}": Kind({"fate": fate}, (INTERACTION,)) for fate in EVENT_FATES}
    # once in a row: a connection that breaks again and again keeps the bot from doing anything at all
    lines = {fate: Kind({"fate": fate}, (INTERACTION, ANY_EVENT), 1) for fate in CONNECTION_FATES}
    codes = {f"close {code}": Kind({"fate": str(code)}, (INTERACTION, ANY_EVENT), 1) for code in CLOSE_CODES}
    return limits | servers | networks | refusals | broken | odd_limits | events | lines | codes


KINDS: Mapping[str, Kind] = MappingProxyType(_kinds())
"""Every way to go wrong, by its name in a plan."""

_ROW = re.compile(r"(?P<route>[A-Z]+ \S+): (?P<kind>.+), (?P<pass_first>\d+) pass, (?P<times>\d+) times?")


@dataclass(frozen=True, slots=True)
class Row:
    """So many requests to a route pass first, then so many go wrong. Raises ValueError for an unknown kind.

    Beside `KINDS`, a kind is an odd payload: `odd d.member.user null`.
    """

    route: str
    kind: str
    pass_first: int = 0
    times: int = 1

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            try:
                Oddity.parse(self.kind)
            except ValueError:
                raise ValueError(f"a fault plan knows no {self.kind!r}") from None

    def __str__(self) -> str:
        return f"{self.route}: {self.kind}, {self.pass_first} pass, {self.times} time{'s' * (self.times > 1)}"

    @classmethod
    def parse(cls, line: str) -> Self:
        """From its text. Raises ValueError for one that is none."""
        if (found := _ROW.fullmatch(line.strip())) is None:
            raise ValueError(f"this is no row of a fault plan: {line!r}")
        return cls(found["route"], found["kind"], int(found["pass_first"]), int(found["times"]))

    def fault(self) -> Fault:
        """The order."""
        known = KINDS.get(self.kind)
        order = known.order if known else {"oddity": Oddity.parse(self.kind)}
        return Fault(self.route, **{"times": self.times, "pass_first": self.pass_first, **order})


@dataclass(frozen=True, slots=True)
class Plan:
    """What goes wrong, in no particular order; its text has a line for each row."""

    rows: tuple[Row, ...] = ()

    @classmethod
    def drawn(cls, luck: Random, rows: int, *, within: int, kinds: Sequence[str] = tuple(KINDS)) -> Self:
        """So many rows of some kinds, each of which strikes after less than `within` requests to its route."""
        drawn = []
        for _ in range(rows):
            kind = luck.choice(kinds)
            known = KINDS[kind]
            # mostly once: most faults of the real Discord pass with the next attempt
            drawn.append(Row(luck.choice(known.routes), kind, luck.randrange(within), luck.choice((1, 1, known.most))))
        return cls(tuple(drawn))

    @classmethod
    def parse(cls, text: str) -> Self:
        """From its text. Raises ValueError."""
        return cls(tuple(Row.parse(line) for line in text.splitlines() if line.strip()))

    def __str__(self) -> str:
        return "\n".join(map(str, self.rows))

    def lay(self, faults: Faults) -> list[tuple[Row, Fault]]:
        """Order all of it. Each fault counts how often it `struck`."""
        return [(row, faults.order(row.fault())) for row in self.rows]
