"""Malformed HTTP responses, as caused by networks, proxies or server bugs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType


def _response(
    body: bytes, *, status: str = "200 OK", kind: str = "application/json", length: int | None = None, more: str = ""
) -> bytes:
    """A raw HTTP response. `length` overrides the true Content-Length."""
    size = len(body) if length is None else length
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {size}\r\nVia: 1.1 playground\r\n{more}\r\n"
    return head.encode() + body


def _chunked_response(body: bytes, size: str, end: bytes) -> bytes:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    return head + size.encode() + b"\r\n" + body + end


def _json(value: object) -> bytes:
    return _response(json.dumps(value).encode())


def _text(body: bytes) -> str:
    return body.decode(errors="replace")


def _breakers() -> dict[str, Callable[[bytes], bytes]]:
    lengths: dict[str, Callable[[bytes], bytes]] = {
        "too short": lambda body: _response(body, length=len(body) + 10),
        "too long": lambda body: _response(body, length=max(len(body) - 10, 0)),
        "204 with a body": lambda body: _response(body, status="204 No Content"),
        "twice": lambda body: _response(body) * 2,
        "empty": lambda body: _response(b""),
    }
    codings: dict[str, Callable[[bytes], bytes]] = {
        "torn JSON": lambda body: _response(body[: len(body) // 2]),
        "bad chunk": lambda body: _chunked_response(body, _text(body), b"\r\n0\r\n\r\n"),
        "torn chunk": lambda body: _chunked_response(body, f"{len(body):x}", b"\r\n"),
        "not compressed": lambda body: _response(body, more="Content-Encoding: gzip\r\n"),
        "UTF-16": lambda body: _response(_text(body).encode("utf-16")),
        "Latin-1": lambda body: _response(body.replace(b'"', b'"\xe9', 1)),
    }
    kinds: dict[str, Callable[[bytes], bytes]] = {
        "as text": lambda body: _response(body, kind="text/plain"),
        "with a charset": lambda body: _response(body, kind="application/json; charset=utf-8"),
        "page": lambda body: _response(b"<html><body>" + body + b"</body></html>", kind="text/html"),
    }
    heads: dict[str, Callable[[bytes], bytes]] = {
        "bad status": lambda body: _response(body, status=f"OK {_text(body)}"),
        "bad header": lambda body: _response(body, more=f"{_text(body)}\r\n"),
    }
    shapes: dict[str, Callable[[bytes], bytes]] = {
        "null": lambda body: _json(None),
        "list": lambda body: _json([_text(body)]),
        "number": lambda body: _json(7),
        "string": lambda body: _json(_text(body)),
        "without fields": lambda body: _json({"unknown": _text(body)}),
        # The id still identifies the created object.
        "only an id": lambda body: _json({"id": _id_in(body), "unknown": _text(body)}),
    }
    return lengths | codings | kinds | heads | shapes


def _id_in(body: bytes) -> object:
    value = json.loads(body)
    return value.get("id") if isinstance(value, dict) else None


BROKEN: Mapping[str, Callable[[bytes], bytes]] = MappingProxyType(_breakers())
"""Functions that turn a body into the bytes of a broken response, by name."""

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
"""Rate limit headers that never end or cannot be parsed."""
