"""Ali Baba: a walled town seen from above at noon, with the mouth of a cave."""

from __future__ import annotations

from functools import partial

from renders.games.alibaba.scene import SCENE
from renders.games.alibaba.theme import THEME as THEME
from renders.symbols import emblem
from renders.town import board, description
from renders.town.symbols import PIECES as PIECES
from renders.town.symbols import symbol as symbol

paint = partial(board.paint, SCENE)
alt = partial(description.alt, SCENE)
tell = partial(description.tell, SCENE)
panels = partial(board.panels, SCENE)

EMBLEM = emblem("alibaba", "camel", "#8A4B2E")
