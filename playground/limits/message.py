"""Rules for messages: text, embeds, files, and fields that V2 components exclude."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from playground.components import Kind, media_of, texts, walk
from playground.limits import table
from playground.limits.measure import check_count, check_length, check_unique
from playground.limits.parts import part_flaws
from playground.wire import COMPONENTS_V2, Flaw, Json, Upload
from playground.world import Message

_TOP_LEVEL_V2 = frozenset(
    {
        Kind.ACTION_ROW,
        Kind.TEXT_DISPLAY,
        Kind.SECTION,
        Kind.MEDIA_GALLERY,
        Kind.SEPARATOR,
        Kind.FILE,
        Kind.CONTAINER,
    }
)


def message_flaws(body: Json, *, file_names: Sequence[str] = (), previous: Message | None = None) -> list[Flaw]:
    """The flaws of a message request with these resulting files; `previous` is the message before an edit."""
    return [
        *check_length("content", body.get("content"), table.CONTENT),
        *check_length("nonce", None if body.get("nonce") is None else str(body["nonce"]), table.NONCE),
        *_embed_flaws(body.get("embeds") or []),
        *_attachment_flaws(body.get("attachments") or [], file_names),
        *_mention_flaws(body.get("allowed_mentions") or {}),
        *_component_flaws(body, previous),
        *_media_flaws(body, file_names),
    ]


def is_empty(body: Json, *, has_files: bool, previous: Message | None) -> bool:
    """Whether the message would be completely empty."""
    if has_files or body.get("poll") or body.get("sticker_ids"):
        return False
    remaining = {key: getattr(previous, key) for key in ("content", "embeds", "components")} if previous else {}
    return not any({**remaining, **body}.get(key) for key in ("content", "embeds", "components"))


def size_problem(uploads: Sequence[Upload]) -> str | None:
    """The reason why the files are too large, each or in total, or None."""
    for upload in uploads:
        if len(upload.data) > table.FILE_BYTES:
            return f"{upload.filename} has {len(upload.data)} bytes, the limit is {table.FILE_BYTES}"
    total = sum(len(upload.data) for upload in uploads)
    return f"{total} bytes together, the limit is {table.REQUEST_BYTES}" if total > table.REQUEST_BYTES else None


def _embed_flaws(embeds: list[Json]) -> Iterator[Flaw]:
    yield from check_count("embeds", embeds, table.EMBEDS)
    text_length = 0
    for index, embed in enumerate(embeds):
        for path, text, most in _embed_texts(embed):
            yield from check_length(f"embeds.{index}.{path}", text, most)
            text_length += len(text or "")
        yield from check_count(f"embeds.{index}.fields", embed.get("fields"), table.EMBED_FIELDS)
    if text_length > table.EMBED_TEXT_TOGETHER:
        yield Flaw("embeds", f"{text_length} characters in all embeds, the limit is {table.EMBED_TEXT_TOGETHER}")


def _embed_texts(embed: Json) -> Iterator[tuple[str, str | None, int]]:
    yield "title", embed.get("title"), table.EMBED_TITLE
    yield "description", embed.get("description"), table.EMBED_DESCRIPTION
    yield "footer.text", (embed.get("footer") or {}).get("text"), table.EMBED_FOOTER
    yield "author.name", (embed.get("author") or {}).get("name"), table.EMBED_AUTHOR
    for index, field in enumerate(embed.get("fields") or ()):
        yield f"fields.{index}.name", field.get("name"), table.EMBED_FIELD_NAME
        yield f"fields.{index}.value", field.get("value"), table.EMBED_FIELD_VALUE


def _attachment_flaws(entries: list[Json], file_names: Sequence[str]) -> Iterator[Flaw]:
    if len(file_names) > table.ATTACHMENTS:
        yield Flaw("attachments", f"at most {table.ATTACHMENTS} files, there are {len(file_names)}")
    for index, entry in enumerate(entries):
        yield from check_length(
            f"attachments.{index}.description", entry.get("description"), table.ATTACHMENT_DESCRIPTION
        )


def _mention_flaws(allowed: Json) -> Iterator[Flaw]:
    users = allowed.get("users") or []
    yield from check_count("allowed_mentions.users", users, table.MENTIONED_USERS)
    if users and "users" in (allowed.get("parse") or ()):
        yield Flaw("allowed_mentions", "either parse users or list them")


def _component_flaws(body: Json, previous: Message | None) -> Iterator[Flaw]:
    parts = list(walk(body.get("components") or []))
    v2 = bool(int(body.get("flags") or 0) & COMPONENTS_V2)
    if previous and previous.is_v2 and body.get("flags") is not None and not v2:
        yield Flaw("flags", "IS_COMPONENTS_V2 cannot be removed by an edit")
    # An edit does not have to repeat the flag.
    v2 = v2 or bool(previous and previous.is_v2)
    for path, part in parts:
        yield from part_flaws(path, part)
    # Discord rejects duplicates, although its OpenAPI file does not say so.
    yield from check_unique(_values(parts, "custom_id"), "the custom_id")
    yield from check_unique(_values(parts, "id"), "the component id")
    if v2:
        yield from _v2_flaws(body, parts, previous)
    else:
        yield from _legacy_flaws(body)


def _values(parts: list[tuple[str, Json]], key: str) -> Iterator[tuple[str, object]]:
    return ((f"{path}.{key}", part[key]) for path, part in parts if part.get(key))


def _v2_flaws(body: Json, parts: list[tuple[str, Json]], previous: Message | None) -> Iterator[Flaw]:
    # An edit keeps fields that it does not mention, so they must be cleared in the same request.
    remaining = {"content": bool(previous and previous.content), "embeds": bool(previous and previous.embeds)}
    for key in ("content", "embeds", "poll", "sticker_ids"):
        if body[key] if key in body else remaining.get(key):
            yield Flaw(key, "is not allowed with V2 components")
    if len(parts) > table.V2_COMPONENTS:
        yield Flaw("components", f"{len(parts)} components, nested ones included; the limit is {table.V2_COMPONENTS}")
    text_length = sum(map(len, texts(body.get("components") or [])))
    if text_length > table.V2_TEXT:
        yield Flaw("components", f"{text_length} characters of text in total; the limit is {table.V2_TEXT}")
    for index, part in enumerate(body.get("components") or []):
        if part.get("type") not in _TOP_LEVEL_V2:
            yield Flaw(
                f"components.{index}", f"component type {part.get('type')} is not allowed at the top level of a message"
            )


def _legacy_flaws(body: Json) -> Iterator[Flaw]:
    rows = body.get("components") or []
    if any(row.get("type") != Kind.ACTION_ROW for row in rows):
        yield Flaw("components", "V2 components need the flag IS_COMPONENTS_V2")
    elif len(rows) > table.ROWS:
        yield Flaw("components", f"at most {table.ROWS} rows, there are {len(rows)}")


def _media_flaws(body: Json, file_names: Sequence[str]) -> Iterator[Flaw]:
    """Every `attachment://name` must refer to a file of the message."""
    media_by_path = [
        (f"{path}.{rest}", media) for path, part in walk(body.get("components") or []) for rest, media in media_of(part)
    ]
    for index, embed in enumerate(body.get("embeds") or ()):
        media_by_path += [(f"embeds.{index}.{key}", embed[key]) for key in ("image", "thumbnail") if embed.get(key)]
    for path, media in media_by_path:
        url = str(media.get("url", ""))
        if url.startswith("attachment://") and url.removeprefix("attachment://") not in file_names:
            yield Flaw(f"{path}.url", f"no file of this message is called {url.removeprefix('attachment://')}")
