"""What the host may choose (rule 5)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core import Options, option


@dataclass(frozen=True, slots=True)
class GangsOptions(Options):
    """The defaults are the game as it was printed, as far as it is known; the rest is readings people play."""

    second_window: bool = option(True, "Whether bandits may be returned again after the black die.")
    trading: bool = option(False, "Whether bandits in danger may be offered to others.")
    sell_to_bank: bool = option(False, "Whether bandits may be sold to the bank before moving.")
