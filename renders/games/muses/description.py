"""Describe the position of Dance of Muses: a short text for screen readers, and a long one to play from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from engine.core import View
from engine.games.muses import words
from engine.games.muses.action_cache import DONE
from engine.games.muses.actions import Place, Power, Step
from engine.games.muses.cells import cell_at, cell_name, coordinates_of
from engine.games.muses.companies import Company
from engine.games.muses.floor import NEUTRAL
from engine.games.muses.muse_table import HOUSE
from engine.games.muses.state import Muses
from engine.games.muses.tiles import FIRST_HIDDEN, NUMBERS, TILE_NAMES, TILE_NAMES_FIRST, TILES, Face, Muse
from engine.texts import Text
from engine.wording import Voice, say
from renders.games.muses.layout import Scene, own_hand, scene_of
from renders.games.muses.panels import hand_sizes, members, rank_word
from renders.theme import SEATS
from renders.words import (
    MAX_CHARS,
    alt_text,
    clip,
    escape_markdown,
    heading,
    join_with_semicolons,
    long_text,
    now_sentences,
    with_label,
    word,
)

COUNTDOWN_TURNS = 20
"""Number of remaining turns from which the end of a hand without a 6 is counted down (rule 7.2)."""


def facts(view: View[Muses], scene: Scene) -> tuple[str, ...]:
    """The fact for the header, in wordings from long to short."""
    return tuple(str(Text("{fact:^}", fact=fact)) for fact in _facts(view, scene))


def _facts(view: View[Muses], scene: Scene) -> tuple[Text, ...]:
    hand, hands, turns = scene.hand, view.setup.options.hands, view.state.turns_left
    if view.outcome:
        return Text("after {n:one hand|@ hands}", n=hand), Text("the end")
    if scene.finished:
        named, brief = Text("end of hand {n} of {hands}", n=hand, hands=hands), [Text("hand {n} ended", n=hand)]
    elif not 0 < turns <= COUNTDOWN_TURNS:
        named, brief = Text("hand {n} of {hands}", n=hand, hands=hands), [] if hands > 1 else [Text("the only hand")]
    elif turns == 1:
        named, brief = Text("hand {n} of {hands}, last turn", n=hand, hands=hands), [Text("last turn")]
    else:
        named = Text("hand {n} of {hands}, at most {left} turns left", n=hand, hands=hands, left=turns)
        brief = [Text("at most {left} turns left", left=turns), Text("{left} turns left", left=turns)]
    # The only hand has no number.
    return (named, *brief) if hands > 1 else tuple(brief)


def alt(view: View[Muses], labels: Sequence[str]) -> str:
    """Alt text, at most 1000 characters. `Clio(2) n13 R3` is Clio with two suns on n13 under a Red die that shows 3."""
    return alt_text(_rows(view, [clip(label, 12) for label in labels], brief=True))


def tell(view: View[Muses], names: Sequence[str]) -> str:
    """Describe everything in full words, under 3500 characters."""
    return clip(long_text(_rows(view, names, brief=False)), MAX_CHARS)


def _rows(view: View[Muses], names: Sequence[str], *, brief: bool) -> Iterator[str]:
    """The lines of a description by importance, since the end of a brief one is cut off."""
    state = view.state
    yield heading(view, _facts(view, scene_of(view))[0], now_sentences(view, names), brief=brief)
    if not brief:
        yield clip(" ".join(say(event, names) for event in view.events), 600)
    yield from _end(view, names, brief=brief)
    for company in range(state.companies):
        yield _company(state, names, company, brief=brief)
    yield from (_short_floor(view, names),) if brief else _floor(state, names)
    yield _hand(view, brief=brief)
    yield _powers(view, brief=brief)
    if not brief:
        yield _options(view, names)


def _end(view: View[Muses], names: Sequence[str], *, brief: bool) -> Iterator[str]:
    """The dice at the end of a hand, if the picture shows that: of each company, or compared rank by rank."""
    scene = scene_of(view)
    if not scene.finished:
        return
    companies = [members(view.state, names, company) for company in range(view.state.companies)]
    if brief:
        rows = (_short_dice(scene, company, name) for company, name in enumerate(companies))
        yield str(Text("Dice at the end of hand {n}: {dice}.", n=scene.hand, dice=join_with_semicolons(rows)))
        return
    yield str(Text("**Dice at the end of hand {n}**", n=scene.hand))
    for rank in range(len(scene.ranking.winners)):
        yield _rank(scene, rank, companies)


def _short_dice(scene: Scene, company: int, name: str) -> str:
    dice = scene.ranking.dice[company]
    ranks = "/".join(rank_word(scene, company, rank) for rank in range(len(dice)))
    return f"{name} {'-'.join(map(str, dice))} ({ranks})"


def _rank(scene: Scene, rank: int, companies: Sequence[str]) -> str:
    dice = ", ".join(f"{name} {dice[rank]}" for name, dice in zip(companies, scene.ranking.dice, strict=True))
    points = ((rank_word(scene, company, rank), name) for company, name in enumerate(companies))
    results = (Text("{points} for {name}", points=words, name=name) for words, name in points if words.startswith("+"))
    return str(Text("Rank {n}: {dice}: {result}", n=rank + 1, dice=dice, result=next(results, None) or Text("a tie")))


def _company(state: Muses, names: Sequence[str], company: int, *, brief: bool) -> str:
    name, points, bonus = members(state, names, company), state.points[company], state.bonuses[company]
    hand = [hand_sizes(state, company)] if state.is_placing else []
    if brief:
        bonus_text = f" {Text('(bonus {n})', n=bonus)}" if bonus else ""
        return f"{', '.join((f'{name} {points}{bonus_text}', *hand))}."
    rows = zip(state.floor.values, state.floor.colors, strict=True)
    dice = sorted((value for value, color in rows if color == company), reverse=True)
    dice_text = f", {Text('dice {dice}', dice=', '.join(map(str, dice)))}" if dice else ""
    line = "**{name}** ({color} dice): {points} {points:point|points}, {bonus} of them from bonuses"
    summary = f"{Text(line, name=name, color=Company(company), points=points, bonus=bonus)}{dice_text}"
    # not after a comma, where the number of Muses would look like a die
    return join_with_semicolons([summary, *hand])


def _short_floor(view: View[Muses], names: Sequence[str]) -> str:
    state, floor = view.state, view.state.floor
    if not floor.tiles:
        return "" if state.ended else str(Text("No tile lies on the cloth yet."))
    tiles = []
    for tile, cell, value, color in zip(floor.tiles, floor.cells, floor.values, floor.colors, strict=True):
        name = say(TILE_NAMES[TILES[tile]], names)
        if tile < FIRST_HIDDEN:
            name += f"({state.muse_table.suns[tile]})"
        elif muse := state.muse(tile):
            name += f", {word(muse)}({state.muse_table.suns[NUMBERS[muse]]})"
        tiles.append(f"{name} {cell_name(cell).label} {letter(color)}{value}")
    return str(Text("Tiles (suns), cell, die: {tiles}.", tiles=join_with_semicolons(tiles)))


def letter(color: int) -> str:
    """The letter of a die: its company's, or N for Neutral."""
    return str(Text("N")) if color == NEUTRAL else SEATS[color].letter


