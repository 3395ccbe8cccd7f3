"""Describe the position of Dance of Muses: a short text for screen readers, and a long one to play from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from engine.core import View
from engine.games.muses import words
from engine.games.muses.actions import Place, Power, Step
from engine.games.muses.cells import cell_at, cell_named, place_of
from engine.games.muses.companies import Company
from engine.games.muses.floor import NEUTRAL
from engine.games.muses.made import DONE
from engine.games.muses.muse_table import HOUSE
from engine.games.muses.state import Muses
from engine.games.muses.tiles import CALLED, CALLED_FIRST, FIRST_HIDDEN, NUMBERS, TILES, Face, Muse
from engine.texts import Text, term
from engine.wording import Voice, say
from renders.games.muses.layout import Scene, own_hand, scene_of
from renders.games.muses.panels import in_hand, members, rank_word
from renders.theme import SEATS
from renders.words import MAX_ALT_CHARS, MAX_CHARS, clip, escape_markdown, now_sentences, word

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


# --- Short -----------------------------------------------------------------------------------------------------------


def alt(view: View[Muses], labels: Sequence[str]) -> str:
    """Alt text, at most 1000 characters. `Clio(2) n13 R3` is Clio with two suns on n13 under a Red die that shows 3."""
    names = [clip(label, 12) for label in labels]
    state = view.state
    # By importance, since the end is cut off.
    parts = [
        str(Text("{game}. {fact:^}. {now}", **_heading(view, names))),
        _short_end(view, names),
        *(_short_company(state, company, members(state, names, company)) for company in range(state.companies)),
        _short_floor(view, names),
        _short_hand(view),
        _short_powers(state),
    ]
    return clip(" ".join(part for part in parts if part), MAX_ALT_CHARS)


def _heading(view: View[Muses], names: Sequence[str]) -> dict[str, str | Text]:
    return {"game": term(view.title), "fact": _facts(view, scene_of(view))[0], "now": now_sentences(view, names)}


def _short_company(state: Muses, company: int, name: str) -> str:
    bonus = f" {Text('(bonus {n})', n=state.bonuses[company])}" if state.bonuses[company] else ""
    held = f", {in_hand(state, company)}" if state.placing else ""
    return f"{name} {state.points[company]}{bonus}{held}."


def _short_floor(view: View[Muses], names: Sequence[str]) -> str:
    state, floor = view.state, view.state.floor
    if not floor.tiles:
        return "" if state.ended else str(Text("No tile lies on the cloth yet."))
    tiles = []
    for tile, cell, value, color in zip(floor.tiles, floor.cells, floor.values, floor.colors, strict=True):
        name = say(CALLED_FIRST[TILES[tile]], names)
        if tile < FIRST_HIDDEN:
            name += f"({state.muse_table.suns[tile]})"
        elif muse := state.muse(tile):
            name += f" {word(muse)}({state.muse_table.suns[NUMBERS[muse]]})"
        tiles.append(f"{name} {cell_named(cell).shown} {letter(color)}{value}")
    return str(Text("Tiles (suns), cell, die: {tiles}.", tiles="; ".join(tiles)))


def letter(color: int) -> str:
    """The letter of a die: its company's, or N for Neutral."""
    return str(Text("N")) if color == NEUTRAL else SEATS[color].letter


def _short_hand(view: View[Muses]) -> str:
    hand = own_hand(view)
    suns = view.state.muse_table.suns
    held = tuple(f"{word(TILES[muse])}({suns[muse]})" for muse in hand)
    return str(Text("You hold {muses}.", muses=held)) if held else ""


def _short_powers(state: Muses) -> str:
    if state.ended or not state.muse_table.has_powers:
        return ""
    powers = "; ".join(_power(state, tile) for tile in state.floor.tiles if tile < FIRST_HIDDEN)
    return str(Text("Powers: {powers}.", powers=powers)) if powers else ""


