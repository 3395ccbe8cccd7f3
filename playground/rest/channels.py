"""Routes for channels, threads, pins, reactions and typing."""

from __future__ import annotations

from urllib.parse import unquote

from playground.permissions import Permission
from playground.rest.call import MISSING_PERMISSIONS, Answer, Call, route
from playground.wire import ApiError, Json, unknown
from playground.world import Channel, ChannelKind, Message

MAX_THREAD_NAME = 100
# An hour, a day, three days, a week.
ARCHIVE_MINUTES = (60, 1440, 4320, 10080)


@route("GET", "/channels/{channel_id}")
def get_channel(call: Call) -> Answer:
    return 200, call.local.payloads.channel(call.channel())


@route("PATCH", "/channels/{channel_id}")
def edit_channel(call: Call) -> Answer:
    channel = call.channel()
    if channel.is_thread:
        _edit_thread(call, channel, call.json)
    else:
        channel = call.channel(Permission.MANAGE_CHANNELS)
        channel.name = call.json.get("name") or channel.name
        channel.topic = call.json.get("topic", channel.topic)
    call.local.change_channel(channel)
    return 200, call.local.payloads.channel(channel)


@route("DELETE", "/channels/{channel_id}")
def delete_channel(call: Call) -> Answer:
    channel = call.channel()
    channel = call.channel(Permission.MANAGE_THREADS if channel.is_thread else Permission.MANAGE_CHANNELS)
    payload = call.local.payloads.channel(channel)
    call.local.close_channel(channel)
    return 200, payload


@route("POST", "/channels/{channel_id}/typing")
def type_in_channel(call: Call) -> Answer:
    call.local.typing(call.channel(Permission.SEND_MESSAGES))
    return 204, None


@route("POST", "/channels/{channel_id}/messages/{message_id}/threads")
def thread_from_message(call: Call) -> Answer:
    channel = call.channel(Permission.CREATE_PUBLIC_THREADS)
    message = call.message(channel)
    if message.thread_id is not None:
        # On Discord, a message has at most one thread, with the id of that message.
        raise ApiError(400, 160004, "A thread has already been created for this message")
    thread = _new_thread(call, channel, ChannelKind.PUBLIC_THREAD, message.id)
    message.thread_id = thread.id
    call.local.open_channel(thread)
    call.local.revise(message)
    # 201, unlike other routes that create something.
    return 201, call.local.payloads.channel(thread)


@route("POST", "/channels/{channel_id}/threads")
def thread_without_message(call: Call) -> Answer:
    kind = ChannelKind(int(call.json.get("type") or ChannelKind.PRIVATE_THREAD))
    private = kind is ChannelKind.PRIVATE_THREAD
    permission = Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS
    channel = call.channel(permission)
    thread = _new_thread(call, channel, kind, call.local.world.ids.next())
    call.local.open_channel(thread)
    return 201, call.local.payloads.channel(thread)


@route("GET", "/channels/{channel_id}/thread-members")
def get_thread_members(call: Call) -> Answer:
    thread = _thread(call)
    return 200, [call.local.payloads.thread_member(thread, user_id) for user_id in thread.members]


@route("PUT", "/channels/{channel_id}/thread-members/@me")
def join_thread(call: Call) -> Answer:
    call.local.join_thread(_thread(call), call.bot)
    return 204, None


@route("PUT", "/channels/{channel_id}/thread-members/{user_id}")
def add_thread_member(call: Call) -> Answer:
    thread = _thread(call)
    if thread.archived:
        raise ApiError(400, 50083, "Thread is archived")
    call.channel(Permission.SEND_MESSAGES_IN_THREADS)
    call.local.join_thread(thread, call.user())
    return 204, None


@route("GET", "/channels/{channel_id}/messages/pins")
def get_pins(call: Call) -> Answer:
    channel = call.channel(Permission.READ_MESSAGE_HISTORY)
    pinned = [message for message in channel.messages if message.pinned]
    items = [
        {"pinned_at": call.local.clock.isoformat(message.edited_at), "message": call.local.payloads.message(message)}
        for message in pinned
    ]
    return 200, {"items": items, "has_more": False}


@route("PUT", "/channels/{channel_id}/messages/pins/{message_id}")
def pin(call: Call) -> Answer:
    return _pin(call, pinned=True)


