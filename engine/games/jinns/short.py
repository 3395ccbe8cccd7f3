"""The game in three lines, as it is played with the chosen options."""

from __future__ import annotations

from engine.core import InShort, Setup
from engine.games.jinns.options import terms_of
from engine.texts import Text, joined

_GOAL = Text(
    "You want towers of four, each worth four times the domes of its top pawn. At the end, piles with your color on "
    "top count for you, too."
)
_PLACING = Text("First you place the pawns.")
_CHOOSING = Text("First you choose your colors.")
_MOVE = Text(
    "Your turn is one move: take a pile with your color on top, and land on the pile that is as many piles away as its "
    "top pawn has domes."
)
_TWO_COLORS = Text("You play two colors.")
_NEUTRAL = Text("You can move neutral piles, too.")
_TOWER = Text("Complete a tower of four, and it is yours.")
_SHARED_TOWER = Text("Complete a tower of four, and you share it with your partner.")
_TEAM = Text("The game ends when nobody can move. Partners add up their points; the higher total wins.")
_END = Text("The game ends when nobody can move anymore. Most points wins.")


def in_short(setup: Setup) -> InShort:
    """The goal, a turn and the end."""
    terms = terms_of(setup)
    first = [_CHOOSING] if terms.colors_chosen else [] if terms.random else [_PLACING]
    piles = {2: [_TWO_COLORS, _MOVE], 3: [_MOVE, _NEUTRAL]}.get(setup.seats, [_MOVE])
    turn = joined([*first, *piles, _SHARED_TOWER if terms.partners else _TOWER])
    return InShort(_GOAL, turn, _TEAM if terms.team_score else _END)
