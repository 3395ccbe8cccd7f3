"""The artists as symbols."""

from __future__ import annotations

from engine.core import Action
from engine.games.muscat.state import Muscat
from renders.games.muscat.layout import ICONS
from renders.symbols import Symbol, plate
from renders.theme import IVORY

_BY_ARTIST = {artist: plate(f"muscat_{name}", name, "#2C1F57", IVORY) for artist, name in ICONS.items()}

SYMBOLS = tuple(_BY_ARTIST.values())


def symbol(state: Muscat, action: Action) -> Symbol | None:
    """The artist that an option is about."""
    return _BY_ARTIST.get(getattr(action, "artist", None))  # type: ignore[arg-type]  # any other field has no symbol
