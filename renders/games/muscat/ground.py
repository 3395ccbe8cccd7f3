"""Muscat's ground: scenery, courts, pennants, and the palette of all pictures."""

from __future__ import annotations

from functools import lru_cache

from engine.games.muscat.city import LETTERS
from renders.canvas import Canvas, Ground
from renders.games.muscat.layout import (
    COLUMNS,
    FIELD_H,
    FIELD_W,
    ICONS,
    LEVELS_FROM_TOP,
    MARKET_H,
    MARKET_W,
    TOKEN_R,
    column_center,
    field_center,
    level_top,
    street_y,
)
from renders.games.muscat.theme import THEME
from renders.grounds import ground_of
from renders.house import brackets, draw_badge, frame, plate_mark
from renders.lettering import BADGE, FACT, LABEL, NAME, SCORE, line, sans, serif
from renders.sprites import Sprite, cached, fragment, icon, sprite, stack
from renders.theme import GOLD, INK, IVORY, SEATS, TURQUOISE
from renders.tokens import ring, token

DIGIT = serif(60)
COORDINATE = sans(30, "Black")


@lru_cache(maxsize=1)
def ground() -> Ground:
    """The empty city with all markets open."""
    drawing = fragment("muscat")
    for level in LEVELS_FROM_TOP:
        drawing += _pennant(level) + "".join(_court(level, col) for col in range(COLUMNS))
    plate = f'<rect x="32" y="168" width="70" height="96" rx="8" fill="{THEME.plate}"/>'
    # Numbers are the same in every language, so they can be part of the ground cached on disk.
    return ground_of("muscat", THEME, drawing + plate + frame(THEME.page), _draw_samples, letters=draw_values)


def draw_values(canvas: Canvas) -> None:
    """Write the value of a token on each level, in each street and in the palace."""
    canvas.text(67, 236, "+10", LABEL, THEME.bonus, "middle")
    for level in LEVELS_FROM_TOP:
        top = level_top(level)
        canvas.text(63, top + 72, str(level), DIGIT, align="middle")
        canvas.text(63, top + 128, f"+{2 * level}", LABEL, THEME.bonus, "middle")
        canvas.text(63, street_y(level), f"−{level}", NAME, align="middle")


def _court(level: int, col: int) -> str:
    x, y = column_center(level, col)
    # Theme colors are listed from level 4 down.
    n = 4 - level
    box = f'x="{x - MARKET_W / 2}" y="{y - MARKET_H / 2}" width="{MARKET_W}" height="{MARKET_H}" rx="14"'
    court = f'<rect {box} fill="{THEME.courts[n]}" stroke="{THEME.plate}" stroke-width="4"/>'
    for artist, name in ICONS.items():
        at_x, at_y = field_center((x, y), artist)
        box = f'x="{at_x - FIELD_W / 2}" y="{at_y - FIELD_H / 2}" width="{FIELD_W}" height="{FIELD_H}" rx="12"'
        court += f'<rect {box} fill="{THEME.fields[n]}"/>'
        court += icon(name, THEME.ghosts[n], THEME.fields[n], 40, at_x, at_y)
    return court


def _pennant(level: int) -> str:
    y = level_top(level)
    cloth = f"M34 {y + 166}V{y + 34}C34 {y + 16} 56 {y + 10} 63 {y - 8}C70 {y + 10} 92 {y + 16} 92 {y + 34}V{y + 166}Z"
    return f'<path d="{cloth}" fill="{THEME.plate}"/>'


@cached
def closed_house() -> Sprite:
    """A house front that covers a market not in play."""
    return sprite(fragment("muscat-closed"), -93, -85, 93, 85)


@cached
def ready_edge() -> Sprite:
    """The gold inner edge of a market whose cycle can run."""
    box = f'x="{-MARKET_W / 2 + 4.5}" y="{-MARKET_H / 2 + 4.5}" width="{MARKET_W - 9}" height="{MARKET_H - 9}" rx="10"'
    return sprite(f'<rect {box} fill="none" stroke="{GOLD}" stroke-width="5"/>', -91, -83, 91, 83)


