"""Write messages from the bot's payloads: attachments, mentions, resolved media, retained files."""

from __future__ import annotations

import mimetypes
import re
import struct
from collections.abc import Iterable, Iterator

from playground import components, limits
from playground.payloads import Payloads
from playground.wire import COMPONENTS_V2, EPHEMERAL, SUPPRESS_NOTIFICATIONS, ApiError, Flaw, Json, Upload, invalid_form
from playground.world import Attachment, Channel, Message, User, World

# The old form with `!` is still valid.
USER_MENTION = re.compile(r"<@!?(\d+)>")
PNG_MAGIC = b"\x89PNG\r\n\x1a\n"
GIF_MAGICS = (b"GIF87a", b"GIF89a")
# Flags that a bot may set; bit 2 is SUPPRESS_EMBEDS.
SETTABLE_FLAGS = COMPONENTS_V2 | SUPPRESS_NOTIFICATIONS | (1 << 2)


EMOJI_IN_TEXT = re.compile(r"<a?:\w+:(\d+)>")


class MessageWriter:
    """Writes messages into the world from checked payloads. Does not announce them."""

    def __init__(self, world: World, payloads: Payloads) -> None:
        self._world = world
        self._payloads = payloads

    def write(
        self,
        channel: Channel,
        author: User,
        body: Json,
        uploads: list[Upload],
        *,
        only_for: User | None = None,
        cause: Json | None = None,
    ) -> Message:
        """Create a message from a request body. Raises ApiError if the body breaks a rule."""
        self._check(body, uploads)
        flags = int(body.get("flags") or 0) & SETTABLE_FLAGS
        message = Message(
            self._world.ids.next(),
            channel.id,
            author.id,
            flags=flags | (EPHEMERAL if only_for else 0),
            only_for=only_for.id if only_for else None,
            cause=cause,
            # Discord also accepts a number.
            nonce=str(body["nonce"]) if body.get("nonce") is not None else None,
            reply_to=_reference(body),
            # On Discord, 20 is a response to a command, and 19 a reply.
            kind=20 if cause and cause["type"] == 2 else 19 if _reference(body) else 0,
        )
        self._fill(message, body, uploads)
        self._note_pings(message)
        channel.messages.append(message)
        return message

    def rewrite(self, message: Message, body: Json, uploads: list[Upload]) -> None:
        """Apply an edit. Absent fields stay, and `attachments` lists the old files to keep."""
        self._check(body, uploads, message)
        if "flags" in body:
            message.flags = (message.flags & ~SETTABLE_FLAGS) | (int(body["flags"] or 0) & SETTABLE_FLAGS)
        first_fill = message.thinking
        message.thinking = False
        self._fill(message, body, uploads)
        # Filling a deferred response notifies like a new message and does not count as an edit.
        if first_fill:
            self._note_pings(message)
        else:
            message.edited_at = self._world.clock.now()

    def _check(self, body: Json, uploads: list[Upload], old: Message | None = None) -> None:
        too_large = limits.size_problem(uploads)
        if too_large:
            raise ApiError(413, 40005, f"Request entity too large ({too_large})")
        retained = self._kept_files(old, body)
        flaws = limits.message_flaws(
            body,
            file_names=[attachment.filename for attachment in retained] + [upload.filename for upload in uploads],
            # A deferred response has no layout yet; the edit sets it.
            previous=old if old and not old.thinking else None,
        )
        if flaws := [*flaws, *self._emoji_flaws(body)]:
            raise invalid_form(flaws)
        if limits.is_empty(body, has_files=bool(retained or uploads), previous=old):
            raise ApiError(400, 50006, "Cannot send an empty message")

    def _emoji_flaws(self, body: Json) -> Iterator[Flaw]:
        """Unknown emojis. Discord refuses the message because of one on a control; for one in a text, it shows the bare
        name, which no bot wants.
        """
        for path, part in components.walk(body.get("components") or []):
            for emoji_id in EMOJI_IN_TEXT.findall(part.get("content") or ""):
                if int(emoji_id) not in self._world.emojis:
                    yield Flaw(f"{path}.content", f"unknown emoji {emoji_id}")
            for emoji in (part.get("emoji"), *(option.get("emoji") for option in part.get("options") or ())):
                if emoji and emoji.get("id") and int(emoji["id"]) not in self._world.emojis:
                    yield Flaw(f"{path}.emoji.id", "Invalid emoji")

    def _fill(self, message: Message, body: Json, uploads: list[Upload]) -> None:
        message.attachments = [*self._kept_files(message, body), *self._new_attachments(body, uploads)]
        if "content" in body:
            message.content = body["content"] or ""
        if "embeds" in body:
            message.embeds = [self._embed(message, embed) for embed in body["embeds"] or []]
        if "components" in body:
            message.components = components.echo(body["components"] or [], lambda url: self._media(message, url))
        message.mentions = self._mentions(message, body.get("allowed_mentions"))

    def _kept_files(self, message: Message | None, body: Json) -> list[Attachment]:
        """The old files that stay: all of them, unless the edit lists the ones to keep."""
        if message is None:
            return []
        # If absent, all old files stay; an empty list removes them.
        if body.get("attachments") is None:
            return message.attachments
        entries = {str(entry.get("id")): entry for entry in body["attachments"]}
        retained = [attachment for attachment in message.attachments if str(attachment.id) in entries]
        for attachment in retained:
            attachment.description = entries[str(attachment.id)].get("description", attachment.description)
        return retained

    def _new_attachments(self, body: Json, uploads: list[Upload]) -> Iterable[Attachment]:
        # New files are described by their index in the request, old ones by their id.
        entries = {str(entry.get("id")): entry for entry in body.get("attachments") or []}
        for index, upload in enumerate(uploads):
            entry = entries.get(str(index), {})
            yield Attachment(
                self._world.ids.next(),
                entry.get("filename") or upload.filename,
                mimetypes.guess_type(upload.filename)[0] or "application/octet-stream",
                upload.data,
                entry.get("description"),
                picture_size(upload.data),
            )

    def _media(self, message: Message, url: str) -> Json:
        """The resolved media object for a URL; `attachment://name` becomes the served URL."""
        name = url.removeprefix("attachment://")
        for attachment in message.attachments:
            served = self._payloads.attachment_url(message.channel_id, attachment)
            # When discord.py edits a received message, it sends back the served URL.
            if url == served or (url.startswith("attachment://") and name == attachment.filename):
                width, height = attachment.size or (None, None)
                return {
                    "id": str(attachment.id),
                    "url": served,
                    "proxy_url": served,
                    "width": width,
                    "height": height,
                    "content_type": attachment.content_type,
                    "attachment_id": str(attachment.id),
                    "filename": attachment.filename,
                    "size": len(attachment.data),
                }
        return {"id": str(self._world.ids.next()), "url": url, "proxy_url": url, "content_type": None}

    def _embed(self, message: Message, embed: Json) -> Json:
        resolved: Json = {"type": "rich", **embed}
        for key in ("image", "thumbnail"):
            if isinstance(embed.get(key), dict):
                media = self._media(message, str(embed[key].get("url", "")))
                resolved[key] = {key: media[key] for key in ("url", "proxy_url", "width", "height") if media.get(key)}
        return resolved

    def _mentions(self, message: Message, allowed: Json | None) -> list[int]:
        written = "\n".join([message.content, *components.texts(message.components)])
        user_ids = dict.fromkeys(map(int, USER_MENTION.findall(written)))
        # Without `allowed_mentions`, every mention in a message notifies.
        if allowed is not None and "users" not in (allowed.get("parse") or ()):
            allowed_ids = set(map(str, allowed.get("users") or ()))
            user_ids = dict.fromkeys(user_id for user_id in user_ids if str(user_id) in allowed_ids)
        return [user_id for user_id in user_ids if user_id in self._world.users]

    def _note_pings(self, message: Message) -> None:
        """Record the users to notify: allowed mentions in a new, public message that is not silent."""
        if not message.is_silent and message.only_for is None:
            message.pinged = [user_id for user_id in message.mentions if user_id != message.author_id]


def _reference(body: Json) -> int | None:
    reference = body.get("message_reference")
    return int(reference["message_id"]) if reference else None


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Width and height from the header of a PNG or GIF, or None for other files."""
    for magic, layout, start in (*((magic, "<HH", 6) for magic in GIF_MAGICS), (PNG_MAGIC, ">II", 16)):
        if data.startswith(magic) and len(data) >= start + struct.calcsize(layout):
            width, height = struct.unpack_from(layout, data, start)
            return width, height
    return None
