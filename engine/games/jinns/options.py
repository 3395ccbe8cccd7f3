"""The options of Jinns of the Lake (rule 9), and the terms of a match that follow from them."""

from __future__ import annotations

import dataclasses

from engine.core import Options, OptionValue, Preset, Setup, option
from engine.errors import SetupError
from engine.texts import Seat, Text
from engine.values import Value

BY_EDITION = "by_edition"
DRAFT = "draft"
"""Stored value of the option for the choice of colors (rule 3.4)."""
PARTNERS = 4
"""Number of players that can be partners."""
NEUTRAL = 3
"""Number of players that leaves a color without an owner."""

_PLACED_BY_NOBODY = Text("Colors are chosen over a random layout; to place pawns, players must own a color first.")


class JinnsOptions(Options):
    """The defaults follow the early rules. `edition` determines all options that are not chosen explicitly."""

    # The surviving pages of the later edition are incomplete; the rest follows the early one.
    edition: str = option(
        "early", "The rules for all options that are left “by edition”.", "early", "later", title="Edition"
    )
    setup: str = option(
        BY_EDITION,
        "Whether players place the pawns or they are laid out at random.",
        BY_EDITION,
        "placement",
        "random",
        title="Setup",
    )
    partners: str = option(
        BY_EDITION,
        "With four players: whether those who face each other are partners.",
        BY_EDITION,
        "yes",
        "no",
        title="Partners",
    )
    neutral_tower: str = option(
        BY_EDITION,
        "With three players: whether a tower topped by the neutral color counts for who takes it.",
        BY_EDITION,
        "mover",
        "zero",
        title="Towers topped by neutral",
    )
    colors: str = option(
        "fixed",
        "Whether players choose their colors once the pawns are laid out.",
        "fixed",
        DRAFT,
        title="Choice of colors",
    )
    # The printed rules do not end a game in which players keep undoing moves.
    repetition_limit: int = option(3, "How often a position must come up to end the game.", 3, 2, title="Repetitions")
    team_score: bool = option(False, "With partners: whether they add up their points.", title="Points together")

    def check(self, seats: int) -> None:
        """Check that a choice of colors comes with a random layout."""
        if self.colors == DRAFT and self.setup == "placement":
            raise SetupError("option", _PLACED_BY_NOBODY)

    def settled(self) -> dict[str, OptionValue]:
        """The options without `edition`, which is replaced by the values that it implies."""
        values: dict[str, OptionValue] = dataclasses.asdict(self)
        del values["edition"]
        return values | {
            "setup": "random" if self.by_luck else "placement",
            "partners": "yes" if self.partnership else "no",
            "neutral_tower": self.under_neutral,
        }

    @property
    def under_neutral(self) -> str:
        """Whether a tower topped by the neutral color counts for the `mover` or not at all (`zero`)."""
        return _resolve(self.neutral_tower, "zero" if self.edition == "later" else "mover")

    @property
    def by_luck(self) -> bool:
        """Whether the pawns are laid out at random (rule 3.3)."""
        # The choice of colors implies a random layout (rule 9); `check` refuses any other.
        default = "random" if self.edition == "later" or self.colors == DRAFT else "placement"
        return _resolve(self.setup, default) == "random"

    @property
    def partnership(self) -> bool:
        """Whether four players are partners (rule 5)."""
        return _resolve(self.partners, "no" if self.edition == "later" else "yes") == "yes"


PRESETS = (
    Preset("First game", {"setup": "random", "partners": "no"}, "pawns laid out at random, no partners"),
    Preset("As printed", {}, "you place the pawns, and four players are partners"),
    Preset(
        "Later edition",
        {"edition": "later"},
        "pawns laid out at random, no partners, and towers topped by neutral score nothing",
    ),
)
"""A first game is simpler without the long setup and the rules for partners."""


class Terms(Value):
    """The effective options of a match."""

    seats: int
    random: bool
    colors_chosen: bool
    partners: bool
    neutral_counts: bool
    team_score: bool
    repetition_limit: int


def terms_of(setup: Setup) -> Terms:
    """The terms of a match, without options that do not apply to its number of players."""
    options: JinnsOptions = setup.options
    partners = setup.seats == PARTNERS and options.partnership
    return Terms(
        seats=setup.seats,
        random=options.by_luck,
        colors_chosen=options.colors == DRAFT,
        partners=partners,
        # Without effect with two or four players, since no color is neutral.
        neutral_counts=options.under_neutral == "mover",
        team_score=partners and options.team_score,
        repetition_limit=options.repetition_limit,
    )


def _resolve(chosen: str, default: str) -> str:
    return default if chosen == BY_EDITION else chosen


def opposite(seat: Seat) -> Seat:
    """The opposite seat of four, which is the partner's if there are partners (rule 5)."""
    return Seat((seat + PARTNERS // 2) % PARTNERS)


def companies(setup: Setup) -> tuple[int, ...]:
    """The company of each seat: partners with a team score share one."""
    return tuple(seat % (PARTNERS // 2 if terms_of(setup).team_score else setup.seats) for seat in range(setup.seats))
