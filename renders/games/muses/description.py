"""The position of Dance of Muses in words: a short description for screen readers and a long one to play from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from engine.core import View
from engine.games.muses import words
from engine.games.muses.actions import Place, Power, Step
from engine.games.muses.cells import cell_at, cell_named, place_of
from engine.games.muses.companies import Company
from engine.games.muses.floor import NEUTRAL
from engine.games.muses.made import DONE
from engine.games.muses.state import Muses
from engine.games.muses.tiles import CALLED, CALLED_FIRST, FIRST_HIDDEN, NUMBERS, TILES, Face, Muse
from engine.texts import Text, listed
from engine.wording import Voice, say
from renders.games.muses.layout import Scene, own_hand, scene_of
from renders.games.muses.panels import in_hand, members, rank_word
from renders.theme import SEATS
from renders.words import ALT, LONGEST, clipped, escaped, now_sentences

COUNTED_DOWN = 20
"""Turns before the end of a hand without a 6 from which on those left are counted down (rule 7.2)."""


def facts(view: View[Muses], scene: Scene) -> tuple[str, ...]:
    """The fact of the header, longer and shorter."""
    hands = view.setup.options.hands
    if view.outcome:
        return (f"After {scene.hand} hands" if scene.hand > 1 else "After one hand", "The end")
    if scene.finished:
        return (f"End of hand {scene.hand} of {hands}", f"Hand {scene.hand} ended")
    hand, left = f"Hand {scene.hand} of {hands}", view.state.turns_left
    if not 0 < left <= COUNTED_DOWN:
        return (hand,)
    told = ("last turn",) if left == 1 else (f"at most {left} turns left", f"{left} turns left")
    return (f"{hand}, {told[0]}", *(words.capitalize() for words in told))


# --- Short -----------------------------------------------------------------------------------------------------------


def alt(view: View[Muses], labels: Sequence[str]) -> str:
    """At most 1000 characters. `Clio(2) n13 R3` is Clio with two suns on n13 under a Red die that shows 3."""
    names = [clipped(label, 12) for label in labels]
    state = view.state
    parts = [
        f"Dance of Muses. {facts(view, scene_of(view))[0]}. {now_sentences(view, names)}",
        _short_end(view, names),
        *(_short_company(state, company, members(state, names, company)) for company in range(state.companies)),
        _short_floor(view, names),
        _short_hand(view),
        _short_powers(state),
    ]
    return clipped(" ".join(part for part in parts if part), ALT)


def _short_company(state: Muses, company: int, name: str) -> str:
    bonus = f" (bonus {state.bonuses[company]})" if state.bonuses[company] else ""
    held = f", {in_hand(state, company)}" if state.placing else ""
    return f"{name} {state.points[company]}{bonus}{held}."


def _short_floor(view: View[Muses], names: Sequence[str]) -> str:
    state = view.state
    if not state.floor.tiles:
        return "" if state.ended else "No tile lies on the cloth yet."
    return f"Tiles (suns), cell, die: {'; '.join(_tiles(state, names))}."


def _tiles(state: Muses, names: Sequence[str]) -> Iterable[str]:
    floor = state.floor
    for tile, cell, value, color in zip(floor.tiles, floor.cells, floor.values, floor.colors, strict=True):
        name = say(CALLED_FIRST[TILES[tile]], names)
        if tile < FIRST_HIDDEN:
            name += f"({state.muse_table.suns[tile]})"
        elif muse := state.muse(tile):
            name += f" {muse.label}({state.muse_table.suns[NUMBERS[muse]]})"
        yield f"{name} {cell_named(cell)} {letter(color)}{value}"


def letter(color: int) -> str:
    """The letter of a die: that of its company, or N for Neutral."""
    return "N" if color == NEUTRAL else SEATS[color].letter


def _short_hand(view: View[Muses]) -> str:
    hand = own_hand(view)
    suns = view.state.muse_table.suns
    return f"You hold {listed([f'{TILES[muse].label}({suns[muse]})' for muse in hand])}." if hand else ""


def _short_powers(state: Muses) -> str:
    if state.ended or not state.muse_table.has_powers:
        return ""
    told = "; ".join(_power(state, tile) for tile in state.floor.tiles if tile < FIRST_HIDDEN)
    return f"Powers: {told}." if told else ""


def _power(state: Muses, muse: int) -> str:
    return f"{TILES[muse].label}: {say(state.muse_table.summary(muse))}"


def _short_end(view: View[Muses], names: Sequence[str]) -> str:
    """How the hand ended that the picture shows."""
    scene = scene_of(view)
    if not scene.finished:
        return ""
    rows = []
    for company, dice in enumerate(scene.ranking.dice):
        ranks = "/".join(rank_word(scene, company, rank) for rank in range(len(dice)))
        rows.append(f"{members(view.state, names, company)} {'-'.join(map(str, dice))} ({ranks})")
    return f"Dice at the end of hand {scene.hand}: {'; '.join(rows)}."


# --- Long ------------------------------------------------------------------------------------------------------------

LEGEND = (
    "Cells go by column and row: m13 is left of n13 and above m14. Tiles that share an edge or a corner are neighbors. "
    "A step pushes all that lies in its way; each tile that moves gains 1 on its die. A 6 ends the hand; then each die "
    "equal to the suns of its tile becomes a 6."
)


def tell(view: View[Muses], names: Sequence[str]) -> str:
    """Everything in full words, under 3500 characters."""
    state = view.state
    happened = " ".join(say(event, names) for event in view.events)
    parts = [
        f"**Dance of Muses**, {_first_small(facts(view, scene_of(view))[0])}. {now_sentences(view, names)}",
        clipped(happened, 600),
        *_ranks(view, names),
        *(_company(state, names, company) for company in range(state.companies)),
        *_floor(state, names),
        _hand(view),
        _powers(view),
        _options(view, names),
    ]
    return clipped("\n".join(part for part in parts if part), LONGEST)


def _first_small(text: str) -> str:
    return text[0].lower() + text[1:]


def _ranks(view: View[Muses], names: Sequence[str]) -> list[str]:
    """How the dice of the hand compare that the picture shows at its end, rank by rank."""
    scene = scene_of(view)
    if not scene.finished:
        return []
    companies = [members(view.state, names, company) for company in range(view.state.companies)]
    lines = []
    for rank in range(len(scene.ranking.winners)):
        words = [rank_word(scene, company, rank) for company in range(len(companies))]
        rows = zip(companies, scene.ranking.dice, strict=True)
        won = [f"{word} for {name}" for name, word in zip(companies, words, strict=True) if word.startswith("+")]
        lines.append(
            f"Rank {rank + 1}: {', '.join(f'{name} {dice[rank]}' for name, dice in rows)}: {(*won, 'a tie')[0]}"
        )
    return [f"**Dice at the end of hand {scene.hand}**", *lines]


def _company(state: Muses, names: Sequence[str], company: int) -> str:
    rows = zip(state.floor.values, state.floor.colors, strict=True)
    dice = sorted((value for value, color in rows if color == company), reverse=True)
    shown = f", dice {', '.join(map(str, dice))}" if dice else ""
    held = f", {in_hand(state, company)}" if state.placing else ""
    points = f"{state.points[company]} points, {state.bonuses[company]} of them from bonuses"
    return f"**{members(state, names, company)}** ({Company(company).label} dice): {points}{shown}{held}"


def _floor(state: Muses, names: Sequence[str]) -> list[str]:
    """The tiles row by row, with the free cells between them."""
    if not state.floor.tiles:
        return []
    rows = zip(state.floor.cells, state.floor.tiles, state.floor.values, state.floor.colors, strict=True)
    # By row, then by column.
    placed = sorted((place_of(cell)[::-1], tile, value, color) for cell, tile, value, color in rows)
    lines = []
    for y, row in groupby(placed, key=lambda entry: entry[0][0]):
        lying = {x: f"{_tile(state, names, tile)}, {_die(color)} {value}" for (_, x), tile, value, color in row}
        cells = range(min(lying), max(lying) + 1)
        told = (f"{cell_named(cell_at(x, y))} {lying.get(x, 'free')}" for x in cells)
        lines.append(f"Row {cell_named(cell_at(0, y)).row}: {'; '.join(told)}")
    return ["**On the cloth**", *lines, LEGEND]


def _tile(state: Muses, names: Sequence[str], number: int) -> str:
    """`Clio (2 suns)`; a hidden Muse goes by her owner, and by her name for a viewer who knows it."""
    name, muse = say(CALLED[TILES[number]], names), state.muse(number)
    if muse is None:
        return name
    suns = _count_suns(state.muse_table.suns[NUMBERS[muse]])
    return f"{name} ({muse.label}, {suns})" if number >= FIRST_HIDDEN else f"{name} ({suns})"


def _count_suns(suns: int) -> str:
    return f"{suns} sun{'s' * (suns > 1)}"


def _die(color: int) -> str:
    return f"{say(Text('{color}', color=words.color(color)))} die"


def _hand(view: View[Muses]) -> str:
    suns = view.state.muse_table.suns
    held = [f"{TILES[muse].label} ({_count_suns(suns[muse])})" for muse in own_hand(view)]
    return f"You hold {listed(held)}." if held else ""


def _powers(view: View[Muses]) -> str:
    """What the Muses can do that lie face up or are in the viewer's hand."""
    state = view.state
    if state.ended or not state.muse_table.has_powers:
        return ""
    known = sorted({*own_hand(view), *(tile for tile in state.floor.tiles if tile < FIRST_HIDDEN)})
    told = "; ".join(_power(state, muse) for muse in known)
    return f"**{escaped(state.muse_table.name)}**: {told}" if told else ""


