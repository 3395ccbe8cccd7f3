"""The position in words: a short twin for screen readers and a long one to play from."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import View
from engine.games.jinns.events import CameAgain, Occurrence
from engine.games.jinns.frames.place import Placing
from engine.games.jinns.pattern import placements
from engine.games.jinns.pawns import STRENGTHS, Pile, colors_in
from engine.games.jinns.ring import SQUARES
from engine.games.jinns.state import Jinns
from engine.notation import format_action
from engine.texts import CHANCE, Seat, listed
from engine.wording import say
from renders.words import clipped, due_sentence, result_sentence


def fact(view: View[Jinns]) -> str:
    """`Placing 12 of 32`, `Choosing colors`, `Move 24` or, after the end, `40 moves`."""
    state = view.state
    if view.outcome:
        return f"{state.moves} moves"
    if state.placed < SQUARES:
        return f"Placing {state.placed + 1} of {SQUARES}"
    return "Choosing colors" if state.setting_up else f"Move {state.moves + 1}"


def alt(view: View[Jinns], labels: Sequence[str]) -> str:
    """At most 1000 characters; `Y3` is the yellow pawn of strength 3."""
    names = [clipped(label, 14) for label in labels]
    seats = (_seat(view.state, names, Seat(seat), brief=True) for seat in range(view.state.seats))
    head = f"Jinns of the Lake. {fact(view)}. {_now(view, names)}"
    parts = [head, _times(view.state), *seats, _neutral(view.state), _lake(view.state)]
    return clipped(" ".join(part for part in parts if part), 1000)


def tell(view: View[Jinns], labels: Sequence[str]) -> str:
    """Everything, Markdown-light, under 3500 characters."""
    names = [clipped(label, 16) for label in labels]
    state = view.state
    parts = [
        f"**Jinns of the Lake**, {fact(view)[0].lower()}{fact(view)[1:]}. {_now(view, names)}",
        clipped(" ".join(say(event, names) for event in view.events if not isinstance(event, CameAgain)), 900),
        _times(state),
        "\n".join(_seat(state, names, Seat(seat), brief=False) for seat in range(state.seats)),
        _neutral(state),
        _to_place(state),
        f"**Lake**, piles from bottom to top. {_lake(state)}",
        _options(view),
    ]
    return clipped("\n".join(part for part in parts if part), 3400)


def _now(view: View[Jinns], names: Sequence[str]) -> str:
    if view.outcome:
        return result_sentence(view, names)
    prompts = " ".join(say(d.prompt, names) for d in view.decisions if d.seat != CHANCE)
    return f"{due_sentence(view, names)} {prompts}".strip()


def _times(state: Jinns) -> str:
    """How often this position has come, from the second time on."""
    if state.times < 2:
        return ""
    time, last = Occurrence(state.times), Occurrence(state.terms.repetition_limit)
    return f"This position has come for the {time.label} time." if state.ended else say(CameAgain(time, last))


def _seat(state: Jinns, names: Sequence[str], seat: Seat, *, brief: bool) -> str:
    colors = listed([color.label for color in state.colors(seat)]) or "no color yet"
    plays = "" if names[seat].lower() == colors else f" ({colors})"
    points = f"{state.score(seat)} = taken {state.taken_points(seat)} + lake {state.lake_points(seat)}"
    mark = "" if brief else "**"
    partner = _partner(state, names, seat)
    taken = "; ".join(map(_brief, state.taken[seat]))
    return f"{mark}{names[seat]}{mark}{plays}{partner}: {points}{f', took {taken}' if taken else ''}."


def _partner(state: Jinns, names: Sequence[str], seat: Seat) -> str:
    partner = state.partner(seat)
    if partner is None:
        return ""
    both = f" (together {state.score(seat) + state.score(partner)})" if state.terms.team_score else ""
    return f", with {names[partner]}{both}"


def _neutral(state: Jinns) -> str:
    nobodys = colors_in(state.neutral)
    return f"{nobodys[0].capital} is neutral." if len(nobodys) == 1 else ""


def _to_place(state: Jinns) -> str:
    """The pawns a placer can choose from, and the order of colors to come."""
    if not (state.frames and isinstance(state.frames[-1], Placing)):
        return ""
    color = placements(state.seats)[state.placed].color
    left = listed([f"{n} ×{k}" for n, k in zip(STRENGTHS, state.stock(color), strict=True) if k])
    coming = "".join(here.color for here in placements(state.seats)[state.placed :])
    return f"Left of {color.label}: {left}. Colors to come from square {state.placed}: {coming}."


def _lake(state: Jinns) -> str:
    piles = (f"{square} {_brief(pile)}" for square, pile in enumerate(state.board) if pile)
    return f"{'; '.join(piles) or 'All squares are empty'}."


def _brief(pile: Pile) -> str:
    """A pile from bottom to top: `B4G1Y3`."""
    return "".join(map(str, pile.pawns))


def _options(view: View[Jinns]) -> str:
    """What is still open of a turn that is being built, else all that can be done now, whoever looks on."""
    actions = view.offered or tuple(action for decision in view.decisions for action in decision.options)
    return f"Options: {', '.join(format_action(action) for action in actions)}" if actions else ""
