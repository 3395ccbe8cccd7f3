"""Describe the position: a short text for screen readers, and a long one complete enough to play from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from engine.core import Action, View
from engine.games.jinns.actions import Keep, Move
from engine.games.jinns.events import CameAgain, Occurrence
from engine.games.jinns.frames.place import Placing
from engine.games.jinns.pattern import placements
from engine.games.jinns.pawns import STRENGTHS, Pile, colors_in
from engine.games.jinns.ring import RING, SQUARES
from engine.games.jinns.state import Jinns
from engine.notation import shown_action
from engine.texts import Seat, Text
from engine.wording import Voice, say
from renders.words import (
    MAX_CHARS,
    alt_text,
    alternatives,
    clip,
    heading,
    join_with_semicolons,
    long_text,
    now_sentences,
    with_label,
    word,
)

LEGEND = Text(
    "**Lake**. Only pawns stand on it; the jinns, who own them, sit around it. Y3 is a yellow pawn of strength 3; the "
    "pawn named first is on top. A pile is worth its height times the strength of its top pawn, to the owner of that "
    "color. A top pawn goes as many piles as its strength, either way, and may take pawns below it along. The squares "
    "run clockwise from 0 to 31, then 0 again, and empty ones are skipped: the neighbors of a pile are the rows "
    "before and after it, and the last row is next to the first."
)
"""Rules that a newcomer needs to understand the rows."""


def fact(view: View[Jinns]) -> Text:
    """State the progress: `placing 12 of 32`, `choosing colors`, `move 24` or, after the end, `40 moves`."""
    state = view.state
    if view.outcome:
        return Text("{moves} moves", moves=state.moves)
    if state.placed < SQUARES:
        return Text("placing {n} of {all}", n=state.placed + 1, all=SQUARES)
    return Text("choosing colors") if state.is_setting_up else Text("move {n}", n=state.moves + 1)


def facts(view: View[Jinns]) -> tuple[str, ...]:
    """Progress for the header, from long to short. A repeated position shows the number of repetitions instead."""
    state = view.state
    usual = str(Text("{fact:^}", fact=fact(view)))
    if state.is_setting_up and state.placed < SQUARES:
        return usual, str(Text("{n} of {all}", n=state.placed + 1, all=SQUARES))
    if state.is_setting_up:
        return usual, str(Text("Colors"))
    if state.times < 2 or view.outcome:
        return (usual,)
    often = {"times": state.times, "limit": state.terms.repetition_limit}
    return str(Text("Seen {times}×, ends at {limit}", **often)), str(Text("Seen {times}× of {limit}", **often))


def alt(view: View[Jinns], labels: Sequence[str]) -> str:
    """Alt text of at most 1000 characters; `Y3` is the yellow pawn of strength 3."""
    # Names are cut, since four long ones would leave no room for the piles.
    return alt_text(_rows(view, [clip(label, 14) for label in labels], brief=True))


def tell(view: View[Jinns], names: Sequence[str]) -> str:
    """Describe everything in simple Markdown, under 3500 characters."""
    return clip(long_text(_rows(view, names, brief=False)), MAX_CHARS)


def _rows(view: View[Jinns], names: Sequence[str], *, brief: bool) -> Iterator[str]:
    state = view.state
    yield heading(view, fact(view), now_sentences(view, names), brief=brief)
    if not brief:
        # `_times` already states the number of repetitions.
        yield clip(" ".join(say(event, names) for event in view.events if not isinstance(event, CameAgain)), 600)
    yield _times(state)
    for seat in range(state.seats):
        yield _seat(state, names, Seat(seat), brief=brief)
    yield _neutral(state)
    yield _to_place(state, brief=brief)
    yield _lake(state) if brief else _quay(state)
    if not brief:
        yield _options(view, names)


def _times(state: Jinns) -> str:
    """State how many times the position has occurred, from the second time on."""
    if state.times < 2:
        return ""
    time, last = Occurrence(state.times), Occurrence(state.terms.repetition_limit)
    over = Text("This position has come up for the {time} time.", time=time)
    return str(over) if state.ended else say(CameAgain(time, last))


def _seat(state: Jinns, names: Sequence[str], seat: Seat, *, brief: bool) -> str:
    name, colors, partner, points = (
        names[seat],
        _colors(state, seat),
        _partner(state, names, seat),
        _points(state, seat),
    )
    piles = join_with_semicolons(map(_brief if brief else _pile_text, state.taken_piles[seat]))
    if brief:
        name = f"{name}{partner}" if name.lower() == colors else f"{name} ({colors}){partner}"
        took = Text(", took {piles}", piles=piles) if piles else ""
        return str(Text("{name}: {score} = taken {taken} + lake {lake}{took}.", name=name, **points, took=took))
    jinn = Text("jinn of {colors}", colors=colors) if state.owned[seat] else colors
    line = "**{name}**, {jinn}{partner}: points {score} = {taken} taken + {lake} on the lake."
    text = str(Text(line, name=name, jinn=jinn, partner=partner, **points))
    return f"{text} {Text('Took {piles}.', piles=piles)}" if piles else text


def _points(state: Jinns, seat: Seat) -> dict[str, int]:
    pile_points, lake_points = state.taken_points(seat), state.lake_points(seat)
    return {"score": pile_points + lake_points, "taken": pile_points, "lake": lake_points}


def _colors(state: Jinns, seat: Seat) -> str:
    return word(state.colors(seat)) or str(Text("no color yet"))


def _partner(state: Jinns, names: Sequence[str], seat: Seat) -> str:
    partner = state.partner(seat)
    if partner is None:
        return ""
    if not state.terms.team_score:
        return str(Text(", with {name}", name=names[partner]))
    both = state.score(seat) + state.score(partner)
    return str(Text(", with {name} (together {points})", name=names[partner], points=both))


def _neutral(state: Jinns) -> str:
    unowned = colors_in(state.neutral)
    # While colors are still being chosen, several have no owner (rule 3.4).
    return str(Text("{color:^} is neutral.", color=unowned[0])) if len(unowned) == 1 else ""


def _to_place(state: Jinns, *, brief: bool) -> str:
    """List the pawns available for placing and, unless `brief`, the colors of the remaining squares."""
    if not (state.frames and isinstance(state.frames[-1], Placing)):
        return ""
    pattern = placements(state.seats)
    color = pattern[state.placed].color
    pawns = tuple(f"{color}{n} ×{k}" for n, k in zip(STRENGTHS, state.stock(color), strict=True) if k)
    available = str(Text("{color:^} pawns left: {left}.", color=color, left=pawns))
    if brief:
        return available
    coming = []
    for color, run in groupby(RING[state.placed :], key=lambda square: pattern[square].color):
        squares = [*run]
        # `13 to 15 red`.
        template = "{first} {color}" if len(squares) == 1 else "{first} to {last} {color}"
        coming.append(str(Text(template, first=squares[0], last=squares[-1], color=color)))
    return f"{available} {Text('Colors of the squares to come: {colors}.', colors=join_with_semicolons(coming))}"


def _quay(state: Jinns) -> str:
    """One row per pile, clockwise."""
    rows = [with_label(str(square), _pile_text(pile)) for square, pile in enumerate(state.board) if pile]
    return "\n".join((str(LEGEND), *rows)) if rows else str(Text("**Lake**: all squares are empty."))


def _pile_text(pile: Pile) -> str:
    """A pile from top to bottom: `Y3 over G1 and B4`."""
    *below, top = map(str, pile.pawns)
    return str(Text("{top} over {below}", top=top, below=tuple(below[::-1]))) if below else top


def _lake(state: Jinns) -> str:
    piles = join_with_semicolons(f"{square} {_brief(pile)}" for square, pile in enumerate(state.board) if pile)
    return str(Text("Piles from bottom to top: {piles}.", piles=piles) if piles else Text("All squares are empty."))


def _brief(pile: Pile) -> str:
    """A pile from bottom to top: `B4G1Y3`."""
    return "".join(map(str, pile.pawns))


def _options(view: View[Jinns], names: Sequence[str]) -> str:
    """List the remaining options of an unfinished turn, or else everyone's options."""
    actions = view.offered or tuple(action for decision in view.decisions for action in decision.options)
    if not actions:
        return ""
    voice, rows = Voice(names, state=view.state), [str(Text("**Options**:"))]
    for _, some in groupby(actions, key=lambda action: action.square if isinstance(action, Move) else None):
        labels = [*map(voice.label, some)]
        # What to do with a tower follows a comma, so such options get lines of their own.
        towers = any("," in label.partition("→")[2] for label in labels)
        rows.append("\n".join(f"- {label}" for label in labels) if towers else join_with_semicolons(labels))
    return "\n".join((*rows, _typing_hint(actions)))


def _typing_hint(actions: Sequence[Action]) -> str:
    """Explain how to type the options."""
    example = f"`{shown_action(actions[0])}`"
    if not isinstance(actions[0], Move):
        # In Discord's Markdown, `-#` marks small print.
        return str(Text("-# Type it as in {example}.", example=example))
    keeps = [keep.shown for keep in Keep if any(isinstance(move, Move) and move.keep is keep for move in actions)]
    if keeps:
        return str(Text(TYPED_WITH_TOWERS, keeps=alternatives(keeps), example=example))
    return str(Text(TYPED, example=example))


TYPED = "-# Type the square, the number of pawns from the top, and the square they land on, as in {example}."
TYPED_WITH_TOWERS = (
    "-# Type the square, the number of pawns from the top, and the square they land on, then {keeps} for a tower, "
    "as in {example}."
)
