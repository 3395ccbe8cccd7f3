"""The state of the local Discord: users, channels, threads, messages, files. Plain data, no wire format."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from functools import reduce
from itertools import chain
from operator import or_

from playground.clock import Clock, Snowflakes
from playground.permissions import (
    BOT,
    EVERYONE,
    EVERYTHING,
    MODERATOR,
    NOTHING,
    TIMED_OUT,
    Permission,
    effective_permissions,
)
from playground.wire import COMPONENTS_V2, SUPPRESS_NOTIFICATIONS, Json

PEOPLE = ("Ana", "Ben", "Caro", "Dan", "Eva", "Finn")
OWNER = "Finn"
"""The server's owner, with all permissions."""
CHANNELS = {
    "caravanserai": "Where travelers rest and play.",
    "second-table": "A quiet corner for another game.",
}


class ChannelKind(IntEnum):
    """Discord's numbers for the supported kinds of channel."""

    TEXT = 0
    DM = 1
    VOICE = 2
    CATEGORY = 4
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12
    STAGE = 13


VOICE_KINDS = (ChannelKind.VOICE, ChannelKind.STAGE)
"""Voice channels, which also have a text chat."""

WRITTEN_KINDS = (ChannelKind.TEXT, *VOICE_KINDS)
"""Kinds of server channels with text."""


@dataclass(slots=True)
class User:
    """A person or the bot. `has_left` marks a former member of the server."""

    id: int
    name: str
    bot: bool = False
    accepts_dms: bool = True
    roles: list[int] = field(default_factory=list)
    has_left: bool = False
    installed: bool = False
    """Whether this person has installed the app for their own account, to use it anywhere."""
    locale: str = "en-US"
    """The language of their client."""
    timed_out_until: float = 0.0
    """End of a moderator's time-out on the clock, or 0."""


@dataclass(slots=True)
class Role:
    """A role. The @everyone role has the id of the server."""

    id: int
    name: str
    permissions: Permission


@dataclass(slots=True)
class Overwrite:
    """Permissions that a channel grants to or takes from a member or role."""

    allow: Permission = NOTHING
    deny: Permission = NOTHING


@dataclass(slots=True)
class Attachment:
    """A file of a message, with the dimensions of an image."""

    id: int
    filename: str
    content_type: str
    data: bytes = field(repr=False)
    description: str | None = None
    size: tuple[int, int] | None = None


@dataclass(slots=True)
class Emoji:
    """An emoji of the application."""

    id: int
    name: str
    image: bytes = field(repr=False)


@dataclass(slots=True)
class ScheduledEvent:
    """An event of a server at an external place, from the bot. Times are on the clock."""

    id: int
    guild_id: int
    name: str
    description: str | None
    starts_at: float
    ends_at: float
    location: str
    status: int


@dataclass(slots=True)
class Message:
    """A message. `only_for` is set on ephemeral messages; `thinking` while a deferred response is pending."""

    id: int
    channel_id: int
    author_id: int
    content: str = ""
    flags: int = 0
    kind: int = 0
    components: list[Json] = field(default_factory=list)
    embeds: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    mentions: list[int] = field(default_factory=list)
    pinged: list[int] = field(default_factory=list)
    only_for: int | None = None
    thinking: bool = False
    nonce: str | None = None
    reply_to: int | None = None
    cause: Json | None = None
    edited_at: float | None = None
    edits_when_old: int = 0
    pinned: bool = False
    thread_id: int | None = None
    reactions: dict[str, list[int]] = field(default_factory=dict)

    @property
    def is_v2(self) -> bool:
        """Whether it consists of V2 components."""
        return bool(self.flags & COMPONENTS_V2)

    @property
    def is_silent(self) -> bool:
        """Whether it was sent without a notification."""
        return bool(self.flags & SUPPRESS_NOTIFICATIONS)

    def visible_to(self, user: User) -> bool:
        """Whether a person with access to the channel sees the message."""
        return self.only_for is None or self.only_for == user.id


