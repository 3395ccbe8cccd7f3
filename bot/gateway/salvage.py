"""The readable part of data: as much of a server or of READY as discord.py can read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import discord
import yarl

Json: TypeAlias = dict[str, Any]
IsReadable: TypeAlias = Callable[[Json], bool]

SKELETONS: dict[str, Json] = {
    "channels": {"type": 0, "name": "", "position": 0},
    "roles": {"name": "", "permissions": "0", "position": 0},
}
"""Lists of a server -> the fields that discord.py needs to read an element. Elements of other lists are dropped."""


INTERACTION_TYPES = (2, 3, 4, 5)
"""Commands, taps, requests for suggestions and forms."""

GROUPS, TEXT = (1, 2), 3
"""Types of options: groups of options, and text."""

LANGUAGES = ("locale", "guild_locale")


def check_guild(data: Json) -> None:
    """Raise an error for a server without the role of everyone: discord.py reads it, and fails at permissions."""
    if data.get("unavailable") is not True and not any(role["id"] == data["id"] for role in data["roles"]):
        raise ValueError("role of everyone")


def readable_guild(data: Json, state: Any) -> Json:
    """The readable part of a server.

    Raises an exception of any type if not even its id can be read.
    """

    guild_id = str(int(data["id"]))
    readable = _fields({"id": guild_id}, data, lambda part: _is_readable_guild(part, state))
    roles = readable.setdefault("roles", [])
    # discord.py computes permissions from the role of everyone, whose id is that of the server
    if not any(str(role["id"]) == guild_id for role in roles):
        roles.append({"id": guild_id, **SKELETONS["roles"]})
    return readable


def _fields(base: Json, data: Json, is_readable: IsReadable) -> Json:
    """`base` with each field that is readable on top of it, and with the readable elements of each list."""
    readable = dict(base)
    for key, value in data.items():
        if is_readable({**base, key: value}):
            readable[key] = value
        elif isinstance(value, list):
            elements = (_element(base, key, element, is_readable) for element in value)
            readable[key] = [element for element in elements if element is not None]
    return readable


def _element(base: Json, key: str, element: Any, is_readable: IsReadable) -> Any:
    """An element of a list: itself, else its readable fields on top of a skeleton, else nothing."""

    def fits(part: Any) -> bool:
        return is_readable({**base, key: [part]})

    if fits(element):
        return element
    if key not in SKELETONS or not isinstance(element, dict):
        return None
    completed = {**SKELETONS[key], "id": element.get("id")}
    return _fields(completed, element, fits) if fits(completed) else None


def readable_ready(data: Json, *, shard: tuple[int, int], gateway: yarl.URL, state: Any) -> Json:
    """READY with all fields that discord.py indexes; unreadable ones get values from other sources.

    An empty session id only means that the session cannot be resumed.
    """
    session_id, resume_url = data.get("session_id"), data.get("resume_gateway_url")
    return {
        "user": known_user(state.user),
        "shard": list(shard),
        "session_id": session_id if isinstance(session_id, str) else "",
        "resume_gateway_url": resume_url if isinstance(resume_url, str) else str(gateway),
        "guilds": [guild for guild in _list(data.get("guilds")) if _is_readable_guild(guild, state)],
    }


def known_user(user: discord.ClientUser) -> Json:
    """The bot itself as the login described it."""
    return {"id": str(user.id), "username": user.name, "discriminator": user.discriminator, "avatar": None, "bot": True}


def readable_interaction(data: Json) -> Json:
    """An interaction without invalid languages.

    Raises an exception of any type if its type is unknown, or a part that the bot needs has a wrong type: discord.py
    would read it, and fail later or leave it unanswered.
    """
    if data["type"] not in INTERACTION_TYPES:
        raise ValueError("type")
    if not isinstance(data["token"], str) or not data["token"]:
        raise TypeError("token")
    if not isinstance(data.get("message", {}).get("flags", 0), int):
        raise TypeError("flags")
    _check_options(data.get("data", {}).get("options", []))
    member = data["member"] if data.get("guild_id") else {"user": data["user"]}
    user = member["user"]
    names = (user["username"], user.get("global_name") or "", member.get("nick") or "")
    if not all(isinstance(name, str) for name in names):
        raise TypeError("name of a user")
    return {key: value for key, value in data.items() if key not in LANGUAGES or isinstance(value, str)}


def _check_options(options: list[Json]) -> None:
    """Raise an error if a value of a command's option has a wrong type."""
    for option in options:
        kind, value = option["type"], option.get("value")
        if kind in GROUPS:
            _check_options(option.get("options", []))
        elif not isinstance(value, str if kind == TEXT else str | int | float):
            raise TypeError("value")


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_readable_guild(data: Any, state: Any) -> bool:
    """Whether discord.py can read a server."""
    try:
        discord.Guild(data=data, state=state)
    # only an attempt shows it, and it fails with errors of all types; the caller reports the first one
    except Exception:
        return False
    return True
