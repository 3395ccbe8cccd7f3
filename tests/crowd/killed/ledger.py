"""A ledger of acts and answers, written as they happen, since messages change and interactions are forgotten."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from engine.values import Value
from playground.interactions import Cause, Interaction
from playground.local import LocalDiscord
from playground.reading import buttons_of, text_of
from playground.world import Message

DONE = re.compile(r"^(-# )?✓ ", re.MULTILINE)
CONFIRMABLE = re.compile(r"cv:do:(\d+):(\d+)~([0-9a-f]{6})")
CONFIRM = "taps [Confirm]"
NOT_NOW = ("Already done when you typed it", "The game has moved on")
"""Phrases of messages whose ticks mark earlier or unconfirmed actions."""


def tells_done(said: str) -> bool:
    """Whether an answer says that the action was just done."""
    return bool(DONE.search(said)) and not any(map(said.count, NOT_NOW))


def _a_few() -> deque[Interaction]:
    return deque(maxlen=8)


class Preview(Value):
    """An unconfirmed preview, identified by its draft; the bot keeps it as long as the decision is open."""

    match_id: int
    version: int
    draft: str


@dataclass
class Ledger:
    """All interactions of a run, the answers to accepted moves, and the open previews by user and channel.

    A later act of the user in the channel removes the preview.
    """

    acts: dict[int, Interaction] = field(default_factory=dict)
    accepted: dict[int, str] = field(default_factory=dict)
    previews: dict[tuple[int, int], Preview] = field(default_factory=dict)
    lately: dict[tuple[int, int], deque[Interaction]] = field(default_factory=lambda: defaultdict(_a_few))

    def watch(self, local: LocalDiscord) -> None:
        """Record all interactions from now on."""
        local.deliver = self._delivering(local.deliver)  # type: ignore[method-assign]
        local.settle = self._settling(local.settle)  # type: ignore[method-assign]

    def _delivering(self, deliver: Callable[[Interaction], None]) -> Callable[[Interaction], None]:
        def noted(interaction: Interaction) -> None:
            self.acts[interaction.id] = interaction
            if interaction.cause is not Cause.AUTOCOMPLETE:
                key = interaction.user.id, interaction.channel.id
                self.previews.pop(key, None)
                self.lately[key].append(interaction)
            deliver(interaction)

        return noted

    def _settling(self, settle: Callable[..., None]) -> Callable[..., None]:
        def noted(interaction: Interaction, answer: Message | None = None) -> None:
            if answer is not None:
                self._note(interaction, answer)
            settle(interaction, answer)

        return noted

    def _note(self, interaction: Interaction, answer: Message) -> None:
        words, key = text_of(answer), (interaction.user.id, interaction.channel.id)
        ids = (str(button.custom_id) for button in buttons_of(answer.components))
        preview = next(filter(None, map(CONFIRMABLE.match, ids)), None)
        if interaction.label == CONFIRM and not preview and tells_done(words):
            self.accepted[interaction.id] = words
        *before, last = self.lately[key]
        if preview and last is interaction and all(act.is_answered or act.lost for act in before):
            self.previews[key] = Preview(int(preview[1]), int(preview[2]), preview[3])

    def button_of(self, interaction_id: int) -> tuple[int, str] | None:
        """The message and control of a confirmation; two taps on the same control count once."""
        act = self.acts[interaction_id]
        if act.label != CONFIRM or act.source is None:
            return None
        return act.source.id, str(act.event["data"]["custom_id"])