# --- Options ---------------------------------------------------------------------------------------------------------


def _options(view: View[Muses], names: Sequence[str]) -> str:
    """The options as the buttons call them; of placings and steps that begin alike, the beginning is said once."""
    own = view.decision_of(view.viewer) or next(iter(view.decisions), None)
    actions = view.offered or (own.options if own else ())
    state = view.state
    lines = [
        *_placings([action for action in actions if isinstance(action, Place)]),
        *_steps(state, names, [action for action in actions if isinstance(action, Step)]),
        *_uses(state, names, [action for action in actions if isinstance(action, Power)]),
        *(["Done"] if DONE in actions else []),
    ]
    return "\n".join(("**Options**", *lines)) if lines else ""


def _placings(actions: Sequence[Place]) -> list[str]:
    """`Clio face up on m12, n12`."""
    cells: dict[tuple[Muse, Face], list[str]] = {}
    for action in actions:
        cells.setdefault((action.muse, action.face), []).append(str(action.cell))
    return [f"{muse.label} {face.label} on {', '.join(where)}" for (muse, face), where in cells.items()]


def _steps(state: Muses, names: Sequence[str], actions: Sequence[Step]) -> list[str]:
    """`Clio north to m12, east to n13`."""
    lines = []
    for muse, steps in groupby(actions, key=lambda action: action.muse):
        name = say(CALLED_FIRST[muse], names)
        told = [say(words.stepping(state, action), names).removeprefix(f"{name} ") for action in steps]
        lines.append(f"{name} {', '.join(told)}")
    return lines


def _uses(state: Muses, names: Sequence[str], actions: Sequence[Power]) -> list[str]:
    """A line for each Muse with all that her power can do."""
    voice = Voice(names, state=state)
    return ["; ".join(map(voice.label, uses)) for _, uses in groupby(actions, key=lambda action: action.muse)]
