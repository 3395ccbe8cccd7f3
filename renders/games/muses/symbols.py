"""The Muses as symbols; a hidden one goes by the token of its owner."""

from __future__ import annotations

from engine.core import Action
from engine.games.muses.state import Muses
from engine.games.muses.tiles import MUSES, OWNERS, TILES
from renders.symbols import Symbol, plate, token

_BY_NAME = {str(muse): plate(f"muses_{muse}", str(muse), "#1D2C6B", "#F8DC94") for muse in MUSES}

SYMBOLS = tuple(_BY_NAME.values())


def symbol(state: Muses, action: Action) -> Symbol | None:
    """The Muse that an option is about, as everybody may know her."""
    tile = getattr(action, "muse", None)
    owner = OWNERS.get(tile) if tile in TILES else None
    return _BY_NAME.get(str(tile)) if owner is None else token(owner)
