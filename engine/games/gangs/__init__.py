"""Ali Baba's Gangs: bandits, raids and arrests around a walled town, the game of 1993."""

from __future__ import annotations

from engine.core import GameSpec, InShort, Setup
from engine.games.gangs.actions import Accept, Black, Counteroffer, Decline, Done, Offer, Price, Return, Sell, To, White
from engine.games.gangs.data import GANGS_PURSE
from engine.games.gangs.evaluation import EVALUATE
from engine.games.gangs.frames.danger import DANGER
from engine.games.gangs.frames.trade import BUYING, OFFERING
from engine.games.gangs.frames.turn import Turn
from engine.games.gangs.options import PRESETS, GangsOptions
from engine.games.gangs.state import GangsTable
from engine.rulebook import Rulebook
from engine.texts import Text
from engine.town.actions import Appear, Deal, Play, Stop, Take
from engine.town.cards import Cards
from engine.town.data import Gang
from engine.town.luck import DealAll
from engine.town.thieves import FULL_DECK
from engine.town.track import Route


def start(setup: Setup) -> GangsTable:
    """The position before the deal of the first lap."""
    return GangsTable(
        # The top of the stack is the last frame: the deal comes before the first turn.
        frames=(Turn(), DealAll()),
        setup=setup,
        turn=0,
        walked=0,
        route=Route.MAIN,
        cards=Cards.undealt(setup.seats),
        purses=(GANGS_PURSE,) * setup.seats,
        brought=(0,) * setup.seats,
        decks=(FULL_DECK,) * len(Gang),
        ended=None,
        bandits=((),) * setup.seats,
        tails=((),) * len(Gang),
        danger=None,
        fined=(0,) * setup.seats,
        hired=(0,) * setup.seats,
        returned=(0,) * setup.seats,
    )


GAME = GameSpec(
    slug="gangs",
    title="Ali Baba’s Gangs",
    summary="Hire bandits, walk through the town, and hope that yours get away.",
    seats=(2, 3, 4, 5, 6),
    options=GangsOptions,
    actions=(Play, Take, Stop, Return, Done, Offer, To, Price, Accept, Decline, Counteroffer, Sell),
    chances=(Deal, Appear, Black, White),
    rules_version=1,
    rulebook=Rulebook.of(__name__),
    start=start,
    hands=True,
    presets=PRESETS,
    asides=(DANGER, OFFERING, BUYING),
    in_short=InShort(
        goal=Text(
            "You want the most money. Each bandit you hire brings you its value when it gets away with a raid, and "
            "once more at the end of each lap."
        ),
        turn=Text(
            "On your turn you play a card, and the camel walks that many steps. On an empty space you may hire "
            "bandits. On jewels, those of the colors shown are in danger: two dice make a number from 1 to 36, and "
            "each that has it is arrested and costs you three times its value."
        ),
        end=Text("The game ends when the camel has gone around twice. Most money wins."),
    ),
    evaluate=EVALUATE,
    step_costs={2: 25, 3: 25, 4: 28, 5: 30, 6: 29},
    computers={
        "easy": ("Baba Mustafa", "Abu Hasan", "Alnaschar", "Zurayk", "Sadi", "Bakbak"),
        "fair": ("Cogia Houssain", "Ali Zaibak", "Zaynab", "Masrur", "Jaafar", "Dalila"),
        "strong": ("Shahriyar", "Shahrazad", "Zobeide", "Shahzaman", "Badrulbudur", "Kamar"),
    },
)
