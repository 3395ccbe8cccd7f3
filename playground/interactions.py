"""The life cycle of an interaction: created, acknowledged once within three seconds, valid for fifteen minutes."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum

from playground.clock import Clock, Timer
from playground.journal import Timing
from playground.wire import ApiError, Json, unknown
from playground.world import Channel, Message, User

PATIENCE = 3.0
"""Discord's deadline for the initial response, in seconds."""
LIFETIME = 15 * 60.0  # On Discord, a token is valid this long; after that, it gets 401/50027.
MAX_TRACKED = 2_000
"""Maximum number of expired interactions to keep."""


# https://discord.com/developers/docs/interactions/receiving-and-responding
class Cause(IntEnum):
    """Discord's numbers for kinds of interaction."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class Callback(IntEnum):
    """Discord's numbers for kinds of initial response."""

    PONG = 1
    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


@dataclass(eq=False)
class Interaction:
    """A person's action that the bot must respond to."""

    id: int
    cause: Cause
    user: User
    channel: Channel
    label: str
    event: Json
    born: float
    timing: Timing
    source: Message | None = None
    option_type: int = 3
    token: str = field(default_factory=lambda: secrets.token_urlsafe(48))
    callback: Callback | None = None
    ephemeral: bool = False
    original: Message | None = None
    answer: Message | None = None
    gone: bool = False
    choices: list[Json] | None = None
    modal: Json | None = None
    failed: bool = False
    lost: bool = False
    callbacks_tried: list[int] = field(default_factory=list)
    follow_ups: int = 0
    deadline: Timer | None = None

    @property
    def is_answered(self) -> bool:
        """Whether the person sees a result, or will not get one anymore."""
        if self.failed or self.gone or self.answer is not None:
            return True
        return self.callback is not None and self.callback not in (Callback.DEFERRED_MESSAGE, Callback.DEFERRED_UPDATE)

    def allows(self, callback: Callback) -> bool:
        """Whether this kind of initial response fits the interaction."""
        match callback:
            case Callback.CHOICES:
                return self.cause is Cause.AUTOCOMPLETE
            case Callback.UPDATE | Callback.DEFERRED_UPDATE:
                # A form opened by a command has no message to update.
                return self.source is not None and self.cause in (Cause.COMPONENT, Cause.MODAL)
            case Callback.MODAL:
                # On Discord, a form cannot open another form.
                return self.cause in (Cause.COMMAND, Cause.COMPONENT)
            case Callback.MESSAGE | Callback.DEFERRED_MESSAGE:
                return self.cause is not Cause.AUTOCOMPLETE
            case _:
                return False


class Interactions:
    """Tracks interactions until their initial response, each for `patience` seconds, and afterward."""

    def __init__(self, clock: Clock, *, patience: float, on_silence: Callable[[Interaction], None]) -> None:
        self._clock = clock
        self.patience = patience
        self._on_silence = on_silence
        self._by_token: dict[str, Interaction] = {}
        self._by_id: dict[int, Interaction] = {}

    def open(self, interaction: Interaction) -> None:
        """Start the deadline of a new interaction."""
        self._by_token[interaction.token] = interaction
        self._by_id[interaction.id] = interaction
        interaction.deadline = self._clock.call_later(self.patience, lambda: self._give_up(interaction))
        while len(self._by_token) > MAX_TRACKED and self._is_expired(oldest := next(iter(self._by_token.values()))):
            self._by_token.pop(oldest.token)
            self._by_id.pop(oldest.id, None)

    @property
    def waiting(self) -> list[Interaction]:
        """Interactions that still need an initial response."""
        return [i for i in self._by_token.values() if i.callback is None and not i.failed]

    @property
    def latest(self) -> Interaction | None:
        """The latest interaction, not counting requests for suggestions."""
        return next((i for i in reversed(self._by_token.values()) if i.cause is not Cause.AUTOCOMPLETE), None)

    def by_id(self, interaction_id: int) -> Interaction | None:
        """The interaction with this id, while it is tracked."""
        return self._by_id.get(interaction_id)

    def for_callback(self, interaction_id: int, token: str, callback: Callback) -> Interaction:
        """The interaction of an initial response. Raises ApiError for a late, repeated or unfit response."""
        interaction = self._by_id.get(interaction_id)
        # The same code as for a late response: Discord does not distinguish the two.
        if interaction is None or interaction.token != token:
            raise unknown("interaction", 10062)
        if interaction.callback is not None:
            raise ApiError(400, 40060, "Interaction has already been acknowledged.")
        # Also compare times, since `advance` may have jumped past the timer.
        if interaction.failed or self._clock.now() - interaction.born > self.patience:
            raise unknown("interaction", 10062)
        if not interaction.allows(callback):
            raise ApiError(400, 50035, f"Invalid Form Body: type {callback} cannot answer this interaction")
        return interaction

    def acknowledge(self, interaction: Interaction, callback: Callback) -> None:
        """Record the initial response."""
        interaction.callback = callback
        if interaction.deadline:
            self._clock.cancel(interaction.deadline)

    def for_webhook(self, token: str) -> Interaction:
        """The interaction of a follow-up or edit. Raises ApiError before its initial response and after it expires."""
        interaction = self._by_token.get(token)
        # Discord does not document the error before the initial response; 10015 is a guess.
        if interaction is None or interaction.callback is None:
            raise unknown("Webhook", 10015)
        if self._is_expired(interaction):
            raise ApiError(401, 50027, "Invalid Webhook Token")
        return interaction

    def abandon(self) -> None:
        """Give up all unanswered interactions after the bot has exited."""
        for interaction in self._by_token.values():
            interaction.lost = not interaction.is_answered
            if interaction.lost:
                self._give_up(interaction)

    def _is_expired(self, interaction: Interaction) -> bool:
        return self._clock.now() - interaction.born > LIFETIME

    def _give_up(self, interaction: Interaction) -> None:
        if interaction.callback is None and not interaction.failed:
            interaction.failed = True
            self._on_silence(interaction)
