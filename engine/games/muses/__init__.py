"""Dance of Muses (Marco Baglioni and David Trambusti, 2019): nine tiles push each other, some of them face down."""

from engine.core import GameSpec, Preset, Setup
from engine.games.muses.actions import Deal, Done, First, Place, Power, Step, TurnUp
from engine.games.muses.companies import companies, company_count, seat_colors, seat_names
from engine.games.muses.evaluation import EVALUATE
from engine.games.muses.floor import EMPTY
from engine.games.muses.frames.luck import Dealing, TurningUp
from engine.games.muses.muse_table import NONE
from engine.games.muses.options import MusesOptions
from engine.games.muses.short import in_short
from engine.games.muses.state import NO_SECRETS, Muses
from engine.rulebook import Rulebook


def start(setup: Setup) -> Muses:
    """The position before the first deal."""
    return Muses(
        # The top of the stack is the last frame; `TurningUp` is below all other frames of a hand.
        frames=(TurningUp(), Dealing()),
        setup=setup,
        hand=1,
        first=None,
        turns=0,
        floor=EMPTY,
        secrets=NO_SECRETS,
        hands=((),) * setup.seats,
        points=(0,) * company_count(setup.seats),
        bonuses=(0,) * company_count(setup.seats),
        finished=None,
        ended=None,
    )


GAME = GameSpec(
    slug="muses",
    title="Dance of Muses",
    summary="Nine Muses push each other across the cloth, and nobody knows who lies face down.",
    seats=(2, 3, 4),
    options=MusesOptions,
    actions=(Place, Step, Power, Done),
    chances=(Deal, First, TurnUp),
    rules_version=1,
    rulebook=Rulebook.of(__name__),
    start=start,
    seat_names=seat_names,
    seat_colors=seat_colors,
    companies=companies,
    hands=True,
    presets=(
        Preset("First game", {"powers": NONE, "hands": 1}, "one hand, and Muses have no powers"),
        Preset("As printed", {}, "two hands, and Muses have powers"),
        Preset("Tournament", {"hands": 3}, "three hands, and Muses have powers"),
    ),
    in_short=in_short,
    evaluate=EVALUATE,
    step_costs={2: 38, 3: 37, 4: 36},
    computers={
        "easy": ("Echo", "Narcissus", "Syrinx", "Marsyas"),
        "fair": ("Orpheus", "Sappho", "Arion", "Corinna"),
        "strong": ("Mnemosyne", "Artemis", "Athena", "Hermes"),
    },
)
