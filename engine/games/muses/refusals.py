"""Refusals of Dance of Muses: the condition that an action violates, and its rule.

They use the public names of tiles, so that a refusal never reveals a face-down Muse.
"""

from __future__ import annotations

from collections.abc import Collection

from engine.core import Refusal
from engine.games.muses.actions import Place, Power, Step
from engine.games.muses.cells import (
    CENTER,
    FIRST_SLIDE,
    OFFSETS,
    WAY_NUMBERS,
    Cell,
    cell_name,
    corner_cells,
    surrounding_cells,
)
from engine.games.muses.floor import Floor
from engine.games.muses.powers import NOTHING, MusePower, Stage, power_uses
from engine.games.muses.shape import Shape, border, shape_of
from engine.games.muses.state import Muses
from engine.games.muses.tiles import FIRST_HIDDEN, MUSES, NUMBERS, TILE_NAMES, TILE_NAMES_FIRST, TILES, Face, Tile
from engine.texts import Seat, Text


def place(state: Muses, seat: Seat, action: Place) -> Refusal:
    """The reason why a Muse cannot be laid there."""
    hand = state.hands[seat]
    if NUMBERS[action.muse] not in hand:
        held = tuple(MUSES[muse] for muse in hand)
        return _refusal("4", "You do not hold {muse}; you hold {held}.", muse=action.muse, held=held)
    if refusal := _bad_cell(state.floor, action.cell):
        return refusal
    if action.face is Face.DOWN:
        return _refusal("4.1", "You have hidden a Muse already; all others lie face up.")
    return _refusal("4.1", "Everyone hides one Muse, and this is your last one: she goes face down.")


def step(state: Muses, action: Step) -> Refusal:
    """The reason why a tile cannot move in a direction."""
    floor = state.floor
    if refusal := _not_there(state, action.muse):
        return refusal
    index, way = floor.index(action.muse), WAY_NUMBERS[action.way]
    if way >= FIRST_SLIDE:
        if not state.setup.options.diagonal_slide:
            return _refusal("5", "A Muse steps north, east, south or west, never diagonally.")
        if refusal := _blocked_slide(floor, floor.cells[index], way):
            return refusal
    # All other conditions are met, so the tiles would not stay one group.
    after = floor.after_step(floor.chain(index, way), way)
    return _refusal("5.2", "The tiles would no longer be one group: {parted}.", parted=_split_text(after, index))


def power_first(state: Muses, action: Power) -> Refusal:
    """The reason why a power cannot be used before the move."""
    if state.setup.options.power_timing == "after":
        return _refusal("10", "In this game a Muse uses her power after her move.")
    if refusal := _unusable(state, action):
        return refusal
    text = "{muse} could not move afterward; a Muse that uses her power first must then move."
    return _refusal("6.1", text, muse=action.muse)


def power_after(state: Muses, tile: int, action: Power) -> Refusal:
    """The reason why a power cannot be used after the move of a tile."""
    if NUMBERS[action.muse] != tile:
        text = "{moved} has moved this turn; nobody else may use a power."
        return _refusal("6.1", text, moved=TILES[tile])
    # `_unusable` always finds a reason, since every legal use is among the options.
    return _unusable(state, action) or _refusal("6", "That is not possible.")


def _refusal(rule: str, template: str, **fields: object) -> Refusal:
    return Refusal(Text(template, **fields), rule)


# --- Cells -----------------------------------------------------------------------------------------------------------


def _bad_cell(floor: Floor, cell: Cell) -> Refusal | None:
    """The reason why a tile cannot be laid on a cell; `None` if it can."""
    # Compared by name, since players only know the names of cells (rule 2.2).
    free = [cell_name(number) for number in border(floor.cells) or (CENTER,)]
    if cell in free:
        return None
    for tile, number in zip(floor.tiles, floor.cells, strict=True):
        if cell_name(number) == cell:
            return _refusal("4", "{tile} lies on {cell}.", tile=TILE_NAMES_FIRST[TILES[tile]], cell=cell)
    if not floor.tiles:
        return _refusal("4", "The first tile of a hand goes to {center}.", center=free[0])
    return _refusal("4", "“{cell}” is not an empty cell beside a tile; {free} is one.", cell=cell, free=free[0])


def _blocked_slide(floor: Floor, here: int, way: int) -> Refusal | None:
    """The obstacle to a slide from a cell (rule 10)."""
    at = {cell: TILES[tile] for tile, cell in zip(floor.tiles, floor.cells, strict=True)}
    target = here + OFFSETS[way]
    cell = cell_name(target)
    if target in at:
        text = "{tile} lies on {cell}; a slide needs a free cell and pushes nobody."
        return _refusal("10", text, tile=TILE_NAMES_FIRST[at[target]], cell=cell)
    corners = corner_cells(here, way)
    if all(corner in at for corner in corners):
        one, other = (at[corner] for corner in corners)
        tiles = (TILE_NAMES_FIRST[one], TILE_NAMES[other])
        return _refusal("10", "{tiles} leave no way past the corner to {cell}.", tiles=tiles, cell=cell)
    return None


