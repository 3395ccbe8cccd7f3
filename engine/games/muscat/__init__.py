"""Muscat (Christiane Knepel, 2001): careers of street artists, from the poor quarter to the palace."""

from typing import Any

from engine.core import GameSpec, Setup
from engine.games.muscat.artists import ARTISTS
from engine.games.muscat.city import markets
from engine.games.muscat.evaluation import EVALUATE
from engine.games.muscat.options import PRESETS, MuscatOptions
from engine.games.muscat.short import in_short
from engine.games.muscat.state import Muscat, Question
from engine.games.muscat.turn import TURN_VERBS, Turn
from engine.games.muscat.verbs.draw import DrawFirst
from engine.games.muscat.verbs.pick import Pick
from engine.games.muscat.verbs.remove import Remove
from engine.games.muscat.verbs.rise import RISING, Rise
from engine.games.muscat.verbs.turn_up import FirstFaceUp, TurnUp
from engine.rulebook import Rulebook
from engine.texts import Seat


def start(setup: Setup) -> Muscat:
    """The empty city before the draws of the face-up tokens and of the first tokens (rule 3)."""
    # The first player is an option (rule 9) that determines all orders.
    order = [Seat((setup.options.start_player + n) % setup.seats) for n in range(setup.seats)]
    questions: tuple[Question[Any], ...] = (*map(FirstFaceUp, order), *map(DrawFirst, order), Turn())
    return Muscat(
        # The top of the stack is the last frame.
        frames=questions[::-1],
        setup=setup,
        clock=0,
        last_round=False,
        board=(0,) * len(markets(setup.seats)),
        idlers=((),) * setup.seats,
        courtiers=(0,) * (len(ARTISTS) * setup.seats),
        shown_tokens=(None,) * setup.seats,
        piles=((4, 4, 4, 4),) * setup.seats,
        ended=None,
    )


GAME = GameSpec(
    slug="muscat",
    title="Muscat",
    summary="Street artists climb from the poor quarter to the palace, over their rivals’ heads.",
    seats=(3, 4, 5),
    options=MuscatOptions,
    actions=(*TURN_VERBS, Rise, Pick, Remove),
    chances=(TurnUp,),
    rules_version=1,
    rulebook=Rulebook.of(__name__),
    start=start,
    presets=PRESETS,
    asides=(RISING,),
    in_short=in_short,
    evaluate=EVALUATE,
    step_costs={3: 31, 4: 31, 5: 30},
    computers={
        "easy": ("Zahra", "Munir", "Latifa", "Bilal", "Samira"),
        "fair": ("Idris", "Layla", "Yusuf", "Hafsa", "Tariq"),
        "strong": ("Fadil", "Ruqayya", "Jabir", "Nadira", "Qasim"),
    },
)
