"""Who and what exists: people, channels, threads, messages, images. Plain data, no wire format."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from playground.clock import Clock, Snowflakes
from playground.permissions import BOT, EVERYONE, EVERYTHING, NOTHING, Permission
from playground.wire import COMPONENTS_V2, SUPPRESS_NOTIFICATIONS, Json

PEOPLE = ("Ana", "Ben", "Caro", "Dan", "Eva", "Finn")
CHANNELS = {
    "caravanserai": "Where travelers rest and play.",
    "second-table": "A quiet corner for another game.",
}


class ChannelKind(IntEnum):
    """Discord's numbers for the kinds of channel found here."""

    TEXT = 0
    DM = 1
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12


@dataclass(slots=True)
class User:
    """A person, or the bot."""

    id: int
    name: str
    bot: bool = False
    accepts_dms: bool = True
    installed: bool = False
    """Whether this person has installed the app for himself, to use it anywhere."""


@dataclass(slots=True)
class Overwrite:
    """What one channel grants or takes from one member."""

    allow: Permission = NOTHING
    deny: Permission = NOTHING


@dataclass(slots=True)
class Attachment:
    """A file of a message, with the measures of a picture when it is one."""

    id: int
    filename: str
    content_type: str
    data: bytes = field(repr=False)
    description: str | None = None
    size: tuple[int, int] | None = None


@dataclass(slots=True)
class Message:
    """One message. `only_for` is set on ephemeral ones; `thinking` while a deferred answer is still open."""

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
        """Whether it is made of V2 components."""
        return bool(self.flags & COMPONENTS_V2)

    @property
    def silent(self) -> bool:
        """Whether it was sent without a notification."""
        return bool(self.flags & SUPPRESS_NOTIFICATIONS)

    def visible_to(self, user: User) -> bool:
        """Whether this person sees it, given that the channel is open to them."""
        return self.only_for is None or self.only_for == user.id


@dataclass(slots=True)
class Channel:
    """A text channel, a thread or a direct conversation with its messages, oldest first."""

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
    """The id of its server if that is one that the bot is no member of."""
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
        """Whether this person finds the channel in their list."""
        return self.kind in (ChannelKind.TEXT, ChannelKind.PUBLIC_THREAD) or user.id in self.members

    def message(self, message_id: int) -> Message | None:
        """The message of that id; searched from the newest, where nearly every search ends."""
        return next((message for message in reversed(self.messages) if message.id == message_id), None)


class World:
    """One guild with its people and channels, the bot, and what has been said."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.ids = Snowflakes(clock)
        self.users: dict[int, User] = {}
        self.channels: dict[int, Channel] = {}
        self.commands: list[Json] = []
        self.guild_commands: list[Json] = []
        self.bot_permissions = BOT
        self.guild_id = self.ids.next()
        self.bot = self.add_user("Caravanserai", bot=True)
        self.bot_role_id = self.ids.next()
        for name in PEOPLE:
            self.add_user(name)
        for name, topic in CHANNELS.items():
            self.add_channel(Channel(self.ids.next(), name, topic=topic))

    def add_user(self, name: str, *, bot: bool = False) -> User:
        """Add a person or, once, the bot."""
        user = User(self.ids.next(), name, bot=bot)
        self.users[user.id] = user
        return user

    def add_channel(self, channel: Channel) -> Channel:
        """Add a channel made elsewhere."""
        channel.changed_at = self.clock.now()
        self.channels[channel.id] = channel
        return channel

    @property
    def people(self) -> list[User]:
        """Everybody but the bot."""
        return [user for user in self.users.values() if not user.bot]

    @property
    def threads(self) -> list[Channel]:
        """All threads, archived ones included."""
        return [channel for channel in self.channels.values() if channel.is_thread]

    def user_named(self, name: str) -> User | None:
        """The person or bot of that name, whatever its case."""
        return next((user for user in self.users.values() if user.name.casefold() == name.casefold()), None)

    def channel_named(self, name: str) -> Channel | None:
        """The newest guild channel or thread of that name."""
        wanted = name.removeprefix("#")
        found = [channel for channel in self.channels.values() if not channel.is_dm and channel.name == wanted]
        return found[-1] if found else None

    def dm_with(self, user: User) -> Channel:
        """The direct conversation between the bot and a person, made on first use."""
        for channel in self.channels.values():
            if channel.is_dm and user.id in channel.members:
                return channel
        return self.add_channel(
            Channel(self.ids.next(), user.name, kind=ChannelKind.DM, members=[self.bot.id, user.id])
        )

    def attachment(self, channel_id: str, attachment_id: str) -> Attachment | None:
        """A file by the ids in its address; the newest messages are searched first."""
        channel = self.channels.get(int(channel_id)) if channel_id.isdigit() else None
        messages = reversed(channel.messages) if channel else ()
        files = (attachment for message in messages for attachment in message.attachments)
        return next((attachment for attachment in files if str(attachment.id) == attachment_id), None)

    @property
    def own_channels(self) -> list[Channel]:
        """The text channels of the guild."""
        return [c for c in self.channels.values() if c.kind is ChannelKind.TEXT and not c.outside]

    def guild_of(self, channel: Channel) -> int:
        """The id of the server of a channel that has one."""
        return channel.outside or self.guild_id

    def permissions(self, user: User, channel: Channel) -> Permission:
        """What a member may do in a channel; threads take over their parent's overwrites."""
        if channel.outside:
            return NOTHING if user.bot else EVERYONE
        if channel.is_dm:
            return EVERYTHING & ~(Permission.MANAGE_MESSAGES | Permission.MANAGE_THREADS | Permission.ADMINISTRATOR)
        granted = self.bot_permissions if user.bot else EVERYONE
        source = self.channels.get(channel.parent_id or 0, channel) if channel.is_thread else channel
        overwrite = source.overwrites.get(user.id)
        if overwrite:
            granted = (granted & ~overwrite.deny) | overwrite.allow
        return granted if granted & Permission.VIEW_CHANNEL else NOTHING
