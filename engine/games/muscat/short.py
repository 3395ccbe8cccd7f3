"""The game in three lines, as it is played with the chosen options."""

from __future__ import annotations

from engine.core import InShort, Setup
from engine.games.muscat.options import NO_ACTION
from engine.games.muscat.state import palace_limit
from engine.texts import Text

_GOAL = Text(
    "You want your artists to climb: at the end each counts 2, 4, 6 or 8 points by its level, and 10 in the palace."
)
_TURN = Text(
    "Your turn is one action: bring an artist to a market, or set a market with three in motion. Each kind threatens "
    "the next clockwise. Two climb, and the weakest, which threatens neither, falls into the street, where it costs "
    "points."
)
_TURN_WITH_OWN = Text(
    "Your turn is one action: bring an artist to a market, or set a market with three in motion, at least one of them "
    "yours. Each kind threatens the next clockwise. Two climb, and the weakest, which threatens neither, falls into "
    "the street, where it costs points."
)


def in_short(setup: Setup) -> InShort:
    """The goal, a turn and the end."""
    turn = _TURN_WITH_OWN if setup.options.cycle_needs_own_token else _TURN
    return InShort(_GOAL, turn, _end(setup))


def _end(setup: Setup) -> Text:
    limit = palace_limit(setup.seats)
    if setup.options.exhaustion_end == NO_ACTION:
        template = "Once {limit} artists are in the palace, this round is the last. Most points wins."
    else:
        template = (
            "Once {limit} artists are in the palace, this round is the last. A player who runs out of artists ends "
            "the game sooner. Most points wins."
        )
    return Text(template, limit=limit)