def _split_text(floor: Floor, index: int) -> Text:
    """The reason why the group would fall apart: the moving tile alone, or tiles cut off from it (rule 5.2)."""
    cells = dict(zip(floor.cells, floor.tiles, strict=True))
    mine = _group(cells, floor.cells[index])
    if len(mine) == 1:
        return Text("{tile} would be alone", tile=TILE_NAMES[TILES[floor.tiles[index]]])
    lost = tuple(TILE_NAMES[TILES[other]] for cell, other in cells.items() if cell not in mine)
    return Text("{lost} would be cut off", lost=lost)


def _group(cells: Collection[int], start: int) -> set[int]:
    """The cells connected with a cell (rule 5.2)."""
    group, reached = set[int](), {start}
    while reached:
        group |= reached
        reached = {other for cell in reached for other in surrounding_cells(cell) if other in cells} - group
    return group


# --- Powers ----------------------------------------------------------------------------------------------------------


def _not_there(state: Muses, tile: Tile) -> Refusal | None:
    if NUMBERS[tile] in state.floor.tiles:
        return None
    if tile.owner is not None and tile.owner >= state.setup.seats:
        return _refusal("2.4", "{seats} play here, so nobody owns “{tile}”.", seats=state.setup.seats, tile=str(tile))
    return _refusal("2.4", "{tile} does not lie on the table under this name.", tile=TILE_NAMES_FIRST[tile])


def _unusable(state: Muses, action: Power) -> Refusal | None:
    """The reason why a power cannot be used, regardless of the move; `None` if it can."""
    floor, muse = state.floor, action.muse
    if refusal := _not_there(state, muse):
        return refusal
    if NUMBERS[muse] >= FIRST_HIDDEN:
        return _refusal("6", "{muse} lies face down; only face-up Muses have powers.", muse=TILE_NAMES_FIRST[muse])
    power = state.muse_table.powers[NUMBERS[muse]]
    if power is None:
        return _refusal("6", "{muse} has no power in this game.", muse=muse)
    shape = shape_of(floor.tiles, floor.cells, state.setup.options.diagonal_slide)
    return _not_borrowed(state, shape, action) if power.borrows else _not_granted(state, shape, action, power)


def _not_borrowed(state: Muses, shape: Shape, action: Power) -> Refusal | None:
    on = action.on or NOTHING
    if not on.words:
        return _refusal("6.2", "{muse} uses the power of a face-up neighbor: say first whose.", muse=action.muse)
    if refusal := _not_near(state, shape, action.muse, on.words[0]):
        return refusal
    lender = on.tiles[0]
    power = state.muse_table.powers[NUMBERS[lender]]
    if NUMBERS[lender] >= FIRST_HIDDEN:
        return _refusal(
            "6.2", "{lender} lies face down; only face-up Muses have powers.", lender=TILE_NAMES_FIRST[lender]
        )
    if power is None or power.borrows:
        return _refusal("6.2", "{lender} has no power that could be borrowed.", lender=lender)
    return _not_granted(state, shape, action, power, lent=1)


def _not_granted(state: Muses, shape: Shape, action: Power, power: MusePower, lent: int = 0) -> Refusal | None:
    """The reason why the target of a power is wrong; `lent` is 1 if the first tile is the lender."""
    floor, on = state.floor, action.on or NOTHING
    for word in on.words[lent : lent + power.tiles]:
        if refusal := _not_near(state, shape, action.muse, word):
            return refusal
    # `power_first` checks whether she could move afterwards.
    stage = Stage(state.muse_table.powers, floor, shape, moving=False)
    if action in power_uses(stage, floor.index(action.muse)):
        return None
    return _refusal("6.2", "{muse} needs {requirement}.", muse=action.muse, requirement=power.requirement)


def _not_near(state: Muses, shape: Shape, muse: Tile, word: Tile | Cell) -> Refusal | None:
    if not isinstance(word, Tile):
        return _refusal("2.4", "“{cell}” is not a tile on the table.", cell=word)
    if refusal := _not_there(state, word):
        return refusal
    if not shape.near(state.floor.index(muse)) >> NUMBERS[word] & 1:
        return _refusal("6", "{tile} does not touch {muse}.", tile=TILE_NAMES_FIRST[word], muse=TILE_NAMES[muse])
    return None
