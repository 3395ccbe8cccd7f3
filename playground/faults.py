"""Faults that a test orders: a refusal or a server error on some route, once or several times."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass, field

from playground.wire import ApiError, Json


@dataclass
class Fault:
    """The next `times` requests that match `route` (`POST /channels/*/messages`) go wrong.

    `after` lets the request take effect first, as when the answer is lost on the way back.
    """

    route: str
    status: int
    code: int = 0
    message: str = "ordered by the test"
    times: int = 1
    after: bool = False
    extra: Json = field(default_factory=dict)

    def error(self) -> ApiError:
        """The refusal this fault answers with."""
        retry = {"retry_after": 0.05, "global": False} if self.status == 429 else {}
        return ApiError(self.status, self.code, self.message, extra={**retry, **self.extra})


class Faults:
    """The orders that are still open."""

    def __init__(self) -> None:
        self._orders: list[Fault] = []

    def order(self, fault: Fault) -> None:
        """Let the next matching requests go wrong."""
        self._orders.append(fault)

    def strike(self, method: str, path: str) -> Fault | None:
        """The fault due for this request; counts it as used."""
        for fault in self._orders:
            if fnmatch.fnmatchcase(f"{method} {path}", fault.route):
                fault.times -= 1
                if fault.times <= 0:
                    self._orders.remove(fault)
                return fault
        return None
