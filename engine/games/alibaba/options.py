"""The options of the cave game (rule 5)."""

from __future__ import annotations

from engine.core import Options, Preset, option


class AliBabaOptions(Options):
    """The defaults follow the original rules; the other values are common interpretations."""

    cave_graffiti: bool = option(
        False, "Whether lamp, alms, toll and recruit spaces have an effect.", title="Writing on the wall"
    )
    multi_deck: str = option(
        "each",
        "On two jewels: the number you name applies to each deck, or is split between them.",
        "each",
        "total",
        title="Thieves where two jewels are shown",
    )


PRESETS = (
    Preset("First game", {"cave_graffiti": False, "multi_deck": "each"}, "lamps, alms, recruits and tolls do nothing"),
    Preset(
        "With writing on the wall",
        {"cave_graffiti": True, "multi_deck": "each"},
        "lamps, alms, recruits and tolls have an effect",
    ),
    Preset("Tournament", {"cave_graffiti": False, "multi_deck": "total"}, "at most three thieves turn up at a time"),
)
