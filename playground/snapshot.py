"""Save the world across restarts, in a JSON file with a folder of images.

Ephemeral messages are not saved, as Discord forgets them when the app is closed.
"""

from __future__ import annotations

import asyncio
import json
import os
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from playground.permissions import Permission
from playground.wire import Json
from playground.world import (
    Attachment,
    Channel,
    ChannelKind,
    Emoji,
    Message,
    Overwrite,
    Role,
    ScheduledEvent,
    User,
    World,
)

FORMAT = 1
PAUSE = 0.5
MAX_MESSAGES = 200


class BrokenSnapshot(Exception):
    """The file could not be read and has been renamed. The text is a sentence for the person."""


class Snapshot:
    """The saved world in a folder; `written` is set after every save.

    `base` returns the URL under which images are served. Messages contain it, so it is replaced after a restart on
    another port.
    """

    def __init__(self, folder: Path, world: World, base: Callable[[], str], pause: float = PAUSE) -> None:
        self._file = folder / "world.json"
        self._images = folder / "images"
        self._world = world
        self._base = base
        self._pause = pause
        self._due: asyncio.TimerHandle | None = None
        self._writing: asyncio.Task[None] | None = None
        self.written = asyncio.Event()

    def restore(self) -> None:
        """Load the world from the file, if it exists. Raises BrokenSnapshot after renaming an unreadable file."""
        if not self._file.exists():
            return
        try:
            text = self._file.read_text(encoding="utf-8")
            saved = json.loads(text)
            if saved["format"] != FORMAT:
                raise ValueError(f"format {saved['format']}")
            # Replaced in the text, since image URLs are spread over components and embeds.
            saved = json.loads(text.replace(saved["base"], self._base()))
            _load_world(self._world, saved, self._images)
        except (ValueError, KeyError, TypeError, OSError) as error:
            aside = self._file.with_suffix(".broken")
            os.replace(self._file, aside)
            raise BrokenSnapshot(
                f"The saved chat could not be read ({error!r}), so it starts empty; the old file is kept as {aside}."
            ) from error

    def note_change(self) -> None:
        """Schedule a save shortly after this, for all changes until then."""
        if self._due is None:
            self._due = asyncio.get_running_loop().call_later(self._pause, self._begin_writing)

    async def finish(self) -> None:
        """Save now."""
        if self._due is not None:
            self._due.cancel()
        if self._writing is not None:
            await self._writing
        await self._write()

    def _begin_writing(self) -> None:
        # One at a time: an older state must not overwrite a newer one.
        if self._writing is not None and not self._writing.done():
            self._due = asyncio.get_running_loop().call_later(self._pause, self._begin_writing)
            return
        self._due = None
        self._writing = asyncio.create_task(self._write())

    async def _write(self) -> None:
        # Serialized here on the event loop: in the thread, the world could change in the meantime.
        text = json.dumps({"base": self._base(), **_dump_world(self._world)})
        messages = [message for channel in self._world.channels.values() for message in _saved_messages(channel)]
        images = {str(attachment.id): attachment.data for message in messages for attachment in message.attachments}
        await asyncio.to_thread(self._store, text, images)
        self.written.set()

    def _store(self, text: str, images: dict[str, bytes]) -> None:
        """Write the images first, then the file that refers to them, then delete unused images."""
        self._images.mkdir(parents=True, exist_ok=True)
        existing = {path.name for path in self._images.iterdir()}
        for name in images.keys() - existing:
            _replace(self._images / name, images[name])
        _replace(self._file, text.encode())
        for name in existing - images.keys():
            (self._images / name).unlink(missing_ok=True)


def _replace(path: Path, data: bytes) -> None:
    """Write to a temporary file and rename it, so that a crash leaves the old or the new file."""
    beside = path.with_name(path.name + ".new")
    beside.write_bytes(data)
    os.replace(beside, path)


