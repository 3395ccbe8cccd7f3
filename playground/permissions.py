"""Permission bits, with the names from Discord's documentation."""

from __future__ import annotations

from enum import IntFlag


class Permission(IntFlag):
    """The permissions checked or granted here."""

    # https://discord.com/developers/docs/topics/permissions#permissions-bitwise-permission-flags
    CREATE_INSTANT_INVITE = 1 << 0
    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    CONNECT = 1 << 20
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    MODERATE_MEMBERS = 1 << 40
    CREATE_EVENTS = 1 << 44
    PIN_MESSAGES = 1 << 51  # separate from MANAGE_MESSAGES since 2026-02-23


NOTHING = Permission(0)
EVERYTHING = Permission(sum(Permission))

EVERYONE = (
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.ADD_REACTIONS
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.CONNECT
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
)

BOT = (
    EVERYONE
    | Permission.CREATE_PRIVATE_THREADS
    | Permission.MANAGE_THREADS
    | Permission.MANAGE_MESSAGES
    | Permission.PIN_MESSAGES
    | Permission.CREATE_EVENTS
)


MODERATOR = EVERYONE | Permission.MANAGE_GUILD | Permission.MANAGE_MESSAGES | Permission.MANAGE_THREADS

TIMED_OUT = Permission.VIEW_CHANNEL | Permission.READ_MESSAGE_HISTORY
"""Permissions that remain during a time-out, except for administrators."""

_NEEDS_WRITING = Permission.MENTION_EVERYONE | Permission.EMBED_LINKS | Permission.ATTACH_FILES


def effective_permissions(granted: Permission, *, thread: bool, voice: bool = False) -> Permission:
    """Reduce permissions by the implicit rules: without viewing or writing, dependent permissions have no effect.

    Members without CONNECT have no access to the text of a voice channel.
    """
    if not granted & Permission.VIEW_CHANNEL:
        return NOTHING
    if voice and not granted & Permission.CONNECT:
        return Permission.VIEW_CHANNEL
    writing = Permission.SEND_MESSAGES_IN_THREADS if thread else Permission.SEND_MESSAGES
    # https://discord.com/developers/docs/topics/permissions#implicit-permissions
    return granted if granted & writing else granted & ~_NEEDS_WRITING


def permission_bits(*names: str) -> Permission:
    """The bits for names such as `ATTACH_FILES`. Raises ValueError for an unknown name."""
    bits = NOTHING
    for name in names:
        try:
            bits |= Permission[name.upper()]
        except KeyError:
            known_names = ", ".join(permission.name or "" for permission in Permission)
            raise ValueError(f"no permission is called {name}; known are {known_names}") from None
    return bits
