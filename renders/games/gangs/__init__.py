"""Ali Baba’s Gangs: the same walled town by night, with the stacks of the four gangs in place of the cave."""

from __future__ import annotations

from functools import partial
from typing import Any

from engine.games.gangs.events import Cards
from engine.town.data import Thief
from renders.games.gangs.scene import SCENE
from renders.games.gangs.theme import THEME as THEME
from renders.symbols import Symbol, emblem
from renders.town import board, description, symbols
from renders.town.symbols import symbol as symbol

paint = partial(board.paint, SCENE)
alt = partial(description.alt, SCENE)
tell = partial(description.tell, SCENE)
panels = partial(board.panels, SCENE)

EMBLEM = emblem("gangs", "scimitar", "#46557F")

# A single card, too: its words stay whole, so that a language finds their article.
PIECES: dict[Any, Symbol] = {**symbols.PIECES, **{Cards(1, thief): symbols.PIECES[thief] for thief in Thief}}
