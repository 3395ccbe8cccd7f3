"""Ali Baba: a walled town seen from above at noon, with the mouth of a cave."""

from __future__ import annotations

from functools import partial

from renders.games.alibaba.scene import SCENE
from renders.games.alibaba.theme import THEME as THEME
from renders.town import board, description
from renders.town.symbols import SYMBOLS as SYMBOLS
from renders.town.symbols import symbol as symbol

paint = partial(board.paint, SCENE)
alt = partial(description.alt, SCENE)
tell = partial(description.tell, SCENE)
panels = partial(board.panels, SCENE)
