"""Why an action is not possible: which condition fails, what is in the way, and the section that says so.

Tiles go by their public names throughout, so that a refusal never tells who lies face down.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from engine.core import Refusal
from engine.games.muses.actions import Place, Power, Step
from engine.games.muses.floor import Floor
from engine.games.muses.gifts import NUMBERS, Gift, Mimic
from engine.games.muses.shape import Shape, border, shape_of
from engine.games.muses.state import Muses
from engine.games.muses.tiles import CENTER, FIRST_HIDDEN, MUSES, OFFSETS, TILES, WAYS, Face, cell_name
from engine.texts import Seat, listed

_SLIDES_FROM = 4
"""Ways from this number on are diagonal."""


def place(state: Muses, seat: Seat, action: Place) -> Refusal:
    """Why that Muse cannot be laid there."""
    hand = state.hands[seat]
    if MUSES.index(action.muse) not in hand:
        held = listed([MUSES[muse].label for muse in hand])
        return Refusal(f"You do not hold {action.muse.label}; you hold {held}.", "4")
    if refusal := _bad_cell(state.floor, action.cell):
        return refusal
    if action.face is Face.DOWN:
        hidden = TILES[FIRST_HIDDEN + seat]
        return Refusal(f"You have hidden a Muse already, {hidden}; all others lie face up.", "4.1")
    return Refusal("Everybody hides one Muse, and this is your last one: she goes face down.", "4.1")


def step(state: Muses, action: Step) -> Refusal:
    """Why that tile cannot move in that way."""
    floor = state.floor
    if refusal := _not_there(floor, action.muse):
        return refusal
    tile, way = NUMBERS[action.muse], WAYS.index(action.way)
    if way >= _SLIDES_FROM:
        if not state.setup.options.diagonal_slide:
            return Refusal("A Muse steps north, east, south or west, never diagonally.", "5")
        if refusal := _blocked_slide(floor, tile, way):
            return refusal
    after = floor.stepped(floor.chain(tile, way), way)
    return Refusal(f"The tiles would not be one group any more: {_cut_off(after, tile)}.", "5.2")


def power_first(state: Muses, action: Power) -> Refusal:
    """Why that power cannot be used before the move."""
    if state.setup.options.power_timing == "after":
        return Refusal("In this match a Muse uses her power after her move.", "10")
    if refusal := _unusable(state, action):
        return refusal
    sentence = f"{action.muse.label} could not move afterwards; who uses her power first must move then."
    return Refusal(sentence, "6.1")


def power_after(state: Muses, tile: int, action: Power) -> Refusal:
    """Why that power cannot be used after the move of a tile."""
    if NUMBERS[action.muse] != tile:
        return Refusal(f"{TILES[tile].label} has moved in this turn; nobody else may use a power.", "6.1")
    return _unusable(state, action) or Refusal("That is not possible.", "6")


# --- Cells -----------------------------------------------------------------------------------------------------------


def _bad_cell(floor: Floor, name: str) -> Refusal | None:
    """Why no tile can be laid on a cell, `None` if one can."""
    free = border(floor.cells) or (CENTER,)
    if name in map(cell_name, free):
        return None
    for tile, cell in zip(floor.tiles, floor.cells, strict=True):
        if cell_name(cell) == name:
            return Refusal(f"{TILES[tile].label} lies on {name}.", "4")
    if not floor.tiles:
        return Refusal(f"The first tile of a hand goes to {cell_name(CENTER)}.", "4")
    return Refusal(f"“{name}” is no empty cell beside a tile; {cell_name(free[0])} is one.", "4")


def _blocked_slide(floor: Floor, tile: int, way: int) -> Refusal | None:
    at = {cell: TILES[other].label for other, cell in zip(floor.tiles, floor.cells, strict=True)}
    here = floor.cells[floor.tiles.index(tile)]
    target = here + OFFSETS[way]
    if target in at:
        return Refusal(f"{at[target]} lies on {cell_name(target)}; a slide needs a free cell and pushes nobody.", "10")
    beside = [cell for cell in (here + offset for offset in OFFSETS[:4]) if abs(cell - target) in map(abs, OFFSETS[:4])]
    if all(cell in at for cell in beside):
        names = listed([at[cell] for cell in beside])
        return Refusal(f"{names} leave no way past the corner to {cell_name(target)}.", "10")
    return None


def _cut_off(floor: Floor, tile: int) -> str:
    """Who would be apart from the tile that moves, or that it would be alone."""
    cells = dict(zip(floor.cells, floor.tiles, strict=True))
    mine = _group(cells, floor.cells[floor.tiles.index(tile)])
    if len(mine) == 1:
        return f"{TILES[tile].label} would be alone"
    lost = listed([TILES[other].label for cell, other in cells.items() if cell not in mine])
    return f"{lost} would be cut off"


def _group(cells: Collection[int], start: int) -> set[int]:
    group, reached = set[int](), {start}
    while reached:
        group |= reached
        reached = {cell + offset for cell in reached for offset in OFFSETS if cell + offset in cells} - group
    return group


# --- Powers ----------------------------------------------------------------------------------------------------------


def _not_there(floor: Floor, tile: str) -> Refusal | None:
    if NUMBERS[tile] in floor.tiles:
        return None
    return Refusal(f"{TILES[NUMBERS[tile]].label} does not lie on the table under this name.", "2.4")


def _unusable(state: Muses, action: Power) -> Refusal | None:
    """What is wrong with the use of a power by itself; `None` if nothing is."""
    floor, name = state.floor, action.muse.label
    if refusal := _not_there(floor, action.muse):
        return refusal
    if NUMBERS[action.muse] >= FIRST_HIDDEN:
        return Refusal(f"{name} lies face down; only face-up Muses have powers.", "6")
    gift = state.table.gift(NUMBERS[action.muse])
    if gift is None:
        return Refusal(f"{name} has no power in this match.", "6")
    words = action.on.split(",") if action.on else []
    shape = shape_of(floor.cells, state.setup.options.diagonal_slide)
    me = floor.tiles.index(NUMBERS[action.muse])
    if isinstance(gift, Mimic):
        return _not_borrowed(state, shape, me, words)
    return _not_granted(gift, floor, shape, me, words)


def _not_borrowed(state: Muses, shape: Shape, me: int, words: Sequence[str]) -> Refusal | None:
    floor = state.floor
    name = TILES[floor.tiles[me]].label
    if not words:
        return Refusal(f"{name} uses the power of a face-up neighbor: say first whose.", "6.2")
    if refusal := _not_near(floor, shape, me, words[0]):
        return refusal
    copied = NUMBERS[words[0]]
    gift = state.table.gift(copied)
    if copied >= FIRST_HIDDEN:
        return Refusal(f"{words[0]} lies face down; only face-up Muses have powers.", "6.2")
    if gift is None or isinstance(gift, Mimic):
        return Refusal(f"{TILES[copied].label} has no power that could be borrowed.", "6.2")
    return _not_granted(gift, floor, shape, me, words[1:])


def _not_granted(gift: Gift, floor: Floor, shape: Shape, me: int, words: Sequence[str]) -> Refusal | None:
    tiles = words[: gift.words]
    for word in tiles:
        if refusal := _not_near(floor, shape, me, word):
            return refusal
    spoken = [
        (*(str(TILES[number]) for number in wish[: gift.words]), *map(cell_name, wish[gift.words :]))
        for wish in gift.wishes(floor, shape, me, moving=False)
    ]
    if tuple(words) in spoken:
        return None
    return Refusal(f"{TILES[floor.tiles[me]].label} needs {gift.needs}.", "6.2")


def _not_near(floor: Floor, shape: Shape, me: int, word: str) -> Refusal | None:
    name = TILES[floor.tiles[me]].label
    if word not in NUMBERS or NUMBERS[word] not in floor.tiles:
        return Refusal(f"“{word}” is no tile on the table.", "2.4")
    if floor.tiles.index(NUMBERS[word]) not in shape.near(me):
        return Refusal(f"{TILES[NUMBERS[word]].label} does not touch {name}.", "6")
    return None
