"""Sprites used only in Ali Baba’s Gangs."""

from __future__ import annotations

from engine.town.data import Gang
from renders.games.gangs.layout import PRICE_H, PRICE_W, PRICES, STALL_H, STALL_W
from renders.sprites import Sprite, cached, icon, sprite
from renders.theme import GOLD, INK, IVORY
from renders.town.layout import JEWELS
from renders.town.pieces import GANG_FILL, TEXT_ON
from renders.town.theme import THEME


@cached
def gang_chip(gang: Gang, w: int, h: int, size: int, x: int) -> Sprite:
    """A gang's stack of w x h px, with its jewel of `size` px at offset `x`."""
    box = f'x="{-w / 2 + 2}" y="{-h / 2 + 2}" width="{w - 4}" height="{h - 4}" rx="12"'
    drawing = f'<rect {box} fill="{GANG_FILL[gang]}" stroke="{IVORY}" stroke-width="3"/>'
    return sprite(
        drawing + icon(JEWELS[gang], TEXT_ON[gang], GANG_FILL[gang], size, x), -w // 2, -h // 2, w // 2, h // 2
    )


@cached
def stall(gang: Gang) -> Sprite:
    """A gang's stall: awning, jewel, and fields for its prices in the four quarters."""
    w, h = STALL_W / 2, STALL_H / 2
    box = f'x="{-w + 6}" y="{-h + 20}" width="{2 * w - 12}" height="{2 * h - 24}" rx="14"'
    counter = f'<rect {box} fill="{GANG_FILL[gang]}" stroke="{INK}" stroke-width="4"/>'
    awning = ""
    for k in range(7):
        path = f"M{-w + 2.5 + k * STRIPE} {-h + 4}h{STRIPE}v44a{STRIPE / 2} {STRIPE / 2} 0 0 1 -{STRIPE} 0Z"
        style = f'fill="{GANG_FILL[gang] if k % 2 else IVORY}" stroke="{INK}" stroke-width="3" stroke-linejoin="round"'
        awning += f'<path d="{path}" {style}/>'
    jewel = icon(JEWELS[gang], TEXT_ON[gang], GANG_FILL[gang], 76, 0, -92)
    price = f'width="{PRICE_W}" height="{PRICE_H}" rx="9" fill="{THEME.paving}" stroke="{INK}" stroke-width="2.5"'
    prices = "".join(f'<rect x="{x - PRICE_W / 2}" y="{y - PRICE_H / 2}" {price}/>' for x, y in PRICES)
    return sprite(counter + jewel + prices + awning, -STALL_W // 2, -STALL_H // 2, STALL_W // 2, STALL_H // 2)


STRIPE = 18.4
"""Width of a stripe of the awning."""


@cached
def current_price() -> Sprite:
    """The gold plate of the current price."""
    w, h = PRICE_W // 2 + 4, PRICE_H // 2 + 4
    box = f'x="{-w + 4}" y="{-h + 4}" width="{2 * w - 8}" height="{2 * h - 8}" rx="9"'
    return sprite(f'<rect {box} fill="{GOLD}" stroke="{INK}" stroke-width="5"/>', -w, -h, w, h)