def _saved_messages(channel: Channel) -> list[Message]:
    return [message for message in channel.messages if message.only_for is None][-MAX_MESSAGES:]


def _dump_world(world: World) -> Json:
    return {
        "format": FORMAT,
        "last_id": world.ids.last,
        "ahead": world.clock.ahead,
        "guild_id": world.guild_id,
        "branches": world.branches,
        "bot_id": world.bot.id,
        "bot_role_id": world.bot_role_id,
        "roles": [[role.id, role.name, int(role.permissions)] for role in world.roles.values()],
        "users": [asdict(user) for user in world.users.values()],
        "channels": [_dump_channel(channel) for channel in world.channels.values()],
        "commands": world.commands,
        "guild_commands": world.guild_commands,
        "events": [asdict(event) for event in world.events.values()],
        "emojis": [[emoji.id, emoji.name, b64encode(emoji.image).decode()] for emoji in world.emojis.values()],
    }


def _dump_channel(channel: Channel) -> Json:
    plain = {name: getattr(channel, name) for name in Channel.__slots__ if name not in ("messages", "overwrites")}
    overwrites = {str(user): [int(o.allow), int(o.deny)] for user, o in channel.overwrites.items()}
    return {
        **plain,
        "overwrites": overwrites,
        "messages": [_dump_message(message) for message in _saved_messages(channel)],
    }


def _dump_message(message: Message) -> Json:
    plain = {name: getattr(message, name) for name in Message.__slots__ if name != "attachments"}
    return {**plain, "attachments": [_dump_attachment(attachment) for attachment in message.attachments]}


def _dump_attachment(attachment: Attachment) -> Json:
    return {name: getattr(attachment, name) for name in Attachment.__slots__ if name != "data"}


def _load_world(world: World, saved: Json, images: Path) -> None:
    users = {user["id"]: User(**user) for user in saved["users"]}
    channels = {channel["id"]: _load_channel(channel, images) for channel in saved["channels"]}
    world.users, world.channels = users, channels
    world.guild_id, world.bot_role_id = saved["guild_id"], saved["bot_role_id"]
    world.branches = saved.get("branches", [])  # missing in files from before shards existed
    world.bot = users[saved["bot_id"]]
    world.roles = {role_id: Role(role_id, name, Permission(bits)) for role_id, name, bits in saved.get("roles", ())}
    if not world.roles:  # missing in files from before roles existed
        world.create_roles()
    world.commands, world.guild_commands = saved["commands"], saved["guild_commands"]
    emojis = [Emoji(key, name, b64decode(image)) for key, name, image in saved.get("emojis", ())]
    world.emojis = {emoji.id: emoji for emoji in emojis}
    events = [ScheduledEvent(**event) for event in saved.get("events", ())]  # missing in files from before events
    world.events = {event.id: event for event in events}
    world.clock.advance(saved.get("ahead", 0.0))  # missing in files from before the clock could be moved
    # Ids must keep increasing, even if the system clock was set back.
    world.ids.last = max(world.ids.last, saved["last_id"])


def _load_channel(saved: Json, images: Path) -> Channel:
    overwrites = {int(user): Overwrite(*map(Permission, bits)) for user, bits in saved["overwrites"].items()}
    messages = [_load_message(message, images) for message in saved["messages"]]
    kind = ChannelKind(saved["kind"])
    return Channel(**{**saved, "kind": kind, "overwrites": overwrites, "messages": messages})


def _load_message(saved: Json, images: Path) -> Message:
    attachments = [_load_attachment(attachment, images) for attachment in saved["attachments"]]
    return Message(**{**saved, "attachments": attachments})


def _load_attachment(saved: Json, images: Path) -> Attachment:
    # JSON has no tuples.
    size: Any = tuple(saved["size"]) if saved["size"] else None
    return Attachment(**{**saved, "size": size, "data": (images / str(saved["id"])).read_bytes()})