def _hand(view: View[Muses], *, brief: bool) -> str:
    suns = view.state.muse_table.suns
    template = "{muse}({suns})" if brief else "{muse} ({suns})"
    held = tuple(
        template.format(muse=word(TILES[muse]), suns=suns[muse] if brief else _count_suns(suns[muse]))
        for muse in own_hand(view)
    )
    return str(Text("You hold {muses}.", muses=held)) if held else ""


def _powers(view: View[Muses], *, brief: bool) -> str:
    """Describe the powers of the Muses that lie face up or, unless `brief`, are in the viewer's hand."""
    state = view.state
    if state.ended or not state.muse_table.has_powers:
        return ""
    face_up = [tile for tile in state.floor.tiles if tile < FIRST_HIDDEN]
    if brief:
        powers = join_with_semicolons(_power(state, tile) for tile in face_up)
        return str(Text("Powers: {powers}.", powers=powers)) if powers else ""
    powers = join_with_semicolons(_power(state, muse) for muse in sorted({*own_hand(view), *face_up}))
    # The name of a table from a file is in its author's language.
    house = view.setup.options.powers == HOUSE
    name = str(Text("House powers")) if house else escape_markdown(state.muse_table.name)
    return with_label(f"**{name}**", powers) if powers else ""


def _power(state: Muses, muse: int) -> str:
    return with_label(word(TILES[muse]), say(state.muse_table.summary(muse)))


