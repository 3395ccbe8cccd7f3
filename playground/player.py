"""A person at the keyboard, driven from Python: same actions and same view as a person on the page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, TypeVar

from playground.acts import Acts
from playground.components import ENTITY_SELECTS, Kind
from playground.interactions import Interaction
from playground.local import LocalDiscord
from playground.notifier import HANG
from playground.options import CannotDo
from playground.reading import Menu, text_of
from playground.seen import Seen, snapshot_of
from playground.wire import Json
from playground.world import Channel, Message, User

__all__ = ["ExpectationFailed", "Player", "Seen"]

T = TypeVar("T")

TRANSCRIPT_LINES = 60
FORM_DELAY = 0.05
"""Time that filling in a form takes, in seconds."""


class ExpectationFailed(AssertionError):
    """An expected message or change did not come. The text ends with the transcript."""


class Player:
    """A person in a channel. Actions return the message that the person sees as the response."""

    def __init__(self, local: LocalDiscord, user: User, channel: Callable[[], Channel | None]) -> None:
        self._local = local
        self._user = user
        self._find_channel = channel
        self._acts = Acts(local)
        self._opened: Interaction | None = None

    @property
    def name(self) -> str:
        """The person's name."""
        return self._user.name

    @property
    def id(self) -> int:
        """The person's Discord id."""
        return self._user.id

    @property
    def locale(self) -> str:
        """The language of the person's client."""
        return self._user.locale

    @property
    def mention(self) -> str:
        """The person's mention."""
        return f"<@{self._user.id}>"

    @property
    def channel(self) -> Channel:
        """The person's channel. Raises CannotDo if it does not exist."""
        channel = self._find_channel()
        if channel is None:
            raise CannotDo("That channel does not exist.")
        return channel

    @property
    def modal(self) -> Json | None:
        """The payload of the open form."""
        return self._opened.modal if self._opened else None

    # looking

    @property
    def messages(self) -> list[Seen]:
        """The messages that the person sees in the channel, oldest first."""
        return [self._see(message) for message in self._visible()]

    @property
    def last(self) -> Seen | None:
        """The latest visible message."""
        messages = self._visible()
        return self._see(messages[-1]) if messages else None

    @property
    def pings(self) -> list[Seen]:
        """Messages in any channel that notified this person, oldest first, including deleted ones."""
        world = self._local.world
        pinged = [message for message in world.all_messages() if self._user.id in message.pinged]
        pinging = [message for message in pinged if world.channels[message.channel_id].open_to(self._user)]
        return [self._see(message) for message in sorted(pinging, key=lambda message: message.id)]

    def look(self, seen: Seen) -> Seen | None:
        """The current state of a message, or None if it was deleted."""
        channel = self._local.world.channels.get(seen.record.channel_id)
        return self._see(seen.record) if channel and seen.record in channel.messages else None

    # places

    def in_channel(self, name: str) -> Player:
        """This person in another channel or thread, which may not exist yet."""
        return Player(self._local, self._user, lambda: self._local.world.channel_named(name))

    def in_newest_thread(self, lookup: str = "") -> Player:
        """This person in the channel's newest thread with this word in its name, or in the channel until one exists."""

        def find() -> Channel | None:
            channel = self._find_channel()
            threads = [
                thread
                for thread in self._local.world.threads
                if channel and thread.parent_id == channel.id and lookup in thread.name
            ]
            return threads[-1] if threads else channel

        return Player(self._local, self._user, find)

    def in_dm(self) -> Player:
        """This person in the direct conversation with the bot."""
        return Player(self._local, self._user, lambda: self._local.world.dm_with(self._user))

    # acting

    async def say(self, text: str) -> Seen:
        """Write a plain message."""
        return self._see(self._acts.say(self._user, self.channel, text))

    async def slash(self, path: str, /, *, silent: bool = False, **typed: Any) -> Seen | None:
        """Use a command and wait for the response; a deferred one must be filled.

        Returns None if the response was deleted or is a form (then `modal` is set). With `silent`, waits only for the
        acknowledgment and returns None. Raises ExpectationFailed if the bot does not respond in time, CannotDo if the
        client would not send the command.
        """
        return await self._answer(self._acts.slash(self._user, self.channel, path, typed), silent)

    async def suggest(self, path: str, focused: str, text: str = "", /, **typed: Any) -> list[tuple[str, Any]]:
        """The suggestions for an option after typing `text`, as pairs of name and value."""
        interaction = self._acts.suggest(self._user, self.channel, path, focused, text, typed)
        await self._until(lambda: interaction.is_answered, HANG, f"suggestions for {interaction.label}")
        if interaction.choices is None:
            self._fail(f"no suggestions came for {interaction.label}")
        return [(choice["name"], choice["value"]) for choice in interaction.choices]

    async def tap(self, label: str, *, on: Seen | None = None, silent: bool = False) -> Seen | None:
        """Press the button with this label, on `on` or on the newest visible message that has it.

        If `on` has been edited since, the tap is sent as if it had crossed the edit. Returns the message that
        responded, new or updated, or None if a form opened. `silent` as for `slash`.
        """
        message = on or self._newest(lambda seen: _pressable(seen, label), f"an enabled button {label!r}")
        button = message.button(label)
        if button is None or button.custom_id is None:
            self._fail(f"the message has no button {label!r}: {message!r}")
        interaction = self._acts.tap(self._user, message.record, button.custom_id, shown=message.components)
        return await self._answer(interaction, silent)

    async def tap_id(self, custom_id: str, *, on: Seen) -> Seen | None:
        """Press a button by its custom id, even if the message no longer has it."""
        interaction = self._acts.tap(self._user, on.record, custom_id, shown=on.components, forced=True)
        return await self._answer(interaction)

    async def choose(self, *entries: str, on: Seen | None = None, menu: int = 0) -> Seen | None:
        """Choose entries by label or value (people, roles and channels by name) in the message's menu number `menu`."""
        message = on or self._newest(lambda seen: len(seen.menus) > menu, "a menu")
        if len(message.menus) <= menu:
            self._fail(f"the message has no menu {menu}: {message!r}")
        chosen_menu = message.menus[menu]
        values = [self._entry_value(chosen_menu, entry) for entry in entries]
        interaction = self._acts.choose(
            self._user, message.record, chosen_menu.custom_id, values, shown=message.components
        )
        return await self._answer(interaction)

    async def submit(self, values: Mapping[str, Any]) -> Seen | None:
        """Submit the open form; fields by label or custom id."""
        if self._opened is None:
            self._fail(f"{self.name} has no form open")
        # No person is faster, and discord.py does not know the form until its own request has been answered.
        await asyncio.sleep(FORM_DELAY)
        # Cleared first, since a form can be submitted only once.
        opened, self._opened = self._opened, None
        return await self._answer(self._acts.submit(self._user, opened, values))

    async def dismiss(self, message: Seen) -> None:
        """Remove an ephemeral message from the screen."""
        self._acts.dismiss(self._user, message.record)

    # waiting

    async def expect(
        self,
        text: str | Callable[[Seen], bool],
        *,
        timeout: float = HANG,  # noqa: ASYNC109 (reads best in tests)
        after: Seen | None = None,
    ) -> Seen:
        """Wait until a visible message (newer than `after`, if given) contains `text`, and return it.

        A function in place of the text says which messages are meant.
        """
        # Ids increase with time, so newer means larger.
        least = after.id if after else 0

        def look() -> Seen | None:
            newest_first = (m for m in reversed(self._visible()) if m.id > least)
            if callable(text):
                return next(filter(text, map(self._see, newest_first)), None)
            return next((self._see(m) for m in newest_first if text in text_of(m)), None)

        what = text.__name__ if callable(text) else repr(text)
        return await self._until(look, timeout, f"{self.name} to see {what}")

    async def expect_gone(self, message: Seen) -> None:
        """Wait until a message has been deleted."""
        await self._until(lambda: self.look(message) is None, HANG, f"{message!r} to be removed")

    async def until(self, look: Callable[[], T | None], *, what: str = "a change") -> T:
        """Wait until `look()` returns a result other than None or False, and return it. Checked after every change."""
        return await self._until(look, HANG, what)

    # internals

    def _visible(self) -> list[Message]:
        channel = self._find_channel()
        if channel is None or not channel.open_to(self._user):
            return []
        return [message for message in channel.messages if message.visible_to(self._user)]

    async def _answer(self, interaction: Interaction, silent: bool = False) -> Seen | None:
        # The patience of `Interactions`, which can have any length, ends this wait.
        await self._local.notifier.until(lambda: interaction.callback or interaction.failed or None, None)
        if interaction.failed:
            self._fail(f"the bot did not answer {interaction.label} within 3 s")
        if silent:
            return None
        await self._until(
            lambda: interaction.is_answered or interaction.lost, HANG, f"the deferred answer to {interaction.label}"
        )
        if interaction.lost:
            self._fail(f"the bot ended before it answered {interaction.label}")
        if interaction.modal is not None:
            self._opened = interaction
        return self._see(interaction.answer) if interaction.answer else None

    async def _until(self, look: Callable[[], T | None], patience: float, what: str) -> T:
        try:
            return await self._local.notifier.until(look, patience)
        except TimeoutError:
            self._fail(f"timed out after {patience:g} s waiting for {what}")

    def _newest(self, fits: Callable[[Seen], bool], what: str) -> Seen:
        match = next(filter(fits, map(self._see, reversed(self._visible()))), None)
        return match or self._fail(f"{self.name} sees no message with {what}")

    def _entry_value(self, menu: Menu, entry: str) -> str:
        if menu.kind in ENTITY_SELECTS:
            world = self._local.world
            names = {
                Kind.USER_SELECT: (world.user_named,),
                Kind.ROLE_SELECT: (world.role_named,),
                Kind.CHANNEL_SELECT: (world.channel_named,),
                Kind.MENTIONABLE_SELECT: (world.user_named, world.role_named),
            }
            match = next((entity for lookup in names[menu.kind] if (entity := lookup(entry))), None)
            return str(match.id) if match else entry
        value = next((option.value for option in menu.options if entry in (option.label, option.value)), None)
        return value or self._fail(f"the menu has no entry {entry!r}: {[option.label for option in menu.options]}")

    def _see(self, message: Message) -> Seen:
        return snapshot_of(self._local.world, message)

    def _fail(self, what: str) -> NoReturn:
        raise ExpectationFailed(f"{what}\n\n{self._local.journal.transcript(TRANSCRIPT_LINES)}")


def _pressable(seen: Seen, label: str) -> bool:
    button = seen.button(label)
    return button is not None and button.enabled