@dataclass(slots=True)
class Channel:
    """A text channel, a thread or a direct conversation with its messages, oldest first; or a category.

    `parent_id` is the channel of a thread, or the category of a channel.
    """

    id: int
    name: str
    kind: ChannelKind = ChannelKind.TEXT
    topic: str | None = None
    parent_id: int | None = None
    owner_id: int | None = None
    members: list[int] = field(default_factory=list)
    archived: bool = False
    locked: bool = False
    auto_archive_minutes: int = 1440
    changed_at: float = 0.0
    overwrites: dict[int, Overwrite] = field(default_factory=dict)
    outside: int = 0
    """The id of its server, if the bot is not a member there."""
    branch: int = 0
    """The id of its server, if it is not the bot's first one."""
    messages: list[Message] = field(default_factory=list)

    @property
    def is_thread(self) -> bool:
        """Whether it is a thread, public or private."""
        return self.kind in (ChannelKind.PUBLIC_THREAD, ChannelKind.PRIVATE_THREAD)

    @property
    def is_dm(self) -> bool:
        """Whether it is a direct conversation with the bot."""
        return self.kind is ChannelKind.DM

    def open_to(self, user: User) -> bool:
        """Whether the channel is in this person's channel list."""
        return self.kind in (*WRITTEN_KINDS, ChannelKind.PUBLIC_THREAD) or user.id in self.members

    def message(self, message_id: int) -> Message | None:
        """The message with this id. The search starts at the newest, which is the usual target."""
        return next((message for message in reversed(self.messages) if message.id == message_id), None)


