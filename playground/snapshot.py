"""Keeping the world across restarts: one JSON file and a folder of images beside it.

Private messages are left out, as Discord forgets them when the app is closed.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from playground.permissions import Permission
from playground.wire import Json
from playground.world import Attachment, Channel, ChannelKind, Message, Overwrite, Role, User, World

FORMAT = 1
PAUSE = 0.5
MESSAGES_KEPT = 200


class BrokenSnapshot(Exception):
    """The file cannot be read; it has been set aside. The text is a sentence for the person."""


class Snapshot:
    """The saved world in a folder; `written` is set whenever it has been saved.

    `base` gives the address under which images are served now; messages name it, so it is mended after a restart
    on another port.
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
        """Fill the world from the file, if any; raises BrokenSnapshot after setting an unreadable one aside."""
        if not self._file.exists():
            return
        try:
            text = self._file.read_text(encoding="utf-8")
            saved = json.loads(text)
            if saved["format"] != FORMAT:
                raise ValueError(f"format {saved['format']}")
            # in the text, since addresses of images are spread over components and embeds
            saved = json.loads(text.replace(saved["base"], self._base()))
            _fill(self._world, saved, self._images)
        except (ValueError, KeyError, TypeError, OSError) as error:
            aside = self._file.with_suffix(".broken")
            os.replace(self._file, aside)
            raise BrokenSnapshot(
                f"The saved chat could not be read ({error!r}), so it starts empty; the old file is kept as {aside}."
            ) from error

    def note_change(self) -> None:
        """Save a moment from now, once for all changes until then."""
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
        # one after the other: an older state must not overwrite a newer one
        if self._writing is not None and not self._writing.done():
            self._due = asyncio.get_running_loop().call_later(self._pause, self._begin_writing)
            return
        self._due = None
        self._writing = asyncio.create_task(self._write())

    async def _write(self) -> None:
        # put together here, in the event loop: in the thread, the world would change meanwhile
        text = json.dumps({"base": self._base(), **_saved(self._world)})
        kept = [message for channel in self._world.channels.values() for message in _kept(channel)]
        images = {str(attachment.id): attachment.data for message in kept for attachment in message.attachments}
        await asyncio.to_thread(self._store, text, images)
        self.written.set()

    def _store(self, text: str, images: dict[str, bytes]) -> None:
        """Images first, then the file that names them, then the images nobody names any more."""
        self._images.mkdir(parents=True, exist_ok=True)
        there = {path.name for path in self._images.iterdir()}
        for name in images.keys() - there:
            _replace(self._images / name, images[name])
        _replace(self._file, text.encode())
        for name in there - images.keys():
            (self._images / name).unlink(missing_ok=True)


def _replace(path: Path, data: bytes) -> None:
    """Write beside and rename, so that a crash leaves either the old file or the new one."""
    beside = path.with_name(path.name + ".new")
    beside.write_bytes(data)
    os.replace(beside, path)


def _kept(channel: Channel) -> list[Message]:
    return [message for message in channel.messages if message.only_for is None][-MESSAGES_KEPT:]


def _saved(world: World) -> Json:
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
        "channels": [_saved_channel(channel) for channel in world.channels.values()],
        "commands": world.commands,
        "guild_commands": world.guild_commands,
    }


def _saved_channel(channel: Channel) -> Json:
    plain = {name: getattr(channel, name) for name in Channel.__slots__ if name not in ("messages", "overwrites")}
    overwrites = {str(user): [int(o.allow), int(o.deny)] for user, o in channel.overwrites.items()}
    return {**plain, "overwrites": overwrites, "messages": [_saved_message(message) for message in _kept(channel)]}


def _saved_message(message: Message) -> Json:
    plain = {name: getattr(message, name) for name in Message.__slots__ if name != "attachments"}
    return {**plain, "attachments": [_saved_attachment(attachment) for attachment in message.attachments]}


def _saved_attachment(attachment: Attachment) -> Json:
    return {name: getattr(attachment, name) for name in Attachment.__slots__ if name != "data"}


def _fill(world: World, saved: Json, images: Path) -> None:
    users = {user["id"]: User(**user) for user in saved["users"]}
    channels = {channel["id"]: _channel(channel, images) for channel in saved["channels"]}
    world.users, world.channels = users, channels
    world.guild_id, world.bot_role_id = saved["guild_id"], saved["bot_role_id"]
    world.branches = saved.get("branches", [])  # none in files from before there were shards
    world.bot = users[saved["bot_id"]]
    world.roles = {role_id: Role(role_id, name, Permission(bits)) for role_id, name, bits in saved.get("roles", ())}
    if not world.roles:  # kept before there were any
        world.found_roles()
    world.commands, world.guild_commands = saved["commands"], saved["guild_commands"]
    world.clock.advance(saved.get("ahead", 0.0))  # none in files from before the clock could be moved
    # ids must go on rising, even if the clock of the machine was set back
    world.ids.last = max(world.ids.last, saved["last_id"])


def _channel(saved: Json, images: Path) -> Channel:
    overwrites = {int(user): Overwrite(*map(Permission, bits)) for user, bits in saved["overwrites"].items()}
    messages = [_message(message, images) for message in saved["messages"]]
    kind = ChannelKind(saved["kind"])
    return Channel(**{**saved, "kind": kind, "overwrites": overwrites, "messages": messages})


def _message(saved: Json, images: Path) -> Message:
    attachments = [_attachment(attachment, images) for attachment in saved["attachments"]]
    return Message(**{**saved, "attachments": attachments})


def _attachment(saved: Json, images: Path) -> Attachment:
    # JSON has no tuples
    size: Any = tuple(saved["size"]) if saved["size"] else None
    return Attachment(**{**saved, "size": size, "data": (images / str(saved["id"])).read_bytes()})
