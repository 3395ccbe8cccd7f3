"""The world in Discord's JSON, as in REST responses and gateway events.

Includes every field that discord.py indexes without a default, and every field that Discord's OpenAPI file requires.
"""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

from playground.clock import moment_of
from playground.wire import LOADING, Json
from playground.world import VOICE_KINDS, Attachment, Channel, Message, Role, User, World

GUILD_NAME = "The Caravanserai"
# On Discord, for servers without boosts and for direct messages.
UPLOAD_LIMIT = 10 * 1024 * 1024


class Payloads:
    """Serializes the world as JSON. `base` returns the URL under which files are served."""

    def __init__(self, world: World, base: Callable[[], str]) -> None:
        self.world = world
        self._base = base

    def user(self, user: User) -> Json:
        """A person or the bot."""
        return {
            "id": str(user.id),
            "username": user.name.lower(),
            "global_name": None if user.bot else user.name,
            # Bots still have a discriminator; people have had “0” since the new usernames.
            "discriminator": "0000" if user.bot else "0",
            "avatar": None,
            "avatar_decoration_data": None,
            "collectibles": None,
            "banner": None,
            "accent_color": None,
            "bot": user.bot,
            "system": False,
            "flags": 0,
            "public_flags": 0,
            "primary_guild": None,
        }

    def self_user(self) -> Json:
        """The bot's own user, as at login."""
        return {
            **self.user(self.world.bot),
            "username": self.world.bot.name,
            "mfa_enabled": False,
            "locale": "en-US",
            "verified": True,
            "email": None,
            "premium_type": 0,
        }

    def member(self, user: User, *, with_user: bool = True) -> Json:
        """A user as a member of the guild."""
        joined = moment_of(self.world.guild_id)
        return {
            **({"user": self.user(user)} if with_user else {}),
            "nick": None,
            "avatar": None,
            "avatar_decoration_data": None,
            "banner": None,
            "collectibles": None,
            "roles": [str(role_id) for role_id in user.roles],
            "joined_at": self.world.clock.isoformat(joined),
            "premium_since": None,
            "communication_disabled_until": self._timed_out_until(user),
            "deaf": False,
            "mute": False,
            "pending": False,
            "flags": 0,
        }

    def _timed_out_until(self, user: User) -> str | None:
        return self.world.clock.isoformat(user.timed_out_until) if user.timed_out_until else None

    def channel(self, channel: Channel) -> Json:
        """A channel of any kind."""
        if channel.is_dm:
            return self._dm(channel)
        return self._thread(channel) if channel.is_thread else self._text_channel(channel)

    def interaction_channel(self, channel: Channel, user: User) -> Json:
        """A channel as in interactions, with the acting person's permissions."""
        payload = self.channel(channel)
        # Permissions are strings everywhere, since their bits exceed JavaScript's integers.
        payload["permissions"] = str(int(self.world.permissions(user, channel)))
        return payload

    def guild(self, guild_id: int, *, members: list[User]) -> Json:
        """A complete guild, as in GUILD_CREATE."""
        world = self.world
        return {
            **self.guild_rest(guild_id),
            "joined_at": world.clock.isoformat(moment_of(world.guild_id)),
            "large": False,
            "unavailable": False,
            "member_count": len(world.users),
            "members": [self.member(user) for user in members],
            "channels": [self.channel(c) for c in world.channels_of(guild_id)],
            # Discord includes only active threads: a bot does not know archived ones.
            "threads": [self.channel(c) for c in world.threads_of(guild_id) if not c.archived],
            "voice_states": [],
            "presences": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
        }

    def message(self, message: Message) -> Json:
        """A message, as in REST responses."""
        world = self.world
        channel = world.channels[message.channel_id]
        payload: Json = {
            "id": str(message.id),
            "channel_id": str(message.channel_id),
            "type": message.kind,
            "author": self.user(world.users[message.author_id]),
            "content": message.content,
            "timestamp": world.clock.isoformat(moment_of(message.id)),
            "edited_timestamp": world.clock.isoformat(message.edited_at) if message.edited_at else None,
            "flags": message.flags | (LOADING if message.thinking else 0),
            "components": message.components,
            "embeds": message.embeds,
            "attachments": [self.attachment(message, attachment) for attachment in message.attachments],
            "mentions": [self.user(world.users[user_id]) for user_id in message.mentions],
            "mention_roles": [],
            "mention_everyone": False,
            "pinned": message.pinned,
            "tts": False,
        }
        if message.nonce is not None:
            payload["nonce"] = message.nonce
        if message.cause is not None:
            # Responses to interactions are sent by a webhook with the application's id.
            payload["application_id"] = payload["webhook_id"] = str(world.bot.id)
            payload["interaction_metadata"] = message.cause
        if message.reactions:
            payload["reactions"] = [self._reaction(emoji, users) for emoji, users in message.reactions.items()]
        if message.thread_id and message.thread_id in world.channels:
            payload["thread"] = self.channel(world.channels[message.thread_id])
        if message.reply_to:
            payload["message_reference"] = {
                "type": 0,
                "message_id": str(message.reply_to),
                "channel_id": str(channel.id),
                **({} if channel.is_dm else {"guild_id": str(world.guild_of(channel))}),
            }
        return payload

    def message_event(self, message: Message) -> Json:
        """A message as in MESSAGE_CREATE and MESSAGE_UPDATE, with guild and member."""
        payload = self.message(message)
        channel = self.world.channels[message.channel_id]
        if not channel.is_dm:
            payload["guild_id"] = str(self.world.guild_of(channel))
            payload["member"] = self.member(self.world.users[message.author_id], with_user=False)
        return payload

    def attachment(self, message: Message, attachment: Attachment) -> Json:
        """A file with absolute URLs, as discord.py needs them."""
        url = self.attachment_url(message.channel_id, attachment)
        payload: Json = {
            "id": str(attachment.id),
            "filename": attachment.filename,
            "size": len(attachment.data),
            "url": url,
            # Without it, discord.py fails with a KeyError.
            "proxy_url": url,
            "content_type": attachment.content_type,
            "ephemeral": message.only_for is not None,
        }
        if attachment.description is not None:
            payload["description"] = attachment.description
        if attachment.size:
            payload["width"], payload["height"] = attachment.size
        return payload

    def attachment_url(self, channel_id: int, attachment: Attachment) -> str:
        """The absolute URL of a file on this server."""
        return f"{self._base()}/attachments/{channel_id}/{attachment.id}/{quote(attachment.filename)}"

    def thread_member(self, thread: Channel, user_id: int) -> Json:
        """A user as a member of a thread."""
        return {
            "id": str(thread.id),
            "user_id": str(user_id),
            "join_timestamp": self.world.clock.isoformat(moment_of(thread.id)),
            "flags": 0,
        }

    def application(self) -> Json:
        """The bot's application, as in GET /oauth2/applications/@me."""
        world = self.world
        owner = world.owner
        return {
            "id": str(world.bot.id),
            "name": world.bot.name,
            "icon": None,
            "description": "",
            "summary": "",
            "type": None,
            "bot": self.user(world.bot),
            "bot_public": True,
            "bot_require_code_grant": False,
            "verify_key": "0" * 64,
            "flags": 0,
            "flags_new": "0",
            "redirect_uris": [],
            "interactions_endpoint_url": None,
            "role_connections_verification_url": None,
            "owner": self.user(owner),
            "team": None,
            "approximate_guild_count": 1,
            "approximate_user_install_count": 0,
            "approximate_user_authorization_count": 0,
            "explicit_content_filter": 0,
            "eligible_oauth2_scopes": [],
        }

    def _text_channel(self, channel: Channel) -> Json:
        return {
            "id": str(channel.id),
            "type": int(channel.kind),
            "guild_id": str(self.world.guild_of(channel)),
            "name": channel.name,
            "topic": channel.topic,
            "position": list(self.world.channels).index(channel.id),
            "parent_id": str(channel.parent_id) if channel.parent_id else None,
            "nsfw": False,
            "flags": 0,
            "rate_limit_per_user": 0,
            "last_message_id": str(channel.messages[-1].id) if channel.messages else None,
            **(_VOICE if channel.kind in VOICE_KINDS else {}),
            "permission_overwrites": [
                # 0 is a role, 1 a member
                {
                    "id": str(whom),
                    "type": int(whom not in self.world.roles),
                    "allow": str(int(o.allow)),
                    "deny": str(int(o.deny)),
                }
                for whom, o in channel.overwrites.items()
            ],
        }

    def _thread(self, thread: Channel) -> Json:
        return {
            "id": str(thread.id),
            "type": int(thread.kind),
            "guild_id": str(self.world.guild_of(thread)),
            "name": thread.name,
            "parent_id": str(thread.parent_id),
            "owner_id": str(thread.owner_id),
            "flags": 0,
            "rate_limit_per_user": 0,
            "message_count": len(thread.messages),
            "total_message_sent": len(thread.messages),
            "member_count": len(thread.members),
            "last_message_id": str(thread.messages[-1].id) if thread.messages else None,
            "thread_metadata": {
                "archived": thread.archived,
                "locked": thread.locked,
                "auto_archive_duration": thread.auto_archive_minutes,
                "archive_timestamp": self.world.clock.isoformat(thread.changed_at),
                "create_timestamp": self.world.clock.isoformat(moment_of(thread.id)),
            },
        }

    def _dm(self, channel: Channel) -> Json:
        others = [self.world.users[member] for member in channel.members if member != self.world.bot.id]
        return {
            "id": str(channel.id),
            "type": int(channel.kind),
            "flags": 0,
            "last_message_id": str(channel.messages[-1].id) if channel.messages else None,
            "recipients": [self.user(user) for user in others],
        }

    def _reaction(self, emoji: str, users: list[int]) -> Json:
        return {
            "emoji": {"id": None, "name": emoji},
            "count": len(users),
            "count_details": {"burst": 0, "normal": len(users)},
            "burst_colors": [],
            "me_burst": False,
            "burst_me": False,
            "burst_count": 0,
            "me": self.world.bot.id in users,
        }

    def role(self, role: Role, guild_id: int) -> Json:
        """A role of a server. The @everyone role has the server's id."""
        # discord.py finds the bot's own role by these tags (`Guild.self_role`).
        own = role.id == self.world.bot_role_id
        return {
            # On Discord, the @everyone role has the id of its server.
            "id": str(guild_id if role.id == self.world.guild_id else role.id),
            "name": role.name,
            "description": None,
            "permissions": str(int(role.permissions)),
            "position": list(self.world.roles).index(role.id),
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "managed": own,
            "mentionable": False,
            "icon": None,
            "unicode_emoji": None,
            "flags": 0,
            **({"tags": {"bot_id": str(self.world.bot.id)}} if own else {}),
        }

    def guild_rest(self, guild_id: int) -> Json:
        """A guild, as in GET /guilds/{id}."""
        world = self.world
        return {
            "id": str(guild_id),
            "name": GUILD_NAME,
            "owner_id": str(world.owner.id),
            "roles": [self.role(role, guild_id) for role in world.roles.values()],
            **dict.fromkeys(_ABSENT_IN_GUILD),
            **_PLAIN_GUILD,
            "preferred_locale": self.world.locale,
        }


# Discord's OpenAPI file requires these fields; here they are null.
_ABSENT_IN_GUILD = (
    "icon",
    "description",
    "home_header",
    "splash",
    "discovery_splash",
    "banner",
    "application_id",
    "afk_channel_id",
    "system_channel_id",
    "widget_channel_id",
    "max_presences",
    "vanity_url_code",
    "rules_channel_id",
    "safety_alerts_channel_id",
    "public_updates_channel_id",
    "incidents_data",
)

_VOICE: Json = {"bitrate": 64_000, "user_limit": 0, "rtc_region": None, "video_quality_mode": 1}

_PLAIN_GUILD: Json = {
    "features": [],
    "emojis": [],
    "stickers": [],
    "region": "deprecated",
    "afk_timeout": 300,
    "max_members": 500_000,
    "max_stage_video_channel_users": 50,
    "max_video_channel_users": 25,
    "nsfw": False,
    "nsfw_level": 0,
    "widget_enabled": False,
    "premium_progress_bar_enabled": False,
    "system_channel_flags": 0,
    "verification_level": 0,
    "default_message_notifications": 0,
    "mfa_level": 0,
    "explicit_content_filter": 0,
    "premium_tier": 0,
    "premium_subscription_count": 0,
}