def _power(state: Muses, muse: int) -> str:
    return f"{word(TILES[muse])}: {say(state.muse_table.summary(muse))}"


def _short_end(view: View[Muses], names: Sequence[str]) -> str:
    """State the dice at the end of the hand, if the picture shows that."""
    scene = scene_of(view)
    if not scene.finished:
        return ""
    rows = []
    for company, dice in enumerate(scene.ranking.dice):
        ranks = "/".join(rank_word(scene, company, rank) for rank in range(len(dice)))
        rows.append(f"{members(view.state, names, company)} {'-'.join(map(str, dice))} ({ranks})")
    return str(Text("Dice at the end of hand {n}: {dice}.", n=scene.hand, dice="; ".join(rows)))


# --- Long ------------------------------------------------------------------------------------------------------------

LEGEND = Text(
    "Cells go by column and row: M13 is left of N13 and above M14. Tiles that share an edge or a corner are neighbors. "
    "A step pushes all that lies in its way; each tile that moves gains 1 on its die. A 6 ends the hand; then each die "
    "equal to the suns of its tile becomes a 6."
)


def tell(view: View[Muses], names: Sequence[str]) -> str:
    """Describe everything in full words, under 3500 characters."""
    state = view.state
    event_text = " ".join(say(event, names) for event in view.events)
    parts = [
        str(Text("**{game}**, {fact}. {now}", **_heading(view, names))),
        clip(event_text, 600),
        *_ranks(view, names),
        *(_company(state, names, company) for company in range(state.companies)),
        *_floor(state, names),
        _hand(view),
        _powers(view),
        _options(view, names),
    ]
    return clip("\n".join(part for part in parts if part), MAX_CHARS)


def _ranks(view: View[Muses], names: Sequence[str]) -> list[str]:
    """Compare the final dice rank by rank, if the picture shows the end of a hand."""
    scene = scene_of(view)
    if not scene.finished:
        return []
    companies = [members(view.state, names, company) for company in range(view.state.companies)]
    lines = []
    for rank in range(len(scene.ranking.winners)):
        rank_words = [rank_word(scene, company, rank) for company in range(len(companies))]
        dice = ", ".join(f"{name} {dice[rank]}" for name, dice in zip(companies, scene.ranking.dice, strict=True))
        results = [
            Text("{points} for {name}", points=points, name=name)
            for name, points in zip(companies, rank_words, strict=True)
            if points.startswith("+")
        ]
        result = results[0] if results else Text("a tie")
        lines.append(str(Text("Rank {n}: {dice}: {result}", n=rank + 1, dice=dice, result=result)))
    return [str(Text("**Dice at the end of hand {n}**", n=scene.hand)), *lines]


def _company(state: Muses, names: Sequence[str], company: int) -> str:
    rows = zip(state.floor.values, state.floor.colors, strict=True)
    dice = sorted((value for value, color in rows if color == company), reverse=True)
    dice_text = f", {Text('dice {dice}', dice=', '.join(map(str, dice)))}" if dice else ""
    hand_text = f", {in_hand(state, company)}" if state.placing else ""
    points = Text(
        "**{name}** ({color} dice): {points} points, {bonus} of them from bonuses",
        name=members(state, names, company),
        color=Company(company),
        points=state.points[company],
        bonus=state.bonuses[company],
    )
    return f"{points}{dice_text}{hand_text}"


def _floor(state: Muses, names: Sequence[str]) -> list[str]:
    """List the tiles row by row, with the free cells between them."""
    if not state.floor.tiles:
        return []
    rows = zip(state.floor.cells, state.floor.tiles, state.floor.values, state.floor.colors, strict=True)
    # By row, then by column.
    placed = sorted((place_of(cell)[::-1], tile, value, color) for cell, tile, value, color in rows)
    lines = []
    for y, row in groupby(placed, key=lambda entry: entry[0][0]):
        tiles = {x: _tile(state, names, tile, value, color) for (_, x), tile, value, color in row}
        cells = range(min(tiles), max(tiles) + 1)
        contents = (f"{cell_named(cell_at(x, y)).shown} {tiles.get(x) or Text('empty')}" for x in cells)
        lines.append(str(Text("Row {row}: {cells}", row=cell_named(cell_at(0, y)).row, cells="; ".join(contents))))
    return [str(Text("**On the cloth**")), *lines, str(LEGEND)]


