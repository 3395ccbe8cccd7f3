"""Jewels, writings and thieves as symbols."""

from __future__ import annotations

from enum import StrEnum

from engine.core import Action, field_types
from engine.town.actions import Play, Take
from engine.town.data import Graffiti, Thief
from engine.town.state import Town
from engine.town.walk import destination
from renders.symbols import Symbol, plate, token
from renders.town.layout import JEWELS, SYMBOL
from renders.town.pieces import GANG_FILL, TEXT_ON, WRITING, WRITTEN

_BY_GANG: dict[StrEnum, Symbol] = {
    gang: plate(f"town_{name}", name, GANG_FILL[gang], TEXT_ON[gang]) for gang, name in JEWELS.items()
}
_BY_WRITING: dict[StrEnum, Symbol] = {
    writing: plate(f"town_{writing}", str(writing), WRITING, WRITTEN) for writing in Graffiti
}
_BY_THIEF: dict[StrEnum, Symbol] = {
    thief: plate(f"town_{thief.lower()}", SYMBOL[thief], GANG_FILL[thief.gang], TEXT_ON[thief.gang]) for thief in Thief
}

PIECES = {**_BY_GANG, **_BY_WRITING, **_BY_THIEF}


def thief_of(action: Action) -> Thief | None:
    """The thief in one of the fields of an option; each game has its own name for the field."""
    values = (getattr(action, name) for name in field_types(type(action)))
    return next((value for value in values if isinstance(value, Thief)), None)


def symbol(state: Town, action: Action) -> Symbol | None:
    """The gang or the thief that an option is about, the jewel or writing that a card leads to, or a seat."""
    match action:
        case Take(gang):
            return _BY_GANG[gang]
        case Play():
            space = destination(state, action)
            if space.jewels:
                return _BY_GANG[space.jewels[0]]
            return _BY_WRITING[space.graffiti] if space.graffiti else None
    if (thief := thief_of(action)) is not None:
        return _BY_THIEF[thief]
    return token(seat) if (seat := getattr(action, "seat", None)) is not None else None
