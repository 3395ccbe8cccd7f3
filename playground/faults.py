"""Faults that a test orders on a route or an event: a refusal, silence, a cut, once or until further notice."""

from __future__ import annotations

import asyncio
import fnmatch
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus

from playground.broken import BROKEN
from playground.clock import Clock
from playground.oddities import Oddity
from playground.wire import ApiError, Json

EVENT_FATES = ("lost", "late", "twice", "behind the next")
"""What becomes of an event; one that is late comes when nobody waits for it any more."""

CONNECTION_FATES = ("reconnect", "resumable", "invalid", "hang up", "forgotten", "deaf")
# after 4004 and 4010 to 4014 the session is gone (`gateway.FINAL`), and discord.py ends
CLOSE_CODES = (4000, 4001, 4002, 4003, 4005, 4007, 4008, 4009, 4004, *range(4010, 4015))
"""What becomes of the connection behind an event: op 7, op 9, cut, cut and unknown, silent for good, or closed."""

FATES = frozenset((*EVENT_FATES, *CONNECTION_FATES, *map(str, CLOSE_CODES)))


NO_FIELD = object()
"""The `retry_after` of a 429 without one."""


@dataclass(eq=False)
class Fault:
    """The next `times` requests that match `route` (`POST /channels/*/messages`) go wrong; None means all of them.

    `after` lets the request take effect first, as when the answer is lost on the way back. `hang` keeps it waiting
    for so many seconds of the clock, or with True until it is released; what happens then is the rest of the order.
    Without a `status` and a `cut` the request is then served as usual. A cut that leaves the request `unread` comes
    in the midst of it. So many matching requests `pass_first`. `struck` counts the requests that it met, and `then` is
    done at each of them.

    The answer of a request that is served as usual is `broken` in one of the ways of `BROKEN`, or gets more `headers`.
    `retry_after` is what a 429 says of its pause, also what is no number, or `NO_FIELD`.

    A fault with a `fate`, one of `FATES`, is about what the gateway says (`EVENT INTERACTION_CREATE`). An `oddity`
    changes an event (of the whole frame, also of `EVENT HELLO`) or the answer to a request.
    """

    route: str
    status: int | None = None
    code: int = 0
    message: str = "ordered by the test"
    times: int | None = 1
    after: bool = False
    hang: bool | float = False
    cut: bool = False
    html: bool = False
    retry_after: object = 0.05
    is_global: bool = False
    broken: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    unread: bool = False
    pass_first: int = 0
    fate: str = ""
    oddity: Oddity | None = None
    then: Callable[[], None] = lambda: None
    struck: int = 0

    def __post_init__(self) -> None:
        is_of_answer = self.broken or self.headers or self.oddity
        if self.fate not in FATES and not (self.status or self.cut or self.hang or is_of_answer):
            raise ValueError("a fault is a status, a cut, a hang, an odd or broken answer, or the fate of an event")
        if self.broken and self.broken not in BROKEN:
            raise ValueError(f"an answer cannot be broken in this way: {self.broken}")
        if self.html and self.status is None:
            raise ValueError("a proxy's page has a status")

    @property
    def is_event(self) -> bool:
        """Whether it is about an event of the gateway."""
        return bool(self.fate) or self.route.startswith("EVENT ")

    @property
    def over(self) -> bool:
        """Whether it has struck as often as it was ordered."""
        return self.times is not None and self.struck >= self.times

    def check(self) -> None:
        """Raise what the request gets instead of its answer, if anything."""
        if self.cut:
            raise Cut(0, 0, "cut without an answer")
        if self.status is not None and self.html:
            raise ProxyPage(self.status, 0, self.message, is_ordered=True)
        if self.status is not None:
            raise ApiError(self.status, self.code, self.message, extra=self._retry(), is_ordered=True)

    def _retry(self) -> Json:
        """The pause that a 429 asks for, in the body, where discord.py looks for it."""
        if self.status != 429:
            return {}
        pause = {} if self.retry_after is NO_FIELD else {"retry_after": self.retry_after}
        return {**pause, "global": self.is_global}


class ProxyPage(ApiError):
    """A refusal by a proxy in front of Discord: a page for people, no JSON, no `Via`."""

    def page(self) -> str:
        """The page in HTML."""
        title = f"{self.status} {HTTPStatus(self.status).phrase}"
        return f"<html><head><title>{title}</title></head><body><h1>{title}</h1><p>{self.message}</p></body></html>"


class Cut(ApiError):
    """No answer at all: the connection closes."""


@dataclass(eq=False)
class _Held:
    """A request that gets no answer for now."""

    route: str
    free: asyncio.Event = field(default_factory=asyncio.Event)


class Faults:
    """The orders that are still open, and the requests that they hold."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._orders: list[Fault] = []
        self._held: list[_Held] = []
        self._closed = False

    def order(self, fault: Fault) -> Fault:
        """Let the next matching requests go wrong."""
        self._orders.append(fault)
        return fault

    def lift(self, route: str | None = None) -> None:
        """Order no more of what was ordered for exactly this route, by default for any; what it holds is still held."""
        self._orders = [fault for fault in self._orders if route not in (None, fault.route)]

    def strike(self, method: str, path: str, *, unread: bool = False, odd_only: bool = False) -> Fault | None:
        """The fault due for this request, the oldest order first; counts it. One that is `unread` meets only cuts.

        `odd_only`: faults without an odd payload do not meet it.
        """
        for fault in self._orders:
            # `EVENT *` must not meet requests, nor a request's fault events
            fits = fault.unread == unread and fault.is_event == (method == "EVENT") and (not odd_only or fault.oddity)
            if fits and fnmatch.fnmatchcase(f"{method} {path}", fault.route):
                # the next fault may still meet this request
                if fault.pass_first:
                    fault.pass_first -= 1
                    continue
                fault.struck += 1
                fault.then()
                if fault.over:
                    self._orders.remove(fault)
                return fault
        return None

    async def hold(self, fault: Fault) -> None:
        """Keep a request waiting as long as its fault hangs; raises Cut when the playground ends meanwhile."""
        if not fault.hang or self._closed:
            return
        held = _Held(fault.route)
        self._held.append(held)
        timer = None if fault.hang is True else self._clock.call_later(fault.hang, held.free.set)
        await held.free.wait()
        self._held.remove(held)
        if timer is not None:
            self._clock.cancel(timer)
        if self._closed:
            raise Cut(0, 0, "the playground has ended")

    def release(self, route: str | None = None) -> None:
        """Let go of the requests that faults on this route hold, by default of all."""
        for held in self._held:
            if route in (None, held.route):
                held.free.set()

    def close(self) -> None:
        """Forget every order and cut what is held, so that nothing waits at the end."""
        self._closed = True
        self._orders.clear()
        self.release()
