"""Random games of the town, and positions of them that are worth a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from engine.core import Action, View
from engine.games.alibaba import GAME as CAVE
from engine.games.alibaba.state import Cave
from engine.games.gangs import GAME as GANGS
from engine.games.gangs.state import GangsTable
from engine.match import Match

GAMES = {"cave": CAVE, "gangs": GANGS}


def played(seats: int, seed: str, game: str = "cave") -> Iterator[Match]:
    """A random game in which nobody is shy: stakes are high, and bandits are risked."""
    match, rng = Match.begin(GAMES[game], GAMES[game].setup(seats), seed), Random(seed)
    yield match
    while decisions := match.state.decisions():
        match.play(decisions[0].seat, rng.choice(bold(decisions[0].options)))
        yield match


def bold(options: Sequence[Action]) -> Sequence[Action]:
    """What is left for who is not shy."""
    if options[0].verb == "steal":
        return options[3:] or options
    return [option for option in options if option.verb not in ("return", "stop", "decline")] or options


def private(match: Match) -> View:
    """The position as the seat that is due sees it, with its options marked."""
    decision = match.state.decisions()[0]
    return match.view(decision.seat, offered=decision.options)


def first(seats: int, game: str, wanted: Callable[[Match], bool]) -> Match:
    """The first position of seeded games that is wanted."""
    for seed in range(40):
        for match in played(seats, f"{game} {seed}", game):
            if match.outcome is None and wanted(match):
                return match
    raise AssertionError("no such position")


def crowded(match: Match) -> bool:
    """Six thieves lie there, somebody claims, most of the others are in the cave or were caught."""
    state = match.state
    assert isinstance(state, Cave)
    met = state.encounter
    if not met or len(met.thieves) < 6 or state.decisions()[0].options[-1].verb != "decline":
        return False
    return len(met.losses) + sum(last is not None for last in state.safe_after) >= 5


def endangered(match: Match) -> bool:
    """More than four types are in danger, and the line is known."""
    state = match.state
    assert isinstance(state, GangsTable)
    return bool(state.danger and state.danger.black and len(state.danger.types) > 5)


def ended(seats: int, game: str) -> Match:
    *_, last = played(seats, "the end", game)
    return last
