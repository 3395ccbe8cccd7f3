"""The position of Dance of Muses in words: a short twin for screen readers and a long one to play from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.core import Action, View
from engine.games.muses.actions import Place
from engine.games.muses.cells import cell_named
from engine.games.muses.companies import Company
from engine.games.muses.floor import NEUTRAL
from engine.games.muses.state import Muses
from engine.games.muses.tiles import FIRST_HIDDEN, NUMBERS, TILES
from engine.notation import field_values
from engine.texts import listed
from engine.wording import say
from renders.games.muses.layout import Scene, own_hand, scene_of
from renders.games.muses.panels import in_hand, members, rank_word
from renders.theme import SEATS
from renders.words import clipped, due_sentence, result_sentence

COUNTED_DOWN = 20
"""From so many turns before the end of a hand without a 6 it is told how many there can still be (rule 7.2)."""


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
        f"Dance of Muses. {facts(view, scene_of(view))[0]}. {_now(view, names)}",
        _short_end(view, names),
        *(_short_company(state, company, members(state, names, company)) for company in range(state.companies)),
        _short_floor(view),
        _short_hand(view),
        _short_powers(state),
    ]
    return clipped(" ".join(part for part in parts if part), 1000)


def _now(view: View[Muses], names: Sequence[str]) -> str:
    if view.outcome:
        return result_sentence(view, names)
    prompts = " ".join(clipped(say(d.prompt, names), 90) for d in view.decisions if d.seat >= 0)
    return f"{due_sentence(view, names)} {prompts}".strip()


def _short_company(state: Muses, company: int, name: str) -> str:
    bonus = f" (bonus {state.bonuses[company]})" if state.bonuses[company] else ""
    held = f", {in_hand(state, company)}" if state.placing else ""
    return f"{name} {state.points[company]}{bonus}{held}."


def _short_floor(view: View[Muses]) -> str:
    state = view.state
    if not state.floor.tiles:
        return "" if state.ended else "No tile lies on the cloth yet."
    return f"Tiles (suns), cell, die: {'; '.join(_tiles(state))}."


def _tiles(state: Muses) -> Iterable[str]:
    floor = state.floor
    for tile, cell, value, color in zip(floor.tiles, floor.cells, floor.values, floor.colors, strict=True):
        name = TILES[tile].label
        if tile < FIRST_HIDDEN:
            name += f"({state.muse_table.suns[tile]})"
        elif muse := state.muse(tile):
            name += f"=your {muse.label}({state.muse_table.suns[NUMBERS[muse]]})"
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


def tell(view: View[Muses], labels: Sequence[str]) -> str:
    """Everything in full words, under 3500 characters."""
    names = [clipped(label, 16) for label in labels]
    state = view.state
    happened = " ".join(say(event, names) for event in view.events)
    parts = [
        f"**Dance of Muses**, {_first_small(facts(view, scene_of(view))[0])}. {_now(view, names)}",
        clipped(happened, 800),
        _short_end(view, names),
        *(_company(state, names, company) for company in range(state.companies)),
        *_floor(state),
        _short_hand(view),
        _powers(view),
        _options(view),
    ]
    return clipped("\n".join(part for part in parts if part), 3400)


def _first_small(text: str) -> str:
    return text[0].lower() + text[1:]


def _company(state: Muses, names: Sequence[str], company: int) -> str:
    rows = zip(state.floor.values, state.floor.colors, strict=True)
    dice = sorted((value for value, color in rows if color == company), reverse=True)
    shown = f", dice {'-'.join(map(str, dice))}" if dice else ""
    held = f", {in_hand(state, company)}" if state.placing else ""
    points = f"{state.points[company]} points, {state.bonuses[company]} of them from bonuses"
    return f"**{members(state, names, company)}** ({letter(company)}): {points}{shown}{held}"


def _floor(state: Muses) -> list[str]:
    if not state.floor.tiles:
        return []
    dice = ", ".join(f"{letter(c)} {Company(c).label}" for c in range(state.companies))
    return [f"**On the cloth** (suns in brackets; dice {dice}, N Neutral):", "; ".join(_tiles(state))]


def _powers(view: View[Muses]) -> str:
    """What the Muses can do that lie face up or are in the viewer's hand."""
    state = view.state
    if state.ended or not state.muse_table.has_powers:
        return ""
    known = sorted({*own_hand(view), *(tile for tile in state.floor.tiles if tile < FIRST_HIDDEN)})
    told = "; ".join(_power(state, muse) for muse in known)
    return f"**{state.muse_table.name}**: {told}" if told else ""


def _options(view: View[Muses]) -> str:
    """The options, with what they have in common said once: `step clio n, e`."""
    own = view.decision_of(view.viewer) or next(iter(view.decisions), None)
    actions = view.offered or (own.options if own else ())
    if not actions:
        return ""
    grouped: dict[str, list[str]] = {}
    for action in actions:
        *head, last = _words(action)
        grouped.setdefault(" ".join(head), []).append(last)
    lines = (f"{head} {', '.join(lasts)}".strip() for head, lasts in grouped.items())
    return f"**Options**: {'; '.join(lines)}"


def _words(action: Action) -> list[str]:
    """The words of an option, but for the cell of a placing, which goes last: it is what there is most of."""
    if isinstance(action, Place):
        return [action.verb, str(action.muse), str(action.face), str(action.cell)]
    return [action.verb, *field_values(action)]
