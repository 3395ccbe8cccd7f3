"""The options of Dance of Muses (rule 10)."""

from __future__ import annotations

from engine.core import Options, option
from engine.games.muses.muse_table import HOUSE, NONE, canonical_table, table_name


class MusesOptions(Options):
    """The defaults follow the known rules; the other values are interpretations and older editions."""

    powers: str = option(
        HOUSE,
        "What the Muses can do: our house powers, nothing, or a table of your own.",
        HOUSE,
        NONE,
        title="Powers",
        file=table_name,
        canonical=canonical_table,
    )
    # The edition of 2024 is reported to have three hands and an end at 7 points.
    hands: int = option(2, "How many hands are played.", 2, 1, 3, title="Hands")
    target: int | None = option(
        None, "Points that end the game early, after the scoring of a hand.", None, 7, title="End at points"
    )
    # Sources differ: Board Game Arena has it face up, a review has it face down.
    neutral_face_4p: str = option(
        "up", "How the Neutral tile lies with four players.", "up", "down", title="Neutral tile with four"
    )
    # The prototype of 2019 allowed slides, and powers only after the step.
    diagonal_slide: bool = option(
        False, "Whether a Muse may slide diagonally past a free corner.", title="Diagonal slides"
    )
    power_timing: str = option(
        "either",
        "Whether a power may be used before the step as well (either), or only after it.",
        "either",
        "after",
        title="Power before or after",
    )

    @property
    def any_powers(self) -> bool:
        """Whether Muses have powers at all (rule 6)."""
        return self.powers != NONE

    @property
    def more_hands(self) -> bool:
        """Whether a hand can follow another one (rule 8.3)."""
        return self.hands > 1
