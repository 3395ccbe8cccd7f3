"""What people did and what they were told, noted as it happens: messages change, and interactions are forgotten."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from playground.interactions import Interaction
from playground.local import LocalDiscord
from playground.reading import text_of
from playground.world import Message

DONE = re.compile(r"^(-# )?✓ ", re.MULTILINE)
CONFIRM, BEFORE = "taps [Confirm]", "It was done a moment ago"


@dataclass
class Ledger:
    """All interactions of a town, and those of them that were answered with a tick: what was done."""

    acts: dict[int, Interaction] = field(default_factory=dict)
    accepted: set[int] = field(default_factory=set)

    def watch(self, local: LocalDiscord) -> None:
        """Note whatever passes from now on."""
        local.deliver = self._delivering(local.deliver)  # type: ignore[method-assign]
        local.settle = self._settling(local.settle)  # type: ignore[method-assign]

    def _delivering(self, deliver: Callable[[Interaction], None]) -> Callable[[Interaction], None]:
        def noted(interaction: Interaction) -> None:
            self.acts[interaction.id] = interaction
            deliver(interaction)

        return noted

    def _settling(self, settle: Callable[..., None]) -> Callable[..., None]:
        def noted(interaction: Interaction, answer: Message | None = None) -> None:
            if answer is not None and interaction.label == CONFIRM:
                said = text_of(answer)
                if DONE.search(said) and BEFORE not in said:
                    self.accepted.add(interaction.id)
            settle(interaction, answer)

        return noted

    def button_of(self, interaction_id: int) -> tuple[int, str] | None:
        """Message and control that were confirmed; the same ones count once."""
        act = self.acts[interaction_id]
        if act.label != CONFIRM or act.source is None:
            return None
        return act.source.id, str(act.event["data"]["custom_id"])
