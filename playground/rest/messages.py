"""Routes for channel messages: send, read, edit, delete, with checks of permissions and state."""

from __future__ import annotations

from playground.clock import moment_of
from playground.permissions import Permission
from playground.rest.call import MISSING_PERMISSIONS, Answer, Call, route
from playground.wire import ApiError, Upload
from playground.world import Channel, Message

OLD_AFTER, NONCE_LIFETIME = 3600.0, 300.0
"""Age in seconds from which edits are limited, and time for which a nonce is remembered (“the past few minutes”)."""


@route("POST", "/channels/{channel_id}/messages")
def create_message(call: Call) -> Answer:
    channel = _writable(call)
    twin = _same_nonce(call, channel)
    # A repeated message is not announced again.
    if twin is not None:
        return 200, call.local.payloads.message(twin)
    message = call.local.writer.write(channel, call.bot, call.json, call.uploads)
    call.local.post(message)
    return 200, call.local.payloads.message(message)


@route("GET", "/channels/{channel_id}/messages")
def get_messages(call: Call) -> Answer:
    channel = call.channel()
    # Discord returns an empty list instead of an error, so a bot cannot tell this from an empty channel.
    if not call.local.world.permissions(call.bot, channel) & Permission.READ_MESSAGE_HISTORY:
        return 200, []
    messages = [message for message in channel.messages if message.only_for is None]
    limit = call.limit(50)
    if "before" in call.query:
        messages = [message for message in messages if message.id < int(call.query["before"])]
    if "around" in call.query:
        middle = int(call.query["around"])
        nearest = sorted(messages, key=lambda message: abs(message.id - middle))[:limit]
        messages = sorted(nearest, key=lambda message: message.id)
    if "after" in call.query:
        messages = [message for message in messages if message.id > int(call.query["after"])][:limit]
    return 200, [call.local.payloads.message(message) for message in reversed(messages[-limit:])]


@route("GET", "/channels/{channel_id}/messages/{message_id}")
def get_message(call: Call) -> Answer:
    channel = call.channel(Permission.READ_MESSAGE_HISTORY)
    return 200, call.local.payloads.message(call.message(channel))


@route("PATCH", "/channels/{channel_id}/messages/{message_id}")
def edit_message(call: Call) -> Answer:
    channel = call.channel()
    message = call.message(channel)
    if message.author_id != call.bot.id:
        raise ApiError(403, 50005, "Cannot edit a message authored by another user")
    if channel.archived:
        raise ApiError(400, 50083, "Thread is archived")
    _check_files(call, channel, call.uploads)
    _check_age(call, message)
    call.local.writer.rewrite(message, call.json, call.uploads)
    call.local.revise(message)
    return 200, call.local.payloads.message(message)


@route("DELETE", "/channels/{channel_id}/messages/{message_id}")
def delete_message(call: Call) -> Answer:
    channel = call.channel()
    message = call.message(channel)
    if message.author_id != call.bot.id:
        call.channel(Permission.MANAGE_MESSAGES)
    call.local.remove(message)
    return 204, None


def _writable(call: Call) -> Channel:
    """The channel, if the bot may write there. An archived thread is reopened unless it is locked."""
    channel = call.channel()
    if channel.is_dm:
        blocked = [m for m in channel.members if not call.local.world.users[m].accepts_dms]
        if blocked:
            raise ApiError(403, 50007, "Cannot send messages to this user")
        return channel
    call.channel(Permission.SEND_MESSAGES_IN_THREADS if channel.is_thread else Permission.SEND_MESSAGES)
    if call.json.get("embeds"):
        call.channel(Permission.EMBED_LINKS)
    _check_files(call, channel, call.uploads)
    if channel.archived:
        if channel.locked:
            raise ApiError(400, 50083, "Thread is archived")
        channel.archived = False
        call.local.change_channel(channel)
    return channel


def _check_files(call: Call, channel: Channel, uploads: list[Upload]) -> None:
    if uploads and not call.local.world.permissions(call.bot, channel) & Permission.ATTACH_FILES:
        raise ApiError(403, MISSING_PERMISSIONS, "Missing Permissions")


def _same_nonce(call: Call, channel: Channel) -> Message | None:
    """The message of an earlier request with the same nonce, if the request has `enforce_nonce`."""
    nonce = call.json.get("nonce")
    if nonce is None or not call.json.get("enforce_nonce"):
        return None
    # Discord says only “the past few minutes”.
    since = call.local.clock.now() - NONCE_LIFETIME
    recent = (m for m in reversed(channel.messages[-50:]) if moment_of(m.id) > since)
    return next((m for m in recent if m.nonce == str(nonce)), None)


def _check_age(call: Call, message: Message) -> None:
    """Refuse further edits of a message older than an hour, if a test sets a limit."""
    if call.local.clock.now() - moment_of(message.id) < OLD_AFTER:
        return
    message.edits_when_old += 1
    # Discord does not publish the number.
    limit = call.local.old_edit_limit
    if limit is not None and message.edits_when_old > limit:
        text = "Maximum number of edits to messages older than 1 hour reached. Try again later"
        raise ApiError(429, 30046, text, extra={"retry_after": 0.05, "global": False})