@cached
def open_field(name: str) -> Sprite:
    """A free field that can be chosen."""
    box = f'x="{2 - FIELD_W / 2}" y="{2 - FIELD_H / 2}" width="{FIELD_W - 4}" height="{FIELD_H - 4}" rx="12"'
    plate = f'<rect {box} fill="{TURQUOISE}" stroke="{INK}" stroke-width="4"/>'
    return sprite(plate + icon(name, INK, TURQUOISE, 46), -FIELD_W // 2, -FIELD_H // 2, FIELD_W // 2, FIELD_H // 2)


@cached
def ghost(name: str) -> Sprite:
    """The icon of a removed token."""
    return sprite(icon(name, IVORY, INK, 27), -14, -14, 14, 14)


@cached
def letter_disc(letter: str, *, ready: bool) -> Sprite:
    """The disc with a market's letter; if its cycle can run, two arrows circle around it."""
    fill = GOLD if ready else IVORY
    disc = sprite(
        f'{_wheel() if ready else ""}<circle r="19.5" fill="{fill}" stroke="{INK}" stroke-width="3"/>', -34, -34, 34, 34
    )
    return stack(disc, line(letter, COORDINATE, INK, "middle"))


def _wheel() -> str:
    """SVG fragment: two arrows running clockwise."""
    arcs = "M-26.6 -4.7A27 27 0 0 1 17.4 -20.7M26.6 4.7A27 27 0 0 1 -17.4 20.7"
    heads = "M10 -28L28 -24L19 -8ZM-10 28L-28 24L-19 8Z"
    lines = f'<path d="{arcs}" fill="none" stroke="{INK}" stroke-width="12"/>'
    edges = f'<path d="{heads}" fill="{GOLD}" stroke="{INK}" stroke-width="5" stroke-linejoin="round"/>'
    inner = f'<path d="{arcs}" fill="none" stroke="{GOLD}" stroke-width="6"/><path d="{heads}" fill="{GOLD}"/>'
    return lines + edges + inner


@cached
def niche(width: int, *, extra: bool) -> Sprite:
    """An arch of the palace with its base at y = 262; `extra` for tokens beyond the limit."""
    w, mid = width / 2, width / 2 * 0.3
    arch = f"M{-w} 262V214C{-w} 194 {-mid} 186 0 172C{mid} 186 {w} 194 {w} 214V262Z"
    fill = THEME.extra_niche if extra else THEME.palace[3]
    line = f'stroke="{THEME.palace[1]}" stroke-width="3"'
    return sprite(f'<path d="{arch}" fill="{fill}" {line}/>', -width // 2 - 2, 168, width // 2 + 2, 264)


@cached
def lantern() -> Sprite:
    """The light of an empty niche."""
    return sprite(fragment("muscat-lantern"), -12, 180, 12, 240)


@cached
def waiting_plate(width: int) -> Sprite:
    """The plate for artists that wait to rise, with an upward arrow."""
    box = f'<rect x="-58" y="-27" width="{width - 4}" height="54" rx="12" fill="{INK}"'
    arrow = f'<path d="M-35 -19L-18 0H-28V17H-42V0H-52Z" fill="{TURQUOISE}"/>'
    return sprite(f'{box} stroke="{TURQUOISE}" stroke-width="4"/>{arrow}', -60, -29, width - 60, 29)


@cached
def empty_slot() -> Sprite:
    """The outline of a missing face-up token."""
    box = 'x="-31" y="-31" width="62" height="62" rx="14"'
    return sprite(f'<rect {box} fill="none" stroke="{THEME.slot}" stroke-width="3"/>', -33, -33, 33, 33)


def _draw_samples(canvas: Canvas) -> None:
    """Draw samples of all sprites that may appear on the city."""
    for level in LEVELS_FROM_TOP:
        for col in range(COLUMNS):
            market = column_center(level, col)
            canvas.put(ready_edge() if col % 2 else brackets(MARKET_W, MARKET_H), *market)
            for k, (artist, name) in enumerate(ICONS.items()):
                canvas.put(token((col + k) % 5, TOKEN_R, name), *field_center(market, artist))
            canvas.put(letter_disc(LETTERS[col], ready=bool(col % 2)), *market)
            canvas.put(token(col, 24, ICONS[tuple(ICONS)[level - 1]]), 150 + 110 * col, street_y(level))
        canvas.put(plate_mark(90, 44, 12), 760, street_y(level))
        canvas.put(ring(level, 30), 880, street_y(level))
    canvas.put(closed_house(), *column_center(2, 4))
    canvas.put(waiting_plate(118), 980, street_y(3))
    for seat in range(5):
        canvas.put(niche(80, extra=seat > 3), 200 + 150 * seat)
        canvas.put(lantern(), 270 + 150 * seat)
        canvas.put(token(seat, 33, "fire"), 200 + 150 * seat, 224)
        draw_badge(canvas, seat, 100 + 60 * seat, 1252)
    canvas.text(60, 1330, "0123456789", SCORE)
    canvas.text(60, 1370, "pile 0123456789", FACT, THEME.muted)
    canvas.text(500, 1330, "+8 +6", LABEL, THEME.bonus)
    for k, style in enumerate(SEATS):
        canvas.text(600 + 40 * k, 1330, style.letter, BADGE)