LEGEND = Text(
    "Cells go by column and row: M13 is left of N13 and above M14. Tiles that share an edge or a corner are neighbors. "
    "A step pushes all that lies in its way; each tile that moves gains 1 on its die. A 6 ends the hand; then each die "
    "equal to the suns of its tile becomes a 6."
)


def _floor(state: Muses, names: Sequence[str]) -> list[str]:
    """List the tiles row by row, with the free cells between them."""
    if not state.floor.tiles:
        return []
    rows = zip(state.floor.cells, state.floor.tiles, state.floor.values, state.floor.colors, strict=True)
    # By row, then by column.
    placed = sorted((coordinates_of(cell)[::-1], tile, value, color) for cell, tile, value, color in rows)
    lines = []
    for y, row in groupby(placed, key=lambda entry: entry[0][0]):
        tiles = {x: _tile(state, names, tile, value, color) for (_, x), tile, value, color in row}
        cells = range(min(tiles), max(tiles) + 1)
        contents = (f"{cell_name(cell_at(x, y)).label} {tiles.get(x) or Text('empty')}" for x in cells)
        lines.append(
            str(Text("Row {row}: {cells}", row=cell_name(cell_at(0, y)).row, cells=join_with_semicolons(contents)))
        )
    return [str(Text("**On the cloth**")), *lines, str(LEGEND)]


def _tile(state: Muses, names: Sequence[str], number: int, value: int, color: int) -> str:
    """A tile in words: `Clio (2 suns), Red die 3`.

    A hidden Muse is called by her owner, with her own name added for viewers who know it.
    """
    name, muse = say(TILE_NAMES[TILES[number]], names), state.muse(number)
    if muse is not None:
        suns = _count_suns(state.muse_table.suns[NUMBERS[muse]])
        name += f" ({word(muse)}, {suns})" if number >= FIRST_HIDDEN else f" ({suns})"
    return f"{name}, {Text('{color} die', color=words.color(color))} {value}"


def _count_suns(suns: int) -> str:
    return str(Text("{n} {n:sun|suns}", n=suns))


# --- Options ---------------------------------------------------------------------------------------------------------


def _options(view: View[Muses], names: Sequence[str]) -> str:
    """List the options as on the buttons. Placings and steps with the same beginning share a line."""
    own = view.decision_of(view.viewer) or next(iter(view.decisions), None)
    actions = view.offered or (own.options if own else ())
    state, voice = view.state, Voice(names, state=view.state)
    powers = groupby((action for action in actions if isinstance(action, Power)), key=lambda action: action.muse)
    lines = [
        *_placement_lines([action for action in actions if isinstance(action, Place)]),
        *_step_lines(state, names, [action for action in actions if isinstance(action, Step)]),
        # One line per Muse with all uses of her power.
        *(join_with_semicolons(map(voice.label, uses)) for _, uses in powers),
        *([voice.label(DONE)] if DONE in actions else []),
    ]
    return "\n".join((str(Text("**Options**")), *lines)) if lines else ""


def _placement_lines(actions: Sequence[Place]) -> list[str]:
    """One line per Muse and face: `Clio face up on m12, n12`."""
    cells: dict[tuple[Muse, Face], list[str]] = {}
    for action in actions:
        cells.setdefault((action.muse, action.face), []).append(action.cell.label)
    return [
        str(Text("{muse} {face} on {cells}", muse=muse, face=face, cells=", ".join(where)))
        for (muse, face), where in cells.items()
    ]


def _step_lines(state: Muses, names: Sequence[str], actions: Sequence[Step]) -> list[str]:
    """One line per Muse: `Clio north to m12, east to n13`."""
    lines = []
    for muse, steps in groupby(actions, key=lambda action: action.muse):
        name = say(TILE_NAMES_FIRST[muse], names)
        ways = [say(words.step_name(state, action), names).removeprefix(f"{name} ") for action in steps]
        lines.append(f"{name} {', '.join(ways)}")
    return lines
