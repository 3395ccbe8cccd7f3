"""Answers that no client can read as they were meant: what the network, a proxy or a bad day makes of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType


def _raw(
    body: bytes, *, status: str = "200 OK", kind: str = "application/json", length: int | None = None, more: str = ""
) -> bytes:
    """An answer as it crosses the wire; `length` is what it says of its body, by default the truth."""
    size = len(body) if length is None else length
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {size}\r\nVia: 1.1 playground\r\n{more}\r\n"
    return head.encode() + body


def _chunked(body: bytes, size: str, end: bytes) -> bytes:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    return head + size.encode() + b"\r\n" + body + end


def _json(value: object) -> bytes:
    return _raw(json.dumps(value).encode())


def _text(body: bytes) -> str:
    return body.decode(errors="replace")


def _ways() -> dict[str, Callable[[bytes], bytes]]:
    lengths: dict[str, Callable[[bytes], bytes]] = {
        "too short": lambda body: _raw(body, length=len(body) + 10),
        "too long": lambda body: _raw(body, length=max(len(body) - 10, 0)),
        "204 with a body": lambda body: _raw(body, status="204 No Content"),
        "twice": lambda body: _raw(body) * 2,
        "empty": lambda body: _raw(b""),
    }
    codings: dict[str, Callable[[bytes], bytes]] = {
        "torn JSON": lambda body: _raw(body[: len(body) // 2]),
        "bad chunk": lambda body: _chunked(body, _text(body), b"\r\n0\r\n\r\n"),
        "torn chunk": lambda body: _chunked(body, f"{len(body):x}", b"\r\n"),
        "not compressed": lambda body: _raw(body, more="Content-Encoding: gzip\r\n"),
        "UTF-16": lambda body: _raw(_text(body).encode("utf-16")),
        "Latin-1": lambda body: _raw(body.replace(b'"', b'"\xe9', 1)),
    }
    kinds: dict[str, Callable[[bytes], bytes]] = {
        "as text": lambda body: _raw(body, kind="text/plain"),
        "with a charset": lambda body: _raw(body, kind="application/json; charset=utf-8"),
        "page": lambda body: _raw(b"<html><body>" + body + b"</body></html>", kind="text/html"),
    }
    heads: dict[str, Callable[[bytes], bytes]] = {
        "bad status": lambda body: _raw(body, status=f"OK {_text(body)}"),
        "bad header": lambda body: _raw(body, more=f"{_text(body)}\r\n"),
    }
    shapes: dict[str, Callable[[bytes], bytes]] = {
        "null": lambda body: _json(None),
        "list": lambda body: _json([_text(body)]),
        "number": lambda body: _json(7),
        "string": lambda body: _json(_text(body)),
        "without fields": lambda body: _json({"unknown": _text(body)}),
        # what it has made can still be told from that
        "only an id": lambda body: _json({"id": _id_in(body), "unknown": _text(body)}),
    }
    return lengths | codings | kinds | heads | shapes


def _id_in(body: bytes) -> object:
    value = json.loads(body)
    return value.get("id") if isinstance(value, dict) else None


BROKEN: Mapping[str, Callable[[bytes], bytes]] = MappingProxyType(_ways())
"""Every way to break an answer by its name: from a body to the bytes of an answer, with its head."""

ODD_LIMITS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "reset after nan": {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "nan"},
        "reset after 1e300": {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "1e300"},
        "reset after a word": {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "soon"},
        "no reset": {"X-RateLimit-Remaining": "0"},
        "limit 0": {"X-RateLimit-Limit": "0", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "0.1"},
        "limit a word": {"X-RateLimit-Limit": "few", "X-RateLimit-Remaining": "1", "X-RateLimit-Reset-After": "0.1"},
        "remaining a word": {"X-RateLimit-Remaining": "none", "X-RateLimit-Reset-After": "0.1"},
    }
)
"""Headers of rate limits that never end, or that cannot be read."""
