"""Read a message as a person does: text, buttons, menus, images."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from playground.components import SELECTS, Kind, parts, texts
from playground.wire import Json
from playground.world import Message

MAX_EXCERPT = 160


@dataclass(frozen=True, slots=True)
class Button:
    """A button; a button without text has its emoji as the `label`."""

    label: str
    custom_id: str | None
    enabled: bool
    url: str | None = None
    emoji: str | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """An entry of a menu."""

    label: str
    value: str
    description: str | None = None
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Menu:
    """A select menu. Menus of users, roles and channels have no `options`; `chosen` has the ids of default values."""

    custom_id: str
    kind: Kind
    options: tuple[Option, ...]
    placeholder: str | None
    enabled: bool
    chosen: tuple[str, ...] = ()


def text_of(message: Message) -> str:
    """All text of a message in reading order: content, embeds, text displays."""
    return "\n".join(part for part in _texts(message) if part)


def _texts(message: Message) -> Iterator[str]:
    yield message.content
    for embed in message.embeds:
        yield embed.get("title") or ""
        yield embed.get("description") or ""
        for field in embed.get("fields") or ():
            yield f"{field.get('name')}: {field.get('value')}"
        yield (embed.get("footer") or {}).get("text") or ""
    yield from texts(message.components)


def buttons_of(components: list[Json]) -> tuple[Button, ...]:
    """The buttons in reading order."""
    buttons = []
    for part in parts(components):
        if part.get("type") == Kind.BUTTON:
            emoji = (part.get("emoji") or {}).get("name")
            label = part.get("label") or emoji or ""
            buttons.append(Button(label, part.get("custom_id"), not part.get("disabled"), part.get("url"), emoji))
    return tuple(buttons)


def menus_of(components: list[Json]) -> tuple[Menu, ...]:
    """The select menus in reading order."""
    return tuple(_menu(part) for part in parts(components) if part.get("type") in SELECTS)


def excerpt(message: Message) -> str:
    """A line for the transcript: text, <files>, [buttons], {menus}."""
    words = " / ".join(text_of(message).split("\n"))
    if len(words) > MAX_EXCERPT:
        words = words[:MAX_EXCERPT] + "…"
    controls = [f"[{button.label}]" for button in buttons_of(message.components)]
    controls += [f"{{{menu.placeholder or 'menu'}: {len(menu.options)}}}" for menu in menus_of(message.components)]
    files = [f"<{attachment.filename}>" for attachment in message.attachments]
    return " ".join(filter(None, ["(thinking)" if message.thinking else "", words, *files, *controls])) or "(empty)"


def _menu(part: Json) -> Menu:
    options = tuple(
        Option(o["label"], o["value"], o.get("description"), bool(o.get("default"))) for o in part.get("options") or ()
    )
    values = tuple(str(value["id"]) for value in part.get("default_values") or ())
    enabled = not part.get("disabled")
    return Menu(part["custom_id"], Kind(part["type"]), options, part.get("placeholder"), enabled, values)
