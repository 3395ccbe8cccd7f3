"""Turning what the bot sends into messages: attachments, mentions, resolved media, retained files."""

from __future__ import annotations

import mimetypes
import re
import struct
from collections.abc import Iterable

from playground import components, limits
from playground.payloads import Payloads
from playground.wire import COMPONENTS_V2, EPHEMERAL, SUPPRESS_NOTIFICATIONS, ApiError, Json, Upload, invalid_form
from playground.world import Attachment, Channel, Message, User, World

# the form with `!` is old, and still understood
USER_MENTION = re.compile(r"<@!?(\d+)>")
PNG_MAGIC = b"\x89PNG\r\n\x1a\n"
GIF_MAGICS = (b"GIF87a", b"GIF89a")
# the flags that a bot may set itself; bit 2 is SUPPRESS_EMBEDS
KEPT_FLAGS = COMPONENTS_V2 | SUPPRESS_NOTIFICATIONS | (1 << 2)


class MessageWriter:
    """Writes messages into the world from checked payloads; announces nothing."""

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
        """A new message from a request body; raises ApiError when the body breaks a rule."""
        self._check(body, uploads)
        flags = int(body.get("flags") or 0) & KEPT_FLAGS
        message = Message(
            self._world.ids.next(),
            channel.id,
            author.id,
            flags=flags | (EPHEMERAL if only_for else 0),
            only_for=only_for.id if only_for else None,
            cause=cause,
            # Discord takes a number, too
            nonce=str(body["nonce"]) if body.get("nonce") is not None else None,
            reply_to=_reference(body),
            # Discord: 20 for the answer to a command, 19 for a reply
            kind=20 if cause and cause["type"] == 2 else 19 if _reference(body) else 0,
        )
        self._fill(message, body, uploads)
        self._note_pings(message)
        channel.messages.append(message)
        return message

    def rewrite(self, message: Message, body: Json, uploads: list[Upload]) -> None:
        """Apply an edit: absent fields stay, `attachments` decides which old files stay."""
        self._check(body, uploads, message)
        if "flags" in body:
            message.flags = (message.flags & ~KEPT_FLAGS) | (int(body["flags"] or 0) & KEPT_FLAGS)
        first_fill = message.thinking
        message.thinking = False
        self._fill(message, body, uploads)
        # the edit that fills a deferred answer notifies like a new message, and does not count as an edit
        if first_fill:
            self._note_pings(message)
        else:
            message.edited_at = self._world.clock.now()

    def _check(self, body: Json, uploads: list[Upload], old: Message | None = None) -> None:
        too_large = limits.oversized(uploads)
        if too_large:
            raise ApiError(413, 40005, f"Request entity too large ({too_large})")
        kept = self._kept(old, body)
        flaws = limits.message_flaws(
            body,
            file_names=[attachment.filename for attachment in kept] + [upload.filename for upload in uploads],
            # a deferred answer was nothing yet: its layout comes with the edit
            was=old if old and not old.thinking else None,
        )
        if flaws:
            raise invalid_form(flaws)
        if limits.is_empty(body, has_files=bool(kept or uploads), was=old):
            raise ApiError(400, 50006, "Cannot send an empty message")

    def _fill(self, message: Message, body: Json, uploads: list[Upload]) -> None:
        message.attachments = [*self._kept(message, body), *self._stored(body, uploads)]
        if "content" in body:
            message.content = body["content"] or ""
        if "embeds" in body:
            message.embeds = [self._embed(message, embed) for embed in body["embeds"] or []]
        if "components" in body:
            message.components = components.echo(body["components"] or [], lambda url: self._media(message, url))
        message.mentions = self._mentioned(message, body.get("allowed_mentions"))

    def _kept(self, message: Message | None, body: Json) -> list[Attachment]:
        """The old files that survive: all of them unless the edit lists the ones to keep."""
        if message is None:
            return []
        # absent: all old files stay. An empty list, however, removes them
        if body.get("attachments") is None:
            return message.attachments
        wanted = {str(entry.get("id")): entry for entry in body["attachments"]}
        kept = [attachment for attachment in message.attachments if str(attachment.id) in wanted]
        for attachment in kept:
            attachment.description = wanted[str(attachment.id)].get("description", attachment.description)
        return kept

    def _stored(self, body: Json, uploads: list[Upload]) -> Iterable[Attachment]:
        # new files are described by their number in the request, old ones by their id
        described = {str(entry.get("id")): entry for entry in body.get("attachments") or []}
        for index, upload in enumerate(uploads):
            entry = described.get(str(index), {})
            yield Attachment(
                self._world.ids.next(),
                entry.get("filename") or upload.filename,
                mimetypes.guess_type(upload.filename)[0] or "application/octet-stream",
                upload.data,
                entry.get("description"),
                picture_size(upload.data),
            )

    def _media(self, message: Message, url: str) -> Json:
        """The unfurled media object for a URL; `attachment://name` becomes the served address."""
        name = url.removeprefix("attachment://")
        for attachment in message.attachments:
            served = self._payloads.attachment_url(message.channel_id, attachment)
            # discord.py sends back the address it was given when it edits a message that it has received
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
        shown: Json = {"type": "rich", **embed}
        for key in ("image", "thumbnail"):
            if isinstance(embed.get(key), dict):
                media = self._media(message, str(embed[key].get("url", "")))
                shown[key] = {key: media[key] for key in ("url", "proxy_url", "width", "height") if media.get(key)}
        return shown

    def _mentioned(self, message: Message, allowed: Json | None) -> list[int]:
        written = "\n".join([message.content, *components.texts(message.components)])
        found = dict.fromkeys(map(int, USER_MENTION.findall(written)))
        # without `allowed_mentions`, Discord lets everything in a message notify
        if allowed is not None and "users" not in (allowed.get("parse") or ()):
            named = set(map(str, allowed.get("users") or ()))
            found = dict.fromkeys(user_id for user_id in found if str(user_id) in named)
        return [user_id for user_id in found if user_id in self._world.users]

    def _note_pings(self, message: Message) -> None:
        """Who gets a notification: mentioned, allowed, in a message that is new, public and not silent."""
        if not message.silent and message.only_for is None:
            message.pinged = [user_id for user_id in message.mentions if user_id != message.author_id]


def _reference(body: Json) -> int | None:
    reference = body.get("message_reference")
    return int(reference["message_id"]) if reference else None


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Width and height from the header of a PNG or a GIF; None for other files."""
    for magic, layout, start in (*((magic, "<HH", 6) for magic in GIF_MAGICS), (PNG_MAGIC, ">II", 16)):
        if data.startswith(magic) and len(data) >= start + struct.calcsize(layout):
            width, height = struct.unpack_from(layout, data, start)
            return width, height
    return None
