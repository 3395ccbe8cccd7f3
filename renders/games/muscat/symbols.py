"""The artists as symbols, and the emblem of the game."""

from __future__ import annotations

from engine.core import Action
from engine.games.muscat.state import Muscat
from renders.games.muscat.layout import ICONS
from renders.symbols import Symbol, emblem, plate
from renders.theme import IVORY

PIECES = {artist: plate(f"muscat_{name}", name, "#2C1F57", IVORY) for artist, name in ICONS.items()}

EMBLEM = emblem("muscat", "palm", "#96406B")


def symbol(state: Muscat, action: Action) -> Symbol | None:
    """The artist that an option is about."""
    return PIECES.get(getattr(action, "artist", None))  # type: ignore[arg-type]  # any other field has no symbol