@route("DELETE", "/channels/{channel_id}/messages/pins/{message_id}")
def unpin(call: Call) -> Answer:
    return _pin(call, pinned=False)


@route("PUT", "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me")
def add_reaction(call: Call) -> Answer:
    message, emoji = _reaction_target(call)
    users = message.reactions.setdefault(emoji, [])
    if call.bot.id not in users:
        users.append(call.bot.id)
        call.local.react(message, call.bot, emoji, added=True)
    return 204, None


@route("DELETE", "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me")
def remove_reaction(call: Call) -> Answer:
    message, emoji = _reaction_target(call)
    users = message.reactions.get(emoji, [])
    if call.bot.id in users:
        users.remove(call.bot.id)
        if not users:
            del message.reactions[emoji]
        call.local.react(message, call.bot, emoji, added=False)
    return 204, None


def _thread(call: Call) -> Channel:
    channel = call.channel()
    if not channel.is_thread:
        raise ApiError(400, 50024, "Cannot execute action on this channel type")
    return channel


def _new_thread(call: Call, parent: Channel, kind: ChannelKind, thread_id: int) -> Channel:
    if parent.kind is not ChannelKind.TEXT:
        raise ApiError(400, 50024, "Cannot execute action on this channel type")
    name = str(call.json.get("name") or "")
    if not 1 <= len(name) <= MAX_THREAD_NAME:
        raise ApiError(400, 50035, f"Invalid Form Body: name must be 1 to {MAX_THREAD_NAME} characters long")
    return Channel(
        thread_id,
        name,
        kind=kind,
        parent_id=parent.id,
        owner_id=call.bot.id,
        members=[call.bot.id],
        auto_archive_minutes=_archive_minutes(call.json, 1440),
    )


def _archive_minutes(body: Json, otherwise: int) -> int:
    minutes = int(body.get("auto_archive_duration") or otherwise)
    if minutes not in ARCHIVE_MINUTES:
        raise ApiError(400, 50035, f"Invalid Form Body: auto_archive_duration must be one of {ARCHIVE_MINUTES}")
    return minutes


def _edit_thread(call: Call, thread: Channel, body: Json) -> None:
    if not _may_edit_thread(call.local.world.permissions(call.bot, thread), thread, body, call.bot.id):
        raise ApiError(403, MISSING_PERMISSIONS, "Missing Permissions")
    # The only possible change of an archived thread is to reopen it.
    if thread.archived and body.get("archived", True):
        raise ApiError(400, 50083, "Thread is archived")
    was_archived = thread.archived
    thread.name = body.get("name") or thread.name
    thread.archived = bool(body.get("archived", thread.archived))
    thread.locked = bool(body.get("locked", thread.locked))
    thread.auto_archive_minutes = _archive_minutes(body, thread.auto_archive_minutes)
    # On Discord, reopening a thread or changing its archive time postpones the archiving.
    if (was_archived and not thread.archived) or "auto_archive_duration" in body:
        call.local.restart_archiving(thread)


def _may_edit_thread(granted: Permission, thread: Channel, body: Json, user_id: int) -> bool:
    """Thread managers may do everything, its creator may rename and archive it, and its writers may reopen it."""
    if granted & Permission.MANAGE_THREADS:
        return True
    if thread.locked or "locked" in body:
        return False
    opens = body == {"archived": False} and bool(granted & Permission.SEND_MESSAGES_IN_THREADS)
    return opens or thread.owner_id == user_id


def _pin(call: Call, *, pinned: bool) -> Answer:
    # Since 2026-02-23, Manage Messages is not sufficient.
    channel = call.channel(Permission.PIN_MESSAGES) if not call.channel().is_dm else call.channel()
    message = call.message(channel)
    message.pinned = pinned
    call.local.revise(message)
    return 204, None


def _reaction_target(call: Call) -> tuple[Message, str]:
    channel = call.channel(Permission.ADD_REACTIONS, Permission.READ_MESSAGE_HISTORY)
    emoji = unquote(call.ids["emoji_name"])
    # Only Unicode emoji are supported; custom ones have the form `name:id`.
    if not emoji or emoji.isascii():
        raise unknown("Emoji", 10014)
    return call.message(channel), emoji
