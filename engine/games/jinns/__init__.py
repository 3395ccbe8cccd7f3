"""Jinns of the Lake (Claude Leroy, Cosmoludo): towers of pawns on the quay around a lake at night."""

from typing import Any

from engine.core import GameSpec, Setup
from engine.games.jinns.actions import Choose, Lay, Move, Place
from engine.games.jinns.builder import FIRST
from engine.games.jinns.evaluation import EVALUATE
from engine.games.jinns.frames.choose import Choosing
from engine.games.jinns.frames.place import LayingOut, Placing
from engine.games.jinns.frames.turn import TURN
from engine.games.jinns.options import PRESETS, JinnsOptions, companies, terms_of
from engine.games.jinns.pattern import fixed_owners
from engine.games.jinns.pawns import COLORS, EMPTY, NO_COLORS
from engine.games.jinns.ring import SQUARES
from engine.games.jinns.short import in_short
from engine.games.jinns.state import Jinns, Question
from engine.rulebook import Rulebook
from engine.texts import Seat, seats_called

_COMPASS = {2: ("North", "South"), 3: ("North", "East", "South"), 4: ("North", "East", "South", "West")}
"""Names of seats that have no color yet; partners are opposite each other."""


def start(setup: Setup) -> Jinns:
    """The empty quay before the setup: placement or random layout, then the choice of colors, if any (rule 3)."""
    terms = terms_of(setup)
    questions: list[Question[Any]] = [LayingOut() if terms.random else Placing(), TURN]
    if terms.colors_chosen:
        # Colors are chosen after the layout and before the first turn (rule 3.4).
        questions.insert(1, Choosing())
    return Jinns(
        frames=tuple(reversed(questions)),
        terms=terms,
        board=(EMPTY,) * SQUARES,
        owned=(NO_COLORS,) * terms.seats if terms.colors_chosen else fixed_owners(terms.seats),
        # The last seat chooses first (rule 3.4).
        turn=Seat(terms.seats - 1) if terms.colors_chosen else FIRST,
        moves=0,
        taken_piles=((),) * terms.seats,
        record=(),
        ended=None,
    )


def seat_names(setup: Setup) -> tuple[str, ...]:
    """The (first) color of each seat, or its side of the lake if seats choose their colors later."""
    return seats_called(_COMPASS[setup.seats]) if terms_of(setup).colors_chosen else seats_called(_first_colors(setup))


def seat_colors(setup: Setup) -> tuple[str, ...]:
    """The (first) color of each seat, or "" if seats choose their colors later."""
    return ("",) * setup.seats if terms_of(setup).colors_chosen else _first_colors(setup)


def _first_colors(setup: Setup) -> tuple[str, ...]:
    return tuple(color.label.capitalize() for color in COLORS[: setup.seats])


GAME = GameSpec(
    slug="jinns",
    title="Jinns of the Lake",
    summary="Pile up pawns around a lake at night; towers of four colors are yours.",
    seats=(2, 3, 4),
    options=JinnsOptions,
    actions=(Place, Choose, Move),
    chances=(Lay,),
    rules_version=1,
    rulebook=Rulebook.of(__name__),
    start=start,
    seat_names=seat_names,
    seat_colors=seat_colors,
    companies=companies,
    presets=PRESETS,
    in_short=in_short,
    evaluate=EVALUATE,
    step_costs={2: 46, 3: 44, 4: 41},
    computers={
        "easy": ("Nuri", "Hala", "Sami", "Dalila"),
        "fair": ("Salma", "Harun", "Amina", "Rashid"),
        "strong": ("Marid", "Maymuna", "Dahnash", "Sakhr"),
    },
)
