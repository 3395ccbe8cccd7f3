"""Draws a first board of the game that most tests play, on import: its art is loaded then, as for any later one."""

from __future__ import annotations

import renders
from engine.games import discover
from engine.match import Match
from tests.rooms import GAME

_spec = discover()[GAME]
_match = Match.begin(_spec, _spec.setup(_spec.seats[0]), "")
renders.png(renders.draw(_match.view(None), _match.names))
