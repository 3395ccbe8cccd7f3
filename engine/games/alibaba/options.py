"""What the host may choose (rule 5)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core import Options, option


@dataclass(frozen=True, slots=True)
class AliBabaOptions(Options):
    """The defaults are the cave as it was written down; the rest is readings people play."""

    cave_graffiti: bool = option(False, "Whether lamp, alms, toll and recruit spaces do something.")
    multi_deck: str = option(
        "each", "With two jewels, thieves from each deck or a number for each, three in all.", "each", "total"
    )