def _tile(state: Muses, names: Sequence[str], number: int, value: int, color: int) -> str:
    """A tile in words: `Clio (2 suns), Red die 3`.

    A hidden Muse is called by her owner, with her own name added for viewers who know it.
    """
    name, muse = say(CALLED[TILES[number]], names), state.muse(number)
    if muse is not None:
        suns = _count_suns(state.muse_table.suns[NUMBERS[muse]])
        name += f" ({word(muse)}, {suns})" if number >= FIRST_HIDDEN else f" ({suns})"
    return f"{name}, {Text('{color} die', color=words.color(color))} {value}"


def _count_suns(suns: int) -> str:
    return str(Text("{n} {n:sun|suns}", n=suns))


def _hand(view: View[Muses]) -> str:
    suns = view.state.muse_table.suns
    held = tuple(f"{word(TILES[muse])} ({_count_suns(suns[muse])})" for muse in own_hand(view))
    return str(Text("You hold {muses}.", muses=held)) if held else ""


def _powers(view: View[Muses]) -> str:
    """Describe the powers of the Muses that lie face up or are in the viewer's hand."""
    state = view.state
    if state.ended or not state.muse_table.has_powers:
        return ""
    muses = sorted({*own_hand(view), *(tile for tile in state.floor.tiles if tile < FIRST_HIDDEN)})
    powers = "; ".join(_power(state, muse) for muse in muses)
    # The name of a table from a file is in its author's language.
    house = view.setup.options.powers == HOUSE
    name = str(Text("House powers")) if house else escape_markdown(state.muse_table.name)
    return f"**{name}**: {powers}" if powers else ""


# --- Options ---------------------------------------------------------------------------------------------------------


def _options(view: View[Muses], names: Sequence[str]) -> str:
    """List the options as on the buttons. Placings and steps with the same beginning share a line."""
    own = view.decision_of(view.viewer) or next(iter(view.decisions), None)
    actions = view.offered or (own.options if own else ())
    state, voice = view.state, Voice(names, state=view.state)
    powers = groupby((action for action in actions if isinstance(action, Power)), key=lambda action: action.muse)
    lines = [
        *_placings([action for action in actions if isinstance(action, Place)]),
        *_steps(state, names, [action for action in actions if isinstance(action, Step)]),
        # One line per Muse with all uses of her power.
        *("; ".join(map(voice.label, uses)) for _, uses in powers),
        *([voice.label(DONE)] if DONE in actions else []),
    ]
    return "\n".join((str(Text("**Options**")), *lines)) if lines else ""


def _placings(actions: Sequence[Place]) -> list[str]:
    """One line per Muse and face: `Clio face up on m12, n12`."""
    cells: dict[tuple[Muse, Face], list[str]] = {}
    for action in actions:
        cells.setdefault((action.muse, action.face), []).append(action.cell.shown)
    return [
        str(Text("{muse} {face} on {cells}", muse=muse, face=face, cells=", ".join(where)))
        for (muse, face), where in cells.items()
    ]


def _steps(state: Muses, names: Sequence[str], actions: Sequence[Step]) -> list[str]:
    """One line per Muse: `Clio north to m12, east to n13`."""
    lines = []
    for muse, steps in groupby(actions, key=lambda action: action.muse):
        name = say(CALLED_FIRST[muse], names)
        ways = [say(words.stepping(state, action), names).removeprefix(f"{name} ") for action in steps]
        lines.append(f"{name} {', '.join(ways)}")
    return lines
