"""Sprites used only in Ali Baba."""

from __future__ import annotations

from engine.town.data import Gang
from renders.games.alibaba.layout import DECK_H, DECK_W
from renders.sprites import Sprite, cached, fragment, icon, sprite
from renders.theme import INK, IVORY
from renders.town.layout import JEWELS
from renders.town.pieces import GANG_FILL, TEXT_ON
from renders.town.theme import THEME


@cached
def cave() -> Sprite:
    """The mouth of the cave."""
    return sprite(fragment("alibaba-cave"), 120, 204, 960, 354)


@cached
def hall() -> Sprite:
    """The inside of the cave with its treasure, shown while no thieves lie in front of it."""
    return sprite(fragment("alibaba-hall"), 120, 204, 960, 660)


@cached
def deck_chip(gang: Gang) -> Sprite:
    """A deck with its jewel and a small open card, to carry the numbers of cards and discards."""
    drawing = (
        f'<rect x="{-DECK_W / 2 + 1.5}" y="{-DECK_H / 2 + 1.5}" width="{DECK_W - 3}" height="{DECK_H - 3}" rx="12" '
        f'fill="{GANG_FILL[gang]}" stroke="{THEME.text_on_light}" stroke-width="3"/>'
        + icon(JEWELS[gang], TEXT_ON[gang], GANG_FILL[gang], 32, -40, 0)
        + f'<rect x="17" y="-20" width="37" height="40" rx="6" fill="{IVORY}" stroke="{INK}" stroke-width="2.5"/>'
    )
    return sprite(drawing, -DECK_W // 2, -DECK_H // 2, DECK_W // 2, DECK_H // 2)
