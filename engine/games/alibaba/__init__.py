"""Ali Baba: treasure in a cave and thieves around a walled town, the variant of Rick Heli (1999)."""

from __future__ import annotations

from engine.core import GameSpec, InShort, Setup
from engine.games.alibaba.actions import Claim, Decline, Extend, Roll, Steal, TurnUp
from engine.games.alibaba.data import first_purse
from engine.games.alibaba.evaluation import EVALUATE
from engine.games.alibaba.frames.danger import CLAIMING
from engine.games.alibaba.frames.stake import Stake
from engine.games.alibaba.options import PRESETS, AliBabaOptions
from engine.games.alibaba.state import Cave
from engine.rulebook import Rulebook
from engine.texts import Text
from engine.town.actions import Appear, Deal, Play, Stop, Take
from engine.town.cards import Cards
from engine.town.data import Gang
from engine.town.luck import DealAll
from engine.town.thieves import EMPTY_DECK, FULL_DECK
from engine.town.track import Route


def start(setup: Setup) -> Cave:
    """The position before the first deal."""
    return Cave(
        # The top of the stack is the last frame: the deal comes before the first turn.
        frames=(Stake(), DealAll()),
        setup=setup,
        turn=0,
        walked=0,
        route=Route.MAIN,
        cards=Cards.undealt(setup.seats),
        purses=tuple(map(first_purse, range(setup.seats))),
        brought=(0,) * setup.seats,
        decks=(FULL_DECK,) * len(Gang),
        ended=None,
        stakes=(0,) * setup.seats,
        safe_after=(None,) * setup.seats,
        claimed=((),) * setup.seats,
        piles=(EMPTY_DECK,) * len(Gang),
        encounter=None,
    )


GAME = GameSpec(
    slug="alibaba",
    title="Ali Baba",
    summary="Steal from the cave, walk through the town, and hope that no thief catches you.",
    seats=(2, 3, 4, 5, 6),
    options=AliBabaOptions,
    actions=(Steal, Extend, Play, TurnUp, Claim, Decline, Take, Stop),
    chances=(Deal, Appear, Roll),
    rules_version=1,
    rulebook=Rulebook.of(__name__),
    start=start,
    hands=True,
    presets=PRESETS,
    asides=(CLAIMING,),
    in_short=InShort(
        goal=Text(
            "You want the most money. Steal a stake from the cave: the longer it must stay in danger, the more "
            "it is worth. If no thief catches you in that time, it is yours."
        ),
        turn=Text(
            "On your turn you may steal. Then you play a card, and the camel walks that many steps. On jewels, "
            "thieves turn up; if one of them has the number rolled, you lose your stake."
        ),
        end=Text("The game ends when the camel has gone around twice. Stakes still in the cave are lost."),
    ),
    evaluate=EVALUATE,
    step_costs={2: 28, 3: 32, 4: 32, 5: 33, 6: 37},
    computers={
        "easy": ("Cassim", "Abu Kir", "Bahlul", "Maaruf", "Ajib", "Hashim"),
        "fair": ("Ali Baba", "Abdalla", "Sindbad", "Aladdin", "Hasan", "Sahim"),
        "strong": ("Morgiana", "Dunyazad", "Tawaddud", "Zumurrud", "Parizade", "Budur"),
    },
)
