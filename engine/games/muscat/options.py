"""The options of Muscat (rule 9)."""

from __future__ import annotations

from engine.core import Options, Preset, option
from engine.errors import SetupError
from engine.texts import SEAT_COLORS, Seat, Text, term

JUMP = "jump"
SHARE = "share"
"""Values of the option for a second riser with no market left but that of the strongest (rule 9)."""

IN_TURN = "place_or_reemploy"
AT_ONCE = "at_once"
NO_ACTION = "no_action"
"""Values of the option for the end of the game by exhaustion (rules 6.2 and 9)."""


class MuscatOptions(Options):
    """The defaults are the rules of 2001; the other values are common interpretations and variants."""

    start_player: Seat = option(0, "Who goes first.", *range(5), title="First player")  # plain numbers, as stored
    # Empty markets of level 1 are equivalent, so `fixed` does not favor any seat.
    start_placement: str = option(
        "choose",
        "Whether everyone chooses the first market or takes the next one in order.",
        "choose",
        "fixed",
        title="First markets",
    )
    # A riser must not follow the strongest, and one without a market jumps (rules 5.3 and 5.4): together, `jump`.
    blocked_second: str = option(
        JUMP,
        "What the second riser does when only the market of the first one is left.",
        JUMP,
        SHARE,
        title="Second riser without room",
    )
    # Taken literally, the rule means `at_once`; the default is our interpretation (rule 10).
    exhaustion_end: str = option(
        IN_TURN,
        "What ends the game: nobody to bring in or reemploy, on your turn or at once, or no action.",
        IN_TURN,
        AT_ONCE,
        NO_ACTION,
        title="End when nobody is left",
    )
    # A new rule of the successor of 2003.
    cycle_needs_own_token: bool = option(
        False,
        "Whether only a market with an artist of yours can be set in motion.",
        title="Cycles need an artist of your own",
    )
    # Tokens “on the board” break a tie, and the streets are printed on it.
    tie_counts_streets: bool = option(
        True, "Whether artists in the streets count when points are equal.", title="Streets count in a tie"
    )

    def check(self, seats: int) -> None:
        """Check that the start player has a seat."""
        if self.start_player >= seats:
            # Seats are named by color, as in the menu, since an empty seat has no other name.
            color, present = term(SEAT_COLORS[self.start_player]), tuple(map(term, SEAT_COLORS[:seats]))
            text = Text("{color} cannot begin: the players are {present}.", color=color, present=present)
            raise SetupError("option", text)


PRESETS = (
    Preset("First game", {"cycle_needs_own_token": True}, "only markets with an artist of yours can be set in motion"),
    Preset("As printed", {}, "any full market can be set in motion"),
    Preset("Tournament", {"start_placement": "fixed"}, "everyone is given their first market"),
)
"""A first game leaves the markets of others alone; a tournament begins at once, which makes no difference."""
