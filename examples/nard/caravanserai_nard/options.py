"""The options of Nard (rule 9)."""

from __future__ import annotations

from engine.core import Options, Preset, Setup, option
from engine.values import Value


class NardOptions(Options):
    """A single game without the cube, unless the host chooses otherwise."""

    match: int = option(1, "How many points win the match; 1 is a single game.", 1, 3, 5, title="Match to")
    cube: bool = option(False, "Whether players may double the stake during a game.", title="Doubling cube")

    @property
    def is_match(self) -> bool:
        """Whether the match is to more than one point."""
        return self.match > 1


PRESETS = (
    Preset("Single game", {}),
    Preset("Match to 3 points", {"match": 3}),
    Preset("Match to 5 points with the cube", {"match": 5, "cube": True}),
)


class Terms(Value):
    """The options of a match."""

    goal: int
    cube: bool

    @property
    def single(self) -> bool:
        """Whether only one game is played."""
        return self.goal == 1


def terms_of(setup: Setup) -> Terms:
    """The terms of a match with these options."""
    chosen: NardOptions = setup.options
    return Terms(chosen.match, chosen.cube)