class World:
    """One guild with its people and channels, the bot, and all messages."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.ids = Snowflakes(clock)
        self.users: dict[int, User] = {}
        self.channels: dict[int, Channel] = {}
        self.commands: list[Json] = []
        self.guild_commands: list[Json] = []
        self.emojis: dict[int, Emoji] = {}  # of the application
        self.events: dict[int, ScheduledEvent] = {}
        self.roles: dict[int, Role] = {}
        self.uploads: list[Attachment] = []  # files of commands, which belong to no message
        self.removed: list[Message] = []
        self.guild_id = self.ids.next()
        self.locale = "en-US"  # locale of the server
        self.branches: list[int] = []
        self.unavailable: set[int] = set()
        """Servers with an outage: Discord does not know their channels, and no one can act in them."""
        self.withheld: set[int] = set()
        """Servers that work but have not been announced by GUILD_CREATE."""
        self.without_bot: set[int] = set()
        """Servers from which the bot was removed."""
        self.bot = self.add_user("Caravanserai", bot=True)
        self.bot_role_id = self.ids.next()
        self.create_roles()
        for name in PEOPLE:
            self.add_user(name)
        for name, topic in CHANNELS.items():
            self.add_channel(Channel(self.ids.next(), name, topic=topic))

    def add_user(self, name: str, *, bot: bool = False) -> User:
        """Add a person or, once, the bot."""
        user = User(self.ids.next(), name, bot=bot)
        self.users[user.id] = user
        return user

    def create_roles(self) -> None:
        """Create the roles of a new server: everyone's, the bot's, and the moderators'."""
        self.bot.roles = [self.bot_role_id]
        for role in (
            Role(self.guild_id, "@everyone", EVERYONE),
            Role(self.bot_role_id, self.bot.name, BOT),
            Role(self.ids.next(), "Moderators", MODERATOR),
        ):
            self.roles[role.id] = role

    def add_channel(self, channel: Channel) -> Channel:
        """Add an existing channel object."""
        channel.changed_at = self.clock.now()
        self.channels[channel.id] = channel
        return channel

    @property
    def people(self) -> list[User]:
        """All users except the bot."""
        return [user for user in self.users.values() if not user.bot]

    @property
    def owner(self) -> User:
        """The server's owner."""
        return next(user for user in self.people if user.name == OWNER)

    @property
    def threads(self) -> list[Channel]:
        """All threads, including archived ones."""
        return [channel for channel in self.channels.values() if channel.is_thread]

    def all_messages(self) -> Iterator[Message]:
        """All messages of all channels, including deleted ones."""
        for channel in self.channels.values():
            yield from channel.messages
        yield from (message for message in self.removed if message.channel_id in self.channels)

    def user_named(self, name: str) -> User | None:
        """The user with this name, ignoring case."""
        return next((user for user in self.users.values() if user.name.casefold() == name.casefold()), None)

    def role_named(self, name: str) -> Role | None:
        """The role with this name."""
        return next((role for role in self.roles.values() if role.name == name.removeprefix("@&")), None)

    def channel_named(self, name: str) -> Channel | None:
        """The newest server channel or thread with this name."""
        target_name = name.removeprefix("#")
        channels = [channel for channel in self.channels.values() if not channel.is_dm and channel.name == target_name]
        # The newest, since several games may open threads of the same name.
        return channels[-1] if channels else None

    def dm_with(self, user: User) -> Channel:
        """The direct conversation between the bot and a person, created on first use."""
        for channel in self.channels.values():
            if channel.is_dm and user.id in channel.members:
                return channel
        return self.add_channel(
            Channel(self.ids.next(), user.name, kind=ChannelKind.DM, members=[self.bot.id, user.id])
        )

    def attachment(self, channel_id: str, attachment_id: str) -> Attachment | None:
        """A file by the ids in its URL. Newest messages are searched first."""
        channel = self.channels.get(int(channel_id)) if channel_id.isdigit() else None
        messages = reversed(channel.messages) if channel else ()
        files = chain(self.uploads, (attachment for message in messages for attachment in message.attachments))
        return next((attachment for attachment in files if str(attachment.id) == attachment_id), None)

    @property
    def guild_ids(self) -> list[int]:
        """The bot's servers. All of them have the same people and roles."""
        return [guild_id for guild_id in (self.guild_id, *self.branches) if guild_id not in self.without_bot]

    def channels_of(self, guild_id: int) -> list[Channel]:
        """The channels of a server, without threads."""
        return [c for c in self.channels.values() if c.kind in WRITTEN_KINDS and self.guild_of(c) == guild_id]

    def threads_of(self, guild_id: int) -> list[Channel]:
        """The threads of a server, including archived ones."""
        return [thread for thread in self.threads if self.guild_of(thread) == guild_id]

    def guild_of(self, channel: Channel) -> int:
        """The id of a channel's server."""
        # A thread belongs to the server of its channel.
        if channel.is_thread and channel.parent_id in self.channels:
            return self.guild_of(self.channels[channel.parent_id])
        return channel.outside or channel.branch or self.guild_id

    def has_outage(self, channel: Channel) -> bool:
        """Whether the server of a channel is unavailable."""
        return not channel.is_dm and self.guild_of(channel) in self.unavailable

    def permissions(self, user: User, channel: Channel) -> Permission:
        """A member's permissions in a channel. Threads use their parent's overwrites."""
        if channel.outside:
            return NOTHING if user.bot else EVERYONE
        if channel.is_dm:
            # A direct conversation has no moderation.
            return EVERYTHING & ~(Permission.MANAGE_MESSAGES | Permission.MANAGE_THREADS | Permission.ADMINISTRATOR)
        if user.bot and self.guild_of(channel) in self.without_bot:
            return NOTHING
        granted = self.server_permissions(user)
        if granted & Permission.ADMINISTRATOR:
            return EVERYTHING
        # On Discord, a thread has no permissions of its own.
        source = self.channels.get(channel.parent_id or 0, channel) if channel.is_thread else channel
        for overwrite in self._overwrites(source, user):
            # On Discord, an allow wins over a deny of the same level.
            granted = (granted & ~overwrite.deny) | overwrite.allow
        if self.is_timed_out(user):
            granted &= TIMED_OUT
        return effective_permissions(granted, thread=channel.is_thread, voice=source.kind in VOICE_KINDS)

    def is_timed_out(self, user: User) -> bool:
        """Whether a moderator's time-out for this member is active."""
        return user.timed_out_until > self.clock.now()

    def may_reopen(self, user: User, thread: Channel) -> bool:
        """Whether a member may reopen an archived thread, for example by writing in it."""
        granted = self.permissions(user, thread)
        if thread.locked:
            return bool(granted & Permission.MANAGE_THREADS)
        return bool(granted & (Permission.SEND_MESSAGES_IN_THREADS | Permission.MANAGE_THREADS))

    def server_permissions(self, user: User) -> Permission:
        """A member's permissions in the whole server, from their roles."""
        if not user.bot and user is self.owner:
            return EVERYTHING
        granted = self.roles[self.guild_id].permissions
        for role_id in user.roles:
            granted |= self.roles[role_id].permissions
        return granted

    def _overwrites(self, channel: Channel, user: User) -> Iterator[Overwrite]:
        """A channel's overwrites for a member, in order: everyone's, the combined ones of the roles, the member's."""
        overwrites = channel.overwrites
        roles = [overwrites[role_id] for role_id in user.roles if role_id in overwrites]
        yield overwrites.get(self.guild_id, Overwrite())
        # Roles are combined: an allow of one role outweighs a deny of another.
        yield Overwrite(
            reduce(or_, (role.allow for role in roles), NOTHING), reduce(or_, (role.deny for role in roles), NOTHING)
        )
        yield overwrites.get(user.id, Overwrite())
