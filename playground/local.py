"""The local Discord: world, gateway, interactions and journal, and the announcements that keep them in sync."""

from __future__ import annotations

import mimetypes
import time
from collections.abc import Callable
from dataclasses import dataclass

from playground import events, schema
from playground.clock import Clock, Timer
from playground.faults import Faults
from playground.gateway import Gateway, Intent, Session
from playground.interactions import PATIENCE, Cause, Interaction, Interactions
from playground.journal import Journal, Timing
from playground.messages import MessageWriter
from playground.notifier import Notifier
from playground.options import is_offered, localize
from playground.payloads import Payloads
from playground.permissions import NOTHING, Permission
from playground.reading import excerpt
from playground.schema import Schema
from playground.wire import TOKEN, Json
from playground.world import Attachment, Channel, Emoji, Message, Overwrite, Role, ScheduledEvent, User, World


@dataclass(frozen=True, slots=True)
class Notice:
    """A change to show on screens; `sees` tells which users may see it."""

    kind: str
    data: Json
    sees: Callable[[User], bool]


class LocalDiscord:
    """Everything behind the loopback port. REST, the page and the players act through this object."""

    def __init__(
        self, *, token: str = TOKEN, check_schema: bool = False, patience: float = PATIENCE, rate: float = 1.0
    ) -> None:
        self.token = token
        self.base_url = ""
        self.clock = Clock(rate)
        self.world = World(self.clock)
        self.payloads = Payloads(self.world, lambda: self.base_url)
        self.journal = Journal()
        self.notifier = Notifier()
        self.faults = Faults(self.clock)
        self.writer = MessageWriter(self.world, self.payloads)
        self.interactions = Interactions(self.clock, patience=patience, on_silence=self._report_silence)
        self.gateway = Gateway(
            self.clock,
            self.faults,
            greet=lambda session: events.greeting(self.world, self.payloads, session, self.gateway_url),
            members=lambda request: events.members_chunk(self.world, self.payloads, request),
            blame=self.journal.blame,
            token=lambda: self.token,
        )
        self.gateway.on_change = self._connection_changed
        self.schema: Schema | None = None
        if check_schema:
            self.schema, sentence = schema.load()
            self.journal.say(sentence)
        # Number of edits allowed for a message older than an hour, after which Discord refuses with 30046.
        self.old_edit_limit: int | None = None
        self.problem = ""
        self.watchers: set[Callable[[Notice], None]] = set()
        self.on_change: Callable[[], None] = lambda: None
        self.on_advance: Callable[[float], None] = lambda seconds: None
        self._archiving: dict[int, Timer] = {}

    # messages

    def post(self, message: Message) -> None:
        """Announce a new message to the bot, the screens and the journal."""
        # Real time rather than the clock's, since benchmarks measure the bot by this.
        self.journal.arrivals[message.channel_id].append(time.monotonic())
        self._journal_message("", message)
        self._dispatch_message("MESSAGE_CREATE", message)
        self._show(message)
        # On Discord, a new message postpones the archiving of its thread.
        self.restart_archiving(channel := self.world.channels[message.channel_id])
        # After the message, since its author and the people it mentions join the thread because of it.
        if channel.is_thread and message.only_for is None:
            for user_id in (message.author_id, *message.mentions):
                self.join_thread(channel, self.world.users[user_id])

    def upload(self, channel: Channel, name: str, data: bytes) -> Json:
        """Store a file uploaded with a command, and return its payload."""
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        self.world.uploads.append(file := Attachment(self.world.ids.next(), name, kind, data))
        url = self.payloads.attachment_url(channel.id, file)
        facts = {"filename": name, "size": len(data), "content_type": kind, "ephemeral": True}
        return {"id": str(file.id), "url": url, "proxy_url": url, **facts}

    def revise(self, message: Message) -> None:
        """Announce an edited message."""
        self.journal.arrivals[message.channel_id].append(time.monotonic())
        self._journal_message(" (edit)", message)
        self._dispatch_message("MESSAGE_UPDATE", message)
        self._show(message)

    def remove(self, message: Message) -> None:
        """Remove a message and announce it."""
        channel = self.world.channels[message.channel_id]
        channel.messages.remove(message)
        self.world.removed.append(message)
        self.journal.say(f"message {message.id} was removed from {self.place(channel)}")
        # The gateway never reports ephemeral messages to the bot, not even their deletion.
        if message.only_for is None:
            data = {"id": str(message.id), "channel_id": str(channel.id), **self._guild_key(channel)}
            self.gateway.dispatch("MESSAGE_DELETE", data, _message_intent(channel))
        location = {"id": str(message.id), "channel_id": str(channel.id)}
        self._notify("message_gone", location, self._audience(channel, message))

    def react(self, message: Message, user: User, emoji: str, *, added: bool) -> None:
        """Announce an added or removed reaction."""
        channel = self.world.channels[message.channel_id]
        data = {
            "user_id": str(user.id),
            "channel_id": str(channel.id),
            "message_id": str(message.id),
            "emoji": {"id": None, "name": emoji},
            "burst": False,
            "type": 0,
            **self._guild_key(channel),
        }
        if added and not channel.is_dm:
            data["member"] = self.payloads.member(user)
        intent = Intent.DM_REACTIONS if channel.is_dm else Intent.GUILD_REACTIONS
        self.gateway.dispatch(f"MESSAGE_REACTION_{'ADD' if added else 'REMOVE'}", data, intent)
        self._show(message)

    # channels

    def open_channel(self, channel: Channel) -> Channel:
        """Add a channel or thread and announce it."""
        self.world.add_channel(channel)
        if channel.outside:
            self._notify_places()
            return channel
        event = "THREAD_CREATE" if channel.is_thread else "CHANNEL_CREATE"
        extra: Json = {"newly_created": True} if channel.is_thread else {}
        # Discord sends `member` only for threads that the bot has joined.
        if self.world.bot.id in channel.members and channel.is_thread:
            extra["member"] = self.payloads.thread_member(channel, self.world.bot.id)
        self.gateway.dispatch(event, {**self.payloads.channel(channel), **extra}, Intent.GUILDS)
        self.journal.say(f"{self.place(channel)} was opened")
        self.restart_archiving(channel)
        self._notify_places()
        return channel

    def change_channel(self, channel: Channel) -> None:
        """Announce a changed channel or thread."""
        channel.changed_at = self.clock.now()
        event = "THREAD_UPDATE" if channel.is_thread else "CHANNEL_UPDATE"
        self.gateway.dispatch(event, self.payloads.channel(channel), Intent.GUILDS)
        self._notify_places()

    def close_channel(self, channel: Channel) -> None:
        """Delete a channel or thread with its messages and announce it."""
        event = "THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE"
        self.gateway.dispatch(event, self.payloads.channel(channel), Intent.GUILDS)
        del self.world.channels[channel.id]
        self.journal.say(f"{self.place(channel)} was deleted")
        # A list, since the loop deletes channels.
        for thread in [thread for thread in self.world.threads if thread.parent_id == channel.id]:
            self.close_channel(thread)
        self._notify_places()

    def join_thread(self, thread: Channel, user: User) -> None:
        """Add a user to a thread and announce it."""
        if user.id in thread.members:
            return
        thread.members.append(user.id)
        added = {**self.payloads.thread_member(thread, user.id), "member": self.payloads.member(user), "presence": None}
        data = {"id": str(thread.id), "guild_id": str(self.world.guild_of(thread)), "member_count": len(thread.members)}
        self.gateway.dispatch("THREAD_MEMBERS_UPDATE", {**data, "added_members": [added]}, Intent.GUILDS)
        self._notify_places()

    def overwrite(
        self, channel: Channel, *, deny: Permission, allow: Permission = NOTHING, whom: int | None = None
    ) -> None:
        """Set the overwrite of a member or role (default: the bot) in a channel, and announce it."""
        channel.overwrites[self.world.bot.id if whom is None else whom] = Overwrite(allow, deny)
        self.change_channel(channel)

    def add_role(self, role: Role) -> Role:
        """Add a role and announce it."""
        self.world.roles[role.id] = role
        self._announce_role("GUILD_ROLE_CREATE", role)
        return role

    def change_role(self, role: Role, permissions: Permission) -> None:
        """Set the permissions of a role and announce it."""
        role.permissions = permissions
        self._announce_role("GUILD_ROLE_UPDATE", role)

    def delete_role(self, role: Role) -> None:
        """Remove a role from all users and announce it."""
        for user in self.world.users.values():
            user.roles = [role_id for role_id in user.roles if role_id != role.id]
        del self.world.roles[role.id]
        data = {"guild_id": str(self.world.guild_id), "role_id": str(role.id)}
        self.gateway.dispatch("GUILD_ROLE_DELETE", data, Intent.GUILDS)
        self._notify_places()

    def give_role(self, user: User, role: Role) -> None:
        """Give a user a role and announce it. The bot is always notified about itself."""
        user.roles.append(role.id)
        data = {**self.payloads.member(user), "guild_id": str(self.world.guild_id)}
        self.gateway.dispatch("GUILD_MEMBER_UPDATE", data, Intent.NONE if user.bot else Intent.GUILD_MEMBERS)
        self._notify_places()

    def _announce_role(self, event: str, role: Role) -> None:
        data = {"guild_id": str(self.world.guild_id), "role": self.payloads.role(role, self.world.guild_id)}
        self.gateway.dispatch(event, data, Intent.GUILDS)
        self._notify_places()

    def typing(self, channel: Channel) -> None:
        """Show that the bot is typing."""
        self._notify("typing", {"channel_id": str(channel.id)}, self._audience(channel))

    # people and commands

    def add_member(self, name: str) -> User:
        """Add a new person to the server and announce it."""
        user = self.world.add_user(name)
        data = {**self.payloads.member(user), "guild_id": str(self.world.guild_id)}
        self.gateway.dispatch("GUILD_MEMBER_ADD", data, Intent.GUILD_MEMBERS)
        self._notify_places()
        return user

    def remove_member(self, user: User) -> None:
        """Remove a person from the server and announce it."""
        user.has_left = True
        data = {"guild_id": str(self.world.guild_id), "user": self.payloads.user(user)}
        self.gateway.dispatch("GUILD_MEMBER_REMOVE", data, Intent.GUILD_MEMBERS)
        self._notify_places()

    def set_emojis(self, emojis: dict[int, Emoji]) -> None:
        """Replace the emojis of the application."""
        self.world.emojis = emojis
        self._notify("emojis", {}, lambda user: True)

    def set_events(self, events: dict[int, ScheduledEvent]) -> None:
        """Replace the scheduled events."""
        self.world.events = events
        self._notify("events", {"events": self.screen_events()}, lambda user: True)

    def screen_events(self) -> list[Json]:
        """The scheduled events for the page, by time."""
        events = sorted(self.world.events.values(), key=lambda event: event.starts_at)
        return [{"name": event.name, "at": event.starts_at, "url": event.location} for event in events]

    def set_commands(self, commands: list[Json], *, guild: bool) -> None:
        """Replace the registered commands."""
        if guild:
            self.world.guild_commands = commands
        else:
            self.world.commands = commands
        self.journal.say(f"{len(commands)} commands registered")
        self._notify("commands", {}, lambda user: True)

    def all_commands(self) -> list[Json]:
        """All registered commands."""
        return [*self.world.commands, *self.world.guild_commands]

    def commands_for(self, user: User) -> list[Json]:
        """The slash commands available to a person in the server, in their language."""
        offered = [command for command in self.all_commands() if is_offered(self.world, command, user)]
        return [localize(command, user.locale) for command in offered]

    # interactions

    def begin(
        self,
        cause: Cause,
        user: User,
        channel: Channel,
        data: Json,
        *,
        label: str,
        source: Message | None = None,
        screen: list[Json] | None = None,
    ) -> Interaction:
        """Start an interaction: send it to the bot and start its deadline.

        `source` is the message of the control, and `screen` its components as the person saw them.
        """
        interaction_id = self.world.ids.next()
        interaction = Interaction(
            interaction_id,
            cause,
            user,
            channel,
            label,
            event={},
            born=self.clock.now(),
            timing=Timing(interaction_id, label, time.monotonic()),
            source=source,
        )
        interaction.event = events.interaction_create(self.world, self.payloads, interaction, data)
        if source is not None and screen is not None:
            # The person's screen may be older than the message: an edit may have crossed the tap.
            interaction.event["message"]["components"] = screen
        self.interactions.open(interaction)
        self.journal.timings.append(interaction.timing)
        self.journal.say(f"{user.name} in {self.place(channel)}: {label}")
        self.deliver(interaction)
        return interaction

    def deliver(self, interaction: Interaction) -> None:
        """Send INTERACTION_CREATE. Tests call this again to deliver an interaction twice."""
        self.gateway.dispatch("INTERACTION_CREATE", interaction.event)

    def settle(self, interaction: Interaction, answer: Message | None = None) -> None:
        """Record progress of an interaction: its response, or that there will not be one."""
        now = time.monotonic()
        # The first response counts; later edits change the same message.
        interaction.answer = interaction.answer or answer
        interaction.timing.acknowledged = interaction.timing.acknowledged or now
        if interaction.is_answered:
            interaction.timing.answered = interaction.timing.answered or now
        self.changed()

    # for REST, the page and the players

    def bot_state(self) -> Json:
        """Whether the bot is connected and, if not, the reason as a sentence (empty while it starts)."""
        return {"connected": self.gateway.is_connected, "trouble": self.problem}

    def explain_absence(self, sentence: str) -> None:
        """Show on every screen why the bot is away, until it is back."""
        self.problem = sentence
        self._notify("bot", self.bot_state(), lambda user: True)

    def advance(self, seconds: float) -> None:
        """Advance the time for everyone: timers, bot, screens."""
        self.clock.advance(seconds)
        self.on_advance(seconds)
        self._notify("clock", {"ahead": self.clock.ahead}, lambda user: True)

    def changed(self) -> None:
        """Wake waiting tasks and trigger a save."""
        self.notifier.notify()
        self.on_change()

    def place(self, channel: Channel) -> str:
        """The channel's display name."""
        return f"a direct message with {channel.name}" if channel.is_dm else f"#{channel.name}"

    def screen_message(self, message: Message) -> Json:
        """A message in the format of the page."""
        return {
            **self.payloads.message(message),
            "ephemeral": message.only_for is not None,
            "thinking": message.thinking,
            "pinged": [str(user_id) for user_id in message.pinged],
        }

    def close(self) -> None:
        """Cancel faults and timers, so that nothing hangs or fires afterward."""
        self.faults.close()
        self.clock.stop()

    def _audience(self, channel: Channel, message: Message | None = None) -> Callable[[User], bool]:
        return lambda user: channel.open_to(user) and (message is None or message.visible_to(user))

    def _show(self, message: Message) -> None:
        channel = self.world.channels[message.channel_id]
        self._notify("message", self.screen_message(message), self._audience(channel, message))

    def _notify(self, kind: str, data: Json, sees: Callable[[User], bool]) -> None:
        notice = Notice(kind, data, sees)
        for watcher in list(self.watchers):
            watcher(notice)
        self.changed()

    def _notify_places(self) -> None:
        self._notify("places", {}, lambda user: True)

    def _journal_message(self, what: str, message: Message) -> None:
        author = self.world.users[message.author_id].name
        place = self.place(self.world.channels[message.channel_id])
        only = f" (only {self.world.users[message.only_for].name} sees it)" if message.only_for else ""
        self.journal.say(f"  {author} in {place}{what}{only}: {excerpt(message)}")

    def _dispatch_message(self, event: str, message: Message) -> None:
        if message.only_for is not None:
            return  # ephemeral messages never cross the gateway
        channel = self.world.channels[message.channel_id]
        if channel.outside:
            return  # the bot gets no events from other servers
        payload = self.payloads.message_event(message)

        def as_allowed(session: Session) -> Json:
            bot_id = self.world.bot.id
            readable = channel.is_dm or message.author_id == bot_id or bot_id in message.mentions
            # On Discord, a bot without the intent gets the content only of its own messages, direct ones, and those
            # that mention it.
            if readable or session.wants(Intent.MESSAGE_CONTENT):
                return payload
            return {**payload, "content": "", "embeds": [], "attachments": [], "components": []}

        self.gateway.dispatch_each(event, _message_intent(channel), as_allowed)

    def restart_archiving(self, channel: Channel) -> None:
        """Restart the timer that archives an inactive thread."""
        if not channel.is_thread:
            return
        if channel.id in self._archiving:
            self.clock.cancel(self._archiving[channel.id])
        timer = self.clock.call_later(channel.auto_archive_minutes * 60, lambda: self._archive(channel))
        self._archiving[channel.id] = timer

    def _archive(self, thread: Channel) -> None:
        if thread.id in self.world.channels and not thread.archived:
            thread.archived = True
            self.change_channel(thread)

    def _report_silence(self, interaction: Interaction) -> None:
        what = "asked for suggestions" if interaction.cause is Cause.AUTOCOMPLETE else "did"
        self.journal.blame(f"no answer within 3 s: {interaction.user.name} {what} {interaction.label}")
        self.changed()

    def _connection_changed(self) -> None:
        if self.gateway.is_connected:
            self.problem = ""
        self._notify("bot", self.bot_state(), lambda user: True)

    def _guild_key(self, channel: Channel) -> Json:
        return {} if channel.is_dm else {"guild_id": str(self.world.guild_of(channel))}

    @property
    def gateway_url(self) -> str:
        """The address that the bot connects to and, after READY, resumes at."""
        return self.base_url.replace("http", "ws", 1) + "/gateway/"


def _message_intent(channel: Channel) -> Intent:
    return Intent.DM_MESSAGES if channel.is_dm else Intent.GUILD_MESSAGES
