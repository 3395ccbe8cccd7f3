"""What lies on the town in the game of gangs only."""

from __future__ import annotations

from functools import cache

from engine.town.data import Gang
from renders.games.gangs.layout import GANG_H, GANG_W
from renders.sprites import Sprite, icon, sprite
from renders.theme import INK
from renders.town.layout import JEWELS
from renders.town.pieces import FILL, ON


@cache
def gang_chip(gang: Gang) -> Sprite:
    """A gang's stack with its jewel, for price and cards left."""
    drawing = (
        f'<rect x="{-GANG_W / 2 + 2}" y="{-GANG_H / 2 + 2}" width="{GANG_W - 4}" height="{GANG_H - 4}" rx="14" '
        f'fill="{FILL[gang]}" stroke="{INK}" stroke-width="4"/>' + icon(JEWELS[gang], ON[gang], FILL[gang], 58, -46, 0)
    )
    return sprite(drawing, -GANG_W // 2, -GANG_H // 2, GANG_W // 2, GANG_H // 2)
