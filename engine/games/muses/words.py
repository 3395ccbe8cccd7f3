"""Names and glosses of options, and advice for beginners.

They use the public names of tiles. Only the owner, in whose position she is visible, sees the name of a face-down Muse.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.core import Event
from engine.games.muses.actions import Place, Power, Step
from engine.games.muses.cells import OFFSETS, WAY_NUMBERS, Cell, cell_name, nearest_number, surrounding_cells
from engine.games.muses.companies import Company
from engine.games.muses.events import Carried, DiceSwapped, DieTurned, PlacesSwapped
from engine.games.muses.floor import NEUTRAL, TOP, Floor
from engine.games.muses.powers import resolve_power
from engine.games.muses.state import Muses
from engine.games.muses.tiles import (
    FIRST_HIDDEN,
    MUSES,
    NUMBERS,
    OWNERS,
    TILE_NAMES,
    TILE_NAMES_FIRST,
    TILES,
    Face,
    Muse,
    Tile,
)
from engine.texts import Seat, Text

_NEUTRAL = Text("Neutral")


# --- Tiles and dice --------------------------------------------------------------------------------------------------


def color(die: int) -> Company | Text:
    """The owner of a die: `Red`, `Neutral`."""
    return _NEUTRAL if die == NEUTRAL else Company(die)


def tile_place(state: Muses, tile: Tile) -> Text:
    """A tile with its cell: `Clio on m13`, and for the owner of a hidden one `Your hidden Muse (Clio) on m13`."""
    cell, muse = _cell_of(state.floor, tile), state.muse(NUMBERS[tile])
    if muse and tile in OWNERS:
        return Text("{called} ({muse}) on {cell}", called=TILE_NAMES_FIRST[tile], muse=muse, cell=cell)
    return Text("{called} on {cell}", called=TILE_NAMES_FIRST[tile], cell=cell)


def _brief(floor: Floor, tile: Tile) -> Text:
    """A short name without its owner: `Clio`, `the hidden one on m13`."""
    if NUMBERS[tile] < FIRST_HIDDEN:
        return TILE_NAMES[tile]
    return Text("the hidden one on {cell}", cell=_cell_of(floor, tile))


def _cell_of(floor: Floor, tile: Tile) -> Cell:
    return cell_name(floor.cells[floor.index(tile)])


def _remark(state: Muses, tile: Tile, old: int, new: int) -> Text:
    """The consequence of the new value of a die on a tile."""
    if new == TOP:
        return _ENDS
    muse = state.muse(NUMBERS[tile])
    # 0, which is not the value of any die, for a hidden Muse, about which nothing is said (rule 11).
    suns = state.muse_table.suns[NUMBERS[muse]] if muse else 0
    if new == suns:
        return Text(": equal to her suns")
    return Text(": no longer equal to her {suns} {suns:sun|suns}", suns=suns) if old == suns else _NOTHING


_ENDS, _NOTHING = Text(": the hand ends"), Text("")


# --- Laying out ------------------------------------------------------------------------------------------------------


def placing(state: Muses, action: Place, field: str) -> Text | None:
    """`Clio on m13, face up`, or the Muse with her suns, or a cell with the tiles beside it."""
    if field == "muse":
        return _with_suns(state, action.muse)
    if not field:
        return Text("{muse} on {cell}, {face}", muse=action.muse, cell=action.cell, face=action.face)
    return _beside(state.floor, action.cell) if field == "cell" else None


def _beside(floor: Floor, cell: Cell) -> Text:
    around = surrounding_cells(nearest_number(cell))
    near = [TILES[tile] for tile, number in zip(floor.tiles, floor.cells, strict=True) if number in around]
    # What a field means has 40 characters (see `Frame.named`): too few for three names, or for an owner and a name.
    if len(near) > 2 or (len(near) > 1 and any(tile in OWNERS for tile in near)):
        return Text("{cell} beside {count} tiles", cell=cell, count=len(near))
    tiles = tuple(TILE_NAMES[tile] for tile in near)
    return Text("{cell} beside {tiles}", cell=cell, tiles=tiles) if tiles else Text("{cell}, in the middle", cell=cell)


def placing_gloss(state: Muses, action: Place) -> Text:
    """The suns of the Muse, and her power or the reason why she has none."""
    muse, table = NUMBERS[action.muse], state.muse_table
    suns = table.suns[muse]
    if action.face is Face.DOWN:
        return Text("{suns} {suns:sun|suns}, known only to you; no power while hidden", suns=suns)
    return Text("{suns} {suns:sun|suns}, {power}", suns=suns, power=table.summary(muse))


# --- Steps -----------------------------------------------------------------------------------------------------------


def step(state: Muses, action: Step, field: str) -> Text | None:
    """`Clio north to m12`, or the moving tile."""
    if field:
        return tile_place(state, action.muse) if field == "muse" else None
    return step_name(state, action)


def step_name(state: Muses, action: Step) -> Text:
    """`Clio north to m12`."""
    floor = state.floor
    cell = cell_name(floor.cells[floor.index(action.muse)] + OFFSETS[WAY_NUMBERS[action.way]])
    return Text("{muse} {way} to {cell}", muse=TILE_NAMES_FIRST[action.muse], way=action.way, cell=cell)


def step_gloss(state: Muses, action: Step) -> Text:
    """The changes of dice and the pushed tiles: `Red die 2 → 3; pushes Clio: Blue 1 → 2`."""
    floor = state.floor
    first, *pushed = floor.chain(floor.index(action.muse), WAY_NUMBERS[action.way])
    ends = _ENDS if TOP in (floor.values[index] + 1 for index in (first, *pushed)) else _NOTHING
    if not pushed:
        ends = _remark(state, action.muse, floor.values[first], floor.values[first] + 1)
    return Text("{die}{pushes}{ends}", die=_die_change(floor, first), pushes=_pushes(floor, pushed), ends=ends)


def _die_change(floor: Floor, index: int) -> Text:
    value = floor.values[index]
    return Text("{color} die {old} → {new}", color=color(floor.colors[index]), old=value, new=value + 1)


def _pushed_change(floor: Floor, index: int) -> Text:
    """The change of a die beside that of the tile that pushes it."""
    value = floor.values[index]
    return Text("{color} {old} → {new}", color=color(floor.colors[index]), old=value, new=value + 1)


def _pushes(floor: Floor, pushed: Sequence[int]) -> Text:
    """The pushed tiles, with their dice if there is room."""
    if not pushed:
        return _NOTHING
    # A gloss has at most 80 characters (see `Frame.gloss`): room for two more dice, but not for names of tiles.
    if len(pushed) > 2:
        return Text("; pushes {count} tiles, +1 on each die", count=len(pushed))
    dice = tuple(_pushed_change(floor, index) for index in pushed)
    if len(pushed) == 1:
        return Text("; pushes {tile}: {dice}", tile=_brief(floor, TILES[floor.tiles[pushed[0]]]), dice=dice)
    return Text("; pushed: {dice}", dice=dice)


# --- Powers ----------------------------------------------------------------------------------------------------------


class _Use(NamedTuple):
    """The use of a power in a position: its effect, and its lender."""

    before: Floor
    after: Floor
    event: Event
    lender: Tile | None

    def die(self, tile: Tile) -> tuple[Company | Text, int, int]:
        """The owner of the die on a tile afterwards, and the values on this tile before and afterwards."""
        index = self.before.index(tile)
        return color(self.after.colors[index]), self.before.values[index], self.after.values[index]


def _use_of(state: Muses, action: Power) -> _Use:
    power, lender, on = resolve_power(state.muse_table.powers, action)
    floor = state.floor
    return _Use(floor, *power.use(floor, floor.index(action.muse), on), lender)


def power(state: Muses, action: Power, field: str, *, acting: bool) -> Text | None:
    """The effect of a use of a power, or of a field of it. With `acting`, the user of the power is already named."""
    if field == "muse":
        summary = state.muse_table.summary(NUMBERS[action.muse])
        return Text("{muse}, {power}", muse=action.muse, power=summary)
    return _use_text(_use_of(state, action), action, "{old} → {new}", acting=acting or bool(field))


def power_sentence(state: Muses, action: Power, *, acting: bool) -> Text:
    """A use of a power for a sentence: `Erato: die from 4 to 3 (Clio)`."""
    return _use_text(_use_of(state, action), action, "from {old} to {new}", acting=acting)


def _use_text(use: _Use, action: Power, turned: str, *, acting: bool) -> Text:
    effect = _effect(use, action, turned)
    if acting:
        return effect if use.lender is None else Text("{effect} (as {lender})", effect=effect, lender=use.lender)
    who = Text("{muse} as {lender}" if use.lender else "{muse}", muse=action.muse, lender=use.lender)
    return Text("{effect} ({who})", effect=effect, who=who)


def _effect(use: _Use, action: Power, turned: str) -> Text:
    """`Erato: die 4 → 3`, `Clio to n14`, `Clio and Erato swap dice`; `turned` words the change of a die."""
    match use.event:
        case DieTurned(tile=tile):
            _, old, new = use.die(tile)
            change = Text(turned, old=old, new=new)
            if tile is action.muse:
                return Text("Her own die {change}{like}", change=change, like=_like(use, action))
            return Text("{called}: die {change}", called=TILE_NAMES_FIRST[tile], change=change)
        case Carried(tile=tile, cell=cell):
            return Text("{called} to {cell}", called=TILE_NAMES_FIRST[tile], cell=cell)
        case DiceSwapped(one=one, other=other) | PlacesSwapped(one=one, other=other):
            return _swap(use, action.muse, one, other)
    raise TypeError(use.event)


def _like(use: _Use, action: Power) -> Text:
    """The tile whose die is copied, if any."""
    # Not by `lent`, which a parsed target does not know.
    tiles = action.on.tiles[use.lender is not None :] if action.on else ()
    return Text(" like {tile}", tile=TILE_NAMES[tiles[0]]) if tiles else _NOTHING


def _swap(use: _Use, muse: Tile, one: Tile, other: Tile) -> Text:
    what = Text("dice") if isinstance(use.event, DiceSwapped) else Text("places")
    if one is muse:
        return Text("Swap {what} with {other}", what=what, other=TILE_NAMES[other])
    if one in OWNERS and NUMBERS[other] >= FIRST_HIDDEN:
        cells = (_cell_of(use.before, one), _cell_of(use.before, other))
        return Text("The hidden ones on {cells} swap {what}", cells=cells, what=what)
    return Text("{one} and {other} swap {what}", one=TILE_NAMES_FIRST[one], other=_brief(use.before, other), what=what)


def power_gloss(state: Muses, action: Power) -> Text:
    """The effect on dice and tiles."""
    use = _use_of(state, action)
    match use.event:
        case DieTurned(tile=tile):
            owner, old, new = use.die(tile)
            remark = _remark(state, tile, old, new)
            return Text("{owner} die {old} → {new}{remark}", owner=owner, old=old, new=new, remark=remark)
        case Carried(tile=tile, origin=origin):
            owner, value, _ = use.die(tile)
            return Text("from {origin}, with its {owner} die {value}", origin=origin, owner=owner, value=value)
        case DiceSwapped(one=one, other=other):
            return Text("{one}; {other}", one=_gets(use, one), other=_gets(use, other))
        case PlacesSwapped(one=one, other=other):
            return Text("{one}, {other}, with their dice", one=_lands(use, one), other=_lands(use, other))
    raise TypeError(use.event)


def _gets(use: _Use, tile: Tile) -> Text:
    owner, _, value = use.die(tile)
    return Text("{owner} die {value} to {tile}", owner=owner, value=value, tile=_brief(use.before, tile))


def _lands(use: _Use, tile: Tile) -> Text:
    return Text("{tile} to {cell}", tile=_brief(use.before, tile), cell=_cell_of(use.after, tile))


# --- The end of a hand -----------------------------------------------------------------------------------------------


def sixes(floor: Floor) -> tuple[Text, ...]:
    """The dice that end a hand: `Red’s 6 on Clio`."""
    rows = zip(floor.tiles, floor.values, floor.colors, strict=True)
    return tuple([_six(TILES[tile], die) for tile, value, die in rows if value == TOP])


def _six(tile: Tile, die: int) -> Text:
    if die == NEUTRAL:
        return Text("the Neutral 6 on {tile}", tile=TILE_NAMES[tile])
    return Text("{company}’s 6 on {tile}", company=Company(die), tile=TILE_NAMES[tile])


def revealed_name(tile: Tile, muse: Muse) -> Text:
    """A Muse that was turned up, with her owner: `Clio (Red’s)`."""
    if tile in OWNERS:
        return Text("{muse} ({owner:@’s|yours})", muse=muse, owner=OWNERS[tile])
    return Text("{muse} (Neutral)", muse=muse)


def unseen_muses(state: Muses) -> Text | None:
    """The hidden Muses with their suns, which may turn a die to 6; `None` if the viewer knows all Muses."""
    seen = set(map(state.muse, state.floor.tiles))
    muses = tuple(_with_suns(state, muse) for muse in MUSES if muse not in seen)
    return Text("Face down for you: {muses}, in any order.", muses=muses) if muses else None


def _with_suns(state: Muses, muse: Muse) -> Text:
    suns = state.muse_table.suns[NUMBERS[muse]]
    return Text("{muse} ({suns} {suns:sun|suns})", muse=muse, suns=suns)


# --- Advice ----------------------------------------------------------------------------------------------------------


def advice_on_placing(state: Muses, seat: Seat) -> tuple[Text, ...]:
    """Advice on good cells, and on the Muse to hide."""
    if state.secrets[seat] is not None:
        return _DICE_GROW, _HIDDEN_ALREADY if state.muse_table.has_powers else _BESIDE_YOURS
    return _DICE_GROW, _HIDE_ONE if len(state.hands[seat]) > 1 else _HIDE_THE_LAST


def advice_on_turn(state: Muses, seat: Seat) -> tuple[Text, ...]:
    """Advice on the decisive dice of the hand, and on the effect of a step."""
    if not state.muse_table.has_powers:
        return _stakes(state, seat), _STEP_ANY
    return _stakes(state, seat), _STEP_OR_POWER if state.setup.options.power_timing == "either" else _STEP_THEN_POWER


def _stakes(state: Muses, seat: Seat) -> Text:
    floor = state.floor
    if TOP - 1 not in floor.values:
        return next(_worth_watching(state, state.company_of(seat)), _SUNS_COUNT)
    index = floor.values.index(TOP - 1)
    text = "The {color} die on {tile} shows 5, and a 6 ends the hand: count the ranks first."
    return Text(text, color=color(floor.colors[index]), tile=_brief(floor, TILES[floor.tiles[index]]))


def _worth_watching(state: Muses, company: int) -> Iterator[Text]:
    """Remarks on a company's dice on face-up Muses: first those equal to the suns, then those below."""
    floor, suns = state.floor, state.muse_table.suns
    own = [
        (TILES[tile], value, suns[tile])
        for tile, value, die in zip(floor.tiles, floor.values, floor.colors, strict=True)
        if die == company and tile < FIRST_HIDDEN
    ]
    for muse, value, count in own:
        if value == count:
            equal = "Your die on {muse} equals her {n} {n:sun|suns}, so it counts 6 at the end: leave it there."
            yield Text(equal, muse=muse, n=count)
    for muse, value, count in own:
        if value < count:
            below = "Your die on {muse} shows {value}; at {n}, equal to her suns, it counts 6 at the end."
            yield Text(below, muse=muse, value=value, n=count)


_DICE_GROW = Text("A die starts at 1 and grows when its tile steps or is pushed: lay yours where tiles push it.")
_HIDE_ONE = Text("You hide one Muse: a die equal to her suns becomes a 6 at the end, and only you know them.")
_HIDE_THE_LAST = Text("Your last Muse goes face down; only you know her suns, and a die equal to them becomes a 6.")
_HIDDEN_ALREADY = Text("Moving a face-up Muse lets a player use her power on neighbors: watch those beside your dice.")
_BESIDE_YOURS = Text("Tiles in the same row or column push each other: watch whose dice grow along with yours.")
_SUNS_COUNT = Text("A die equal to the suns of its tile becomes a 6 at the end: leave yours, raise rivals’ past it.")
_STEP_ANY = Text("Let any tile step, even a rival’s: its die and those of the tiles it pushes go up by 1.")
_STEP_OR_POWER = Text("Any tile may step; it and all it pushes gain 1. Face up, it may use its power before or after.")
_STEP_THEN_POWER = Text("Any tile may step; it and all it pushes gain 1. If face up, it may then use its power.")
