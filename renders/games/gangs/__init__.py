"""Ali Baba’s Gangs: the same walled town by night, with the stacks of the four gangs in place of the cave."""

from __future__ import annotations

from functools import partial

from renders.games.gangs.scene import SCENE
from renders.games.gangs.theme import THEME as THEME
from renders.symbols import emblem
from renders.town import board, description
from renders.town.symbols import PIECES as PIECES
from renders.town.symbols import symbol as symbol

paint = partial(board.paint, SCENE)
alt = partial(description.alt, SCENE)
tell = partial(description.tell, SCENE)
panels = partial(board.panels, SCENE)

EMBLEM = emblem("gangs", "scimitar", "#46557F")
