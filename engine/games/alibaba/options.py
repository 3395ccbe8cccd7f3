"""What the host may choose (rule 6)."""

from __future__ import annotations

from dataclasses import dataclass, fields

from engine import Options, SetupError, option

CAVE, GANGS = "cave", "gangs"

MODE_OF = {
    "cave_graffiti": CAVE,
    "multi_deck": CAVE,
    "second_window": GANGS,
    "trading": GANGS,
    "sell_to_bank": GANGS,
}
"""Option -> the mode it belongs to."""


@dataclass(frozen=True, slots=True)
class AliBabaOptions(Options):
    """The defaults are the cave as it was written down; the rest is the older game, and readings people play."""

    mode: str = option(CAVE, "The cave of treasures, or the older game of gangs and raids.", CAVE, GANGS)
    cave_graffiti: bool = option(False, "Cave: whether lamp, alms, toll and recruit spaces do something.")
    multi_deck: str = option(
        "each", "Cave: with two jewels, thieves from each deck or a number for each, three in all.", "each", "total"
    )
    second_window: bool = option(True, "Gangs: whether bandits may be returned again after the black die.")
    trading: bool = option(False, "Gangs: whether bandits in danger may be offered to others.")
    sell_to_bank: bool = option(False, "Gangs: whether bandits may be sold to the bank before moving.")

    @property
    def in_short(self) -> str:
        """The gangs are a game of their own, told at the beginning of their section."""
        return "4" if self.mode == GANGS else "1"

    def check(self, seats: int) -> None:
        """An option must belong to the mode that is played."""
        for field in fields(self):
            mode = MODE_OF.get(field.name, self.mode)
            if mode != self.mode and getattr(self, field.name) != field.default:
                name = field.name.replace("_", " ")
                raise SetupError("option", f"“{name}” belongs to the mode “{mode}”; choose that mode first.")
