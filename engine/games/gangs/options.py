"""The options of the gangs game (rule 5)."""

from __future__ import annotations

from engine.core import Options, Preset, option


class GangsOptions(Options):
    """The defaults follow the printed rules as far as known; the other values are common interpretations."""

    second_window: bool = option(
        True, "Whether bandits may be returned once more between the two dice.", title="Second chance to return bandits"
    )
    trading: bool = option(False, "Whether bandits in danger may be offered to others.", title="Trading")
    sell_to_bank: bool = option(
        False, "Whether bandits may be sold to the bank before moving.", title="Selling to the bank"
    )


PRESETS = (
    Preset("First game", {"second_window": True, "trading": False, "sell_to_bank": False}, "no trading"),
    Preset("As printed", {"second_window": True, "trading": True, "sell_to_bank": False}, "bandits can be traded"),
    Preset(
        "Tournament",
        {"second_window": False, "trading": False, "sell_to_bank": False},
        "no trading, and bandits are returned only before the dice",
    ),
)
