"""Traverse and echo message components, both legacy and V2."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import IntEnum

from playground.wire import Json


class Kind(IntEnum):
    """Discord's numbers for component types."""

    # https://discord.com/developers/docs/components/reference#component-object-component-types
    ACTION_ROW = 1
    BUTTON = 2
    STRING_SELECT = 3
    TEXT_INPUT = 4
    USER_SELECT = 5
    ROLE_SELECT = 6
    MENTIONABLE_SELECT = 7
    CHANNEL_SELECT = 8
    SECTION = 9
    TEXT_DISPLAY = 10
    THUMBNAIL = 11
    MEDIA_GALLERY = 12
    FILE = 13
    SEPARATOR = 14
    CONTAINER = 17
    LABEL = 18
    FILE_UPLOAD = 19
    RADIO_GROUP = 21
    CHECKBOX_GROUP = 22
    CHECKBOX = 23


ENTITY_SELECTS = frozenset({Kind.USER_SELECT, Kind.ROLE_SELECT, Kind.MENTIONABLE_SELECT, Kind.CHANNEL_SELECT})
"""Menus whose entries Discord's client fills in from the server."""

SELECTS = ENTITY_SELECTS | {Kind.STRING_SELECT}

_ECHO_DEFAULTS: dict[int, Json] = {
    Kind.CONTAINER: {"accent_color": None, "spoiler": False},
    Kind.SEPARATOR: {"divider": True, "spacing": 1},
    Kind.THUMBNAIL: {"description": None, "spoiler": False},
    Kind.FILE: {"spoiler": False, "name": "", "size": 0},
    Kind.STRING_SELECT: {"min_values": 1, "max_values": 1},
    **{kind: {"min_values": 1, "max_values": 1} for kind in ENTITY_SELECTS},
}


_NESTS = frozenset(("components", "accessory", "component"))
"""The fields with components inside."""


def children(component: Json) -> Iterator[tuple[str, Json]]:
    """The direct children, each with its relative path (`components.0`, `accessory`)."""
    for index, child in enumerate(component.get("components") or ()):
        yield f"components.{index}", child
    for key in ("accessory", "component"):
        if isinstance(component.get(key), dict):
            yield key, component[key]


def walk(components: list[Json], path: str = "components") -> Iterator[tuple[str, Json]]:
    """Every component of a message or modal with its path, parents first."""
    for index, component in enumerate(components):
        yield from _walk_one(component, f"{path}.{index}")


def _walk_one(component: Json, path: str) -> Iterator[tuple[str, Json]]:
    yield path, component
    if _NESTS.isdisjoint(component):
        return
    for step, child in children(component):
        yield from _walk_one(child, f"{path}.{step}")


def parts(components: list[Json]) -> list[Json]:
    """Every component of a message or modal, parents first. Without paths, this is four times as fast as `walk`."""
    listing: list[Json] = []
    for component in components:
        listing.append(component)
        if inner := component.get("components"):
            listing += parts(inner)
        for key in ("accessory", "component"):
            if isinstance(component.get(key), dict):
                listing += parts([component[key]])
    return listing


def media_of(component: Json) -> Iterator[tuple[str, Json]]:
    """The media objects (`{"url": …}`) of a component, each with its relative path."""
    for key in ("media", "file"):
        if isinstance(component.get(key), dict):
            yield key, component[key]
    for index, item in enumerate(component.get("items") or ()):
        if isinstance(item.get("media"), dict):
            yield f"items.{index}.media", item["media"]


def texts(components: list[Json]) -> list[str]:
    """The text of all text displays, in reading order."""
    return [str(c.get("content", "")) for c in parts(components) if c.get("type") == Kind.TEXT_DISPLAY]


def find(components: list[Json], custom_id: str) -> Json | None:
    """The control with this custom id."""
    return next((c for c in parts(components) if c.get("custom_id") == custom_id), None)


def echo(components: list[Json], resolve: Callable[[str], Json]) -> list[Json]:
    """Components as Discord returns them: with ids, defaults and resolved media.

    `resolve` turns a URL (or `attachment://name`) into its media object.
    """
    # discord.py finds a tapped item by these ids, so they must exist and be unique.
    used_ids = {c["id"] for c in parts(components) if c.get("id")}
    fresh = iter(number for number in range(1, 10_000) if number not in used_ids)
    return [_echo_one(component, fresh, resolve) for component in components]


def _echo_one(component: Json, fresh: Iterator[int], resolve: Callable[[str], Json]) -> Json:
    kind = component.get("type", 0)
    echoed: Json = {**_ECHO_DEFAULTS.get(kind, {}), **{key: value for key, value in component.items() if key != "id"}}
    # Discord omits the empty fields of a button.
    if kind == Kind.BUTTON:
        echoed = {key: value for key, value in echoed.items() if value is not None}
    echoed["id"] = component.get("id") or next(fresh)
    if echoed.get("default_values"):  # numeric ids are accepted too, and returned as strings
        echoed["default_values"] = [{**value, "id": str(value["id"])} for value in echoed["default_values"]]
    echoed = _with_emoji(echoed)
    if "options" in echoed:
        echoed["options"] = [_with_emoji(option) for option in echoed["options"]]
    if "components" in echoed:
        echoed["components"] = [_echo_one(child, fresh, resolve) for child in echoed["components"]]
    if isinstance(echoed.get("accessory"), dict):
        echoed["accessory"] = _echo_one(echoed["accessory"], fresh, resolve)
    if kind == Kind.MEDIA_GALLERY:
        echoed["items"] = [_echo_item(item, resolve) for item in echoed.get("items", [])]
    for key in ("media", "file"):
        if isinstance(echoed.get(key), dict):
            echoed[key] = resolve(str(echoed[key].get("url", "")))
    if kind == Kind.FILE:
        echoed["name"] = echoed["file"].pop("filename", "")
        echoed["size"] = echoed["file"].pop("size", 0)
    return echoed


def _with_emoji(control: Json) -> Json:
    """A button or a row with its emoji as Discord returns it."""
    emoji = control.get("emoji") or {}
    # discord.py sends the id as a number, which Discord accepts and returns as a string.
    return {**control, "emoji": {**emoji, "id": str(emoji["id"])}} if emoji.get("id") else control


def _echo_item(item: Json, resolve: Callable[[str], Json]) -> Json:
    media = resolve(str(item.get("media", {}).get("url", "")))
    # Only file components have a name and a size.
    media_fields = {key: value for key, value in media.items() if key not in ("filename", "size")}
    return {"description": None, "spoiler": False, **item, "media": media_fields}
