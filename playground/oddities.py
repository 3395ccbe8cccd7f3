"""Odd payloads: undocumented variations at one place of an event or a response."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Any, Self

CHANGES = ("missing", "null", "type", "empty", "unknown", "extra")
"""Variations of a field: removed, null, wrong type, empty, unknown value, additional field."""

WHOLE_CHANGES = ("torn", "garbled", "page")
"""Variations of a whole payload: truncated, undecodable bytes, a proxy's HTML page."""

ROOT = "."
UNKNOWN_NUMBER, UNKNOWN_WORD = 987_654, "zz-unknown"
GARBAGE = b"\x00\xffgarbage\x00\x00\xff\xff"


@dataclass(frozen=True, slots=True)
class Oddity:
    """A variation at a path such as `d.member.roles.0`; the path `.` is the whole payload.

    Raises ValueError for an unknown variation. Its text form is `odd d.member.roles null`.
    """

    path: str
    change: str

    def __post_init__(self) -> None:
        if self.change not in CHANGES and not (self.change in WHOLE_CHANGES and self.path == ROOT):
            raise ValueError(f"unknown odd change {self.change!r} at {self.path!r}")

    def __str__(self) -> str:
        return f"odd {self.path} {self.change}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse the text form. Raises ValueError."""
        word, _, rest = text.partition(" ")
        path, _, change = rest.rpartition(" ")
        if word != "odd":
            raise ValueError(f"not an odd payload: {text!r}")
        return cls(path, change)

    def encode(self, payload: Any) -> str | bytes:
        """Encode the varied payload. If the path does not exist, the payload stays unchanged."""
        match self.change:
            case "torn":
                text = json.dumps(payload)
                return text[: len(text) // 2]
            case "garbled":
                return GARBAGE
            case "page":
                return "<html><body>Please wait</body></html>"
        if self.path == ROOT and self.change == "missing":
            return ""
        return json.dumps(self.apply(payload))

    def apply(self, payload: Any) -> Any:
        """A varied copy of the payload."""
        if self.path == ROOT:
            return _vary(payload, self.change)
        result = copy.deepcopy(payload)
        *above, last = self.path.split(".")
        try:
            parent = reduce(_child, above, result)
            _change_child(parent, last, self.change)
        except (KeyError, IndexError, TypeError, ValueError):
            return payload
        return result


def _child(parent: Any, step: str) -> Any:
    return parent[int(step)] if isinstance(parent, list) else parent[step]


def _change_child(parent: Any, step: str, change: str) -> None:
    key: Any = int(step) if isinstance(parent, list) else step
    value = parent[key]
    if change == "missing":
        del parent[key]
    else:
        parent[key] = _vary(value, change)


def _vary(value: Any, change: str) -> Any:
    match change, value:
        case "null", _:
            return None
        case "type", dict() | list():
            return "words"
        case "type", _:
            return {"odd": []}
        case "empty", dict():
            return {}
        case "empty", list():
            return []
        case "empty", str():
            return ""
        case "empty", _:
            return 0
        case "unknown", str():
            return UNKNOWN_WORD
        case "unknown", _:
            return UNKNOWN_NUMBER
        case "extra", dict():
            return {**value, "odd_field": {"odd": [1]}}
    return value


def places(payload: Any, path: str = ROOT) -> Iterator[tuple[str, Any]]:
    """Every path of a payload with its value. Of a list, only the first element is included."""
    yield path, payload
    if isinstance(payload, dict):
        for key, value in payload.items():
            yield from places(value, _join(path, key))
    elif isinstance(payload, list) and payload:
        yield from places(payload[0], _join(path, "0"))


def _join(path: str, step: str) -> str:
    return step if path == ROOT else f"{path}.{step}"


def oddities(payload: Any) -> Iterator[Oddity]:
    """All oddities that would change the payload."""
    yield from (Oddity(ROOT, change) for change in WHOLE_CHANGES)
    for path, value in places(payload):
        for change in CHANGES:
            if _applies(change, value):
                yield Oddity(path, change)


def _applies(change: str, value: Any) -> bool:
    match change:
        case "null":
            return value is not None
        case "empty":
            return bool(value)
        case "unknown":
            return isinstance(value, str | int) and not isinstance(value, bool)
        case "extra":
            return isinstance(value, dict)
    return True
