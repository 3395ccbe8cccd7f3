"""The game in three lines, as it is played with the chosen options."""

from __future__ import annotations

from engine.core import InShort, Setup
from engine.texts import Text

_GOAL = Text(
    "You want higher dice than your rivals when a hand ends: your highest meets their highest, your second their "
    "second. Each rank you win alone is a point."
)
_TURN = Text(
    "First you lay out your Muses. Then your turn is one step of any tile. It pushes what is in its way, and every "
    "tile that moves gains 1 on its die."
)
_TURN_WITH_POWERS = Text(
    "First you lay out your Muses. Then your turn is one step of any tile: it pushes what is in its way, and all that "
    "move gain 1 on their dice. A face-up Muse that you move may use her power."
)
_HAND = "A die that shows 6 ends the hand; then dice that equal the suns of their tiles become 6, too."


def in_short(setup: Setup) -> InShort:
    """The goal, a turn and the end."""
    return InShort(_GOAL, _TURN_WITH_POWERS if setup.options.any_powers else _TURN, _end(setup))


def _end(setup: Setup) -> Text:
    hands, target = setup.options.hands, setup.options.target
    if target is not None:
        template = "{hand} After {hands} {hands:hand|hands}, or at {target} points, most points wins."
        return Text(template, hand=Text(_HAND), hands=hands, target=target)
    return Text("{hand} After {hands} {hands:hand|hands}, most points wins.", hand=Text(_HAND), hands=hands)
