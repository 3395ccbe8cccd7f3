"""Data exchanged between the bot and the local Discord: JSON objects, uploaded files, errors."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]

TOKEN = "playground-token"
TOKEN_VARIABLE = "PLAYGROUND_TOKEN"

SHARD_SHIFT = 22
"""Discord assigns servers to shards by the bits of their ids above this one."""

ENTRY_POINT = 4
"""Discord's type of the command that opens an Activity."""

# https://discord.com/developers/docs/resources/message#message-object-message-flags
EPHEMERAL = 1 << 6
LOADING = 1 << 7
SUPPRESS_NOTIFICATIONS = 1 << 12
COMPONENTS_V2 = 1 << 15


@dataclass(frozen=True, slots=True)
class Upload:
    """A file of a multipart request, in the bot's numbering order."""

    filename: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Flaw:
    """A broken rule of the API: the place (`components.0.label`) and a sentence."""

    path: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}: {self.text}" if self.path else self.text


@dataclass
class ApiError(Exception):
    """An error response of the REST API: HTTP status, Discord's error code, and a message.

    `is_ordered` marks an injected fault, which is not the bot's mistake.
    """

    status: int
    code: int
    message: str
    flaws: list[Flaw] = field(default_factory=list)
    extra: Json = field(default_factory=dict)
    is_ordered: bool = False

    def body(self) -> Json:
        """The JSON object that discord.py unpacks into `HTTPException.code` and `.text`."""
        errors: Json = {}
        for flaw in self.flaws:
            # Discord nests form errors along the path of the field.
            node = errors
            for step in flaw.path.split(".") if flaw.path else ():
                node = node.setdefault(step, {})
            node.setdefault("_errors", []).append({"code": "INVALID", "message": flaw.text})
        return {"message": self.message, "code": self.code, **({"errors": errors} if errors else {}), **self.extra}

    def __str__(self) -> str:
        details = "; ".join(map(str, self.flaws))
        return f"{self.status}/{self.code} {self.message}" + (f" ({details})" if details else "")


def unknown(what: str, code: int) -> ApiError:
    """The error for a missing object: `unknown("Message", 10008)`."""
    return ApiError(404, code, f"Unknown {what}")


def invalid_form(flaws: list[Flaw]) -> ApiError:
    """The error for a payload that breaks a rule or a limit."""
    return ApiError(400, 50035, "Invalid Form Body", flaws)


def is_loopback(host: str | None) -> bool:
    """Whether a host name always means this machine."""
    # Not resolved, since the result could change after this check.
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host or "").is_loopback
    except ValueError:
        return False
