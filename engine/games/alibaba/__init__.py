"""Ali Baba: treasure and thieves around a walled town, in the cave of Rick Heli (1999) or with the gangs of 1993."""

from __future__ import annotations

from engine import GameSpec, Setup, State
from engine.games.alibaba.actions import (
    Accept,
    Appear,
    Black,
    Claim,
    Deal,
    Decline,
    Done,
    Extend,
    Offer,
    Play,
    Price,
    Return,
    Roll,
    Sell,
    Steal,
    Stop,
    Take,
    To,
    TurnUp,
    White,
)
from engine.games.alibaba.cards import Cards
from engine.games.alibaba.cave.frames.stake import Stake
from engine.games.alibaba.cave.frames.walk import FirstDeal
from engine.games.alibaba.cave.state import Cave, Encounter, Loss
from engine.games.alibaba.data import CAVE_PURSE, GANGS_PURSE, Gang, Graffiti, Thief
from engine.games.alibaba.events import EndReason
from engine.games.alibaba.gangs.draft import FRESH_STACKS
from engine.games.alibaba.gangs.flow import DealLap
from engine.games.alibaba.gangs.frames.turn import Turn
from engine.games.alibaba.gangs.state import NOBODY, Danger, Fate, GangsTable, Stack
from engine.games.alibaba.options import GANGS, AliBabaOptions
from engine.games.alibaba.state import AliBaba
from engine.games.alibaba.thieves import EMPTY_DECK, FULL_DECK
from engine.games.alibaba.track import Route, Space
from engine.rulebook import Rulebook

__all__ = [
    "GAME",
    "AliBaba",
    "Cave",
    "Danger",
    "Encounter",
    "EndReason",
    "Fate",
    "Gang",
    "GangsTable",
    "Graffiti",
    "Loss",
    "Route",
    "Space",
    "Stack",
    "Thief",
    "start",
]


def start(setup: Setup) -> State:
    """Before the first deal, in the mode that was chosen."""
    return _gangs(setup) if setup.options.mode == GANGS else _cave(setup)


def _cave(setup: Setup) -> Cave:
    nothing = (0,) * setup.seats
    return Cave(
        frames=(Stake(), FirstDeal()),
        setup=setup,
        turn=0,
        total=0,
        side=False,
        cards=Cards.undealt(setup.seats),
        purses=tuple(CAVE_PURSE * (seat + 1) for seat in range(setup.seats)),
        ended=None,
        stakes=nothing,
        dues=(None,) * setup.seats,
        claimed=nothing,
        decks=(FULL_DECK,) * len(Gang),
        piles=(EMPTY_DECK,) * len(Gang),
        encounter=None,
        fresh=False,
    )


def _gangs(setup: Setup) -> GangsTable:
    return GangsTable(
        frames=(Turn(), DealLap()),
        setup=setup,
        turn=0,
        total=0,
        side=False,
        cards=Cards.undealt(setup.seats),
        purses=(GANGS_PURSE,) * setup.seats,
        ended=None,
        owned=(NOBODY,) * setup.seats,
        stacks=FRESH_STACKS,
        danger=None,
    )


GAME = GameSpec(
    slug="alibaba",
    title="Ali Baba",
    summary="Steal treasure from the cave, walk through the town, and hope that no thief catches you.",
    seats=(2, 3, 4, 5, 6),
    options=AliBabaOptions,
    actions=(Steal, Extend, Play, TurnUp, Claim, Decline, Take, Stop, Return, Done, Offer, To, Price, Accept, Sell),
    chances=(Deal, Appear, Roll, Black, White),
    rules_version=1,
    rulebook=Rulebook.of(__name__),
    start=start,
    hands=True,
)
