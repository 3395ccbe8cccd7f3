"""On the path of a changed program: whatever the change was, it reaches nothing but this machine."""

from __future__ import annotations

import ipaddress
import sys
from typing import Any

sys.modules["aiodns"] = None  # type: ignore[assignment]  # it asks name servers in C, where no audit sees it


def _is_here(host: Any) -> bool:
    try:
        return host in (None, "", "localhost") or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _stay_here(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "socket.getaddrinfo":
        host = arguments[0]
    elif event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        address = arguments[1]
        host = address[0] if isinstance(address, tuple) else None  # others are paths of this machine
    else:
        return
    if not _is_here(host):
        raise PermissionError(f"a changed program may not reach {host}")


sys.addaudithook(_stay_here)
