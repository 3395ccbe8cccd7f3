"""The Muses as symbols, of which a hidden one goes by the token of its owner; and the emblem of the game."""

from __future__ import annotations

from engine.core import Action
from engine.games.muses.state import Muses
from engine.games.muses.tiles import MUSES, OWNERS, TILES, Muse, Tile
from renders.symbols import Symbol, emblem, plate, token

PIECES: dict[Muse | Tile | None, Symbol] = {
    muse: plate(f"muses_{muse}", str(muse), "#1D2C6B", "#F8DC94") for muse in MUSES
}
"""A Muse equals her face-up tile."""

EMBLEM = emblem("muses", "terpsichore", "#4659A8", "#F8DC94")


def symbol(state: Muses, action: Action) -> Symbol | None:
    """The Muse that an option is about, as everybody may know her."""
    tile = getattr(action, "muse", None)
    owner = OWNERS.get(tile) if tile in TILES else None
    return PIECES.get(tile) if owner is None else token(owner)
