"""Fault plans: random faults with their places and times, generated from a seed, printed as text and parsed again.

Each kind models a failure known from the real Discord; each row of a plan is one order.
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

MORE_THAN_RETRIES = 6
"""More failures in a row than discord.py's five attempts."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of fault: the order without its route, the routes where it occurs, and the maximum number in a row."""

    order: Mapping[str, Any]
    routes: tuple[str, ...]
    most: int = 2


_RATE_LIMITS = {
    "429": Kind({"status": 429, "retry_after": 0.6}, EVERYWHERE),
    "429 for all": Kind({"status": 429, "retry_after": 0.6, "is_global": True}, EVERYWHERE),
    # Like Cloudflare's, without `Via`: discord.py does not retry it.
    "429 page": Kind({"status": 429, "html": True}, EVERYWHERE),
    "429/30046": Kind({"status": 429, "code": 30046, "retry_after": 0.6}, (EDIT,), MORE_THAN_RETRIES),
}
_SERVER_ERRORS = {
    f"{status}{suffix}": Kind({"status": status, **more}, routes, MORE_THAN_RETRIES)
    for status in (500, 501, 502, 503, 504)
    # “After”: the request has taken effect and is repeated, so messages without a nonce may be duplicated.
    for suffix, more, routes in (("", {}, EVERYWHERE), (" after", {"after": True}, WRITES))
}
_NETWORK_FAULTS = {
    "502 page": Kind({"status": 502, "html": True}, EVERYWHERE),
    "502 page after": Kind({"status": 502, "html": True, "after": True}, WRITES),
    "cut": Kind({"cut": True}, EVERYWHERE),
    "cut after": Kind({"cut": True, "after": True}, WRITES),
    "torn upload": Kind({"cut": True, "unread": True}, WRITES),
    # Longer than the 3 s limit of an initial response.
    "slow": Kind({"hang": 4.0}, EVERYWHERE),
    "slow after": Kind({"hang": 4.0, "after": True}, WRITES),
    # Longer than the bot's timeout for any message (20 s).
    "hanging": Kind({"hang": 45.0}, EVERYWHERE),
    "hanging after": Kind({"hang": 45.0, "after": True}, WRITES),
}
_REFUSALS = {
    # A missing permission, and an invisible channel.
    "403/50013": Kind({"status": 403, "code": 50013}, IN_PLACES),
    "403/50001": Kind({"status": 403, "code": 50001}, IN_PLACES),
    # A deleted channel, and a deleted message.
    "404/10003": Kind({"status": 404, "code": 10003}, (EDIT, FETCH)),
    "404/10008": Kind({"status": 404, "code": 10008}, (EDIT, THREAD)),
    # An archived thread, and a file that is too large.
    "400/50083": Kind({"status": 400, "code": 50083}, (POST, EDIT)),
    "413/40005": Kind({"status": 413, "code": 40005}, (POST, EDIT, ANSWER, LATER_ANSWER)),
    # A user with direct messages turned off, and a message that already has a thread.
    "403/50007": Kind({"status": 403, "code": 50007}, (POST, DIRECT)),
    "400/160004": Kind({"status": 400, "code": 160004}, (THREAD,)),
    # An interaction that has timed out, and an expired token.
    "404/10062": Kind({"status": 404, "code": 10062}, (ANSWER,)),
    "404/10015": Kind({"status": 404, "code": 10015}, (LATER_ANSWER, FOLLOW_UP)),
    "401/50027": Kind({"status": 401, "code": 50027}, (LATER_ANSWER, FOLLOW_UP)),
}
# Each of these requests has taken effect.
_BROKEN = {f"broken: {way}": Kind({"broken": way}, BUCKETS) for way in BROKEN}
_ODD_LIMITS = {f"limit: {name}": Kind({"headers": headers}, BUCKETS) for name, headers in ODD_LIMITS.items()}
_ODD_PAUSES = {
    f"{prefix}, {name}": Kind({"status": 429, "retry_after": pause, **more}, BUCKETS)
    for name, pause in {"null": None, "a word": "soon", "missing": NO_FIELD, "1e300": 1e300, "below 0": -1}.items()
    for prefix, more in (("429", {}), ("429 for all", {"is_global": True}))
}
_EVENTS = {f"event {fate}": Kind({"fate": fate}, (INTERACTION,)) for fate in EVENT_FATES}
# Only once in a row: a connection that keeps breaking would stop the bot entirely.
_CONNECTIONS = {fate: Kind({"fate": fate}, (INTERACTION, ANY_EVENT), 1) for fate in CONNECTION_FATES}
_CLOSE_CODES = {f"close {code}": Kind({"fate": str(code)}, (INTERACTION, ANY_EVENT), 1) for code in CLOSE_CODES}

KINDS: Mapping[str, Kind] = MappingProxyType(
    _RATE_LIMITS
    | _SERVER_ERRORS
    | _NETWORK_FAULTS
    | _REFUSALS
    | _BROKEN
    | _ODD_LIMITS
    | _ODD_PAUSES
    | _EVENTS
    | _CONNECTIONS
    | _CLOSE_CODES
)
"""Every kind of fault, by its name in a plan."""

_ROW = re.compile(r"(?P<route>[A-Z]+ \S+): (?P<kind>.+), (?P<pass_first>\d+) pass, (?P<times>\d+) times?")


@dataclass(frozen=True, slots=True)
class Row:
    """A fault of a route: after `pass_first` requests, `times` requests fail. Raises ValueError for an unknown kind.

    In addition to `KINDS`, a kind may be an odd payload: `odd d.member.user null`.
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
                raise ValueError(f"a fault plan has no kind {self.kind!r}") from None

    def __str__(self) -> str:
        return f"{self.route}: {self.kind}, {self.pass_first} pass, {self.times} time{'s' * (self.times > 1)}"

    @classmethod
    def parse(cls, line: str) -> Self:
        """Parse the text of a row. Raises ValueError."""
        if (match := _ROW.fullmatch(line.strip())) is None:
            raise ValueError(f"not a row of a fault plan: {line!r}")
        return cls(match["route"], match["kind"], int(match["pass_first"]), int(match["times"]))

    def fault(self) -> Fault:
        """Create the order."""
        kind = KINDS.get(self.kind)
        order = kind.order if kind else {"oddity": Oddity.parse(self.kind)}
        return Fault(self.route, **{"times": self.times, "pass_first": self.pass_first, **order})


@dataclass(frozen=True, slots=True)
class Plan:
    """Rows of faults in no particular order; the text form has one line per row."""

    rows: tuple[Row, ...] = ()

    @classmethod
    def random(cls, luck: Random, rows: int, *, within: int, kinds: Sequence[str] = tuple(KINDS)) -> Self:
        """Generate `rows` random rows, each of which strikes after fewer than `within` requests to its route."""
        result = []
        for _ in range(rows):
            name = luck.choice(kinds)
            kind = KINDS[name]
            # Mostly once: most failures of the real Discord are gone at the next attempt.
            result.append(Row(luck.choice(kind.routes), name, luck.randrange(within), luck.choice((1, 1, kind.most))))
        return cls(tuple(result))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a plan. Raises ValueError."""
        return cls(tuple(Row.parse(line) for line in text.splitlines() if line.strip()))

    def __str__(self) -> str:
        return "\n".join(map(str, self.rows))

    def lay(self, faults: Faults) -> list[tuple[Row, Fault]]:
        """Order all faults. Each fault counts in `struck` how often it occurred."""
        return [(row, faults.order(row.fault())) for row in self.rows]
