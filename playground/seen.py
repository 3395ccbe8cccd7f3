"""A snapshot of a message for players."""

from __future__ import annotations

from dataclasses import dataclass, field

from playground.components import parts
from playground.reading import Button, Menu, buttons_of, menus_of, text_of
from playground.wire import Json
from playground.world import Message, World


@dataclass(frozen=True, slots=True)
class Image:
    """An image or file of a message."""

    filename: str
    alt: str | None
    size: tuple[int, int] | None
    data: bytes = field(repr=False)


@dataclass(frozen=True, eq=False)
class Seen:
    """A snapshot of a message as a player sees it. It does not follow later edits (`player.look` does)."""

    id: int
    author: str
    channel: str
    text: str
    buttons: tuple[Button, ...]
    menus: tuple[Menu, ...]
    images: tuple[Image, ...]
    ephemeral: bool
    silent: bool
    thinking: bool
    edited: bool
    mentions: tuple[str, ...]
    pinged: tuple[str, ...]
    components: list[Json]
    embeds: list[Json]
    record: Message

    @property
    def labels(self) -> list[str]:
        """Labels of the enabled buttons."""
        return [button.label for button in self.buttons if button.enabled]

    def button(self, label: str) -> Button | None:
        """The button with this label, with or without its emoji in front."""
        return next((b for b in self.buttons if label in (b.label, f"{b.emoji} {b.label}")), None)

    def __contains__(self, text: str) -> bool:
        return text in self.text

    def __repr__(self) -> str:
        return f"<Seen {self.author}: {self.text[:80]!r} {[button.label for button in self.buttons]}>"


def snapshot_of(world: World, message: Message) -> Seen:
    """Take a snapshot of the message."""
    channel = world.channels.get(message.channel_id)
    return Seen(
        id=message.id,
        author=world.users[message.author_id].name,
        channel=channel.name if channel else "",
        text=text_of(message),
        buttons=buttons_of(message.components),
        menus=menus_of(message.components),
        # V2 messages have the alt text in their gallery; others have it in the attachment.
        images=tuple(
            Image(a.filename, _alt(message, a.id) or a.description, a.size, a.data) for a in message.attachments
        ),
        ephemeral=message.only_for is not None,
        silent=message.is_silent,
        thinking=message.thinking,
        edited=message.edited_at is not None,
        mentions=tuple(world.users[user_id].name for user_id in message.mentions),
        pinged=tuple(world.users[user_id].name for user_id in message.pinged),
        components=message.components,
        embeds=message.embeds,
        record=message,
    )


def _alt(message: Message, attachment_id: int) -> str | None:
    """The alt text of an attachment in the message's gallery."""
    for part in parts(message.components):
        for item in part.get("items") or ():
            if item["media"].get("attachment_id") == str(attachment_id):
                return str(item["description"]) if item.get("description") else None
    return None
