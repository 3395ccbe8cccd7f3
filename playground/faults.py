"""Faults that tests inject into requests or events: refusals, hangs, cuts, once or repeatedly."""

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
"""Fates of a gateway event. A late event arrives after everyone has stopped waiting for it."""

CONNECTION_FATES = ("reconnect", "resumable", "invalid", "hang up", "forgotten", "deaf")
# After 4004 and 4010 to 4014, the session is gone (`gateway.FINAL_CODES`), and discord.py stops.
CLOSE_CODES = (4000, 4001, 4002, 4003, 4005, 4007, 4008, 4009, 4004, *range(4010, 4015))
"""Fates of the connection when an event is due: op 7, op 9, cut, cut with the session lost, silent, or closed."""

FATES = frozenset((*EVENT_FATES, *CONNECTION_FATES, *map(str, CLOSE_CODES)))


NO_FIELD = object()
"""Value of `retry_after` for a 429 without that field."""


@dataclass(eq=False)
class Fault:
    """An order: the next `times` requests that match `route` (`POST /channels/*/messages`) fail; None means all.

    The first `pass_first` matching requests succeed. With `after`, the request takes effect before it fails, as if the
    response were lost. `hang` delays it by that many seconds on the clock, or with True until it is released; without a
    `status` or `cut`, it is then served normally. An `unread` cut happens while the request is still being received.
    `struck` counts the requests that failed, and `then` is called for each of them.

    The response of a request that is otherwise served can be `broken` in one of the ways in `BROKEN`, or have
    additional `headers`. `retry_after` is the pause in a 429; it may be invalid or `NO_FIELD`.

    A fault with a `fate`, one of `FATES`, applies to gateway events (`EVENT INTERACTION_CREATE`). An `oddity` varies an
    event (its whole frame, `EVENT HELLO` included) or a response.
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
            raise ValueError("a fault needs a status, a cut, a hang, an odd or broken response, or a fate")
        if self.broken and self.broken not in BROKEN:
            raise ValueError(f"unknown way to break a response: {self.broken}")
        if self.html and self.status is None:
            raise ValueError("a proxy's page needs a status")

    @property
    def is_event(self) -> bool:
        """Whether it applies to gateway events."""
        return bool(self.fate) or self.route.startswith("EVENT ")

    @property
    def is_over(self) -> bool:
        """Whether it has struck as often as ordered."""
        return self.times is not None and self.struck >= self.times

    def check(self) -> None:
        """Raise the error that replaces the response, if there is one."""
        if self.cut:
            raise Cut(0, 0, "cut without an answer")
        if self.status is not None and self.html:
            raise ProxyPage(self.status, 0, self.message, is_ordered=True)
        if self.status is not None:
            raise ApiError(self.status, self.code, self.message, extra=self._retry(), is_ordered=True)

    def _retry(self) -> Json:
        """The body of a 429 with the pause, where discord.py reads it."""
        if self.status != 429:
            return {}
        pause = {} if self.retry_after is NO_FIELD else {"retry_after": self.retry_after}
        return {**pause, "global": self.is_global}


class ProxyPage(ApiError):
    """A refusal by a proxy, such as Cloudflare's: an HTML page instead of JSON, without a `Via` header."""

    def page(self) -> str:
        """The page as HTML."""
        title = f"{self.status} {HTTPStatus(self.status).phrase}"
        return f"<html><head><title>{title}</title></head><body><h1>{title}</h1><p>{self.message}</p></body></html>"


class Cut(ApiError):
    """The connection closes without a response."""


@dataclass(eq=False)
class _HeldRequest:
    """A request that is being held without a response."""

    route: str
    free: asyncio.Event = field(default_factory=asyncio.Event)


class Faults:
    """The open orders, and the requests they hold."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._faults: list[Fault] = []
        self._held_requests: list[_HeldRequest] = []
        self._closed = False

    def order(self, fault: Fault) -> Fault:
        """Let matching requests fail."""
        self._faults.append(fault)
        return fault

    def lift(self, route: str | None = None) -> None:
        """Cancel the orders for exactly this route, or all orders. Held requests stay held."""
        self._faults = [fault for fault in self._faults if route not in (None, fault.route)]

    def strike(self, method: str, path: str, *, unread: bool = False, odd_only: bool = False) -> Fault | None:
        """Take and count the fault due for this request, oldest order first. `unread` requests meet only unread cuts.

        With `odd_only`, only faults with an oddity apply.
        """
        for fault in self._faults:
            # `EVENT *` must not match requests, and a request's fault must not match events.
            fits = fault.unread == unread and fault.is_event == (method == "EVENT") and (not odd_only or fault.oddity)
            if fits and fnmatch.fnmatchcase(f"{method} {path}", fault.route):
                # The next order may still apply to this request.
                if fault.pass_first:
                    fault.pass_first -= 1
                    continue
                fault.struck += 1
                fault.then()
                if fault.is_over:
                    self._faults.remove(fault)
                return fault
        return None

    async def hold(self, fault: Fault) -> None:
        """Hold a request while its fault hangs. Raises Cut if the playground ends in the meantime."""
        if not fault.hang or self._closed:
            return
        held = _HeldRequest(fault.route)
        self._held_requests.append(held)
        timer = None if fault.hang is True else self._clock.call_later(fault.hang, held.free.set)
        await held.free.wait()
        self._held_requests.remove(held)
        if timer is not None:
            self._clock.cancel(timer)
        if self._closed:
            raise Cut(0, 0, "the playground has ended")

    def release(self, route: str | None = None) -> None:
        """Release the requests held by faults on this route, or all held requests."""
        for held in self._held_requests:
            if route in (None, held.route):
                held.free.set()

    def close(self) -> None:
        """Cancel every order and cut all held requests, so that nothing is left waiting."""
        self._closed = True
        self._faults.clear()
        self.release()
